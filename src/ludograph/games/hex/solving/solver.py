"""A solver with its memory, which serves many questions about one board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.grid import make_grid
from ludograph.games.hex.solving.memory import INFINITE
from ludograph.games.hex.solving.stack import (
    CHOSEN,
    COLOR,
    DELTA_LIMIT,
    DONE,
    ENTERING,
    EVERYTHING,
    FLAGS,
    MODE,
    NODES,
    PHI_LIMIT,
    STONES,
    WINNER,
    make_stack,
)
from ludograph.games.hex.solving.tree import search
from ludograph.search.pacing import chunks, deadline_after

MEMORY_BITS = 21


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who wins a position.

    Attributes
    ----------
    winner
        ``BLACK`` or ``WHITE``.
    carrier
        A set of cells, a bit each: the winner wins even if all other free cells are the loser's.
    """

    winner: int
    carrier: int


class HexSolver:
    """A solver of the usual board of n x n cells.

    Parameters
    ----------
    n
        At most :data:`~ludograph.games.hex.solving.grid.LARGEST`.
    time
        The seconds that all questions together may take; None: no limit.
    memory_bits
        The table has ``2 ** memory_bits`` entries of 32 bytes.
    flags
        Which means are used, see :mod:`ludograph.games.hex.solving.stack`; for tests.

    Raises
    ------
    InvalidInput
        If there is no such board.
    """

    def __init__(
        self,
        n: int,
        *,
        time: float | None = None,
        memory_bits: int = MEMORY_BITS,
        flags: int = EVERYTHING,
    ) -> None:
        self.n = n
        self.grid = make_grid(n)
        self.stack = make_stack(n * n, memory_bits)
        self.stack.progress[FLAGS] = flags
        search(self.grid, self.stack, 0)  # compiled before the clock runs
        self.nodes = 0
        self.deadline = deadline_after(time)

    def ask(self, black: int, white: int, color: int) -> Verdict | None:
        """Tell who wins a position, the colors' stones as sets of cells, by who is to move.

        Returns
        -------
        Verdict or None
            None: the time was over first.
        """
        stack = self.stack
        borders = self.grid.borders
        stack.frames[0, STONES] = np.uint64(black) | borders[BLACK]
        stack.frames[0, STONES + 1] = np.uint64(white) | borders[WHITE]
        progress = stack.progress
        flags = progress[FLAGS]
        progress[:] = 0
        progress[MODE], progress[COLOR], progress[FLAGS] = ENTERING, color, flags
        stack.counts[0, CHOSEN] = -1
        stack.counts[0, PHI_LIMIT] = INFINITE
        stack.counts[0, DELTA_LIMIT] = INFINITE
        for amount in chunks(self.deadline):
            search(self.grid, stack, amount)
            if progress[MODE] == DONE:
                break
        self.nodes += int(progress[NODES])
        if progress[MODE] != DONE:
            return None
        carrier = int(stack.carrier[0, 0])
        return Verdict(int(progress[WINNER]), carrier)
