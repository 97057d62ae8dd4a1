"""Puzzles are positions in which exactly one move wins: checked move by move with the solver."""

import json

import pytest

from ludograph import make, play_match, read_record
from ludograph.analysis.puzzles import FEWEST_MOVES, find_puzzles, make_puzzles
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
    objects = [json.loads(line) for line in succeed("puzzles", *paths, "--json").splitlines()]
    assert shown.count("Which one?") == len(objects)
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


def test_puzzles_are_made_of_random_games_each_with_exactly_one_winning_move() -> None:
    start = make("hex", size=3, pie=False)
    made = list(make_puzzles(start, 3, 60, seed=1))
    assert len(made) == 3
    assert len({each.position.state.tobytes() for each in made}) == 3
    for puzzle in made:
        assert winning(puzzle.position) == [puzzle.move]
        assert puzzle.line[0] == puzzle.position.text(puzzle.move)
    assert start.ply == 0
    again = [each.position.history for each in make_puzzles(start, 3, 60, seed=1)]
    assert again == [each.position.history for each in made]


def test_no_puzzles_are_made_where_nothing_can_be_solved_or_no_time_is_left() -> None:
    with pytest.raises(InvalidInput, match="games of two"):
        next(make_puzzles(make("carcassonne"), 1, 1))
    assert list(make_puzzles(make("hex", size=3, pie=False), 1, 0)) == []


def test_the_command_makes_puzzles_with_the_options_of_a_game() -> None:
    options = ("make", "hex", "--count", 2, "--size", 3, "--no-pie", "--seed", 1)
    (first, second) = (
        json.loads(line) for line in succeed("puzzles", *options, "--json").splitlines()
    )
    assert first["options"] == {"size": 3, "pie": False}
    board = make("hex", size=3, pie=False)
    for move in first["moves"]:
        board.play(move)
    assert [board.text(move) for move in winning(board)] == [first["move"]]
    shown = succeed("puzzles", *options)
    assert f"2. {' '.join(second['line'])}" in shown
    assert "random games" in succeed("puzzles", "make", "hex", "--help")


def test_wrong_options_are_refused_before_and_behind_the_game() -> None:
    for wrong, said in (
        (("--mak", 3, "x"), "--mak"),
        (("make", "hex", "--sizes", 3), "--sizes"),
        (("make", "carcassonne"), "choose amazons"),
    ):
        answer = invoke("puzzles", *wrong)
        assert answer.exit_code == 2
        assert said in answer.output
