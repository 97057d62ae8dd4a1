"""Games proven ply by ply: what is told agrees with a search through all that can follow."""

import functools
import json

import pytest

from ludograph import (
    InvalidInput,
    boards,
    carcassonne,
    flood,
    hex,
    play_match,
    read_record,
    rules,
)
from ludograph.analysis.proofs import Value, prove
from ludograph.games.carcassonne import course
from tests.cli.run import refuse, succeed


def recorded(path, start, seed, players=("random", "random")):
    play_match(start, list(players), seed=seed, record=path)
    return read_record(path)


def slow_value():
    """What a position is worth to the seat to move, by looking at everything."""

    @functools.cache
    def value(key):
        position = known[key]
        best = -1
        for move in position.legal_moves():
            after = position.copy()
            after.play(move)
            if after.is_over:
                winner = after.outcome().winner
                worth = 0 if winner is None else 1 if winner == position.turn else -1
            else:
                worth = value(kept(after)) * (1 if after.turn == position.turn else -1)
            best = max(best, worth)
        return best

    known = {}

    def kept(position):
        key = int(rules.key(position.setup, position.state))
        known.setdefault(key, position.copy())
        return key

    return lambda position: value(kept(position))


GAMES = {
    "hex without a pie": lambda: hex.position(3, pie=False),
    "hex": lambda: hex.position(3),
    "flood": lambda: flood.position(boards.square(3), colors=3, seed=3),
}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hex without a pie", "hex", "flood"])
def test_values_are_those_of_all_that_can_follow(game, tmp_path):
    of = slow_value()
    for seed in range(3):
        record = recorded(tmp_path / "game.jsonl", GAMES[game](), seed)
        proof = prove(record, 60.0)
        assert [move.text for move in proof.moves] == [
            record.position_at(ply).text(event.move) for ply, event in enumerate(record.events)
        ]
        for move in proof.moves:
            before = record.position_at(move.ply - 1)
            assert move.before == of(before)
            assert move.is_losing == (move.after < move.before)
        losing = [move.ply for move in proof.moves if move.is_losing]
        assert (proof.first_losing.ply if proof.first_losing else None) == min(losing, default=None)
        assert proof.known_from == 1


def test_a_move_that_may_be_exchanged_is_no_mistake(tmp_path):
    path = tmp_path / "game.jsonl"
    start = hex.position(3)
    opening = [start.parse("b2")]
    play_match(start, ["random", "random"], opening=opening, record=path)
    first = prove(read_record(path), 60.0).moves[0]
    assert first.fair
    assert first.after is Value.LOSS
    assert not first.is_losing


def test_without_time_nothing_is_proven_but_what_the_end_tells(tmp_path):
    record = recorded(tmp_path / "game.jsonl", hex.position(6), 1)
    proof = prove(record, 0.0)
    assert proof.moves[-1].before is Value.WIN
    assert proof.known_from is not None


def test_what_cannot_be_proven(tmp_path):
    three = recorded(tmp_path / "a.jsonl", flood.position(4, seats=3, colors=3), 1, ("random",) * 3)
    with pytest.raises(InvalidInput, match=r"\btwo\b"):
        prove(three, 1.0)
    chance = recorded(tmp_path / "b.jsonl", carcassonne.position(deck=course(4)), 1)
    with pytest.raises(InvalidInput, match="chance"):
        prove(chance, 1.0)


def test_the_command_line_names_it(tmp_path):
    path = tmp_path / "game.jsonl"
    options = ("--size", 3, "--seed", 1, "--no-pie", "--record", path, "-q")
    succeed("hex", *options, "random", "connex")
    data = json.loads(succeed("solve", "hex", "--record", path, "--json"))
    told = succeed("solve", "hex", "--record", path)
    losing = [move for move in data["moves"] if move["losing"]]
    assert data["known_from"] == 1
    assert told.count("a losing move") == len(losing)
    assert told.count("proven: ") == len(data["moves"]) - len(losing)
    if losing:
        assert data["first_losing"] == losing[0]["ply"]
        assert f"losing move: {losing[0]['move']}, " in told
    else:
        assert "No losing move." in told
    assert str(path) in refuse("solve", "flood", "--record", path)
