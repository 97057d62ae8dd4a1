"""The fallback where Numba's internals are not what fast kernels need."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from ludograph.rules.announcer import announcer

HERE = str(Path(__file__).parent)
PACKAGE = str(Path(__file__).parents[2])
KNOWN_TO_WORK = "its versions 0.60 to 0.68"


class NotAsExpected(Exception):
    """Numba makes no kernel of machine code that is as it was written.

    Its cause may be of any type, also of one that otherwise is about a kernel or a file.
    """

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"machine code that was kept: {type(cause).__name__}: {cause}")


class _Way:
    """The way in which this process compiles kernels."""

    is_stock = False


def are_usable() -> bool:
    """Tell whether kernels can be compiled in the fast way."""
    return not _Way.is_stock


def fall_back_after(error: BaseException) -> None:
    """Compile all kernels by stock Numba from now on, after an error in this folder; warn once."""
    import numba

    _Way.is_stock = True
    named = "" if isinstance(error, NotAsExpected) else f"{type(error).__name__}: "
    announcer.warn_once(
        f"kernels are compiled the slow way, again in each process: Numba {numba.__version__} is "
        f"not as expected ({named}{error}); {KNOWN_TO_WORK} are known to work"
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
