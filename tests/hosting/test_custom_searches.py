"""A Python file with a function of its own in our search plays from the command line."""

import json
import re

import pytest

from tests.cli.run import run

BOT = """
from ludograph import rules, search


def evaluate(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.25


class Bot:
    def start(self, position, seat):
        self.position = position
        self.searcher = search.AlphaBetaSearch(position, evaluate=evaluate)

    def play(self, moves, time_left):
        for move in moves:
            self.position.play(move)
        found = self.searcher.search(self.position, time=0.05)
        assert found.depth > 0
        self.position.play(found.move)
        return found.move

    def finish(self, outcome):
        pass
"""

GAME = ("flood", "--board", "square:5", "--seed", "1", "-q", "--json", "--clock", "1s")


@pytest.mark.slow
def test_machine_code_of_a_file_is_found_again(file) -> None:
    path = file(BOT)
    first = run(*GAME, path, "random")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["faults"] == []
    assert "preparing bot.py for flood" in first.stderr
    again = run(*GAME, path, "random")
    assert json.loads(again.stdout)["faults"] == []
    assert "preparing" not in again.stderr


@pytest.mark.slow
def test_a_wrong_function_is_told_in_the_verdict(file) -> None:
    path = file(BOT.replace("+= 0.25", "+= setup.nonsense"))
    played = run(*GAME, path, "random")
    (fault,) = json.loads(played.stdout)["faults"]
    assert fault["reason"] == "no-start"
    assert re.search("^evaluate .*line 7: FloodSetup .*nonsense", fault["message"])
