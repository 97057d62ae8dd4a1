"""The functions of :mod:`ludograph.rules.products` for Numba, as vectors of LLVM."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from ludograph.rules.products import LANES, ROWS

INDEX = ir.IntType(64)
NUMBER = ir.FloatType()
VECTOR = ir.VectorType(NUMBER, LANES)
ALIGNED = 4
"""The alignment of vectors in bytes: that of single numbers."""


def is_matrix(kind: Any) -> bool:
    """Tell whether a type is ``float32[:, :]`` in row order."""
    return isinstance(kind, types.Array) and kind.ndim == 2 and is_flat(kind, types.float32)


def is_flat(kind: Any, of: Any) -> bool:
    """Tell whether a type is a contiguous array of some type of numbers."""
    return isinstance(kind, types.Array) and kind.dtype == of and kind.layout == "C"


def add_products(
    typing: Any,  # noqa: ARG001
    sums: Any,
    source: Any,
    rows: Any,
    first: Any,
    by: Any,
    weights: Any,
) -> Any:
    """Return the signature and the generator of ``add_products``; None for other types."""
    if not (all(map(is_matrix, (sums, source, weights))) and is_flat(rows, types.int32)):
        return None
    if not (isinstance(first, types.Integer) and isinstance(by, types.Integer)):
        return None
    signature = types.void(sums, source, rows, types.intp, types.intp, weights)
    return signature, generate


def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Generate a loop for each strip of columns, whose sums stay in registers."""
    arrays = [
        context.make_array(kind)(context, builder, value)
        for kind, value in zip(signature.args, args, strict=True)
        if isinstance(kind, types.Array)
    ]
    sums, source, rows, weights = arrays
    first, by = args[3], args[4]
    depth, width = (builder.extract_value(weights.shape, axis) for axis in (0, 1))
    starts = []
    for k in range(ROWS):
        row = builder.load(builder.gep(rows.data, [builder.add(first, INDEX(k))]))
        row = builder.add(builder.sext(row, INDEX), by)
        starts.append(builder.gep(source.data, [builder.mul(row, depth)]))
    with cgutils.for_range_slice(builder, INDEX(0), width, INDEX(LANES)) as (column, _):
        places = [
            vector_at(builder, sums.data, builder.add(builder.mul(INDEX(k), width), column))
            for k in range(ROWS)
        ]
        before = [builder.load(place, align=ALIGNED) for place in places]
        strip = builder.gep(weights.data, [column])
        after = multiply(builder, before, starts, strip, depth, width)
        for place, found in zip(places, after, strict=True):
            builder.store(found, place, align=ALIGNED)
    return context.get_dummy_value()


def vector_at(builder: Any, start: Any, index: Any) -> Any:
    """Return the address of the vector that begins at an index."""
    return builder.bitcast(builder.gep(start, [index]), VECTOR.as_pointer())


def multiply(
    builder: Any, before: list[Any], starts: list[Any], strip: Any, depth: Any, width: Any
) -> list[Any]:
    """Generate the loop over the products of a strip; return the sums after it."""
    add = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(VECTOR, [VECTOR] * 3),
        f"llvm.fmuladd.v{LANES}f32",
    )
    outside = builder.block
    inside, end = (builder.append_basic_block(f"products.{name}") for name in ("loop", "end"))
    builder.branch(inside)
    builder.position_at_end(inside)
    number = builder.phi(INDEX)
    number.add_incoming(INDEX(0), outside)
    sums = [builder.phi(VECTOR) for _ in before]
    place = vector_at(builder, strip, builder.mul(number, width))
    weights = builder.load(place, align=ALIGNED)
    after = []
    for total, start in zip(sums, starts, strict=True):
        factor = builder.load(builder.gep(start, [number]))
        after.append(builder.call(add, [spread(builder, factor), weights, total]))
    following = builder.add(number, INDEX(1))
    number.add_incoming(following, inside)
    for total, begun, found in zip(sums, before, after, strict=True):
        total.add_incoming(begun, outside)
        total.add_incoming(found, inside)
    builder.cbranch(builder.icmp_signed("<", following, depth), inside, end)
    builder.position_at_end(end)
    return after


def spread(builder: Any, number: Any) -> Any:
    """Return a vector whose lanes are all one number."""
    nothing = ir.Constant(VECTOR, ir.Undefined)
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    alone = builder.insert_element(nothing, number, ir.IntType(32)(0))
    return builder.shuffle_vector(alone, nothing, places)


FUNCTIONS = {"add_products": add_products}
