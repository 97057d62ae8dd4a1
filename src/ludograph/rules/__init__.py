"""The rule contract: games as short plain Python functions over flat arrays, compiled by Numba.

``contract`` declares the functions that define a game, ``dispatch`` finds those of each game,
``compilation`` turns them into machine code and stores it on disk, ``random`` generates their
random numbers.
"""

import os

# Without this, each program that compiles ends with a color escape, even without a terminal.
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
