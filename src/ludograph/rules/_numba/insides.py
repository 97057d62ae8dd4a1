"""The names of Numba's internals that fast kernels need, and the fallback without them."""

from __future__ import annotations

import functools
import importlib
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from ludograph.rules.announcer import announcer

HERE = str(Path(__file__).parent)
PACKAGE = str(Path(__file__).parents[2])


class Inside(NamedTuple):
    """A name that is not part of Numba's interface.

    Attributes
    ----------
    home
        The module, or a class in it: ``numba.core.codegen:JITCodeLibrary``.
    name
        The name of the function or attribute.
    why
        The reason why fast kernels need it. Without it, stock Numba compiles all kernels.
    """

    home: str
    name: str
    why: str

    def is_there(self) -> bool:
        """Tell whether the installed Numba has the name."""
        module, _, owner = self.home.partition(":")
        try:
            found = importlib.import_module(module)
        except ImportError:
            return False
        return hasattr(getattr(found, owner, None) if owner else found, self.name)


KNOWN_TO_WORK = "its versions 0.60 to 0.68"

LIBRARY, GENERATOR = "numba.core.codegen:JITCodeLibrary", "numba.core.codegen:JITCPUCodegen"
OPTIMIZED_ONCE = "code is optimized once, where Python calls it, rather than in each caller"
REFERENCES = "Setups are passed by reference"
INDEXED = "indices do not count from the end"
KEPT = "machine code is kept on disk under a digest of all that it was made from"

INSIDES = (
    Inside("numba.core.cpu:CPUTargetOptions", "_nrt", "kernels count no references"),
    Inside("numba.core.base:BaseContext", "active_code_library", INDEXED),
    Inside("numba.np.arrayobj", "getitem_arraynd_intp", INDEXED),
    Inside("numba.np.arrayobj", "getitem_array_tuple", INDEXED),
    Inside("numba.np.arrayobj", "setitem_array", INDEXED),
    Inside("numba.np.arrayobj", "load_item", INDEXED),
    Inside("numba.np.arrayobj", "populate_array", INDEXED),
    Inside("numba.core.imputils", "lower_getattr_generic", REFERENCES),
    Inside("numba.core.pythonapi:PythonAPI", "numba_array_adaptor", REFERENCES),
    Inside("numba.core.compiler:Compiler", "define_pipelines", "some passes are left out"),
    Inside(LIBRARY, "_optimize_final_module", OPTIMIZED_ONCE),
    Inside(LIBRARY, "_finalize_final_module", OPTIMIZED_ONCE),
    Inside(LIBRARY, "_finalize_specific", OPTIMIZED_ONCE),
    Inside(LIBRARY, "_finalize_dynamic_globals", OPTIMIZED_ONCE),
    Inside(LIBRARY, "_verify_declare_only_symbols", OPTIMIZED_ONCE),
    Inside(LIBRARY, "_ensure_finalized", KEPT),
    Inside(LIBRARY, "_set_compiled_object", KEPT),
    Inside(LIBRARY, "_get_compiled_object", KEPT),
    Inside(GENERATOR, "_module_pass_manager", OPTIMIZED_ONCE),
    Inside(GENERATOR, "set_env", "code that was kept finds its constants"),
    Inside("numba.core.codegen:JitEngine", "_load_defined_symbols", "kernels find each other"),
    Inside("numba.core.compiler:Compiler", "compile_extra", OPTIMIZED_ONCE),
    Inside("numba.core.compiler:CompileResult", "_reduce", KEPT),
    Inside("numba.core.compiler:CompileResult", "_rebuild", KEPT),
    Inside("numba.core.environment", "lookup_environment", "code that was kept finds constants"),
    Inside("numba.core.caching", "_Cache", KEPT),
    Inside("numba.core.runtime", "rtsys", "kernels that allocate begin when they were kept"),
    Inside("numba.core.serialize", "dumps", KEPT),
)
"""The names that are checked. Attributes of objects of these classes (``_codegen``,
``_final_module``, ``_recorded_timings``, ``_engine._defined_symbols``) are not checked: a missing
one is noticed when it fails. Beside these names kernels need, without a fallback,
``numba.extending``, ``numba.core.types.Dispatcher`` and
``numba.core.typing.templates.make_intrinsic_template``, with which they call rules and intrinsics.
"""


class NotAsExpected(Exception):
    """Numba makes no kernel of machine code that is as it was written.

    Its cause may be of any type, also of one that otherwise is about a kernel or a file.
    """

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"machine code that was kept: {type(cause).__name__}: {cause}")


class _Way:
    """The way in which this process compiles kernels."""

    is_stock = False


@functools.cache
def check() -> None:
    """Fall back to stock Numba if the installed one lacks a name."""
    missing = next((each for each in INSIDES if not each.is_there()), None)
    if missing is not None:
        fall_back(f"it has no {missing.home.replace(':', '.')}.{missing.name}")


def are_usable() -> bool:
    """Tell whether kernels can be compiled in the fast way."""
    check()
    return not _Way.is_stock


def fall_back_after(error: BaseException) -> None:
    """Fall back to stock Numba after an error in this folder."""
    named = "" if isinstance(error, NotAsExpected) else f"{type(error).__name__}: "
    fall_back(f"{named}{error}")


def fall_back(reason: str) -> None:
    """Compile all kernels by stock Numba from now on; warn once."""
    import numba

    _Way.is_stock = True
    announcer.warn_once(
        f"kernels are compiled the slow way, again in each process: Numba {numba.__version__} is "
        f"not as expected ({reason}); {KNOWN_TO_WORK} are known to work"
    )


def of_kernels() -> tuple[type[Exception], ...]:
    """Return the types of Numba's errors about a kernel that it cannot compile."""
    from numba.core import errors

    names = ("NumbaError", "UnsupportedBytecodeError")  # 0.60 has only the first one
    return tuple(getattr(errors, name) for name in names if hasattr(errors, name))


def have_failed(error: BaseException) -> bool:
    """Tell whether an error comes from the use of Numba's internals, not from the kernel.

    In this case the last frame of this package in the traceback is in this folder. Numba's own
    errors about a kernel (a ``NumbaError``, say) come from the kernel.
    """
    of_others = (*of_kernels(), OSError)
    if _Way.is_stock or not isinstance(error, Exception) or isinstance(error, of_others):
        return False
    last, trace = "", error.__traceback__
    while isinstance(trace, TracebackType):
        file = trace.tb_frame.f_code.co_filename
        last = file if file.startswith(PACKAGE) else last
        trace = trace.tb_next
    return last.startswith(HERE)
