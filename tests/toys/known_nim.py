"""Nim whose end is known beforehand where one heap is left, and whose leaves are judged badly.

So a search shows whether it asks: what is settled is not searched, what is assessed not played.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import TURN, Rng, Scores, Setup, State, compiled, implements, register
from ludograph.search.hints import proven_scores
from ludograph.search.mcts.hints import leaf_value
from tests.toys import nim as plain
from tests.toys.nim import HEAPS


class KnownNim(NamedTuple):
    heaps: npt.NDArray[np.int32]
    most: int
    asked: npt.NDArray[np.int64]
    """``int64[2]``: how often an end was proven, and a leaf was judged."""


def known_nim(heaps: list[int], most: int = 3) -> KnownNim:
    return KnownNim(np.array(heaps, np.int32), most, np.zeros(2, np.int64))


for name in (
    "info",
    "start",
    "legal_moves",
    "play",
    "scores",
):
    implements(getattr(rules, name), KnownNim)(getattr(plain, f"nim_{name}").python)


@compiled
def one_heap(setup: Setup, state: State, out: Scores) -> bool:
    """Write the scores where one heap is left: its size decides."""
    heaps = 0
    left = 0
    for heap in range(setup.heaps.size):
        heaps += state[HEAPS + heap] > 0
        left += state[HEAPS + heap]
    if heaps != 1:
        return False
    winner = state[TURN] if left % (setup.most + 1) else 1 - state[TURN]
    out[winner], out[1 - winner] = 1.0, 0.0
    return True


@implements(proven_scores, KnownNim)
def known_nim_proven_scores(setup: KnownNim, state: State, out: Scores) -> bool:
    if not one_heap(setup, state, out):
        return False
    setup.asked[0] += 1
    return True


@implements(leaf_value, KnownNim)
def known_nim_leaf_value(setup: KnownNim, state: State, rng: Rng, out: Scores) -> None:
    setup.asked[1] += 1
    out[0], out[1] = 0.5, 0.5


register(KnownNim, known_nim_proven_scores, known_nim_leaf_value)
