"""The protocol in process: what players are given, and what they can do with it."""

import time
from types import SimpleNamespace

import pytest

from ludograph import boards, carcassonne, flood, play_match
from ludograph.games import Position, TimeLeft
from ludograph.players import drop_code, dropped_seat
from ludograph.players.protocol import ChoosingPlayer, as_player, follow, takes_time, warm_up
from ludograph.referee.clock import Stopwatch
from ludograph.referee.player_factory import make_player
from ludograph.search import pacing


@pytest.mark.parametrize(
    ("choose", "wants"),
    [
        (lambda position: 0, False),
        (lambda position, depth=3: 0, False),
        (lambda position, *, depth=3: 0, False),
        (lambda position, time_left: 0, True),
        (lambda position, clock: 0, True),
        (lambda position, time_left=None: 0, True),
        (lambda *arguments: 0, True),
        (len, False),
        (max, False),  # it has no signature
    ],
)
def test_who_wants_the_time(choose, wants):
    assert takes_time(choose) == wants


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mcts:time=30", "minimax:time=30"])
def test_our_own_searches_keep_to_the_clock(start, name, monkeypatch):
    """By the processor's clock, which stands still while others have the processor."""
    player = make_player(name, start.game, start.seats, 0)
    player.start(start.copy(), 0)  # compiles, on a fresh machine
    player.play([], TimeLeft(move=0.01))
    monkeypatch.setattr(pacing, "time", SimpleNamespace(perf_counter=time.thread_time))
    player.start(start.copy(), 0)
    began = time.thread_time()
    player.play([], TimeLeft(move=0.15))
    assert time.thread_time() - began < 0.15


def test_a_chooser_may_play_on_what_it_gets(start, referee):
    def vandal(position):
        move = position.legal_moves()[0]
        while not position.is_over:
            position.play(position.legal_moves()[-1])
        position.state[:] = 7
        for array in position.setup:
            if hasattr(array, "fill") and array.flags.writeable:
                array.fill(0)
        return move

    def honest(position):
        return position.legal_moves()[0]

    # Its own later positions are ruined too, so it may lose; the referee and the other are not.
    result = referee(start, [honest, vandal])
    assert result.reason in ("finished", "crash", "illegal-move")
    clean = referee(start, [honest, honest])
    assert [m[:2] for m in clean.moves[:2]] == [m[:2] for m in result.moves[:2]]


def test_a_player_hears_all_moves_but_its_own():
    start = flood.position(boards.torus(8), colors=6, seats=3, seed=3)
    heard = {}

    class Listener:
        def start(self, position, seat):
            self.board, self.seat = position, seat
            heard[seat] = []

        def play(self, moves, time_left):
            heard[self.seat] += moves
            follow(self.board, moves)
            assert self.board.turn == self.seat
            move = self.board.legal_moves()[0]
            heard[self.seat].append(move)
            self.board.play(move)
            return move

        def finish(self, outcome):
            assert outcome.ranks

    result = play_match(start, [Listener] * 3)
    assert result.faults == []
    moves = [played.move for played in result.moves]
    for told in heard.values():
        assert told == moves[: len(told)]
        assert len(moves) - len(told) < 3


def test_drop_codes_are_no_moves():
    for seat in range(16):
        assert dropped_seat(drop_code(seat)) == seat
    assert dropped_seat(0) is None


def test_a_chooser_can_prepare_before_the_clock_runs(start, monkeypatch):
    seen, begin = [], Stopwatch.begin

    def noted(stopwatch, *, counts):
        seen.append("clock")
        begin(stopwatch, counts=counts)

    monkeypatch.setattr(Stopwatch, "begin", noted)

    class Slow:
        def prepare(self, position):
            seen.append(position.ply)

        def choose(self, position):
            return "pass"

    assert play_match(start, [Slow, "greedy"], clock="60s").reason == "finished"
    assert seen[:2] == [0, "clock"]
    assert seen.count(0) == 1


def test_play_before_start():
    with pytest.raises(RuntimeError, match="before start"):
        as_player(lambda position: 0).play([], TimeLeft())
    assert isinstance(as_player(max), ChoosingPlayer)


def test_a_game_that_begins_with_chance_is_warmed_up_by_a_move_too(monkeypatch):
    start = carcassonne.position()
    turns = []
    play = Position.play

    def watched(position, move):
        turns.append(position.turn)
        play(position, move)

    monkeypatch.setattr(Position, "play", watched)
    warm_up(start)
    assert turns == [None, 0]
    assert start == carcassonne.position()
