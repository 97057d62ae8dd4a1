"""Runs a C shared library inside its host process."""

from __future__ import annotations

import os
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.games import game
from ludograph.games.library import AnswerFault, LibraryGame, LibraryInterface


class LibraryRunner:
    """One game played by one shared library, which keeps its state in file-scope variables."""

    def __init__(self) -> None:
        self.player: LibraryGame | None = None

    def start(self, order: dict[str, Any]) -> str | None:
        """Load the libraries it may need, the player itself, and begin the game."""
        interface = game(order["game"]).library_interface()
        if interface is None:
            raise InvalidInput(f"{order['game']} has no C interface")
        self.player = load(interface, order["path"])
        name = self.player.name()
        self.player.start(order["board"], order["setup"], order["seat"])
        return name

    def play(self, moves: list[int], time_left: list[Any]) -> dict[str, Any]:  # noqa: ARG002
        """Ask the library for a move."""
        assert self.player is not None
        try:
            return {"move": self.player.play(moves)}
        except AnswerFault as fault:
            return {
                "fault": "illegal-move" if fault.illegal else "protocol",
                "text": f"answered {fault}",
            }

    def finish(self, ranks: list[int] | None) -> None:  # noqa: ARG002
        """Let the library clean up."""
        assert self.player is not None
        self.player.finish()


def load(interface: LibraryInterface, path: str) -> LibraryGame:
    """Load a player lazily and locally, after the libraries that it may use without naming them.

    Raises
    ------
    InvalidInput
        With the loader's own message, or the function that is missing.
    """
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(interface.declarations)
    everywhere = ffi.RTLD_NOW | ffi.RTLD_GLOBAL
    globals_ = {"libc": ffi.dlopen(None)}
    ffi.dlopen("libm.so.6", everywhere)
    for names in interface.needs:
        library = _first(ffi, names, everywhere)
        globals_.update(dict.fromkeys(names, library))
    try:
        player = ffi.dlopen(os.path.abspath(path), ffi.RTLD_LAZY | ffi.RTLD_LOCAL)
    except OSError as error:
        raise InvalidInput(str(error)) from None
    for symbol in interface.symbols:
        try:
            getattr(player, symbol)
        except AttributeError:
            raise InvalidInput(f"{path} has no function {symbol}") from None
    return interface.bind(ffi, player, globals_)


def _first(ffi: Any, names: tuple[str, ...], flags: int) -> Any:
    problem = ""
    for name in names:
        try:
            return ffi.dlopen(name, flags)
        except OSError as error:
            problem = problem or str(error)
    raise InvalidInput(f"C players need the library {names[0]}, which is not here: {problem}")
