"""Arrays of records: what the nodes and frames of searches are made of.

In a kernel ``nodes[index].value`` is one load; in plain Python it is an attribute of a
``numpy.record``, which shares the memory of its array in the same way.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Records: TypeAlias = Any
"""An array of records of one type, and views of it by field in Python: ``nodes.value``."""

Record: TypeAlias = Any
"""One of them: it can be written to."""

INTEGER = np.int64
COUNT = np.int32
REAL = np.float64
"""The types of fields; those of which there are millions are counted in 32 bits."""


def make_records(shape: int | tuple[int, ...], fields: list[tuple[str, Any]]) -> Records:
    """Return an array of records with the fields given; its memory is used as it is written to."""
    return np.zeros(shape, np.dtype(fields, align=True)).view(np.recarray)


def make_record(fields: list[tuple[str, Any]]) -> Record:
    """Return a single record, all of its fields 0."""
    return make_records(1, fields)[0]
