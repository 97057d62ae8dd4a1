"""Files of people come from any editor: with a byte-order mark, other ends of lines, or UTF-16."""

import pytest

from ludograph import boards, flood, hex, play_match, read_record
from ludograph.arena.openings import chosen_openings
from ludograph.boards import load, save
from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.decks import course, read_deck, write_deck
from ludograph.games.hex import sgf
from ludograph.protocols.formats import read_game
from tests.cli.run import refuse, succeed

BOARD, RECORD, EDGES, SGF, DECK = "b.json", "r.jsonl", "e.edgelist", "g.sgf", "d.json"

TOURNAMENT = 'game = "flood"\nplayers = ["greedy", "random"]\ngames = 2\n[settings]\nwidth = 4\n'


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The texts of a file of each kind."""
    folder = tmp_path_factory.mktemp("texts")
    save(boards.square(4), folder / BOARD)
    start = flood.position(boards.square(4), seed=1)
    play_match(start, ["greedy", "random"], seed=1, record=folder / RECORD)
    write_deck(course(8), folder / DECK)
    (folder / EDGES).write_text("0 1\n1 2\n")
    small = hex.position(3)
    (folder / SGF).write_text(sgf.write_sgf(sgf.HexGame(small, [small.parse("a1")])))
    return {file.name: file.read_text() for file in folder.iterdir()}


READERS = {BOARD: load, RECORD: read_record, EDGES: load, SGF: read_game, DECK: read_deck}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_byte_order_mark_and_ends_of_lines_do_not_matter(texts, tmp_path, name, ends) -> None:
    path = tmp_path / name
    path.write_text(texts[name], encoding="utf-8-sig", newline=ends)
    READERS[name](path)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_told(texts, tmp_path, name, encoding) -> None:
    path = tmp_path / name
    path.write_text(texts[name], encoding=encoding)
    with pytest.raises(InvalidInput, match=f"^{path}: .*UTF-16 or UTF-32.* UTF-8$"):
        READERS[name](path)


def test_openings_and_tournaments_come_from_any_editor(tmp_path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("a1 b2\nb1\n", encoding="utf-8-sig")
    chosen_openings(str(path), [hex.position(3)], [])
    file = tmp_path / "t.toml"
    file.write_text(TOURNAMENT, encoding="utf-8-sig", newline="\r\n")
    succeed("tournament", file, "--store", tmp_path / "s.db", "-j", 1)
    file.write_text(TOURNAMENT, encoding="utf-16")
    assert "UTF-8" in refuse("tournament", file, "--store", tmp_path / "s.db")


def test_a_record_with_a_byte_order_mark_goes_on(texts, tmp_path) -> None:
    path = tmp_path / RECORD
    lines = texts[RECORD].splitlines(keepends=True)
    path.write_text("".join(lines[:3]), encoding="utf-8-sig")
    record = read_record(path)
    play_match(record.start, ["greedy", "random"], record=path, earlier=record.earlier())
    assert read_record(path).end is not None
