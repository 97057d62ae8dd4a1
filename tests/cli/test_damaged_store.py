"""A damaged store: it is said, with what to do; no game is lost in silence or counted twice.

Fault row 37.
"""

import json
import shutil
import subprocess

import pytest

from ludograph.arena.store import Store
from ludograph.errors import InvalidInput
from tests.amounts import slow_but
from tests.arena.damage import LETTER, execute
from tests.cli.run import refuse, succeed

GAMES = 120
COMMAND = ("tournament", "flood", "-m", 5, "--games", GAMES // 3, "-j", 1, "-q")
PLAYERS = ("greedy", "random", "valid")
PAGE = 4096


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The store of a tournament."""
    path = tmp_path_factory.mktemp("sound") / "course.db"
    succeed(*COMMAND, "--store", path, *PLAYERS)
    return path


@pytest.fixture
def damaged(sound, tmp_path):
    """A copy that each test damages in its own way."""
    return shutil.copy(sound, tmp_path / "course.db")


def table(path):
    return json.loads(succeed("results", "--store", path, "--json"))["players"]


def leaf(path, name):
    """Return where a leaf page of a table or an index begins in the file, and its cells."""
    ((page,),) = execute(path, f"SELECT rootpage FROM sqlite_master WHERE name = '{name}'")
    data = path.read_bytes()
    while data[(page - 1) * PAGE] in (2, 5):  # an inner page: down to its first child
        cell = (page - 1) * PAGE + int.from_bytes(data[(page - 1) * PAGE + 12 :][:2], "big")
        page = int.from_bytes(data[cell : cell + 4], "big")
    at = (page - 1) * PAGE
    assert data[at] in (10, 13)
    return at, int.from_bytes(data[at + 3 : at + 5], "big")


def flip(path, place, bit):
    data = bytearray(path.read_bytes())
    data[place] ^= 1 << bit
    path.write_bytes(data)


def told(path, *command):
    """Return what a command says of a damaged store: the advice is always there."""
    where = (path,) if command[:2] == ("results", "check") else ("--store", path)
    said = refuse(*command, *where)
    assert f"'sqlite3 {path} .recover'" in said
    return said


INDEXES = ("sqlite_autoindex_games_1", "sqlite_autoindex_seats_1", "seats_by_player")


@pytest.mark.slow
@pytest.mark.parametrize("index", INDEXES)
def test_one_bit_in_an_index_loses_no_game_in_silence(sound, damaged, index):
    at, cells = leaf(damaged, index)
    flip(damaged, at + 4, cells.bit_length() - 1)  # half of them or more are not counted any more
    for command in (
        ("results",),
        (
            "results",
            "rate",
        ),
        (
            "results",
            "games",
        ),
        ("results", "games", "--player", "greedy"),
        ("results", "check"),
    ):
        told(damaged, *command)
    assert "is damaged" in refuse(*COMMAND, "--store", damaged, *PLAYERS)
    execute(damaged, "REINDEX")
    succeed("results", "check", damaged)
    assert table(damaged) == table(sound)


@pytest.mark.slow
def test_what_sqlite_recovers_is_a_store_that_goes_on(sound, damaged, tmp_path):
    def recovered(path):
        words = ("sqlite3", path, ".recover")
        return subprocess.run(words, capture_output=True, check=False)

    if not shutil.which("sqlite3") or recovered(sound).returncode:
        pytest.skip(
            "unavoidable: this machine's sqlite3 has no .recover: it needs the table sqlite_dbpage"
        )
    at, cells = leaf(damaged, "sqlite_autoindex_games_1")
    flip(damaged, at + 4, cells.bit_length() - 1)
    copy = tmp_path / "recovered.db"
    sql = recovered(damaged).stdout
    subprocess.run(("sqlite3", copy), input=sql, capture_output=True, check=True)
    assert table(copy) == table(sound)
    succeed(*COMMAND, "--games", GAMES // 3 + 2, "--store", copy, *PLAYERS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["games", "seats"])
def test_one_bit_in_a_table_loses_no_game_in_silence(damaged, name):
    at, cells = leaf(damaged, name)
    flip(damaged, at + 4, cells.bit_length() - 1)
    for command in (("results",), ("results", "games", "--player", "greedy"), ("results", "check")):
        told(damaged, *command)
    assert "is damaged" in refuse(*COMMAND, "--store", damaged, *PLAYERS)


@pytest.mark.slow
def test_one_bit_of_the_records_is_said_before_a_run_and_by_a_check(sound, damaged, tmp_path):
    at, cells = leaf(damaged, "records")
    flip(damaged, at + 4, cells.bit_length() - 1)
    assert table(damaged) == table(sound)
    told(damaged, "results", "check")
    told(damaged, *COMMAND, *PLAYERS)
    told(damaged, "results", "games", "--game", cells, "--record", tmp_path / "out.jsonl")


SMALL = {
    "players": "SELECT name FROM players",
    "sqlite_autoindex_players_1": "SELECT name FROM players",
    "tournaments": "SELECT declaration FROM tournaments",
    "sqlite_autoindex_tournaments_1": "SELECT key FROM tournaments",
    "secrets": "SELECT seed FROM secrets",
}


@pytest.mark.parametrize("name", SMALL)
def test_one_bit_of_names_settings_or_seeds_is_said_on_opening(damaged, name):
    """So no tournament is begun anew, and none goes on with another seed."""
    at, _ = leaf(damaged, name)
    value = execute(damaged, SMALL[name])[0][0].encode()
    flip(damaged, damaged.read_bytes().index(value, at) + len(value) // 2, 0)
    for command in (
        ("results",),
        ("results", "--list"),
        ("results", "check"),
        (*COMMAND, *PLAYERS),
    ):
        told(damaged, *command)


WRONG = {
    "UPDATE seats SET rank = 'first' WHERE game = 17": ("tables", "rate", "games"),
    "UPDATE seats SET score = x'ff' WHERE game = 17": ("tables", "rate", "games"),
    "UPDATE seats SET player = 77 WHERE game = 17": ("tables", "rate", "games"),
    "UPDATE seats SET seat = 5 WHERE game = 17 AND seat = 1": ("tables", "rate", "games"),
    "DELETE FROM seats WHERE game = 17": ("tables", "rate", "games"),
    "UPDATE games SET start = 1.5 WHERE id = 17": ("tables", "rate", "games"),
    "UPDATE games SET line = 'x' WHERE id = 17": ("tables", "rate"),
    "UPDATE games SET seed = 'x' WHERE id = 17": ("games",),
    "UPDATE games SET sentence = CAST(x'ff' AS TEXT) WHERE id = 17": ("games",),
    "UPDATE seats SET message = x'ff' WHERE game = 17 AND seat = 1": ("games",),
    "UPDATE tournaments SET declaration = 'f' || declaration": ("tables",),
    "UPDATE tournaments SET declaration = '[]'": ("tables",),
    "UPDATE tournaments SET created = x'ff'": ("tables",),
}


@pytest.mark.parametrize("statement", WRONG)
def test_values_that_cannot_have_been_written_are_told(damaged, statement):
    execute(damaged, statement)
    for command in WRONG[statement]:
        told(damaged, "results", command)
    if not statement.startswith("UPDATE games SET line"):  # a check reads what people see
        told(damaged, "results", "check")


def test_a_record_that_cannot_be_unpacked(sound, damaged, tmp_path):
    ((data,),) = execute(sound, "SELECT data FROM records WHERE game = 5")
    whole = damaged.read_bytes()
    place = whole.index(data) + len(data) // 2
    flip(damaged, place, 3)
    assert table(damaged) == table(sound)
    for output in (("--game", 5, "--record"), ("--export",)):
        assert "game 5 " in told(damaged, "results", "games", *output, tmp_path / "out.jsonl")
    told(damaged, "results", "check")


def test_a_game_is_not_counted_twice_after_damage(damaged):
    """An index without a game would let it in again, so no run goes on with one."""
    at, cells = leaf(damaged, "sqlite_autoindex_games_1")
    flip(damaged, at + 4, cells.bit_length() - 1)
    with pytest.raises(InvalidInput, match="is damaged"), Store(damaged) as store:
        store.add(1, next(store.games()))


@pytest.mark.slow
@pytest.mark.parametrize("part", slow_but([0.8], [0.3, 0.8, 0.95]))
def test_a_store_that_was_cut_short(damaged, part):
    data = damaged.read_bytes()
    damaged.write_bytes(data[: int(len(data) * part)])
    told(damaged, "results", "check")
    told(damaged, *COMMAND, *PLAYERS)
    if part < 0.5:  # with tables that results are made from
        told(damaged, "results")


def test_of_what_is_no_store_nothing_is_made(tmp_path):
    letter = tmp_path / "letter.db"
    letter.write_text(LETTER)
    for name in ("letter.db", "none.db"):
        assert f"{name}: " in refuse("results", "check", tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.db"]


def test_a_check_counts_and_leaves_nothing_behind(damaged, tmp_path):
    said = succeed("results", "check", damaged)
    assert f": 1 tournament, {GAMES} games, {GAMES} records" in said
    assert [path.name for path in tmp_path.iterdir()] == ["course.db"]


def test_a_seed_that_cannot_be_read_deals_no_other_games(sound, damaged):
    execute(damaged, "UPDATE secrets SET seed = 'g' || substr(seed, 2)")
    said = told(damaged, *COMMAND, "--games", GAMES // 3 + 2, *PLAYERS)
    assert "seed of tournament 1" in said
    assert table(damaged) == table(sound)  # which no seed has a part in
