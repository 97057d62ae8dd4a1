"""The picture of a game plays a recorded game on the first page, and stands still when asked to."""

from __future__ import annotations

import re

import pytest

from ludograph.games.registry import OURS, declaration
from ludograph.referee.record_reader import parse_record
from ludograph.web.app import application
from ludograph.web.games.example_games import moves_of, recorded

MOST = 40
"""Moves of a short game."""

WITH_EXAMPLE = [game for game in OURS if moves_of(declaration(game).package)]


def test_some_game_has_a_short_whole_example() -> None:
    assert WITH_EXAMPLE
    for game in WITH_EXAMPLE:
        package = declaration(game).package
        record = parse_record(recorded(package), game)
        assert record.start.game.name == game
        assert record.end is not None
        assert record.plies == moves_of(package) <= MOST


@pytest.mark.slow
def test_each_move_of_the_example_is_a_picture_of_its_own(tmp_path, opened) -> None:
    client = opened(application(tmp_path / "games", str(tmp_path / "store.db")))
    found = re.search(
        r'src="(/games/[a-z]+/)picture\.svg" data-shown="(\d+)" data-moves="(\d+)"',
        client.get("/").text,
    )
    game, shown, moves = found.groups()
    base = f"{game}example/"
    pictures = [client.get(f"{base}{ply}.svg") for ply in (0, shown, moves)]
    assert pictures[1].text == client.get(f"{game}picture.svg").text
    assert all("max-age" in picture.headers["cache-control"] for picture in pictures)
    assert len({picture.text for picture in pictures}) == 3
    assert client.get(f"{base}{int(moves) + 1}.svg").status_code == 404
    assert client.get(f"{base}x.svg").status_code == 404
    assert client.get("/games/none/example/0.svg").status_code == 404
    without = next(game for game in OURS if game not in WITH_EXAMPLE)
    assert client.get(f"/games/{without}/example/0.svg").status_code == 404


@pytest.mark.slow
def test_the_picture_moves_until_it_is_pointed_at_and_not_where_motion_is_reduced(page) -> None:
    changes = """() => new Promise((done) => {
      const picture = document.querySelector("img[data-moves]"), seen = new Set();
      const watch = new MutationObserver(() => seen.add(picture.dataset.shown));
      watch.observe(picture, { attributes: true, attributeFilter: ["data-shown"] });
      setTimeout(() => done(seen.size), 3500);
    })"""
    page.goto("/")
    picture = page.locator("img[data-moves]")
    picture.scroll_into_view_if_needed()
    first = picture.get_attribute("data-shown")
    page.wait_for_selector(f"img[data-moves]:not([data-shown='{first}'])")
    picture.hover()
    assert page.evaluate(changes) == 0
    page.mouse.move(0, 0)
    page.locator("li.card:has(img[data-moves]) button").focus()
    assert page.evaluate(changes) == 0
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    page.locator("img[data-moves]").scroll_into_view_if_needed()
    assert page.evaluate(changes) == 0
