"""The C players that the tests compile: of each game with a C interface, what their tests need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ludograph import boards, carcassonne, flood, hex, penguins
from ludograph.games import Position
from ludograph.games.carcassonne.decks import course
from ludograph.games.carcassonne.native import CarcassonneLibrary
from ludograph.games.flood.native import FloodLibrary
from ludograph.games.hex import hex_board
from ludograph.games.hex.native import HexLibrary
from ludograph.games.penguins.native import PenguinsLibrary
from tests.hosting.c import build as flood_sources
from tests.hosting.c.carcassonne import build as carcassonne_sources
from tests.hosting.c.hex import build as hex_sources
from tests.hosting.c.penguins import build as penguins_sources

NOISES = ("noise", "noise-stderr")
HARMLESS_AT_THE_END = ("crash", "exit", "hang", "noise")
"""What a player may do when the game is over."""

EVENTS = {
    "crash": ("crash", "killed by SIGSEGV"),
    "abort": ("crash", "killed by SIGABRT"),
    "exit": ("crash", "exited with code 3"),
    "hang": ("timeout", "within 0.4"),
    "sleep": ("timeout", "within 0.4"),
}
"""What can happen in any call: the reason of the forfeit, and what its message says."""


@dataclass(frozen=True)
class CPlayers:
    """C players of a game.

    Attributes
    ----------
    build
        Compiles one of them, see :func:`tests.hosting.c.build.build`.
    header
        That for authors.
    start
        Returns the start of a game of two.
    good
        A player without faults.
    authors
        Those that compile without warnings with the header for authors.
    missing
        The function that ``no_symbol`` has not.
    first, last
        How the switch ``fault`` of ``misbehave`` calls the first call and the last one.
    harmless
        Values of that switch that change no result.
    """

    build: Callable[..., Path]
    header: str
    start: Callable[[], Position]
    good: str
    authors: tuple[str, ...]
    missing: str
    first: str = ""
    last: str = "finalize"
    harmless: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


def noises(*places: str) -> list[str]:
    """Return the switches of players that print in some calls."""
    return [f"{noise}-{place}" for noise in NOISES for place in places]


COLORS = ("wrong-color", "no-color", "garbage-color")

C_PLAYERS = {
    "flood": CPlayers(
        flood_sources.build,
        FloodLibrary.header,
        lambda: flood.position(boards.square(6), colors=6, seed=1),
        "wanderer",
        ("wanderer",),
        "play",
    ),
    "hex": CPlayers(
        hex_sources.build,
        HexLibrary.header,
        lambda: hex.position(hex_board(5)),
        "random_legal",
        ("random_legal", "shortest"),
        "",
        harmless=(
            *noises("name", "graph", "propose", "accept", "color", "play"),
            *(f"{color}-{place}" for place in ("propose", "play") for color in COLORS),
            *(f"{event}-finalize" for event in (*HARMLESS_AT_THE_END, "sleep")),
            *("null-name", "empty-name", "control-name", "long-name"),
        ),
        flags=("-DNUM_PLAYERS=2",),
    ),
    "penguins": CPlayers(
        penguins_sources.build,
        PenguinsLibrary.header,
        lambda: penguins.position(penguins.board("full-hexa", 6, 6), penguins=2, seed=1),
        "random_legal",
        ("random_legal", "check_edges"),
        "place",
        "init",
        "done",
        harmless=(
            *noises("init", "place"),
            *(f"{event}-done" for event in HARMLESS_AT_THE_END),
            *("noise-play", "none"),
        ),
    ),
    "carcassonne": CPlayers(
        carcassonne_sources.build,
        CarcassonneLibrary.header,
        lambda: carcassonne.position(deck=course(12), mode="finite", meeples=3),
        "random_legal",
        tuple(carcassonne_sources.PLAYERS),
        "play",
        "init",
        harmless=(
            *noises("init", "play"),
            *(f"{event}-finalize" for event in HARMLESS_AT_THE_END),
            "none",
        ),
    ),
}
