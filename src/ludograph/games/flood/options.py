"""The options of Flood."""

from __future__ import annotations

import re
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.games.board_option import BoardType, any_board
from ludograph.games.declaration import Declaration, Help, Values
from ludograph.games.options import (
    Alias,
    Form,
    Numbers,
    Option,
    OptionType,
    Unexpected,
    Whole,
    Word,
)

LETTERS = {"c": "square", "d": "donut", "h": "hatched", "t": "torus"}
"""The boards of Flood by their letters in the course's subject."""

WIDTH = 12

MOST_VERTICES = 2**22
"""The most vertices of a board: to make one of this size takes about four GiB of memory."""

COLORINGS = ("cyclic", "random", "blocks", "balanced")
"""The names of the colorings, by their numbers from 0."""

PAINTED = Numbers("one color per vertex")
COLORS = Numbers("the colors forbidden to a player")

SAME = "same:"


class FamilyName(OptionType):
    """The option for a family of boards: its name, or the course's letter."""

    metavar = "WORD"

    @property
    def expected(self) -> str:
        """The valid values."""
        return self._word().expected

    def parse(self, text: str) -> str:
        """Return the name of a family."""
        return self._word().parse(text)

    def _word(self) -> Word:
        from ludograph.boards import FAMILIES

        return Word(tuple(FAMILIES), LETTERS)


class Coloring(OptionType):
    """The option for a coloring: its name or number; in Python also a color for every vertex."""

    metavar = "COLORING"
    expected = ", ".join(f"{number} {name}" for number, name in enumerate(COLORINGS))
    trials = COLORINGS

    def parse(self, text: str) -> str:
        """Return the name of a coloring, given its name or number."""
        names = {str(number): name for number, name in enumerate(COLORINGS)}
        name = names.get(text, text.lower())
        if name not in COLORINGS:
            raise Unexpected(f"one of {self.expected}")
        return name

    def check(self, value: Any) -> Any:
        """Return the name of a coloring; return a value that is no text or number unchanged."""
        if isinstance(value, bool | int | str):
            return self.parse(str(value))
        return value

    def to_data(self, value: Any) -> list[int]:
        """Return the color of every vertex."""
        return PAINTED.to_data(value)

    def from_data(self, data: Any) -> list[int]:
        """Return the color of every vertex."""
        return PAINTED.from_data(data)


class Forbidden(OptionType):
    """The option for forbidden colors: their number for each player, as in ``2``.

    With ``same:``, as in ``same:2``, the same colors are forbidden to all players.
    """

    metavar = "[same:]N"
    expected = "a whole number from 0 to 31, or same:N"
    trials = ("1", "same:1", "2")

    def parse(self, text: str) -> int | str:
        """Return the number, or ``same:`` and the number."""
        digits = text.lower().removeprefix(SAME)
        if not re.fullmatch(r"[0-9]{1,3}", digits, re.ASCII) or int(digits) > 31:
            raise Unexpected(self.expected)
        return int(digits) if digits == text else f"{SAME}{int(digits)}"

    def check(self, value: Any) -> Any:
        """Return the parsed number or text; return the sets of colors themselves unchanged."""
        if isinstance(value, bool | int | str):
            return self.parse(str(value))
        return value

    def to_data(self, value: Any) -> list[list[int]]:
        """Return the colors that are forbidden to each seat."""
        return [COLORS.to_data(sorted(colors)) for colors in value]

    def from_data(self, data: Any) -> list[set[int]]:
        """Return the colors that are forbidden to each seat."""
        if not isinstance(data, list):
            raise Unexpected(f"a list for each player of {COLORS.expected}")
        return [set(COLORS.from_data(colors)) for colors in data]


TRIALS = (
    {"board": "square:8", "forbidden": "1"},
    {"board": "square:8", "forbidden": "2"},
    {"board": "square:8", "forbidden": "same:2", "coloring": "blocks"},
    {"board": "hatched:8", "forbidden": "1", "coloring": "blocks"},
    {"board": "donut:8", "forbidden": "1", "colors": "8", "coloring": "balanced"},
    {"board": "torus:8", "forbidden": "2", "colors": "8"},
    {"board": "square:8", "colors": "8", "coloring": "cyclic"},
    {"board": "square:8", "seats": "3"},
    {"board": "hatched:8", "forbidden": "1", "seats": "3"},
)
"""Typical games of courses: boards of the four families, forbidden colors, three seats."""


def resolve(given: Values) -> Values:
    """Replace the options for width, height and type by one for the board.

    Raises
    ------
    InvalidInput
        If there is a board as well.
    """
    rest = dict(given)
    width, height, kind = (rest.pop(name, None) for name in ("width", "height", "type"))
    if width is None and height is None and kind is None:
        return rest
    if "board" in rest:
        raise InvalidInput("--board has its own size, so leave out -m, --height and -t")
    size = f"{width or WIDTH}" + ("" if height is None else f"x{height}")
    return {**rest, "board": f"{kind or 'square'}:{size}"}


def title(values: Values) -> list[str]:
    """Return the parts of a game's title: colors, forbidden colors and variant, unless usual."""
    texts = [f"{values['colors']} colors"]
    forbidden = str(values["forbidden"])
    if forbidden.removeprefix(SAME) != "0":
        same = "the same " if forbidden.startswith(SAME) else ""
        texts.append(f"{same}{forbidden.removeprefix(SAME)} forbidden")
    return texts + ([] if values["variant"] == "standard" else [values["variant"]])


DECLARATION = Declaration(
    name="flood",
    summary="name a color: your zone takes all cells of this color that touch it",
    home="ludograph.games.flood.game:flood",
    order=4,
    strategies=("beam", "greedy", "mcts", "minimax", "net", "optimal", "random", "valid"),
    advisers=("optimal:time=1", "mcts:time=1", "minimax:time=1"),
    seats=(1, 64),
    options=(
        Option(
            "board",
            BoardType(("square",), most=MOST_VERTICES, others=any_board),
            f"square:{WIDTH}",
            "a family with a size, as in hatched:12 ('ludograph boards' lists them), or a file",
            form=Form(sizes=(8, 12, 16, 24)),
        ),
        Option("colors", Whole(2, 32), 6, "number of colors", "c", form=Form(summary="how many")),
        Option(
            "coloring",
            Coloring(),
            "random",
            "distribution of the colors: 0 cyclic, 1 random, 2 blocks or 3 balanced",
            "a",
            form=Form(
                summary="how the board is painted at the start",
                words={
                    "random": "at random",
                    "balanced": "at random, equally many cells of each",
                    "blocks": "in patches",
                    "cyclic": "one color after the other",
                },
            ),
        ),
        Option(
            "forbidden",
            Forbidden(),
            0,
            "number of colors forbidden to each player; with same:2, the same two for all",
            "f",
            form=Form(
                "Forbidden colors",
                "a number for each player, drawn at random; with same:2, the same two for all",
            ),
        ),
        Option(
            "variant",
            Word(("standard", "capture")),
            "standard",
            "capture: to win, take the color of an opponent whose zone touches yours",
            form=Form(
                "To win",
                "have most cells at the end, or be the first to take the color of an opponent "
                "whose zone touches yours",
                {"standard": "most cells", "capture": "capture"},
            ),
        ),
        Option(
            "starts",
            Numbers("a vertex for every player"),
            None,
            "vertices where the players start (default: those of the board)",
            form=Form(
                summary="where the players start: a cell for each, counted from 0, as in 0,5",
                rare=True,
            ),
        ),
    ),
    aliases=(
        Alias("width", Whole(1, 1_000_000), None, "width of the board", "m"),
        Alias("height", Whole(1, 1_000_000), None, "height of the board (default: the width)"),
        Alias(
            "type",
            FamilyName(),
            None,
            "family of the board: c square, d donut, h hatched, t torus, or a name",
            "t",
        ),
    ),
    resolve=resolve,
    title=title,
    solving={},
    anchors=("greedy", "valid", "random"),
    steps=("random", "valid", "greedy:random=0.5", "greedy", "mcts:sims=30", "mcts:sims=1000"),
    trials=TRIALS,
    help=Help(
        "One player plays alone, two or more against each other.",
        """\
  ludograph flood --board square:12 -c 6 greedy random  watch two strategies
  ludograph flood -t h -a 2 -f 1 ./player1.so my.py     a C player and a Python player
  ludograph flood -m 9 greedy mcts:time=0.5 minimax     three seats
  ludograph flood -r 100 greedy random                  a hundred games, seats exchanged
  ludograph flood -m 14 greedy                          alone: as few moves as possible
""",
        (
            "Every cell has a color. Your zone is the cell where you start, and all cells of its "
            "color that are connected to it.",
            "Choose a color: your whole zone takes this color, and all cells of this color that "
            "touch the zone join it.",
            "The color must win at least one cell, and it must not be the color of an opponent "
            "whose zone touches yours. You may always pass.",
            "The game ends when all players have passed one after the other; the player with most "
            "cells wins. If you play alone, fill the whole board in as few moves as you can.",
        ),
    ),
)
