"""Runs a C shared library inside its host process.

The C interface of a game is ``LIBRARY`` in its module ``native``, which is imported on its own:
this process needs neither the rules nor NumPy.
"""

from __future__ import annotations

import importlib
import os
from contextlib import suppress
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.games.library import AnswerFault, LibraryGame, LibraryInterface
from ludograph.players.channel import Answer
from ludograph.players.loading import advised

LIBC = """
typedef struct _IO_FILE FILE;
extern FILE *stdout;
int setvbuf(FILE *, char *, int, size_t);
void *dlopen(char const *, int);
char *dlerror(void);
"""
LINE_BUFFERED = 1  # _IOLBF


class LibraryRunner:
    """One game played by one shared library, which keeps its state in file-scope variables."""

    def __init__(self) -> None:
        self.loader: Loader | None = None
        self.player: LibraryGame | None = None

    def prepare(self, game_name: str) -> None:
        """Load the libraries that a player may use without naming them."""
        native = importlib.import_module(f"ludograph.games.{game_name}.native")
        self.loader = Loader(native.LIBRARY)

    def start(self, order: dict[str, Any]) -> str | None:
        """Load the player itself and begin the game."""
        assert self.loader is not None
        self.player = self.loader.load(order["path"])
        name = self.player.name()
        self.player.start(order["board"], order["setup"], order["seat"])
        return name

    def play(self, question: tuple[list[int], list[Any]]) -> Answer:
        """Ask the library for a move."""
        assert self.player is not None
        try:
            return Answer(move=self.player.play(question[0]))
        except AnswerFault as fault:
            if fault.illegal:
                return Answer(fault="illegal-move", text=f"answered {fault}", illegal=str(fault))
            return Answer(fault="protocol", text=f"answered {fault}")

    def finish(self, ranks: list[int] | None) -> None:  # noqa: ARG002
        """Let the library clean up."""
        assert self.player is not None
        self.player.finish()


class Loader:
    """Loads a player lazily and locally, after the libraries that it may use, globally.

    Players of the courses seldom list the libraries that they use; those of ``interface.needs``
    must be there, those of ``interface.wants`` may be.
    """

    def __init__(self, interface: LibraryInterface) -> None:
        from cffi import FFI

        self.interface = interface
        self.ffi = FFI()
        self.ffi.cdef(interface.declarations)
        everywhere = self.ffi.RTLD_NOW | self.ffi.RTLD_GLOBAL
        self.own = FFI()
        self.own.cdef(LIBC)
        libc = self.own.dlopen(None)
        # Looked up now: each look-up of a function makes the loader forget its last words.
        self.dlopen, self.dlerror = libc.dlopen, libc.dlerror
        self.libraries = {"libc": self.ffi.dlopen(None)}
        self._open("libm.so.6", everywhere)
        for names in interface.needs:
            library = self._first(names, everywhere)
            self.libraries.update(dict.fromkeys(names, library))
        for names in interface.wants:
            with suppress(InvalidInput):
                self._first(names, everywhere)
        # What a player prints before it crashes is worth having: do not leave it in a buffer.
        libc.setvbuf(libc.stdout, self.own.NULL, LINE_BUFFERED, 1 << 14)

    def load(self, path: str) -> LibraryGame:
        """Return the game's side of a player's library.

        Raises
        ------
        InvalidInput
            With the loader's own message, or the function that is missing.
        """
        lazily = self.ffi.RTLD_LAZY | self.ffi.RTLD_LOCAL
        try:
            player = self._open(os.path.abspath(path), lazily)
        except OSError as error:
            raise InvalidInput(advised(str(error))) from None
        for symbol in self.interface.symbols:
            try:
                getattr(player, symbol)
            except AttributeError:
                raise InvalidInput(f"{path} has no function {symbol}") from None
        return self.interface.bind(self.ffi, player, self.libraries)

    def _first(self, names: tuple[str, ...], flags: int) -> Any:
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
        """Return a library; raise OSError with the loader's words.

        cffi's own ``dlopen`` would look for a compiler to ask it for the library's place.
        """
        handle = self.dlopen(os.fsencode(name), flags)
        if handle == self.own.NULL:
            raise OSError(os.fsdecode(self.own.string(self.dlerror())))
        return self.ffi.dlopen(handle)
