"""Puzzles are positions in which exactly one move wins: checked move by move with the solver."""

import json

import pytest

from ludograph import make, play_match, read_record
from ludograph.analysis.puzzles import FEWEST_MOVES, find_puzzles
from ludograph.errors import InvalidInput
from tests.cli.run import invoke, succeed


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """Games of random moves, in which much is missed."""
    folder = tmp_path_factory.mktemp("puzzles")
    start = make("hex", size=3, pie=False)
    made = [folder / f"{seed}.jsonl" for seed in (2, 5, 9)]
    for seed, path in enumerate(made):
        play_match(start, ["random", "random"], seed=seed, record=path)
    return made


def winning(position):
    """Return the moves behind which the other is lost, each proven by itself."""
    found = []
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        outcome = after.outcome()
        if outcome is not None:
            wins = outcome.winner == position.turn
        else:
            wins = after.game.solving.solve(after, 20).verdict == "loss"
        found += [move] if wins else []
    return found


def test_exactly_the_positions_with_one_winning_move_are_puzzles(paths) -> None:
    puzzles = 0
    for path in paths:
        record = read_record(path)
        found = {each.ply: each.move for each in find_puzzles(record, 60)}
        puzzles += len(found)
        for position, _ in record.positions():
            some = not position.is_over and len(position.legal_moves()) >= FEWEST_MOVES
            wins = winning(position) if some else []
            assert found.get(position.ply) == (wins[0] if len(wins) == 1 else None)
    assert puzzles > 2


def test_the_command_shows_puzzles_and_their_answers(paths) -> None:
    shown = succeed("puzzles", *paths)
    assert "wins by one move only. Which one?" in shown
    objects = [json.loads(line) for line in succeed("puzzles", *paths, "--json").splitlines()]
    puzzles = [each for path in paths for each in find_puzzles(read_record(path), 60)]
    assert [(each["ply"], each["move"]) for each in objects] == [
        (each.ply, each.position.text(each.move)) for each in puzzles
    ]
    answers = shown.partition("Answers\n")[2].splitlines()
    assert answers == [
        f"{number}. {' '.join(each['line'])}" for number, each in enumerate(objects, 1)
    ]


def test_games_of_chance_and_of_one_have_no_puzzles(tmp_path) -> None:
    alone = tmp_path / "alone.jsonl"
    play_match(make("flood", width=3, seats=1), ["greedy"], record=alone)
    with pytest.raises(InvalidInput, match="games of two"):
        find_puzzles(read_record(alone), 1)
    assert invoke("puzzles", alone).exit_code == 2
