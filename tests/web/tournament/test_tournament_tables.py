"""Tournaments of the store on pages."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ludograph.arena.ratings.rating import Rating
from ludograph.cli.serve import listen
from ludograph.web.app import application
from ludograph.web.positions.wording import worded
from ludograph.web.tournament.tournament_tables import interval_on_pages, seconds_a_game
from tests.arena.damage import execute
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


@pytest.mark.slow
def test_a_tournament_has_a_table_and_all_its_games(client) -> None:
    listed = client.get("/tournaments").text
    assert 'href="/tournaments/1"' in listed
    shown = client.get("/tournaments/1").text
    for player in PLAYERS:
        assert f"<strong>{worded(player)}</strong>" in shown
    assert "200 points more" in shown
    assert "virtual" not in shown
    assert "Against each other" in shown
    games = shown.count('href="/replay/store/')
    assert f"{games} games" in shown
    story = client.get("/replay/store/1/story").json()
    assert set(story["names"]) <= set(PLAYERS)
    assert client.get("/replay/store/1").status_code == 200


def test_an_interval_without_limits_is_said_in_words() -> None:
    def shown(low, high):
        return interval_on_pages(Rating("bot.py", 0.0, low, high, None, games=2, group=0))

    assert shown(None, None) == "too few games"
    assert shown(-20.0, None) == "above -20"
    assert shown(-20.0, 35.0) == "-20 to +35"


@pytest.mark.slow
def test_a_knockout_has_its_bracket_and_its_champion(tmp_path, opened) -> None:
    store = tmp_path / "store.db"
    board = ("--board", "hexagonal:3", "--games", 2)
    told = succeed("tournament", "hex", *board, "--format", "knockout", *PLAYERS, "--store", store)
    client = opened(application(tmp_path, str(store)))
    shown = client.get("/tournaments/1").text
    assert f"<strong>{told.splitlines()[-1]}</strong>" in shown
    assert told.splitlines()[-1].startswith("Champion: ")
    (final,) = re.findall(r'aria-label="final">.*?</section>', shown, re.DOTALL)
    assert f'<span class="name">{PLAYERS[0]}</span>' in final
    assert shown.count('<a class="match" href="/tournaments/1/games?') == 2
    assert "2 of 2 matches decided" in shown
    assert "after 5 pairs" in shown


@pytest.mark.slow
def test_a_comparison_says_on_the_page_what_it_says_in_the_terminal(tmp_path, opened) -> None:
    store = tmp_path / "store.db"
    board = ("--board", "hexagonal:3", "-r", 4)
    verdict = succeed("compare", "hex", *board, *PLAYERS[:2], "--store", store).strip()
    client = opened(application(tmp_path, str(store)))
    shown = client.get("/tournaments/1").text
    assert verdict in shown


@pytest.mark.slow
def test_a_swiss_tournament_shows_by_what_its_players_are_ordered(tmp_path, opened) -> None:
    store = tmp_path / "store.db"
    words = ("flood", "-m", 4, "--format", "swiss", "-q", "--store", store)
    succeed("tournament", *words, "greedy", "random", "valid")
    shown = opened(application(tmp_path / "games", str(store))).get("/tournaments/1").text
    assert '<th class="n">Buchholz</th>' in shown
    assert "Better than next" not in shown


@pytest.mark.slow
def test_series_have_pages(tmp_path, opened) -> None:
    """Of two players, of one alone, and of one that is there twice."""
    store = tmp_path / "store.db"
    for players in (("greedy", "random"), ("greedy",), ("greedy", "greedy")):
        succeed("flood", "-m", 4, "-r", 2, "-q", "--store", store, *players)
    client = opened(application(tmp_path / "games", str(store)))
    assert client.get("/tournaments").text.count('href="/tournaments/') >= 3
    for number, name in enumerate(("random", "greedy", "greedy#2"), 1):
        shown = client.get(f"/tournaments/{number}").text
        assert f"<strong>{name}</strong>" in shown
        assert "series" in shown


@pytest.mark.slow
def test_what_is_not_there_is_told(client, tmp_path, opened) -> None:
    assert client.get("/tournaments/99").status_code == 404
    assert client.get("/replay/store/999").status_code == 404
    empty = opened(application(tmp_path, str(tmp_path / "no.db")))
    assert "no tournaments yet" in empty.get("/tournaments").text
    assert not (tmp_path / "no.db").exists()


@pytest.mark.slow
def test_a_damaged_store_is_told(client, tmp_path, opened) -> None:
    store = tmp_path / "store.db"
    store.write_bytes(Path(client.app.state.context.store).read_bytes())
    change = "UPDATE seats SET rank = 'first' WHERE game = 2"
    execute(store, change, "UPDATE records SET data = 'no' WHERE game = 1")
    damaged = opened(application(tmp_path / "g", str(store)))
    for page in ("/tournaments/1", "/replay/store/1", "/replay/store/1/story"):
        found = damaged.get(page)
        assert found.status_code == 500
        assert "damaged" in found.text
        assert ".recover" in found.text


def test_a_port_that_is_taken_is_told() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert "in use" in refuse("serve", "--port", port)


@pytest.mark.slow
def test_a_cell_of_the_cross_table_leads_to_its_games(client) -> None:
    shown = client.get("/tournaments/1").text
    path = "/tournaments/1/games?player=connex&amp;opponent=random"
    assert f'href="{path}"' in shown
    games = client.get(path.replace("&amp;", "&")).text
    assert "2 games" in games
    assert games.count('href="/replay/store/') == 2
    absent = client.get("/tournaments/1/games?player=connex&opponent=nobody")
    assert absent.status_code == 404
    assert "nobody" in absent.text
    assert "6 of 6 games" in shown


@pytest.mark.slow
def test_the_time_left_does_not_count_interruptions() -> None:
    began = datetime(2026, 1, 1, tzinfo=UTC)
    ends = [began + timedelta(seconds=2 * n) for n in range(10)]
    late = [end + timedelta(hours=5) for end in ends]
    assert seconds_a_game([*ends, *late]) == pytest.approx(2)
    assert seconds_a_game(ends[:1]) is None
