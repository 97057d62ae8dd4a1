"""Tables of large tournaments are computed once as long as their store is the same."""

import os
import time
from pathlib import Path

import pytest

from ludograph.arena.store import Store
from ludograph.arena.store.history import recent_games
from ludograph.web.tournament.tournament_tables import AGE, FRESH, QUIET, version_of
from tests.cli.run import succeed

CHANGED = 1_700_000_000.0

LATER = CHANGED + QUIET.total_seconds() + 2 * FRESH


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "s.db"
    write(found, "")
    return found


def write(path, suffix, when=CHANGED):
    """Change the store at a time."""
    file = f"{path}{suffix}"
    with open(file, "w") as opened:
        opened.write("x")
    os.utime(file, (when, when))


def version(path, now, *, running=False):
    return version_of(path, now, running=running)


def test_an_idle_tournament_is_computed_once(path) -> None:
    assert version(path, LATER) == version(path, LATER + 1000 * FRESH)


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_tables_are_newer_than_the_last_change_of_the_store(path, suffix) -> None:
    before = version(path, LATER)
    write(path, suffix, CHANGED + 1)
    assert version(path, LATER) != before


def test_the_log_of_a_store_may_be_removed_at_any_time(path, monkeypatch) -> None:
    before = version(path, LATER)
    monkeypatch.setattr(Path, "exists", lambda _: True)
    assert version(path, LATER) == before


@pytest.mark.parametrize("running", [False, True])
def test_a_growing_one_is_computed_now_and_then(path, running) -> None:
    now = LATER if running else CHANGED
    before = version(path, now, running=running)
    write(path, "", now)
    assert version(path, now + 0.9 * AGE, running=running) == before
    assert version(path, now + 1.1 * AGE, running=running) != before


def test_whether_it_goes_on_is_found_out_although_the_store_stays(path) -> None:
    soon = CHANGED + 2 * FRESH
    assert version(path, soon) == version(path, soon + 0.9 * FRESH)
    assert version(path, soon) != version(path, soon + 1.1 * FRESH)


def test_a_file_that_has_just_changed_may_change_again_at_the_same_time(path) -> None:
    assert version(path, CHANGED) != version(path, CHANGED + 1.1 * AGE)


def test_reading_a_store_does_not_change_its_version(path) -> None:
    path.unlink()
    players = ("greedy", "valid", "random")
    succeed("tournament", "flood", "-m", 4, "--games", 2, "--store", path, "-j", 1, *players)
    later = time.time() + 10 * QUIET.total_seconds()
    before = version(path, later)
    with Store(path, must_exist=True) as store:
        games = list(store.games())
        assert recent_games(store, 1, 4) == games[-4:]
        assert recent_games(store, 1, 99) == games
        assert recent_games(store, 2, 99) == []
        assert version(path, later) == before
    assert version(path, later) == before


def test_of_a_server_nothing_is_known() -> None:
    server = "postgresql://localhost/course"
    assert version(server, LATER) != version(server, LATER + 1000 * FRESH)
