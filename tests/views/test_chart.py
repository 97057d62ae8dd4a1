"""Curves over a game: as text and as SVG."""

from datetime import datetime
from itertools import pairwise
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest

from ludograph.views.chart import _LINE_HEIGHT, Curve, Panel, _apart, svg, text, time_ticks

RISING = Curve("up", "u", [(0, 0.0), (10, 1.0)])
FALLING = Curve("down", "d", [(0, 1.0), (10, 0.0)])


def test_a_curve_is_straight_between_its_points():
    assert RISING.at(5) == pytest.approx(0.5)
    assert RISING.at(11) is None
    assert Curve("one", "o", [(3, 2.0)]).at(3) == 2.0
    assert Curve("none", "n", []).at(0) is None


def test_the_text_has_the_curves_where_they_are():
    lines = text(Panel("Both", [RISING, FALLING], 10, (0.0, 1.0)), 24, 5)
    assert lines[0] == "Both"
    top, middle, bottom = (line.partition("|")[2] for line in (lines[1], lines[3], lines[5]))
    assert (top[0], top[-1]) == ("d", "u")
    assert "*" in middle
    assert (bottom[0], bottom[-1]) == ("u", "d")
    assert [lines[row].split()[0] for row in (1, 3, 5)] == ["1", "0.5", "0"]
    assert max(map(len, lines)) <= 24
    assert lines[-1].split() == ["0", "10"]


def test_a_curve_that_is_level_or_empty_can_be_drawn():
    for curve in (Curve("level", "l", [(0, 3.0), (4, 3.0)]), Curve("none", "n", [])):
        panel = Panel("Level", [curve], 4)
        assert len(text(panel, 30)) == 12
        ElementTree.fromstring(svg([panel], "Level"))


def test_the_picture_is_xml_with_all_names_and_a_line_for_each_curve():
    panel = Panel("Both", [RISING, FALLING], 10, (0.0, 1.0), [(1, 5, 0.5)])
    drawn = svg([panel, panel], "<Up> & down")
    root = ElementTree.fromstring(drawn)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:3] == ["<Up> & down", "up", "down"]
    assert drawn.count('stroke-width="2"/>') == 2 * 3  # two curves and a mark in each panel


def test_names_beside_the_plot_do_not_overlap():
    places = _apart([50.0, 50.0, 51.0, 380.0, 380.0], 34, 386)
    assert all(later - earlier >= _LINE_HEIGHT - 1e-9 for earlier, later in pairwise(places))
    assert places[-1] <= 386


def test_days_begin_at_midnight_of_the_zone_on_both_sides_of_a_change_of_the_clock():
    berlin = ZoneInfo("Europe/Berlin")
    first = datetime(2026, 10, 23, 12, tzinfo=berlin).timestamp()
    ticks = time_ticks(first, first + 4 * 86400, berlin)
    assert [label for _, label, _ in ticks] == ["24 Oct", "25 Oct", "26 Oct", "27 Oct"]
    assert {datetime.fromtimestamp(seconds, berlin).hour for seconds, _, _ in ticks} == {0}
    (noon, label, below), *_ = time_ticks(first, first + 7200, berlin)
    assert (noon, label, below) == (first, "12:00", "23 Oct 2026")


@pytest.mark.parametrize("span", [0.0, 3.0, 50.0, 700.0, 9000.0, 86400.0, 9e5, 8e6, 1e8])
def test_labels_of_time_are_few_round_and_differ(span):
    first = 1.7e9 + 1234
    ticks = time_ticks(first, first + span)
    assert 1 <= len(ticks) <= 8
    assert all(first <= seconds <= first + span for seconds, _, _ in ticks)
    assert len({seconds for seconds, _, _ in ticks}) == len(ticks)
    assert all(label for _, label, _ in ticks)
    assert "2023" in ticks[0][2] or ticks[0][2] == "2024"
