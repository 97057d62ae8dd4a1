"""The thoughts of a strategy on pages: sentences, chances in percent, and moves to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludograph.analysis.measure import counts_points
from ludograph.games import Position
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.from_search import POINTS, WIN

SHOWN_PLIES = 6
"""The most moves of a line."""

SHOWN_MOVES = 3
"""The most moves in a sentence with their chances."""

HALF = 0.5

STUDIED = 0.1
"""The least visits of a move with a meaningful value, as a part of those of the best."""


def in_words(info: AnalysisInfo, seats: int, *, points: bool = False) -> str:
    """Return thoughts as sentences; the first one follows a name.

    Empty if there are none. A proven value has words instead of a number.

    Parameters
    ----------
    seats
        The number of seats of the game.
    points
        Whether the game's searches count points; then their values are not chances to win.

    Examples
    --------
    >>> in_words(AnalysisInfo(0.86, "win", line=("27-33", "36-17")), 2)
    'thinks that its chance to win is 86 %. It expects 27-33, then 36-17.'
    >>> in_words(AnalysisInfo(1.0, "win", proven=True), 2)
    'thinks that it wins, whatever the other does.'
    """
    mixed = is_mixed(info, seats, proven=info.proven, points=points)
    has_value = info.value is not None and not mixed
    said = [value_in_words(info, seats)] if has_value else []
    if info.line:
        first, *others = map(str, info.line[:SHOWN_PLIES])
        more = " and more" if len(info.line) > SHOWN_PLIES else ""
        said.append(
            f"expects {first}, then {' '.join(others)}{more}" if others else f"plays {first}"
        )
    others = [
        f"{each.move} ({percent(each.value)})"
        for each in info.moves[1:SHOWN_MOVES]
        if each.value is not None and is_studied(each, info.moves)
    ]
    if others and info.measure == WIN and seats == 2 and not info.proven and not mixed:
        said.append(f"also considered {' and '.join(others)}")
    text = ". It ".join(said)
    if info.note:
        note = f"{info.note[:1].upper()}{info.note[1:]}"
        text = f"{text}. {note}" if text else f"thinks: {info.note}"
    return f"{text.rstrip('.')}." if text else ""


def value_in_words(info: AnalysisInfo, seats: int) -> str:
    """Return a strategy's own value, not None, as the part of a sentence after its name."""
    value = info.value or 0.0
    if info.measure == WIN:
        chance = f"its chance to win is {percent(value)}"
        return f"thinks that {_proven(value, seats) if info.proven else chance}"
    if info.measure.startswith(POINTS) and seats > 1:
        margin = f"{abs(value):z.3g} {'point' if abs(value) == 1 else 'points'}"
        where = "level" if not value else f"{margin} {'ahead' if value > 0 else 'behind'}"
        return (
            f"thinks that it ends {where} with best play"
            if info.proven
            else f"expects to end {where}"
        )
    notes = ", ".join(filter(None, (info.measure, "proven" if info.proven else "")))
    return f"rates its move at {value:z.3g}{f' ({notes})' if notes else ''}"


def is_studied(move: Considered, moves: Sequence[Considered]) -> bool:
    """Tell whether a search has visited a move often enough for a meaningful value.

    Without visits all values count.
    """
    most = max(each.visits or 0 for each in moves)
    return move.proven or (move.visits or 0) >= STUDIED * most


def is_mixed(info: AnalysisInfo, seats: int, *, proven: bool, points: bool) -> bool:
    """Tell whether a value is a mixture and not a chance to win.

    Until the result is proven, a search mixes places and margins between more than two seats, and
    in games whose searches count points (:func:`~ludograph.analysis.measure.counts_points`).
    """
    return info.measure == WIN and (seats > 2 or points) and not proven


def percent(value: float) -> str:
    """Return a chance in percent; any other number of a player as it is."""
    return f"{round(100 * value)} %" if 0.0 <= value <= 1.0 else f"{value:.3g}"


def _proven(value: float, seats: int) -> str:
    """Return a proven chance to win in words."""
    others = "the other does" if seats == 2 else "the others do"
    if value > HALF:
        return f"it wins, whatever {others}"
    if value == HALF:
        return "it draws with best play"
    return f"it loses, unless {'the other makes' if seats == 2 else 'others make'} a mistake"


MOST_ARROWS = 10
"""The most moves from one cell to another that are drawn."""


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
