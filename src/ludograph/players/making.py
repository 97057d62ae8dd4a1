"""From a player's name, or a Python object, to a player for one game."""

from __future__ import annotations

import os
from typing import Any

from ludograph.games import Game
from ludograph.players.foreign import ForeignPlayer
from ludograph.players.naming import PlayerSpec, parse_player
from ludograph.players.protocol import ChoosingPlayer, Player, as_player


def make_player(spec: PlayerSpec | str | Any, game: Game, seats: int, seed: int) -> Player:
    """Return a fresh player for one game.

    Parameters
    ----------
    spec
        A name, a parsed name, or a Python object, class or function that plays.
    seed
        For the player's own random choices.

    Raises
    ------
    InvalidInput
        If a name is wrong.
    PlayerFault
        If an object is no player.
    """
    if isinstance(spec, str):
        spec = parse_player(spec, game, seats)
    if not isinstance(spec, PlayerSpec):
        return as_player(spec)
    if spec.kind == "strategy":
        return ChoosingPlayer(game.strategy(spec.target).create(spec.options, seed), trusted=True)
    return ForeignPlayer(spec, seed)


def label(spec: PlayerSpec | str | Any) -> str:
    """Return a short name for a player as it was given."""
    if isinstance(spec, PlayerSpec):
        return spec.label
    if isinstance(spec, str):
        return os.path.basename(spec) if spec.endswith((".py", ".so")) else spec
    name = getattr(spec, "name", None) or getattr(spec, "__name__", None)
    return name if isinstance(name, str) else type(spec).__name__
