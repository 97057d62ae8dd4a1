"""Groups of games: processes play the same as threads, also where JAX evaluates."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from ludograph.learning import groups as module
from ludograph.learning.device import compile_seconds
from ludograph.learning.groups import in_processes, in_threads, play_group
from ludograph.learning.selfplay import Stopped
from ludograph.learning.teacher import Teacher
from tests.learning.test_learner import learner_in, task_of

pytestmark = pytest.mark.slow


def groups_of(path):
    learner = learner_in(path, task_of((2, 3), games=64))
    return [group for _, group in learner._groups(0)]


def check_same(found, wanted):
    for (own, _), (other, _) in zip(found, wanted, strict=True):
        for name, array in own._asdict().items():
            np.testing.assert_array_equal(array, getattr(other, name), err_msg=name)


@pytest.mark.parametrize("on_gpu", [False, True])
def test_processes_play_the_same_games_as_threads(on_gpu, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("ludograph.learning.learner.computes_on_gpu", lambda: on_gpu)
    groups = groups_of(tmp_path / "run")
    assert all((group.parameters is not None) == on_gpu for group in groups)
    wanted = list(in_threads(1)(groups))
    with in_processes(2, "cpu") as play_groups:
        found = list(play_groups(groups))
    check_same(found, wanted)
    assert min(cpu_seconds for _, cpu_seconds in found) > 0.0


def test_the_processor_time_of_other_processes_counts(tmp_path) -> None:
    learner = learner_in(tmp_path / "run", task_of())
    ((samples, cpu_seconds),) = learner.play_groups([group for _, group in learner._groups(0)])
    assert cpu_seconds == 0.0
    learner.play_groups = lambda groups: [(samples, 500.0) for _ in groups]
    learner._play(0)
    learner.note_time()
    assert 500.0 < learner.progress.cpu_seconds < 1000.0


def test_compilation_does_not_count_as_learning(tmp_path, monkeypatch) -> None:
    learner = learner_in(tmp_path / "run", task_of())
    progress = learner.progress
    monkeypatch.setattr("ludograph.learning.learner.compile_seconds", lambda: 1e6)
    learner.note_time()
    assert progress.seconds == 0.0
    assert progress.compiling > 0.0
    compiling = progress.compiling
    learner.note_time()
    assert progress.seconds > 0.0
    assert progress.compiling == compiling


def test_compilations_of_both_kinds_take_time() -> None:
    import jax

    from ludograph.rules.announcer import announcer

    before = compile_seconds()
    jax.jit(lambda x: x + 1)(1.0)
    by_jax = compile_seconds()
    assert by_jax > before
    with announcer.shown_by(lambda text: None):
        announcer.begin()
        announcer.end()
    assert compile_seconds() > by_jax


@pytest.mark.parametrize("teacher", [None, Teacher("connex", {})])
def test_games_end_early_when_nobody_waits_for_them(teacher, tmp_path) -> None:
    group = replace(groups_of(tmp_path / "run")[0], teacher=teacher)
    stop = Event()
    stop.set()
    with pytest.raises(Stopped):
        play_group(group, stop)


def test_threads_end_with_an_interruption(monkeypatch) -> None:
    begun, stops = Event(), []

    def play(group, stop):
        stops.append(stop)
        if group == "interrupted":
            assert begun.wait(60.0)
            raise KeyboardInterrupt
        begun.set()
        assert stop.wait(60.0)  # a long game

    monkeypatch.setattr(module, "play_group", play)
    with pytest.raises(KeyboardInterrupt):
        list(in_threads(2)(["interrupted", "long"]))
    assert len(stops) == 2
    assert all(stop.is_set() for stop in stops)
