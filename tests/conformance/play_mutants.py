"""Toy games that are drawn, hashed, played out, dropped or compiled wrongly, each in one way."""

from __future__ import annotations

import contextlib
import itertools
from unittest import mock

import numpy as np

from ludograph import rules
from ludograph.conformance import check_rules
from ludograph.rules import CHANCE, OVER, PLY, TURN
from tests.conformance.rule_mutants import COINS, NIM, memory, play_then
from tests.conformance.spoiling import mutant, spoil
from tests.toys.coins import coins
from tests.toys.dice import dice
from tests.toys.nim import WINNER, nim

# Random moves


@mutant(r"seed 0, ply 0: sample_move gave 99, the legal moves are \[.*\]")
def sample_move_illegal():
    return spoil(NIM, sample_move=lambda setup, state, rng: 99)


@mutant(r"seed 0, ply 0: sample_move has changed the state")
def sample_move_plays():
    def sample_move(setup, state, rng):
        move = rules.sample_move(setup.inner, state, rng)
        rules.play(setup.inner, state, move)
        return move

    return spoil(NIM, sample_move=sample_move)


@mutant(r"seed 0, ply \d: of 2000 draws by sample_move \d+ are the move \d, \d+ the move \d")
def sample_move_prefers_a_move():
    def sample_move(setup, state, rng):
        drawn = [rules.sample_move(setup.inner, state, rng) for _ in range(2)]
        return min(drawn)

    return spoil(nim([6, 6]), sample_move=sample_move)


@mutant(r"seed 0, ply \d: of 2000 draws by sample_move \d+ are the move \d, \d+ the move \d")
def sample_move_takes_no_heed_of_weights():
    def sample_move(setup, state, rng):
        if state[TURN] == CHANCE:
            return int(rules.random_below(rng, setup.inner.faces.size))
        return rules.sample_move(setup.inner, state, rng)

    return spoil(dice(6), sample_move=sample_move)


@mutant("seed 0, ply 0: the same seed gives two different games")
def sample_move_of_another_generator():
    numbers = itertools.count()

    def sample_move(setup, state, rng):
        codes = np.zeros(6, np.int32)
        return codes[next(numbers) % rules.legal_moves(setup, state, codes)]

    return spoil(coins([1, 2, 3, 4, 5], seats=2), sample_move=sample_move)


# Keys


@mutant(r"seed 0, ply 0: equal states, unequal keys")
def key_reads_beyond():
    def key(setup, state):
        beyond = 0 if memory(state) is None else memory(state)[-1] % 1000
        return rules.key(setup.inner, state) + np.uint64(beyond)

    return spoil(NIM, key=key)


@mutant(r"seed 0: two states, of ply \d and \d, have one key and other moves")
def key_without_heaps():
    return spoil(NIM, key=lambda setup, state: np.uint64(state[TURN] + 2))


@mutant(r"seed 0: two states, of ply \d and \d, have one key and other scores at the end")
def key_without_scores():
    def key(setup, state):
        return np.uint64(state[TURN] + 2 + 10 * (state[2] + 10 * state[3]))

    return spoil(COINS, key=key)


# Playouts


@mutant("seed 0: a playout does not end the game")
def playout_stops_early():
    def playout(setup, state, rng, out):
        rules.play(setup.inner, state, rules.sample_move(setup.inner, state, rng))
        rules.scores(setup.inner, state, out)

    return spoil(NIM, playout=playout)


@mutant(r"seed 0, ply 0: values of leaf_value \[.*\] are far from 0 to 1, the bounds .*")
def playout_leads_beyond_the_bounds():
    def playout(setup, state, rng, out):
        rules.playout(setup.inner, state, rng, out)
        state[2] = 100
        rules.scores(setup, state, out)

    def scores(setup, state, out):
        rules.scores(setup.inner, state, out)
        if state[2] == 100:
            out[0] = 100.0

    return spoil(NIM, playout=playout, scores=scores)


@mutant("seed 0: a playout writes other scores")
def playout_writes_no_scores():
    def playout(setup, state, rng, out):
        rules.playout(setup.inner, state, rng, out)
        out[:] = 0.5

    return spoil(NIM, playout=playout)


@mutant("seed 0: two playouts with one seed give different scores")
def playout_of_another_generator():
    numbers = itertools.count()

    def playout(setup, state, rng, out):
        rules.playout(setup.inner, state, rules.random_state(next(numbers)), out)

    return spoil(coins([3, 1, 4, 1, 5, 9]), playout=playout)


# Machine code, which is here what runs outside of rules.interpreted()


@contextlib.contextmanager
def machine_code():
    """Give a function that tells whether machine code would run."""
    plain = False

    @contextlib.contextmanager
    def interpreted():
        nonlocal plain
        plain = True
        try:
            yield
        finally:
            plain = False

    with mock.patch.object(rules, "interpreted", interpreted):
        yield lambda: not plain


@mutant(r"seed 0, ply 0: scores is \[1. 0.\] compiled and \[0. 0.\] as plain Python")
def scores_other_in_machine_code():
    with machine_code() as is_machine_code:

        def scores(setup, state, out):
            rules.scores(setup.inner, state, out)
            if is_machine_code() and state[TURN] != OVER:
                out[0] = 1.0

        check_rules(spoil(NIM, scores=scores), games=1)


@mutant(r"seed 0, ply \d: plain Python plays another game than machine code")
def play_other_in_machine_code():
    with machine_code() as is_machine_code:

        def change(setup, state):
            state[WINNER] += is_machine_code()

        def scores(setup, state, out):
            out[0], out[1] = 0.0, 1.0

        check_rules(spoil(NIM, play=play_then(change), scores=scores), games=1)


# Seats that are eliminated


@mutant(r"seed 0, ply \d: seat \d moves after it was dropped")
def drop_does_nothing():
    return spoil(COINS, drop=lambda setup, state, seat: None)


@mutant(r"seed 0, ply \d+: without seat \d the game goes on forever")
def drop_without_an_end():
    def drop(setup, state, seat):
        state[TURN] = 100 + (seat + 1) % 3

    def legal_moves(setup, state, out):
        if state[TURN] >= 100:
            out[0] = 0
            return 1
        return rules.legal_moves(setup.inner, state, out)

    def play(setup, state, move):
        if state[TURN] >= 100:
            state[PLY] += 1
        else:
            rules.play(setup.inner, state, move)

    return spoil(COINS, drop=drop, legal_moves=legal_moves, play=play)
