"""Toy games that show learners what is not there, each in one way."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.rules import ObservationInfo
from tests.conformance.rule_mutants import NIM, write_beyond
from tests.conformance.spoiling import mutant, spoil


def sizes(**changed):
    right = ObservationInfo(*rules.observation(NIM))
    return lambda setup: right._replace(**changed)


@mutant(r"a size of an observation is negative: .*")
def negative_size():
    return spoil(NIM, observation=sizes(vertices=-1))


@mutant(r"an observation has 0 numbers")
def sees_nothing():
    return spoil(NIM, observation=sizes(game_features=0))


@mutant(r"there is no kind of moves")
def no_kind():
    return spoil(NIM, observation=sizes(kinds=0))


@mutant(r"seed 0, ply 0: seat 0 sees features that are not finite, or not written")
def nothing_written():
    return spoil(NIM, observe=lambda setup, state, seat, vertices, game: None)


@mutant(r"seed 0, ply 0: observe wrote beyond the end of its arrays")
def features_written_beyond():
    def observe(setup, state, seat, vertices, game):
        game[:] = 0.0
        np.lib.stride_tricks.as_strided(game, (game.size + 1,))[game.size] = 1.0

    return spoil(NIM, observe=observe)


@mutant(r"seed 0, ply 0: an observation has changed the state")
def observing_plays():
    def observe(setup, state, seat, vertices, game):
        game[:] = 0.0
        state[rules.PLY] += 1

    return spoil(NIM, observe=observe)


@mutant(r"seed 0, ply 0: \d+ is a legal move, all codes are said to be below 1")
def codes_beyond_the_bound():
    return spoil(NIM, observation=sizes(codes=1))


def touching(kind=0, end=0, vertex=0):
    def touch(setup, state, moves, kinds, ends, vertices):
        kinds[:], ends[:], vertices[:] = kind, end, vertex

    return touch


@mutant(r"seed 0, ply 0: the moves are of the kinds \[3, .*\], there are 1")
def unknown_kind():
    return spoil(NIM, touch=touching(kind=3))


@mutant(r"seed 0, ply 0: what moves touch ends at \[1, .*\], with room for 0")
def touches_too_much():
    return spoil(NIM, touch=touching(end=1))


@mutant(r"seed 0, ply 0: moves touch the vertices \[9\], there are 0")
def touches_what_is_not_there():
    return spoil(NIM, observation=sizes(touched=1), touch=touching(end=1, vertex=9))


@mutant(r"seed 0, ply 0: touch wrote beyond the end of its arrays")
def touch_written_beyond():
    def touch(setup, state, moves, kinds, ends, vertices):
        kinds[:], ends[:] = 0, 0
        write_beyond(kinds)

    return spoil(NIM, touch=touch)
