"""``ludograph solve hex``."""

import json

from ludograph.cli import solve_hex
from ludograph.games.hex.solving import grid
from tests.cli.run import invoke, succeed


def test_picture():
    lines = succeed("solve", "hex", "--size", 3).splitlines()
    assert lines[:4] == ["  a b c", "1 L L W", " 2 W W W", "  3 W L L"]
    assert lines[4].startswith("(")
    assert succeed("solve", "hex", "--size", 3, "-q").splitlines() == lines[:4]


def test_json():
    found = json.loads(succeed("solve", "hex", "--size", 5, "--json"))
    assert found["map"] == ["LLLLW", "LWWWW", "LWWWL", "WWWWL", "WLLLL"]
    assert found["size"] == 5
    assert found["complete"] is True
    assert found["nodes"] > 0


def test_when_the_time_is_over():
    result = invoke("solve", "hex", "--size", 7, "--time", 0.01, "-q")
    assert result.exit_code == 1
    assert "?" in result.output


def test_sizes_that_cannot_be_solved():
    assert invoke("solve", "hex", "--size", 8).exit_code == 2


def test_the_largest_size():
    assert solve_hex.LARGEST == grid.LARGEST
