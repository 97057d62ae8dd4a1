"""Void games in a ladder: a player that causes them is suspended, and nobody else."""

import errno
import random
import re
import time
from collections import Counter, deque
from itertools import combinations

import pytest

from ludograph.arena import playing
from ludograph.arena.finished_game import GameKey
from ludograph.arena.ladder import LadderRun, RunLimits, running
from ludograph.arena.ladder.folder import parted
from ludograph.arena.ladder.suspension import LATEST, VoidGames
from ludograph.errors import HostFailure
from tests.arena.ladder.making import Lines, Pretended, ladder_in, put, run

BUILT_IN = ["greedy", "random"]


class Rounds:
    """Rounds of a ladder: all play a pairing from both seats; void games are played again once.

    ``cause`` tells whether a game is void. Who is found to be the cause plays no more.
    """

    def __init__(self, players, cause, seed=0, seats=2):
        self.playing, self.cause, self.seats = [*players, *BUILT_IN], cause, seats
        self.drawn, self.games = random.Random(seed), VoidGames(BUILT_IN)
        self.voids, self.found = Counter(), {}

    def play(self, rounds):
        for _ in range(rounds):
            order = self.drawn.sample(self.playing, len(self.playing))
            tables = [tuple(order[n : n + self.seats]) for n in range(0, len(order), self.seats)]
            full = [table for table in tables if len(table) == self.seats]
            waiting = deque((seating, True) for table in full for seating in (table, table[::-1]))
            while waiting:
                seating, again = waiting.popleft()
                if set(seating) <= set(self.playing) and not set(seating) <= set(BUILT_IN):
                    self.end(seating, waiting, again)
        return self

    def end(self, seating, waiting, again):
        if not self.cause(seating, self.drawn):
            self.games.result(seating)
            return
        self.voids.update(seating)
        for player, numbers in self.games.void(seating).items():
            self.found[player] = numbers
            self.playing.remove(player)
        if again:
            waiting.append((seating, False))


def sound(number):
    return [f"ok{one}" for one in range(number)]


def bad(number):
    return [f"bad{one}" for one in range(number)]


def with_bad(seating, _):
    return any(player.startswith("bad") for player in seating)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("goods", "bads", "seats"),
    [(5, 3, 2), (3, 1, 2), (5, 1, 2), (2, 1, 2), (20, 1, 2), (20, 5, 2), (8, 1, 3), (12, 1, 4)],
)
def test_who_makes_all_its_games_void_is_the_cause(goods, bads, seats, seed):
    """Also where several do it together."""
    rounds = Rounds(sound(goods) + bad(bads), with_bad, seed, seats).play(100)
    assert sorted(rounds.found) == bad(bads)
    assert max(rounds.voids[player] for player in rounds.found) <= 40 + 10 * bads


def test_who_was_sound_for_long_is_found_too():
    games = Rounds([*sound(5), "later"], lambda *_: False).play(LATEST)
    games.cause = lambda seating, _: "later" in seating
    games.play(100)
    assert list(games.found) == ["later"]
    assert games.voids["later"] < LATEST / 2


def test_who_alone_has_results_is_no_witness():
    """It may fill the machine itself, so that all other games are void."""
    for number in (2, 4, 7):
        for share in (1.0, 0.5, 0.2):
            full = Rounds(
                [*sound(number), "bad"],
                lambda seating, drawn, share=share: "bad" not in seating and drawn.random() < share,
            )
            assert full.play(200).found == {}


def test_one_other_player_is_no_witness_and_two_that_always_meet_are_one():
    assert Rounds([*sound(1), *bad(1)], with_bad).play(100).found == {}
    games = VoidGames(BUILT_IN)
    for number in range(100):
        games.result(("ann", "bob"))
        assert games.void(("bad", BUILT_IN[number % 2])) == {}
    for _ in range(50):
        games.result(("cid", "dan"))
    assert set(games.void(("bad", "greedy"))) == {"bad"}


def test_of_two_that_always_meet_nobody_is_found():
    games = VoidGames(BUILT_IN)
    for _ in range(100):
        assert games.void(("ann", "bad")) == {}
        for pair in combinations(sound(3), 2):
            games.result(pair)
    assert games.suspects == {"ann", "bad"}


def test_the_opponent_in_too_many_of_the_void_games_may_be_the_cause():
    games, others = VoidGames(["greedy"]), ["bob", "cid", "dan"]
    for round_number in range(100):
        assert games.void(("ann", "eve")) == {}
        assert games.void(("ann", others[round_number % 3])) == {}
        for other in others:
            games.result(("ann", other))
            games.result((other, "greedy"))
            games.result((other, "fay"))


def loses(seating, drawn, strengths):
    """Whether the first of the sore players in a game would lose it."""
    for player in seating:
        if player.startswith("bad"):
            (opponent,) = set(seating) - {player}
            difference = strengths.get(player, 3.0) - strengths.get(opponent, 3.0)
            if drawn.random() > 1 / (1 + 10**-difference):
                return True
    return False


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("goods", "sores"), [(5, 3), (6, 1), (3, 1)])
def test_who_makes_only_the_games_void_that_it_would_lose_is_found(goods, sores, seed):
    strengths = {f"ok{one}": float(one) for one in range(goods)}
    strengths |= dict.fromkeys(bad(sores), goods / 3)
    rounds = Rounds(
        sound(goods) + bad(sores), lambda seating, drawn: loses(seating, drawn, strengths), seed
    ).play(400)
    assert sorted(rounds.found) == bad(sores)
    assert all(
        re.fullmatch(
            r"\d+ of its \d+ games had no result, against several opponents, "
            r"and \d+ of \d+ games of others",
            numbers,
        )
        for numbers in rounds.found.values()
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [0.2, 0.02, 0.5])
@pytest.mark.parametrize("players", [4, 2, 8])
def test_a_machine_that_fails_for_a_share_of_all_games_is_nobodys_fault(players, share, seed):
    drawn, games = random.Random(seed), VoidGames(["greedy"])
    names = [*sound(players), "greedy"]
    for _ in range(10_000):
        seating = drawn.sample(names, 2)
        if drawn.random() < share:
            assert games.void(seating) == {}
        else:
            games.result(seating)


def test_who_only_suffers_more_from_a_machine_that_fails_is_not_suspended():
    """As a player that needs much memory."""
    drawn, games = random.Random(1), VoidGames(["greedy"])
    for _ in range(10_000):
        seating = drawn.sample([*sound(4), "heavy", "greedy"], 2)
        if drawn.random() < (0.5 if "heavy" in seating else 0.2):
            assert games.void(seating) == {}
        else:
            games.result(seating)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [0.2, 0.02, 0.5])
def test_a_machine_that_fails_for_some_time_is_nobodys_fault(share, seed):
    """It fails for ten games in a row, on average."""
    drawn, games, fails = random.Random(seed), VoidGames(["greedy"]), False
    names = [*sound(4), "greedy"]
    for _ in range(10_000):
        fails = drawn.random() < (0.9 if fails else 0.1 * share / (1 - share))
        seating = drawn.sample(names, 2)
        if fails:
            assert games.void(seating) == {}
        else:
            games.result(seating)


def test_results_end_a_suspicion_even_among_suspects():
    games = VoidGames(BUILT_IN)
    for _ in range(3):
        games.void(("ann", "bob"))
    assert games.suspects == {"ann", "bob"}
    for _ in range(10):
        games.result(("ann", "bob"))
    assert games.suspects == set()


def test_games_of_built_in_players_alone_show_nothing():
    """They need no process of a player."""
    games = VoidGames(BUILT_IN)
    for number in range(100):
        games.result(BUILT_IN)
        assert games.void(("ann", BUILT_IN[number % 2])) == {}


def test_players_that_have_left_are_forgotten():
    games = VoidGames(BUILT_IN)
    for _ in range(3):
        games.void(("ann", "bob"))
    games.keep({"bob"})
    assert games.suspects == {"bob"}


def suspended(going):
    return sorted(parted(label)[0] for label in going.state.suspended)


@pytest.mark.parametrize(
    ("first_games", "room", "later"), [(20, 1, 0), pytest.param(0, 4, 40, marks=pytest.mark.slow)]
)
def test_a_ladder_suspends_who_makes_its_games_void(tmp_path, first_games, room, later):
    """Though new players go first: others play, too, which shows that the machine is sound."""
    ladder = ladder_in(tmp_path, first_games=first_games)
    for number in range(3):
        put(ladder, f"ok{number}.py", number + 1)

    def come(number):
        if number == later:
            put(ladder, "bad.py", "void")

    if not later:
        come(0)
    said, executor = Lines(), Pretended(ladder, come, room)
    going = LadderRun(ladder, lambda _: executor, said)
    assert going.run(RunLimits(150)) == 150
    assert suspended(going) == ["bad.py"]
    with_bad = [key for key in executor.played if any("bad" in label for label in key.seating)]
    assert len(with_bad) <= 30
    assert len(Counter(with_bad)) > len(with_bad) / 3  # a void game is played again once
    (reason,) = going.state.suspended.values()
    assert reason.endswith("games of others")
    assert f"bad.py is suspended: {reason}: so it went" in said
    assert reason in ladder.folder.read_report("bad.py")


def broken(monkeypatch, void):
    """Let games of players with files be void if ``void`` returns true, given their number."""
    whole, count = Pretended.result, iter(range(10**6))

    def result(self, key):
        found = whole(self, key)
        own = any(".py" in label for label in key.seating)
        return HostFailure("so it went") if own and void(next(count)) else found

    monkeypatch.setattr(Pretended, "result", result)


@pytest.mark.parametrize(("players", "since"), [(5, 50), (1, 0), (2, 50), (30, 0)])
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


def test_a_process_that_cannot_be_started_makes_a_void_game(tmp_path, monkeypatch):
    """Players may use up the processes that a machine or a container allows."""

    def lacking(*_):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(playing, "referee_match", lacking)
    plan = ladder_in(tmp_path).plan(GameKey(0, ("greedy", "random")))
    error = playing.play_plan(plan)
    assert isinstance(error, HostFailure)
    assert str(error) == "the machine: Resource temporarily unavailable"


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
