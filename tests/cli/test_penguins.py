"""``ludograph penguins``: matches of two and more seats, boards, pictures, wrong input."""

import json
import re

import pytest

from ludograph import read_record
from ludograph.boards import full_hexa, save
from ludograph.games.penguins.options import TILINGS
from tests.cli.run import in_terminal, refuse, succeed


def played(*arguments):
    return json.loads(succeed("penguins", "--json", "--seed", 1, *arguments))


@pytest.mark.parametrize("tiling", TILINGS)
def test_tilings(tiling):
    found = played(2, tiling, 6, 5, "line", "random")
    assert found["board"]["vertices"] == 30
    assert found["details"] == ["2 penguins each"]
    assert found["reason"] == "finished"
    assert not found["faults"]


def test_plain_output():
    text = succeed("penguins", 1, "full-tetra", 3, 2, "--seed", 1, "--starter", 0, "line", "random")
    states = text.split("#\n")
    start = states[0].splitlines()
    assert [len(row) for row in start[:2]] == [5, 5]
    assert start[2] == "start: line against random; penguins on square 3x2, 1 penguin each, seed 1"
    assert states[1].count("A") == 1
    assert "A" in states[2].split("ply")[0]
    assert "B" in states[2].split("ply")[0]
    assert "fish" in text.splitlines()[-1]


@pytest.mark.parametrize("seats", [3, 4])
def test_more_than_two_players(seats):
    found = played(2, "full-hexa", 6, 5, *["line"] * seats)
    assert len(found["outcome"]["scores"]) == seats
    assert sum(found["outcome"]["scores"]) > 0
    assert [move["seat"] for move in found["moves"][: 2 * seats]] == [*range(seats)] * 2


def test_a_series_seats_everybody_everywhere():
    found = played(1, "full-hexa", 5, 4, "-r", 6, "line", "random", "random")
    assert found["games"] == 6
    for player in found["players"]:
        assert set(player["wins"]) == {"0", "1", "2"}
    assert "on seat 2" in succeed("penguins", 1, "full-hexa", 4, 4, "-r", 3, *["random"] * 3)


def test_the_seed_draws_the_fish():
    def start(seed):
        text = succeed(
            "penguins", 1, "full-hexa", 6, 6, "--seed", seed, "--starter", 0, "random", "random"
        )
        return text.split("start:")[0]

    assert start(1) == start(1) != start(2)


def test_a_board_from_a_file(folder):
    save(full_hexa(5, 4), folder / "ice.json")
    found = played(2, "--board", "ice.json", "line", "random")
    assert found["board"]["vertices"] == 20
    (folder / "edges.txt").write_text("0 1\n1 2\n")
    assert "lines" in refuse("penguins", 1, "--board", "edges.txt", "line", "random")


def test_replay_and_pictures(folder):
    options = ("--seed", 3, "--record", "game.jsonl")
    shown = succeed("penguins", 2, "penrose", 5, 5, *options, "line", "random", "random")
    again = succeed("replay", "game.jsonl")
    assert again.split("#\n")[1:] == shown.split("#\n")[1:]
    assert again.split("start:")[0] == shown.split("start:")[0]
    wrote = succeed("replay", "game.jsonl", "--svg", "end.svg", "--animate", "game.svg")
    assert wrote == "wrote end.svg\nwrote game.svg\n"
    assert "(seat 2)" in (folder / "end.svg").read_text()
    last = read_record("game.jsonl").plies
    assert f"ply {last}:" in succeed("replay", "game.jsonl", "--ply", last)
    assert re.search("hex .*SGF", refuse("replay", "game.jsonl", "--sgf", "f.sgf"))


def test_in_a_terminal_the_seats_count_their_fish():
    seen = in_terminal(
        *("penguins", 2, "full-hexa", 6, 5, "--seed", 1, "--starter", 0, "--delay", 0),
        *("line", "random"),
    )
    assert seen.code == 0
    rows = [row.strip(" ▸") for row in seen.after.splitlines()]
    (blue,) = [row for row in rows if row.startswith("0 line, blue, ")]
    (red,) = [row for row in rows if row.startswith("1 random, red, ")]
    fish = sorted((int(row.split()[-2]) for row in (blue, red)), reverse=True)
    assert rows[-1 if rows[-1] else -2].endswith(f"wins, {fish[0]} fish to {fish[1]}.")


def test_help_names_the_tilings():
    assert all(tiling in succeed("penguins", "--help") for tiling in ("full-hexa", "penrose"))


AS_IN = "'ludograph penguins 3 full-hexa 8 7 line random'"
PLAYERS = "'ludograph penguins random random'"
TILINGS = "full-hexa, full-tetra, octo-tetra, dodeca-hexa-tetra or penrose"
WRONG = [
    ("", PLAYERS),
    ("3", f"the tiling .*{AS_IN}"),
    ("3 full-hexa 8", f"the height .*{AS_IN}"),
    ("3 full-hexa 8 7", PLAYERS),
    ("3 --board a.json", PLAYERS),
    ("0 full-hexa 8 7 line random", "number of penguins .*from 1"),
    ("3 hexa 8 7 line random", f"{TILINGS}, got 'hexa'"),
    ("3 full-hexa w 7 line random", "the width .*from 1"),
    ("3 full-hexa 8 line random", "the height .*from 1"),
    ("3 full-hexa 8 7 line", "2 to 64 players, got 1"),
    ("9 full-tetra 4 4 line random", "2 x 9 penguins .* 16 tiles"),
    ("3 --board gone.json line random", "gone.json"),
]


@pytest.mark.parametrize(("line", "named"), WRONG)
def test_refuses(line, named, folder):
    assert re.search(named, refuse("penguins", "-q", *line.split()))
