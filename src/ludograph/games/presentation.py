"""A game for spectators: its picture, and events in words.

The game defines these texts once, for pages and terminals; the defaults here have none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple

from ludograph.games.outcome import Outcome
from ludograph.games.played import PASS, P

if TYPE_CHECKING:
    from ludograph.views import Region, Scene
    from ludograph.views.table import Columns, Table


class SeatFacts(NamedTuple):
    """Facts about a seat that people see beside its name and its score.

    Attributes
    ----------
    color
        The present color of its pieces, such as ``black``.
    holding
        Its gains so far, such as ``12 fish``.
    stuck
        Why it can no longer move while others go on.
    terms
        Its own fixed terms, such as ``{"forbidden": ["red"]}``.
    """

    color: str = ""
    holding: str = ""
    stuck: str = ""
    terms: Mapping[str, Sequence[str]] = MappingProxyType({})


class Breakdown(NamedTuple):
    """The points of all seats by source, as a table.

    Attributes
    ----------
    columns
        The sources of points, such as ``roads``.
    points
        By seat, then by column.
    at_end
        The part of them that came only at the end of the game, by seat, then by column.
    out
        Seats that are out of the game, so that their points do not count.

    Examples
    --------
    >>> breakdown = Breakdown(["roads", "fields"], [[14, 9], [3, 0]], [[4, 9], [0, 0]], [1])
    >>> print("\\n".join(breakdown.table(["red", "green"]).plain()))
    player   roads  fields  total
    red     10 + 4     + 9     23
    green        3       0    out
    """

    columns: Sequence[str]
    points: Sequence[Sequence[int]]
    at_end: Sequence[Sequence[int]]
    out: Collection[int] = ()

    def rows(self) -> list[list[str]]:
        """Return the cells of each seat: a text by column, as in ``10 + 4``, and the total."""
        return [
            [*map(shared, own, end), "out" if seat in self.out else str(sum(own))]
            for seat, (own, end) in enumerate(zip(self.points, self.at_end, strict=True))
        ]

    def caption(self) -> str:
        """Return the meaning of the two numbers of a cell; empty if no cell has two."""
        return "in the game + at its end" if any(map(any, self.at_end)) else ""

    def table(self, names: Sequence[str]) -> Table:
        """Return a table with the players in the first column."""
        from ludograph.views.table import Column, Table, left

        columns: Columns = [left("player"), *(Column(head, str) for head in self.columns), "total"]
        rows = [[name, *cells] for name, cells in zip(names, self.rows(), strict=True)]
        return Table(columns, rows)


def shared(points: int, at_end: int) -> str:
    """Return points with the part from the end, as in ``10 + 4``, ``10`` or ``+ 4``."""
    before = str(points - at_end) if points > at_end or not at_end else ""
    return f"{before} + {at_end}".strip() if at_end else before


class Presentation(ABC, Generic[P]):
    """The picture of a position, and sentences about moves, seats and results."""

    @abstractmethod
    def scene(self, position: P) -> Scene:
        """Return the picture of a position."""

    def cell_names(self, position: P) -> Mapping[int, str]:
        """Return the name of each cell in moves; by default the numbers of vertices."""
        return {vertex: str(vertex) for vertex in range(position.board.n)}

    def ways(self, position: P) -> Iterator[Sequence[int]]:
        """Yield for each move of the position's history the cells of the picture on its path.

        The last cell is the one where the move has put a piece, which has the move's ply; the cells
        before it are empty afterwards. No cells for a move that puts no piece, the default.
        """
        return (() for _ in position.history)

    def regions(self, position: P) -> Sequence[Region]:  # noqa: ARG002
        """Return the regions of a picture of sketches with information: their owners and values.

        If regions overlap, the last one counts. By default there are none.
        """
        return ()

    def seat_facts(self, position: P, seat: int) -> SeatFacts:  # noqa: ARG002
        """Return the facts about a seat that people see now; by default none."""
        return SeatFacts()

    def breakdown(self, position: P) -> Breakdown | None:  # noqa: ARG002
        """Return the points of all seats by source; by default None."""
        return None

    def describe_move(self, position: P, move: int) -> str:
        """Return the effect of a move, such as ``plays 5-4``; ``position`` is the one after it."""
        text = position.text(move)
        return "passes" if text == PASS else f"plays {text}"

    def announce(self, position: P, move: int) -> str:
        """Return the effect of a move for people who see the board, without its places.

        ``position`` is the one after it. Empty for moves without a text, such as a drawn tile.
        """
        return self.describe_move(position, move)

    def label(self, position: P, move: int) -> str:
        """Return the name of a move in a list of played ones; ``position`` is the one after it.

        It has words if the text of a move is not clear without knowledge of the notation.
        """
        return position.text(move)

    def ending(self, position: P) -> str:  # noqa: ARG002
        """Return why a finished game has ended: ``All have passed``; by default nothing."""
        return ""

    def result(self, position: P, outcome: Outcome, names: Sequence[str]) -> str:  # noqa: ARG002
        """Return the result of a finished game in one sentence."""
        best = [f"{names[seat]} (seat {seat})" for seat in outcome.winners]
        points = ", ".join(f"{score:zg}" for score in outcome.scores)
        if len(best) == 1:
            return f"{best[0]} wins, scores {points}."
        return f"A draw between {' and '.join(best)}, scores {points}."


def terms_text(terms: Mapping[str, Sequence[str]]) -> str:
    """Return the terms of a seat in a line: ``forbidden: blue, red``; empty without any."""
    return "; ".join(f"{name}: {', '.join(texts)}" for name, texts in terms.items())


def scores_of_others(scores: Sequence[int], winner: int) -> str:
    """Return the scores of all seats except the winner; negative ones are of seats that are out.

    Examples
    --------
    >>> scores_of_others([7, 12, -1], 1)
    '7, none (out)'
    """
    others = (score for seat, score in enumerate(scores) if seat != winner)
    return ", ".join(str(score) if score >= 0 else "none (out)" for score in others)
