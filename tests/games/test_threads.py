"""Strategies that search with several threads: every game is played to its end."""

import os

import pytest

from ludograph import play_match
from ludograph.errors import InvalidInput
from ludograph.games.registry import game, names

FIRST = {("flood", "mcts:sims=6"), ("flood", "minimax:depth=1"), ("hex", "mcts:sims=6")}
"""The others' searches by several threads are compiled in ``make test-all`` alone."""

WITH_THREADS = [
    pytest.param(
        name,
        strategy,
        marks=[] if (name, strategy) in FIRST else [pytest.mark.slow],
    )
    for name in names()
    for strategy in ("mcts:sims=6", "minimax:depth=1")
    if strategy.partition(":")[0] in game(name).strategies
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), WITH_THREADS)
def test_a_game_is_played_to_its_end(name, strategy):
    start = next(iter(game(name).samples()))
    result = play_match(start, [f"{strategy},threads=3"] * start.seats, seed=1)
    assert not result.faults
    assert result.outcome is not None


def test_all_threads_are_as_many_as_there_are_cores():
    values = game("flood").strategy("mcts").values({"threads": "all"})
    assert values["threads"] == min(64, len(os.sched_getaffinity(0)))


@pytest.mark.parametrize("text", ["0", "-1", "65", "1.5", "some", ""])
def test_what_is_no_number_of_threads_is_refused(text):
    with pytest.raises(InvalidInput, match=rf"^mcts: threads .*\b64 or all.* {text!r}$"):
        game("flood").strategy("mcts").create({"threads": text}, 0)
