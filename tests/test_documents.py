"""Files that are replaced as a whole: whatever happens meanwhile, one of the two is there."""

import doctest

import pytest

from ludograph import InvalidInput, boards, documents
from ludograph.arena.ladder import LadderFolder
from ludograph.arena.ladder.folder import read_state
from ludograph.arena.ladder.people import read_people
from ludograph.arena.ladder.rating_history import read_snapshots
from ludograph.documents import replacing, write_bytes
from ludograph.games.carcassonne.decks import read_deck
from ludograph.games.registry import add_from
from ludograph.web.server.tokens import read_tokens
from tests.cli.run import refuse


def test_what_a_killed_process_has_left_is_overwritten(tmp_path):
    file = tmp_path / "state.json"
    for text in ("first", "second"):
        (tmp_path / ".state.json.part").write_text("half a")
        with replacing(file) as part:
            part.write_text(text)
        assert [path.name for path in tmp_path.iterdir()] == ["state.json"]
        assert file.read_text() == text


def test_an_error_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "notes.txt"
    write_bytes(file, b"old")

    def fail():
        with replacing(file, concurrent=True) as part:
            part.write_text("new")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert file.read_bytes() == b"old"


def test_doctests():
    assert doctest.testmod(documents).failed == 0


DEEP = 100_000
LIST = "[" * DEEP + "]" * DEEP
TABLE = "{a=" * DEEP + "1" + "}" * DEEP
JSON = '{"a":' * DEEP + "1" + "}" * DEEP

TOML = [f"a = 1\nb = {LIST}\n", f"a = 1\nb = {TABLE}\n", "\nb = " + "[" * DEEP]


@pytest.mark.parametrize("text", TOML, ids=range(len(TOML)))
def test_brackets_without_end_are_an_error_with_its_file_in_toml(text, tmp_path) -> None:
    (tmp_path / "players").mkdir()
    for name in ("ladder.toml", "tokens.toml", "pyproject.toml", "cup.toml"):
        (tmp_path / name).write_text(text)
    said = refuse("ladder", "table", tmp_path)
    said += refuse("tournament", tmp_path / "cup.toml")
    with pytest.raises(InvalidInput) as tokens:
        read_tokens(tmp_path / "tokens.toml")
    with pytest.raises(InvalidInput) as project:
        add_from(tmp_path)
    for each in (said, str(tokens.value), str(project.value)):
        assert "nested too deeply" in each
        assert "recursion" not in each
        assert len(each) < 1000
    for name, each in (("ladder.toml", said), ("cup.toml", said), ("tokens", str(tokens.value))):
        assert name in each


@pytest.mark.parametrize("deep", [LIST, JSON])
def test_brackets_without_end_are_an_error_with_its_file_in_json(deep, tmp_path) -> None:
    folder = LadderFolder(tmp_path)
    begun = '{"format": "ludograph-%s", "version": 1,\n'
    for kind, read in (("board", boards.load), ("deck", read_deck)):
        path = tmp_path / f"{kind}.json"
        path.write_text(begun % kind + f'"x": {deep}}}')
        with pytest.raises(InvalidInput, match=rf"{kind}\.json: "):
            read(path)
    for path, read in ((folder.people, read_people), (folder.state, read_state)):
        path.write_text(f'[{{"x": {deep}}}]' if path == folder.people else f'{{"x": {deep}}}')
        with pytest.raises(InvalidInput, match=path.name):
            read(folder)
    folder.history.write_text(f'{{"x": {deep}}}\n')
    assert read_snapshots(folder) == []
