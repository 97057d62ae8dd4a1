"""Numba's types of kernels and generic functions that other kernels call.

Each call is compiled as a call of a separate kernel, which is compiled once for all its callers and
stored on disk. All signed integers are passed as ``int64``, whatever array they were read from: so
a kernel is not compiled for each kind of integer.

Imported when the first kernel is compiled: this module needs Numba.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.errors import TypingError
from numba.extending import models, register_model

WIDTH = 64


def widened(argument: Any) -> Any:
    """Return the type in which a kernel receives an argument of some type."""
    if isinstance(argument, types.Literal):
        argument = argument.literal_type
    if isinstance(argument, types.Integer) and argument.signed and argument.bitwidth < WIDTH:
        return types.int64
    return argument


class KernelType(types.Dispatcher):  # type: ignore[misc]
    """The type of a kernel that another kernel calls."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:  # noqa: ARG002
        """Return the signature for some arguments; compile the kernel if it is missing."""
        args = tuple(widened(argument) for argument in args)
        kws = {name: widened(argument) for name, argument in kws.items()}
        parameters, args = self.dispatcher.fold_argument_types(args, kws)
        if args not in self.dispatcher.overloads:
            self.dispatcher.compile(args)
        return self.dispatcher.overloads[args].signature.replace(pysig=parameters)


class GenericType(types.Callable, types.Dummy):  # type: ignore[misc]
    """The type of a generic function in a kernel: the type of the Setup selects the rule."""

    def __init__(self, generic: Any) -> None:
        self.generic = generic
        super().__init__(f"generic({generic.__module__}.{generic.__name__})")

    def rule(self, setup: Any) -> KernelType:
        """Return the type of the kernel for a Setup of some type."""
        name = self.generic.__name__
        # Numba has another class for a NamedTuple of fields of one type; both have this base.
        if not isinstance(setup, types.BaseNamedTuple):
            raise TypingError(f"{name}: the first argument is no Setup but {setup}")
        kernel = self.generic.kernel(setup.instance_class)
        if kernel is None:
            raise TypingError(f"{name} has no rule for {setup.instance_class.__name__}")
        return KernelType(kernel.callee)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Return the signature of the selected rule for some arguments."""
        if not args:
            raise TypingError(f"{self.generic.__name__}: the Setup comes first, without a name")
        return self.rule(args[0]).get_call_type(context, args, kws)

    def get_call_signatures(self) -> Any:
        """Return the known signatures for error messages: none."""
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        """Return the key of the selected rule's implementation."""
        return self.rule(sig.args[0]).get_impl_key(sig)


register_model(KernelType)(models.OpaqueModel)
register_model(GenericType)(models.OpaqueModel)
