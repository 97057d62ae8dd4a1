"""``ludograph penguins``: the arguments that fix a game of Penguins, its penguins and its tiles."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.match_command import match_command
from ludograph.cli.program import option
from ludograph.cli.texts import amount
from ludograph.cli.values import Whole, Word

if TYPE_CHECKING:
    from ludograph.boards import Board
    from ludograph.games import Position

TILINGS = ("full-tetra", "full-hexa", "octo-tetra", "dodeca-hexa-tetra", "penrose")

PENGUINS: tuple[str, Whole | Word] = ("the number of penguins", Whole(1, 1_000_000))
TILES: tuple[tuple[str, Whole | Word], ...] = (
    ("the tiling", Word(*TILINGS)),
    ("the width", Whole(1, 1_000_000)),
    ("the height", Whole(1, 1_000_000)),
)
"""The arguments before the players, as complaints call them."""


@dataclass(frozen=True, slots=True)
class PenguinsSetting:
    """All that is fixed in a game of Penguins, beside its seed and its seats.

    Attributes
    ----------
    penguins
        Of each player.
    tiles
        A tiling with its width and height, or the path of a board's file.
    """

    penguins: int
    tiles: tuple[str, int, int] | str

    def board(self) -> Board:
        """Return the board; raise InvalidInput if there is none such."""
        if isinstance(self.tiles, str):
            from ludograph import boards

            return boards.load(self.tiles)
        from ludograph.games.penguins import penguins

        return penguins.board(*self.tiles)

    def position(self, board: Board, seats: int, seed: int) -> Position:
        """Return the start of a game; raise InvalidInput if the board does not fit."""
        from ludograph.games.penguins import penguins

        return penguins.position(board, seats=seats, penguins=self.penguins, seed=seed)

    def details(self) -> list[str]:
        """Return what a title should say beside the board's name."""
        return [f"{amount(self.penguins, 'penguin')} each"]


EXAMPLE = ("penguins 3", "full-hexa 8 7", "line random")


def penguins_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add Penguins' options to a command, which gets them as ``setting``.

    The command's arguments begin with those that fix the game; it gets the others as ``players``.
    """

    @functools.wraps(function)
    def command(*, board_file: str | None, players: tuple[str, ...], **others: Any) -> None:
        setting, players = read_setting(players, board_file, EXAMPLE)
        if not players:
            raise missing("the players", board_file, EXAMPLE)
        function(setting=setting, players=players, **others)

    return board_option(command)


board_option = option(
    "Board",
    "--board",
    "board_file",
    metavar="FILE",
    help="A board from a file, with the sides of its tiles, instead of TILING WIDTH HEIGHT.",
)


def read_setting(
    words: tuple[str, ...], board_file: str | None, example: tuple[str, str, str]
) -> tuple[PenguinsSetting, tuple[str, ...]]:
    """Return the setting that a command's arguments begin with, and the arguments behind it.

    Parameters
    ----------
    board_file
        From ``--board``; then the arguments say nothing of the tiles.
    example
        For complaints: a right command up to its tiles, the tiles, and what may follow them.
    """
    kinds = (PENGUINS, *(TILES if board_file is None else ()))
    # what is wrong is said before what is missing behind it
    values: list[Any] = [
        kind.convert(text, name, None) for (name, kind), text in zip(kinds, words, strict=False)
    ]
    if len(words) < len(kinds):
        raise missing(kinds[len(words)][0], board_file, example)
    number, *size = values
    tiles = (size[0], size[1], size[2]) if board_file is None else board_file
    return PenguinsSetting(number, tiles), words[len(kinds) :]


def missing(what: str, board_file: str | None, example: tuple[str, str, str]) -> click.UsageError:
    """Return the error for an argument that is not there."""
    command, tiles, rest = example
    board = tiles if board_file is None else f"--board {board_file}"
    return click.UsageError(f"{what} must come next, as in 'ludograph {command} {board} {rest}'")


penguins = match_command(
    "penguins",
    penguins_options,
    summary="Play Penguins, one game or many.",
    text="""Play Penguins: slide over ice that melts behind you, and collect most fish.

    PENGUINS is how many each player has. TILING is full-tetra, full-hexa, octo-tetra,
    dodeca-hexa-tetra or penrose, with WIDTH x HEIGHT tiles.
    """,
    examples="""\
  ludograph penguins 3 full-hexa 8 7 line mcts:time=0.5    watch two strategies
  ludograph penguins 2 penrose 9 9 line minimax my_bot.py  three players
  ludograph penguins 3 full-hexa 8 7 -r 100 line random    a hundred games, seats exchanged
  ludograph penguins 2 --board ice.json line random        tiles of your own
""",
    seats=(2, 64),
    arguments="PENGUINS TILING WIDTH HEIGHT PLAYER...",
)
