"""Very many games at once are the games that one would play one by one."""

import threading

import numpy as np
import pytest

import ludograph
from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.games.blocks import in_blocks
from ludograph.games.bulk import Playouts, RandomGames
from ludograph.rules import batch, random_state
from tests.amounts import slow_but
from tests.toys.dice import dice

pytestmark = pytest.mark.slow

STARTS = {
    "flood": {"board": "hatched:6", "colors": 4, "seed": 5},
    "flood for three": {"board": "hexagonal:6", "colors": 5, "seats": 3},
    "flood alone": {"board": "square:5", "seats": 1},
    "hex": {"board": "square:5"},
    "penguins for four": {"board": "full-hexa:6", "penguins": 1, "seats": 4},
    "amazons": {"board": "square:5", "queens": 1},
    "carcassonne": {"deck": "course:16", "seed": 3},
}


def make(name):
    return ludograph.make(name.split()[0], **STARTS[name])


def one_by_one(position, seed, game):
    """Return the moves and scores of a random game, played by its Position."""
    position, moves = position.copy(), []
    luck = random_state(seed, game)
    while not position.is_over:
        moves.append(position.play_random(luck))
    return moves, position.scores()


def test_results_are_shown_in_a_line():
    scores = np.array([[1.0, 0.0], [2.0, 3.0], [1.0, 1.0], [5.0, 0.0]])
    assert repr(Playouts(scores, 0.1, 1)) == "<Playouts of 4 games: wins 2, 1, draws 1>"
    few = np.zeros(4, np.int32)
    games = RandomGames(scores, 0.1, 1, few[:, None], few, few)
    assert repr(games) == "<RandomGames of 4 games: wins 2, 1, draws 1>"


@pytest.mark.parametrize("name", slow_but(["flood", "carcassonne"], STARTS))
def test_a_playout_of_a_position_is_one_of_many(name):
    position = make(name)
    before = position.copy()
    scores = [position.playout(random_state(9, game)) for game in range(20)]
    assert position == before
    assert scores == list(map(tuple, ludograph.playouts(position, 20, seed=9).scores.tolist()))
    luck = random_state(1)
    while not position.is_over:
        position.play_random(luck)
    assert position.playout(luck) == position.scores()


@pytest.mark.parametrize("name", slow_but(["flood", "carcassonne"], STARTS))
def test_random_games_are_those_played_one_by_one(name):
    position = make(name)
    before = position.copy()
    games = ludograph.random_games(position, 40, seed=9)
    assert position == before
    for game in range(40):
        moves, scores = one_by_one(position, 9, game)
        assert games.plies[game] == len(moves)
        assert games.moves[game, : len(moves)].tolist() == moves
        assert (games.moves[game, len(moves) :] == -1).all()
        assert tuple(games.scores[game]) == scores
    assert games.moves.shape[1] == games.plies.max()


@pytest.mark.parametrize("name", slow_but(["flood", "carcassonne"], STARTS))
def test_playouts_are_those_of_the_interpreted_rules(name):
    position = make(name)
    found = ludograph.playouts(position, 12, seed=4, threads=2)
    uniform = ludograph.playouts(position, 12, seed=4, threads=2, uniform=True)
    with rules.interpreted():
        slow = ludograph.playouts(position, 12, seed=4, threads=1)
        slow_uniform = ludograph.playouts(position, 12, seed=4, threads=1, uniform=True)
    assert np.array_equal(found.scores, slow.scores)
    assert np.array_equal(uniform.scores, slow_uniform.scores)


@pytest.mark.parametrize("name", slow_but(["flood", "carcassonne"], STARTS))
def test_the_seed_decides_and_the_threads_do_not(name):
    position = make(name)
    one = ludograph.playouts(position, 700, seed=1, threads=1)
    many = ludograph.playouts(position, 1000, seed=1, threads=7)
    other = ludograph.playouts(position, 700, seed=2)
    assert np.array_equal(one.scores, many.scores[:700])
    assert not np.array_equal(one.scores, other.scores)
    games = [ludograph.random_games(position, 500, seed=1, threads=count) for count in (1, 5)]
    assert np.array_equal(games[0].moves, games[1].moves)
    assert np.array_equal(games[0].scores, games[1].scores)


def test_the_numbers_are_those_of_the_outcomes():
    position = make("penguins for four")
    found = ludograph.playouts(position, 300, seed=3)
    outcomes = [ludograph.Outcome.from_scores(row) for row in found.scores.tolist()]
    for seat in range(4):
        assert found.wins[seat] == sum(each.winner == seat for each in outcomes)
        share = sum((seat in each.winners) / len(each.winners) for each in outcomes)
        assert found.shares[seat] == pytest.approx(share / 300)
        values, counts = found.distribution(seat)
        assert counts.sum() == 300
        assert found.mean[seat] == pytest.approx((values * counts).sum() / 300)
    assert found.draws == sum(each.winner is None for each in outcomes) > 0
    assert found.wins.sum() + found.draws == found.count == 300


def test_the_standard_error_is_that_of_the_mean():
    position = make("flood")
    found = ludograph.playouts(position, 40_000, seed=3)
    means = found.scores.reshape(200, 200, 2).mean(axis=1)
    assert means.std(axis=0) / np.sqrt(200) == pytest.approx(found.standard_error, rel=0.3)
    assert np.isnan(ludograph.playouts(position, 1).standard_error).all()


def test_chance_is_drawn_as_in_a_single_game():
    setup = dice()
    state = np.zeros(rules.info(setup).state_size, np.int32)
    rules.start(setup, state)
    count, word = 200, random_state(8)[0]
    seats, bound = rules.info(setup).seats, rules.info(setup).ply_bound
    moves, plies = np.empty((count, bound), np.int32), np.empty(count, np.int32)
    out = np.empty((count, seats))
    rng, room = np.zeros(1, np.uint64), np.empty_like(state)
    batch.random_game_all(setup, state, word, 0, rng, room, moves, plies, out)
    scores = np.empty(seats)
    for game in range(count):
        twin, luck = state.copy(), random_state(8, game)
        for ply in range(plies[game]):
            move = rules.sample_move(setup, twin, luck)
            assert move == moves[game, ply]
            rules.play(setup, twin, move)
        rules.scores(setup, twin, scores)
        assert twin[rules.TURN] == rules.OVER
        assert scores.tolist() == out[game].tolist()


def test_several_starts_share_the_games_in_their_order():
    starts = [ludograph.make("flood", board=size, seed=size) for size in (3, 4, 6)]
    games = ludograph.random_games(starts, 100, seed=2, threads=3)
    assert np.bincount(games.starts).tolist() == [34, 33, 33]
    assert (np.diff(games.starts) >= 0).all()
    for game in (0, 33, 34, 66, 67, 99):
        moves, scores = one_by_one(starts[games.starts[game]], 2, game)
        assert games.moves[game, : len(moves)].tolist() == moves
        assert tuple(games.scores[game]) == scores


def test_fewer_games_than_starts():
    starts = [ludograph.make("flood", board=4, seed=seed) for seed in range(7)]
    games = ludograph.random_games(starts, 3)
    assert sorted(set(games.starts.tolist())) == games.starts.tolist()
    assert len(games.scores) == 3


def test_a_game_that_is_over_stays_as_it_is():
    position = make("flood")
    luck = random_state(1)
    while not position.is_over:
        position.play_random(luck)
    found = ludograph.playouts(position, 5)
    assert (found.scores == position.scores()).all()
    games = ludograph.random_games(position, 5)
    assert games.moves.shape == (5, 0)
    assert (games.scores == position.scores()).all()


def test_progress_comes_to_the_end():
    told = []
    ludograph.playouts(make("flood"), 3000, threads=3, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 3000


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_blocks_make_up_the_whole(threads):
    done, lock = [], threading.Lock()

    def work(first, stop):
        with lock:
            done.extend(range(first, stop))

    in_blocks(1234, work, threads)
    assert sorted(done) == list(range(1234))


@pytest.mark.parametrize("threads", [1, 4])
def test_what_goes_wrong_in_a_thread_comes_out(threads):
    def work(first, stop):
        if stop > 50:
            raise KeyError(first)

    with pytest.raises(KeyError):
        in_blocks(1000, work, threads)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda p: ludograph.playouts(p, 0), r"^count .* 0$"),
        (lambda p: ludograph.playouts(p, 1.5), r"^count .* 1\.5$"),
        (lambda p: ludograph.playouts(p, 5, threads=0), r"^threads .* 0$"),
        (lambda p: ludograph.random_games([], 5), "start"),
        (lambda p: ludograph.random_games([p, 3], 5), r"\b3\b.*\bposition\b"),
        (lambda p: ludograph.random_games([p, make("hex")], 5), "one game"),
        (lambda p: ludograph.random_games([p, make("flood alone")], 5), "seats"),
    ],
)
def test_what_is_refused(call, reason):
    with pytest.raises(InvalidInput, match=reason):
        call(make("flood"))
