"""A solver with its table, for many positions of one board."""

from __future__ import annotations

from dataclasses import dataclass

import ludograph.games.hex.solving.expansion  # noqa: F401  (registers the kernels of the proof)
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.grid import make_grid
from ludograph.games.hex.solving.workspace import EVERYTHING, make_workspace
from ludograph.rules.kernels.sets import Words, as_int, from_int, put
from ludograph.search.pacing import chunks, deadline_after
from ludograph.search.proof.search import prove
from ludograph.search.proof.stack import DONE, begin, make_proof_stack

TABLE_BITS = (16, 16, 16, 16, 16, 16, 18, 21, 22)
"""The default ``table_bits`` of :class:`HexSolver` by size; the last one is for larger sizes."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The winner of a position.

    Attributes
    ----------
    winner
        ``BLACK`` or ``WHITE``.
    carrier
        The carrier of the win, a set of cells with a bit each: the winner wins even if the loser
        owns all other free cells.
    """

    winner: int
    carrier: int


@dataclass(frozen=True, slots=True)
class Expansion:
    """A position that is not solved, as the last proof has left it. Sets have a bit for each cell.

    Attributes
    ----------
    stones
        Black's and white's stones, with filled-in cells.
    captured
        The cells that each color's win adds to its carrier.
    moves
        The moves that may still win.
    must_play
        The set of cells outside of which each move loses.
    carriers
        The union of the carriers by which the other moves lose.
    """

    stones: tuple[int, int]
    captured: tuple[int, int]
    moves: tuple[int, ...]
    must_play: int
    carriers: int


class HexSolver:
    """A solver of the usual board of n x n cells.

    Parameters
    ----------
    n
        The size, at most :data:`~ludograph.games.hex.solving.grid.LARGEST`.
    time
        The seconds for all positions together; None: no limit.
    table_bits
        The table has ``2 ** table_bits`` entries of 32 bytes, or 48 on boards with more than 64
        cells, or 80 with more than 128; None: ``TABLE_BITS``.
    means
        The means of the proof, see :mod:`ludograph.games.hex.solving.workspace`; for tests.
    words
        The number of words of a set of cells, if it is more than needed; for tests.

    Raises
    ------
    InvalidInput
        If the size is not 1 to ``LARGEST``.
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
        prove(self.grid, self.workspace, self.stack, 0)  # compiles it before the clock starts
        self.nodes = 0
        self.deadline = deadline_after(time)

    def solve(self, black: int, white: int, color: int, nodes: int | None = None) -> Verdict | None:
        """Return the winner of a position, or None if time or ``nodes`` were too few.

        Parameters
        ----------
        black, white
            The stones of both colors, sets of cells with a bit each.
        color
            The color to move.
        nodes
            The positions that the proof may take; None: no limit.
        """
        workspace, stack = self.workspace, self.stack
        stones = workspace.levels[0].stones
        words = len(self.grid.board)
        put(stones[BLACK], from_int(black, words))
        put(stones[WHITE], from_int(white, words))
        begin(stack, color)
        progress = stack.progress[0]
        for amount in chunks(self.deadline, nodes):
            prove(self.grid, workspace, stack, amount)
            if progress.mode == DONE:
                break
        self.nodes += int(progress.nodes)
        if progress.mode != DONE:
            return None
        winner = color if progress.phi == 0 else 1 - color
        return Verdict(winner, as_int(tuple(workspace.carrier)))

    @property
    def expansion(self) -> Expansion:
        """The position of the last proof, if it was not solved."""
        here, stack = self.workspace.levels[0], self.stack
        return Expansion(
            stones=(_cells(here.stones[BLACK]), _cells(here.stones[WHITE])),
            captured=(_cells(here.captured[BLACK]), _cells(here.captured[WHITE])),
            moves=tuple(stack.moves[0, : stack.frames[0].count].tolist()),
            must_play=_cells(here.must_play),
            carriers=_cells(here.carriers),
        )

    @property
    def first_move(self) -> int:
        """The winning move of the last proof; -1 without a win, or if it needed no move."""
        return int(self.stack.frames[0].move)


def _cells(words: Words) -> int:
    return as_int(tuple(words))
