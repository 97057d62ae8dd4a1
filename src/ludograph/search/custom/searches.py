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

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.rules import TURN, Moves, Setup, State
from ludograph.search.alphabeta import LARGE, AlphaBeta, AlphaBetaResult
from ludograph.search.custom.checks import (
    check_provable,
    checked_parts,
    refuse_unknown,
)
from ludograph.search.custom.setups import customized
from ludograph.search.mcts import GameKnowledge, MonteCarlo, MonteCarloResult, SearchOptions
from ludograph.search.pacing import load_rules
from ludograph.search.proof import ProofResult, Prover
from ludograph.search.proof.prover import NODES_LIMIT, TABLE_BITS
from ludograph.search.searched import SearchedPosition, check_limits, checked_number

Function: TypeAlias = Callable[..., Any] | None
"""An author's function, or None: the game's own."""

ALPHA_BETA = ("evaluate", "candidates", "proven_scores", "score_bounds_at")
MONTE_CARLO = ("playout", "leaf_value", "priors", "candidates", "proven_scores")
PROOF = ("candidates", "proven_scores", "score_bounds_at", "proof_numbers")
"""The hints that an author can replace in each search."""

EXACT = ("candidates", "proven_scores", "score_bounds_at")
"""The hints that a proof assumes to be right."""

OPTIONS = tuple(field.name for field in fields(SearchOptions))

RANGES = {
    "c": (0.0, 1e6),
    "margin_weight": (0.0, 1.0),
    "margin_cap": (1e-6, 1e9),
    "prior_weight": (0.0, 1e6),
}
"""The least and the greatest value of options of Monte Carlo search."""

MOST_TABLE_BITS = 36
"""The most bits of a table of proofs: a terabyte."""


class NoMoveKnowledge(NamedTuple):
    """Empty knowledge of moves, for an author's priors."""

    nothing: Moves


PRIORS_ALONE = GameKnowledge(of_moves=lambda: NoMoveKnowledge(np.zeros(1, np.int32)))
"""The knowledge of a search whose only hints on moves are an author's priors."""


class AlphaBetaSearch:
    """Alpha-beta search for all positions of one game, with the author's own functions.

    A function is a plain Python function of a module; the search compiles it, and tests it on the
    position and on random ones. The game's own functions are used for all others.

    Parameters
    ----------
    position
        Any position of the game.
    evaluate
        ``evaluate(setup, state, out)`` writes an estimate of every seat's score at the end, see
        :func:`ludograph.rules.evaluate`.
    candidates
        ``candidates(setup, state, out)`` writes the moves to consider and returns their number, see
        :func:`ludograph.search.hints.candidates`.
    proven_scores, score_bounds_at
        Knowledge of the final scores, see :mod:`ludograph.search.hints`.
    data
        Data that the functions read beside the position, such as tuned weights: a NumPy array, or a
        NamedTuple of arrays and numbers. With data each function has a last parameter,
        ``evaluate(setup, state, out, data)``; other values in it need no compilation.
    threads, win_bonus
        See :class:`ludograph.search.alphabeta.AlphaBeta`.

    Raises
    ------
    InvalidInput
        If a function cannot be used, a keyword is unknown, or its value is out of its range.
    """

    def __init__(
        self,
        position: SearchedPosition,
        *,
        evaluate: Function = None,
        candidates: Function = None,
        proven_scores: Function = None,
        score_bounds_at: Function = None,
        data: Any = None,
        threads: int = 1,
        win_bonus: float = LARGE,
        **unknown: Any,
    ) -> None:
        refuse_unknown("AlphaBetaSearch", unknown, (*ALPHA_BETA, "data", "threads", "win_bonus"))
        check_limits(threads=threads)
        checked_number("win_bonus", win_bonus, 0.0, LARGE)
        functions = (evaluate, candidates, proven_scores, score_bounds_at)
        parts = checked_parts(position, ALPHA_BETA, functions, data)
        self.setup = position.setup
        setup = customized(position, parts, data)
        self.inner = AlphaBeta(setup, threads=threads, win_bonus=win_bonus)

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
        found = self.inner.search(state, time=time, depth=depth)
        return replace(found, position=position.copy())


class MonteCarloSearch:
    """Monte Carlo tree search for all positions of one game, with the author's own functions.

    As in :class:`AlphaBetaSearch`, the game's own functions are used for all others. The search
    does not use knowledge of the game's own strategy beyond rules and hints (a network, for
    example).

    Parameters
    ----------
    position
        Any position of the game.
    playout
        ``playout(setup, state, rng, out)`` plays a random game to its end, in place, and writes the
        scores. It replaces the game's ``leaf_value``, too.
    leaf_value
        ``leaf_value(setup, state, rng, out)`` writes the value of a leaf for each seat, on the
        scale of scores; the state may change.
    priors
        ``priors(setup, state, moves, out)`` writes the likelihood of each of some moves to be the
        best one; the sum is 1.
    candidates, proven_scores, data
        See :class:`AlphaBetaSearch`.
    options
        The parameters of the search; None: the defaults, with ``reuse``.
    keywords
        The fields of :class:`ludograph.search.mcts.SearchOptions`, such as ``c`` or ``threads``.

    Raises
    ------
    InvalidInput
        If a function cannot be used, a keyword is unknown, or its value is out of its range.
    """

    def __init__(
        self,
        position: SearchedPosition,
        *,
        playout: Function = None,
        leaf_value: Function = None,
        priors: Function = None,
        candidates: Function = None,
        proven_scores: Function = None,
        data: Any = None,
        options: SearchOptions | None = None,
        **keywords: Any,
    ) -> None:
        unknown = {name: value for name, value in keywords.items() if name not in OPTIONS}
        refuse_unknown("MonteCarloSearch", unknown, (*MONTE_CARLO, "data", "options", *OPTIONS))
        options = replace(options or SearchOptions(reuse=True), **keywords)
        check_limits(
            threads=options.threads,
            nodes=options.nodes,
            expand_threshold=options.expand_threshold,
        )
        for name, (least, most) in RANGES.items():
            value = getattr(options, name)
            if value is not None:
                checked_number(name, value, least, most)
        functions = (playout, leaf_value, priors, candidates, proven_scores)
        parts = checked_parts(position, MONTE_CARLO, functions, data)
        self.setup = position.setup
        knowledge = GameKnowledge() if priors is None else PRIORS_ALONE
        setup = customized(position, parts, data)
        self.inner = MonteCarlo(setup, options, knowledge)

    def search(
        self, position: SearchedPosition, *, time: float | None = None, sims: int | None = None
    ) -> MonteCarloResult:
        """Search for a move; the position stays as it is.

        Parameters
        ----------
        position
            Of the same game; a seat is to move.
        time, sims
            The limits: seconds and simulations; at least one must be given.

        Raises
        ------
        InvalidInput
            If the position is of another game, over or chance's, or a limit is missing or none.
        """
        check_limits(time=time, sims=sims)
        if time is None and sims is None:
            raise InvalidInput("a search needs a limit: time in seconds, or sims")
        state = state_to_search(self.setup, position)
        found = self.inner.search(state, time=time, sims=sims)
        return replace(found, position=position.copy())

    def line(self) -> tuple[int, ...]:
        """Return the expected moves, beginning with the move of the last search."""
        return self.inner.line()


class ProofSearch:
    """Proof-number search for all positions of one game of two, with the author's own functions.

    As in :class:`AlphaBetaSearch`, the game's own functions are used for all others. The search
    proves whether the seat to move wins, loses or draws with best play.

    A proof is only as right as the functions that it depends on. The search assumes that
    ``candidates``, ``proven_scores`` and ``score_bounds_at`` are exact: if one of them is wrong in
    a position, a proof may be wrong without any error. The result names them in ``rests_on``.
    ``proof_numbers`` can only change how long a proof takes.

    There is no ``evaluate``, as an estimate proves nothing, and no separate order of moves: the
    search tries the move with the least proof number first, and of equal moves the one that
    ``candidates`` lists first.

    Parameters
    ----------
    position
        Any position of the game.
    candidates, proven_scores, score_bounds_at, data
        See :class:`AlphaBetaSearch`. The search stores its proofs, so the values of ``data`` must
        not change.
    proof_numbers
        ``proof_numbers(setup, state, out)`` writes for each seat the estimated distance of a proof
        that it wins, a number from 1 on, see :func:`ludograph.search.proof.game.proof_numbers`.
    table_bits
        The table has ``2 ** table_bits`` entries of 16 bytes.

    Raises
    ------
    InvalidInput
        If a function cannot be used, a keyword is unknown, or the game is not one for two seats
        without chance, or is too large.
    """

    def __init__(
        self,
        position: SearchedPosition,
        *,
        candidates: Function = None,
        proven_scores: Function = None,
        score_bounds_at: Function = None,
        proof_numbers: Function = None,
        data: Any = None,
        table_bits: int = TABLE_BITS,
        **unknown: Any,
    ) -> None:
        refuse_unknown("ProofSearch", unknown, (*PROOF, "data", "table_bits"))
        check_limits(table_bits=table_bits)
        checked_number("table_bits", table_bits, 1, MOST_TABLE_BITS)
        check_provable(position.setup)
        functions = (candidates, proven_scores, score_bounds_at, proof_numbers)
        parts = checked_parts(position, PROOF, functions, data)
        self.setup = position.setup
        self.rests_on = tuple(name for name in EXACT if name in parts)
        setup = customized(position, parts, data)
        self.inner = Prover(setup, table_bits=table_bits)
        load_rules(setup)

    def search(
        self,
        position: SearchedPosition,
        *,
        time: float | None = None,
        nodes: int | None = NODES_LIMIT,
    ) -> ProofResult:
        """Prove the result of best play; the position is not changed.

        Parameters
        ----------
        position
            Of the same game; a seat is to move.
        time, nodes
            The limits: seconds and positions to expand.

        Returns
        -------
        ProofResult
            ``value`` is None if the limits were reached first; else ``line`` begins with a best
            move.

        Raises
        ------
        InvalidInput
            If the position is of another game, over or chance's, or a limit is none.
        """
        check_limits(time=time, nodes=nodes)
        state = state_to_search(self.setup, position)
        self.inner.allow(nodes=nodes, time=time)
        found = self.inner.solve(state)
        return replace(found, rests_on=self.rests_on, position=position.copy())


def state_to_search(setup: Setup, position: SearchedPosition) -> State:
    """Return the state of a position in which a seat is to move, of the game with this Setup."""
    if position.setup is not setup:
        raise InvalidInput("this search was made for another game: make a new one for each game")
    if position.state[TURN] < 0:
        raise InvalidInput("no seat is to move in this position: it is over, or chance moves")
    return position.state
