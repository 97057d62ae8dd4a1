"""``ludograph solve hex``."""

import json

from tests.cli.run import invoke, succeed


def test_picture():
    picture = ["  a b c", "1 L L W", " 2 W W W", "  3 W L L"]
    assert succeed("solve", "hex", "--size", 3, "-q").splitlines() == picture
    lines = succeed("solve", "hex", "--size", 3, "--seed", 1).splitlines()
    assert "hex on hexagonal:3, seed 1" in lines
    assert lines[-5:-1] == picture
    assert lines[-1].startswith("(")


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
    assert invoke("solve", "hex", "--size", 9).exit_code == 2


def test_a_game_under_way(tmp_path):
    record = tmp_path / "game.jsonl"
    succeed(
        "hex", "--size", 3, "--no-pie", "--seed", 1, "--record", record, "-q", "random", "connex"
    )
    found = json.loads(succeed("solve", "hex", "--record", record, "--ply", 1, "--json"))
    assert found["verdict"] in ("win", "loss")
    assert found["line"]
