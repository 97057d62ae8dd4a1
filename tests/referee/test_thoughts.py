"""Matches ask players what they think when they are told to: it is kept, and never costs a game."""

import json
import shlex
import sys

import pytest

from ludograph import hex, play_match, read_record
from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import MOST_MOVES
from ludograph.games.strategy import RESIGN
from tests.cli.run import refuse, succeed


class Telling:
    """Plays the first move and tells what it is asked to tell."""

    def __init__(self, told):
        self.told, self.asked = told, 0

    def choose(self, position):
        return position.legal_moves()[0]

    def thoughts(self):
        self.asked += 1
        if isinstance(self.told, BaseException):
            raise self.told
        return self.told


def test_nobody_is_asked_unless_it_is_wished():
    bot = Telling({"value": 1})
    result = play_match(hex.position(2), [bot, "random"])
    assert bot.asked == 0
    assert all(played.thoughts is None for played in result.moves)


def test_thoughts_go_into_the_result_and_the_record(tmp_path):
    path = tmp_path / "game.jsonl"
    bot = Telling({"value": 0.5, "note": "why not"})
    result = play_match(hex.position(3), [bot, "mcts:sims=50"], record=path, thoughts=True)
    assert bot.asked == sum(played.seat == 0 for played in result.moves)
    record = read_record(path)
    assert [event.thoughts for event in record.events] == [p.thoughts for p in result.moves]
    assert record.events[0].thoughts.note == "why not"
    assert any(event.thoughts.simulations for event in record.events if event.seat == 1)
    assert result.remarks == []


@pytest.mark.slow
def test_the_largest_thoughts_can_be_read_from_the_record(tmp_path):
    """The most that is allowed, in letters of four bytes."""
    start = hex.position(150)
    cells = range(start.board.n - 20_000, start.board.n)

    class Verbose:
        def choose(self, position):
            return RESIGN if position.ply else position.legal_moves()[0]

        def thoughts(self):
            shown = [
                {"move": start.text(move), "value": -1e-300 / (move + 7), "visits": 10**15 + move}
                for move in start.legal_moves()[:MOST_MOVES]
            ]
            values = [-1e-300 / (cell + 7) for cell in cells]
            texts = ["\U0001f600" * 6] * len(cells)
            heat = {"name": "heat", "cells": list(cells), "values": values, "texts": texts}
            return {"moves": shown, "overlays": [heat]}

    path = tmp_path / "r.jsonl"
    result = play_match(start, [Verbose, Verbose], record=path, thoughts=True)
    assert result.remarks == []
    assert read_record(path).moves[0].thoughts == result.moves[0].thoughts


@pytest.mark.parametrize("told", [{"value": "x"}, {"line": ["swap"]}, RuntimeError("oh")])
def test_bad_thoughts_are_left_out_with_one_notice(told, tmp_path):
    path = tmp_path / "game.jsonl"
    bot = Telling(told)
    result = play_match(hex.position(2), [bot, "random"], record=path, thoughts=True)
    assert result.reason == "finished"
    assert bot.asked > 1
    (remark,) = result.remarks
    assert "its thoughts at ply" in remark
    assert "are left out" in remark
    assert path.read_text().count('"remark"') == 1
    assert all(event.thoughts is None for event in read_record(path).events if event.seat == 0)


def test_a_record_with_bad_thoughts_is_refused_with_its_line(tmp_path):
    path = tmp_path / "game.jsonl"
    play_match(hex.position(2), [Telling({"value": 1}), "random"], record=path, thoughts=True)
    lines = path.read_text().splitlines()
    row = json.loads(lines[1])
    row["thoughts"]["value"] = "much"
    path.write_text("\n".join([lines[0], json.dumps(row), *lines[2:]]) + "\n")
    with pytest.raises(InvalidInput, match=r"line 2: thoughts: .*value"):
        read_record(path)


BOT = """
import time
class Bot:
    asked = 0
    def choose(self, position):
        return position.legal_moves()[0]
    def thoughts(self):
        self.asked += 1
        {body}
"""

BODIES = {
    "sound": ("return {'value': 0.5, 'overlays': [{'name': 'heat', 'cells': [5]}]}", ""),
    "raises": ("raise RuntimeError('oh no')", "oh no"),
    "hangs": ("time.sleep(100)", "took more than"),
    "huge": ("return {'note': 'x' * 100_000}", "more than"),
    "no JSON": ("return {'value': object()}", ""),
}


@pytest.mark.parametrize("case", BODIES)
def test_python_files_tell_too(case, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "none")
    body, why = BODIES[case]
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(body=body))
    result = play_match(hex.position(2), [str(bot), "random"], thoughts=True)
    assert result.reason == "finished", result.sentence
    own = [played.thoughts for played in result.moves if played.seat == 0]
    if case == "sound":
        assert [thoughts.overlays[0].name for thoughts in own] == ["heat"] * len(own)
        assert result.remarks == []
    else:
        assert own == [None] * len(own)
        assert why in result.remarks[0]


PROGRAM = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    kind = told["type"]
    if kind == "hello":
        answer = {"version": 1, "name": "teller"}
    elif kind == "start":
        wished = told.get("thoughts")
        answer = {"ready": True}
    elif kind == "ping":
        answer = {"pong": True}
    elif kind == "play":
        answer = {"move": told["legal"][0]}
        if wished:
            answer["thoughts"] = {"value": 0.25, "line": [told["legal"][0]]}
    else:
        break
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize("thoughts", [True, False])
def test_programs_say_it_beside_their_move(thoughts, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "none")
    program = tmp_path / "teller.py"
    program.write_text(PROGRAM)
    name = f"cmd: {shlex.quote(sys.executable)} {shlex.quote(str(program))}"
    result = play_match(hex.position(2), [name, "random"], thoughts=thoughts)
    assert result.reason == "finished", result.sentence
    own = [played.thoughts for played in result.moves if played.seat == 0]
    assert [each is not None and each.value == 0.25 for each in own] == [thoughts] * len(own)


@pytest.mark.slow
def test_the_command_line_shows_keeps_and_draws_them(tmp_path):
    path, picture = tmp_path / "game.jsonl", tmp_path / "game.svg"
    options = ("--size", 4, "--seed", 2, "--thoughts", "resistance", "mcts:sims=50")
    data = json.loads(succeed("hex", *options, "--json"))
    told = [move["thoughts"] for move in data["moves"] if "thoughts" in move]
    assert any("current of black" in str(each.get("overlays")) for each in told)
    shown = succeed("hex", *options, "--record", path)
    assert shown.count("thinks: ") == len(told)
    assert succeed("replay", path).count("thinks: ") == len(told)
    succeed("replay", path, "--ply", 4, "--svg", picture, "--overlay", "current of black")
    succeed("replay", path, "--animate", tmp_path / "a.svg", "--overlay", "moves")
    assert 'class="overlay"' in (tmp_path / "a.svg").read_text()
    complaint = refuse("replay", path, "--svg", tmp_path / "b.svg", "--overlay", "soul")
    assert "there is no 'soul' in this game; it has" in complaint
    assert "--overlay is drawn" in refuse("replay", path, "--overlay", "moves")
    assert "--records" in refuse("hex", "--thoughts", "-r", 2, "random", "random")
    folder = tmp_path / "games"
    series = ("--size", 3, "--thoughts", "-r", 2, "-q", "--records", folder)
    succeed("hex", *series, "mcts:sims=9", "random")
    files = sorted(folder.glob("game-*.jsonl"))
    assert len(files) == 2
    assert all(any(event.thoughts for event in read_record(file).events) for file in files)
