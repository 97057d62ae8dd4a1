"""Players' files of a folder, chosen on the pages: isolated, and nothing outside of the folder."""

import json
import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest

from ludograph import read_record
from ludograph.cli.serve import offered_in
from ludograph.errors import InvalidInput
from ludograph.games.registry import game as of
from ludograph.players.isolation import Isolation, Level
from ludograph.web.app import application
from ludograph.web.games.offered_players import OfferedPlayers
from ludograph.web.match.match_manager import MatchManager
from tests.arena.ladder.test_programs import SHELL, _private  # noqa: F401
from tests.cli.run import refuse, succeed

ORIGIN = {"origin": "http://localhost"}
FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"
READING = (
    "from pathlib import Path\n\ndef choose(position):\n    Path({!r}).read_text()\n    return 0\n"
)
BOARD = {"board": "hexagonal", "board.width": "3", "pause": "0"}
PATIENCE = 240.0


@pytest.fixture
def folder(tmp_path):
    """A folder of players beside a file that is nobody's business."""
    (tmp_path / "secret.py").write_text(FIRST)
    players = tmp_path / "players"
    players.mkdir()
    (players / "first.py").write_text(FIRST)
    (players / "reading.py").write_text(READING.format(str(tmp_path / "secret.py")))
    (players / "notes.txt").write_text("no player")
    (players / ".hidden.py").write_text(FIRST)
    (players / "linked.py").symlink_to(tmp_path / "secret.py")
    (players / "deeper").mkdir()
    (players / "deeper" / "inner.py").write_text(FIRST)
    return players


@pytest.fixture
def offered(folder):
    found = OfferedPlayers(folder, Isolation(Level.BASIC))
    yield found
    found.close()


@pytest.fixture
def client(tmp_path, offered, opened):
    app = application(tmp_path / "games", str(tmp_path / "store.db"), offered=offered)
    return opened(app, headers=ORIGIN)


def played(client, *players, **fields):
    """Return the record of a match of the players."""
    chosen = {f"player{seat}": player for seat, player in enumerate(players)}
    answer = client.post("/games/hex", data=BOARD | chosen | fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    number = answer.headers["location"].rpartition("/")[2]
    manager = client.app.state.context.match_manager
    manager.match(number).join(PATIENCE)
    return read_record(manager.records.path(number))


@pytest.mark.slow
def test_the_files_of_the_folder_can_be_chosen_and_no_others(client) -> None:
    for path in ("/games/hex", "/tournaments/new/hex"):
        shown = client.get(path).text
        assert "players/first.py" in shown
        for absent in ("notes.txt", ".hidden.py", "linked.py", "inner.py", "secret"):
            assert absent not in shown


@pytest.mark.parametrize(
    "name",
    [
        "players/../secret.py",
        "players/deeper/inner.py",
        "players/linked.py",
        "players/.hidden.py",
        "players/notes.txt",
        "players/",
        "players/first.py:choose",
        "players/\0first.py",
        "./players/first.py",
        "cmd: cat",
    ],
)
def test_a_name_leads_nowhere_else(client, name) -> None:
    answer = client.post("/games/hex", data=BOARD | {"player0": name, "player1": "random"})
    assert answer.status_code == 400
    assert re.search(r"\bno (player|strategy)", answer.text)
    manager = client.app.state.context.match_manager
    assert not manager.running()


@pytest.mark.slow
def test_a_match_of_files_is_played_in_isolation_and_its_record_names_no_path(client) -> None:
    record = played(client, "players/first.py", "players/reading.py")
    assert list(record.names) == ["first.py", "reading.py"]
    assert record.header["specs"] == ["players/first.py", "players/reading.py"]
    assert record.end["end"] == "crash"
    told = json.dumps(record.end)
    assert "PermissionError" in told or "FileNotFoundError" in told
    assert "ludograph-players" not in json.dumps(record.header)


def test_what_plays_is_a_copy(offered, folder) -> None:
    game = of("hex")
    spec = offered.player("players/first.py", game)
    (folder / "first.py").write_text("def choose(position):\n    return 1\n")
    assert Path(spec.target).read_text() == FIRST
    assert offered.player("players/first.py", game).target != spec.target
    offered.close()
    assert not Path(spec.target).exists()


@pytest.mark.slow
def test_a_program_is_a_file_that_can_be_executed(client, folder) -> None:
    source = folder.parent / "engine.py"
    succeed("player", "new", "hex", source, "--program")
    program = folder / "engine"
    program.write_text(f"#!{sys.executable}\n{source.read_text()}")
    assert "players/engine" not in client.get("/games/hex").text
    os.chmod(program, 0o755)
    record = played(client, "players/engine", "random")
    assert record.end["end"] == "finished", record.end
    assert record.names[0] == "engine"


@pytest.mark.slow
def test_a_program_of_a_ladder_is_offered_as_it_was_uploaded(client, folder) -> None:
    (folder / "first.run").write_text(SHELL)
    record = played(client, "players/first.run", "random")
    assert record.end["end"] == "finished", record.end
    assert record.names[0] == "first.run"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
def test_a_source_that_does_not_compile_is_refused_with_its_line(client, folder) -> None:
    (folder / "slip.c").write_text('#include "player.h"\n\nint choose(void) { return none; }\n')
    assert "players/slip.c" not in client.get("/games/amazons").text
    form = {"player0": "players/slip.c", "player1": "random"}
    answer = client.post("/games/flood", data=form)
    assert answer.status_code == 400
    assert "slip.c:3:" in answer.text


@pytest.mark.slow
def test_files_take_part_in_tournaments(client) -> None:
    form = BOARD | {"enters.players/first.py": "on", "enters.random": "on", "format": "knockout"}
    client.post("/tournaments/new/hex", data=form | {"games": "2"})
    client.app.state.context.tournament_runner.join(PATIENCE)
    end = time.monotonic() + PATIENCE
    while "Champion: " not in (text := client.get("/tournaments/1").text):
        assert time.monotonic() < end  # tables that took long are shown for a second
    assert '<span class="name">first.py</span>' in text


@pytest.mark.slow
def test_a_match_goes_on_with_the_file_of_the_folder(client, offered, tmp_path) -> None:
    form = BOARD | {"player0": "human", "player1": "players/first.py"}
    answer = client.post("/games/hex", data=form, follow_redirects=False)
    number = answer.headers["location"].partition("?")[0].rpartition("/")[2]
    manager = client.app.state.context.match_manager
    match = manager.match(number)
    match.stop()
    match.join(PATIENCE)
    again = manager.go_on(number)
    assert again.running
    assert again.names[1] == "first.py"
    assert again.plan.options.isolation == Isolation(Level.BASIC)
    again.stop()
    again.join(PATIENCE)
    with pytest.raises(InvalidInput, match=r"^players/first.py "):
        MatchManager(tmp_path / "games", 2).go_on(number)


def test_nothing_is_offered_where_nothing_isolates(folder, monkeypatch) -> None:
    monkeypatch.setattr(
        "ludograph.hosting.sandbox.sandbox.why_not", lambda level: f"no {level} here"
    )
    with pytest.raises(InvalidInput, match="no strict here"):
        offered_in(folder)
    assert "does not exist" in refuse("serve", "--players", folder / "none")
