"""Tables of large tournaments are computed once as long as their store is the same."""

import asyncio
import os
import time

import pytest

from ludograph.arena.store import Store
from ludograph.arena.store.history import recent_games
from ludograph.web.tournament.tournament_cache import AGE, FRESH, MOST, TournamentCache, stamp_of
from tests.cli.run import succeed

LONG_AGO = 1_700_000_000


class Costly:
    """Tables that take some seconds to compute, by a clock that only they and tests move."""

    def __init__(self, path, seconds=0.5, moves_on=False):
        self.now = self.count = 0
        self.seconds, self.moves_on = seconds, moves_on
        self.path = path
        self.cache = TournamentCache(path, lambda: self.now)
        self.write(0)

    def write(self, version, suffix=""):
        """Change the store."""
        file = f"{self.path}{suffix}"
        with open(file, "w") as opened:
            opened.write("x")
        os.utime(file, (LONG_AGO + version, LONG_AGO + version))

    async def compute(self):
        """Return the number of this computation."""
        self.now += self.seconds
        self.count += 1
        return {"count": self.count, "progress": {"moves_on": self.moves_on}}

    def ask(self, number=1, asks_again=True):
        """Return the number of the computation that answers a request."""
        tables = self.cache.tables(number, self.compute, lambda _: asks_again)
        return asyncio.run(tables)["count"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.db"


def test_an_idle_tournament_is_computed_once(path) -> None:
    costly = Costly(path)
    assert costly.ask() == 1
    costly.now += 1000 * FRESH
    assert costly.ask() == 1
    assert costly.ask(2) == 2
    assert costly.ask() == 1


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_growing_one_is_computed_now_and_then(path, suffix) -> None:
    costly = Costly(path)
    assert costly.ask() == 1
    costly.write(1, suffix)
    costly.now += 0.9 * AGE
    assert costly.ask() == 1
    costly.now += 0.2 * AGE
    assert costly.ask() == 2


def test_a_page_that_does_not_ask_again_is_never_late(path) -> None:
    costly = Costly(path)
    assert costly.ask() == 1
    costly.write(1)
    assert costly.ask(asks_again=False) == 2


def test_a_cheap_one_is_never_late(path) -> None:
    costly = Costly(path, seconds=0.01)
    assert [costly.ask(), costly.ask()] == [1, 2]


def test_whether_it_goes_on_is_found_out_although_the_store_stays(path) -> None:
    costly = Costly(path, moves_on=True)
    assert costly.ask() == 1
    costly.now += 0.9 * FRESH
    assert costly.ask() == 1
    costly.now += 0.2 * FRESH
    assert costly.ask() == 2


def test_a_file_that_has_just_changed_may_change_again_at_the_same_time(path) -> None:
    costly = Costly(path)
    costly.write(time.time() - LONG_AGO)
    assert stamp_of(path) is None
    assert costly.ask() == 1
    costly.now += 1.1 * AGE
    assert costly.ask() == 2


def test_few_are_kept(path) -> None:
    costly = Costly(path)
    for number in range(MOST + 1):
        costly.ask(number)
    costly.now += 2 * AGE
    assert costly.ask(MOST) == MOST + 1
    assert costly.ask(0) == MOST + 2


def test_reading_a_store_does_not_change_its_stamp(path) -> None:
    players = ("greedy", "valid", "random")
    succeed("tournament", "flood", "-m", 4, "--games", 2, "--store", path, "-j", 1, *players)
    until = time.monotonic() + 60
    while (stamp := stamp_of(path)) is None and time.monotonic() < until:
        time.sleep(0.02)
    assert stamp is not None
    with Store(path, must_exist=True) as store:
        games = list(store.games())
        assert recent_games(store, 1, 4) == games[-4:]
        assert recent_games(store, 1, 99) == games
        assert recent_games(store, 2, 99) == []
        assert stamp_of(path) == stamp
    assert stamp_of(path) == stamp


def test_a_server_has_no_stamp() -> None:
    assert stamp_of("postgresql://localhost/course") is None
