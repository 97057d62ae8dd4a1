"""The kernel that lists the busiest vertices, as a function that returns them."""

import numpy as np

from ludograph.games.hex.evaluation.circuit import list_busiest, plan_of


def busiest(setup, state, count):
    """The free vertices with most of both currents, the most first."""
    codes = np.empty(setup.free.size, np.int32)
    found = list_busiest(setup, state, plan_of(setup), count, codes)
    return codes[:found].tolist()
