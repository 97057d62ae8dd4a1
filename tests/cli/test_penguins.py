"""``ludograph penguins``: matches of two and more seats, boards, pictures, wrong input."""

import json

import pytest

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


@pytest.mark.parametrize("seats", [3, 4])
def test_more_than_two_players(seats):
    found = played(2, "full-hexa", 6, 5, *["line"] * seats)
    assert len(found["outcome"]["scores"]) == seats
    assert sum(found["outcome"]["scores"]) > 0
    assert [move["seat"] for move in found["moves"][: 2 * seats]] == [*range(seats)] * 2


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
