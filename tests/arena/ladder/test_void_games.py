"""Void games in a ladder: a player that causes them is suspended, and nobody else."""

import errno
import random
import re
import time

import msgspec
import pytest

from ludograph.arena import playing
from ludograph.arena.ladder import LadderRun, RunLimits, running
from ludograph.arena.ladder.ladder import VOID
from ludograph.arena.ladder.state import parted
from ludograph.arena.ladder.void_games import (
    MOST_VOID,
    RESULTS,
    TESTS,
    VOIDS_IN_A_ROW,
    VoidGames,
)
from ludograph.arena.played_game import GameKey
from ludograph.errors import HostFailure
from tests.arena.ladder.making import Lines, Pretended, ladder_in, put, run


def suspended(going):
    return sorted(parted(label)[0] for label in going.state.suspended)


def voids(executor):
    """How many games with a player that makes them void were begun."""
    return sum(any(label.startswith("bad") for label in key.seating) for key in executor.played)


@pytest.mark.slow
@pytest.mark.parametrize(("first_games", "room"), [(0, 4), (20, 1)])
@pytest.mark.parametrize(("sound", "bad"), [(3, 1), (5, 1), (5, 3)])
@pytest.mark.parametrize("later", [False, True])
def test_who_makes_all_its_games_void_is_suspended(tmp_path, sound, bad, first_games, room, later):
    """Also where its opponents have had no other games, and where several do it together."""
    ladder = ladder_in(tmp_path, first_games=first_games)
    for number in range(sound):
        put(ladder, f"ok{number}.py", number + 1)

    def come(number):
        if number == 40 * later:
            for one in range(bad):
                put(ladder, f"bad{one}.py", f"void {one}")

    if not later:
        come(0)
    said, executor = Lines(), Pretended(ladder, come, room)
    going = LadderRun(ladder, lambda _: executor, said)
    assert going.run(RunLimits(150)) == 150
    assert suspended(going) == [f"bad{one}.py" for one in range(bad)]
    assert voids(executor) <= 10 * bad
    (reason, *_) = going.state.suspended.values()
    assert reason == (
        "its games have no result, also against built-in players, and games of others have: "
        "so it went"
    )
    assert f"bad0.py is suspended: {reason}" in said
    assert reason in ladder.folder.read_report("bad0.py")


@pytest.mark.slow
@pytest.mark.parametrize("sound", [1, 2])
def test_too_few_witnesses_do_not_suspend_and_the_ladder_goes_on(tmp_path, sound):
    """Two that always meet are one witness."""
    ladder = ladder_in(tmp_path)
    for number in range(sound):
        put(ladder, f"ok{number}.py", number + 1)
    put(ladder, "bad.py", "void")
    executor, going, _ = run(ladder, 100)
    assert going.played == 100
    assert suspended(going) == []
    assert voids(executor) < 40


def broken(monkeypatch, void):
    """Let games of players with files be void if ``void`` returns true, given their number."""
    whole, count = Pretended.result, iter(range(10**6))

    def result(self, key):
        found = whole(self, key)
        own = any(".py" in label for label in key.seating)
        return msgspec.structs.replace(found, reason=VOID) if own and void(next(count)) else found

    monkeypatch.setattr(Pretended, "result", result)


@pytest.mark.parametrize("since", [0, 50])
@pytest.mark.parametrize("players", [1, 2, 5, 30])
def test_if_the_machine_is_the_cause_the_run_ends_and_nobody_is_suspended(
    tmp_path, monkeypatch, players, since
):
    """Though games of built-in players alone, which need no process, still have results."""
    ladder = ladder_in(tmp_path)
    for number in range(players):
        put(ladder, f"ok{number}.py", number + 1)
    broken(monkeypatch, lambda number: number >= since)
    executor = Pretended(ladder)
    going = LadderRun(ladder, lambda _: executor)
    with pytest.raises(HostFailure, match="30 games in a row had no result"):
        going.run(RunLimits(1000))
    assert suspended(going) == []


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_a_machine_that_fails_now_and_then_is_nobodys_fault(tmp_path, monkeypatch, share):
    ladder = ladder_in(tmp_path, first_games=4)
    for number in range(4):
        put(ladder, f"ok{number}.py", number + 1)
    chance = random.Random(3)
    broken(monkeypatch, lambda _: chance.random() < share)
    _, going, _ = run(ladder, 300)
    assert going.played == 300
    assert suspended(going) == []


def test_who_is_tested_plays_only_against_built_in_players(tmp_path):
    ladder = ladder_in(tmp_path, first_games=0)
    for number in range(5):
        put(ladder, f"ok{number}.py", number + 1)
    put(ladder, "bad.py", "void")
    since = []

    def look(number):
        if any(label.startswith("bad") for label in going._suspensions.tested):
            since.append(number)

    executor = Pretended(ladder, look)
    going = LadderRun(ladder, lambda _: executor)
    going.run(RunLimits(60))
    later = [key for key in executor.played[since[0] :] if any("bad" in one for one in key.seating)]
    assert TESTS <= len(later) <= TESTS + 1
    assert all({"greedy", "random"}.intersection(key.seating) for key in later)


def suspected():
    """Void games after which ann is tested, and bob no more."""
    games = VoidGames(["greedy"])
    for _ in range(VOIDS_IN_A_ROW):
        assert not games.void(("ann", "bob"))
    assert games.tested == {"ann", "bob"}
    games.result(("bob", "greedy"))
    assert games.tested == {"ann"}
    return games


def results(games, *seatings):
    for seating in seatings:
        assert not games.result(seating)


def test_four_void_tests_among_results_of_others_blame_a_player():
    games = suspected()
    for number in range(TESTS):
        results(games, ("greedy", "greedy"))  # which needs no process of a player
        results(games, ("bob", "greedy"), ("cid", "greedy"), ("bob", "cid"))
        assert games.is_due("ann")
        assert games.void(("ann", "greedy")) == ({"ann"} if number == TESTS - 1 else set())
    assert games.tested == set()


def test_a_result_ends_a_test():
    games = suspected()
    results(games, *[("bob", "cid"), ("dan", "cid"), ("bob", "dan")] * TESTS)
    games.void(("ann", "greedy"))
    results(games, ("ann", "greedy"))
    assert games.tested == set()


def test_who_alone_has_results_is_no_witness():
    """It may fill the machine itself, so that all other games are void."""
    games = suspected()
    for _ in range(3 * TESTS):
        results(games, *[("bad", "greedy")] * RESULTS)
        assert games.is_due("ann")
        assert not games.void(("ann", "greedy"))
    assert games.tested == {"ann"}


def test_a_machine_that_fails_for_others_too_acquits():
    games = suspected()
    for number in range(MOST_VOID):
        assert games.tested == {"ann"}
        results(games, ("bob", "cid"))
        games.void(("bob", f"new{number}"))
    assert games.tested == set()


def test_a_process_that_cannot_be_started_makes_a_void_game(tmp_path, monkeypatch):
    """Players may use up the processes that a machine or a container allows."""

    def lacking(*_):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(playing, "referee_match", lacking)
    game = playing.play_game(ladder_in(tmp_path), GameKey(0, ("greedy", "random")))
    assert game.reason == VOID
    assert game.sentence == "the machine: Resource temporarily unavailable"


@pytest.mark.slow
def test_after_a_void_game_there_is_a_pause(tmp_path, monkeypatch):
    """What is lacking may be there again later."""
    monkeypatch.setattr(running, "PAUSE_SECONDS", 1000.0)
    ladder = ladder_in(tmp_path)
    put(ladder, "ok.py", 1)
    broken(monkeypatch, lambda number: number == 2)
    executor, going, _ = run(ladder, until=time.monotonic() + 3.0)
    assert len(executor.played) == going.played + 1
    assert [any(".py" in one for one in key.seating) for key in executor.played].count(True) == 3


@pytest.mark.slow
def test_who_makes_only_the_games_void_that_it_would_lose_is_suspended(tmp_path, monkeypatch):
    ladder = ladder_in(tmp_path, first_games=4)
    for number in range(6):
        put(ladder, f"ok{number}.py", 10 * number)
    put(ladder, "sore.py", 25)
    whole = Pretended.result

    def result(self, key):
        found = whole(self, key)
        loses = any("sore" in seat.player and seat.rank > 1 for seat in found.seats)
        return msgspec.structs.replace(found, reason=VOID) if loses else found

    monkeypatch.setattr(Pretended, "result", result)
    _, going, _ = run(ladder, 400)
    assert suspended(going) == ["sore.py"]
    (reason,) = going.state.suspended.values()
    assert re.fullmatch(
        r"1\d of its \d+ games had no result, against several opponents, "
        r"and 0 of \d+ games of others: so it went",
        reason,
    )


@pytest.mark.parametrize("share", [0.02, 0.2, 0.5])
def test_the_share_of_void_games_is_nobodys_fault_if_others_have_it_too(share):
    drawn, games = random.Random(1), VoidGames(["greedy"])
    names = ["ann", "bob", "cid", "dan", "greedy"]
    for _ in range(10_000):
        seating = drawn.sample(names, 2)
        (games.void if drawn.random() < share else games.result)(seating)
        assert games.too_many() == {}


def test_the_opponent_in_too_many_of_the_void_games_may_be_the_cause():
    games, others = VoidGames(["greedy"]), ["bob", "cid", "dan"]
    for round_number in range(100):
        games.void(("ann", "eve"))
        games.void(("ann", others[round_number % 3]))
        for other in others:
            games.result(("ann", other))
            games.result((other, "greedy"))
            games.result((other, "fay"))
        assert games.too_many() == {}
