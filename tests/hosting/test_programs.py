"""Programs that are told the game line by line; what they do wrong is a forfeit with its reason."""

import errno
import json
import os
import re
import socket
import time

import pytest

from ludograph import InvalidInput, boards, carcassonne, flood, hex, play_match
from ludograph.errors import HostFailure
from ludograph.games.strategy import RESIGN
from ludograph.hosting import channel, foreign_player, host_process
from ludograph.hosting.dialogues import Messages
from ludograph.hosting.program_host import LINE_LIMIT
from tests.hosting.fakes import fake_htp
from tests.hosting.fakes import fake_program as fake
from tests.hosting.fixtures import the_fault


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Return a function that returns what the fake was told, message by message."""
    path = tmp_path / "said.txt"
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "none")
    monkeypatch.setenv("FAKE_LOG", str(path))
    return lambda: [json.loads(line) for line in path.read_text().splitlines()]


class First:
    """Plays the first legal move, or what it is told."""

    def __init__(self, *moves, wait=0.0):
        self.moves, self.wait = list(moves), wait

    def choose(self, position):
        time.sleep(self.wait)
        return self.moves.pop(0) if self.moves else position.legal_moves()[0]


def test_a_whole_game_message_by_message(referee, said):
    start = hex.position(2)
    result = referee(start, [fake(), First("b2")], clock="1m+2s", seed=5)
    assert result.faults == []
    assert result.names[0].endswith("“fake”")
    hello, begun, ping, *plays, end = said()
    assert hello == {"type": "hello", "versions": [1]}
    assert ping == {"type": "ping"}
    assert set(begun) == {"type", "seed", "game", "game_version", "seat", "seats", "setup", "board"}
    assert (begun["game"], begun["seat"], begun["seats"]) == ("hex", 0, 2)
    assert begun["setup"] == json.loads(json.dumps(hex.describe(start)))
    assert 0 <= begun["seed"] < 2**31
    assert [play["type"] for play in plays] == ["play"] * len(plays)
    position = start.copy()
    for play in plays:
        for event in play["moves"]:
            assert event == {"seat": 1, "move": event["move"]}
            assert position.turn == 1
            position.play(event["move"])
        assert play["ply"] == position.ply
        assert play["legal"] == [position.text(move) for move in position.legal_moves()]
        assert 55 < play["time_left"].pop("game") < 90
        assert play["time_left"] == {"move": None, "increment": 2.0}
        position.play(min(play["legal"]))
    assert position == result.position
    ranks, scores = list(result.outcome.ranks), list(result.outcome.scores)
    assert end == {"type": "end", "ranks": ranks, "scores": scores}


def test_the_board_is_told_as_a_graph(referee, said):
    start = hex.position(3)
    referee(start, [fake(), "random"])
    board = said()[1]["board"]
    assert board["vertices"] == start.board.n
    assert board["edges"] == start.board.edges().tolist()
    assert board["positions"] == start.board.positions.tolist()
    assert board["marks"] == {name: of.tolist() for name, of in start.board.marks.items()}
    assert "outlines" not in board
    vertex = start.parse("b3")
    assert board["cells"][vertex] == "b3"
    assert None in board["cells"]  # borders are vertices, and no cells
    assert boards.from_data({"vertices": board["vertices"], "edges": board["edges"]}).n == 25


def test_who_drops_out_is_told(referee, said):
    start = flood.position(boards.square(6), colors=6, seats=3, seed=3)

    def bad(position):
        return "nothing"

    result = referee(start, [bad, fake(), First()])
    assert [fault.seat for fault in result.faults] == [0]
    first = next(message for message in said() if message["type"] == "play")
    assert first["moves"] == [{"drop": 0}]


def test_what_chance_does_is_told(referee, said):
    result = referee(next(carcassonne.samples()), [fake(), First()])
    assert result.faults == []
    told = [event for message in said() for event in message.get("moves", ())]
    assert any(event["seat"] is None for event in told)
    ours = [(played.seat, result.position.text(played.move)) for played in result.moves]
    known = [(event["seat"], event["move"]) for event in told]
    assert known == [move for move in ours if move[0] != 0][: len(known)]


def test_a_program_with_rules_of_its_own_is_not_told_the_legal_moves(referee, said):
    result = referee(hex.position(3, pie=False), [fake("own-rules"), First("c3", "c2", "c1")])
    assert result.faults == []
    assert [played.move for played in result.moves[::2]] == [
        hex.position(3).parse(text) for text in ("a1", "a2", "a3")
    ]
    assert not any("legal" in message for message in said())


@pytest.mark.parametrize("switch", ["more-fields", "dialect", "noise", "will-not-end", "mark"])
def test_what_does_no_harm(switch, start, referee):
    assert referee(start, ["random", fake(switch)], clock="10s").faults == []


@pytest.mark.slow
def test_it_is_stopped_while_others_think(referee):
    result = referee(hex.position(2, pie=False), [fake("ponder"), First("b2", wait=0.2)])
    assert result.faults == []
    assert float(result.logs[0].split()[-1]) > 0.19


def test_a_suspended_player_gets_a_question_that_is_longer_than_its_channel(monkeypatch):
    """The legal moves on a big board: the player must read the beginning before the end is sent."""

    def short():
        ours, theirs = channel.ends()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 12)
        return ours, theirs

    monkeypatch.setattr(channel, "PACKET", 1 << 10)
    monkeypatch.setattr(host_process, "ends", short)
    start = hex.position(60, pie=False)
    opponent = First()
    opponent.choose = lambda position: RESIGN if position.ply > 1 else position.legal_moves()[0]
    result = play_match(start, [fake(), opponent], clock="20s")
    assert [(fault.seat, fault.reason) for fault in result.faults] == [(1, "resign")]
    assert result.moves[2].seconds < 15


FAULTS = {
    "crash": ("crash", "killed by SIGABRT"),
    "exit": ("crash", "exited with code 3"),
    "close": ("crash", "standard output"),
    "hang": ("timeout", " 0.4 s"),
    "sleep": ("timeout", " 0.4 s"),
    "fork-hang": ("timeout", " 0.4 s"),
    "sigterm-ignore": ("timeout", " 0.4 s"),
    "buffered": ("timeout", "flush standard output"),
    "no-end-of-line": ("timeout", "end of line"),
    "endless": ("protocol", f" {LINE_LIMIT} bytes"),
    "too-long": ("protocol", f" {LINE_LIMIT} bytes"),
    "no-json": ("protocol", "'c5', "),
    "cut": ("protocol", "not JSON"),
    "nan": ("protocol", "not JSON"),
    "nested": ("protocol", "nested"),
    "array": ("protocol", "no object"),
    "text": ("protocol", "no object"),
    "no-move": ("protocol", 'which has no "move"'),
    "number": ("protocol", '"move": 5, '),
    "null": ("protocol", '"move": None, '),
    "long-number": ("protocol", "text"),
    "two-answers": ("protocol", "gave two answers, "),
    "two-on-a-line": ("protocol", "on one line"),
    "binary": ("protocol", "UTF-8"),
    "no-such-move": ("illegal-move", "; at ply 2 legal: "),
    "long-move": ("illegal-move", "; at ply 2 legal: "),
    "empty-move": ("illegal-move", "; at ply 2 legal: "),
    "resign": ("resign", "it resigned"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_forfeit(fault, start, referee):
    reason, message = FAULTS[fault]
    clock = "400ms" if reason == "timeout" else "20s"
    found = the_fault(referee(start, [First(), fake(fault)], clock=clock))
    assert (found.reason, found.ply) == (reason, 1)
    assert message in found.message
    assert len(found.message) < 2000
    assert bool(found.answer) == (reason == "illegal-move" and fault != "empty-move")


NO_PROCESSES = """
import errno, os, subprocess, sys
if any("bootstrap.py" in word for word in sys.orig_argv):
    def popen(*_, **__):
        raise OSError(errno.NUMBER, os.strerror(errno.NUMBER))
    subprocess.Popen = popen
"""


@pytest.mark.usefixtures("unisolated")
@pytest.mark.parametrize(
    ("kind", "number"), [("cmd", "EAGAIN"), ("cmd", "EMFILE"), ("htp", "ENOMEM")]
)
def test_a_machine_without_a_process_for_a_program_is_no_fault_of_the_player(
    kind, number, tmp_path, monkeypatch
):
    (tmp_path / "sitecustomize.py").write_text(NO_PROCESSES.replace("NUMBER", number))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(HostFailure, match=os.strerror(getattr(errno, number))):
        play_match(hex.position(3), [First(), f"{kind}: true"])


@pytest.mark.parametrize("fault", ["crash", "hang", "no-json", "illegal"])
def test_a_fault_in_a_later_move(fault, referee):
    start = hex.position(5, pie=False)
    found = the_fault(referee(start, [First("e5", "d5", "c5"), fake(fault, 3)], clock="400ms"))
    assert found.reason == FAULTS.get(fault, ("illegal-move",))[0]
    assert found.ply == 5
    if fault == "illegal":
        assert re.search(r"\(a1\) .*seat 1 at ply 6.*legal: ", found.message)
        assert found.answer == "a1"


@pytest.mark.slow
def test_an_end_between_two_turns(referee):
    start = hex.position(5, pie=False)
    found = the_fault(referee(start, [First("e5", "d5", wait=0.1), fake("exit-later")]))
    assert found.ply == 3  # judged when its turn comes
    assert (found.reason, "exited with code 9" in found.message) == ("crash", True)


STARTS = {
    "exit-start": "exited with code 1",
    "hang-start": "ready",
    "old": " version 0 ",
    "new": " version 2 ",
    "true-version": " version True ",
    "no-version": 'which has no "version"; expected {"version":1}',
    "banner": "'Welcome ",
    "refuse": "refused the game: plays nothing",
    "not-ready": 'to "start", but expected {"ready":true}',
    "no-pong": 'to "ping", but expected {"pong":true}',
}


@pytest.mark.parametrize("fault", STARTS)
def test_no_start(fault, start, referee, monkeypatch):
    monkeypatch.setattr(foreign_player, "START_SECONDS", 1.0 if fault == "hang-start" else 20.0)
    found = the_fault(referee(start, ["random", fake(fault)]))
    assert found.reason == "no-start"
    assert STARTS[fault] in found.message
    if fault == "exit-start":
        assert "no licence found" in found.log
    if fault == "hang-start":
        assert "flush standard output" in found.message


@pytest.mark.parametrize("player", [fake("long-name"), fake_htp("long-name")], ids=["cmd", "htp"])
def test_a_long_name_is_shown_safely(player, referee):
    assert len(referee(hex.position(5), ["random", player]).names[1]) < 200


def test_what_is_told_is_worked_out_before_its_clock_runs(referee, monkeypatch):
    question, told, moved = Messages.question, [], []

    def noted(self, moves, time_left):
        found = question(self, moves, time_left)
        time.sleep(0.02)
        told.append(time.perf_counter())
        return found

    def on_move(_, played):
        moved.append((time.perf_counter(), played.seconds))

    monkeypatch.setattr(Messages, "question", noted)
    referee(hex.position(2), [fake(), fake()], clock="60s", on_move=on_move)
    assert len(told) == len(moved) > 0
    assert all(seconds < end - began for began, (end, seconds) in zip(told, moved, strict=True))


def test_a_program_joins_a_game_whose_moves_are_known(said):
    position = hex.position(3)
    for move in ("a1", "b2", "c1"):
        position.play(move)
    result = play_match(position, [fake(), First("c3")])
    assert result.moves[0].seat == 1
    first = next(message for message in said() if message["type"] == "play")
    assert [(event["seat"], event["move"]) for event in first["moves"]] == [
        (0, "a1"),
        (1, "b2"),
        (0, "c1"),
        (1, "c3"),
    ]


def test_a_program_joins_no_game_whose_moves_nobody_knows():
    position = hex.position(3)
    position.play("a1")
    position.state = position.state.copy()
    with pytest.raises(InvalidInput, match=r"\bply 1\b"):
        play_match(position, [fake(), "random"])
