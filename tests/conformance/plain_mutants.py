"""Toy games with rules that machine code would run beyond its arrays, or forever."""

from __future__ import annotations

from unittest import mock

import numpy as np

from ludograph import rules
from ludograph.conformance import check_rules, plain_python
from ludograph.rules import HEADER, OVER, PLY, TURN
from tests.conformance.play_mutants import machine_code
from tests.conformance.rule_mutants import COINS, NIM, play_then
from tests.conformance.spoiling import mutant, spoil

HERE = rf"{__file__}, line \d+"


@mutant(rf"seed 0, ply 0: {HERE}: play fails: state has no index 40, its size is \d+")
def play_with_a_state_too_small():
    def play(setup, state, move):
        state[40] = move
        rules.play(setup.inner, state, move)

    return spoil(NIM, play=play)


@mutant(
    rf"seed 0, ply 0: {HERE}: evaluate fails: state has the index -1; in machine code only a "
    "constant index such as -1 counts from the end"
)
def evaluate_from_the_end():
    def evaluate(setup, state, out):
        place = state[TURN] - 1
        out[0] = out[1] = state[-1] + state[place]

    return spoil(NIM, evaluate=evaluate)


@mutant(rf"seed 0, ply 1: {HERE}: play fails: OverflowError: .*")
def play_of_a_number_too_large():
    def play(setup, state, move):
        rules.play(setup.inner, state, move)
        state[HEADER] = 2**31

    return spoil(NIM, play=play)


@mutant(rf"seed 0, ply 0: {HERE}: drop fails: FloatingPointError: divide by zero .*")
def drop_divides_by_zero():
    def drop(setup, state, seat):
        state[TURN] = seat // (state[PLY] - state[PLY])

    return spoil(COINS, drop=drop)


@mutant(rf"seed 0, ply 0: {HERE}: play fails: play has not returned for 0.1 s")
def play_without_an_end():
    def play(setup, state, move):
        while True:
            state[HEADER] = move

    with mock.patch.object(plain_python, "SECONDS", 0.1):
        check_rules(spoil(NIM, play=play), games=1)


@mutant(r"seed 0: legal_moves must return the number of moves, not float")
def legal_moves_counts_in_halves():
    return spoil(NIM, legal_moves=lambda setup, state, out: 1.5)


@mutant(r"seed 0: sample_move must return the code of a move, not float64")
def sample_move_of_a_float():
    return spoil(NIM, sample_move=lambda setup, state, rng: np.float64(0.0))


@mutant(rf"seed 0, ply \d: {HERE}: change fails: UFuncTypeError: .*")
def play_that_only_machine_code_can():
    with machine_code() as is_machine_code:

        def change(setup, state):
            if not is_machine_code() and state[TURN] != OVER:
                state[HEADER] += "1"

        check_rules(spoil(NIM, play=play_then(change)), games=1)
