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
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.extending import (
    NativeValue,
    lower_builtin,
    models,
    register_model,
    typeof_impl,
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


def learn_types(value: Any) -> None:
    """Have the type of a named tuple with arrays found as a reference, with those in its fields."""
    if isinstance(value, tuple):
        for field in value:
            learn_types(field)
        if hasattr(value, "_fields"):
            learn_class(type(value))


def typeof(found: Callable[[Any], Any], value: Any) -> Any:
    """Return Numba's type of an argument."""
    learn_types(value)
    return found(value)


@functools.cache
def learn_class(kind: type) -> None:
    """Have the type of instances of a named tuple's class found as a reference if it has arrays."""

    def typeof(value: Any, context: Any) -> Any:
        fields = tuple(typeof_impl(field, context) for field in value)
        if None in fields:
            return None
        if any(isinstance(field, types.Array | Reference) for field in fields):
            return Reference(fields, kind)
        return types.BaseTuple.from_types(fields, kind)

    typeof_impl.register(kind)(typeof)


def memory_type(context: Any, kind: Any) -> Any:
    """Return LLVM's type of a value in the memory of a named tuple."""
    if isinstance(kind, Reference):
        return ir.LiteralStructType([memory_type(context, field) for field in kind])
    return context.get_value_type(kind)


def address_of(context: Any, builder: Any, kind: Reference, value: Any, *places: int) -> Any:
    """Return the address of a part of a named tuple."""
    whole = builder.bitcast(value, memory_type(context, kind).as_pointer())
    return builder.gep(whole, [INDEX(0), *map(INDEX, places)], inbounds=True)


@lower_builtin("static_getitem", Reference, types.IntegerLiteral)  # type: ignore[untyped-decorator]
def item_of(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Return the field of a named tuple with a number."""
    kind, number = signature.args
    return field_of(context, builder, kind, args[0], kind.fields[number.literal_value])


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
