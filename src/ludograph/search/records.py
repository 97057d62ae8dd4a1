"""Arrays of records: the nodes and frames of searches.

In a kernel ``nodes[index].value`` is one load; in plain Python it is an attribute of a scalar that
shares the memory of its array. ``nodes["value"]`` is a view of one field of all records, in Python
only.
"""

from __future__ import annotations

import functools
import operator
from typing import Any, TypeAlias

import numpy as np

from ludograph.search.arrays import make_zeros

Records: TypeAlias = Any
"""An array of records of one type."""

Record: TypeAlias = Any
"""One of them: it can be written to."""

INTEGER = np.int64
COUNT = np.int32
REAL = np.float64
"""The types of fields; counts in millions of records have 32 bits."""


def make_records(shape: int | tuple[int, ...], fields: list[tuple[str, Any]]) -> Records:
    """Return an array of records with the fields given; its memory is used as it is written to."""
    return make_zeros(shape, record_type(fields))


def record_type(fields: list[tuple[str, Any]]) -> Any:
    """Return the type of such records, for kernels that make arrays of them."""
    names = tuple(name for name, _ in fields)
    return np.dtype((scalar_type(names), np.dtype(fields, align=True)))


@functools.cache
def scalar_type(names: tuple[str, ...]) -> type[np.void]:
    """Return a type of scalars with these fields as attributes.

    The attributes of ``numpy.record`` are looked up in Python and take twenty times as long.
    """
    return type("Record", (np.void,), {name: field(name) for name in names})


def field(name: str) -> property:
    """Return the attribute of a field."""

    def write(record: Any, value: Any) -> None:
        record[name] = value

    return property(operator.itemgetter(name), write)


def make_record(fields: list[tuple[str, Any]]) -> Record:
    """Return a single record, all of its fields 0."""
    return make_records(1, fields)[0]
