"""``ludograph flood -r``: many games, counted."""

import json
import re

import pytest

from ludograph import flood, play_series
from tests.cli.run import in_terminal, run, succeed


def series(*arguments):
    return json.loads(succeed("flood", "--json", *arguments))


@pytest.mark.parametrize(
    "players", [["greedy", "random"], ["greedy", "random", "greedy"], ["greedy"]]
)
def test_the_library_prints_what_the_command_prints(players):
    def start(seed):
        return flood.position("square:5", colors=6, seats=len(players), seed=seed)

    arguments = ("flood", "-m", 5, "-r", 7, "--seed", 3, *players)
    result = play_series(start, players, 7, seed=3)
    printed = without_durations(succeed(*arguments)).replace(", 6 colors", "")
    assert without_durations(str(result)) + "\n" == printed
    found, data = json.loads(succeed(*arguments, "--json")), result.to_data()
    for each in (found, data):
        each.pop("heading")
        for player in each["players"]:
            player.pop("mean_time")
    assert data == found
    assert result.sentence + "\n" == succeed(*arguments, "-q")


def without_durations(text):
    """Return a text without the times of moves and the blanks before them."""
    return re.sub(r" +(time$|[\d.]+ (s|ms|µs)\b)", "", text, flags=re.MULTILINE)


def test_starter_of_a_series():
    found = series("-m", 5, "-r", 6, "--starter", 1, "random", "greedy")
    assert found["players"][0]["wins"]["0"] == 0
    assert found["players"][1]["wins"]["1"] == 0
    assert series("-m", 4, "-r", 6, "--starter", "random", "random", "greedy")["games"] == 6


@pytest.mark.slow
def test_forfeits_are_counted_by_reason(tmp_path):
    bot = tmp_path / "quits.py"
    bot.write_text("def choose(position):\n    raise ValueError\n")
    found = series("-m", 4, "-r", 2, bot, "greedy")
    assert found["players"][0]["forfeits"] == {"crash": 2}
    assert "2 (2 crash)" in succeed("flood", "-m", 4, "-r", 2, bot, "greedy")
    assert found["result"] == (
        "2 games: quits.py wins 0, greedy wins 2; quits.py forfeits 2 (2 crash)."
    )


@pytest.mark.slow
def test_quiet_does_not_hide_forfeits(tmp_path):
    bot = tmp_path / "quits.py"
    bot.write_text("def choose(position):\n    raise ValueError\n")
    done = run("flood", "-m", 4, "-r", 2, "-q", bot, "greedy")
    assert done.stdout == (
        "2 games: quits.py wins 0, greedy wins 2; quits.py forfeits 2 (2 crash).\n"
    )
    assert re.search(r"quits\.py, .*crash: ValueError \(quits\.py, line 2\);", done.stderr)


@pytest.mark.slow
def test_players_of_one_name_are_told_apart(tmp_path):
    for team, code in (("a", "position.legal_moves()[0]"), ("b", "None")):
        (tmp_path / team).mkdir()
        (tmp_path / team / "bot.py").write_text(f"def choose(position): return {code}\n")
    bots = [tmp_path / team / "bot.py" for team in "ab"]
    found = series("-m", 4, "-r", 2, *bots)
    assert [player["name"] for player in found["players"]] == ["a/bot.py", "b/bot.py"]
    assert found["result"].startswith(
        "2 games: a/bot.py wins 2, b/bot.py wins 0; b/bot.py forfeits"
    )
    text = succeed("flood", "-m", 4, "-r", 2, *bots)
    assert [line.split()[0] for line in text.splitlines()[2:4]] == ["a/bot.py", "b/bot.py"]
    shown = succeed("flood", "-m", 4, "--seed", 1, *bots)
    assert "start: a/bot.py against b/bot.py" in shown or "start: b/bot.py against a/bot" in shown


def test_nothing_but_the_table_when_piped():
    done = run("flood", "-m", 5, "-r", 3, "greedy", "random")
    assert "\x1b" not in done.stdout + done.stderr
    assert not done.stderr or done.stderr.startswith("preparing")


def test_a_bar_and_a_table_in_a_terminal():
    shown = in_terminal("flood", "-m", 5, "-r", 30, "greedy", "random")
    assert shown.code == 0
    assert "30/30" in shown.text
    assert "━" in shown.text
    assert "on seat 1" in shown.text


def without_times(text):
    return re.sub(r'"mean_time": [\d.e-]+', "", text)


def test_processes_play_the_same_series():
    one, two = (
        run("flood", "-m", 5, "-r", 9, "--seed", 4, "--json", "-j", jobs, "greedy", "random")
        for jobs in (1, 3)
    )
    assert without_times(one.stdout) == without_times(two.stdout)
    assert json.loads(one.stdout)["games"] == 9


@pytest.mark.slow
def test_processes_play_foreign_players_and_hear_them(tmp_path):
    bot = tmp_path / "speaks.py"
    bot.write_text("def choose(position):\n    print('hello')\n    return 'purple'\n")
    done = run("flood", "-m", 4, "-r", 4, "-j", 2, "-q", "--show-output", "all", bot, "greedy")
    assert done.stdout == (
        "4 games: speaks.py wins 0, greedy wins 4; speaks.py forfeits 4 (4 protocol).\n"
    )
    assert len(re.findall(r"(?m)^speaks.py \(seat [01]\): hello$", done.stderr)) == 4


def test_points_and_scores_have_intervals():
    found = series("-m", 5, "-r", 30, "--seed", 1, "greedy", "random")
    first, second = found["players"]
    for key in ("points", "score"):
        for player in (first, second):
            assert player[key]["low"] <= player[key]["mean"] <= player[key]["high"]
    assert first["points"]["mean"] == pytest.approx(sum(first["wins"].values()) / 30)
    assert first["points"]["mean"] + second["points"]["mean"] == pytest.approx(1)
    single = series("-m", 5, "-r", 1, "greedy", "random")["players"][0]["score"]
    assert single["low"] is None


@pytest.mark.slow
def test_foreign_players_have_two_seconds_unless_told_otherwise(tmp_path):
    bot = tmp_path / "first.py"
    bot.write_text(
        "class Bot:\n"
        "    def start(self, position, seat): self.position = position\n"
        "    def play(self, moves, time_left):\n"
        "        print('I have', time_left.move)\n"
        "        return 'pass'\n"
        "    def finish(self, outcome): pass\n"
    )
    shown = ["flood", "-m", 4, "-r", 1, "-q", "--show-output", "all"]
    said = run(*shown, bot, "random").stderr
    assert len(re.findall(r"(?m)^players .* 2s .*--clock.*$", said)) == 1
    assert "I have 2.0" in said
    unlimited = run(*shown, "--clock", "none", bot, "random").stderr
    assert "2s" not in unlimited
    assert "I have None" in unlimited
    assert "2s" not in run(*shown, "greedy", "random").stderr
