"""Tournaments: the same games whoever plays them, whatever interrupts them."""

import json
import os
import random
import signal
import time
from dataclasses import replace

import pytest

from ludograph.arena import Results
from ludograph.arena.executor import InProcess, LocalProcesses
from ludograph.arena.openings import chosen_openings
from ludograph.arena.playing import play_plan
from ludograph.arena.store import Store
from ludograph.arena.tournament import enrolled, play_tournament
from ludograph.errors import HostFailure, InvalidInput
from ludograph.games.registry import game as game_of
from ludograph.games.registry import names
from tests.arena.tournaments import kept, small


def play(tournament, path, jobs=1, until=None):
    """Play what is left; return all that is kept."""
    executor = InProcess(play_plan)
    if jobs > 1:
        executor = LocalProcesses(play_plan, jobs, tournament.prepare)
    with executor, Store(path) as store:
        number = store.enroll(tournament.key, tournament.game, tournament.declaration)
        store.lock(number)
        left = iter(range(until or 10**6))

        def stop(_):
            if next(left, None) is None:
                raise KeyboardInterrupt

        play_tournament(tournament, number, store, executor, stop)
        return kept(store, number)


def test_every_pairing_plays_each_start_with_both_seatings(tmp_path):
    games = play(small(games=4), tmp_path / "store.db")
    assert len(games) == 3 * 4
    seats = {}
    for start, _, _, _, seating in games:
        seats.setdefault((start, frozenset(seating)), set()).add(seating)
    assert len(seats) == 2 * 3
    assert all(len(both) == 2 for both in seats.values())


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss", "knockout"])
def test_interrupted_and_gone_on_it_is_the_same_tournament(tmp_path, kind):
    tournament = small(format=kind, games=4)
    whole = play(tournament, tmp_path / "whole.db")
    with pytest.raises(KeyboardInterrupt):
        play(tournament, tmp_path / "parts.db", until=3)
    assert play(tournament, tmp_path / "parts.db", jobs=2) == whole


def test_more_games_go_on_where_fewer_ended(tmp_path):
    fewer = play(small(games=2), tmp_path / "store.db")
    more = play(small(games=4), tmp_path / "store.db")
    assert set(fewer) < set(more)
    assert len(more) == 2 * len(fewer)
    assert len(small(games=4).wanted(Results.of(()))) == 0


@pytest.mark.slow
def test_killed_at_any_instant_nothing_is_lost_or_counted_twice(tmp_path):
    tournament = small(games=30, seed=5)
    whole = play(tournament, tmp_path / "whole.db")
    assert len(whole) == 90
    path, choice, killed = tmp_path / "killed.db", random.Random(1), 0

    def games():
        with Store(path) as store:
            return [kept(store, one.number) for one in store.tournaments()]

    for least in (0, 1, 10, 20, 30, 40, 50, 60, 70):
        child = os.fork()
        if child == 0:
            try:
                play(tournament, path, jobs=2)
            finally:
                os._exit(0)
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if not least or sum(map(len, games())) >= least:
                time.sleep(choice.uniform(0, 0.03))
                os.kill(child, signal.SIGKILL)
                killed += os.WIFSIGNALED(os.waitpid(child, 0)[1])
                break
        assert all(set(found) <= set(whole) for found in games())  # sound at any instant
    assert killed > 1
    assert play(tournament, path, jobs=2) == whole


def test_starts_take_turns_among_variants(tmp_path):
    tournament = small("greedy", "random", games=6, variants=2)
    play(tournament, tmp_path / "store.db")
    with Store(tmp_path / "store.db") as store:
        boards = {(one.start, one.board) for one in store.games()}
    assert boards == {(0, "square 5x5"), (1, "square 6x6"), (2, "square 5x5")}


def test_tables_of_three_rotate(tmp_path):
    games = play(small("greedy", "random", "valid", seats=3, games=3), tmp_path / "store.db")
    assert {seating for *_, seating in games} == {
        ("greedy", "random", "valid"),
        ("random", "valid", "greedy"),
        ("valid", "greedy", "random"),
    }


def test_what_makes_other_games_makes_another_tournament():
    key = small(games=2).key
    assert key == small(games=8).key  # more of the same
    others = [
        small("greedy", "random"),
        small(seed=1),
        small(format="swiss"),
        small(clock="1s"),
        small(variants=2),
    ]
    assert len({key, *(other.key for other in others)}) == 1 + len(others)
    assert small(format="knockout", games=2).key != small(format="knockout", games=4).key


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"games": 3}, " 2, 4 "),
        ({"format": "series", "seats": 3, "difference": 20.0}, "two players"),
        ({"format": "knockout", "seats": 3, "games": 3}, "two seats"),
        ({"sample": True}, "three"),
    ],
)
def test_what_does_not_go_together_is_refused(settings, why):
    with pytest.raises(InvalidInput, match=why):
        small(**settings)


@pytest.mark.slow
def test_the_game_of_a_lost_process_is_played_again(tmp_path):
    """By another one, which takes its place; in the end all games are there, each once."""
    tournament = small(games=20)
    whole = play(tournament, tmp_path / "whole.db")

    def dies(plan, _):
        try:
            (tmp_path / str(plan)).touch(exist_ok=False)
        except FileExistsError:
            return play_plan(plan)
        if plan.key.start in (0, 3, 7):
            os.kill(os.getpid(), signal.SIGKILL)
        return play_plan(plan)

    with Store(tmp_path / "store.db") as store:
        number = store.enroll(tournament.key, "flood", {})
        with LocalProcesses(dies, 2, tournament.prepare) as executor:
            play_tournament(tournament, number, store, executor)
        assert kept(store, number) == whole


@pytest.mark.slow
def test_a_game_that_is_lost_twice_ends_it_with_a_sentence_and_loses_nothing(tmp_path):
    tournament = small(games=20)

    def dies(plan, _):
        if plan.key.start == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return play_plan(plan)

    path = tmp_path / "store.db"
    with Store(path) as store:
        number = store.enroll(tournament.key, "flood", {})
        with (
            LocalProcesses(dies, 2, tournament.prepare) as executor,
            pytest.raises(HostFailure, match="killed by SIGKILL"),
        ):
            play_tournament(tournament, number, store, executor)
        assert len(store.played(number)) >= 12
    assert len(play(tournament, path)) == 60


@pytest.mark.slow
def test_a_comparison_stops_when_it_is_sure_and_counts_no_game_behind_that(tmp_path):
    series = small("greedy", "random", format="series", games=1000, difference=200.0)
    alone = play(series, tmp_path / "one.db")
    play(series, tmp_path / "two.db", jobs=2)
    found = []
    for name in ("one.db", "two.db"):
        with Store(tmp_path / name) as store:
            found.append(series.comparison(store.played(1)).to_data())
    assert found[0] == found[1]
    assert found[0]["better"] == "greedy"
    assert len(alone) < 200


@pytest.mark.parametrize(
    "settings",
    [
        {"format": "round-robin"},
        {"format": "gauntlet"},
        {"format": "round-robin", "seats": 3, "games": 6},
        {"format": "round-robin", "seats": 3, "games": 6, "sample": True},
    ],
)
def test_how_many_games_there_will_be_is_known_before(settings):
    tournament = small("greedy", "random", "valid", "mcts:sims=2", **{"games": 4, **settings})
    assert tournament.total == len(tournament.schedule.remaining(()))


def opened(texts, **settings):
    """A tournament whose games begin with openings, from a file."""
    tournament = small("greedy", "random", games=6, **settings)
    found = chosen_openings(
        str(texts), [tournament.start(n) for n in range(tournament.variants)], []
    )
    return replace(tournament, openings=found)


def test_starts_take_openings_in_turn_and_both_seatings_begin_alike(tmp_path):
    color = small("greedy", "random").start(0)
    color = color.text(color.legal_moves()[0])
    (tmp_path / "two.txt").write_text(f"# two openings\n{color} pass # one waits\n\npass\n")
    tournament = opened(tmp_path / "two.txt")
    play(tournament, tmp_path / "store.db")
    with Store(tmp_path / "store.db") as store:
        games = list(store.games())
        begun = [
            (game.start, json.loads(store.record(game.number).splitlines()[0])["opening"])
            for game in games
        ]
    moves = [color, "pass"], ["pass"]
    assert sorted(begun) == [(n, moves[n % 2]) for n in range(3) for _ in "ab"]
    assert len({tuple(tournament.start(n).state) for n in range(3)}) == 1


def test_openings_make_another_tournament(tmp_path):
    for name, text in (("one.txt", "pass"), ("other.txt", "pass\npass")):
        (tmp_path / name).write_text(text)
    keys = {opened(tmp_path / name).key for name in ("one.txt", "other.txt")}
    assert len({*keys, small("greedy", "random", games=6).key}) == 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("pass\nnonsense\n", "line 2: "),
        ("# nothing\n", "no openings"),
        ("pass " * 200, "line 1: opening: "),
    ],
)
def test_openings_that_cannot_be_played_are_told_with_their_line(tmp_path, text, why):
    (tmp_path / "file.txt").write_text(text)
    with pytest.raises(InvalidInput, match=why):
        opened(tmp_path / "file.txt")


@pytest.mark.parametrize("name", names())
def test_what_a_game_declares_as_openings_can_be_played(name):
    rules = game_of(name)
    for suite in rules.declaration.openings:
        start = rules.position()
        found = chosen_openings(suite, [start], [])
        assert len(set(found.variants[0])) == len(found.variants[0]) > 1
    with pytest.raises(InvalidInput, match="openings of"):
        chosen_openings("no such suite", [next(iter(rules.samples()))], [])


def test_a_player_that_is_changed_before_the_first_game_plays_none(tmp_path):
    """As while built-in players are compiled."""
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position):\n    return position.legal_moves()[0]\n")
    with Store(tmp_path / "store.db") as store, InProcess(play_plan) as executor:
        number, entered = enrolled(store, small(str(bot), "greedy", games=2))
        bot.write_text("def choose(position):\n    return position.legal_moves()[-1]\n")
        store.lock(number)
        with pytest.raises(InvalidInput, match=r"bot\.py was changed"):
            play_tournament(entered, number, store, executor)
        assert len(store.played(number)) == 0
