"""Games of a teacher: their moves and values become targets."""

from __future__ import annotations

import numpy as np
import pytest

from ludograph import flood, hex, penguins
from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.learning.groups import GameGroup, play_group
from ludograph.learning.learner import TAUGHT_GAMES, Learner
from ludograph.learning.selfplay import SelfPlayOptions
from ludograph.learning.settings import LearningSettings, Task
from ludograph.learning.store import RunFolder
from ludograph.learning.teacher import (
    Teacher,
    odds_of,
    play_taught_games,
    target_of,
    teacher_of,
    value_of,
)
from tests.learning.test_learner import task_of

pytestmark = pytest.mark.slow

CONNEX = Teacher("connex", {})
WITHOUT_OPENING = SelfPlayOptions(opening=0.0)


def sums_of(samples):
    """Return the sum of each position's policy, and its greatest part."""
    rows = np.repeat(np.arange(samples.counts.size), samples.counts)
    totals, greatest = np.zeros(samples.counts.size), np.zeros(samples.counts.size)
    np.add.at(totals, rows, samples.policy)
    np.maximum.at(greatest, rows, samples.policy)
    return totals, greatest


def test_every_move_of_a_teacher_without_visits_is_a_target() -> None:
    start = hex.position(4, pie=False)
    samples = play_taught_games([start] * 6, CONNEX, WITHOUT_OPENING, [1])
    totals, greatest = sums_of(samples)
    np.testing.assert_allclose(totals, 1.0)
    np.testing.assert_allclose(greatest, 1.0)
    assert (samples.weights == 1.0).all()
    assert samples.finals.shape[0] == 12  # 6 games, seen by 2 seats
    assert set(np.unique(samples.values)) == {-1.0, 1.0}


def test_visits_of_a_search_are_the_policy() -> None:
    start = penguins.position("full-hexa:4")
    teacher = Teacher("mcts", {"sims": "30"})
    samples = play_taught_games([start], teacher, WITHOUT_OPENING, [2])
    totals, greatest = sums_of(samples)
    np.testing.assert_allclose(totals, 1.0, rtol=1e-5)
    assert (greatest > 1.0 / samples.counts - 1e-6).all()
    assert greatest[0] < 0.999


def test_proofs_of_a_search_are_the_targets() -> None:
    start = hex.position(3, pie=False)
    teacher = Teacher("mcts", {"sims": "60"})
    samples = play_taught_games([start] * 6, teacher, SelfPlayOptions(opening=1.0), [2])
    # The search proves 3 x 3 at once.
    np.testing.assert_allclose(sums_of(samples)[1], 1.0)
    assert set(np.unique(samples.values)) <= {-1.0, 1.0}


def test_the_same_seed_gives_the_same_games() -> None:
    start = hex.position(4)
    options = SelfPlayOptions(opening=2.0)
    one, same, other = (
        play_taught_games([start] * 4, CONNEX, options, [seed]) for seed in (1, 1, 2)
    )
    for name in one._fields:
        np.testing.assert_array_equal(getattr(one, name), getattr(same, name))
    assert one.counts.size != other.counts.size or (one.touched != other.touched).any()


def test_odds_follow_the_visits_of_legal_moves() -> None:
    legal = np.array([4, 7, 9])
    moves = (Considered(7, 0.5, 30), Considered(4, 0.4, 10), Considered(8, 0.1, 60))
    searched = AnalysisInfo(0.5, "win", moves=moves)
    only = AnalysisInfo(0.5, "win", moves=(Considered(9, 0.5),))
    proven = AnalysisInfo(1.0, "win", proven=True, moves=moves)
    for odds in (odds_of, target_of):
        np.testing.assert_allclose(odds(legal, 7, searched), [0.25, 0.75, 0])
        for thoughts in (None, only):
            np.testing.assert_allclose(odds(legal, 9, thoughts), [0, 0, 1])
    np.testing.assert_allclose(target_of(legal, 9, proven), [0, 0, 1])
    np.testing.assert_allclose(odds_of(legal, 9, proven), [0.25, 0.75, 0])


def test_a_value_counts_as_much_as_it_is_certain() -> None:
    assert value_of(AnalysisInfo(0.75, "win"), 0.25, is_certain=True) == (0.5, 0.25)
    for thoughts in (None, AnalysisInfo(None, "win"), AnalysisInfo(12.0, "points")):
        assert value_of(thoughts, 0.25, is_certain=True)[1] == 0.0


def test_a_proven_win_is_a_win_where_the_search_prefers_wins_by_more_points() -> None:
    for value, wanted in {1.0: 1.0, 0.66: 1.0, 0.5: 0.0, 0.34: -1.0}.items():
        thoughts = AnalysisInfo(value, "win", proven=True)
        assert value_of(thoughts, 0.25, is_certain=True) == (wanted, 1.0)
    chance = AnalysisInfo(0.625, "win", proven=True)
    assert value_of(chance, 0.25, is_certain=False) == (0.25, 0.25)


def test_values_of_a_search_that_counts_points_are_no_targets() -> None:
    start = flood.position(4, colors=4, seed=1)
    teacher = Teacher("mcts", {"sims": "40"})
    samples = play_taught_games([start] * 3, teacher, WITHOUT_OPENING, [1])
    assert set(np.unique(samples.values)) <= {-1.0, 0.0, 1.0}


def test_a_teacher_is_a_strategy() -> None:
    assert teacher_of("mcts:sims=50", hex, 2) == Teacher("mcts", {"sims": "50"})
    with pytest.raises(InvalidInput, match=r"\bhex\b.*'human'"):
        teacher_of("human", hex, 2)
    with pytest.raises(InvalidInput, match="resign="):
        teacher_of("mcts:sims=50,resign=0.1", hex, 2)
    with pytest.raises(InvalidInput, match="random="):
        teacher_of("connex:random=0.1", hex, 2)
    with pytest.raises(InvalidInput, match="nobody"):
        teacher_of("nobody", hex, 2)


def test_groups_of_a_teacher_are_small_enough_for_several_threads(tmp_path) -> None:
    task = task_of((2, 3), games=60, teacher="connex")
    learner = Learner(task, RunFolder(tmp_path / "run", task.settings.to_data()), threads=2)
    groups = [group for _, group in learner._groups(0)]
    counts = [sum(count for _, count in group.starts) for group in groups]
    assert sum(counts) == 60
    assert max(counts) <= TAUGHT_GAMES
    samples = play_group(groups[0])
    assert samples.finals.shape[0] == 2 * counts[0]
    assert learner.network().trained["teacher"] == "connex"


def test_a_teacher_plays_all_games_of_a_round_with_drawn_starts(tmp_path) -> None:
    settings = LearningSettings(
        boards=("square:3",), games=64, channels=16, layers=1, teacher="greedy"
    )
    task = Task("flood", lambda _, seed: flood.position(3, colors=3, seed=seed), settings)
    learner = Learner(task, RunFolder(tmp_path / "run", settings.to_data()))
    groups = [group for _, group in learner._groups(0)]
    assert sum(count for group in groups for _, count in group.starts) == 64
    assert learner.games_of_a_round == 64


def test_games_with_other_starts_and_three_seats() -> None:
    starts = [flood.position(4, colors=4, seats=3, seed=seed) for seed in (1, 2)]
    group = GameGroup(
        starts=[(start, 2) for start in starts],
        shape=None,
        layers=None,
        parameters=None,
        surface=None,
        options=WITHOUT_OPENING,
        seed=(1,),
        teacher=Teacher("greedy", {}),
    )
    samples = play_group(group)
    assert samples.values.shape[1] == 3
    np.testing.assert_allclose(samples.values.sum(axis=1), 0.0, atol=1e-6)
