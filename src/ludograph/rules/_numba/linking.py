"""Linking of kernels: machine code is optimized once, in the kernel that Python calls.

Numba optimizes a function with all functions that it calls whenever it compiles one of them, twice.
So the lowest functions of a search would be optimized again at each level above them. Here a kernel
that only other kernels call is stored as LLVM bitcode without optimization. A kernel that Python
calls is linked with all of its callees, optimized, and compiled to machine code.

Imported when the first kernel is compiled: this module needs Numba, and some of its internals.
"""

from __future__ import annotations

import contextlib
import gc
import inspect
import weakref
from collections.abc import Iterator
from types import CodeType
from typing import Any

import llvmlite.binding as llvm
from numba.core.base import BaseContext
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUTargetOptions
from numba.core.environment import lookup_environment
from numba.core.pythonapi import PythonAPI

from ludograph.rules._numba.references import by_reference

ENVIRONMENT = "_ZN08NumbaEnv"
"""The prefix of the variables that contain a function's constants for the interpreter."""

OF_INLINED = {"InlineInlinables"}
OF_CLOSURES = {"InlineClosureLikes", "MakeFunctionToJitFunction"}
OF_ARRAYS = {"NopythonRewrites"}
"""Numba's passes for what few kernels have, or none: other functions that are inlined as source,
functions within functions, and expressions of whole arrays."""

RUNTIME_PREFIX = "NRT_"
"""The prefix of the functions of Numba's runtime."""

ENTRY, LINKED = "entry", "bitcode"
"""The kinds of stored libraries: an entry as machine code, a linked one as LLVM bitcode."""

REPLACED = {
    BaseContext: ("active_code_library",),
    Compiler: ("compile_extra", "define_pipelines"),
    CPUTargetOptions: ("_nrt",),
    JITCodeLibrary: (
        *("_finalize_final_module", "_finalize_specific", "_optimize_final_module"),
        *("_optimize_functions", "get_pointer_to_function", "serialize_using_object_code"),
    ),
    PythonAPI: ("numba_array_adaptor",),
}
"""The names of Numba's internals, by class, whose absence :mod:`.insides` would not notice: methods
that a class here replaces, and what is used while Numba turns errors into its own."""


def check() -> None:
    """Raise AttributeError if the installed Numba lacks a name of :data:`REPLACED`."""
    for owner, names in REPLACED.items():
        for name in names:
            getattr(owner, name)


def uses_runtime(library: Any) -> bool:
    """Tell whether a library calls functions of Numba's runtime, which counts references."""
    if isinstance(library, EntryLibrary | LinkedLibrary):
        functions = library._final_module.functions
        return any(function.name.startswith(RUNTIME_PREFIX) for function in functions)
    return RUNTIME_PREFIX in library.get_llvm_str()


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that Python calls, with all of its callees.

    Only its machine code is stored: no other kernel links it, and reading the bitcode that Numba
    stores as well takes longer than all other steps of loading a kernel.
    """

    is_of_kernel = True

    @classmethod
    def loaded(cls, codegen: Any, name: str, data: tuple[bytes, list[str]]) -> EntryLibrary:
        """Return the library of stored data."""
        machine_code, symbols = data
        self = cls(codegen, name)
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
        return self

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, list[str]]]:
        """Return the machine code, and the names of the symbols that it defines."""
        self._ensure_finalized()
        module = self._final_module
        symbols = [
            symbol.name
            for symbols in (module.functions, module.global_variables)
            for symbol in symbols
            if not symbol.is_declaration
        ]
        return self.name, ENTRY, (self._get_compiled_object(), symbols)

    def _optimize_functions(self, module: Any) -> None:
        """Do nothing but what linking needs: the code is optimized as a whole."""
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Optimize once: Numba's first round finds reference counts, which our kernels lack."""
        passes = self._codegen._module_pass_manager()
        if not isinstance(passes, tuple):  # LLVM's old pass manager, before Numba 0.62
            passes.run(self._final_module)
            return
        manager, builder = passes
        with self._recorded_timings.record("Module passes", builder):
            manager.run(self._final_module, builder)

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that only kernels call: bitcode for linking, without machine code."""

    is_of_kernel = True

    @classmethod
    def loaded(cls, codegen: Any, name: str, bitcode: bytes) -> LinkedLibrary:
        """Return the library of stored data."""
        self = cls(codegen, name)
        self._final_module = llvm.parse_bitcode(bitcode)
        self._finalize_final_module()
        return self

    @property
    def codegen(self) -> Any:
        """A code generator that sets no variables: those of this library are not in memory."""
        return _WithoutVariables(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
        """Return null, as there is no machine code."""
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """Return the bitcode, as there is no object code."""
        kept: tuple[str, str, bytes] = self.serialize_using_bitcode()
        return kept

    def _optimize_final_module(self) -> None:
        """Do nothing: the code is optimized when it is linked."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._final_module.__library = weakref.proxy(self)
        self._finalized = True


class _WithoutVariables:
    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: the entry that links the code sets the variables."""


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Pause the garbage collector: it visits all of Numba again and again during a compilation."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class LinkedCompiler(Compiler):  # type: ignore[misc]
    """Compiles kernels that only other kernels call."""

    library_type: type[JITCodeLibrary] = LinkedLibrary

    @uncollected()
    def compile_extra(self, func: Any) -> Any:
        """Compile a plain function into a library of type ``library_type``."""
        library = self.library_type(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        """Return Numba's passes without those that change nothing in such a function."""
        (whole,) = super().define_pipelines()
        unneeded = set(OF_INLINED)
        if not self.state.flags.nrt:
            unneeded |= OF_ARRAYS
        if not any(isinstance(each, CodeType) for each in self.state.func_id.code.co_consts):
            unneeded |= OF_CLOSURES
        shorter = PassManager(whole.pipeline_name)
        for each, description in whole.passes:
            if each.__name__ not in unneeded:
                shorter.add_pass(each, description)
        shorter.finalize()
        return [shorter]


class EntryCompiler(LinkedCompiler):
    """Compiles kernels that Python calls: their code gets named tuples by reference."""

    library_type = EntryLibrary

    def compile_extra(self, func: Any) -> Any:
        """Compile a plain function; its signature has the types that Numba finds of arguments."""
        found = self.state.args
        if not inspect.isgeneratorfunction(func):  # a generator outlives the call
            self.state.args = tuple(map(by_reference, found))
        made = super().compile_extra(func)
        return made._replace(signature=made.signature.replace(args=found))


def rebuilt(context: Any, library: tuple[str, str, Any], *parts: Any) -> CompileResult:
    """Return the inverse of Numba's ``CompileResult._reduce``, for libraries of any kind."""
    name, kind, data = library
    ours: Any = {ENTRY: EntryLibrary, LINKED: LinkedLibrary}.get(kind)
    if ours is None:
        return CompileResult._rebuild(context, library, *parts)
    descriptor, environment, signature, objectmode, lifted, annotation, reload_init, referenced = (
        parts
    )
    for prepare in reload_init:
        prepare()
    code = ours.loaded(context.codegen(), name, data)
    for each in referenced:
        code.codegen.set_env(each.env_name, each)
    return CompileResult(
        target_context=context,
        typing_context=context.typing_context,
        library=code,
        environment=environment,
        entry_point=context.get_executable(code, descriptor, environment),
        fndesc=descriptor,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=referenced,
    )
