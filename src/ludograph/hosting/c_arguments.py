"""Arguments of C functions from data, and data from what they return.

See :mod:`ludograph.games.library` for the data.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping
from typing import Any

GSL = """
typedef struct gsl_spmatrix gsl_spmatrix;
gsl_spmatrix *gsl_spmatrix_alloc_nzmax(size_t, size_t, size_t, int);
int gsl_spmatrix_set(gsl_spmatrix *, size_t, size_t, double);
typedef struct {
  size_t size1; size_t size2; int *i; unsigned int *data; int *p; size_t nzmax; size_t nz;
} gsl_spmatrix_uint;
gsl_spmatrix_uint *gsl_spmatrix_uint_alloc_nzmax(size_t, size_t, size_t, int);
void *malloc(size_t);
"""
"""libgsl's structs have more fields behind these, which are never used here."""

CALLED = (
    "malloc",
    "gsl_spmatrix_alloc_nzmax",
    "gsl_spmatrix_set",
    "gsl_spmatrix_uint_alloc_nzmax",
)

COO, CSR = 0, 2
"""GSL_SPMATRIX_COO and GSL_SPMATRIX_CSR."""


class Arguments:
    """Makes arguments for the functions of one library.

    Parameters
    ----------
    ffi
        The library's ffi, with its types.
    own
        An ffi with the declarations ``GSL``.
    libc, gsl
        The libraries, opened by ``own``; libgsl may be missing.
    """

    def __init__(self, ffi: Any, own: Any, libc: Any, gsl: Any) -> None:
        self.ffi, self.own, self.libc, self.gsl = ffi, own, libc, gsl
        self.lent: list[Any] = []  # memory that must outlive a call

    def value(self, data: Any) -> Any:
        """Return cffi's value for an argument or a field."""
        if isinstance(data, list):
            return [self.value(item) for item in data]
        if not isinstance(data, Mapping):
            return data
        ((word, rest),) = data.items()
        if word == "lent":
            memory = self.ffi.from_buffer(bytearray(base64.b64decode(rest)))
            self.lent.append(memory)
            return self.ffi.cast("void *", memory)
        if word == "given":
            return self.given(*rest)
        return self.pointer(self.csr(*rest) if word == "csr" else self.triplets(*rest))

    def given(self, kind: str, data: Any) -> Any:
        """Return memory of the C allocator with a value, for the player to free."""
        if isinstance(data, Mapping):
            raw = numbers(data)
            memory = self.allocate(len(raw))
            self.own.memmove(memory, raw, len(raw))
            return self.pointer(memory)
        pointer = self.pointer(self.allocate(self.ffi.sizeof(kind)))
        self.ffi.cast(f"{kind} *", pointer)[0] = self.value(data)
        return pointer

    def allocate(self, size: int) -> Any:
        """Return zeroed memory of the C allocator."""
        memory = self.libc.malloc(max(1, size))
        if memory == self.own.NULL:
            raise MemoryError(f"the C allocator has no {size} bytes")
        self.own.memmove(memory, bytes(size), size)
        return memory

    def csr(self, offsets: Any, neighbors: Any) -> Any:
        """Return a symmetric adjacency matrix of ones in compressed rows, made by libgsl."""
        rows, columns = numbers(offsets), numbers(neighbors)
        count, entries = len(rows) // 4 - 1, len(columns) // 4
        matrix = self.gsl.gsl_spmatrix_uint_alloc_nzmax(count, count, max(1, entries), CSR)
        self.expect(matrix, entries)
        self.own.memmove(matrix.p, rows, len(rows))
        self.own.memmove(matrix.i, columns, len(columns))
        self.own.memmove(matrix.data, (1).to_bytes(4, sys.byteorder) * entries, len(columns))
        matrix.nz = entries
        return matrix

    def triplets(self, rows: int, columns: int, entries: Any, room: int) -> Any:
        """Return a matrix of triplets that is 1 at the entries, made by libgsl.

        ``gsl_spmatrix_set`` also builds the tree that ``gsl_spmatrix_get`` looks into.
        """
        matrix = self.gsl.gsl_spmatrix_alloc_nzmax(rows, columns, max(1, room), COO)
        self.expect(matrix, room)
        ends = memoryview(numbers(entries)).cast("i")
        for row, column in zip(ends[::2], ends[1::2], strict=True):
            self.gsl.gsl_spmatrix_set(matrix, row, column, 1.0)
        return matrix

    def expect(self, matrix: Any, entries: int) -> None:
        """Raise MemoryError if there is no matrix."""
        if matrix == self.own.NULL:
            raise MemoryError(f"libgsl has no memory for a matrix of {entries} entries")

    def pointer(self, memory: Any) -> Any:
        """Return a pointer of ``own`` as one of the library's ffi."""
        return self.ffi.cast("void *", int(self.own.cast("uintptr_t", memory)))

    def returned(self, value: Any) -> list[int]:
        """Return the numbers of a function's result; those of a struct field by field."""
        if value is None:
            return []
        if not isinstance(value, self.ffi.CData):
            return [int(value)]
        kind = self.ffi.typeof(value)
        parts = value if kind.kind == "array" else [getattr(value, name) for name, _ in kind.fields]
        return [number for part in parts for number in self.returned(part)]


def numbers(data: Mapping[str, str]) -> bytes:
    """Return the bytes of an array that is lent."""
    return base64.b64decode(data["lent"])
