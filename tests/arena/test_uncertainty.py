"""Intervals hold the truth as often as they say; the statistics that they are made of."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.ratings import SimulatedPlayers, coverage, named
from ludograph.arena import GameKey, RoundRobin, rate
from ludograph.arena.intervals import student_quantile
from ludograph.arena.ratings.fit import bounded, closure, groups
from ludograph.arena.ratings.rating import ELO
from ludograph.arena.ratings.uncertainty import reach
from tests.amounts import amount


@pytest.mark.parametrize(
    ("freedom", "table"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)],
)
def test_quantiles_of_students_distribution_are_those_of_the_tables(freedom, table):
    assert student_quantile(0.975, freedom) == pytest.approx(table, rel=0.01)
    assert student_quantile(0.025, freedom) == pytest.approx(-table, rel=0.01)


def test_with_much_freedom_it_is_the_normal_distribution():
    assert student_quantile(0.975, math.inf) == pytest.approx(1.959964)
    with pytest.raises(ValueError, match="0 degrees"):
        student_quantile(0.5, 0)


@pytest.mark.slow
@pytest.mark.parametrize("world", [{}, {"bias": 350.0}, {"affinity": 400.0}])
def test_intervals_hold_the_truth_whether_or_not_games_of_a_start_are_alike(world):
    """95 % is asked for; 40 tournaments with 6 intervals each tell 85 % from it, not 92 %."""
    elo = named(np.linspace(-150, 150, 4))
    names = tuple(elo)
    schedule, many = RoundRobin(names, 20), RoundRobin(names, 1000)
    own, pairs, naive, _ = coverage(schedule, many, elo, world, times=40)
    assert own >= 0.88
    assert pairs >= 0.88
    if "affinity" in world:
        assert naive < 0.85  # a model that takes games for independent is too sure


@pytest.mark.parametrize("starts", [1, 3, 40])
def test_all_pairs_at_once_are_told_apart_like_two_players_alone(starts):
    """With few clusters and many, and with two groups that no game joins."""
    world = SimulatedPlayers(named(np.linspace(-300, 300, 6)), seed=starts)
    players = list(world.place)
    halves = [players[:3], players[3:]] if starts == 3 else [players]
    keys = [
        GameKey(start, pair)
        for start in range(starts)
        for half in halves
        for pair in permutations(half, 2)
    ]
    ratings = rate(world.play(keys), prior=1.0)
    better = ratings.better(players)
    for row, one in enumerate(players):
        for column, two in enumerate(players):
            clear = False
            if one != two and ratings.of(one).group == ratings.of(two).group:
                gap, _ = ratings.difference(one, two)
                contrast = np.zeros(len(players))
                place = ratings.estimate.players.index
                contrast[place(one)], contrast[place(two)] = 1, -1
                (half,) = reach(*ratings.estimate.uncertainty.of_each(contrast[None]))
                clear = gap > half * ELO
            assert better[row, column] == ratings.is_better(one, two) == clear
    assert better.any() == (starts == 40)


@given(st.integers(0, 10**6), st.integers(1, 9))
@settings(max_examples=amount(30), deadline=None)
def test_closure_and_groups_are_those_of_a_walk(seed, size):
    relation = np.random.default_rng(seed).random((size, size)) < 0.15
    reaches, group = closure(relation), groups(relation)
    for start in range(size):
        assert set(np.flatnonzero(reaches[start])) == walk(relation, start)
        assert set(np.flatnonzero(group == group[start])) == walk(relation | relation.T, start)
    assert list(np.bincount(group)) == sorted(np.bincount(group), reverse=True)


def walk(relation, start):
    seen, todo = {start}, [start]
    while todo:
        for other in np.flatnonzero(relation[todo.pop()]):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def test_a_chain_of_wins_bounds_each_from_the_side_of_the_anchor():
    relation = np.zeros((3, 3), bool)
    relation[0, 1] = relation[1, 2] = True  # 0 beat 1, 1 beat 2, never the other way round
    below, above = bounded(closure(relation), groups(relation), reference=1)
    assert list(below) == [True, True, False]
    assert list(above) == [False, True, True]
    below, above = bounded(closure(relation), groups(relation), reference=None)
    assert list(below) == [True, False, False]
    assert list(above) == [False, False, True]
