"""A person as a player: what it may answer, and what the referee makes of that."""

from __future__ import annotations

import io
import re
import sys
import time

import pytest

from ludograph import amazons, carcassonne, flood, hex, penguins, play_match, read_record
from ludograph.games import TimeLeft
from ludograph.games.registry import game, names
from ludograph.players import PlayerFault, Reason
from ludograph.players.human import HumanPlayer, Quit, TakeBack, Turn, understand
from ludograph.rules import random_state
from tests.amounts import slow_but


class Scripted:
    """A front that answers what stands in a list, and keeps what was told."""

    def __init__(self, *texts):
        self.texts = list(texts)
        self.told = []

    def ask(self, turn):
        while True:
            text = self.texts.pop(0) if self.texts else next(iter(turn.moves))
            if text == "late":
                time.sleep(0.3)
                turn.seconds_left()
            answer = understand(turn, text)
            if isinstance(answer, int):
                return answer
            self.told += answer


def turn_at(position, kept="", advice=None):
    return Turn(position, position.turn, TimeLeft(), lambda seat: kept, lambda left: advice)


def test_a_move_is_what_the_game_calls_it():
    turn = turn_at(hex.position(3))
    for text, code in turn.moves.items():
        assert understand(turn, text) == code
        assert understand(turn, f" {text.upper()} ") == code


def test_what_leaves_no_doubt_is_enough():
    position = flood.position("square:4", colors=4, seed=1)
    turn = turn_at(position)
    shown = {swatch.name: swatch.symbol for swatch in position.scene().in_cells.palette}
    for text, code in turn.moves.items():
        others = [other for other in turn.moves if other.startswith(text[0])]
        if len(others) == 1:
            assert understand(turn, text[0]) == code
        if text != "pass":
            assert understand(turn, shown[text]) == code
    assert understand(turn, "#1") == next(iter(turn.moves.values()))
    assert isinstance(understand(turn, f"#{'9' * 5000}"), list)


def test_what_is_in_doubt_is_asked_back():
    (line,) = understand(turn_at(hex.position(3)), "c")
    assert re.findall(r"\bc\d?\b", line) == ["c", "c1", "c2", "c3"]


def test_what_is_refused_has_the_reason_of_the_game():
    position = hex.position(3, pie=False)
    position.play("a1")
    turn = turn_at(position)
    assert understand(turn, "a1") == [position.why_not(position.parse("a1"))]
    (line,) = understand(turn, "z9")
    assert "a1 to c3" in line
    assert line.endswith("; ? helps")
    assert understand(turn, "") == []
    (line,) = understand(turn, "#77")
    assert "#77" in line


def test_wishes():
    turn = turn_at(hex.position(3), kept="no", advice=6)
    assert understand(turn, "undo") == ["undo: no"]
    assert understand(turn, "hint") == [f"hint: {turn.position.text(6)}"]
    assert "free cell" in understand(turn, "?")[0]
    listed = " ".join(understand(turn, "moves"))
    assert all(f"#{number} {text}" in listed for number, text in enumerate(turn.moves, 1))
    with pytest.raises(TakeBack):
        understand(turn_at(hex.position(3)), "undo")
    with pytest.raises(Quit):
        understand(turn, "QUIT")
    with pytest.raises(PlayerFault) as caught:
        understand(turn, "resign")
    assert caught.value.reason is Reason.RESIGN


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(["flood", "hex"], names()))
def test_every_game_says_how_moves_are_written_and_has_an_adviser(name):
    assert game(name).interaction.written_as
    for position in game(name).samples():
        if position.turn is None:
            position.play_random(random_state(1))
        player = HumanPlayer(Scripted(), seed=3)
        player.start(position, position.turn)
        assert position.is_legal(player.advise(TimeLeft(0.05)))


@pytest.mark.parametrize(
    ("position", "parts"),
    [
        (hex.position(4), {1}),
        (flood.position("square:5", colors=4, seed=2), {1}),
        (penguins.position(seed=4), {1, 2}),
        (amazons.position("square:6"), {3}),
        (carcassonne.position(), {0}),
    ],
    ids=lambda each: each.game.name if hasattr(each, "game") else "",
)
def test_cells_point_at_every_legal_move(position, parts):
    rng, seen = random_state(5), set()
    while not position.is_over:
        if position.turn is not None:
            scene = position.scene()
            for move in position.legal_moves():
                pointed = position.game.interaction.pointed(position, move)
                if position.text(move) in ("pass", "swap"):
                    assert pointed == ()
                    continue
                seen.add(len(pointed))
                for cells in pointed:
                    assert len(cells) > 0
                    assert all(scene.fills[cell] >= 0 for cell in cells)
                if position.game.name in ("penguins", "amazons"):
                    words = position.text(move).replace("/", "-").split("-")
                    alone = {str(cells[0]) for cells in pointed}
                    assert len(words) == len(pointed)
                    assert position.game.name != "penguins" or alone == set(words)
        position.play_random(rng)
    assert seen == parts


def test_undo_leaves_the_moves_that_stand(tmp_path):
    record = tmp_path / "game.jsonl"
    front = Scripted("a1", "undo", "b2", "undo", "c1")
    boards = []
    result = play_match(
        hex.position(3, pie=False),
        ["human", "random"],
        seed=4,
        record=record,
        front=front,
        on_take_back=lambda board, seat: boards.append((board.ply, seat)),
    )
    assert front.told == []
    assert boards == [(0, 0), (0, 0)]
    assert result.reason == "finished"
    kept = read_record(record)
    assert [event.move for event in kept.events] == [played.move for played in result.moves]
    assert kept.start.text(kept.events[0].move) == "c1"
    assert kept.end is not None


def test_chance_deals_again_what_it_has_dealt():
    def dealt(*texts):
        result = play_match(
            carcassonne.position(), ["human", "human"], seed=9, front=Scripted(*texts)
        )
        return [played.move for played in result.moves if played.seat is None]

    first = dealt()
    assert len(first) > 60
    assert dealt("#1", "#1", "undo", "#1", "undo", "#1", "#1", "undo") == first


def test_two_people_take_back_each_their_own():
    front = Scripted("a1", "undo", "b1", "a2", "undo", "b1", "c3")
    seats = []
    play_match(
        hex.position(3, pie=False),
        ["human", "human"],
        front=front,
        on_take_back=lambda board, seat: seats.append((seat, board.ply)),
    )
    assert front.told[0].startswith("undo: ")
    assert seats == [(1, 1)]


@pytest.mark.slow
def test_who_keeps_a_board_takes_nothing_back(tmp_path):
    (tmp_path / "first.py").write_text(
        "def choose(position):\n    return position.legal_moves()[0]\n"
    )
    front = Scripted("c3", "undo")
    play_match(hex.position(3, pie=False), ["human", str(tmp_path / "first.py")], front=front)
    (told,) = front.told
    assert told.startswith("undo: first.py (seat 1) ")


def test_resigning_in_company_is_dropping_out():
    front = Scripted("resign")
    result = play_match(
        penguins.position(seats=3, seed=1), ["human", "random", "random"], front=front
    )
    assert [(fault.seat, fault.reason) for fault in result.faults] == [(0, Reason.RESIGN)]
    assert result.reason == "finished"


def test_a_clock_is_obeyed():
    started = time.monotonic()
    result = play_match(hex.position(3), ["human", "random"], clock="200ms", front=Scripted("late"))
    assert result.reason == "timeout"
    assert time.monotonic() - started > 0.2


def test_time_stays_spent_when_moves_are_taken_back():
    left = []

    class Watching(Scripted):
        def ask(self, turn):
            left.append(turn.seconds_left())
            time.sleep(0.05)
            return super().ask(turn)

    play_match(
        hex.position(2, pie=False),
        ["human", "random"],
        clock="60s+0s",
        front=Watching("a1", "undo", "a2", "undo", "b1"),
    )
    assert len(left) >= 5
    assert all(seconds <= 60.0 - 0.02 * asked for asked, seconds in enumerate(left)), left


def test_quitting_stops_the_match(tmp_path):
    record = tmp_path / "game.jsonl"
    with pytest.raises(Quit):
        play_match(
            hex.position(3), ["human", "random"], record=record, front=Scripted("a1", "quit")
        )
    assert read_record(record).plies == 2


def test_what_fails_between_person_and_game_is_no_forfeit():
    class Broken:
        def ask(self, turn):
            raise OSError(5, "terminal gone")

    with pytest.raises(OSError, match="terminal gone"):
        play_match(hex.position(3), ["human", "random"], front=Broken())


def test_without_a_front_moves_are_read_from_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1\nhello\n"))
    result = play_match(hex.position(3), ["human", "random"])
    assert result.moves[0].move == hex.position(3).parse("a1")
    assert result.reason == "resign"
    assert "input" in result.faults[0].message
    told = capsys.readouterr().err
    assert str(hex.position(3)) in told
    assert "'hello'" in told
