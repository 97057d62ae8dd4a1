"""The moves that a strategy has considered, as pages draw them: arrows, heat, chances."""

from __future__ import annotations

from typing import Any

from ludograph.analysis.measure import counts_points
from ludograph.games import Position
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.from_search import WIN
from ludograph.web.positions.thoughts_in_words import is_mixed, is_studied, percent

MOST_ARROWS = 10
"""The most moves from one cell to another that are drawn."""

HALF = 0.5


def considered_moves(info: AnalysisInfo, before: Position) -> list[dict[str, Any]]:
    """Return the considered moves that people make by pointing at cells, the best first.

    Each has ``parts``, the cells to point at, part by part; ``share``, between 0 and 1, its visits
    or its value relative to those of the others; ``text``, its chance to win or its proven result,
    empty if unknown or based on few visits.

    Parameters
    ----------
    before
        The position in which the move was chosen.
    """
    found = []
    arrows = 0
    points = counts_points(before)
    for each, share in zip(info.moves, shares(info.moves), strict=True):
        move = before.parse(str(each.move))
        parts = [sorted(map(int, part)) for part in before.game.interaction.pointed(before, move)]
        arrows += len(parts) > 1
        if share and parts and (len(parts) == 1 or arrows <= MOST_ARROWS):
            mixed = is_mixed(info, before.seats, proven=each.proven, points=points)
            known = info.measure == WIN and before.seats > 1 and not mixed
            known = known and is_studied(each, info.moves)
            text = chance(each.value, proven=each.proven) if known else ""
            found.append({"parts": parts, "share": round(share, 3), "text": text})
    return found


def shares(moves: tuple[Considered, ...]) -> list[float]:
    """Return the visits of moves, or else their values, as shares of the greatest.

    If values are negative, they are counted from the lowest, which then has the share 0.
    """
    if any(each.visits for each in moves):
        most = max(each.visits or 0 for each in moves)
        return [(each.visits or 0) / most for each in moves]
    values = [each.value for each in moves if each.value is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    if high <= low:
        return [0.0] * len(moves)
    unit = max(high, -low)  # so that no difference is beyond all numbers
    low, high = low / unit, high / unit
    return [
        0.0 if each.value is None else (each.value / unit - low) / (high - low) for each in moves
    ]


def chance_of(info: AnalysisInfo, position: Position) -> str:
    """Return a strategy's own value as :func:`chance`; empty for another measure."""
    seats, points = position.seats, counts_points(position)
    mixed = is_mixed(info, seats, proven=info.proven, points=points)
    if info.measure != WIN or seats < 2 or mixed:
        return ""
    return chance(info.value, proven=info.proven)


def chance(value: float | None, *, proven: bool) -> str:
    """Return a chance to win as a short text: a word if it is proven, empty if unknown."""
    if value is None:
        return ""
    if not proven:
        return percent(value)
    return "wins" if value > HALF else "loses" if value < HALF else "draws"
