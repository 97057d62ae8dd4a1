"""The host of a C shared library: it calls its functions for the referee.

This process does not know the game: it gets the declarations of the library's functions, and then
calls as data, see :mod:`ludograph.games.library`.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from ludograph.errors import InvalidInput
from ludograph.hosting.channel import Answer
from ludograph.hosting.crash_report import CrashReporter
from ludograph.hosting.exit_status import advised, other_processor, processor_of
from ludograph.hosting.host import Runner, prepare, serve

LIBC = """
typedef struct _IO_FILE FILE;
extern FILE *stdout;
int setvbuf(FILE *, char *, int, size_t);
void *dlopen(char const *, int);
char *dlerror(void);
"""
LINE_BUFFERED = 1  # _IOLBF

NAME_BYTES = 4096

NO_FUNCTION = "has no function"
"""The words on a library that lacks a function of the interface."""


def main(needed: str, descriptor: str) -> NoReturn:
    """Serve the referee in the process of a C player that a debugging tool runs."""
    os.set_inheritable(int(descriptor), False)
    player = LibraryRunner()
    code = serve(int(descriptor), player, prepare(player, needed))
    sys.stdout.flush()
    os._exit(code)  # memory that the interpreter has not freed is not the player's


class LibraryRunner(Runner):
    """One game played by one shared library, which keeps its state in file-scope variables."""

    def __init__(self) -> None:
        self.loader: Loader
        self.library: Any = None
        self.arguments: Arguments
        self.box = CrashReporter()

    def prepare(self, needed: str) -> None:
        """Load the libraries that a player may use without listing them."""
        self.loader = Loader(json.loads(needed))
        self.box.prepare()

    def share(self, memory: Any) -> None:
        """Write calls and a fatal signal into memory shared with another process."""
        self.box.share(memory)

    def start(self, order: dict[str, Any]) -> Answer:
        """Load the player itself and begin the game."""
        loader = self.loader
        self.library, self.arguments = loader.load(order["path"]), loader.arguments()
        self.box.watch(order["path"])
        name = self.name(loader.interface["names"])
        self.call(order["calls"])
        self.kept = self.arguments.lent
        return Answer(started=True, name=name)

    def name(self, function: str) -> str | None:
        """Return the player's own name as raw text, unchecked, or None."""
        if not function:
            return None
        self.box.enter(function)
        text = getattr(self.library, function)()
        if text == self.loader.ffi.NULL:
            return None
        raw: bytes = self.loader.ffi.string(text, NAME_BYTES)
        self.box.leave()
        return raw.decode("utf-8", "replace")

    def play(self, question: list[Any]) -> Answer:
        """Call functions; return the numbers that the last one returns."""
        self.arguments.lent = []
        return Answer(said=self.call(question))

    def call(self, calls: list[Any]) -> list[int]:
        """Call functions one after the other; return the numbers that the last one returns."""
        found = None
        for function, arguments in calls:
            values = list(map(self.arguments.value, arguments))
            self.box.enter(function)
            found = getattr(self.library, function)(*values)
            self.box.leave()
        return self.arguments.returned(found)

    def finish(self, ranks: list[int] | None) -> None:  # noqa: ARG002
        """Let the library clean up."""
        function = self.loader.interface["finishes"]
        self.box.enter(function)
        getattr(self.library, function)()
        self.box.leave()


class Loader:
    """Loads a player lazily and locally, after the libraries that it may use, globally.

    Players of the courses seldom list the libraries that they use; those of ``needs`` must exist,
    those of ``wants`` may be missing.

    Parameters
    ----------
    interface
        The result of ``LibraryInterface.description``.
    """

    def __init__(self, interface: dict[str, Any]) -> None:
        from cffi import FFI

        self.interface = interface
        self.ffi = FFI()
        self.ffi.cdef(interface["declarations"])
        everywhere = self.ffi.RTLD_NOW | self.ffi.RTLD_GLOBAL
        self.own = FFI()
        self.own.cdef(LIBC + GSL)
        self.libc = libc = self.own.dlopen(None)
        # Looked up now, because each look-up of a function makes the loader forget its last
        # message.
        self.dlopen, self.dlerror = libc.dlopen, libc.dlerror
        self.libraries: dict[str, Any] = {}
        self._open("libm.so.6", everywhere)
        for names in interface["needs"]:
            handle = self._first(names, everywhere)
            self.libraries[names[0]] = self.own.dlopen(handle)
        for names in interface["wants"]:
            with suppress(InvalidInput):
                self._first(names, everywhere)
        self._learn_types()
        # The output of a player before a crash is useful: do not leave it in a buffer.
        libc.setvbuf(libc.stdout, self.own.NULL, LINE_BUFFERED, 1 << 14)

    def _learn_types(self) -> None:
        """Make cffi parse the types that a start needs, once for all games.

        A function's type is made at its look-up, even at an unsuccessful one.
        """
        nowhere = self.ffi.dlopen(None)
        for symbol in self.interface["symbols"]:
            with suppress(AttributeError):
                getattr(nowhere, symbol)
        for kind in ("int", "void", *(f"struct {name}" for name in self.ffi.list_types()[1])):
            self.ffi.typeof(kind)
            self.ffi.typeof(f"{kind} *")
        self.own.typeof("uintptr_t")
        for library in (self.libc, *self.libraries.values()):
            for function in CALLED:
                with suppress(AttributeError):
                    getattr(library, function)

    def load(self, path: str) -> Any:
        """Return a player's library.

        Raises
        ------
        InvalidInput
            With the loader's own message, or the function that is missing.
        """
        try:
            return self._loaded(path, self.ffi.RTLD_LAZY)
        except OSError as error:
            raise InvalidInput(advised(str(error))) from None
        except InvalidInput as error:
            raise InvalidInput(f"{os.path.basename(path)} {error}") from None

    def load_at_once(self, path: str) -> None:
        """Load a player, and look up all functions now, not at their first calls.

        Raises
        ------
        InvalidInput
            With the loader's own message, or the function that is missing.
        """
        try:
            self._loaded(path, self.ffi.RTLD_NOW)
        except OSError as error:
            raise InvalidInput(str(error)) from None

    def _loaded(self, path: str, when: int) -> Any:
        player = self.ffi.dlopen(self._open(os.path.abspath(path), when | self.ffi.RTLD_LOCAL))
        for symbol in self.interface["symbols"]:
            try:
                getattr(player, symbol)
            except AttributeError:
                raise InvalidInput(f"{NO_FUNCTION} {symbol!r}") from None
        return player

    def arguments(self) -> Arguments:
        """Return the maker of arguments for the player's functions."""
        return Arguments(self.ffi, self.own, self.libc, self.libraries.get("libgsl.so"))

    def _first(self, names: Sequence[str], flags: int) -> Any:
        problem = ""
        for name in names:
            try:
                return self._open(name, flags)
            except OSError as error:
                problem = problem or str(error)
        raise InvalidInput(
            f"C players need the library {names[0]}, which is not installed here: "
            f"{advised(problem)}"
        )

    def _open(self, name: str, flags: int) -> Any:
        """Return the handle of a library; raise OSError with the loader's words.

        cffi's own ``dlopen`` would start a compiler to find the library.
        """
        handle = self.dlopen(os.fsencode(name), flags)
        if handle == self.own.NULL:
            words = os.fsdecode(self.own.string(self.dlerror()))
            other = other_processor(processor_of(name)) if os.path.isabs(name) else ""
            raise OSError(f"{name}: {other}" if other else words)
        return self.ffi.cast("void *", int(self.own.cast("uintptr_t", handle)))


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
