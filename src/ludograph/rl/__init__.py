"""Environments for learners: every game for PettingZoo and Gymnasium, one or thousands at once.

Install ``ludograph[rl]``; ``rl.read_selfplay(folder)``, which reads games for supervised learning,
needs NumPy alone. ``rl.aec("hex", board=5)`` is a PettingZoo environment,
``rl.vector("flood", 1024, board=14)`` a Gymnasium vector environment, and
``rl.env("hex", opponent="random")`` one for a single learner. The settings of a game are the
options that it declares.
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
