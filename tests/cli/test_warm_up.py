"""``ludograph warm-up`` compiles what the strategies need: nothing is compiled when they play."""

import os
import subprocess
import sys

import pytest

from ludograph.games.registry import game, names
from ludograph.referee.warm_up import BULK, CompiledJob, Job, compile_all, jobs_of
from tests.cli.installed import EXAMPLES
from tests.cli.run import refuse, succeed

pytestmark = pytest.mark.slow


def test_every_strategy_has_a_job() -> None:
    for name in names():
        jobs = jobs_of(name)
        played = {job.player.partition(":")[0] for job in jobs}
        whole = {each for each, own in game(name).strategies.items() if not own.needs}
        assert played == {*whole, BULK}
        assert len(set(jobs)) == len(jobs)


def test_nothing_is_compiled_afterwards(tmp_path) -> None:
    environment = {**os.environ, "LUDOGRAPH_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", COMPILE_ONE],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert "penguins line" in done.stdout
    play = [sys.executable, "-m", "ludograph", "penguins", "-q", "1", "full-hexa", "4", "4"]
    played = subprocess.run(
        [*play, "line", "line"], env=environment, capture_output=True, text=True, check=True
    )
    assert "preparing" not in played.stderr


COMPILE_ONE = """
from ludograph.referee.warm_up import Job, compile_all
if __name__ == "__main__":
    for done in compile_all([[Job("penguins", "line", 0)]], 1):
        assert not done.fault, done.fault
        print(done.job.game, done.job.player)
"""


def test_chains_are_done_in_order_and_all() -> None:
    chains = [
        [Job("penguins", "random", 0), Job("penguins", "line", 0)],
        [Job("flood", "greedy", 0)],
    ]
    found = list(compile_all(chains, 2))
    assert all(isinstance(done, CompiledJob) and not done.fault for done in found)
    assert [done.job for done in found if done.job.game == "penguins"] == chains[0]
    assert len(found) == 3


def test_the_command() -> None:
    said = succeed("warm-up", "flood", "-j", 1)
    assert f"{len(jobs_of('flood'))} parts " in said
    assert "'chess'" in refuse("warm-up", "chess")


@pytest.mark.usefixtures("registered")
def test_a_game_by_its_path() -> None:
    path = str(EXAMPLES / "tiny" / "col.py")
    assert f"{len(jobs_of(path))} parts " in succeed("warm-up", path)
