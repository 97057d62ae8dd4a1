"""The rule contract: games as short plain Python functions over flat arrays, compiled by Numba.

``contract`` names the functions that make a game, ``dispatch`` finds a game's own, ``compilation``
turns them into machine code that is kept on disk, ``random`` gives them numbers.
"""

import os

# Or each program that compiles ends with an escape for the terminal's colors, terminal or not.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

from ludograph.rules.arrays import copy, fill
from ludograph.rules.compilation import Kernel, compiled, interpreted
from ludograph.rules.contract import (
    GameInfo,
    drop,
    evaluate,
    info,
    key,
    legal_moves,
    play,
    playout,
    sample_move,
    scores,
    start,
    weights,
)
from ludograph.rules.dispatch import implements, register
from ludograph.rules.features import ObservationInfo, observation, observe, touch
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
    "GameInfo",
    "Kernel",
    "Moves",
    "ObservationInfo",
    "Rng",
    "Scores",
    "Setup",
    "State",
    "compiled",
    "copy",
    "drop",
    "evaluate",
    "fill",
    "implements",
    "info",
    "interpreted",
    "key",
    "legal_moves",
    "observation",
    "observe",
    "play",
    "playout",
    "random_below",
    "random_bits",
    "random_state",
    "random_unit",
    "register",
    "sample_move",
    "scores",
    "start",
    "touch",
    "weights",
]
