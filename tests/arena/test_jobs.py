"""The games of a start are one job: played one after the other, while workers play others."""

import random
from collections import Counter

import pytest

from ludograph import boards, flood
from ludograph.arena.executor import ListedJobs, LocalProcesses, play_all
from ludograph.arena.ladder import LadderRun, RunLimits
from ludograph.arena.playing import play_plan
from ludograph.arena.series import count_games, series_of
from ludograph.arena.store import Store
from ludograph.arena.tournament import play_tournament
from ludograph.errors import HostFailure, MachineBusy
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
    together
        The games under way, each time that it was asked for games that have ended.
    """

    def __init__(self, room, play=lambda task, _: task):
        self.room, self.play = room, play
        self.random = random.Random(5)
        self.under_way, self.together = [], []

    @property
    def free(self):
        return self.room - len(self.under_way)

    def submit(self, task):
        self.under_way.append(task)

    def ended(self):
        self.together.append(list(self.under_way))
        task = self.under_way.pop(self.random.randrange(len(self.under_way)))
        yield task, self.play(task, None)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_games_of_a_job_are_apart_and_all_workers_are_busy_until_the_jobs_run_out(size):
    executor, jobs = Recorder(4), [[10 * job + game for game in range(size)] for job in range(9)]
    ended = [game for game, _ in play_all(executor, ListedJobs(jobs))]
    assert sorted(ended) == sorted(game for job in jobs for game in job)
    for games in executor.together:
        assert len({game // 10 for game in games}) == len(games)
    for job in jobs:
        assert [game for game in ended if game in job] == job
    late = next(place for place, games in enumerate(executor.together) if len(games) < 4)
    left = {game // 10 for game in ended[late:]}
    assert len(left) <= 3  # jobs were open then, and none waited


def test_a_game_that_the_machine_was_too_busy_for_is_played_once_more_after_the_others():
    tried = Counter()

    def play(game, _):
        tried[game] += 1
        return MachineBusy("too busy") if game in (1, 2) and tried[game] == 1 else game

    ended = [game for game, _ in play_all(Recorder(2, play), ListedJobs([[1, 2, 3], [4, 5], [6]]))]
    assert set(ended[:-2]) == {3, 4, 5, 6}
    assert ended[-2:] == [1, 2]
    assert tried.total() == 8


def test_a_game_that_the_machine_was_too_busy_for_twice_ends_all():
    def play(game, _):
        return MachineBusy("too busy") if game == 1 else game

    ended = []
    with pytest.raises(HostFailure, match="too busy"):
        ended += play_all(Recorder(2, play), ListedJobs([[1, 2], [3, 4]]))


def test_games_of_a_job_that_nobody_needs_any_more_do_not_begin():
    class Odd(ListedJobs):
        def needs(self, game):
            return game % 2 == 1

    ended = [game for game, _ in play_all(Recorder(2), Odd([[1, 3, 5], [7, 2, 9]]))]
    assert sorted(ended) == [1, 3, 5, 7]


def played(tournament, path, room, on_game=lambda _: None):
    """Play a tournament by a recorder; return it, and all that is kept."""
    executor = Recorder(room, play_plan)
    with Store(path) as store:
        number = store.enroll(tournament.key, tournament.game, tournament.declaration)
        play_tournament(tournament, number, store, executor, on_game)
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
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_games_of_a_tournament_that_share_chance_are_played_apart(tmp_path, settings):
    """With the same results as one after the other."""
    tournament = small(**settings)
    _, alone = played(tournament, tmp_path / "one.db", 1)
    executor, together = played(tournament, tmp_path / "several.db", 5)
    assert together == alone
    for games in executor.together:
        assert len({game.options.chance_seed.data for game in games}) == len(games)


@pytest.mark.slow
def test_a_resumed_tournament_ends_as_if_never_stopped(tmp_path):
    tournament = small(games=6)
    _, whole = played(tournament, tmp_path / "whole.db", 1)
    for broken in range(3):
        path, stops = tmp_path / f"{broken}.db", iter(range(3 + 2 * broken))

        def stop(_, stops=stops):
            if next(stops, None) is None:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            played(tournament, path, 4, stop)
        assert played(tournament, path, 4)[1] == whole


def test_a_comparison_that_is_decided_stops_jobs(tmp_path):
    tournament = small("greedy", "random", format="series", games=1000, difference=200.0)
    _, games = played(tournament, tmp_path / "store.db", 5)
    assert len(games) < 200
    with Store(tmp_path / "store.db") as store:
        assert tournament.is_over(store.played(1))


def positions(seed):
    return flood.position(boards.square(5), colors=4, seed=seed)


class Apart(Pretended):
    """Plays no game, and takes none whose chance a game under way shares."""

    def __init__(self, ladder, room):
        super().__init__(ladder, threads=room)
        self.random = random.Random(5)
        self.busy = []

    def submit(self, plan):
        seeds = {other.options.chance_seed.data for other in self.waiting}
        assert plan.options.chance_seed.data not in seeds
        super().submit(plan)
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
    series = series_of(positions, [twin, "random"], 12, options)
    assert count_games(series, jobs=3).forfeited == 0
    apart = ListedJobs([series.plan(key)] for key in series.schedule.remaining(()))
    with LocalProcesses(play_plan, 3, series.prepare) as executor:
        reasons = {game.reason for _, game in play_all(executor, apart)}
    assert "no-start" in reasons  # it can meet it
