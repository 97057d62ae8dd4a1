"""Toy games that tell searches what is not so, each in one way."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import CHANCE, TURN
from tests.conformance.rule_mutants import DICE, NIM, write_beyond
from tests.conformance.spoiling import mutant, spoil
from tests.toys.coins import coins
from tests.toys.nim import WINNER, nim

# Candidates


@mutant(r"candidates returns 0, on seed 0, ply 0; .*")
def no_candidates():
    return spoil(NIM, candidates=lambda setup, state, out: 0)


@mutant(r"candidates lists the move 99, which is not legal, on seed 0, ply 0")
def a_candidate_that_is_not_legal():
    def candidates(setup, state, out):
        out[0] = 99
        return 1

    return spoil(NIM, candidates=candidates)


@mutant(r"seed 0, ply \d: the candidates are \[0\], the legal moves \[0, 1, 2, 3\]")
def candidates_of_chance():
    def candidates(setup, state, out):
        count = rules.legal_moves(setup.inner, state, out)
        return 1 if state[TURN] == CHANCE else count

    return spoil(DICE, candidates=candidates)


@mutant(r"seed 0, ply \d: none of the candidates \[\d\] is a best move")
def candidates_without_the_best():
    def candidates(setup, state, out):
        rules.legal_moves(setup.inner, state, out)
        return 1

    return spoil(nim([3, 3]), candidates=candidates)


@mutant(r"candidates writes beyond out, on seed 0, ply 0; .*")
def candidates_written_beyond():
    def candidates(setup, state, out):
        write_beyond(out)
        return rules.legal_moves(setup.inner, state, out)

    return spoil(NIM, candidates=candidates)


@mutant(r"candidates writes beyond state, on seed 0, ply 0; .*")
def candidates_writes_beyond_the_state():
    def candidates(setup, state, out):
        write_beyond(state)
        return rules.legal_moves(setup.inner, state, out)

    return spoil(NIM, candidates=candidates)


@mutant(r"candidates changes state, on seed 0, ply 0; .*")
def candidates_changes_the_state():
    def candidates(setup, state, out):
        state[WINNER] = 1
        return rules.legal_moves(setup.inner, state, out)

    return spoil(NIM, candidates=candidates)


# Proofs and bounds


@mutant(r"proven_scores changes state, on seed 0, ply 0; .*")
def proven_scores_changes_the_state():
    def proven_scores(setup, state, out):
        state[WINNER] = 1
        return False

    return spoil(NIM, proven_scores=proven_scores)


def proven(*scores):
    def proven_scores(setup, state, out):
        out[:] = scores
        return True

    return proven_scores


@mutant(r"seed 0, ply 0: proven scores \[7.0, 0.0\] are not within 0 to 1, the bounds .*")
def proven_beyond_the_bounds():
    return spoil(NIM, proven_scores=proven(7.0, 0.0))


@mutant(r"seed 0, ply \d: \[0.0, 1.0\] is said to be proven, but best play leads to a lead of 1")
def proven_wrongly():
    return spoil(NIM, proven_scores=proven(0.0, 1.0))


@mutant(r"seed 0, ply \d: \[9.0\] is said to be proven, but best play leads to a score of 23")
def proven_wrongly_for_one():
    return spoil(coins([3, 1, 4, 1, 5, 9], seats=1), proven_scores=proven(9.0))


def bounds_at(least, most):
    def score_bounds_at(setup, state, low, high):
        low[:], high[:] = least, most
        return True

    return score_bounds_at


@mutant(
    r"seed 0, ply \d: the score bounds \[0.0, 0.0\] to \[0.5, 0.5\] are below \[.*\], "
    "the scores at the end"
)
def bounds_below_the_end():
    return spoil(NIM, score_bounds_at=bounds_at(0.0, 0.5))


@mutant(r"seed 0, ply \d: \[1.0, 1.0\] is not sure, only \[.*\] is")
def bounds_too_sure():
    return spoil(NIM, score_bounds_at=bounds_at(1.0, 1.0))


@mutant(r"seed 0, ply \d: more than \[0.0, 1.0\] is possible: \(1.0, 1.0\)")
def bounds_of_one_seat_too_low():
    return spoil(nim([4, 4]), score_bounds_at=bounds_at(0.0, (0.0, 1.0)))


@mutant(r"score_bounds_at changes state, on seed 0, ply \d; .*")
def bounds_change_the_state():
    def score_bounds_at(setup, state, low, high):
        state[WINNER] = 1
        return False

    return spoil(NIM, score_bounds_at=score_bounds_at)


# Leaves


@mutant(r"leaf_value writes no number to out\[0\], on seed 0, ply 0; .*")
def leaf_without_value():
    def leaf_value(setup, state, rng, out):
        out[:] = np.nan

    return spoil(NIM, leaf_value=leaf_value)
