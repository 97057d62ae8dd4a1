"""Toy games whose Setup, start, moves, scores or chances break the contract, each in one way."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import OVER, PLY, TURN, GameInfo
from tests.conformance.spoiling import mutant, spoil
from tests.toys.coins import coins
from tests.toys.dice import dice
from tests.toys.nim import WINNER, nim

NIM = nim([3, 2])
DICE = dice(2)
COINS = coins([3, 1, 4, 1, 5, 9], seats=3)


def memory(array):
    """Return what lies around an array, as a kernel that runs beyond its end sees it, or None."""
    return array.base if array.base is not None and array.base.ndim == 1 else None


def write_beyond(array):
    if memory(array) is not None:
        memory(array)[-1] = 7


# What a Setup says


def saying(inner, **changes):
    """Return a Setup that says something else of its games, with other rules if there are any."""
    spoiled = {name: changes.pop(name) for name in list(changes) if name not in GameInfo._fields}

    def info(setup):
        return rules.info(setup.inner)._replace(**changes)

    return spoil(inner, info=info, **spoiled)


@mutant("there are 0 seats")
def no_seats():
    return saying(NIM, seats=0)


@mutant("a state has 1 slots, turn and ply alone are 2")
def no_room_for_the_turn():
    return saying(NIM, state_size=1)


@mutant("the score bounds are 1 to 0")
def score_bounds_upside_down():
    return saying(NIM, lowest_score=1.0, highest_score=0.0)


@mutant("the score bounds are 0 to inf")
def score_bounds_without_end():
    return saying(NIM, highest_score=np.inf)


@mutant("the score bounds are nan to nan")
def score_bounds_that_are_no_numbers():
    return saying(NIM, lowest_score=np.nan, highest_score=np.nan)


BOUNDS = "the bounds of scores in info: correct these numbers, or info"


@mutant(rf"seed 0: final scores \[.*\] are not within 0 to 0.5, {BOUNDS}")
def score_bounds_too_narrow():
    return saying(NIM, highest_score=0.5)


@mutant(r"seed 0, ply 1: the game goes on beyond its bound of 1 plies")
def ply_bound_too_small():
    return saying(NIM, ply_bound=1)


@mutant("seed 0, 40 random games: one goes on beyond its bound of 4 plies")
def ply_bound_of_some_games():
    return saying(nim([4, 4]), ply_bound=4)


@mutant("info must return rules.GameInfo\\(...\\), not tuple")
def info_without_names():
    return spoil(NIM, info=lambda setup: tuple(rules.info(setup.inner)))


# The start


@mutant("seed 0: start leaves slots of the state as they were")
def start_leaves_a_slot():
    def start(setup, state):
        old = state[WINNER]
        rules.start(setup.inner, state)
        state[WINNER] = old

    return spoil(NIM, start=start)


@mutant("seed 0: a fresh state has ply 1, not 0")
def start_at_ply_1():
    def start(setup, state):
        rules.start(setup.inner, state)
        state[PLY] = 1

    return spoil(NIM, start=start)


# Moves


def moves_then(change):
    """Return legal_moves with a change to what is listed: ``change(state, out, count)``."""

    def legal_moves(setup, state, out):
        return change(state, out, rules.legal_moves(setup.inner, state, out))

    return legal_moves


@mutant(r"seed 0, ply 0: 5 legal moves, the capacity is 4")
def more_moves_than_capacity():
    def legal_moves(setup, state, out):
        room = np.zeros(20, np.int32)
        count = rules.legal_moves(setup.inner, state, room)
        out[:] = room[: out.size]
        return count

    return saying(NIM, move_capacity=4, legal_moves=legal_moves)


@mutant(r"seed 0, ply 0: 0 legal moves, the capacity is 6")
def no_moves():
    return spoil(NIM, legal_moves=lambda setup, state, out: 0)


@mutant(r"seed 0, ply 0: a legal move is listed twice in \[0, 1, 2, 3, 4, 0\]")
def a_move_listed_twice():
    def change(state, out, count):
        out[count] = out[0]
        return count + 1

    return saying(NIM, legal_moves=moves_then(change), move_capacity=20)


@mutant(r"seed 0, ply 0: a move has the code -3, below 0")
def a_negative_code():
    def change(state, out, count):
        out[0] = -3
        return count

    return spoil(NIM, legal_moves=moves_then(change))


@mutant("seed 0: there are moves after the end")
def moves_after_the_end():
    return spoil(NIM, legal_moves=moves_then(lambda state, out, count: max(count, 1)))


@mutant(r"seed 0, ply 0: legal_moves has changed the state")
def legal_moves_changes_the_state():
    def change(state, out, count):
        state[WINNER] = 1
        return count

    return spoil(NIM, legal_moves=moves_then(change))


@mutant(r"seed 0, ply \d: legal_moves wrote beyond the end of its array")
def legal_moves_writes_beyond():
    def change(state, out, count):
        write_beyond(out)
        return count

    return spoil(NIM, legal_moves=moves_then(change))


# Playing


def play_then(change):
    """Return play with a change to the state after it: ``change(setup, state)``."""

    def play(setup, state, move):
        rules.play(setup.inner, state, move)
        change(setup, state)

    return play


@mutant(r"seed 0, ply 1: the turn is [56], of 2 seats")
def a_turn_of_nobody():
    def change(setup, state):
        state[TURN] += 5

    return spoil(NIM, play=play_then(change))


@mutant(r"seed 0, ply 0: playing \d does not count one ply")
def play_counts_two_plies():
    def change(setup, state):
        state[PLY] += 1

    return spoil(NIM, play=play_then(change))


@mutant(
    r"seed 0, ply 0: play makes two states of one state and the move \d: it must depend on "
    "nothing else; chance is drawn at a state with the turn CHANCE"
)
def play_reads_beyond():
    def change(setup, state):
        if memory(state) is not None:
            state[WINNER] = memory(state)[-1]

    return spoil(NIM, play=play_then(change))


@mutant(r"seed 0, ply 0: play wrote beyond the end of the state")
def play_writes_beyond():
    return spoil(NIM, play=play_then(lambda setup, state: write_beyond(state)))


@mutant(r"seed 0: the rules have changed the setup")
def play_changes_the_setup():
    def change(setup, state):
        setup.inner.heaps[0] += 1

    return spoil(nim([3, 2]), play=play_then(change))


@mutant(r"seed 0: the rules have changed the setup")
def playout_changes_the_setup():
    def playout(setup, state, rng, out):
        setup.inner.heaps[0] += 1
        rules.playout(setup.inner, state, rng, out)

    return spoil(nim([3, 2]), playout=playout)


# Scores


@mutant(r"seed 0, ply 0: scores gives \[nan, nan\]: it must write a finite number for each seat")
def scores_only_at_the_end():
    def scores(setup, state, out):
        rules.scores(setup.inner, state, out)
        if state[TURN] != OVER:
            out[:] = np.nan

    return spoil(NIM, scores=scores)


@mutant(r"seed 0, ply 0: evaluate gives \[inf, 0.0\]: it must write a finite number for each seat")
def evaluate_without_end():
    def evaluate(setup, state, out):
        out[0], out[1] = np.inf, 0.0

    return spoil(NIM, evaluate=evaluate)


@mutant(rf"seed 0, ply 0: estimates of evaluate \[50.0, 50.0\] are far from 0 to 1, {BOUNDS}")
def evaluate_on_another_scale():
    def evaluate(setup, state, out):
        out[:] = 50.0

    return spoil(NIM, evaluate=evaluate)


@mutant(
    "seed 0, 40 random games: the seat that evaluate sees ahead at last wins 0 times and loses "
    r"\d\d: write the greatest number to out for the seat with the best prospects"
)
def evaluate_the_other_seat():
    def evaluate(setup, state, out):
        for seat in range(2):  # of heaps of one, an odd number is left for who wins
            out[seat] = (state[PLY] + (state[TURN] == seat)) % 2

    return spoil(nim([1, 1, 1, 1]), evaluate=evaluate)


@mutant(
    "seed 0, 40 random games: seat 2 never has the turn: play must give it to each seat, by "
    r"state\[TURN\] from 0 to 2"
)
def a_seat_without_a_turn():
    def change(setup, state):
        state[TURN] = min(state[TURN], 1)

    return spoil(COINS, play=play_then(change))


@mutant(r"seed 0, ply 0: scores gives \[0.0, nan\]: it must write a finite number for each seat")
def scores_of_one_seat():
    def scores(setup, state, out):
        out[0] = 0.0

    return spoil(NIM, scores=scores)


@mutant(r"seed 0, ply 0: scores wrote beyond the end of its array")
def scores_of_three_seats():
    def scores(setup, state, out):
        rules.scores(setup.inner, state, out)
        write_beyond(out)

    return spoil(NIM, scores=scores)


# Chance


def weights_then(change):
    def weights(setup, state, outcomes, out):
        rules.weights(setup.inner, state, outcomes, out)
        change(out)

    return weights


@mutant(r"seed 0, ply \d: weights wrote beyond the end of its array")
def weights_of_too_many():
    return spoil(DICE, weights=weights_then(write_beyond))


@mutant(r"seed 0, ply \d: an outcome has no probability above 0")
def an_outcome_that_never_comes():
    def change(out):
        out[0], out[1] = 0.0, out[0] + out[1]

    return spoil(DICE, weights=weights_then(change))


@mutant(r"seed 0, ply \d: the probabilities sum to 1.5, not 1")
def probabilities_above_1():
    def change(out):
        out[2] += 0.5

    return spoil(DICE, weights=weights_then(change))
