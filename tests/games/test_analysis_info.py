"""What strategies think of their moves: one form, checked, drawn by all games."""

import json
import math
from contextlib import nullcontext

import numpy as np
import pytest

from ludograph import amazons, boards, carcassonne, flood, hex, penguins
from ludograph.games.analysis_info import (
    LINE,
    MOST_MOVES,
    MOVES,
    AnalysisInfo,
    Considered,
    overlays_of,
    sentence,
    to_data,
)
from ludograph.games.analysis_info_validation import MOST_CELLS, InvalidAnalysisInfo, validated
from ludograph.games.hex.evaluation.openings import openings
from ludograph.views import Overlay, svg
from tests.amounts import plain_in_make_test, slow_but

START = hex.position(3)

TELLING = {
    "flood": (flood, {"board": 4}, ("greedy", "mcts:sims=60", "minimax:depth=2")),
    "hex": (
        hex,
        {"board": 4},
        ("connex", "resistance", "mcts:sims=60", "minimax:depth=1"),
    ),
    "penguins": (penguins, {}, ("dissector", "mcts:sims=60", "minimax:depth=1")),
    "amazons": (amazons, {"board": 5}, ("mcts:sims=60", "minimax:depth=1")),
    "carcassonne": (carcassonne, {}, ("mcts:sims=60", "expectimax:depth=1")),
}
QUICK = [
    (game, name)
    for game, (_, _, names) in TELLING.items()
    for name in names
    if game in ("flood", "hex") or name == "dissector"
]
"""Of the other games the searches are compiled for ``make test-all`` alone."""
PLAIN = {("flood", "minimax:depth=2"), ("hex", "minimax:depth=1")}
"""These alone would need much of their machine code in ``make test``."""


def told(position, name):
    """Return what a strategy thinks of its first move that is no opening, and where it was."""
    from ludograph.players import parse_player

    spec = parse_player(name, position.game, position.seats)
    chooser = position.game.strategy(spec.target).create(spec.options, 1)
    while True:
        if position.is_chance:
            position.play(position.legal_moves()[0])
            continue
        move = chooser.choose(position)
        thoughts = chooser.thoughts()
        if thoughts is not None and len(position.legal_moves()) > 1:
            return move, thoughts
        position.play(move)


def test_zero_has_no_sign():
    move = Considered("a1", value=-0.0)
    info = AnalysisInfo(-0.0, "points", moves=(move,))
    assert sentence(info) == "thinks: 0 points; a1 (0)"


@pytest.mark.parametrize(
    ("game", "name"),
    slow_but(QUICK, [(game, name) for game, (_, _, names) in TELLING.items() for name in names]),
)
def test_strategies_tell_what_can_be_checked(game, name):
    rules, options, _ = TELLING[game]
    position = rules.position(**options, seed=2)
    if game == "hex":
        openings(position)  # remembered: the random games behind it are always machine code
    with plain_in_make_test() if (game, name) in PLAIN else nullcontext():
        move, thoughts = told(position, name)
    checked = validated(thoughts, position)
    text = position.text(move)
    assert checked.value is None or math.isfinite(checked.value)
    assert not checked.moves or checked.moves[0].move == text
    assert not checked.line or checked.line[0] == text
    data = json.loads(json.dumps(to_data(checked)))
    assert validated(data, position) == checked
    assert sentence(checked).startswith("thinks: ")
    assert len(sentence(checked)) < 1000


@pytest.mark.usefixtures("plain_in_make_test")
def test_a_tree_search_tells_visits_and_values_of_all_that_it_tried():
    position = hex.position(4)
    position.play("b2")
    move, thoughts = told(position.without_pie(), "mcts:sims=200,connections=off,solver=off")
    visits = [each.visits for each in thoughts.moves]
    assert thoughts.simulations == sum(visits) == 200
    assert visits[0] == max(visits)
    assert all(0.0 <= each.value <= 1.0 for each in thoughts.moves if each.visits)
    assert thoughts.line[0] == move
    assert len(thoughts.line) > 1


def test_a_swap_is_worth_what_the_other_side_had():
    position = hex.position(4)
    position.play("c2")
    from ludograph.games.hex.strategies import HexMcts

    chooser = HexMcts(1, sims=200, openings="off")
    assert chooser.choose(position) == position.swap
    thoughts = validated(chooser.thoughts(), position)
    assert thoughts.line == ("swap",)
    assert thoughts.value > 0.5
    assert thoughts.value == pytest.approx(1 - thoughts.moves[1].value, abs=1e-5)


def test_the_currents_of_resistance_are_shares():
    position = hex.position(4)
    openings(position)
    _, thoughts = told(position, "resistance")
    assert {overlay.name for overlay in thoughts.overlays} == {
        "current of black",
        "current of white",
    }
    stones = position.stones
    for overlay in thoughts.overlays:
        assert all(0.0 < value <= 1.0 for value in overlay.values)
        assert all(stones[cell] < 0 for cell in overlay.cells)


UNSOUND = {
    "no mapping": (7, "Expected"),
    "a text for a number": ({"value": "good"}, "value"),
    "not finite": ({"value": math.inf}, "value is inf, which is not finite"),
    "nan": ({"overlays": [{"name": "x", "cells": [6], "values": [math.nan]}]}, "not finite"),
    "a huge count": ({"nodes": 10**30}, "nodes"),
    "a count below zero": ({"depth": -1}, "depth is -1"),
    "an unknown move": ({"moves": [{"move": "z9"}]}, "z9"),
    "a move off the board": ({"moves": [{"move": "c5"}]}, "c5"),
    "too many moves": ({"moves": [{"move": "a1"}] * (MOST_MOVES + 1)}, "entries"),
    "a line that cannot be": ({"line": ["a1", "a1"]}, "line: "),
    "no such vertex": ({"overlays": [{"name": "x", "cells": [10**9]}]}, "no vertex"),
    "a vertex twice": ({"overlays": [{"name": "x", "cells": [6, 6]}]}, "comes twice"),
    "a nameless overlay": ({"overlays": [{"name": " ", "cells": []}]}, "called ''"),
    "a name of ours": ({"overlays": [{"name": "line", "cells": []}]}, "called 'line'"),
    "too few numbers": ({"overlays": [{"name": "x", "cells": [6], "values": []}]}, "0 values for"),
    "too many cells": (
        {"overlays": [{"name": "x", "cells": list(range(MOST_CELLS + 1))}]},
        "more than",
    ),
    "typed wrongly": (AnalysisInfo(value="x"), "value"),
}


@pytest.mark.parametrize("case", UNSOUND)
def test_thoughts_that_cannot_be_are_refused_in_a_sentence(case):
    thoughts, why = UNSOUND[case]
    with pytest.raises(InvalidAnalysisInfo) as caught:
        validated(thoughts, START)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 400


def test_bots_may_tell_them_as_they_have_them():
    raw = {
        "value": np.float64(0.25),
        "moves": [{"move": START.parse("a1"), "value": 1}],
        "overlays": [{"name": "heat", "cells": np.array([6, 7]), "values": np.array([0.5, -1])}],
        "unknown": object,
    }
    raw.pop("unknown")
    thoughts = validated(to_data(raw), START)
    assert thoughts == AnalysisInfo(
        value=0.25,
        moves=(Considered("a1", 1.0),),
        overlays=(Overlay("heat", (6, 7), (0.5, -1.0)),),
    )
    assert validated({"note": "hm\x1b[31m\n", "more": 1}, START).note == "hm\\x1b[31m"


def test_moves_and_lines_are_overlays_where_moves_are_pointed_at():
    cells = {name: cell for cell, name in START.game.presentation.cell_names(START).items()}
    thoughts = validated(
        {
            "moves": [{"move": "a1", "visits": 3}, {"move": "b2", "visits": 5}],
            "line": ["b2", "a1", "c3"],
        },
        START,
    )
    found = overlays_of(thoughts, START)
    assert dict(zip(found[MOVES].cells, found[MOVES].values, strict=True)) == {
        cells["a1"]: 3.0,
        cells["b2"]: 5.0,
    }
    assert found[LINE].cells == (cells["b2"], cells["a1"], cells["c3"])
    assert found[LINE].texts == ("1", "2", "3")


def test_any_scene_can_be_drawn_with_overlays():
    import dataclasses
    from xml.etree import ElementTree

    for board in (boards.square(3), boards.hexagonal(2)):
        position = flood.position(board, colors=3, seed=1)
        plain = svg.render(position.scene())
        overlays = (
            Overlay("set", (0, 1)),
            Overlay("numbers", (0, 2, 3), (1.0, -0.5, 0.0)),
            Overlay("texts <&>", (1, 2), texts=("<1>", "2")),
        )
        drawn = svg.render(dataclasses.replace(position.scene(), overlays=overlays))
        ElementTree.fromstring(drawn)
        assert 'class="overlay"' not in plain
        assert drawn.count('<circle class="overlay"') == 2 + 2
        assert "&lt;1&gt;" in drawn
