"""The rule contract: games as short plain Python functions over flat arrays, compiled by Numba.

``contract`` names the functions that make a game, ``dispatch`` finds a game's own, ``compilation``
turns them into machine code that is kept on disk, ``random`` gives them numbers.
"""

from ludograph.rules.arrays import copy_state
from ludograph.rules.compilation import Kernel, compiled, interpreted
from ludograph.rules.contract import (
    assess,
    candidates,
    drop,
    evaluate,
    full_playout,
    key,
    legal_moves,
    move_capacity,
    play,
    players_of,
    playout,
    ply_bound,
    prospects,
    sample_move,
    score_bounds,
    scores,
    seat_count,
    settle,
    start,
    state_size,
    weights,
)
from ludograph.rules.dispatch import implements
from ludograph.rules.layout import (
    CHANCE,
    HEADER,
    OVER,
    PLY,
    TURN,
    Moves,
    Rng,
    Scores,
    Setup,
    State,
)
from ludograph.rules.random import random_below, random_bits, random_state, random_unit

__all__ = [
    "CHANCE",
    "HEADER",
    "OVER",
    "PLY",
    "TURN",
    "Kernel",
    "Moves",
    "Rng",
    "Scores",
    "Setup",
    "State",
    "assess",
    "candidates",
    "compiled",
    "copy_state",
    "drop",
    "evaluate",
    "full_playout",
    "implements",
    "interpreted",
    "key",
    "legal_moves",
    "move_capacity",
    "play",
    "players_of",
    "playout",
    "ply_bound",
    "prospects",
    "random_below",
    "random_bits",
    "random_state",
    "random_unit",
    "sample_move",
    "score_bounds",
    "scores",
    "seat_count",
    "settle",
    "start",
    "state_size",
    "weights",
]
