"""Matches ask players what they think when they are told to: it is kept, and never costs a game."""

import json
import re
import shlex
import sys

import pytest

from ludograph import hex, play_match, read_record
from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import MOST_MOVES, to_data
from ludograph.games.analysis_info_validation import validated
from ludograph.games.strategy import RESIGN
from ludograph.hosting.channel import Answer
from ludograph.hosting.host import _thoughts as ask_thoughts
from ludograph.hosting.program_host import ProgramFault, Unreadable, answer_of
from ludograph.web.positions.serializers import view
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
    assert re.search(r"thoughts at ply \d", remark)
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
    assert "'soul'" in complaint
    assert "current of black" in complaint
    assert "--overlay is drawn" in refuse("replay", path, "--overlay", "moves")
    assert "--store" in refuse("hex", "--thoughts", "-r", 2, "random", "random")
    store, kept = ("--store", tmp_path / "games.db"), tmp_path / "kept.jsonl"
    succeed("hex", "--size", 3, "--thoughts", "-r", 2, "-q", *store, "mcts:sims=9", "random")
    for number in (1, 2):
        succeed("results", "games", *store, "--game", number, "--record", kept, "--force")
        assert any(event.thoughts for event in read_record(kept).events)


ODD = {
    "not a number": b"NaN",
    "infinite": b'{"value": -Infinity}',
    "as C prints it": b'{"value": -nan, "nodes": inf}',
    "beyond all numbers": b'{"value": 1e999}',
    "a huge integer": b'{"nodes": ' + b"9" * 5000 + b"}",
    "half a surrogate pair": rb'{"note": "\ud83d"}',
    "Latin-1": b'{"note": "caf\xe9"}',
    "a surrogate in bytes": b'{"note": "\xed\xa0\x80"}',
    "a tab": b'{"note": "a\tb"}',
    "an unknown escape": rb'{"note": "C:\windows"}',
    "deep": b"[" * 5000 + b"]" * 5000,
    "without an end": b'{"line": [',
    "a text without an end": b'{"note": "oh',
    "one bracket too many": b"[1]]",
    "a decimal comma": b'{"value": 0,5}',
    "nothing": b"",
    "twice": b'1, "thoughts": NaN',
    "large": b'{"note": "' + b"x" * 200_000 + b'"}',
}
"""Analyses that cannot be read, each as a program writes it behind its move."""

ODD_PROGRAM = """
import json, sys
odd = json.load(open(sys.argv[1]))
for line in sys.stdin:
    told = json.loads(line)
    kind = told["type"]
    if kind == "end":
        break
    answer = {"hello": {"version": 1}, "start": {"ready": True}, "ping": {"pong": True}}.get(kind)
    if kind == "play":
        answer = {"move": told["legal"][0]}
    text = json.dumps(answer)[:-1].encode()
    text += b', "more": [1, {}]'  # they may have fields of their own, always
    if kind == "play" and odd:
        text += b', "thoughts": ' + odd.pop(0).encode("latin-1")
    sys.stdout.buffer.write(text + b"}\\n")
    sys.stdout.flush()
"""


@pytest.mark.parametrize("thoughts", [True, False])
def test_a_program_may_write_anything_beside_its_move(thoughts, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "none")
    program, path = tmp_path / "odd.py", tmp_path / "game.jsonl"
    program.write_text(ODD_PROGRAM)
    odd = tmp_path / "odd.json"
    odd.write_text(json.dumps([text.decode("latin-1") for text in ODD.values()]))
    name = "cmd: " + shlex.join([sys.executable, str(program), str(odd)])
    start = hex.position(7, pie=False)
    result = play_match(start, [name, Rows()], record=path, thoughts=thoughts)
    assert result.faults == []
    assert len(result.moves) > 2 * len(ODD)
    assert [played.thoughts for played in result.moves] == [None] * len(result.moves)
    assert len(result.remarks) == thoughts
    assert all(re.search("thoughts at ply 1 .*'NaN'", str(remark)) for remark in result.remarks)
    assert read_record(path).plies == len(result.moves)


class Rows:
    """Plays the last legal move: two players fill the board from its two ends."""

    def choose(self, position):
        return position.legal_moves()[-1]


@pytest.mark.parametrize("case", ODD)
def test_what_stands_before_an_analysis_counts(case):
    answer = answer_of(b'{"depth": 7, "move": "c5", "thoughts": ' + ODD[case] + b"}")
    assert answer["move"] == "c5"
    assert case == "large" or isinstance(answer["thoughts"], Unreadable)


@pytest.mark.parametrize(
    "line",
    [
        b'{"move": NaN, "thoughts": 1}',
        b'{"move": "c5", "thoughts": NaN} {"move": "d4"}',
        b'{"move": "c5", "depth": NaN}',
        b'{"move": "c5", NaN}',
        b'{"move": "\xff", "thoughts": NaN}',
        rb'{"move": "\ud800", "thoughts": NaN}',
        b'["c5", NaN]',
    ],
)
def test_a_move_that_cannot_be_read_is_a_fault(line):
    with pytest.raises(ProgramFault):
        answer_of(line)


PYTHON_ODD = """
odd = [float("nan"), float("inf"), 10**400, "\\ud800", object(), [], {1: {2: 3}}, b"\\xff"]
deep = []
for _ in range(5000):
    deep = [deep]
odd.append(deep)
loop = []
loop.append(loop)
odd.append(loop)

class Bot:
    def choose(self, position):
        return position.legal_moves()[0]

    @property
    def thoughts(self):
        value = odd.pop(0)
        if isinstance(value, float):
            raise LookupError("no thoughts yet")
        return lambda: {"value": value, "note": value}
"""


def test_a_python_file_may_think_anything(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "none")
    bot = tmp_path / "bot.py"
    bot.write_text(PYTHON_ODD)
    for player in (str(bot), namespace(PYTHON_ODD)["Bot"]):
        result = play_match(hex.position(7, pie=False), [player, Rows()], thoughts=True)
        assert result.faults == []
        assert [played.thoughts for played in result.moves] == [None] * len(result.moves)
        assert len(result.remarks) == 1


def namespace(code):
    names = {}
    exec(code, names)
    return names


@pytest.mark.parametrize("value", [float("nan"), float("-inf")])
def test_a_number_that_is_not_finite_does_not_become_nothing_on_its_way(value):
    class Runner:
        def thoughts(self):
            return Answer(thoughts={"value": value, "note": "sure"})

    answer = ask_thoughts(Runner())
    assert answer.thoughts is None
    assert answer.text


GREATEST = sys.float_info.max


@pytest.mark.parametrize("measure", ["win", "points", "of my own"])
@pytest.mark.parametrize("value", [GREATEST, -GREATEST, 5e-324, 7.0, -3.0])
def test_pages_show_any_finite_number(measure, value):
    start = hex.position(4, pie=False)
    names = ["a1", "b2", "c3"]
    for visits in ([None] * 3, [1, 2, 3], [2**63 - 1] * 3):
        moves = [
            {"move": name, "value": each, "visits": number}
            for name, each, number in zip(names, (value, -value, 0), visits, strict=True)
        ]
        heat = {"name": "heat", "cells": [7, 8], "values": [value, -value]}
        told = {"value": value, "measure": measure, "moves": moves, "overlays": [heat]}
        checked = validated(told, start)
        assert validated(to_data(checked), start) == checked
        json.dumps(view(checked, start), allow_nan=False)
        json.dumps(view(validated({**told, "proven": True}, start), start), allow_nan=False)
