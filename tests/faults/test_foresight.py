"""Nothing that a player can reach determines what chance will bring."""

import errno
import os
import re
import shutil
from pathlib import Path

import pytest

from ludograph import read_record
from ludograph.arena.store import GameFilter, Store
from tests.amounts import slow_but
from tests.cli.run import run

SPY = Path(__file__).with_name("spy.py")
THIEF = Path(__file__).with_name("thief.py")
GAME = ("-m", "finite", "--deck", "course", "--size", "30", "--discard")
"""Of full length: by the course's own rule, a tile that fits nowhere may end it at once."""
PATIENT = ("--clock", "5m,start=60s")
BY_LUCK = 16
"""Draws that one of some ten thousand wrong seeds may foretell in a row: each is one of many."""


@pytest.fixture(params=["strict", "basic"])
def robbed(request, tmp_path, monkeypatch):
    """Return a folder with a player that reads all that is in it, isolated."""
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", request.param)
    shutil.copy(THIEF, tmp_path)
    (tmp_path / "sibling.py").write_text("NAME = 'sibling'\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "book.txt").write_text("own")
    return tmp_path


OWN = {"sibling", "thief.py", "sibling.py", "data/book.txt"}


def check_nothing_stolen(*records):
    """Check that all thieves have read their own files, and nothing else."""
    for record in records:
        (log,) = record.logs.values()
        assert set(re.findall(r"reads ([^:\n]+)", log)) == OWN


@pytest.fixture
def spy(tmp_path):
    return shutil.copy(SPY, tmp_path / "spy.py")


def check_nothing_foreseen(record):
    """Check what the spies of a finished game have printed."""
    found = [
        (int(foreseen), int(draws))
        for log in record.logs.values()
        for foreseen, draws in re.findall(r"foreseen (\d+) of (\d+) draws", log)
    ]
    assert found, record.logs
    for foreseen, draws in found:
        assert draws > 20
        assert foreseen < BY_LUCK


@pytest.mark.slow
@pytest.mark.parametrize("seeded", [(), ("--seed", "7")])
def test_a_match(spy, tmp_path, seeded):
    """A person's small seed does not help either, unless each is tried by the slow hash."""
    kept = tmp_path / "game.jsonl"
    run("carcassonne", *GAME, *seeded, "-q", "--record", kept, spy, "greedy")
    check_nothing_foreseen(read_record(kept))


def records_in(store, folder):
    """Return the records of all games of a store, written to files of a folder."""
    with Store(store) as kept:
        numbers = [game.number for game in kept.games(GameFilter())]
        for number in numbers:
            (folder / f"{number}.jsonl").write_bytes(kept.record(number))
    return [read_record(folder / f"{number}.jsonl") for number in numbers]


@pytest.mark.slow
def test_a_series(spy, tmp_path):
    store = tmp_path / "store.db"
    run("carcassonne", *GAME, "-r", "2", "-q", "--store", store, spy, "random")
    for record in records_in(store, tmp_path):
        check_nothing_foreseen(record)


@pytest.mark.slow
def test_a_tournament(spy, tmp_path):
    store = tmp_path / "store.db"
    asked = ("--games", "2", "--store", store, "-q")
    run("tournament", "carcassonne", *GAME, *asked, spy, "random")
    found = records_in(store, tmp_path)
    assert len(found) == 2
    for record in found:
        check_nothing_foreseen(record)


@pytest.mark.slow
def test_a_ladder_tells_no_seed_of_chance(spy, tmp_path):
    """Its records are for students to read, and other games are dealt alike."""
    folder = tmp_path / "course"
    run("ladder", "init", folder, "carcassonne", *GAME, *PATIENT)
    shutil.copy(spy, folder / "players")
    run("ladder", "run", folder, "--games", "4", "-j", "1", "-q")
    with Store(folder / "games.db") as kept:
        games = [g for g in kept.games(GameFilter()) if any("spy" in s.player for s in g.seats)]
        assert games
        for game in games:
            path = tmp_path / f"{game.number}.jsonl"
            path.write_bytes(kept.record(game.number))
            record = read_record(path)
            check_nothing_foreseen(record)
            assert record.seed_of("chance_seed") is None


@pytest.mark.slow
def test_a_record_that_is_written_beside_a_player_is_withheld(robbed):
    """It holds the number from which chance follows, where a person gave one."""
    kept = robbed / "game.jsonl"
    run("flood", "-m", "4", "--seed", "7", "-q", "--record", kept, robbed / "thief.py", "random")
    check_nothing_stolen(read_record(kept))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_series_that_is_kept_beside_a_player_is_withheld(robbed, tmp_path_factory, jobs):
    """Its store holds the key, and its records what is dealt again in the other game of a pair."""
    store = robbed / "games.db"
    for games in ("2", "4"):
        asked = ("-m", "4", "-r", games, "-j", jobs, "-q", "--store", store)
        run("flood", *asked, robbed / "thief.py", "random")
    found = records_in(store, tmp_path_factory.mktemp("records"))
    assert len(found) == 4
    check_nothing_stolen(*found)


@pytest.mark.parametrize("jobs", slow_but(["1"], ["1", "2"]))
def test_a_store_beside_a_player_is_withheld(robbed, tmp_path_factory, jobs):
    store = robbed / "store.db"
    asked = ("-m", "4", "--games", "4", "--store", store, "-j", jobs, "-q")
    run("tournament", "flood", *asked, robbed / "thief.py", "random")
    found = records_in(store, tmp_path_factory.mktemp("records"))
    assert len(found) == 4
    check_nothing_stolen(*found)


@pytest.mark.slow
def test_the_operator_of_a_ladder_plays_a_game_again(tmp_path, monkeypatch):
    folder = tmp_path / "course"
    run("ladder", "init", folder, "carcassonne", *GAME, *PATIENT)
    first = (
        "class First:\n    def choose(self, position):\n        return position.legal_moves()[0]\n"
    )
    (folder / "players" / "first.py").write_text(first)
    run("ladder", "run", folder, "--games", "2", "-j", "1", "-q")
    with Store(folder / "games.db") as kept:
        game = next(kept.games(GameFilter()))
        path = tmp_path / "game.jsonl"
        path.write_bytes(kept.record(game.number))
    told = run("ladder", "secret", folder, "--game", str(game.number)).stdout.strip()
    record = read_record(path)
    monkeypatch.chdir(folder / "players")
    again, other = record.rematch(chance_seed=told), record.rematch()
    assert moves(again) == [event.move for event in record.events]
    assert moves(other) != moves(again)
    assert run("ladder", "secret", folder).stdout.strip() != told


@pytest.mark.slow
def test_from_the_store_of_a_ladder_alone_nothing_follows(tmp_path):
    """Students may read it: what the operator alone may read is in a file of its own."""
    folder = tmp_path / "course"
    run("ladder", "init", folder, "carcassonne", *GAME, *PATIENT)
    (folder / "players" / "first.py").write_text(
        "class First:\n    def choose(self, position):\n        return position.legal_moves()[0]\n"
    )
    run("ladder", "run", folder, "--games", "2", "-j", "1", "-q")
    assert (folder / "secret").stat().st_mode & 0o077 == 0
    told = run("ladder", "secret", folder).stdout.strip()
    with Store(folder / "games.db") as kept:
        assert str(kept.kept_secret(1)) != told
    own = (folder / "secret").read_text()
    assert own.strip() != told
    run("ladder", "run", folder, "--games", "2", "-j", "1", "-q")
    assert run("ladder", "secret", folder).stdout.strip() == told
    (folder / "secret").unlink()
    refused = run("ladder", "secret", folder)
    assert refused.returncode == 2
    assert f"secret: {os.strerror(errno.ENOENT)}" in refused.stderr


def moves(result):
    return [played.move for played in result.moves]
