"""Runs that learn: better than before, and the same after an interruption."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ludograph import flood, hex, rules
from ludograph.errors import InvalidInput
from ludograph.games.flood.observation import flood_observation
from ludograph.games.flood.setup import FloodSetup
from ludograph.learning.learner import Learner, check_observations, shape_for, starts_of
from ludograph.learning.matches import MatchSettings, measure
from ludograph.learning.selfplay import SelfPlayOptions
from ludograph.learning.settings import LearningSettings, Task
from ludograph.learning.store import RunFolder
from ludograph.search.network import (
    TrainedNetwork,
    digest_of,
    random_layers,
    read_network,
    write_network,
)

pytestmark = pytest.mark.slow


def task_of(boards=(3,), games=16, **settings):
    chosen = LearningSettings(
        boards=tuple(f"hexagonal:{size}" for size in boards),
        games=games,
        channels=16,
        layers=2,
        batch=64,
        selfplay=SelfPlayOptions(sims=16, short_sims=8),
        **settings,
    )
    return Task("hex", lambda board, seed: hex.position(boards[board]), chosen)


def learner_in(path, task, **how):
    return Learner(task, RunFolder(path, task.settings.to_data()), threads=2, **how)


def test_a_game_with_other_seats_than_the_run_is_refused() -> None:
    task = task_of(seats=3)
    with pytest.raises(InvalidInput, match="hex: the game has 2 seats, not 3"):
        shape_for(task, starts_of(task))


class FewKindsSetup(FloodSetup):
    """The Setup of Flood, whose observation declares too few kinds of moves."""


@rules.implements(rules.observation, FewKindsSetup)
def few_kinds_observation(setup):
    return flood_observation(setup)._replace(kinds=1)


rules.register(FewKindsSetup, few_kinds_observation, otherwise=FloodSetup)


def test_a_game_of_others_with_wrong_observations_is_refused() -> None:
    start = flood.position(3, colors=3)
    check_observations(start)
    start.setup = FewKindsSetup(*start.setup)
    with rules.interpreted(), pytest.raises(InvalidInput, match=r"\bkinds \["):
        check_observations(start)


def test_compilation_is_counted_apart_from_learning(tmp_path, monkeypatch) -> None:
    learner = learner_in(tmp_path / "run", task_of())
    clock, cpu, compiled = learner.clock
    monkeypatch.setattr(learner, "_now", lambda: (clock + 10, cpu + 15, compiled + 4))
    learner.note_time()
    progress = learner.progress
    assert (progress.seconds, progress.compiling) == (pytest.approx(6), pytest.approx(4))
    assert progress.cpu_seconds == pytest.approx(15)
    # Two threads that compile at once: their seconds together are more than the clock's.
    monkeypatch.setattr(learner, "_now", lambda: (clock + 11, cpu + 17, compiled + 6))
    learner.note_time()
    assert (progress.seconds, progress.compiling) == (pytest.approx(6), pytest.approx(5))


def test_a_network_learns_a_small_game(tmp_path) -> None:
    def start(seed):
        return flood.position(4, colors=4, seats=2, seed=seed)

    settings = replace(task_of().settings, boards=("square:4",), games=32)
    task = Task("flood", lambda board, seed: start(seed), settings)
    learner = learner_in(tmp_path / "run", task)
    reports = [learner.play_round() for _ in range(16)]
    assert np.mean([each.value for each in reports[-4:]]) < 0.95 * reports[0].value
    assert reports[-1].final < 0.9 * reports[0].final
    learner.write_network()
    trained = read_network(learner.folder.network, game="flood").trained
    assert trained["boards"] == ["square:4"]
    assert trained["games"] == 512
    assert trained["positions"] == learner.progress.positions
    settings = MatchSettings(("random",), games=60)
    (point,) = measure(flood, start, learner.folder.network, settings, seats=2, seed=1)
    assert point["points"] >= 0.6
    assert point["low"] <= point["points"] <= point["high"]


def test_an_interrupted_run_learns_the_same(tmp_path) -> None:
    task = task_of((2, 3), reuse=2.0)
    whole = learner_in(tmp_path / "whole", task)
    for _ in range(3):
        whole.play_round()
    learner_in(tmp_path / "parts", task).play_round()
    cut = learner_in(tmp_path / "parts", task)
    cut.play_round()
    cut._play(2)  # killed before it learned from these games
    last = learner_in(tmp_path / "parts", task)
    assert last.progress.rounds == 2
    last.play_round()
    assert last.progress.games == whole.progress.games
    assert last.progress.positions == whole.progress.positions
    for name, array in whole.training.mean.items():
        np.testing.assert_allclose(array, last.training.mean[name], rtol=1e-3, atol=1e-3)


def network_of(settings, path):
    """Return a network as its file holds it."""
    shape, _ = shape_for(settings, starts_of(settings))
    write_network(path, TrainedNetwork("hex", shape, random_layers(shape, 5)))
    return read_network(path)


def test_a_run_begins_with_the_numbers_of_a_network(tmp_path) -> None:
    start = network_of(task_of((2,)), tmp_path / "small.npz")
    found = learner_in(tmp_path / "run", task_of((3,)), start=start).network()
    for own, wanted in zip(found.layers, start.layers, strict=True):
        np.testing.assert_array_equal(own, wanted)
    assert digest_of(found) == digest_of(start)
    drawn = learner_in(tmp_path / "other", task_of((3,))).network()
    assert digest_of(drawn) != digest_of(start)


def test_a_network_of_another_game_or_shape_is_refused(tmp_path) -> None:
    start = network_of(task_of((2,)), tmp_path / "small.npz")
    wide = replace(task_of((2,)), settings=replace(task_of((2,)).settings, channels=32))
    with pytest.raises(InvalidInput, match=r"\bchannels\b.* 16 .* 32 "):
        learner_in(tmp_path / "wide", wide, start=start)
    with pytest.raises(InvalidInput, match=r"\bflood\b.*\bhex\b"):
        learner_in(tmp_path / "run", task_of((2,)), start=replace(start, game="flood"))
