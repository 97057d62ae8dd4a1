"""The thoughts of a strategy as a sentence for pages: chances in percent, lines of moves."""

from __future__ import annotations

from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.from_search import POINTS, WIN

SHOWN_PLIES = 6
"""The most moves of a line."""

SHOWN_MOVES = 3
"""The most moves that are named with their chances."""

HALF = 0.5


def in_words(info: AnalysisInfo, seats: int) -> str:
    """Return thoughts as a sentence that follows a name; empty if there is nothing to say.

    A proven value is said in words, without a number.

    Parameters
    ----------
    seats
        The number of seats of the game.

    Examples
    --------
    >>> in_words(AnalysisInfo(0.86, "win", line=("27-33", "36-17")), 2)
    'thinks: it wins 86 %; 27-33, then 36-17'
    >>> in_words(AnalysisInfo(1.0, "win", proven=True), 2)
    'thinks: it wins, whatever the other does'
    """
    told = info.value is not None and not is_mixed(info, seats, proven=info.proven)
    parts = [value_in_words(info, seats)] if told else []
    if info.line:
        first, *others = map(str, info.line[:SHOWN_PLIES])
        more = " ..." if len(info.line) > SHOWN_PLIES else ""
        parts.append(f"{first}, then {' '.join(others)}{more}" if others else first)
    others = [
        f"{each.move} {percent(each.value)}"
        for each in info.moves[1:SHOWN_MOVES]
        if each.value is not None and info.measure == WIN and seats == 2
    ]
    if others and not info.proven:
        parts.append(f"also considered: {', '.join(others)}")
    if info.note:
        parts.append(info.note)
    return f"thinks: {'; '.join(parts)}" if parts else ""


def value_in_words(info: AnalysisInfo, seats: int) -> str:
    """Return what a strategy expects for itself, which must not be None."""
    value = info.value or 0.0
    if info.measure == WIN:
        return _proven(value, seats) if info.proven else f"it wins {percent(value)}"
    if info.measure.startswith(POINTS) and seats > 1:
        margin = f"{abs(value):.3g} {'point' if abs(value) == 1 else 'points'}"
        where = "level" if not value else f"{margin} {'ahead' if value > 0 else 'behind'}"
        return f"it ends {where}{' with best play' if info.proven else ', it expects'}"
    measure = info.measure.removesuffix("s") if value == 1 else info.measure
    return f"{value:.3g} {measure}".rstrip() + (", proven" if info.proven else "")


def is_mixed(info: AnalysisInfo, seats: int, *, proven: bool) -> bool:
    """Tell whether a value is no chance that a person can read.

    Between more than two seats a search mixes places and margins, until the result is proven.
    """
    return info.measure == WIN and seats > 2 and not proven


def percent(value: float) -> str:
    """Return a chance as people read it."""
    return f"{round(100 * value)} %"


def _proven(value: float, seats: int) -> str:
    """Return a proven chance to win in words."""
    others = "the other does" if seats == 2 else "the others do"
    if value > HALF:
        return f"it wins, whatever {others}"
    if value == HALF:
        return "it draws with best play"
    return f"it loses, unless {'the other makes' if seats == 2 else 'others make'} a mistake"
