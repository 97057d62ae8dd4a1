"""``ludograph carcassonne``: the options that fix a game of Carcassonne, its deck and its mode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.match_command import match_command
from ludograph.cli.program import option
from ludograph.cli.texts import amount
from ludograph.cli.values import Kind, Whole

if TYPE_CHECKING:
    from ludograph.boards import Board
    from ludograph.games import Position
    from ludograph.games.carcassonne.decks import Deck

MODES = ("NO_MEEPLE", "INFINITE_MEEPLE", "FINITE_MEEPLE")
FINITE = MODES[2]
DECKS = ("classic", "course")
SIZE = 72
"""Of the course's deck, unless given."""
MEEPLES = 7


class Mode(Kind):
    """A mode by its number or its name, which may be shorter: ``finite``, ``no-meeple``."""

    name = "MODE"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002
        """Return the name as the rules write it."""
        text = str(value).upper().replace("-", "_")
        for number, mode in enumerate(MODES):
            if text in (str(number), mode, mode.removesuffix("_MEEPLE")):
                return mode
        raise self.complain(f"{', '.join(MODES[:2])} or {FINITE} (or 0, 1, 2)", value, param)


class DeckName(Kind):
    """The name of a deck, or a file."""

    name = "DECK"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002
        """Return the name or the path."""
        text = str(value)
        if text in DECKS or "." in text or "/" in text or Path(text).is_file():
            return text
        raise self.complain(f"{' or '.join(DECKS)} or a file", value, param)


@functools.lru_cache(maxsize=1)
def find_deck(name: str, size: int) -> Deck:
    """Return a deck; raise InvalidInput if there is none such."""
    from ludograph.games.carcassonne import decks
    from ludograph.games.carcassonne.deck_files import read_deck

    if name == "course":
        return decks.course(size)
    return decks.classic() if name == "classic" else read_deck(name)


@dataclass(frozen=True, slots=True)
class CarcassonneSetting:
    """All that is fixed in a game of Carcassonne, beside its seed and its seats.

    Attributes
    ----------
    deck
        ``classic``, ``course``, or the path of a deck's file.
    size
        Of the deck of the course.
    """

    mode: str
    deck: str
    size: int
    meeples: int
    discard: bool

    def board(self) -> Board:
        """Return the table; raise InvalidInput if there is no such deck."""
        from ludograph.games.carcassonne import carcassonne

        find_deck(self.deck, self.size)
        return carcassonne.table()

    def position(self, board: Board, seats: int, seed: int) -> Position:  # noqa: ARG002
        """Return the start of a game; raise InvalidInput if the options do not fit."""
        from ludograph.games.carcassonne import carcassonne

        return carcassonne.position(
            deck=find_deck(self.deck, self.size),
            mode=self.mode,
            meeples=self.meeples,
            seats=seats,
            discard=self.discard,
        )

    def details(self) -> list[str]:
        """Return what a title should say."""
        deck = self.deck if self.deck in DECKS else Path(self.deck).name
        found = [f"{deck} deck of {amount(find_deck(self.deck, self.size).size, 'tile')}"]
        found.append(f"{self.mode} {self.meeples}" if self.mode == FINITE else self.mode)
        return found + (["discard"] if self.discard else [])


_OPTIONS = (
    option(
        "Game",
        "-m",
        "--mode",
        type=Mode(),
        help="NO_MEEPLE (if not given), INFINITE_MEEPLE, FINITE_MEEPLE;"
        " or no-meeple, infinite, finite; or 0, 1, 2.",
    ),
    option(
        "Game",
        "--deck",
        type=DeckName(),
        help="classic (if not given), course, or a file of your own.",
    ),
    option("Game", "--size", type=Whole(2, 10_000), help="Tiles of the course's deck; 72."),
    option(
        "Game", "--meeples", type=Whole(1, 10_000), help="Of each player, with FINITE_MEEPLE; 7."
    ),
    option(
        "Game",
        "--discard",
        is_flag=True,
        help="Who is dealt a tile that fits nowhere gets another, and is not out.",
    ),
)


def carcassonne_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add Carcassonne's options to a command, which gets them as ``setting``."""

    @functools.wraps(function)
    def command(
        *,
        mode: str | None,
        deck: str | None,
        size: int | None,
        meeples: int | None,
        discard: bool,
        **others: Any,
    ) -> None:
        if size is not None and deck != "course":
            raise click.UsageError("--size is for --deck course; other decks have their size")
        if meeples is not None and mode != FINITE:
            raise click.UsageError(f"--meeples is for -m {FINITE}")
        setting = CarcassonneSetting(
            mode=mode or MODES[0],
            deck=deck or DECKS[0],
            size=size or SIZE,
            meeples=meeples or MEEPLES,
            discard=discard,
        )
        function(setting=setting, **others)

    for add in reversed(_OPTIONS):
        command = add(command)
    return command


carcassonne = match_command(
    "carcassonne",
    carcassonne_options,
    summary="Play Carcassonne, one game or many.",
    text="""Play Carcassonne: lay tiles so that they fit, and close castles, roads and fields.

    Tiles are dealt from a deck; the seed fixes their order, whatever the players do.
    """,
    examples="""\
  ludograph carcassonne mcts:time=0.5 greedy              the 72 tiles of the board game
  ludograph carcassonne -m finite --meeples 3 my.py mcts    three meeples each
  ludograph carcassonne --deck course -r 100 my.py mcts     a hundred games, seats exchanged
  ludograph carcassonne -m 1 --deck my.json mcts mcts mcts  tiles of your own, three players
""",
    seats=(2, 64),
)
