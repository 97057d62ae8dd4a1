"""``ludograph solve hex``."""

import json

from ludograph import hex
from tests.cli.run import invoke, succeed
from tests.games.hex.boards import tangle


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


def test_boards_without_a_solver_of_their_own_are_searched_by_the_rules():
    assert invoke("solve", "hex", "--size", 17, "--time", 0.01, "-q").exit_code == 1
    found = json.loads(succeed("solve", "hex", "-m", 3, "-t", "c", "--no-pie", "--json"))
    assert found["verdict"] == "draw"
    assert hex.solving.solve(hex.position(tangle(1), pie=False), 60.0).verdict == "win"


def test_a_game_under_way(tmp_path):
    record = tmp_path / "game.jsonl"
    succeed(
        "hex", "--size", 3, "--no-pie", "--seed", 1, "--record", record, "-q", "random", "connex"
    )
    found = json.loads(succeed("solve", "hex", "--record", record, "--ply", 1, "--json"))
    assert found["verdict"] in ("win", "loss")
    assert found["line"]


def test_what_is_proven_is_remembered_from_one_position_to_the_next():
    solve, position = hex.solving.solver(), hex.position(6, pie=False)
    position.play(position.parse("a1"))
    first, again = solve(position, 60.0), solve(position, 60.0)
    assert first.verdict == again.verdict == "win"
    assert first.nodes > 10 * again.nodes


def test_a_game_of_nine_by_nine(tmp_path):
    """Black's bridges join its borders at ply 9 already."""
    file = tmp_path / "game.sgf"
    moves = ["e5", "a1", "d7", "a2", "f3", "a3", "g1", "a4", "c9", "f2"]
    nodes = "".join(f";{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(moves))
    file.write_text(f"(;FF[4]GM[11]SZ[9]{nodes})")
    solve = ("solve", "hex", "--record", file, "--json")
    verdicts = [json.loads(succeed(*solve, "--ply", ply))["verdict"] for ply in (9, 10)]
    assert verdicts == ["loss", "win"]
