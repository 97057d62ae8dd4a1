"""The official rules: what people are told; examples counted by hand are in ``by_hand.toml``."""

import numpy as np
import pytest

from ludograph import carcassonne, play_match, rules
from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games.carcassonne.decks import Deck, Kind, classic, course
from ludograph.games.carcassonne.holdings import regions
from tests.amounts import few
from tests.reference.carcassonne_official import WHAT

KINDS = {kind.name: kind.tile for kind in classic().kinds}


def begin(first, *, seats=2, **counts):
    """A game on the tiles of the base set: the first one, then so many of each kind."""
    names = {name.replace("_", "-"): count for name, count in counts.items()}
    deck = Deck(KINDS[first], tuple(Kind(name, KINDS[name], n) for name, n in names.items()))
    return carcassonne.position(deck=deck, rules="official", seats=seats)


def play(position, *turns):
    """Deal and place tiles, each as in ``road-curve 1,0 r0 m7``."""
    for turn in turns:
        name, _, move = turn.partition(" ")
        position.play(f"deal {name}")
        position.play(move)
    return position


THREE_CITIES = (
    "castle-side 0,1 r2",
    "castle-side 1,0 r0",
    "castle-side 1,1 r2 m0",  # seat 0 farms in the north of all cities
    "castle-side 2,0 r0 m3",  # seat 1 in the south
)


def test_where_a_meeple_may_be_put() -> None:
    """On roads, cities, fields and in monasteries, but not where roads meet."""
    position = begin("road-crossing", monastery_road=1, road_crossing=1)
    position.play("deal monastery-road")
    texts = {position.text(move) for move in position.legal_moves()}
    assert {text for text in texts if text.startswith("1,0 r1")} == {
        *("1,0 r1", "1,0 r1 m0", "1,0 r1 m10", "1,0 r1 m12"),
    }
    position.play("1,0 r1 m12")
    position.play("deal road-crossing")
    assert not [move for move in position.legal_moves() if position.text(move).endswith("m12")]
    with pytest.raises(IllegalMove):
        position.play("-1,0 r0 m12")


# --- what people are told -------------------------------------------------------------------------


def told(position, name, move):
    """What a legal move promises, and what is said once it is played."""
    position.play(f"deal {name}")
    code = position.parse(move)
    promise = position.game.interaction.action(position, code)
    position.play(code)
    return promise, position.game.presentation.announce(position, code)


@pytest.mark.slow
def test_people_are_told_what_a_placement_gives(wording) -> None:
    position = begin("castle-side", castle_side=3, castle_through_shield=1, monastery=9)
    said = [
        *told(position, "castle-through-shield", "0,1 r1 m0"),
        *told(position, "castle-side", "0,2 r2"),
        *told(position, "monastery", "1,0 r0 m12"),
        *told(position, "monastery", "1,1 r0 m0"),  # on the field beside it
    ]
    for cell in ("2,1", "2,0", "2,-1", "1,-1"):
        play(position, f"monastery {cell} r0")
    said += told(position, "monastery", "0,-1 r0")
    assert said == wording


def test_the_end_says_what_the_points_are_for() -> None:
    position = begin("castle-side", castle_side=5)
    play(position, *THREE_CITIES, "castle-side 2,1 r2")
    presentation = position.game.presentation
    facts = [presentation.seat_facts(position, seat).holding for seat in (0, 1)]
    assert facts == ["9 points, 6 meeples left", "9 points, 6 meeples left"]
    breakdown = presentation.breakdown(position)
    assert breakdown.columns == ["castles", "fields"]  # the deck has nothing else
    assert breakdown.rows() == [["0", "+ 9", "9"]] * 2
    assert breakdown.caption() == "in the game + at its end"
    fields = [each.text for each in regions(position) if "field" in each.text]
    assert sum(": 9 points" in text for text in fields) == 2


def test_points_of_the_game_and_of_its_end_are_told_apart() -> None:
    position = begin("road-crossing", road_straight=2, road_crossing=1, monastery=1)
    play(position, "road-straight 1,0 r1 m4", "monastery 1,1 r0 m12")
    breakdown = position.game.presentation.breakdown(position)
    assert breakdown.columns == ["roads", "monasteries", "fields"]
    assert (breakdown.rows(), breakdown.caption()) == ([["0", "0", "0", "0"]] * 2, "")
    play(position, "road-crossing 2,0 r0", "road-straight 3,0 r1 m4")
    found = position.game.presentation.breakdown(position)
    assert found.rows() == [["3", "0", "0", "3"], ["+ 2", "+ 4", "0", "6"]]
    assert found.caption() == "in the game + at its end"


def test_regions_say_who_holds_what(wording) -> None:
    position = begin("castle-side", castle_side=5)
    play(position, *THREE_CITIES)
    assert sorted(region.text for region in regions(position)) == wording


def test_refusals_of_meeples_in_the_middle() -> None:
    position = begin("road-crossing", road_crossing=1, monastery=1)
    position.play("deal road-crossing")
    with pytest.raises(IllegalMove, match=r"monastery.*\bCENTER\b"):
        position.play("1,0 r0 m12")


# --- the suite, and what does not go together -----------------------------------------------------


def test_the_tally_names_what_the_reference_does() -> None:
    assert tuple(carcassonne.position(rules="official").points_for(0)) == WHAT
    assert set(carcassonne.position(deck=course(8)).points_for(0)) == set(WHAT)


# --- strategies and people ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("player", ["greedy", "expectimax:depth=1"])
def test_strategies_know_what_counts(player) -> None:
    """Against chance they win by far, as farmers, monks and ends of roads count for them."""
    results = [
        play_match(carcassonne.position(rules="official"), [player, "random"], seed=seed)
        for seed in range(few(1, 4))
    ]
    assert all(result.outcome.winner == 0 for result in results)
    assert results[0].position.points_for(0)["farms"] > 0


@pytest.mark.slow
def test_the_evaluation_is_the_score_at_the_end() -> None:
    position = begin("castle-side", castle_side=4)
    play(position, *THREE_CITIES)
    values = np.zeros(2)
    rules.evaluate(position.setup, position.state, values)
    assert list(values) == list(position.scores()) == [6, 6]


@pytest.mark.usefixtures("plain_in_make_test")
def test_the_evaluation_sees_what_a_meeple_holds() -> None:
    """To hold a castle with a shield is worth more than the meeple in the hand."""
    values = {}
    for move in ("0,1 r1", "0,1 r1 m0"):
        position = begin("castle-side", castle_through_shield=1, castle_side=9)
        play(position, f"castle-through-shield {move}")
        values[move] = np.zeros(2)
        before = position.state.copy()
        rules.evaluate(position.setup, position.state, values[move])
        assert (position.state == before).all()
    without, holding = (value[0] - value[1] for value in values.values())
    assert holding > without + 2


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({}, "course"),
        ({"rules": "official"}, "official"),
        ({"mode": "finite"}, "course"),
        ({"deck": "course:8"}, "course"),
        ({"deck": "course:8", "rules": "official"}, "official"),
    ],
)
def test_which_rules_are_meant(given, meant) -> None:
    assert carcassonne.declaration.values(given)["rules"] == meant


@pytest.mark.parametrize(
    ("given", "meant"),
    [({}, "official"), ({"mode": "1"}, "course"), ({"deck": "course"}, "course")],
)
def test_people_play_by_the_official_rules_unless_they_ask_for_the_course(given, meant) -> None:
    declared = carcassonne.declaration
    merged = {**declared.with_people, **declared.resolve(given)}
    assert declared.values(merged)["rules"] == meant
    libraries = {**declared.with_people, **declared.with_libraries, **declared.resolve(given)}
    assert declared.values(libraries)["rules"] == "course"
    assert (declared.values(libraries)["discard"], declared.values(given)["discard"]) == (
        False,
        True,
    )


def test_c_players_play_by_the_rules_of_the_course() -> None:
    library = carcassonne.interop.library
    library.check(carcassonne.position(rules="course"))
    with pytest.raises(InvalidInput, match="course"):
        library.check(carcassonne.position(rules="official"))
