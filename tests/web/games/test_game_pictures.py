"""The picture of a game plays a recorded game on the first page, and stands still when asked to."""

from __future__ import annotations

import pytest

from ludograph.games.registry import OURS, declaration, declarations
from ludograph.web.app import application
from ludograph.web.games.game_pictures import ANIMATION, animated, example, kept_picture

MOST = 40
"""Moves of a short game."""


@pytest.mark.parametrize("game", OURS)
def test_an_example_is_a_whole_game_and_its_file_is_what_is_drawn_today(game) -> None:
    record = example(declaration(game))
    kept = kept_picture(declaration(game).package, ANIMATION)
    if record is None:
        assert kept is None
        return
    assert record.start.game.name == game
    assert record.end is not None
    if kept is not None:
        assert record.plies <= MOST
        assert kept.body.decode() == animated(record), "scripts/draw-pictures draws it again"


def test_the_first_game_plays_by_itself(tmp_path, opened) -> None:
    client = opened(application(tmp_path / "games", str(tmp_path / "store.db")))
    first, *others = declarations()
    shown = client.get("/").text
    assert f'src="/games/{first.name}/example.svg"' in shown
    assert shown.count("example.svg") == 1
    places = [
        shown.index(f'<li class="card"><a href="/games/{one.name}">') for one in declarations()
    ]
    assert places == sorted(places)
    picture = client.get(f"/games/{first.name}/example.svg")
    assert "max-age" in picture.headers["cache-control"]
    assert "<animate" in picture.text
    without = next(one for one in others if kept_picture(one.package, ANIMATION) is None)
    assert client.get(f"/games/{without.name}/example.svg").status_code == 404
    assert client.get("/games/none/example.svg").status_code == 404


@pytest.mark.slow
def test_the_picture_stops_by_a_click_and_does_not_move_where_motion_is_reduced(page) -> None:
    shows = "name => document.getElementById('plays').currentSrc.endsWith(name)"
    page.goto("/")
    for name in ("example.svg", "picture.svg", "example.svg"):
        page.wait_for_function(shows, arg=name)
        page.get_by_role("button", name="Stop the picture").click()
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    page.wait_for_function(shows, arg="picture.svg")
    assert not page.get_by_role("button", name="Stop the picture").is_visible()
