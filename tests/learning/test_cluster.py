"""Self-play on a cluster: the same games as here, whichever worker dies."""

from __future__ import annotations

import pickle
import signal
import socket
import sys
from dataclasses import replace

import numpy as np
import pytest

from ludograph.arena.executor.cluster import process
from ludograph.errors import InvalidInput
from ludograph.learning.cluster import has_gpu, on_cluster, order_for
from ludograph.learning.groups import in_threads
from ludograph.search.network import digest_of, read_network
from tests.arena.dask import running
from tests.cli.run import refuse, succeed
from tests.learning.test_groups import check_same, groups_of
from tests.learning.test_learner import learner_in, task_of

pytestmark = pytest.mark.slow

TINY = ("--channels", 16, "--layers", 1, "--games", 8, "--sims", 4, "--short-sims", 2)


@pytest.fixture(scope="module")
def cluster():
    with running(workers=2) as found:
        yield found


def outcome_of(data):
    """Return the outcome as it comes back from a worker."""
    return pickle.loads(pickle.dumps(process.answer(data)))


def test_a_worker_without_jax_plays_the_same(tmp_path, monkeypatch) -> None:
    group = groups_of(tmp_path / "run", on_gpu=True)[0]
    monkeypatch.setitem(sys.modules, "jax", None)
    has_gpu.cache_clear()
    samples, cpu_seconds = outcome_of(order_for(group))
    assert cpu_seconds > 0.0
    check_same([samples], in_threads(1)([replace(group, parameters=None)]))
    has_gpu.cache_clear()


def test_what_a_machine_cannot_play_is_said(tmp_path) -> None:
    data = order_for(groups_of(tmp_path / "run", on_gpu=False)[0])
    rules, version, *call = pickle.loads(data)
    for order, named in (
        (pickle.dumps((rules, 99, *call)), rf"\b{version}\b.*\b99\b"),
        (data.replace(b"ludograph.games", b"ludograph.gamez"), r"ludograph\.gamez"),
    ):
        with pytest.raises(InvalidInput, match=f"^{socket.gethostname()}: .*{named}"):
            raise outcome_of(order)


def test_a_network_is_learned_as_by_threads(cluster, tmp_path) -> None:
    here = learner_in(tmp_path / "here", task_of((2, 3)))
    here.play_round()
    with on_cluster(cluster.address) as play_groups:
        there = learner_in(tmp_path / "there", task_of((2, 3)), play_groups=play_groups)
        there.play_round()
    for name, array in here.training.mean.items():
        np.testing.assert_allclose(array, there.training.mean[name], rtol=1e-4, atol=1e-5)
    assert there.play_groups.cpu_seconds > 0.0


def test_a_worker_that_is_killed_in_the_middle_costs_nothing(tmp_path) -> None:
    groups = groups_of(tmp_path / "run", on_gpu=False)
    groups = [replace(group, seed=(1, number)) for number in range(4) for group in groups]
    wanted = in_threads(1)(groups)
    with running(workers=2) as own, on_cluster(own.address) as play_groups:
        found = []
        for samples, _ in play_groups.play(groups):
            if not found:
                own.workers[0].kill()
            found.append(samples)
        check_same(found, wanted)
        assert own.workers[0].wait(120) == -signal.SIGKILL


def test_the_command_learns_on_a_cluster(cluster, tmp_path) -> None:
    command = ("learn", "hex", "--board", 3, *TINY, "--anchor", "random", "--match-games", 2)
    command = (*command, "--rounds", 1)
    succeed(*command, "--out", tmp_path / "here.npz")
    succeed(*command, "--cluster", cluster.address, "--out", tmp_path / "there.npz")
    here, there = (read_network(tmp_path / f"{name}.npz") for name in ("here", "there"))
    assert here.trained["positions"] == there.trained["positions"]
    assert digest_of(here) == digest_of(there)


def test_options_that_do_not_go_together_are_refused(tmp_path) -> None:
    command = ("learn", "hex", "--out", tmp_path / "my.npz", "--cluster")
    assert "-j" in refuse(*command, "tcp://x:1", "-j", 2)
    assert "'somewhere'" in refuse(*command, "somewhere")
    assert not (tmp_path / "my").exists()
