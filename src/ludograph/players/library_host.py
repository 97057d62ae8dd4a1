"""Runs a C shared library inside its host process.

The C interface of a game is ``LIBRARY`` in its module ``native``, which is imported on its own:
this process needs neither the rules nor NumPy.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.games.library import AnswerFault, LibraryGame, LibraryInterface
from ludograph.players.channel import Answer

STREAMS = """
typedef struct _IO_FILE FILE;
extern FILE *stdout;
int setvbuf(FILE *, char *, int, size_t);
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

    def play(self, moves: list[int], time_left: list[Any]) -> Answer:  # noqa: ARG002
        """Ask the library for a move."""
        assert self.player is not None
        try:
            return Answer(move=self.player.play(moves))
        except AnswerFault as fault:
            if fault.illegal:
                return Answer(fault="illegal-move", text=f"answered {fault}", illegal=str(fault))
            return Answer(fault="protocol", text=f"answered {fault}")

    def finish(self, ranks: list[int] | None) -> None:  # noqa: ARG002
        """Let the library clean up."""
        assert self.player is not None
        self.player.finish()


class Loader:
    """Loads a player lazily and locally, after the libraries of ``interface.needs``, globally."""

    def __init__(self, interface: LibraryInterface) -> None:
        from cffi import FFI

        self.interface = interface
        self.ffi = FFI()
        self.ffi.cdef(interface.declarations)
        everywhere = self.ffi.RTLD_NOW | self.ffi.RTLD_GLOBAL
        self.libraries = {"libc": self.ffi.dlopen(None)}
        self.ffi.dlopen("libm.so.6", everywhere)
        for names in interface.needs:
            library = self._first(names, everywhere)
            self.libraries.update(dict.fromkeys(names, library))
        streams = FFI()
        streams.cdef(STREAMS)
        libc = streams.dlopen(None)
        # What a player prints before it crashes is worth having: do not leave it in a buffer.
        libc.setvbuf(libc.stdout, streams.NULL, LINE_BUFFERED, 1 << 14)

    def load(self, path: str) -> LibraryGame:
        """Return the game's side of a player's library.

        Raises
        ------
        InvalidInput
            With the loader's own message, or the function that is missing.
        """
        lazily = self.ffi.RTLD_LAZY | self.ffi.RTLD_LOCAL
        try:
            player = self.ffi.dlopen(os.path.abspath(path), lazily)
        except OSError as error:
            raise InvalidInput(str(error)) from None
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
                return self.ffi.dlopen(name, flags)
            except OSError as error:
                problem = problem or str(error)
        raise InvalidInput(
            f"C players need the library {names[0]}, which is not installed here: {problem}"
        )
