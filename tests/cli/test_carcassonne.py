"""``ludograph carcassonne``: modes, decks, series dealt alike, pictures, wrong input."""

import json
import re

import pytest

from ludograph import play_series
from ludograph.games.carcassonne import carcassonne, options
from ludograph.games.carcassonne.decks import BUILT_IN, GREEN, INIT, Deck, Kind, write_deck
from ludograph.games.carcassonne.setup import MODES
from tests.amounts import slow_but
from tests.cli.run import in_terminal, invoke, succeed

COURSE = ("--deck", "course", "--size", 12)


def played(*arguments, seed=1):
    return json.loads(succeed("carcassonne", "--json", "--seed", seed, *arguments))


def deals(moves):
    return [move["move"] for move in moves if move["seat"] is None]


def test_knows_decks_and_modes():
    assert options.MODES == MODES
    for name in BUILT_IN:
        assert name in options.DeckType.expected
    assert "FINITE_MEEPLE" in succeed("carcassonne", "--help")


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("0", 0),
        ("NO_MEEPLE", 0),
        ("no-meeple", 0),
        ("1", 1),
        ("INFINITE_MEEPLE", 1),
        ("infinite", 1),
        ("2", 2),
        ("FINITE_MEEPLE", 2),
        ("finite", 2),
        ("Finite-Meeple", 2),
    ],
)
def test_modes(text, mode):
    found = played("-m", text, *COURSE, "random", "random")
    name = MODES[mode] + (" 7" if mode == 2 else "")
    assert found["details"] == ["course deck of 12 tiles", "course rules", name, "discard"]
    put = [move for move in found["moves"] if " m" in move["move"]]
    assert bool(put) == (mode > 0)


@pytest.mark.parametrize("more", [["--no-discard"], ["--discard"]])
@pytest.mark.parametrize("other", slow_but(["greedy"], ["greedy", "mcts:sims=4"]))
def test_deals_do_not_depend_on_the_players(other, more):
    orders = [
        deals(played(*more, *players, seed=8)["moves"])
        for players in (["random", "random"], ["random", other], ["random"] * 3)
    ]
    least = min(map(len, orders))
    assert least > 20
    assert all(order[:least] == orders[0][:least] for order in orders)


def test_a_series_deals_alike_whoever_sits_where():
    orders = []
    play_series(
        lambda seed: carcassonne.position(deck="course:30", discard=True),
        ["random", "random"],
        4,
        seed=2,
        on_game=lambda number, result, seating: orders.append(
            [result.position.text(played.move) for played in result.moves]
        ),
    )
    tiles = [[text for text in order if text.startswith("deal")] for order in orders]
    assert tiles[0] == tiles[1] != tiles[2] == tiles[3]
    assert orders[0] != orders[1]  # the players draw anew


def test_a_deck_from_a_file(folder):
    write_deck(Deck(INIT, (Kind("meadow", GREEN, 4),)), "green.json")
    found = played("--deck", "green.json", "random", "random")
    assert found["details"] == [
        "green.json deck of 5 tiles",
        "course rules",
        "NO_MEEPLE",
        "discard",
    ]
    assert deals(found["moves"]) == ["deal meadow"] * 4


def test_a_tile_that_fits_nowhere(folder):
    blue = carcassonne_tile(2)
    write_deck(Deck(GREEN, (Kind("lake", blue, 2),)), "lake.json")
    lines = ("--deck", "lake.json", "--seed", 1, "--starter", 0)
    lose = ("--no-discard", *lines)
    text = succeed("carcassonne", *lose, "random", "random")
    assert ", no discard," in text
    assert re.search(r"\nply 1: .*lake, .* seat 0 is out\n", text)
    assert "\nrandom (seat 1) wins, " in text
    three = succeed("carcassonne", *lose, "random", "random", "random")
    assert re.search(r"\nply 1: .*lake, .* seat 0 is out\n", three)
    assert re.search(r"\nply 2: .*lake, .* out\n", three)
    for discard in ([], ["--discard"]):
        text = succeed("carcassonne", *discard, *lines, "random", "random")
        assert ", discard, seed 1" in text
        assert re.search(r"\nply 2: .*lake, .*\n", text)
        assert " out" not in text
        assert "\nA draw" in text


def carcassonne_tile(terrain):
    return type(GREEN)((0,) * 13, (terrain,) * 13)


def test_in_a_terminal():
    seen = in_terminal(
        *("carcassonne", "-m", "finite", "--seed", 1, "--starter", 0, "--delay", 0, *COURSE),
        *("random", "random"),
    )
    assert seen.code == 0
    assert len(seen.frames) == 22
    assert "chance deals" in seen.frames[1]
    rows = [row.strip(" ▸") for row in seen.after.splitlines()]
    assert any(row.startswith("0 random, blue, ") and "meeples left" in row for row in rows)


@pytest.mark.slow
def test_in_a_terminal_with_little_room():
    seen = in_terminal(
        *("carcassonne", "--seed", 1, "--discard", "--delay", 0, "random", "random"),
        columns=40,
        lines=16,
    )
    assert seen.code == 0
    for frame in seen.frames:
        assert len(frame.splitlines()) <= 16
        assert max(map(len, frame.splitlines())) <= 40


def test_a_file_may_be_called_anything(folder):
    write_deck(Deck(INIT, (Kind("meadow", GREEN, 1),)), folder / "deck")
    assert invoke("carcassonne", "-q", "--deck", "deck", "random", "random").exit_code == 0


def test_the_official_rules():
    found = played("--rules", "official", "random", "random", "random", seed=2)
    assert found["details"] == ["classic deck of 72 tiles", "official rules", "7 meeples"]
    assert any(move["move"].endswith("m12") for move in found["moves"])  # a monk
