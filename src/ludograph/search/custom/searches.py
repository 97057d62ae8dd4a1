"""Searches from a position, with an author's own functions in place of the game's.

>>> from ludograph import flood, rules, search
>>> def lead(setup, state, out):
...     rules.scores(setup, state, out)
...     out[0] += 0.5
>>> position = flood.position(5, seed=1)
>>> search.AlphaBetaSearch(position, evaluate=lead).search(position, depth=2).depth
2
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from ludograph.errors import InvalidInput, is_whole
from ludograph.quoting import described
from ludograph.rules import TURN, State
from ludograph.search.alphabeta import LARGE, AlphaBeta
from ludograph.search.alphabeta import Result as AlphaBetaResult
from ludograph.search.custom.checks import checked_parts, refuse_unknown
from ludograph.search.custom.setups import SearchedPosition, customized

Function: TypeAlias = Callable[..., Any] | None
"""An author's function, or None: the game's own."""

ALPHA_BETA = {
    "evaluate": ("setup", "state", "out"),
    "candidates": ("setup", "state", "out"),
    "proven_scores": ("setup", "state", "out"),
    "score_bounds_at": ("setup", "state", "low", "high"),
}


class AlphaBetaSearch:
    """Alpha-beta search for all positions of one game, with the author's own functions.

    A function is plain Python of a module, and is compiled. What none is given for is the game's
    own. It is tried on the position and on random ones before.

    Parameters
    ----------
    position
        Any position of the game.
    evaluate
        ``evaluate(setup, state, out)`` writes an estimate of every seat's score at the end, see
        :func:`ludograph.rules.evaluate`.
    candidates
        ``candidates(setup, state, out)`` writes the moves to look at and returns how many, see
        :func:`ludograph.search.hints.candidates`.
    proven_scores, score_bounds_at
        What is known of the end, see :mod:`ludograph.search.hints`.
    threads, win_bonus
        See :class:`ludograph.search.alphabeta.AlphaBeta`.

    Raises
    ------
    InvalidInput
        If a function cannot be used, or a keyword is unknown.
    """

    def __init__(
        self,
        position: SearchedPosition,
        *,
        evaluate: Function = None,
        candidates: Function = None,
        proven_scores: Function = None,
        score_bounds_at: Function = None,
        threads: int = 1,
        win_bonus: float = LARGE,
        **unknown: Any,
    ) -> None:
        refuse_unknown("AlphaBetaSearch", unknown, (*ALPHA_BETA, "threads", "win_bonus"))
        if not is_whole(threads) or threads < 1:
            raise InvalidInput(
                f"threads must be a whole number from 1 on, got {described(threads)}"
            )
        functions = {
            "evaluate": evaluate,
            "candidates": candidates,
            "proven_scores": proven_scores,
            "score_bounds_at": score_bounds_at,
        }
        parts = checked_parts(position, functions, ALPHA_BETA)
        self.setup = position.setup
        self.kernel = AlphaBeta(customized(position, parts), threads=threads, win_bonus=win_bonus)

    def search(
        self, position: SearchedPosition, *, time: float | None = None, depth: int | None = None
    ) -> AlphaBetaResult:
        """Search for a move; the position stays as it is.

        Parameters
        ----------
        position
            Of the same game; a seat is to move.
        time, depth
            Seconds to spend, plies to look ahead. Without either the search ends when the value is
            exact, which only small games reach.

        Raises
        ------
        InvalidInput
            If the position is of another game, over or chance's, or a limit is none.
        """
        check_limits(time=time, depth=depth)
        state = state_to_search(self.setup, position)
        return self.kernel.search(state, time=time, depth=depth)


def state_to_search(setup: Any, position: SearchedPosition) -> State:
    """Return the state of a position in which a seat is to move, of the game with this Setup."""
    if position.setup is not setup:
        raise InvalidInput("this search was made for another game: make a new one for each game")
    if position.state[TURN] < 0:
        raise InvalidInput("no seat is to move in this position: it is over, or chance moves")
    return position.state


def check_limits(*, time: float | None, **wholes: int | None) -> None:
    """Raise InvalidInput if limits of a search are no positive numbers."""
    number = isinstance(time, int | float) and not isinstance(time, bool)
    if time is not None and not (number and math.isfinite(time) and time > 0):
        raise InvalidInput(f"time must be a positive number of seconds, got {described(time)}")
    for name, value in wholes.items():
        if value is not None and (not is_whole(value) or value < 1):
            raise InvalidInput(f"{name} must be a whole number from 1 on, got {described(value)}")
