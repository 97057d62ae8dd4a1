"""A solver with its table, for many questions about one board."""

from __future__ import annotations

from dataclasses import dataclass

import ludograph.games.hex.solving.expansion  # noqa: F401  (how a proof expands a position)
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.grid import make_grid
from ludograph.games.hex.solving.workspace import EVERYTHING, make_workspace
from ludograph.rules.kernels.sets import as_int, from_int, put
from ludograph.search.pacing import chunks, deadline_after
from ludograph.search.proof.search import prove
from ludograph.search.proof.stack import DONE, begin, make_proof_stack

TABLE_BITS = (16, 16, 16, 16, 16, 16, 18, 21, 22)
"""By size: the table has as many entries as two to the power of this; the last for larger ones."""


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
    table_bits
        The table has ``2 ** table_bits`` entries of 32 bytes, or 48 on more than 64 cells, or 80
        on more than 128; None: what the size needs.
    means
        Which means are used, see :mod:`ludograph.games.hex.solving.workspace`; for tests.
    words
        How many each set of cells takes, more than needed; for tests.

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
        table_bits: int | None = None,
        means: int = EVERYTHING,
        words: int | None = None,
    ) -> None:
        self.n = n
        self.grid = make_grid(n, words)
        levels = n * n + 2
        if table_bits is None:
            table_bits = TABLE_BITS[min(n, len(TABLE_BITS) - 1)]
        self.workspace = make_workspace(len(self.grid.board), levels, table_bits, means)
        self.stack = make_proof_stack(levels, n * n)
        prove(self.grid, self.workspace, self.stack, 0)  # compiled before the clock runs
        self.nodes = 0
        self.deadline = deadline_after(time)

    def solve(self, black: int, white: int, color: int) -> Verdict | None:
        """Tell who wins a position, the colors' stones as sets of cells, by who is to move.

        Returns
        -------
        Verdict or None
            None: the time was over first.
        """
        workspace, stack = self.workspace, self.stack
        stones = workspace.levels[0].stones
        words = len(self.grid.board)
        put(stones[BLACK], from_int(black, words))
        put(stones[WHITE], from_int(white, words))
        begin(stack, color)
        progress = stack.progress[0]
        for amount in chunks(self.deadline):
            prove(self.grid, workspace, stack, amount)
            if progress.mode == DONE:
                break
        self.nodes += int(progress.nodes)
        if progress.mode != DONE:
            return None
        winner = color if progress.phi == 0 else 1 - color
        return Verdict(winner, as_int(tuple(workspace.carrier)))

    @property
    def first_move(self) -> int:
        """The move that proved the last win; -1 if there was none, or none was needed."""
        return int(self.stack.frames[0].move)
