"""On a fresh machine everything is compiled first; no player's clock pays for that."""

import pytest

from tests.interpreter import python

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
    done = python("-c", PROGRAM, seconds=1200, LUDOGRAPH_CACHE=str(tmp_path))
    assert "preparing" in done.stderr
    assert [line.split("] ")[1].split()[0] for line in done.stdout.splitlines()] == ["finished"] * 4
