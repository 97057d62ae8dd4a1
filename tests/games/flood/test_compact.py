"""Compact states play the same game, and what searches know of them is true."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from ludograph import boards, flood, rules
from ludograph.games.flood.compact import free_regions, make_compact, to_compact
from ludograph.games.flood.solving import ExactSolver
from ludograph.rules import OVER, TURN
from ludograph.search.alphabeta import LARGE
from ludograph.search.hints import proven_scores, score_bounds_at
from tests.amounts import few
from tests.search import brute_force

VERDICTS = {1: "win", 0: "draw", -1: "loss"}

BOARDS = {
    "two words": boards.square(6),
    "four words": boards.hexagonal(13, 12),
    "any graph": boards.from_networkx(nx.connected_watts_strogatz_graph(30, 4, 0.4, seed=1)),
}


def compact_setup(position):
    return make_compact(position.setup)


def moves_and_scores(setup, state):
    """Return what a position looks like from outside."""
    scores = np.zeros(2)
    rules.scores(setup, state, scores)
    return int(state[TURN]), brute_force.moves_of(setup, state), scores.tolist()


@pytest.mark.parametrize("name", BOARDS)
def test_compact_states_play_the_game(name) -> None:
    lots = random.Random(1)
    with rules.interpreted():
        for seed in range(few(3, 30)):
            options = {"colors": lots.randint(3, 6), "forbidden": lots.choice([0, 1])}
            position = flood.position(BOARDS[name], seed=seed, **options)
            setup = compact_setup(position)
            state = brute_force.fresh(setup)
            while True:
                assert state.tolist() == to_compact(setup, position.state).tolist()
                seen = moves_and_scores(position.setup, position.state)
                assert moves_and_scores(setup, state) == seen
                free = np.unique(position.setup.region_of[position.zones < 0]).size
                assert free_regions(setup, state) == free
                if position.is_over:
                    break
                move = lots.choice(position.legal_moves())
                position.play(move)
                rules.play(setup, state, move)


def test_equal_keys_are_equal_zones_colors_and_turns() -> None:
    seen: dict[int, bytes] = {}
    lots = random.Random(2)
    with rules.interpreted():
        position = flood.position(boards.square(4), colors=4, seed=1)
        setup = compact_setup(position)
        for _ in range(few(40, 400)):
            state = brute_force.fresh(setup)
            while state[TURN] != OVER:
                rules.play(setup, state, lots.choice(brute_force.moves_of(setup, state)))
                future = np.delete(state, rules.PLY).tobytes()
                assert seen.setdefault(int(rules.key(setup, state)), future) == future
    assert len(set(seen.values())) == len(seen)


def best_scores(setup):
    """Return a function that gives the margin of seat 0 with best play, by every line."""
    known: dict[bytes, float] = {}

    def look(state):
        key = np.delete(state, rules.PLY).tobytes()
        if key not in known:
            if state[TURN] == OVER:
                scores = np.zeros(2)
                rules.scores(setup, state, scores)
                known[key] = scores[0] - scores[1]
            else:
                values = [
                    look(brute_force.after(setup, state, move))
                    for move in brute_force.moves_of(setup, state)
                ]
                known[key] = max(values) if state[TURN] == 0 else min(values)
        return known[key]

    return look


SMALL = [
    (boards.square(4), {"colors": 4}),
    (boards.square(4), {"colors": 5, "forbidden": 1}),
    (boards.square(5, 3), {"colors": 3}),
    (boards.from_networkx(nx.connected_watts_strogatz_graph(16, 4, 0.5, seed=2)), {"colors": 4}),
]


@pytest.mark.parametrize("place", range(len(SMALL)))
def test_bounds_and_proven_scores_hold_with_best_play(place) -> None:
    board, options = SMALL[place]
    lots = random.Random(3)
    proven = 0
    with rules.interpreted():
        for seed in range(few(1, 12)):
            position = flood.position(board, seed=seed, **options)
            setup = compact_setup(position)
            best = best_scores(setup)
            low, high, out = np.zeros(2), np.zeros(2), np.zeros(2)
            for _ in range(few(12, 60)):
                state = brute_force.fresh(setup)
                while state[TURN] != OVER:
                    margin = best(state)
                    assert score_bounds_at(setup, state, low, high)
                    assert low[0] - high[1] <= margin <= high[0] - low[1]
                    if proven_scores(setup, state, out):
                        proven += 1
                        assert out[0] - out[1] == margin
                    rules.play(setup, state, lots.choice(brute_force.moves_of(setup, state)))
    assert proven > 0


def test_private_vertices_are_sure_but_for_those_behind_one_color() -> None:
    """The colors 0 to 3 on a path, where each seat has a side; the other may hold color 3."""
    coloring = [2, 3, 2, 0, 1, 0, 3, 0, 3]
    with rules.interpreted():
        position = flood.position(
            boards.from_networkx(nx.path_graph(9)),
            colors=4,
            coloring=coloring,
            starts=[3, 4],
            forbidden=[[], []],
        )
        setup = compact_setup(position)
        low, high = np.zeros(2), np.zeros(2)
        score_bounds_at(setup, to_compact(setup, position.state), low, high)
    assert high.tolist() == [4.0, 5.0]
    assert low.tolist() == [2.0, 1.0]


def test_the_solver_finds_the_margin_of_best_play() -> None:
    with rules.interpreted():
        for seed in range(few(3, 40)):
            position = flood.position(boards.square(3), colors=4, seed=seed)
            setup = compact_setup(position)
            solver = ExactSolver(setup, table_bits=8)
            solver.ask(to_compact(setup, position.state))
            scores, moves = np.zeros(2), np.zeros(5, np.int32)
            assert solver.answer(scores, moves) == (False, 0)
            assert solver.advance(1000)
            assert solver.answer(scores, moves) == (True, 1)
            value = brute_force.value(position.setup, position.state, 0)
            assert scores[0] - scores[1] == value - LARGE * np.sign(value)
            position.play(int(moves[0]))
            assert brute_force.value(position.setup, position.state, 0) == value


def test_the_solver_finds_the_winner_without_the_margin() -> None:
    seen = set()
    with rules.interpreted():
        for seed in range(few(12, 60)):
            position = flood.position(boards.square(3, 2), colors=4, seed=seed)
            solver = ExactSolver(compact_setup(position), table_bits=8)
            winner, _ = solver.winner(to_compact(solver.setup, position.state), None)
            value = brute_force.value(position.setup, position.state, 0)
            assert winner == {1: 0, 0: -1, -1: 1}[int(np.sign(value))]
            seen.add(winner)
    assert seen == {0, -1, 1}


def test_best_play_has_a_line_to_the_end_with_its_scores() -> None:
    with rules.interpreted():
        position = flood.position(boards.square(3), colors=4, seed=2)
        found = flood.solving.solve(position, 100.0)
        value = brute_force.value(position.setup, position.state)
        assert found.verdict == VERDICTS[np.sign(value)]
        for move in found.line:
            position.play(move)
        one, other = position.scores()
        assert position.is_over
        assert one - other == value - LARGE * np.sign(value)
        assert found.text.endswith(f", {one:g} to {other:g}.")


def test_one_solver_tells_who_wins_position_after_position() -> None:
    solve = flood.solving.solver()
    with rules.interpreted():
        for seed in range(few(2, 12)):
            position = flood.position(boards.square(3), colors=4, seed=seed)
            while not position.is_over:
                value = brute_force.value(position.setup, position.state)
                assert solve(position, 100.0).verdict == VERDICTS[np.sign(value)]
                position.play(position.legal_moves()[0])
