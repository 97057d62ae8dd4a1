"""Results of searches as analysis info, in the same form for all games."""

from __future__ import annotations

import math

from ludograph.formatting import counted
from ludograph.games.analysis_info import MOST_MOVES, AnalysisInfo, Considered
from ludograph.search.alphabeta import LARGE, AlphaBetaResult
from ludograph.search.mcts import MonteCarloResult

WIN, POINTS = "win", "points"
"""Measures of values, see :class:`~ludograph.games.analysis_info.AnalysisInfo`."""


def from_monte_carlo(result: MonteCarloResult, line: tuple[int, ...], seats: int) -> AnalysisInfo:
    """Return the result of Monte Carlo tree search, the most visited moves first.

    A lone seat's values are scores.
    """
    order = sorted(
        range(result.moves.size),
        key=lambda place: (int(result.moves[place]) != result.move, -int(result.visits[place])),
    )
    moves = tuple(
        Considered(
            int(result.moves[place]),
            value_of(result, place),
            int(result.visits[place]),
            proven=is_proven(result, place),
        )
        for place in order[:MOST_MOVES]
        if result.visits[place] or place == order[0]
    )
    return AnalysisInfo(
        value=moves[0].value,
        measure=WIN if seats > 1 else POINTS,
        proven=result.proven,
        simulations=result.simulations,
        moves=moves,
        line=line,
        note=refutation_note(result.refutation),
    )


def refutation_note(nodes: int) -> str:
    """Return why a move of a lost position was chosen, by the nodes of its refutation."""
    if nodes == 0:
        return ""
    return f"All moves lose; this one is the hardest to refute ({counted(nodes, 'position')})."


def value_of(result: MonteCarloResult, place: int) -> float | None:
    """Return the value of a move, within its proven bounds; None without visits."""
    low, high = float(result.low[place]), float(result.high[place])
    value = float(result.values[place])
    if is_proven(result, place):
        return low
    return None if math.isnan(value) else max(low, min(high, value))


def is_proven(result: MonteCarloResult, place: int) -> bool:
    """Tell whether the value of a move is certain."""
    return float(result.low[place]) >= float(result.high[place])


def from_alphabeta(result: AlphaBetaResult, bonus: float = LARGE) -> AnalysisInfo:
    """Return the result of alpha-beta search; only the best move has a value."""
    value: float | None = float(result.value)
    proven = result.exact
    measure = POINTS if bonus >= LARGE else f"{POINTS}, {bonus:g} for winning"
    if value is None or math.isnan(value):
        value = None
    elif abs(value) > bonus / 2 and bonus >= LARGE:  # the margin, when the game is decided
        proven = True
        value -= math.copysign(bonus, value)
    return AnalysisInfo(
        value=value,
        measure=measure,
        proven=proven,
        depth=result.depth,
        nodes=result.nodes,
        moves=(Considered(result.move, value),),
        line=result.line,
    )
