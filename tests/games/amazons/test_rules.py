"""What is true of Amazons: the start, transpositions, the end, random moves, searches."""

import numpy as np
import pytest

from ludograph import amazons, boards, play_match, rules
from ludograph.errors import InvalidInput
from tests.games.amazons.boards import BOARDS, begin
from tests.perft import ByRules

WAY = ByRules()


def test_the_usual_start():
    position = amazons.position()
    text = position.text
    sources = {text(move).split("-")[0] for move in position.legal_moves()}
    assert sources == {"a4", "d1", "g1", "j4"}
    position.play("d1-d7/g7")
    sources = {text(move).split("-")[0] for move in position.legal_moves()}
    assert sources == {"a7", "d10", "g10", "j7"}


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("name", BOARDS)
def test_queens_start_on_tiles_of_their_own(name):
    starts = begin(name)[0].setup.starts.tolist()
    assert len(set(starts)) == len(starts)


def test_equal_positions_have_equal_keys_however_they_came_about():
    one, other = amazons.position(6), amazons.position(6)
    for move in ("b1-b2/b3", "b6-b5/b4", "e1-e2/e3"):
        one.play(move)
    for move in ("e1-e2/e3", "b6-b5/b4", "b1-b2/b3"):
        other.play(move)
    assert rules.key(one.setup, one.state) == rules.key(other.setup, other.state)
    before = rules.key(one.setup, one.state)
    one.play(one.legal_moves()[0])
    assert rules.key(one.setup, one.state) != before


def test_the_end_and_the_middle_of_a_game_have_unequal_keys():
    turns, level = {}, [begin("tangle 2")[0]]  # six tiles
    while level:
        for position in level:
            key = int(rules.key(position.setup, position.state))
            assert turns.setdefault(key, position.turn) == position.turn
        level = [WAY.after(position, move) for position in level for move in position.legal_moves()]
    assert len(set(turns.values())) == 3


def test_two_queens_of_a_seat_are_alike():
    one, other = amazons.position(6), amazons.position(6)
    for move in ("b1-b4/a4", "b6-b5/c5", "e1-e4/f4"):
        one.play(move)
    for move in ("b1-e4/f4", "b6-b5/c5", "e1-b4/a4"):
        other.play(move)
    assert str(one) == str(other)
    assert rules.key(one.setup, one.state) == rules.key(other.setup, other.state)


def test_who_cannot_move_has_lost():
    position = amazons.position(boards.square(2), queens=1)
    rng = rules.random_state(1)
    while not position.is_over:
        position.play_random(rng)
    assert position.outcome().winner == (position.ply + 1) % 2
    assert f"wins after {position.ply} moves" in position.game.presentation.result(
        position, position.outcome(), ["one", "two"]
    )


@pytest.mark.parametrize(
    ("board", "queens", "complaint"),
    [
        (boards.square(3), 5, "11 to 1290 tiles, 'square 3x3' has 9"),
        (boards.square(36), 4, "at most 1290 vertices, got <Board 'square 36x36': 1296 vertices"),
        (
            boards.from_edges(9, [(v, v + 1) for v in range(8)]),
            1,
            "no straight lines; sides='planar' derives them",
        ),
        (boards.square(3), 0, "queens must be"),
    ],
)
def test_what_is_no_game(board, queens, complaint):
    with pytest.raises(InvalidInput, match=complaint):
        amazons.position(board, queens=queens)


def test_the_setup_in_a_record_must_be_whole():
    with pytest.raises(InvalidInput, match="'queens'"):
        amazons.restore(boards.square(4), {})
    with pytest.raises(InvalidInput, match=r"\bqueens\b.*'4'"):
        amazons.restore(boards.square(4), {"queens": "4"})


def test_random_moves_are_equally_likely():
    position = amazons.position(boards.square(3), queens=1)
    moves = position.legal_moves()
    rng = rules.random_state(3)
    counts = dict.fromkeys(moves, 0)
    for _ in range(200 * len(moves)):
        counts[int(rules.sample_move(position.setup, position.state, rng))] += 1
    squares = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert squares < len(moves) + 5 * np.sqrt(2 * len(moves))


@pytest.mark.slow
@pytest.mark.parametrize("strong", ["mcts:sims=300", "minimax:depth=1"])
def test_territory_beats_chance(strong):
    for seed in range(3):
        for seat in range(2):
            players = [strong, "random"] if seat == 0 else ["random", strong]
            assert play_match(amazons.position(6), players, seed=seed).outcome.winner == seat
