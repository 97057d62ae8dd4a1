"""The host of a C shared library: it calls its functions for the referee.

This process does not know the game: it gets the declarations of the library's functions, and then
calls as data, see :mod:`ludograph.games.library`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.hosting.c_arguments import CALLED, GSL, Arguments
from ludograph.hosting.channel import Answer
from ludograph.hosting.crash_report import CrashReporter
from ludograph.hosting.exit_status import advised
from ludograph.hosting.program_files import other_processor, processor_of

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


class LibraryRunner:
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

    def thoughts(self) -> Answer:
        """Return nothing: the interface has no analysis."""
        return Answer()

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
