"""On a fresh machine everything is compiled first; no player's clock pays for that."""

import pytest

from ludograph.games.registry import OURS, game
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


WATCHED = """
import multiprocessing, sys
from unittest import mock
from ludograph import InvalidInput, conformance
from ludograph.games.registry import game
from ludograph.players.protocol import warm_up
from ludograph.rules import random_state
from ludograph.rules._numba.kernel_cache import KernelCache

def loaded_late(name, strategy):
    own = game(name).strategies[strategy]
    limits = {"time": "0.05"} if any(option.name == "time" for option in own.options) else {}
    for position in conformance.samples_of(game(name)):
        try:
            print(strategy, *loaded_in(own.create(limits, 0), position), flush=True)
            return
        except InvalidInput:  # such as a strategy for one seat
            pass

def loaded_in(player, position):
    warm_up(position)
    getattr(player, "prepare", len)(position)
    late = []

    def noted(cache, *types, load=KernelCache.load_overload):
        late.append(cache.function.__name__)
        return load(cache, *types)

    for _ in range(6):
        if position.is_over:
            break
        if position.turn is None:
            position.play_random(random_state(0))
            continue
        with mock.patch.object(KernelCache, "load_overload", noted):
            move = player.choose(position.copy())
        position.play(move)
    return late

for strategy in game(sys.argv[1]).strategies:
    process = multiprocessing.get_context("fork").Process(
        target=loaded_late, args=(sys.argv[1], strategy)
    )
    process.start()
    process.join()
    assert process.exitcode == 0
"""


@pytest.mark.slow  # each strategy in a process without kernels
@pytest.mark.parametrize("name", OURS)
def test_no_kernel_is_loaded_while_a_clock_runs(name) -> None:
    done = python("-c", WATCHED, name, seconds=1200)
    ran = [line.split() for line in done.stdout.splitlines()]
    assert [line for line in ran if line[1:]] == []
    assert {line[0] for line in ran} == set(game(name).strategies) - {"net"}  # it needs a file
