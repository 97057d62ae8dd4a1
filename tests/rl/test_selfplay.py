"""The rows of a finished game are what an environment shows of the same game."""

import errno
import math
import warnings

import numpy as np
import pytest

from ludograph import make, play_match, rules
from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.rl.aec_env import GameAEC
from ludograph.rl.selfplay import (
    SelfplayFolder,
    decision_rows,
    finished_rows,
    read_selfplay,
    thought_rows,
)
from ludograph.rules.observer import Observer
from tests.amounts import slow_but

GAMES = {
    "hex": {"board": 4},
    "flood": {"board": 5, "seats": 3},
    "penguins": {"board": "full-tetra:5"},
    "amazons": {"board": 4, "queens": 2},
    "carcassonne": {},
}


@pytest.mark.parametrize("game", slow_but(["hex"], GAMES))  # each compiles kernels of its own
def test_each_row_is_what_the_seat_to_move_sees(game):
    start = make(game, seed=3, **GAMES[game])
    moves = play_match(start, ["random"] * start.seats, seed=2).moves
    arrays = decision_rows(start, moves, touches=True)
    observer, position, row = Observer(start.setup, 1, touches=True), start.copy(), 0
    for played in moves:
        if played.seat is not None:
            observer.observe(start.setup, position.state[None], 0)
            count = len(position.legal_moves())
            used = dict.fromkeys(observer.arrays) | {"kinds": count, "ends": count}
            used["touched"] = observer.arrays["ends"][0, count - 1]
            for name, size in used.items():
                seen, expected = arrays[name][row][:size], observer.arrays[name][0][:size]
                np.testing.assert_array_equal(seen, expected, err_msg=name)
            assert (arrays["seat"][row], arrays["ply"][row]) == (position.turn, position.ply)
            assert arrays["move"][row] == played.move
            assert position.legal_moves()[arrays["place"][row]] == played.move
            assert arrays["action_mask"][row, arrays["action"][row]] == 1
            row += 1
        position.play(played.move)
    assert row == len(arrays["seat"]) > 0


@pytest.mark.slow
def test_the_actions_play_the_same_game_in_an_environment():
    start = make("hex", board=3)
    result = play_match(start, ["random", "random"], seed=4)
    arrays = decision_rows(start, result.moves)
    env = GameAEC(start)
    env.reset(seed=0)
    for row, action in enumerate(arrays["action"]):
        seen = env.observe(env.agent_selection)
        for name in ("vertices", "game", "moves", "action_mask"):
            np.testing.assert_array_equal(arrays[name][row], seen[name], err_msg=name)
        env.step(int(action))
    assert all(env.terminations.values())


@pytest.mark.slow
def test_each_row_has_the_end_of_the_game_for_its_seat():
    start = make("flood", board=5, seats=3)
    result = play_match(start, ["random"] * 3, seed=1)
    arrays = finished_rows(
        start,
        result.moves,
        number=8,
        seating=[2, 0, 1],
        results=[0.5, 0.0, 1.0],
        scores=result.outcome.scores,
    )
    for row, seat in enumerate(arrays["seat"]):
        assert arrays["game_number"][row] == 8
        assert arrays["player"][row] == (2, 0, 1)[seat]
        assert arrays["result"][row] == (0.5, 0.0, 1.0)[seat]
        assert arrays["score"][row] == result.outcome.scores[seat]


@pytest.mark.slow
def test_visits_and_values_are_those_that_the_player_tells():
    start = make("hex", board=5)
    players = ["mcts:sims=60,solver=off,openings=off,connections=off", "random"]
    moves = play_match(start, players, seed=1, thoughts=True).moves
    arrays = decision_rows(start, moves, thoughts=True)
    assert any(played.thoughts for played in moves)
    for row, played in enumerate(moves):
        told = played.thoughts
        visits = {} if told is None else {each.move: each.visits for each in told.moves}
        codes = arrays["moves"][row]
        names = [start.text(int(code)) if code >= 0 else "" for code in codes]
        expected = [visits.get(name) or 0 for name in names]
        assert arrays["visits"][row].tolist() == expected
        if told is None or told.value is None:
            assert math.isnan(arrays["value"][row])
            assert arrays["measure"][row] == 0
            assert arrays["proven"][row] == 0
        else:
            assert arrays["value"][row] == np.float32(told.value)
            assert arrays["measure"][row] == 1
            assert arrays["proven"][row] == told.proven
    assert arrays["visits"].sum() > 60
    assert (arrays["measure"] == 0).any()


def test_numbers_of_players_may_be_larger_than_those_of_arrays():
    told = [AnalysisInfo(1.7e308, "points"), AnalysisInfo(-1.7e308, "points")]
    with warnings.catch_warnings(action="error"):
        arrays = thought_rows(np.zeros((2, 1), np.int32), told, [{0: 2**63 - 1}, {0: 1 << 31}])
    assert arrays["visits"].tolist() == [[2**31 - 1], [2**31 - 1]]
    assert np.isfinite(arrays["value"]).all()


def test_values_have_a_measure_and_may_be_proven():
    told = [
        AnalysisInfo(1.0, "win", proven=True),
        AnalysisInfo(3.5, "points"),
        AnalysisInfo(7.0, "cells gained"),
        None,
    ]
    arrays = thought_rows(np.zeros((4, 1), np.int32), told, [{}, {}, {}, {}])
    assert arrays["value"][:3].tolist() == [1.0, 3.5, 7.0]
    assert arrays["measure"].tolist() == [1, 2, 3, 0]
    assert arrays["proven"].tolist() == [1, 0, 0, 0]


def test_a_game_without_decisions_has_arrays_of_the_same_shapes():
    start = make("hex", board=3)
    one = decision_rows(start, play_match(start, ["random"] * 2, seed=1).moves, thoughts=True)
    none = decision_rows(start, [], thoughts=True)
    assert {name: array.shape[1:] for name, array in none.items()} == {
        name: array.shape[1:] for name, array in one.items()
    }
    assert rules.info(start.setup).move_capacity == none["visits"].shape[1]
    assert len(none["seat"]) == 0


def test_a_folder_of_games_is_read_in_order_and_its_damages_are_one_sentence(tmp_path, monkeypatch):
    start = make("hex", board=3)
    empty = decision_rows(start, [])
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / ".selfplay.json.part").write_bytes(b"")  # of a command that was killed
    folder = SelfplayFolder(tmp_path / "data", {"game": "hex"}, empty, start.board)
    for number, seed in ((100_000, 2), (99_999, 1)):
        moves = play_match(start, ["random"] * 2, seed=seed).moves
        folder.write(number, [decision_rows(start, moves[: seed + 1])])
    assert [chunk["seat"].size for chunk in read_selfplay(folder.path)] == [2, 3]
    for content in (b"", folder.chunk(99_999).read_bytes()[:700] + bytes(2_000)):
        folder.chunk(99_999).write_bytes(content)
        with pytest.raises(InvalidInput, match=r"chunk-99999\.npz: "):
            folder.decisions(99_999)
    monkeypatch.setattr("os.replace", fail_without_space)
    with pytest.raises(InvalidInput, match=r"chunk-00001\.npz: No space"):
        folder.write(1, [])
    assert not list(folder.path.glob(".chunk*"))


def fail_without_space(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
