"""PettingZoo's own tests pass, and what is wrong is refused in a sentence."""

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from ludograph import rl
from ludograph.errors import IllegalMove, InvalidInput
from tests.amounts import slow_but

GAMES = {
    "hex": {"board": 4},
    "flood": {"board": 5, "seats": 3},
    "penguins": {"board": "full-tetra:5", "seats": 3},
    "amazons": {"board": 4, "queens": 2},
    "carcassonne": {},
}


@pytest.mark.parametrize("game", slow_but(["hex", "carcassonne"], GAMES))
def test_pettingzoo_has_nothing_to_say(game, capsys) -> None:
    options = GAMES[game]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It warns of whatever is not a picture: observations are dictionaries of arrays.
        warnings.filterwarnings("ignore", message=".*(NumPy array|Observation space)")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(rl.aec(game, **options), num_cycles=100)
        seed_test(lambda: rl.aec(game, **options), num_cycles=20)
        render_test(lambda render_mode=None: rl.aec(game, render_mode=render_mode, **options))
    assert "Passed" in capsys.readouterr().out


def test_an_environment_says_what_it_plays() -> None:
    env = rl.aec("hex", board=4)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert repr(env) == "<GameAEC: <hex on hexagonal:4, ply 1, seat 1>>"


def test_before_the_first_reset_each_call_asks_for_it() -> None:
    env = rl.aec("hex", board=3)
    for call in (env.last, lambda: env.step(0), lambda: next(iter(env.agent_iter()))):
        with pytest.raises(AttributeError, match=r"^rl: call reset first: it makes agent"):
            call()
    with pytest.raises(AttributeError, match="'GameAEC' object has no attribute 'agent'"):
        env.agent  # noqa: B018


def test_a_game_is_played_as_pettingzoo_shows_it() -> None:
    env = rl.aec("hex", board=3, pie=False)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        if not ended:
            assert reward == 0
            assert agent == f"seat_{env.position.turn}"
        env.step(None if ended else int(seen["action_mask"].argmax()))
    assert env.position.is_over
    assert not env.agents


def test_the_graph_is_in_what_agents_see() -> None:
    env = rl.aec("flood", board=3)
    env.reset(seed=1)
    edges = env.last()[0]["edges"]
    board = env.start.board
    found = {(int(a), int(b)) for a, b in edges.T}
    assert found == {(v, int(w)) for v in range(board.n) for w in board.neighbors_of(v)}


def test_a_seat_that_waits_has_no_action() -> None:
    env = rl.aec("carcassonne")
    env.reset(seed=1)
    waiting = env.observe("seat_1")
    assert not waiting["action_mask"].any()
    assert (waiting["moves"] == -1).all()
    assert env.observe("seat_0")["action_mask"].any()


@pytest.mark.parametrize("action", [99, -1, 1.5, None, "a1", True])
def test_an_illegal_action_leaves_the_game_as_it_is(action) -> None:
    env = rl.aec("amazons", board=4, queens=2)
    env.reset(seed=1)
    before = env.position.state.copy()
    illegal = 10**6 if action == 99 else action
    with pytest.raises(IllegalMove, match=r"^rl: "):
        env.step(illegal)
    assert np.array_equal(env.position.state, before)
    assert env.agent_selection == "seat_0"


def test_pettingzoo_s_wrapper_ends_a_game_by_an_illegal_action() -> None:
    env = TerminateIllegalWrapper(rl.aec("hex", board=3), illegal_reward=-1)
    env.reset(seed=1)
    env.step(env.action_space("seat_0").n - 1)  # nothing to swap yet
    assert env.rewards == {"seat_0": -1.0, "seat_1": 0}
    assert all(env.terminations.values())


def test_the_last_observation_is_the_last_position() -> None:
    env = rl.aec("hex", board=3)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(env.action_space("seat_0").sample(mask=env.last()[0]["action_mask"]))
    assert env.position.is_over
    for seat, agent in enumerate(env.agents):
        assert (env.observe(agent)["vertices"] == env.position.observe(seat)["vertices"]).all()


def test_a_mode_of_rendering_that_is_not_there_is_refused() -> None:
    for make in (rl.aec, rl.env):
        with pytest.raises(InvalidInput, match=r"\brender_mode\b.*\bansi, rgb_array\b"):
            make("hex", board=3, render_mode="video")


def test_pictures() -> None:
    env = rl.aec("hex", board=3, render_mode="rgb_array")
    env.reset()
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    env = rl.aec("hex", board=3, render_mode="ansi")
    env.reset()
    assert env.render() == str(env.position)


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("game", slow_but(["flood"], GAMES))
def test_gymnasium_has_nothing_to_say(game) -> None:
    assert f"ludograph/{game}-v1" in rl.register_ids()
    options = {name: value for name, value in GAMES[game].items() if name != "seats"}
    env = gymnasium.make(f"ludograph/{game}-v1", **options)
    seen, infos = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    rewards = set()
    for _ in range(300):
        action = int(np.random.default_rng(0).choice(np.flatnonzero(seen["action_mask"])))
        seen, reward, ended, _, infos = env.step(action)
        rewards.add(reward)
        if ended:
            assert set(infos) == {"turn", "scores", "plies"}
            seen, infos = env.reset()
    assert rewards >= {1.0, 0.0} or rewards >= {-1.0, 0.0}
    many = gymnasium.make_vec(f"ludograph/{game}-v1", num_envs=3, **options)
    seen, _ = many.reset(seed=1)
    assert seen["moves"].shape[0] == 3


def test_what_gymnasium_has_made_is_made_again_from_its_specification() -> None:
    rl.register_ids()
    made = gymnasium.make("ludograph/hex-v1", board=3, seat=1)
    again = gymnasium.make(EnvSpec.from_json(made.spec.to_json()))
    _, infos = again.reset(seed=1)
    assert infos["turn"] == 1
    many = gymnasium.make_vec(gymnasium.make_vec("ludograph/hex-v1", num_envs=2, board=3).spec)
    assert many.num_envs == 2


def test_a_lone_learner_takes_each_seat_in_turn() -> None:
    env = rl.env("hex", board=3)
    turns = []
    seen, infos = env.reset(seed=1)
    for _ in range(6):
        turns.append(infos["turn"])
        ended = False
        while not ended:
            seen, _, ended, _, _ = env.step(int(seen["action_mask"].argmax()))
        seen, infos = env.reset()
    assert turns == [0, 1, 0, 1, 0, 1]


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("game", slow_but(["hex"], GAMES))
def test_checked_by_gymnasium(game) -> None:
    # Its check plays any action of the space, legal or not.
    assert f"ludograph/{game}-v1" in rl.register_ids()
    options = {name: value for name, value in GAMES[game].items() if name != "seats"}
    made = gymnasium.make(f"ludograph/{game}-v1", illegal="lose", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made.unwrapped)


def test_importing_it_is_light() -> None:
    code = "import sys; from ludograph import rl; print({'numba', 'gymnasium'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"
