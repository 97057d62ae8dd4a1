"""On a fresh machine everything is compiled first; no player's clock pays for that."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
from ludograph import boards, flood, play_match
alone = flood.position(boards.square(6), colors=4, seats=1, seed=1)
duel = flood.position(boards.square(6), colors=4, seed=1)
for position, players in [
    (duel, ["greedy", "random"]),
    (duel, ["minimax:time=0.01", "mcts:time=0.01"]),
    (alone, ["optimal"]),
    (alone, ["beam"]),
]:
    result = play_match(position, players, clock="150ms")
    print(players, result.reason, result.sentence)
"""


@pytest.mark.slow  # compiles everything afresh
def test_no_strategy_loses_for_being_compiled(tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "LUDOGRAPH_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "preparing" in done.stderr
    assert [line.split("] ")[1].split()[0] for line in done.stdout.splitlines()] == ["finished"] * 4
