"""A damaged store: what is lost is said, the rest is kept, nothing is lost in silence."""

import json
import re
import shutil
import sqlite3

import pytest

from ludograph.arena.store import Store
from tests.amounts import slow_but
from tests.cli.run import invoke, refuse, succeed

GAMES = 120
COMMAND = ("tournament", "flood", "-m", 5, "--games", GAMES // 3, "-j", 1, "-q")
PLAYERS = ("greedy", "random", "valid")
ADVICE = r"; 'ludograph store repair .*\.db' writes a repaired copy"
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


def change(path, *statements):
    """Change what is in a store past its checksums."""
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def leaf(path, name):
    """Return where a leaf page of a table or an index begins in the file, and its cells."""
    with sqlite3.connect(path) as connection:
        query = f"SELECT rootpage FROM sqlite_master WHERE name = '{name}'"
        (page,) = connection.execute(query).fetchone()
    connection.close()
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


def repaired(path, tmp_path):
    """Repair a store, which stays as it is; return the copy and what was said."""
    before = path.read_bytes()
    said = succeed("store", "repair", path)
    assert path.read_bytes() == before
    copy = tmp_path / "course.repaired.db"
    assert succeed("store", "check", copy).startswith(f"{copy}: no damage found: ")
    return copy, said


INDEXES = ("sqlite_autoindex_games_1", "sqlite_autoindex_seats_1", "seats_by_player")


@pytest.mark.slow
@pytest.mark.parametrize("index", INDEXES)
def test_one_bit_in_an_index_loses_no_game_in_silence(sound, damaged, tmp_path, index):
    at, cells = leaf(damaged, index)
    flip(damaged, at + 4, cells.bit_length() - 1)  # half of them or more are not counted any more
    for command in (
        ("results",),
        ("rate",),
        ("played",),
        ("played", "--player", "greedy"),
        ("store", "check"),
    ):
        where = (damaged,) if command[0] == "store" else ("--store", damaged)
        said = refuse(*command, *where)
        assert re.search(f"damaged .*: none of {GAMES} games is lost{ADVICE}", said), said
    assert "is damaged" in refuse(*COMMAND, "--store", damaged, *PLAYERS)
    copy, said = repaired(damaged, tmp_path)
    assert f"1 tournament, {GAMES} games, {GAMES} records" in said
    assert table(copy) == table(sound)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["games", "seats"])
def test_one_bit_in_a_table_is_said_to_lose_games(damaged, tmp_path, name):
    at, cells = leaf(damaged, name)
    flip(damaged, at + 4, cells.bit_length() - 1)
    said = refuse("results", "--store", damaged)
    lost = int(re.search(rf"(\d+) of {GAMES} games and", said).group(1))
    assert 0 < lost < GAMES
    assert "is damaged" in refuse("played", "--player", "greedy", "--store", damaged)
    assert f"{GAMES - lost} games" in repaired(damaged, tmp_path)[1]


@pytest.mark.slow
def test_a_result_that_has_changed_is_lost_and_can_be_played_again(sound, damaged, tmp_path):
    change(damaged, "UPDATE seats SET rank = 3 - rank WHERE game = 17")
    said = refuse("results", "--store", damaged)
    assert re.search(rf"game 17 is not .*: 1 of {GAMES} games and 1 of .* lost{ADVICE}", said)
    assert "game 17" in refuse("played", "--store", damaged)
    copy, said = repaired(damaged, tmp_path)
    assert f"{GAMES - 1} games" in said
    assert len(succeed("played", "--json", "--store", copy).splitlines()) == GAMES - 1
    result = invoke(*COMMAND[:-1], "--store", copy, *PLAYERS)
    assert result.exit_code == 0
    assert f"{GAMES - 1} games of {GAMES} were played before" in result.stderr
    assert table(copy) == table(sound)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET board = 'square 5x4' WHERE id = 30",
        "UPDATE games SET seed = seed + 1 WHERE id = 30",
        "UPDATE seats SET seconds = 99.5 WHERE game = 30 AND seat = 1",
        "UPDATE seats SET message = x'ff' WHERE game = 30 AND seat = 1",
        "UPDATE games SET sentence = CAST(x'ff' AS TEXT) WHERE id = 30",
    ],
)
def test_details_that_have_changed_do_not_touch_tables(sound, damaged, statement, tmp_path):
    change(damaged, statement)
    assert table(damaged) == table(sound)
    for command in (("played",), ("played", "--player", "greedy")):
        assert "is damaged" in refuse(*command, "--store", damaged)
    assert f"{GAMES - 1} games" in repaired(damaged, tmp_path)[1]


def test_a_record_that_cannot_be_unpacked(sound, damaged, tmp_path):
    with sqlite3.connect(sound) as connection:
        (data,) = connection.execute("SELECT data FROM records WHERE game = 5").fetchone()
    connection.close()
    whole = damaged.read_bytes()
    place = whole.index(data) + len(data) // 2
    flip(damaged, place, 3)
    assert table(damaged) == table(sound)
    for output in (("--game", 5, "--record"), ("--export",)):
        said = refuse("played", *output, tmp_path / "out.jsonl", "--store", damaged)
        assert f"the record of game 5 is not what was written): 1 of {GAMES} records lost" in said
    copy, said = repaired(damaged, tmp_path)
    assert f"{GAMES} games, {GAMES - 1} records" in said
    change(copy, "DELETE FROM records WHERE game = 6")
    said = refuse("played", "--game", 6, "--record", tmp_path / "out.jsonl", "--store", copy)
    assert "records are missing" in said


def test_rows_that_are_gone_are_missed(damaged):
    change(
        damaged,
        "DELETE FROM records WHERE game > 100",
        "DELETE FROM seats WHERE game > 100",
        "DELETE FROM games WHERE id > 100",
    )
    said = refuse("results", "--store", damaged)
    assert f"20 of {GAMES} games of tournament 1 are missing" in said
    assert f"20 of {GAMES} games and 20 of {GAMES} records lost" in said
    assert "are missing" in refuse("played", "--store", damaged)


def test_the_name_of_a_player_that_has_changed_is_found_again(sound, damaged, tmp_path):
    change(damaged, "UPDATE players SET name = 'gpeedy' WHERE name = 'greedy'")
    assert f"none of {GAMES} games is lost" in refuse("results", "--store", damaged)
    copy, _ = repaired(damaged, tmp_path)
    assert table(copy) == table(sound)


def test_a_tournament_that_has_changed_is_not_begun_anew(damaged):
    change(damaged, "UPDATE tournaments SET key = 'f' || key")
    for command in (("results",), ("results", "--list"), COMMAND):
        players = PLAYERS if command is COMMAND else ()
        assert "tournament 1 is not what was" in refuse(*command, "--store", damaged, *players)
    said = refuse("store", "repair", damaged)
    assert "no tournament of the store can be read, so its games are lost" in said


@pytest.mark.slow
@pytest.mark.parametrize("part", slow_but([0.8], [0.3, 0.8, 0.95]))
def test_a_store_that_was_cut_short(damaged, tmp_path, part):
    data = damaged.read_bytes()
    damaged.write_bytes(data[: int(len(data) * part)])
    said = refuse("results", "--store", damaged)
    assert re.search("is damaged .* lost; 'ludograph store repair", said), said
    assert "is damaged" in refuse(*COMMAND, "--store", damaged, *PLAYERS)
    copy, said = repaired(damaged, tmp_path)
    games, records = (int(re.search(rf"(\d+) {what}", said)[1]) for what in ("games", "records"))
    assert min(games, records) < GAMES
    with Store(copy) as store:
        assert len(store.played(1).games) == games


def test_of_what_is_no_store_nothing_is_repaired(tmp_path):
    letter = tmp_path / "letter.db"
    letter.write_text("a letter to my mother, long enough to be something" * 30)
    for command in ("check", "repair"):
        assert "letter.db: " in refuse("store", command, letter)
        assert "there is no such file" in refuse("store", command, tmp_path / "none.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.db"]


def test_no_file_is_overwritten_by_a_copy(sound, damaged, tmp_path):
    assert "is the damaged store itself" in refuse(
        "store", "repair", damaged, "--to", damaged, "--force"
    )
    copy = tmp_path / "course.repaired.db"
    copy.write_text("mine")
    assert "exists already" in refuse("store", "repair", damaged)
    assert "--force overwrites it" in refuse("store", "repair", damaged, "--to", copy)
    assert copy.read_text() == "mine"


@pytest.mark.slow
def test_a_seed_that_has_changed_deals_no_other_games(sound, damaged, tmp_path):
    other = "CASE substr(seed, 1, 2) WHEN '00' THEN '11' ELSE '00' END"
    change(damaged, f"UPDATE secrets SET seed = {other} || substr(seed, 3)")
    said = refuse(*COMMAND, "--games", GAMES // 3 + 2, "--store", damaged, *PLAYERS)
    assert "the seed of tournament 1 is not what was written" in said
    assert table(damaged) == table(sound)  # which no seed has a part in
    assert "the seed of tournament 1 lost" in refuse("store", "check", damaged)
    copy = tmp_path / "copy.db"
    succeed("store", "repair", damaged, "--to", copy)
    assert table(copy) == table(sound)
    succeed(*COMMAND, "--games", GAMES // 3 + 2, "--store", copy, *PLAYERS)
