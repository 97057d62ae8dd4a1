"""One match: verdicts, clocks, seats that leave, and what is the referee's own fault."""

import gc
import re
import sys
import time
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import InvalidInput, boards, flood, play_match, read_record
from ludograph.errors import HostFailure
from ludograph.hosting.forkserver_client import FORK_SERVERS, ForkServerProcess
from ludograph.players import PlayerFault
from ludograph.players.protocol import follow
from ludograph.referee import record_writer
from tests.amounts import amount
from tests.hosting.fixtures import check_record, the_fault


def first(position):
    return position.legal_moves()[0]


def three(**options):
    return flood.position(boards.torus(8), colors=6, seats=3, seed=3, **options)


def failing(at, how):
    class Failing:
        def __init__(self):
            self.moves = 0

        def choose(self, position):
            self.moves += 1
            return how() if self.moves == at else first(position)

    return Failing


def boom():
    raise ValueError("boo\x1b[31m")


@pytest.mark.slow
def test_a_game_is_the_same_every_time(start, referee):
    games = [
        referee(start, ["random", "mcts:sims=20"], seed=seed, within=120) for seed in (1, 1, 2)
    ]
    moves = [[played.move for played in game.moves] for game in games]
    assert moves[0] == moves[1] != moves[2]
    assert games[0].position.is_over
    assert games[0].outcome == games[0].position.outcome()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("how", "reason", "message"),
    [
        (boom, "crash", "raised ValueError: boo\\x1b[31m"),
        (lambda: sys.exit(3), "crash", "raised SystemExit: 3"),
        (lambda: time.sleep(0.3), "timeout", "answered after "),
        (lambda: 3.5, "protocol", "answered 3.5"),
        (lambda: 1 << 31, "protocol", "answered 2147483648"),
        (lambda: 777, "protocol", "the code 777 is not legal"),
        (lambda: "mauve?", "protocol", "'mauve?'"),
    ],
)
def test_a_fault_is_a_forfeit(how, reason, message, seat, start, referee):
    players = [first, first]
    players[seat] = failing(3, how)
    result = referee(start, players, clock="250ms" if reason == "timeout" else None)
    fault = the_fault(result, seat)
    assert fault.reason == reason
    assert message in fault.message
    assert fault.ply == 4 + seat
    assert result.position.turn == seat  # the board is as it was
    if reason == "crash":
        assert "Traceback" in fault.log
    if reason == "illegal-move":
        assert fault.answer in ("777", "mauve?")


def test_an_illegal_move_is_in_the_record(start, tmp_path):
    path = tmp_path / "r.jsonl"
    code = next(c for c in range(6) if not start.is_legal(c))
    taken = start.text(code)
    play_match(start, [lambda p: taken, first], record=path)
    (event,) = read_record(path).events
    assert event.answer == taken
    assert re.search(rf"\b{code} \({taken}\) .*seat 0 at ply 1: ", event.message)
    assert event.message.endswith(f"; {start.legal_text()}")


def test_an_error_of_its_own_rules_is_a_crash_not_an_illegal_move(start, referee):
    def confused(position):
        position.play(777)

    assert the_fault(referee(start, [first, confused])).reason == "crash"


class WillNotStart:
    def start(self, position, seat):
        raise SystemExit("no")

    def play(self, moves, time_left):
        return 0

    def finish(self, outcome):
        raise AssertionError("it has never started")


def test_a_player_that_does_not_start(start, referee):
    fault = the_fault(referee(start, [first, WillNotStart]))
    assert (fault.reason, fault.ply) == ("no-start", 0)


def test_nobody_starts(start, referee):
    result = referee(start, [WillNotStart, WillNotStart])
    assert result.winner is None
    assert result.outcome.winners == ()
    assert result.sentence.startswith("Nobody wins: WillNotStart (seat 0) forfeits: no-start")
    assert len(result.faults) == 2


def test_finish_that_fails_changes_nothing(start, referee):
    class Sore:
        def start(self, position, seat):
            self.position = position

        def play(self, moves, time_left):
            return "pass"

        def finish(self, outcome):
            boom()

    assert referee(start, [Sore, Sore]).reason == "finished"


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("at", [1, 3])
def test_three_seats_one_leaves(seat, at, referee):
    heard = []

    class Listener:
        def start(self, position, seat):
            self.position = position

        def play(self, moves, time_left):
            heard.extend(move for move in moves if move < 0)
            follow(self.position, moves)
            move = first(self.position)
            self.position.play(move)
            return move

        def finish(self, outcome): ...

    players = [Listener] * 3
    players[seat] = failing(at, boom)
    result = referee(three(), players)
    assert result.reason == "finished"
    assert [fault.seat for fault in result.faults] == [seat]
    assert result.outcome.ranks[seat] == 3
    assert heard == [-1 - seat] * 2
    later = [played.seat for played in result.moves if played.seat == seat]
    assert len(later) == at - 1


def test_three_seats_two_leave(referee):
    result = referee(three(), [failing(2, boom), first, failing(4, boom)])
    assert result.reason == "crash"
    assert result.outcome.ranks == (3, 1, 2)
    assert result.winner == 1
    assert "FailingX" not in result.sentence


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_three_seats_one_does_not_start(seat, referee):
    players = [first] * 3
    players[seat] = WillNotStart
    result = referee(three(), players)
    assert result.reason == "finished"
    assert result.outcome.ranks[seat] == 3
    assert {played.seat for played in result.moves} == {0, 1, 2} - {seat}


def test_three_foreign_players_one_crashes(file, referee):
    good = file("def choose(position): return position.legal_moves()[0]\n", "good.py")
    bad = file("def choose(position): 1/0\n", "bad.py")
    result = referee(three(), [good, bad, good])
    assert result.reason == "finished"
    assert result.outcome.ranks[1] == 3


@settings(max_examples=amount(40), deadline=None)
@given(seats=st.integers(1, 5), data=st.data())
def test_any_faults_of_any_seats(seats, data, tmp_path_factory):
    ways = [boom, lambda: None, lambda: 777, lambda: sys.exit(0)]
    players = [
        data.draw(st.sampled_from([first, "random", WillNotStart]))
        if data.draw(st.booleans())
        else failing(data.draw(st.integers(1, 6)), data.draw(st.sampled_from(ways)))
        for _ in range(seats)
    ]
    start = flood.position(boards.square(6), colors=6, seats=seats, seed=4)
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    result = play_match(start, players, record=path)
    check_record(path, result)
    failed = {fault.seat for fault in result.faults}
    assert len(result.faults) == len(failed)
    assert result.winner not in failed
    assert result.position.is_over or seats - len(failed) <= 1
    ranks = result.outcome.ranks
    for seat in failed:
        assert all(ranks[other] < ranks[seat] for other in range(seats) if other not in failed)
    if len(failed) == seats:
        assert result.winner is None


@pytest.mark.slow
def test_the_time_of_a_game_and_its_increment(start, referee):
    told = []

    def slow(position, time_left):
        told.append(time_left)
        time.sleep(0.3)
        return first(position)

    result = referee(start, [first, slow], clock="1s+100ms")
    assert the_fault(result).reason == "timeout"
    assert told[0] == (None, 1.0, 0.1)
    own = [played.seconds for played in result.moves if played.seat == 1]
    assert len(told) == len(own) + 1  # its last answer came too late
    for before, seconds, after in zip(told, own, told[1:], strict=False):
        assert 0 < seconds <= before.game
        assert after == (None, pytest.approx(before.game - seconds + 0.1), 0.1)


def test_a_foreign_player_is_killed_when_its_game_time_is_over(start, file, referee):
    code = "import time\ndef choose(p):\n    time.sleep(0.1)\n    return p.legal_moves()[0]\n"
    began = time.monotonic()
    fault = the_fault(referee(start, [first, file(code)], clock="250ms+1ms"))
    assert fault.reason == "timeout"
    assert time.monotonic() - began < 60.0


class Broken(Exception):
    pass


@pytest.mark.slow
def test_what_an_observer_raises_is_not_blamed_on_a_player(start, library, tmp_path):
    def on_move(position, played):
        if position.ply == 3:
            raise Broken

    path = tmp_path / "r.jsonl"
    with pytest.raises(Broken):
        play_match(start, [library("greedy"), "random"], on_move=on_move, record=path)
    record = read_record(path)
    assert record.plies == 3
    assert "interrupted" in record.warning
    assert record.end is None


def test_our_own_errors_while_judging_are_raised(start, monkeypatch):
    def broken(self, move):
        raise Broken

    monkeypatch.setattr(type(start), "play", broken)
    with pytest.raises(Broken):
        play_match(start, [Plain, Plain])


class Plain:
    def start(self, position, seat): ...

    def play(self, moves, time_left):
        return 0

    def finish(self, outcome): ...


def test_a_full_disk_is_our_fault(start):
    with pytest.raises(OSError, match="/dev/full") as caught:
        play_match(start, ["greedy", "greedy"], record="/dev/full")
    assert "No space left" in str(caught.value)


def test_the_disk_fills_during_the_game(start, tmp_path, monkeypatch):
    import os

    class FullSoon:
        lines = 0

        def write(self, descriptor, data):
            FullSoon.lines += 1
            if FullSoon.lines > 4:
                raise OSError(28, "full")
            return os.write(descriptor, data)

    monkeypatch.setattr(record_writer, "os", FullSoon())
    path = tmp_path / "r.jsonl"
    with pytest.raises(OSError, match=r"full: '.*r\.jsonl'"):
        play_match(start, ["greedy", "greedy"], record=path)
    assert read_record(path).plies == 3


@pytest.mark.slow
def test_a_process_that_cannot_be_started_is_our_fault(start, file, monkeypatch):
    FORK_SERVERS.close()  # of games before
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(FileNotFoundError):
        play_match(start, [file("def choose(p): return 0\n"), "greedy"])
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(HostFailure, match="did not start"):
        play_match(start, [file("def choose(p): return 0\n"), "greedy"])


@pytest.mark.slow
def test_a_process_that_is_gone_at_once_and_cannot_be_started_again(start, file, monkeypatch):
    """The first dies with the request in hand, the second before it."""
    FORK_SERVERS.close()  # of games before
    fork, calls = ForkServerProcess.fork, []

    def once(self, request, descriptors):
        calls.append(request["token"])
        if len(calls) > 1:
            raise BrokenPipeError
        fork(self, request, descriptors)
        self.process.kill()

    monkeypatch.setattr(ForkServerProcess, "fork", once)
    with pytest.raises(HostFailure, match="did not start"):
        play_match(start, [file("def choose(p): return 0\n"), "greedy"])
    assert len(calls) == 3  # the last by another process still


def test_ctrl_c_ends_all_players(start, library, tokens):
    def interrupt(position, played):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_match(start, [library("greedy"), library("wanderer")], on_move=interrupt)
    assert len(tokens) == 2


@pytest.mark.parametrize(
    ("players", "problem"),
    [
        (["greedy"], " 2 seats, 1 "),
        (["greedy", "gready"], "no strategy 'gready'"),
        (["greedy", 3], "^3 "),
        ([Plain()] * 2, "seats 0 and 1"),
    ],
)
def test_mistakes_of_the_caller(players, problem, start, tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text("precious")
    if players[-1:] != [3]:
        with pytest.raises(InvalidInput, match=problem):
            play_match(start, players, record=path)
        assert path.read_text() == "precious"
    else:
        with pytest.raises(InvalidInput, match=problem):
            play_match(start, players)


def test_one_chooser_may_sit_on_both_seats(start):
    class One:
        def choose(self, position):
            return first(position)

    assert play_match(start, [One()] * 2).reason == "finished"


def test_the_solo_game(referee):
    solo = flood.position(boards.square(6), colors=4, seats=1, seed=1)
    assert referee(solo, [first]).reason == "finished"
    result = referee(solo, [failing(2, boom)])
    assert (result.reason, result.winner) == ("crash", None)
    failed = "Failing (seat 0) forfeits: crash"
    assert result.sentence == f"{failed}, raised ValueError: boo\\x1b[31m; at ply 2."


def test_the_match_goes_on_from_any_position_in_process(start):
    start.play(first(start))
    result = play_match(start, [first, first])
    assert result.reason == "finished"
    assert result.moves[0].seat == 1


def test_faults_can_be_raised_with_their_traceback(start):
    with pytest.raises(ValueError, match="boo") as caught:
        play_match(start, [failing(2, boom), "greedy"], raise_faults=True)
    assert caught.traceback[-1].name == "boom"
    with pytest.raises(PlayerFault, match="'purple'"):
        play_match(start, [lambda position: "purple", "greedy"], raise_faults=True)


def test_players_are_let_go_with_their_match(start):
    left = []

    class Bot:
        def __init__(self):
            left.append(weakref.ref(self))

        def choose(self, position):
            return first(position)

    gc.collect()
    gc.disable()  # without it only what no circle of references holds goes
    try:
        result = play_match(start, [Bot, Bot], seed=1)
    finally:
        gc.enable()
    assert result.position.is_over
    assert [reference() for reference in left] == [None, None]
