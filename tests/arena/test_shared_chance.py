"""Games that share chance are never under way together, and all workers are busy nevertheless."""

import random
from collections import Counter, deque
from collections.abc import Iterator
from functools import partial

import pytest

from ludograph import boards, flood
from ludograph.arena import Sprt
from ludograph.arena.executor import ListedGames, LocalProcesses, SharedChance, play_all
from ludograph.arena.ladder import LadderRun, RunLimits
from ludograph.arena.playing import play_game
from ludograph.arena.series import Series
from ludograph.arena.store import Store
from ludograph.arena.tournament import play_tournament
from ludograph.players.isolation import Isolation
from ludograph.players.spec import parse_player
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed
from tests.arena.ladder.making import Pretended, ladder_in, put
from tests.arena.tournaments import kept, small


class Recorder:
    """An executor with room for several games, which end in a drawn order.

    Attributes
    ----------
    idle
        For each time that it was asked for games that have ended: the games under way, and the
        places that were free.
    """

    def __init__(self, play, chance_of, room):
        self.play, self.chance_of, self.room = play, chance_of, room
        self.random = random.Random(5)
        self.under_way, self.ended_games = [], []
        self.idle = []

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.under_way.clear()

    @property
    def free(self):
        return self.room - len(self.under_way)

    def submit(self, key):
        chances = {self.chance_of(other) for other in self.under_way}
        assert self.chance_of(key) not in chances, f"{key} while {self.under_way}"
        self.under_way.append(key)

    def ended(self) -> Iterator[object]:
        self.idle.append((len(self.under_way), self.free))
        key = self.under_way.pop(self.random.randrange(len(self.under_way)))
        self.ended_games.append(key)
        yield self.play(key)


def seed_of(plan):
    """The seed of chance itself, by which games may not be under way together."""
    return lambda key: plan.chance_seed(key).data


def played(tournament, path, room):
    """Play a tournament by a recorder; return it, and all that is kept."""
    executor = Recorder(partial(play_game, tournament), seed_of(tournament), room)
    with executor, Store(path) as store:
        number = store.enroll(tournament.key, tournament.game, tournament.declaration)
        play_tournament(tournament, number, store, executor)
        return executor, kept(store, number)


SETTINGS = {
    "round-robin": {"games": 6},
    "gauntlet": {"games": 4, "format": "gauntlet"},
    "swiss": {"games": 4, "format": "swiss"},
    "knockout": {"games": 4, "format": "knockout"},
    "three seats": {"games": 6, "seats": 3},
    "variants": {"games": 6, "variants": 2},
}


@pytest.mark.slow
@pytest.mark.parametrize("room", [2, 5])
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_games_of_a_tournament_that_share_chance_are_played_apart(tmp_path, settings, room):
    """With the same results as one after the other."""
    tournament = small(**settings)
    _, alone = played(tournament, tmp_path / "one.db", 1)
    executor, together = played(tournament, tmp_path / "several.db", room)
    assert together == alone
    assert len(set(executor.ended_games)) == len(executor.ended_games) == len(alone)


@pytest.mark.slow
def test_free_workers_play_other_games(tmp_path):
    """None is idle while games of another chance wait: only at the very end."""
    tournament = small(games=8)
    executor, games = played(tournament, tmp_path / "store.db", 3)
    assert len(games) == 24
    late = [count for count, (_, free) in enumerate(executor.idle) if free]
    assert len(executor.idle) - min(late) <= 4  # two pairs at most were open then


def test_other_pairings_on_a_start_do_not_wait():
    """They share the board, which all see, and have other seeds of chance."""
    tournament = small(games=2)
    keys = tournament.schedule.remaining(())
    assert {key.start for key in keys} == {0}
    assert len({tournament.chance_seed(key).data for key in keys}) == len(keys) / 2
    for key in keys:
        alike = {
            other for other in keys if tournament.chance_of(other) == tournament.chance_of(key)
        }
        assert alike == {key, key._replace(seating=key.seating[::-1])}


@pytest.mark.slow
def test_a_resumed_tournament_keeps_games_apart_and_ends_as_if_never_stopped(tmp_path):
    tournament = small(games=6)
    _, whole = played(tournament, tmp_path / "whole.db", 1)
    for broken in range(3):
        path = tmp_path / f"{broken}.db"
        with Store(path) as store:
            number = store.enroll(tournament.key, tournament.game, tournament.declaration)
            executor = Recorder(partial(play_game, tournament), seed_of(tournament), 4)
            stops = iter(range(3 + 2 * broken))

            def stop(_, stops=stops):
                if next(stops, None) is None:
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                play_tournament(tournament, number, store, executor, stop)
        assert played(tournament, path, 4)[1] == whole


def test_a_test_that_is_decided_stops_while_partners_wait(tmp_path):
    tournament = small("greedy", "random", games=1000, sprt=Sprt(0, 200))
    _, games = played(tournament, tmp_path / "store.db", 5)
    assert len(games) < 200
    with Store(tmp_path / "store.db") as store:
        assert tournament.is_over(store.played(1).games)


class Row:
    """What comes of a game of a series."""

    def __init__(self, game):
        self.game = game


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("starter", [None, 0])
def test_games_of_a_series_that_share_chance_are_played_apart(players, starter):
    series = Series(positions, ["greedy"] * players, MatchOptions(seed=Seed(3)), starter)
    executor = Recorder(Row, lambda number: series.options_of(number).chance_seed.data, 4)
    queue = ListedGames(range(12), key_of=lambda row: row.game, chance_of=series.start)
    assert sorted(row.game for row in play_all(executor, queue)) == list(range(12))
    whole = players == 1 or starter is not None
    assert (executor.idle[0] == (4, 0)) or not whole
    assert sum(free > 0 for _, free in executor.idle) <= (3 if whole else 3 * players)


def test_games_begin_in_their_order():
    """A partner is the next game as soon as the game that it waits for has ended."""
    chance = SharedChance(lambda number: number // 2)
    waiting = deque(range(8))
    assert [chance.take(waiting) for _ in range(3)] == [0, 2, 4]
    chance.end(2)
    assert chance.take(waiting) == 3
    assert [chance.take(waiting) for _ in range(2)] == [6, None]
    for number in (0, 4, 3, 6):
        chance.end(number)
    assert list(waiting) == [1, 5, 7]


def positions(seed):
    return flood.position(boards.square(5), colors=4, seed=seed)


class Apart(Pretended):
    """Plays no game, and takes none whose chance a game under way shares."""

    def __init__(self, ladder, room):
        super().__init__(ladder, threads=room)
        self.random = random.Random(5)
        self.busy = []

    def submit(self, key):
        seeds = {self.ladder.chance_seed(other).data for other in self.waiting}
        assert self.ladder.chance_seed(key).data not in seeds
        super().submit(key)
        self.random.shuffle(self.waiting)

    def ended(self):
        self.busy.append(len(self.waiting))
        yield from super().ended()


@pytest.mark.slow
@pytest.mark.parametrize("room", [1, 2, 5])
@pytest.mark.parametrize("seats", [2, 3])
def test_games_of_a_ladder_that_share_chance_are_played_apart(tmp_path, room, seats):
    """A run with a limit nevertheless ends with whole starts."""
    ladder = ladder_in(tmp_path, first_games=0, seats=seats)
    for name, strength in (("ann.py", 2), ("bob.py", 1), ("cid.py", 3)):
        put(ladder, name, strength)
    executor = Apart(ladder, room)
    assert LadderRun(ladder, lambda _: executor).run(RunLimits(30 * seats)) == 30 * seats
    assert set(Counter(key.start for key in executor.played).values()) == {seats}
    first = executor.busy[10:-10]
    assert sum(first) > 0.9 * room * len(first)


TWIN = """
import fcntl, glob, hashlib, os, time

class Twin:
    def prepare(self, position):
        start = int.from_bytes(hashlib.sha256(str(position).encode()).digest()[:4], "big")
        files = sorted(glob.glob(os.path.dirname(os.__file__) + "/*.py"))
        self.file = open(files[start % len(files)])
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SystemExit("my twin plays this start") from None

    def choose(self, position):
        time.sleep(0.02)
        return position.legal_moves()[0]
"""


@pytest.mark.slow
def test_a_player_never_meets_its_twin_in_real_processes(tmp_path):
    """By a lock on a file that both see, which works without isolation."""
    (tmp_path / "twin.py").write_text(TWIN)
    game = positions(0).game
    twin = parse_player(str(tmp_path / "twin.py"), game)
    options = MatchOptions(seed=Seed(3), isolation=Isolation.chosen("none"))
    series = Series(positions, [twin, "random"], options)
    with series.playing(range(12), jobs=3) as rows:
        assert {row.reason for row in rows} == {"finished"}
    apart = ListedGames(range(12), key_of=lambda row: row.game, chance_of=lambda number: number)
    with LocalProcesses(
        lambda number, _: series.row(number, series.play(number)), 3, series.prepare
    ) as executor:
        assert "no-start" in {row.reason for row in play_all(executor, apart)}  # it can meet it
