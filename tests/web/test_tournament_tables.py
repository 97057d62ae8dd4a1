"""Tournaments of the store on pages."""

import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ludograph.web.app import application
from tests.cli.run import refuse, succeed

PLAYERS = ("random", "connex", "mcts:sims=5")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A server whose store has one tournament of three players."""
    folder = tmp_path_factory.mktemp("results")
    store = folder / "store.db"
    board = ("--board", "hexagonal:3", "--games", 2)
    succeed("tournament", "hex", *board, *PLAYERS, "--store", store)
    app = application(folder / "games", str(store))
    with TestClient(app, base_url="http://localhost") as client:
        yield client


def test_a_tournament_has_a_table_and_all_its_games(client) -> None:
    listed = client.get("/tournaments").text
    assert 'href="/tournaments/1"' in listed
    shown = client.get("/tournaments/1").text
    for player in PLAYERS:
        assert f"<strong>{player}</strong>" in shown
    assert "Elo" in shown
    assert "Against each other" in shown
    games = shown.count('href="/replay/store/')
    assert f"{games} games" in shown
    story = client.get("/replay/store/1/story").json()
    assert set(story["names"]) <= set(PLAYERS)
    assert client.get("/replay/store/1").status_code == 200


def test_a_knockout_has_its_bracket_and_its_champion(tmp_path, opened) -> None:
    store = tmp_path / "store.db"
    board = ("--board", "hexagonal:3", "--games", 2)
    told = succeed("tournament", "hex", *board, "--format", "knockout", *PLAYERS, "--store", store)
    client = opened(application(tmp_path, str(store)))
    shown = client.get("/tournaments/1").text
    assert f"<strong>{told.splitlines()[-1]}</strong>" in shown
    assert told.splitlines()[-1].startswith("Champion: ")
    assert f"<td>{PLAYERS[0]} (bye)</td>" in shown


def test_a_test_says_on_the_page_what_it_says_in_the_terminal(tmp_path, opened) -> None:
    store = tmp_path / "store.db"
    board = ("--board", "hexagonal:3", "--games", 2)
    told = succeed(
        "tournament", "hex", *board, "--sprt", "elo0=0,elo1=100", *PLAYERS[:2], "--store", store
    )
    verdict = next(line for line in told.splitlines() if line.startswith("SPRT: "))
    client = opened(application(tmp_path, str(store)))
    assert verdict in client.get("/tournaments/1").text


def test_what_is_not_there_is_told(client, tmp_path, opened) -> None:
    assert client.get("/tournaments/99").status_code == 404
    assert client.get("/replay/store/999").status_code == 404
    empty = opened(application(tmp_path, str(tmp_path / "no.db")))
    assert "no tournaments yet" in empty.get("/tournaments").text
    assert not (tmp_path / "no.db").exists()


def test_a_damaged_store_is_told(client, tmp_path, opened) -> None:
    store = tmp_path / "store.db"
    store.write_bytes(Path(client.app.state.context.store).read_bytes())
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE seats SET rank = 3 - rank WHERE game = 2")
        connection.execute("UPDATE records SET data = 'no' WHERE game = 1")
    connection.close()
    damaged = opened(application(tmp_path / "g", str(store)))
    for page in ("/tournaments/1", "/replay/store/1", "/replay/store/1/story"):
        found = damaged.get(page)
        assert found.status_code == 500
        assert "the store is damaged" in found.text
        assert "1 of 6 games and 2 of 6 records lost" in found.text


def test_a_port_that_is_taken_is_told() -> None:
    from ludograph.cli.serve import listen

    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert "in use" in refuse("serve", "--port", port)
