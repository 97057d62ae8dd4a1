"""The functions of :mod:`ludograph.rules.atomic` for Numba, as instructions of LLVM.

A result of None means that there is no instruction for these arguments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import types

ORDER = "seq_cst"
"""The memory order of the instructions: all threads see them in one order."""


class Field(NamedTuple):
    """A number in a record: its type, its offset and its size in bytes."""

    kind: Any
    offset: int
    size: int

    @property
    def word(self) -> Any:
        """LLVM's integer type of the same size: only integers can be exchanged."""
        return ir.IntType(8 * self.size)

    def address(self, builder: Any, record: Any) -> Any:
        """Return the address of the field in a record, as the address of an integer."""
        start = builder.bitcast(record, ir.IntType(8).as_pointer())
        here = builder.gep(start, [ir.Constant(ir.IntType(64), self.offset)])
        return builder.bitcast(here, self.word.as_pointer())

    def bits(self, context: Any, builder: Any, value: Any, kind: Any) -> Any:
        """Return a number of some type as the bits of the field."""
        return builder.bitcast(context.cast(builder, value, kind, self.kind), self.word)


def field_of(record: Any, name: Any) -> Field | None:
    """Return a field of a record; None if its name is unknown, or it is no number."""
    if not isinstance(record, types.Record) or not isinstance(name, types.StringLiteral):
        return None
    wanted = name.literal_value
    kind = record.typeof(wanted) if wanted in record.fields else None
    if not isinstance(kind, types.Integer | types.Float):
        return None
    return Field(kind, record.offset(wanted), kind.bitwidth // 8)


def load(typing: Any, record: Any, name: Any) -> Any:  # noqa: ARG001
    """Return the signature and the code generator of ``load(record, name)``."""
    field = field_of(record, name)
    if field is None:
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        read = builder.load_atomic(field.address(builder, args[0]), ORDER, field.size)
        return builder.bitcast(read, context.get_value_type(field.kind))

    return field.kind(record, name), generate


def store(typing: Any, record: Any, name: Any, value: Any) -> Any:  # noqa: ARG001
    """Return the signature and the code generator of ``store(record, name, value)``."""
    field = field_of(record, name)
    if field is None:
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        new = field.bits(context, builder, args[2], signature.args[2])
        builder.store_atomic(new, field.address(builder, args[0]), ORDER, field.size)
        return context.get_dummy_value()

    return types.void(record, name, value), generate


def swap_if(typing: Any, record: Any, name: Any, old: Any, new: Any) -> Any:  # noqa: ARG001
    """Return the signature and the code generator of ``swap_if(record, name, old, new)``."""
    field = field_of(record, name)
    if field is None:
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        expected = field.bits(context, builder, args[2], signature.args[2])
        wanted = field.bits(context, builder, args[3], signature.args[3])
        address = field.address(builder, args[0])
        return builder.extract_value(builder.cmpxchg(address, expected, wanted, ORDER), 1)

    return types.boolean(record, name, old, new), generate


FUNCTIONS = {"load": load, "store": store, "swap_if": swap_if}
