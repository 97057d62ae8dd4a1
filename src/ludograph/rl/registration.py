"""The ids of games in Gymnasium, as in ``gymnasium.make("ludograph/hex-v1", board=5)``."""

from __future__ import annotations

from typing import Any

import gymnasium

from ludograph.games import registry
from ludograph.rl.vector_env import GameVectorEnv, vector


def register_ids() -> list[str]:
    """Register all installed games, and return their ids.

    An id has the version of the game's rules: ``ludograph/hex-v1``. ``gymnasium.make`` and
    ``gymnasium.make_vec`` take the options of :func:`~ludograph.rl.env` and
    :func:`~ludograph.rl.vector`.
    """
    ids = []
    for name in registry.names():
        key = f"ludograph/{name}-v{registry.game(name).version}"
        ids.append(key)
        if key not in gymnasium.registry:
            gymnasium.register(
                key,
                entry_point="ludograph.rl.single_env:env",
                vector_entry_point="ludograph.rl.registration:_vector",
                disable_env_checker=True,
                kwargs={"game": name},
            )
    return ids


def _vector(game: str, num_envs: int = 1, **options: Any) -> GameVectorEnv:
    """Return a vector environment; Gymnasium calls this function."""
    return vector(game, num_envs, **options)
