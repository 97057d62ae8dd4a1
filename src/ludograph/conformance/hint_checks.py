"""Checks of the hints of a game: their form in each state, their truth in the last plies.

The truth is found by exhaustive search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import ConformanceError, require
from ludograph.conformance.key_checks import moves_of
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.games.solution import UNKNOWN
from ludograph.rules import CHANCE, OVER, PLY, TURN, Scores, Setup, State
from ludograph.rules.answers import moves_at, scores_at
from ludograph.search.custom.checks import CHECKS, CheckedCall, Sample, call, is_asked
from ludograph.search.hints import candidates, proven_scores, score_bounds_at
from ludograph.search.mcts.hints import leaf_value
from ludograph.search.plain_games import UNWRITTEN

HINTS: Mapping[str, Any] = {
    "candidates": candidates,
    "proven_scores": proven_scores,
    "score_bounds_at": score_bounds_at,
    "leaf_value": leaf_value,
}
"""The hints that are checked as an author's function for a search is, which may replace them."""

MARGIN = 1.0
"""How far estimates may be beyond the bounds of scores, in parts of the distance between these: an
evaluation may promise somewhat too much, such as points for mobility."""


def check_hints(setup: Setup, state: State, where: str) -> None:
    """Check the hints for searches in a state that is not over."""
    at = f"{where}, ply {state[PLY]}"
    sample = Sample(setup, state, at, ())
    made: dict[str, CheckedCall] = {}
    for name, hint in HINTS.items():
        if is_asked(name, sample):
            try:
                made[name] = call(name, hint, sample)
                CHECKS[name](made[name])
            except InvalidInput as error:
                raise ConformanceError(str(error)) from None
    moves = moves_at(setup, state)
    if state[TURN] == CHANCE:
        listed = np.full(rules.info(setup).move_capacity, UNWRITTEN, np.int32)
        chosen = listed[: candidates(setup, state, listed)]
        require(
            np.array_equal(chosen, moves),
            f"{at}: the candidates are {chosen.tolist()}, the legal moves {moves.tolist()}",
        )
        return
    values = made["leaf_value"].arrays["out"]
    check_bounds(setup, values, f"{at}: values of leaf_value", estimated=True)
    if made["proven_scores"].answer:
        check_bounds(setup, made["proven_scores"].arrays["out"], f"{at}: proven scores")


def check_bounds(setup: Setup, numbers: Scores, what: str, *, estimated: bool = False) -> None:
    """Check that scores, or estimates of them, are within the bounds of the game's scores.

    Estimates may be beyond them by :data:`MARGIN`.
    """
    low, high = rules.info(setup).lowest_score, rules.info(setup).highest_score
    beyond = MARGIN * (high - low) if estimated else 0.0
    require(
        (numbers >= low - beyond).all() and (numbers <= high + beyond).all(),
        f"{what} {numbers.tolist()} are {'far from' if estimated else 'not within'} {low:g} to "
        f"{high:g}, the bounds of scores in info: correct these numbers, or info",
    )


def check_prospects(setup: Setup, trail: list[State], where: str) -> None:
    """Check that no final score is above its proven upper bound.

    The lower bound is not checked, because random play may end below it.

    Parameters
    ----------
    trail
        The states of the game, the last one over.
    """
    seats = rules.info(setup).seats
    final = scores_at(setup, trail[-1])
    for state in trail[:-1]:
        low, high = np.zeros(seats), np.zeros(seats)
        if state[TURN] != CHANCE and score_bounds_at(setup, state, low, high):
            require(
                (final <= high).all(),
                f"{where}, ply {state[PLY]}: the score bounds {low.tolist()} to "
                f"{high.tolist()} are below {final.tolist()}, the scores at the end",
            )


STATES = 300
"""The most states that are searched for a game; larger trees are not checked."""

DEPTH = 50
"""The most plies to the end of the game; states with more are not checked."""

SOLVE_SECONDS = 5.0
"""Seconds for a game's own solver."""


class BestPlay(NamedTuple):
    """The result of best play.

    Attributes
    ----------
    lead
        The lead of the first seat over the second; a lone seat's score.
    least, most
        The least and the greatest final score of each seat, for all moves.
    """

    lead: float
    least: tuple[float, ...]
    most: tuple[float, ...]


class TooMuch(Exception):
    """There are too many states to search, or chance moves."""


class Ends:
    """Every line to its end, for one seat or two."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.known: dict[bytes, BestPlay] = {}

    def best(self, state: State, depth: int = 0) -> BestPlay:
        """Return the result of best play; raise TooMuch if the search is too large."""
        found = self.known.get(state.tobytes())
        if found is None:
            if state[TURN] == CHANCE or len(self.known) >= STATES or depth > DEPTH:
                raise TooMuch
            found = self._final(state) if state[TURN] == OVER else self._from_moves(state, depth)
            self.known[state.tobytes()] = found
        return found

    def after(self, state: State, move: int, depth: int = 0) -> BestPlay:
        """Return the result of best play after a move."""
        state = state.copy()
        rules.play(self.setup, state, move)
        return self.best(state, depth)

    def _final(self, state: State) -> BestPlay:
        scores = tuple(scores_at(self.setup, state).tolist())
        return BestPlay(lead(scores), scores, scores)

    def _from_moves(self, state: State, depth: int) -> BestPlay:
        after = [self.after(state, move, depth + 1) for move in moves_of(self.setup, state)]
        choose = [max if seat == state[TURN] else min for seat in range(len(after[0].least))]
        return BestPlay(
            choose[0](one.lead for one in after),
            tuple(pick(one.least[seat] for one in after) for seat, pick in enumerate(choose)),
            tuple(map(max, zip(*(one.most for one in after), strict=True))),
        )


def lead(scores: tuple[float, ...]) -> float:
    """Return the first seat's lead; a lone seat's score."""
    return scores[0] - (scores[1] if len(scores) > 1 else 0.0)


def check_ends(setup: Setup, trail: list[State], where: str) -> None:
    """Check candidates, proven scores and bounds near the end of a game, for up to two seats.

    Parameters
    ----------
    trail
        The states of the game, the last one over.
    """
    hints: tuple[Any, ...] = (candidates, proven_scores, score_bounds_at)
    told = any(hint.kernel(type(setup)) is not hint.default for hint in hints)
    if rules.info(setup).seats > 2 or not told:
        return
    ends = Ends(setup)
    for state in reversed(trail[:-1]):
        try:
            ends.best(state)
        except TooMuch:
            return
        check_end(ends, state, f"{where}, ply {state[PLY]}")


def check_solved(trail: list[Position], where: str) -> None:
    """Check a game's own solver against every line to the end, for two seats.

    The check uses the earliest position of a game from which all lines can be searched.

    Parameters
    ----------
    trail
        The positions of the game, the last one over.
    """
    ends, found = Ends(trail[0].setup), None
    for position in reversed(trail[:-1]):
        try:
            ends.best(position.state)
        except TooMuch:
            break
        if not position.is_chance:
            found = position
    if found is None or found.seats != 2:
        return
    best = ends.best(found.state).lead * (1 if found.turn == 0 else -1)
    expected = ("draw", "win", "loss")[(best > 0) - (best < 0)]
    for solve in (found.game.solving.solve, found.game.solving.solver()):
        try:
            verdict = solve(found.copy(), SOLVE_SECONDS).verdict
        except InvalidInput:
            continue  # the game cannot solve such positions
        require(
            verdict in (expected, UNKNOWN),
            f"{where}, ply {found.ply}: it is solved as a {verdict}, but best play leads to a "
            f"{expected} for seat {found.turn}",
        )


def check_end(ends: Ends, state: State, at: str) -> None:
    """Check the hints in a state whose result is known."""
    setup, best = ends.setup, ends.best(state)
    codes = np.empty(rules.info(setup).move_capacity, np.int32)
    listed = codes[: candidates(setup, state, codes)].tolist()
    require(
        any(ends.after(state, move).lead == best.lead for move in listed),
        f"{at}: none of the candidates {listed} is a best move",
    )
    one, other = np.zeros(len(best.least)), np.zeros(len(best.least))
    if proven_scores(setup, state, one):
        require(
            abs(lead(tuple(one.tolist())) - best.lead) < 1e-9,
            f"{at}: {one.tolist()} is said to be proven, but best play leads to a "
            f"{'lead' if one.size > 1 else 'score'} of {best.lead:g}",
        )
    if score_bounds_at(setup, state, one, other):
        low, high = one.tolist(), other.tolist()
        require((one <= best.least).all(), f"{at}: {low} is not sure, only {list(best.least)} is")
        require((other >= best.most).all(), f"{at}: more than {high} is possible: {best.most}")
