"""Games in lockstep are the games that are played one by one; what is wrong is refused."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ludograph import make, rl
from ludograph.errors import IllegalMove, InvalidInput
from ludograph.rl.vector_env import GameVectorEnv
from ludograph.rules import random_state
from tests.amounts import slow_but

GAMES = {
    "hex": {"board": 4},
    "flood": {"board": 5, "seats": 3, "starts": 2},
    "penguins": {"board": "full-tetra:5"},
    "amazons": {"board": 4, "queens": 2},
    "carcassonne": {},
}


@pytest.mark.slow
@pytest.mark.parametrize("game", slow_but(["hex"], GAMES))  # each compiles kernels of its own
def test_each_row_is_a_game_played_by_itself(game) -> None:
    env = rl.vector(game, 6, touches=True, autoreset_mode="SameStep", **GAMES[game])
    seen, infos = env.reset(seed=5)
    alone = [
        env.blocks[row // 3].start if env.blocks[1:] else env.blocks[0].start for row in range(6)
    ]
    positions = [start.copy() for start in alone]
    rngs = [random_state(5, row) for row in range(6)]
    ended = 0
    for _ in range(80):
        for row, position in enumerate(positions):
            while position.is_chance:
                position.play_random(rngs[row])
            moves = position.legal_moves()
            assert infos["turn"][row] == position.turn
            assert seen["moves"][row, : len(moves)].tolist() == moves
            assert (seen["moves"][row, len(moves) :] == -1).all()
            expected = moves if env.observer.by_code else range(len(moves))
            assert np.flatnonzero(seen["action_mask"][row]).tolist() == sorted(expected)
            assert np.array_equal(env.position(row).state, position.state)
        actions = env.sample()
        turns = infos["turn"].copy()
        for position, rng in zip(positions, rngs, strict=True):
            position.play_random(rng)
        seen, rewards, over, truncated, infos = env.step(actions)
        assert not truncated.any()
        for row, position in enumerate(positions):
            while position.is_chance:
                position.play_random(rngs[row])
            assert over[row] == position.is_over
            if not position.is_over:
                assert not infos["rewards"][row].any()
                continue
            ended += 1
            scores = position.scores()
            assert tuple(infos["scores"][row]) == scores
            assert infos["plies"][row] == position.ply
            assert infos["rewards"][row].sum() == pytest.approx(0, abs=1e-6)
            best = [score == max(scores) for score in scores]
            if sum(best) == 1:
                assert infos["rewards"][row][best] == 1
            assert rewards[row] == infos["rewards"][row][turns[row]]
            positions[row] = alone[row].copy()
    assert ended


def play(env, steps: int):
    seen, _ = env.reset(seed=3)
    found = []
    for _ in range(steps):
        seen, rewards, ended, _, infos = env.step(env.sample())
        found.append((seen["moves"].copy(), rewards, ended, infos["turn"].copy()))
    env.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("game", slow_but(["hex"], ["hex", "carcassonne"]))
def test_threads_change_nothing(game, opponent, mode) -> None:
    one, three = (
        play(rl.vector(game, 200, opponent=opponent, autoreset_mode=mode, threads=threads), 40)
        for threads in (1, 3)
    )
    for here, there in zip(one, three, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(here, there, strict=True))


def first_legal(seen):
    return seen["action_mask"].argmax(1)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["random", first_legal])
def test_with_an_opponent_only_the_learner_decides(opponent) -> None:
    env = rl.vector("hex", 50, board=3, opponent=opponent, autoreset_mode="SameStep")
    _, infos = env.reset(seed=1)
    learners = np.arange(50) % 2
    won = lost = 0
    for _ in range(30):
        assert np.array_equal(infos["turn"], learners)
        _, rewards, ended, _, infos = env.step(env.sample())
        assert (np.abs(rewards) == ended).all()  # Hex has no draw
        own = infos["rewards"][np.arange(50), learners]
        assert np.array_equal(own, rewards)
        won, lost = won + (rewards > 0).sum(), lost + (rewards < 0).sum()
        assert np.array_equal(
            infos["scores"][ended][np.arange(ended.sum()), learners[ended]] > 0.5,
            rewards[ended] > 0,
        )
        learners = np.where(ended, 1 - learners, learners)
    assert won
    assert lost


@pytest.mark.slow
def test_a_learner_may_keep_its_seat() -> None:
    env = rl.vector("penguins", 8, opponent="random", seat=1, seats=3)
    _, infos = env.reset(seed=1)
    ended = np.zeros(8, bool)
    for _ in range(60):
        assert (infos["turn"] == np.where(ended, -1, 1)).all()
        _, _, ended, _, infos = env.step(env.sample())


@pytest.mark.usefixtures("plain_in_make_test")
def test_a_lone_seat_is_rewarded_by_its_score() -> None:
    env = rl.vector("flood", 4, board=5, seats=1)
    env.reset(seed=1)
    ended = 0
    for _ in range(200):
        _, rewards, over, _, infos = env.step(env.sample())
        ended += over.sum()
        assert (rewards[over] == infos["scores"][over][:, 0]).all()
    assert ended


@pytest.mark.parametrize("game", slow_but(["hex"], GAMES))
def test_it_keeps_to_the_spaces_that_it_declares(game) -> None:
    env = rl.vector(game, 2, touches=True, **GAMES[game])
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, _ = env.reset(seed=2)
    for _ in range(5):
        assert env.observation_space.contains(seen)
        actions = env.sample()
        assert env.action_space.contains(actions)
        seen, *_ = env.step(actions)


@pytest.mark.slow
def test_a_reset_without_a_seed_goes_on_with_the_games_luck() -> None:
    env = rl.vector("carcassonne", 4)
    first = env.reset(seed=1)[0]["moves"].copy()
    second = env.reset()[0]["moves"].copy()
    assert not np.array_equal(first, second)
    assert np.array_equal(env.reset(seed=1)[0]["moves"], first)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"games": 0}, r"\bgames\b.*\b1 starts\b"),
        ({"games": 5, "starts": 2}, r"\bgames\b.*\b2 starts\b"),
        ({"games": True}, r"\bgames\b"),
        ({"games": 1 << 21}, r"\b1048576\b"),
        ({"games": 1 << 20, "board": 26}, r"\b1048576 games\b.* GiB"),
        ({"starts": 0}, r"\bstarts\b.* 0$"),
        ({"threads": 0}, r"\bthreads\b.* 0$"),
        ({"opponent": "greedy"}, r"\bopponent\b.*'random'.*'greedy'$"),
        ({"seat": 1}, r"\bopponent\b"),
        ({"seat": 2, "opponent": "random"}, r"\bseat\b.* 0 to 1\b.* 2$"),
        ({"autoreset_mode": "same"}, r"\bautoreset_mode\b.*\bSameStep\b.*'same'$"),
        ({"illegal": "ignore"}, r"\billegal\b.*'lose'.*'ignore'$"),
        ({"colors": 3}, r"^hex: .*'colors'"),
    ],
)
def test_what_cannot_be_made_is_refused(change, named) -> None:
    with pytest.raises(InvalidInput, match=named):
        rl.vector("hex", **{"games": 4, "board": 4, **change})


def test_a_start_with_moves_is_refused() -> None:
    start = make("hex", board=3)
    start.play("a1")
    with pytest.raises(InvalidInput, match="first move"):
        GameVectorEnv([start], 2)


@pytest.mark.parametrize(
    ("actions", "named"),
    [
        ([0, 99], r"\baction 99 of game 1 .*\baction_mask\b.*\b9\b"),
        ([-1, 0], r"\baction -1 of game 0 "),
        ([0.0, 1.0], r"\bactions\b.* float64 of shape"),
        ([0], r"of shape \(2,\), got int64 of shape \(1,\)"),
        (["a", "b"], r"\bactions\b.* <U1 of shape"),
    ],
)
def test_an_action_that_is_not_legal_changes_nothing(actions, named) -> None:
    env = rl.vector("hex", 2, board=3)
    legal = env.reset(seed=1)[0]["action_mask"].argmax(1)
    before = [env.position(row).state for row in range(2)]
    given = np.array(actions)
    if given.dtype == np.int64 and given.size == 2:
        given = np.where(given == 0, legal, given)
    with pytest.raises(IllegalMove, match=named):
        env.step(given)
    for row in range(2):
        assert np.array_equal(env.position(row).state, before[row])


def test_numbers_of_numpy_are_numbers() -> None:
    env = rl.vector(
        "hex", np.int64(4), board=3, starts=np.int32(2), opponent="random", seat=np.int64(1)
    )
    _, infos = env.reset(seed=np.int64(1))
    assert infos["turn"].tolist() == [1, 1, 1, 1]


def test_before_the_first_reset_games_are_at_their_start() -> None:
    env = rl.vector("flood", 4, board=4, starts=2)
    starts = [make("flood", board=4, seed=seed) for seed in range(2)]
    assert env.positions() == [starts[0], starts[0], starts[1], starts[1]]


@pytest.mark.parametrize("game", [-1, 4, True])
def test_a_game_that_is_not_there_has_no_position(game) -> None:
    with pytest.raises(InvalidInput, match=r"\bgame must be 0 to 3\b"):
        rl.vector("hex", 4, board=3).position(game)


def test_reset_comes_first() -> None:
    with pytest.raises(InvalidInput, match=r"\breset\b.*\bstep\b"):
        rl.vector("hex", 2, board=3).step(np.zeros(2, int))


def test_an_opponent_that_answers_nonsense_is_named() -> None:
    env = rl.vector("hex", 4, board=3, opponent=lambda seen: [1, 2])
    with pytest.raises(IllegalMove, match=r"\bopponent\b.*\(4,\), got .*\(2,\)"):
        env.reset(seed=1)


def test_positions_are_those_of_the_games_and_the_caller_s_own() -> None:
    env = rl.vector("hex", 4, board=4, starts=2)
    env.reset(seed=3)
    for _ in range(3):
        env.step(env.sample())
    positions = env.positions()
    assert positions == [env.position(game) for game in range(4)]
    positions[0].play(positions[0].legal_moves()[0])
    assert positions[0] != env.position(0)
