"""Named tuples of arrays, such as Setups and trees, are passed to kernels by reference.

Numba passes a tuple number by number: each call of a kernel takes apart and puts together some two
hundred of them, which took most of the time to compile. Here a named tuple with arrays is written
to memory once, where Python calls a kernel; kernels pass its address on. No kernel changes this
memory, and stores in arrays are marked as stores elsewhere, so that loads are moved out of loops.

Imported when the first kernel is compiled: this module needs Numba.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.extending import (
    NativeValue,
    box,
    lower_builtin,
    models,
    register_model,
    unbox,
)

BYTES = ir.IntType(8).as_pointer()
INDEX, OFFSET = ir.IntType(32), ir.IntType(64)


class Reference(types.NamedTuple):  # type: ignore[misc]
    """The type of a named tuple that is passed by reference.

    Its name is short, since it is part of the name of each function that gets one.
    """

    def __init__(self, fields: tuple[Any, ...], kind: type) -> None:
        super().__init__(fields, kind)
        digest = hashlib.sha256(", ".join(map(str, fields)).encode()).hexdigest()
        self.name = f"{kind.__name__}({digest[:12]})"


@register_model(Reference)
class ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    """An address. It counts no references: the caller holds the arrays."""

    def __init__(self, manager: Any, kind: Reference) -> None:
        super().__init__(manager, kind, BYTES)


def by_reference(kind: Any) -> Any:
    """Return the type in which a kernel gets an argument from Python.

    A named tuple with fields of one type stays as it is: Numba has another class for it, which can
    be iterated over.
    """
    if not isinstance(kind, types.NamedTuple):
        return kind
    fields = tuple(map(by_reference, kind))
    if not any(isinstance(field, types.Array | Reference) for field in fields):
        return kind
    return Reference(fields, kind.instance_class)


def memory_type(context: Any, kind: Any) -> Any:
    """Return LLVM's type of a value in the memory of a named tuple."""
    if isinstance(kind, Reference):
        return ir.LiteralStructType([memory_type(context, field) for field in kind])
    return context.get_value_type(kind)


def address_of(context: Any, builder: Any, kind: Reference, value: Any, place: int) -> Any:
    """Return the address of a field of a named tuple."""
    whole = builder.bitcast(value, memory_type(context, kind).as_pointer())
    return builder.gep(whole, [INDEX(0), INDEX(place)], inbounds=True)


@lower_builtin("static_getitem", Reference, types.IntegerLiteral)  # type: ignore[untyped-decorator]
@lower_builtin("static_getitem", Reference, types.SliceLiteral)  # type: ignore[untyped-decorator]
def item_of(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Return the field of a named tuple with a number, or a tuple of some fields."""
    kind, (value, index) = signature.args[0], args
    if isinstance(index, slice):
        return tuple_of(context, builder, kind, value, signature.return_type, kind.fields[index])
    return field_of(context, builder, kind, value, kind.fields[index])


def tuple_of(
    context: Any, builder: Any, kind: Reference, value: Any, made: Any, names: Sequence[str]
) -> Any:
    """Return a tuple of fields, of the type ``made``."""
    fields = [field_of(context, builder, kind, value, name) for name in names]
    return context.make_tuple(builder, made, fields)


@box(Reference)  # type: ignore[untyped-decorator]
def box_reference(kind: Reference, value: Any, c: Any) -> Any:
    """Return a Python tuple of what a kernel returns."""
    whole = types.NamedTuple(kind.types, kind.instance_class)
    return c.box(whole, tuple_of(c.context, c.builder, kind, value, whole, kind.fields))


@lower_getattr_generic(Reference)  # type: ignore[untyped-decorator]
def field_of(context: Any, builder: Any, kind: Reference, value: Any, name: str) -> Any:
    """Return a field of a named tuple."""
    place = kind.fields.index(name)
    field = kind[place]
    if isinstance(field, Reference):
        return builder.bitcast(address_of(context, builder, kind, value, place), BYTES)
    loaded = builder.load(address_of(context, builder, kind, value, place))
    loaded.set_metadata("tbaa", kind_of_memory(builder.module, "reference"))
    return impl_ret_borrowed(context, builder, field, loaded)


def kind_of_memory(module: Any, name: str) -> Any:
    """Return the mark of an access to a kind of memory: no store to another kind changes it."""
    root = module.add_metadata(["ludograph"])
    kind = module.add_metadata([name, root, OFFSET(0)])
    return module.add_metadata([kind, kind, OFFSET(0)])


@unbox(Reference)  # type: ignore[untyped-decorator]
def unbox_reference(kind: Reference, value: Any, c: Any) -> Any:
    """Write a named tuple to memory that lasts as long as the call."""
    memory = cgutils.alloca_once(c.builder, memory_type(c.context, kind))
    writing = Writing(c)
    writing.write(kind, value, memory)
    with c.builder.if_then(writing.is_no_array, likely=False):
        c.pyapi.err_set_string("PyExc_TypeError", f"no array in {kind.instance_class.__name__}")
    failed = c.builder.or_(writing.is_no_array, writing.failed)
    address = c.builder.bitcast(memory, BYTES)
    return NativeValue(address, is_error=failed, cleanup=writing.clean_up)


class Writing:
    """The code that writes a Python tuple to memory.

    Attributes
    ----------
    is_no_array, failed
        Whether that fails: because there is something else instead of an array, or otherwise.
    cleanups
        What makes the code for the end of the call.
    """

    def __init__(self, c: Any) -> None:
        self.c = c
        self.is_no_array = self.failed = cgutils.false_bit
        self.cleanups: list[Callable[[], None]] = []

    def write(self, kind: Reference, value: Any, memory: Any) -> None:
        """Write a tuple and those in its fields."""
        for place, field in enumerate(kind):
            item = self.c.pyapi.tuple_getitem(value, place)
            address = self.c.builder.gep(memory, [INDEX(0), INDEX(place)])
            if isinstance(field, Reference):
                self.write(field, item, address)
            elif isinstance(field, types.Array) and not self.c.context.enable_nrt:
                self.write_array(item, address)
            else:
                self.write_value(field, item, address)

    def write_array(self, item: Any, address: Any) -> None:
        """Write an array; its type was found before the call."""
        start = self.c.builder.bitcast(address, BYTES)
        code = self.c.pyapi.numba_array_adaptor(item, start)
        failed = cgutils.is_not_null(self.c.builder, code)
        self.is_no_array = self.c.builder.or_(self.is_no_array, failed)

    def write_value(self, field: Any, item: Any, address: Any) -> None:
        """Write anything else."""
        native = self.c.unbox(field, item)
        self.c.builder.store(native.value, address)
        self.failed = self.c.builder.or_(self.failed, native.is_error)
        if native.cleanup is not None:
            self.cleanups.append(native.cleanup)
        if self.c.context.enable_nrt:
            decref = self.c.context.nrt.decref
            self.cleanups.append(functools.partial(decref, self.c.builder, field, native.value))

    def clean_up(self) -> None:
        """Make the code for the end of the call."""
        for each in reversed(self.cleanups):
            each()
