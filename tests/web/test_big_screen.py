"""Tournaments on a big screen and on a phone."""

import pytest

from ludograph.arena import Knockout, Results
from ludograph.arena.report import TournamentReport, rated
from ludograph.web.app import application
from ludograph.web.tournament.tournament_tables import (
    bracket_standings,
    rated_standings,
)
from tests.cli.run import succeed
from tests.web.conftest import served

PLAYERS = ("connex", "resistance", "random", "random:random=1", "random:random=0.55555")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with a knockout and a round robin."""
    path = tmp_path_factory.mktemp("results") / "store.db"
    board = ("--board", "hexagonal:3", "--games", 2, "--seed", 1)
    succeed("tournament", "hex", *board, "--format", "knockout", *PLAYERS, "--store", path)
    succeed("tournament", "hex", *board, *PLAYERS[:3], "--store", path)
    return path


@pytest.fixture(scope="module")
def address(store):
    with served(application(store.parent / "games", str(store))) as found:
        yield found


def played(one, other, winner):
    ranks = {one: (1, 2), other: (2, 1), None: (1, 1)}[winner]
    return [
        (0, (one, other), ranks),
        (0, (other, one), ranks[::-1]),
    ]


def report(games, players, knockout=None):
    games = Results.of(games)
    return TournamentReport(
        "a cup", games, players, ratings=rated(games, players), knockout=knockout
    )


def test_players_of_a_knockout_stand_in_the_order_in_which_they_came_far() -> None:
    players = ("a", "b", "c", "d")
    games = [*played("a", "d", "d"), *played("b", "c", "b"), *played("d", "b", "d")]
    rows = bracket_standings(report(games, players, Knockout(players, 1, overtime=0)))
    found = [(row["place"], row["line"].player, row["reached"]) for row in rows]
    assert found[:2] == [(1, "d", "champion"), (2, "b", "final")]
    assert sorted(found[2:]) == [(3, "a", "semifinals"), (3, "c", "semifinals")]


def test_equal_players_have_the_same_place() -> None:
    games = [*played("a", "b", None), *played("a", "c", "a"), *played("b", "c", "b")]
    rows = rated_standings(report(games, ("a", "b", "c")))
    assert [row["place"] for row in rows] == [1, 1, 3]


@pytest.mark.slow
def test_the_big_screen_shows_champion_and_bracket_or_the_standings(
    store, tmp_path, opened
) -> None:
    client = opened(application(tmp_path, str(store)))
    page = client.get("/tournaments/1").text
    assert 'href="/tournaments/1/screen"' in page
    assert "<th>Reached</th>" in page
    assert "95 % interval" not in page
    shown = client.get("/tournaments/1/screen").text
    assert "Champion: <strong>" in shown
    assert "Semifinals" in shown
    assert 'alt="The board"' in shown
    shown = client.get("/tournaments/2/screen").text
    assert 'aria-label="Bracket"' not in shown
    assert "<td>resistance</td>" in shown
    assert client.get("/tournaments/9/screen").status_code == 404


@pytest.mark.slow
def test_the_bracket_fills_a_projector_in_large_letters(address, chromium) -> None:
    context = chromium.new_context(
        base_url=address, viewport={"width": 1920, "height": 1080}, color_scheme="dark"
    )
    page = context.new_page()
    page.goto("/tournaments/1/screen")
    assert page.get_by_role("heading", name="Champion: ").bounding_box()["height"] > 50
    sides = page.locator(".bracket .side").all()
    for side in sides:
        box, name, points = (
            part.bounding_box() for part in (side, side.locator(".name"), side.locator(".points"))
        )
        assert name["height"] > 20
        assert name["x"] + name["width"] <= points["x"]
        assert points["x"] + points["width"] <= box["x"] + box["width"]
    board = page.get_by_role("img", name="The board").bounding_box()
    assert min(board["width"], board["height"]) > 400
    assert 1800 < board["x"] + board["width"] <= 1920
    size = "document.documentElement"
    assert page.evaluate(f"{size}.scrollHeight <= innerHeight && {size}.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement !== null")
    context.close()


@pytest.mark.slow
def test_names_stay_in_sight_while_a_table_scrolls_in_its_box_on_a_phone(address, chromium) -> None:
    context = chromium.new_context(base_url=address, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto("/tournaments/2")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    table = page.get_by_role("region", name="Table")
    moved = table.evaluate("box => (box.scrollLeft = 9999, box.scrollLeft)")
    assert moved > 50
    left = table.bounding_box()["x"]
    for name in table.locator("td.name").all():
        assert abs(name.bounding_box()["x"] - left) < 2
        assert name.bounding_box()["width"] < 200
    context.close()
