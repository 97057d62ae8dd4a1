"""Reinforcement learning environments of all games, for PettingZoo and Gymnasium.

Install ``ludograph[rl]``. Without it, ``rl.read_selfplay(folder)`` works: it reads games for
supervised learning, and needs only NumPy. ``rl.aec("hex", board=5)`` is a PettingZoo environment,
``rl.vector("flood", 1024, board=14)`` a Gymnasium vector environment of 1024 games, and
``rl.env("hex", opponent="random")`` an environment for a single learner. The settings of a game are
its declared options.
"""

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.rl.aec_env import GameAEC, aec
    from ludograph.rl.registration import register_ids
    from ludograph.rl.selfplay import read_selfplay
    from ludograph.rl.single_env import GameEnv, env
    from ludograph.rl.vector_env import GameVectorEnv, vector

__getattr__ = look_up(
    __name__,
    {
        **dict.fromkeys(("GameAEC", "aec"), "aec_env"),
        "register_ids": "registration",
        "read_selfplay": "selfplay",
        **dict.fromkeys(("GameEnv", "env"), "single_env"),
        **dict.fromkeys(("GameVectorEnv", "vector"), "vector_env"),
    },
)

__all__ = [
    "GameAEC",
    "GameEnv",
    "GameVectorEnv",
    "aec",
    "env",
    "read_selfplay",
    "register_ids",
    "vector",
]
