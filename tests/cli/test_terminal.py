"""A match in a terminal: drawn in place, given back at the end."""

import re

import pytest

from tests.cli.run import in_terminal

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
MATCH = ("flood", "-m", 8, "-c", 5, "--seed", 3, "--delay", "0.01")


@pytest.fixture(scope="module")
def seen():
    return in_terminal(*MATCH, "greedy", "random")


def test_pictures_replace_each_other(seen):
    assert seen.code == 0
    assert len(seen.frames) > 5
    assert seen.text.count("\x1b[2J") == 1
    assert "\x1b[48;5;" in seen.text
    first, *_, last = seen.frames
    assert first.startswith("flood on square 8x8, 5 colors, seed 3\n")
    assert "start: " in first
    assert f"ply {len(seen.frames) - 1}: " in last
    assert "█" in last


def test_every_picture_has_the_seats(seen):
    for picture in seen.frames:
        names = [line[1:].split()[:2] for line in picture.splitlines()[-3:-1]]
        assert sorted(names) in (
            [["0", "greedy"], ["1", "random"]],
            [["0", "random"], ["1", "greedy"]],
        )
    assert all(sum("▸" in line for line in f.splitlines()) == 1 for f in seen.frames[:-1])


def test_the_terminal_is_given_back_with_the_result(seen):
    assert seen.text.count(ENTER) == seen.text.count(LEAVE) == 1
    assert "\x1b[?25h" in seen.text[seen.text.index(ENTER) :]
    lines = seen.after.splitlines()
    assert lines[0] == "flood on square 8x8, 5 colors, seed 3"
    assert " wins, " in lines[-1]


def test_lines_are_not_wider_than_the_terminal():
    seen = in_terminal("flood", "-m", 40, "--delay", 0, "-c", 4, "greedy", "random", columns=60)
    for picture in seen.frames:
        assert max(map(len, picture.splitlines())) <= 60
        assert len(picture.splitlines()) <= 30


@pytest.mark.parametrize(
    ("columns", "lines", "width"), [(80, 8, 8), (20, 30, 8), (80, 30, 100), (1, 1, 4)]
)
def test_lines_follow_each_other_where_the_board_has_no_room(columns, lines, width):
    options = ("-m", width, "-c", 4, "--delay", 0, "--seed", 1)
    seen = in_terminal("flood", *options, "greedy", "greedy", columns=columns, lines=lines)
    assert seen.code == 0
    assert "\x1b" not in seen.text
    assert "ply 1: greedy (seat 0) plays " in seen.text
    assert " wins, " in seen.text or "draw" in seen.text


def test_no_color():
    seen = in_terminal(*MATCH, "greedy", "random", NO_COLOR="1")
    assert "\x1b[48;" not in seen.text
    assert "\x1b[1m" not in seen.text
    assert "0 " in seen.frames[0]


def test_a_dumb_terminal_gets_plain_text():
    seen = in_terminal(*MATCH, "greedy", "random", TERM="dumb")
    assert "\x1b" not in seen.text
    assert "\r\n#\r\n" in seen.text


def test_true_colors():
    assert "\x1b[38;5;" not in in_terminal(*MATCH, "greedy", "random", COLORTERM="truecolor").text


def test_alone_and_other_boards():
    for options in (("-t", "hexagonal", "greedy"), ("-t", "t", "greedy", "random", "greedy")):
        seen = in_terminal("flood", "-m", 6, "--delay", 0, *options)
        assert seen.code == 0
        assert len(seen.frames) > 3


def test_quiet_in_a_terminal():
    seen = in_terminal("flood", "-m", 5, "-q", "greedy", "random")
    assert "\x1b" not in seen.text
    assert " wins, " in seen.text or "draw" in seen.text


def test_ctrl_c_gives_the_terminal_back():
    seen = in_terminal("flood", "--delay", "0.3", "greedy", "random", stop_after="ply 2")
    assert seen.code == 130
    assert seen.text.count(ENTER) == seen.text.count(LEAVE) == 1
    assert "\x1b[?25h" in seen.text
    assert re.search("ludograph: interrupted after [123] moves?; --seed ", seen.after)
