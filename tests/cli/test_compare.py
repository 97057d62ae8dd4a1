"""``ludograph compare``: one sentence tells which of two players is better, or that none is."""

import json

import pytest

from tests.cli.run import invoke, refuse, succeed

SMALL = ("compare", "flood", "-m", 5, "--seed", 1)


def test_who_is_better_is_said_the_same_in_either_order():
    there = json.loads(succeed(*SMALL, "--json", "greedy", "random"))
    back = json.loads(succeed(*SMALL, "--json", "random", "greedy"))
    assert there["better"] == back["better"] == "greedy"
    assert (there["answer"], back["answer"]) == ("first", "second")
    for found, own in ((there, "first"), (back, "second")):
        pairs = found["pairs"]
        total = sum(pairs.values())
        assert found["games"] == 2 * total < 1000
        assert found["sentence"].startswith(
            f"greedy is better than random: {pairs[own]} of {total} pairs decided for it, "
            f"{total - pairs[own] - pairs['even']} against it, 95 % sure that it scores "
        )


def test_no_difference_is_said_at_the_limit():
    text = succeed(*SMALL, "--pairs", 3, "random", "random")
    assert text.startswith("No difference between random and random is shown after 6 games: ")


def test_the_answer_of_several_processes_is_that_of_one():
    one = succeed(*SMALL, "--json", "greedy", "random")
    assert succeed(*SMALL, "--json", "-j", 2, "greedy", "random") == one


def test_settings_of_one_file_are_compared(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Bot:\n"
        "    def __init__(self, plays=True):\n"
        "        self.plays = plays\n"
        "    def choose(self, position):\n"
        "        return position.legal_moves()[0] if self.plays else 'resign'\n"
    )
    result = invoke(*SMALL, f"{bot}:plays=no", bot)
    assert result.exit_code == 0
    assert "bot.py is better than bot.py:plays=no: " in result.output
    assert "bot.py:plays=no, the first resign: it gave the game up" in result.output


@pytest.mark.parametrize("players", [[], ["greedy"], ["greedy"] * 3])
def test_other_numbers_of_players_are_refused(players):
    assert "name two players, as in 'ludograph compare flood" in refuse(*SMALL, *players)
