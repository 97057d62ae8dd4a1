"""``ludograph flood``: the options that fix a game of Flood, its board, colors and start."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.match_command import match_command
from ludograph.cli.program import option
from ludograph.cli.values import Kind, Whole, Word

if TYPE_CHECKING:
    from ludograph.boards import Board
    from ludograph.games import Position

LETTERS = {"c": "square", "d": "donut", "h": "hatched", "t": "torus"}
"""The subject's letters for the boards of Flood."""

DEFAULT_WIDTH = 12

SAME = "same:"


class BoardType(Kind):
    """A family of boards, by its letter in the subject or by its name."""

    name = "TYPE"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002
        """Return the family's name."""
        text = str(value).lower()
        name = LETTERS.get(text, text)
        if name not in LETTERS.values():
            from ludograph.boards import FAMILIES

            if name not in FAMILIES:
                letters = {family: f"{letter} {family}" for letter, family in LETTERS.items()}
                known = ", ".join(letters.get(family, family) for family in FAMILIES)
                raise self.complain(f"one of {known}", value, param)
        return name


class Coloring(Kind):
    """A coloring, by its number or name."""

    name = "COLORING"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002
        """Return the coloring's name or number as it was given."""
        from ludograph.games.flood.colorings import coloring_named

        coloring_named(str(value).lower())
        return str(value).lower()


class Forbidden(Kind):
    """How many colors are forbidden to each player; behind ``same:`` the same ones to all."""

    name = "[same:]N"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | str:  # noqa: ARG002
        """Return the number, or the text that ``flood.position`` understands."""
        text = str(value).lower()
        digits = text.removeprefix(SAME)
        if not (digits.isdecimal() and digits.isascii() and len(digits) < 4 and int(digits) < 32):
            raise self.complain("a whole number from 0 to 31, or same:N", value, param)
        return int(text) if digits == text else f"{SAME}{int(digits)}"


@dataclass(frozen=True, slots=True)
class FloodSetting:
    """All that is fixed in a game of Flood, beside its seed and its seats."""

    board_file: str | None
    family: str
    width: int
    height: int | None
    colors: int
    coloring: str
    forbidden: int | str
    variant: str

    def board(self) -> Board:
        """Return the board; raise InvalidInput if there is none such."""
        from ludograph import boards

        if self.board_file is not None:
            return boards.load(self.board_file)
        if self.height is None:
            return boards.family(self.family)(self.width)
        return boards.family(self.family)(self.width, self.height)

    def position(self, board: Board, seats: int, seed: int) -> Position:
        """Return the start of a game; raise InvalidInput if the options do not fit."""
        from ludograph.games.flood import flood

        return flood.position(
            board,
            colors=self.colors,
            coloring=self.coloring,
            seats=seats,
            forbidden=self.forbidden,
            variant=self.variant,
            seed=seed,
        )

    def details(self) -> list[str]:
        """Return what a title should say beside the board's name."""
        texts = [f"{self.colors} colors"]
        if self.forbidden not in (0, f"{SAME}0"):
            number = str(self.forbidden).removeprefix(SAME)
            same = "the same " if isinstance(self.forbidden, str) else ""
            texts.append(f"{same}{number} forbidden")
        if self.variant != "standard":
            texts.append(self.variant)
        return texts


_OPTIONS = (
    option("Board", "-m", "--width", type=Whole(1, 1_000_000), help="Width; 12 if not given."),
    option("Board", "--height", type=Whole(1, 1_000_000), help="Height; the width if not given."),
    option(
        "Board",
        "-t",
        "--type",
        "family",
        type=BoardType(),
        help="c square (if not given), d donut, h hatched, t torus, or another family's name: "
        "see 'ludograph boards'.",
    ),
    option(
        "Board",
        "--board",
        "board_file",
        metavar="FILE",
        help="A board from a file: .json, .graphml or a list of edges.",
    ),
    option("Board", "-c", "--colors", type=Whole(2, 32), default=6, help="How many colors; 6."),
    option(
        "Board",
        "-a",
        "--coloring",
        type=Coloring(),
        default="random",
        help="0 cyclic, 1 random (if not given), 2 blocks or 3 balanced.",
    ),
    option(
        "Board",
        "-f",
        "--forbidden",
        type=Forbidden(),
        default="0",
        help="Colors forbidden to each player, 0; same:2 forbids the same two to all.",
    ),
    option(
        "Board",
        "--variant",
        type=Word("standard", "capture"),
        default="standard",
        help="capture: who takes the color of an opponent it touches wins.",
    ),
)


def flood_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add Flood's options to a command, which gets them as ``setting``."""

    @functools.wraps(function)
    def command(
        *,
        board_file: str | None,
        family: str | None,
        width: int | None,
        height: int | None,
        colors: int,
        coloring: str,
        forbidden: int | str,
        variant: str,
        **others: Any,
    ) -> None:
        if board_file is not None and (family or width or height):
            raise click.UsageError("--board brings its own size, so -m, --height and -t are wrong")
        number = int(str(forbidden).removeprefix(SAME))
        if number >= colors:
            raise click.UsageError(
                f"--forbidden must be 0 to {colors - 1} with {colors} colors, got {number}"
            )
        setting = FloodSetting(
            board_file=board_file,
            family=family or "square",
            width=width or DEFAULT_WIDTH,
            height=height,
            colors=colors,
            coloring=coloring,
            forbidden=forbidden,
            variant=variant,
        )
        function(setting=setting, **others)

    for add in reversed(_OPTIONS):
        command = add(command)
    return command


flood = match_command(
    "flood",
    flood_options,
    summary="Play Flood, one game or many.",
    text="""Play Flood: name a color, and your zone takes it and all that touches it.

    One player plays alone, two or more against each other.
    """,
    examples="""\
  ludograph flood -m 12 -c 6 greedy random           watch two strategies
  ludograph flood -t h -a 2 -f 1 ./player1.so my.py  a C player and a Python player
  ludograph flood -m 9 greedy mcts:time=0.5 minimax  three seats
  ludograph flood -r 100 greedy random               a hundred games, seats exchanged
  ludograph flood -m 14 greedy                       alone: as few moves as possible
""",
)
