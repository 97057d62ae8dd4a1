"""``ludograph hex``: the options that fix a game of Hex, its board and the pie rule."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.match_command import match_command
from ludograph.cli.program import option
from ludograph.cli.values import Whole, Word

if TYPE_CHECKING:
    from ludograph.boards import Board
    from ludograph.games import Position

DEFAULT_WIDTH = 12


@dataclass(frozen=True, slots=True)
class HexSetting:
    """All that is fixed in a game of Hex."""

    board_file: str | None
    kind: str
    width: int
    pie: bool

    def board(self) -> Board:
        """Return the board; raise InvalidInput if there is none such."""
        if self.board_file is not None:
            from ludograph import boards

            return boards.load(self.board_file)
        from ludograph.games.hex import hex_board

        return hex_board(self.width, self.kind)

    def position(self, board: Board, seats: int, seed: int) -> Position:  # noqa: ARG002
        """Return the start of a game; raise InvalidInput if the board has no borders."""
        from ludograph.games.hex import hex

        return hex.position(board, pie=self.pie)

    def details(self) -> list[str]:
        """Return what a title should say beside the board's name."""
        return [] if self.pie else ["no pie rule"]


_OPTIONS = (
    option(
        "Board",
        "-m",
        "--width",
        type=Whole(2, 1000),
        help="Width with one border; 12 if not given, which is 11 x 11 to play on.",
    ),
    option("Board", "--size", type=Whole(1, 999), help="Width without the borders; 11."),
    option(
        "Board",
        "-t",
        "--type",
        "kind",
        type=Word("h", "c", "t"),
        help="Cells: h hexagons (if not given), c squares, t triangles.",
    ),
    option(
        "Board",
        "--board",
        "board_file",
        metavar="FILE",
        help="A board from a file, with the marks 'black' and 'white'.",
    ),
    option("Board", "--no-pie", is_flag=True, help="Play without the pie rule."),
)


def hex_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add Hex's options to a command, which gets them as ``setting``."""

    @functools.wraps(function)
    def command(
        *,
        board_file: str | None,
        kind: str | None,
        width: int | None,
        size: int | None,
        no_pie: bool,
        **others: Any,
    ) -> None:
        if board_file is not None and (kind or width or size):
            raise click.UsageError("--board brings its own size, so -m, --size and -t are wrong")
        if width is not None and size is not None:
            raise click.UsageError("-m is --size and one more, so give one of them")
        if size is not None and kind == "t":
            raise click.UsageError(
                "--size is for -t h and -t c; -m is the side of triangles' board"
            )
        setting = HexSetting(
            board_file=board_file,
            kind=kind or "h",
            width=width or (DEFAULT_WIDTH if size is None else size + 1),
            pie=not no_pie,
        )
        function(setting=setting, **others)

    for add in reversed(_OPTIONS):
        command = add(command)
    return command


hex_command = match_command(
    "hex",
    hex_options,
    summary="Play Hex, one game or many.",
    text="""Play Hex: join your two borders with a path of your stones.

    Black joins top and bottom and moves first; then the second player may take the stone and the
    color, which is the move 'swap'.
    """,
    examples="""\
  ludograph hex --size 11 mcts:time=1 random   the usual board
  ludograph hex -m 6 -t t ./player1.so my.py   triangular cells, a C and a Python player
  ludograph hex -r 100 --size 7 mcts random    a hundred games, seats exchanged
  ludograph hex mcts:time=1 'htp: ./program'   a program that speaks HTP
""",
    seats=(2, 2),
)
