"""The curve of a run, as a picture, a page, and event files for TensorBoard."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ludograph.learning.curve import page, panel_of, picture


def point(seconds, anchor, points, **others):
    about = {"rounds": 1, "games_learned": 1200, "positions": 34_000, "seconds": seconds}
    match = {"player": "net:sims=0", "anchor": anchor, "games": 40, "points": points}
    return {**about, **match, "low": points - 0.1, "high": points + 0.1, **others}


POINTS = [
    point(60.0, "random", 0.5, policy_loss=1.5, value_loss=0.7, end_loss=0.6),
    point(60.0, "a<b", 0.25, policy_loss=1.5, value_loss=0.7, end_loss=0.6),
    point(120.0, "random", 0.75, policy_loss=1.25, value_loss=0.6, end_loss=0.5),
]


def test_each_pair_of_players_has_a_curve() -> None:
    panel = panel_of(POINTS, "points")
    assert [each.points for each in panel.curves] == [[(60, 0.5), (120, 0.75)], [(60, 0.25)]]
    assert panel.last == 120


def test_the_picture_has_a_panel_for_points_and_one_for_each_loss() -> None:
    drawn = ET.fromstring(picture(POINTS, "Learning a game"))
    texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "net:sims=0 against a<b" in texts
    assert len([each for each in texts if each.startswith("Loss: ")]) == 3
    without = [{name: each[name] for name in each if name != "end_loss"} for each in POINTS]
    assert "Loss: end" not in picture(without, "Learning a game")


def test_the_page_stands_for_itself_and_has_the_newest_match_first() -> None:
    text = page(POINTS, "Learning a game")
    assert "a&lt;b" in text
    assert "a<b" not in text
    assert "src=" not in text
    assert "href=" not in text
    assert "prefers-color-scheme:dark" in text
    assert text.index("65 to 85 %") < text.index("40 to 60 %")
    assert "1,200" in text
    assert page([], "Learning a game").count("<td") == 0
