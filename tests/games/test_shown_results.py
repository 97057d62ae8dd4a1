"""Results of searches, solutions and playouts show the names of moves."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from ludograph import amazons, flood, hex, penguins, playouts, search
from ludograph.search import alphabeta


def board_of(html):
    """Return the picture of a result, and the rest of its HTML."""
    picture, end, rest = html.partition("</svg>")
    return ET.fromstring(picture + end), rest


def test_a_tree_search_shows_its_moves_by_visits() -> None:
    position = hex.position(4, pie=False)
    result = search.MonteCarloSearch(position).search(position, sims=200)
    best = position.text(result.move)
    assert f"{best} (" in str(result)
    assert "200 simulations" in str(result)
    picture, table = board_of(result._repr_html_())
    discs = [each for each in picture.iter() if each.get("class") == "overlay"]
    assert len(discs) == int((result.visits > 0).sum())
    assert f">{best}</td><td>{int(result.visits.max())}</td>" in table


def test_a_result_is_of_the_position_that_was_searched() -> None:
    position = hex.position(4, pie=False)
    result = search.MonteCarloSearch(position).search(position, sims=50)
    text = str(result)
    position.play(result.move)
    assert str(result) == text


def test_an_alpha_beta_search_shows_its_line() -> None:
    position = flood.position("square:5", seed=3)
    result = search.AlphaBetaSearch(position).search(position, depth=3)
    assert f"line {' '.join(map(position.text, result.line))}; depth 3" in str(result)


def test_a_result_of_a_state_alone_has_codes() -> None:
    position = flood.position("square:5", seed=3)
    result = alphabeta.search(position.setup, position.state, depth=2)
    assert str(result) == repr(result)
    assert result._repr_html_() is None
    known = replace(result, position=position)
    assert known == result
    assert position.text(result.move) in str(known)


def test_a_proof_shows_its_line() -> None:
    position = hex.position(3, pie=False)
    position.play("a1")
    result = search.ProofSearch(position).search(position)
    names = " ".join(map(position.text, result.line))
    assert str(result).startswith(f"1 win, proven; line {names}; ")
    unknown = search.ProofSearch(position).search(position, nodes=1)
    assert "nothing is proven" in str(unknown)


@pytest.mark.parametrize(
    "position",
    [
        flood.position("square:4", seed=3),
        flood.position("square:4", seats=1),
        penguins.position("full-hexa:4", penguins=1),
        amazons.position("square:4", queens=1),
    ],
    ids=lambda position: f"{position.game.name} for {position.seats}",
)
def test_a_solution_shows_the_best_moves(position) -> None:
    solution = position.game.solving.solve(position, 60.0)
    names = " ".join(map(position.text, solution.line))
    assert str(solution) == f"{solution.text}\nBest play: {names}"
    assert names in board_of(solution._repr_html_())[1]


def test_a_map_of_openings_is_its_text() -> None:
    solution = hex.solving.solve(hex.position(3), 60.0)
    assert str(solution) == solution.text
    assert solution._repr_html_() == f"<pre>{solution.text}</pre>"


def test_a_search_of_many_games_has_a_line_for_each() -> None:
    position = hex.position(3, pie=False)
    over = position.copy()
    while not over.is_over:
        over.play(over.legal_moves()[0])

    def evaluate(seen):
        mask = seen["action_mask"]
        return np.eye(mask.shape[1])[[5] * len(mask)], np.full(len(mask), 0.25)

    found = search.BatchedSearch(evaluate, simulations=7).search([over, position])
    assert repr(found) == "<BatchedResult of 2 games>"
    visits = int(found.visits[1].max())
    name = position.text(int(found.moves[1]))
    assert str(found).splitlines() == [
        "game 0: over",
        f"game 1: {name} ({visits} of 7 simulations), value {found.values[1]:.3g}",
    ]


def test_playouts_are_a_table() -> None:
    found = playouts(hex.position(3), 100, seed=1)
    lines = str(found).splitlines()
    assert lines[1].split()[:3] == ["seat", "0", str(found.wins[0])]
    assert f"<td>{found.wins[1]}</td>" in found._repr_html_()


def test_a_game_says_what_it_is() -> None:
    assert repr(hex) == "<hex: join your two borders with a path of your stones>"
