"""A game ends with its last position, and begins again when Gymnasium says so."""

from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

from ludograph import make, rl, rules
from ludograph.errors import IllegalMove, InvalidInput
from tests.amounts import slow_but

GAMES = {
    "hex": {"board": 3},
    "flood": {"board": 4},
    "penguins": {"board": "full-tetra:5", "seats": 3},
    "amazons": {"board": 4, "queens": 2},
    "carcassonne": {"mode": "NO_MEEPLE"},
}

MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def first_legal(seen):
    return seen["action_mask"].argmax(1)


def sampled(env, seen):
    """Return legal actions as Gymnasium samples them."""
    return env.action_space.sample(mask=tuple(seen["action_mask"]))


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("opponent", ["random", first_legal])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", slow_but(["hex"], GAMES))
def test_it_does_what_gymnasium_does_with_single_games(game, mode, opponent) -> None:
    options = {"opponent": opponent, "seat": 1, **GAMES[game]}
    theirs = SyncVectorEnv([partial(rl.env, game, **options)] * 3, autoreset_mode=mode)
    ours = rl.vector(game, 3, autoreset_mode=mode, **options)
    assert ours.metadata["autoreset_mode"] is mode
    seen, infos = ours.reset(seed=[5, 6, 7])
    expected, their_infos = theirs.reset(seed=[5, 6, 7])
    ours.action_space.seed(1)
    ended = 0
    for _ in range(80):
        assert data_equivalence(dict(expected), seen, exact=True)
        assert (infos["turn"] == their_infos["turn"]).all()
        actions = sampled(ours, seen)
        seen, *results, infos = ours.step(actions)
        expected, *their_results, their_infos = theirs.step(actions)
        assert all(map(np.array_equal, results, their_results))
        ended += results[1].sum()
        assert ("final_obs" in infos) == ("final_obs" in their_infos)
        if "final_obs" in infos:
            assert (infos["_final_obs"] == their_infos["_final_obs"]).all()
            for game_seen, their_seen in zip(
                infos["final_obs"], their_infos["final_obs"], strict=True
            ):
                assert data_equivalence(game_seen, their_seen, exact=True)
            for name in ("scores", "plies", "turn"):
                theirs_at_end = their_infos["final_info"][name]
                assert np.array_equal(
                    infos["final_info"][name][infos["_final_info"]],
                    theirs_at_end[their_infos["_final_info"]],
                )
    assert ended


@pytest.mark.parametrize("game", slow_but(["hex"], ["hex", "flood", "carcassonne"]))
def test_the_last_observation_is_the_last_position(game) -> None:
    env = rl.vector(game, 4, **GAMES[game])
    seen, infos = env.reset(seed=1)
    ended, moved, checked = np.zeros(4, bool), infos["turn"], 0
    for _ in range(100):
        for row in np.flatnonzero(ended):
            last = env.position(row)
            assert last.is_over
            assert infos["turn"][row] == -1
            expected = last.observe(int(moved[row]))
            assert (seen["vertices"][row] == expected["vertices"]).all()
            assert (seen["game"][row] == expected["game"]).all()
            assert (seen["moves"][row] == -1).all()
            assert np.flatnonzero(seen["action_mask"][row]).tolist() == [0]
            checked += 1
        moved, before = infos["turn"], ended
        actions = np.where(ended, 10**9, sampled(env, seen))  # which nobody checks
        seen, rewards, ended, _, infos = env.step(actions)
        assert not ended[before].any()
        assert not rewards[before].any()
        assert not infos["rewards"][before].any()
        assert all(env.position(row).ply <= 1 for row in np.flatnonzero(before))
    assert checked


def test_later_steps_leave_last_observations_and_results_as_they_are() -> None:
    env = rl.vector("hex", 8, board=3, autoreset_mode="SameStep")
    env.reset(seed=1)
    kept = []
    for _ in range(30):
        *_, infos = env.step(env.sample())
        for row in np.flatnonzero(infos.get("_final_obs", [])):
            final = infos["final_obs"][row]
            kept.append((final, {name: array.copy() for name, array in final.items()}))
            kept.append((infos["turn"], infos["turn"].copy()))
            kept.append((infos["scores"], infos["scores"].copy()))
    assert kept
    assert all(data_equivalence(now, then, exact=True) for now, then in kept)


def test_without_autoreset_a_game_that_has_ended_waits_for_its_reset() -> None:
    env = rl.vector("hex", 4, board=3, opponent="random", autoreset_mode=AutoresetMode.DISABLED)
    seen, infos = env.reset(seed=1)
    ended = np.zeros(4, bool)
    while not ended.any():
        assert (infos["turn"] == [0, 1, 0, 1]).all()
        seen, _, ended, _, infos = env.step(sampled(env, seen))
    before = env.positions()
    with pytest.raises(InvalidInput, match=rf"game {ended.argmax()} has ended.*reset_mask"):
        env.step(sampled(env, seen))
    assert env.positions() == before
    options = {"reset_mask": ended}
    with pytest.raises(InvalidInput, match=r"\bseed\b"):
        env.reset(seed=-1, options=options)  # changes nothing
    seen, infos = env.reset(options=options)
    assert options["reset_mask"] is ended  # wrappers read it, too
    for row, position in enumerate(before):
        assert (env.position(row) == position) == (not ended[row])
    assert (infos["turn"] >= 0).all()
    learners = np.where(ended, [1, 0, 1, 0], [0, 1, 0, 1])  # the next seat after the end alone
    assert (infos["turn"] == learners).all()
    env.step(sampled(env, seen))


def test_a_reset_of_other_games_leaves_a_last_observation_as_it_is() -> None:
    env = rl.vector("hex", 2, board=3, illegal="lose", autoreset_mode="Disabled")
    seen, _ = env.reset(seed=1)
    env.step(first_legal(seen))
    seen, _, ended, _, _ = env.step([99, 99])  # of seat 1
    assert ended.all()
    before = {name: array[1].copy() for name, array in seen.items()}
    seen, _ = env.reset(options={"reset_mask": np.array([True, False])})
    assert data_equivalence({name: array[1] for name, array in seen.items()}, before, exact=True)


def test_after_an_interrupted_move_of_an_opponent_comes_a_reset() -> None:
    def opponent(seen):
        if interrupted:
            raise KeyboardInterrupt
        return first_legal(seen)

    interrupted = False
    env = rl.vector("hex", 2, board=3, opponent=opponent, seat=0)
    seen, _ = env.reset(seed=1)
    interrupted = True
    with pytest.raises(KeyboardInterrupt):
        env.step(first_legal(seen))
    interrupted = False
    with pytest.raises(InvalidInput, match=r"\breset before step\b"):
        env.step(first_legal(seen))
    seen, infos = env.reset()
    assert not infos["turn"].any()
    env.step(first_legal(seen))


@pytest.mark.parametrize(
    ("mask", "named"),
    [
        ([True, False], r"\breset_mask\b.*\bbool\[2\]"),
        (np.array([1, 0]), r"\breset_mask\b.*\bbool\[2\]"),
        (np.array([True]), r"\breset_mask\b.*\bbool\[2\]"),
        (np.array([False, False]), r"\breset_mask\b.*\bno game\b"),
    ],
)
def test_a_wrong_mask_is_refused(mask, named) -> None:
    env = rl.vector("hex", 2, board=3)
    with pytest.raises(InvalidInput, match=r"\bfirst reset\b"):
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=1)
    with pytest.raises(InvalidInput, match=named):
        env.reset(options={"reset_mask": mask})


def test_a_single_game_shows_its_end_and_is_not_continued() -> None:
    env = rl.env("hex", board=3, render_mode="ansi")
    seen, _ = env.reset(seed=1)
    ended = False
    while not ended:
        seen, _, ended, _, infos = env.step(env.action_space.sample(mask=seen["action_mask"]))
    last = env.games.position(0)
    assert last.is_over
    assert env.render() == str(last)
    assert (seen["vertices"] == last.observe(0)["vertices"]).all()
    assert infos["turn"] == -1
    with pytest.raises(InvalidInput, match=r"\bhas ended\b.*\breset\b"):
        env.step(0)
    env.reset()
    assert env.games.position(0).ply <= 1


@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_a_game_that_ends_before_the_first_decision_ends_by_the_first_step(illegal) -> None:
    options = {"board": "hexagonal:1", "pie": False, "opponent": "random", "seat": 1}
    env = rl.vector("hex", 2, illegal=illegal, **options)
    for _ in range(2):
        seen, infos = env.reset(seed=1)
        assert (infos["turn"] == -1).all()
        actions = sampled(env, seen) if illegal == "raise" else [5, -1]
        _, rewards, ended, _, infos = env.step(actions)
        assert ended.all()
        assert (rewards == -1).all()
        _, rewards, ended, _, _ = env.step(sampled(env, seen))
        assert not ended.any()
        assert not rewards.any()


@pytest.mark.parametrize(
    ("game", "seats", "rewards"),
    [("hex", 2, [-1, 1]), ("flood", 3, [-1, 0.5, 0.5])],
)
def test_an_illegal_action_loses_where_it_may(game, seats, rewards) -> None:
    options = {"board": 4, "seats": seats, "illegal": "lose"}
    env = rl.vector(game, 2, **options)
    seen, _ = env.reset(seed=1)
    actions = sampled(env, seen)
    actions[1] = -7
    seen, own, ended, _, infos = env.step(actions)
    assert ended.tolist() == [False, True]
    assert own.tolist() == [0, -1]
    assert infos["rewards"].tolist() == [[0] * seats, rewards]
    assert env.position(1).is_over
    assert env.position(1).ply == 0  # no move was played
    assert infos["turn"][1] == -1
    single = rl.env(game, opponent="random", **options)
    single.reset(seed=1)
    assert single.step(10**9)[1:3] == (-1.0, True)


def test_an_illegal_action_of_a_lone_seat_gets_the_lowest_score() -> None:
    env = rl.vector("flood", 1, board=4, seats=1, illegal="lose")
    env.reset(seed=1)
    _, own, ended, _, _ = env.step([99])
    assert ended.all()
    assert own.tolist() == [rules.info(env.position(0).setup).lowest_score]


def test_every_environment_refuses_an_illegal_action_with_one_class() -> None:
    vector, single, agents = (
        rl.vector("hex", 1, board=3), rl.env("hex", board=3), rl.aec("hex", board=3)
    )  # fmt: skip
    for env, action in ((vector, [99]), (single, 99), (agents, 99)):
        env.reset(seed=1)
        with pytest.raises(IllegalMove, match=r"^rl: action 99 .*\baction_mask\b"):
            env.step(action)


@pytest.mark.parametrize("seed", [-1, True, 1.5, "1"])
def test_every_environment_refuses_a_wrong_seed(seed) -> None:
    vector, single, agents = (
        rl.vector("hex", 2, board=3), rl.env("hex", board=3), rl.aec("hex", board=3)
    )  # fmt: skip
    for env, given in ((vector, seed), (vector, [1, seed]), (single, seed), (agents, seed)):
        with pytest.raises(InvalidInput, match=r"\bseed\b.*\bfrom 0 on\b"):
            env.reset(seed=given)
    with pytest.raises(InvalidInput, match=r"\b2 games\b.* 3$"):
        vector.reset(seed=[1, 2, 3])


def test_a_game_without_a_seed_of_its_own_goes_on_with_its_random_numbers() -> None:
    env = rl.vector("carcassonne", 2, mode="NO_MEEPLE")
    first = env.reset(seed=[4, 5])[0]["game"].copy()
    again = env.reset(seed=[4, None])[0]["game"].copy()
    assert (again[0] == first[0]).all()
    assert (again[1] != first[1]).any()


def test_masks_as_sb3_contrib_asks_for_them() -> None:
    vector, single = rl.vector("hex", 2, board=3), rl.env("hex", board=3)
    for env in (vector, single):
        seen, _ = env.reset(seed=1)
        masks = env.action_masks()
        assert masks.dtype == bool
        assert (masks == seen["action_mask"]).all()


@pytest.mark.parametrize("game", slow_but(["hex"], GAMES))
def test_spaces_are_bounded_and_hold_whole_games(game) -> None:
    env = rl.vector(game, 2, touches=True, **GAMES[game])
    for space in env.single_observation_space.spaces.values():
        assert space.is_bounded()
        assert (space.high > space.low).all()
    seen, _ = env.reset(seed=1)
    for _ in range(60):
        seen, *_ = env.step(sampled(env, seen))
        assert env.observation_space.contains(seen)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_vector_wrappers_of_gymnasium(mode) -> None:
    env = wrappers.RecordEpisodeStatistics(
        rl.vector("hex", 4, board=3, opponent="random", autoreset_mode=mode)
    )
    if mode is not AutoresetMode.SAME_STEP:  # which these wrappers refuse
        env = wrappers.FlattenObservation(env)
        env = wrappers.TransformObservation(env, np.copy)
        size = gymnasium.spaces.flatdim(rl.vector("hex", 1, board=3).single_observation_space)
        assert env.observation_space.shape == (4, size)
    seen, _ = env.reset(seed=1)
    count = 0
    for _ in range(40):
        masks = env.unwrapped.action_masks()
        seen, _, ended, _, infos = env.step(masks.argmax(axis=1))
        assert seen in env.observation_space
        if ended.any():
            assert (np.abs(infos["episode"]["r"][ended]) == 1).all()
            assert (infos["episode"]["l"][ended] <= 5).all()  # of nine cells
            count += ended.sum()
            if mode is AutoresetMode.DISABLED:
                seen, _ = env.reset(options={"reset_mask": ended})
    assert count


def test_a_start_is_the_game_that_was_made() -> None:
    env = rl.vector("flood", 1, board=4, seed=3)
    env.reset(seed=1)
    assert env.position(0) == make("flood", board=4, seed=3)
