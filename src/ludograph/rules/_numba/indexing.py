"""Indexing in kernels: a variable index never counts from the end of its array.

A constant index such as ``a[-1]`` means the last element, as everywhere. For every other signed
index Numba tests whether it is negative, and adds the array's length if so. A ply reads dozens of
slots by indices that were read from other slots, so the compiler cannot omit the test. It took up
to a quarter of the time of a random game. And Numba writes some sixty instructions for a slot: here
they are three, which takes a fraction of the time to compile.

This holds for kernels that do not allocate. All other functions that this process compiles are as
Numba makes them, whatever their options. Run tests with ``NUMBA_BOUNDSCHECK=1`` to have every index
of every kernel checked.

Imported when the first kernel is compiled: this module needs Numba.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numba
from llvmlite import ir
from llvmlite.ir.instructions import ExtractValue, InsertValue
from numba.core import cgutils, types
from numba.extending import lower_builtin
from numba.np.arrayobj import (
    getitem_array_tuple,
    getitem_arraynd_intp,
    load_item,
    make_array,
    populate_array,
    setitem_array,
)

from ludograph.rules._numba.references import kind_of_memory

DATA, SHAPE, STRIDES = 4, 5, 6
"""The places of three fields in Numba's record of an array."""


@lower_builtin(operator.getitem, types.Array, types.Integer)  # type: ignore[untyped-decorator]
def get_by_number(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Return ``array[number]``."""
    found = get(context, builder, signature, args, (signature.args[1],), (args[1],))
    if found is None:
        return getitem_arraynd_intp(context, builder, signature, args)
    return found


@lower_builtin(operator.getitem, types.Array, types.BaseTuple)  # type: ignore[untyped-decorator]
def get_by_tuple(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Return ``array[numbers]``."""
    kinds = signature.args[1].types
    indices = cgutils.unpack_tuple(builder, args[1], count=len(kinds))
    found = get(context, builder, signature, args, kinds, indices)
    if found is None:
        return getitem_array_tuple(context, builder, signature, args)
    return found


@lower_builtin(operator.setitem, types.Array, types.Integer, types.Any)  # type: ignore[untyped-decorator]
def set_by_number(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Perform ``array[number] = value``."""
    put(context, builder, signature, args, (signature.args[1],), (args[1],))


@lower_builtin(operator.setitem, types.Array, types.BaseTuple, types.Any)  # type: ignore[untyped-decorator]
def set_by_tuple(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Perform ``array[numbers] = value``."""
    kinds = signature.args[1].types
    indices = cgutils.unpack_tuple(builder, args[1], count=len(kinds))
    put(context, builder, signature, args, kinds, indices)


def get(
    context: Any, builder: Any, signature: Any, args: Any, kinds: Any, indices: Any
) -> Any | None:
    """Return an element or the rows below some indices; None if Numba must find them."""
    array = signature.args[0]
    if not are_plain(context, array, kinds, indices):
        return None
    address, lengths = place_of(context, builder, array, args[0], kinds, indices)
    if not lengths:
        return load_item(context, builder, array, address)
    whole = make_array(array)(context, builder, args[0])
    rows = make_array(signature.return_type)(context, builder)
    strides = cgutils.unpack_tuple(builder, whole.strides)[len(kinds) :]
    populate_array(rows, address, lengths, strides, whole.itemsize, None)
    return rows._getvalue()


def put(context: Any, builder: Any, signature: Any, args: Any, kinds: Any, indices: Any) -> None:
    """Store an element, or let Numba store what else there can be."""
    array, _, given = signature.args
    is_number = isinstance(array.dtype, types.Number | types.Boolean)
    if not is_number or len(kinds) != array.ndim or not are_plain(context, array, kinds, indices):
        setitem_array(context, builder, signature, args)
        return
    address, _ = place_of(context, builder, array, args[0], kinds, indices)
    value = context.cast(builder, args[2], given, array.dtype)
    stored = builder.store(context.data_model_manager[array.dtype].as_data(builder, value), address)
    stored.set_metadata("tbaa", kind_of_memory(builder.module, "element"))


def are_plain(context: Any, array: Any, kinds: Any, indices: Any) -> bool:
    """Tell whether indices of a kernel are numbers that do not count from the end."""
    return (
        getattr(context.active_code_library, "is_of_kernel", False)
        and not context.enable_nrt
        and array.layout in "CA"
        and array.aligned
        and len(kinds) > 0
        and all(isinstance(kind, types.Integer) for kind in kinds)
        and not any(map(counts_from_end, indices))
    )


def counts_from_end(index: Any) -> bool:
    """Tell whether an index is a negative number in the source, alone or in a tuple of indices."""
    if isinstance(index, ExtractValue):
        (place,) = index.indices
        tuple_ = index.operands[0]
        while isinstance(tuple_, InsertValue):
            if tuple(tuple_.indices) == (place,):
                return counts_from_end(tuple_.operands[1])
            tuple_ = tuple_.operands[0]
        return isinstance(tuple_, ir.Constant)
    return isinstance(index, ir.Constant) and index.constant < 0


def place_of(
    context: Any, builder: Any, array: Any, value: Any, kinds: Any, indices: Any
) -> tuple[Any, list[Any]]:
    """Return the address of an element, or of the first one of rows, and the lengths of rows."""
    lengths = cgutils.unpack_tuple(builder, builder.extract_value(value, SHAPE))
    strides = cgutils.unpack_tuple(builder, builder.extract_value(value, STRIDES))
    data = builder.extract_value(value, DATA)
    places = []
    for axis, (index, kind) in enumerate(zip(indices, kinds, strict=True)):
        places.append(context.cast(builder, index, kind, types.intp))
        if numba.config.BOUNDSCHECK:
            cgutils.do_boundscheck(context, builder, places[axis], lengths[axis], axis)
    if array.layout == "C":
        offset = places[0]
        for axis in range(1, array.ndim):
            offset = builder.mul(offset, lengths[axis])
            if axis < len(places):
                offset = builder.add(offset, places[axis])
        address = builder.gep(data, [offset], inbounds=True)
    else:
        steps = map(builder.mul, places, strides)
        address = cgutils.pointer_add(builder, data, functools.reduce(builder.add, steps))
    return address, lengths[len(places) :]
