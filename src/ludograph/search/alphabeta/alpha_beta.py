"""Iterative deepening of alpha-beta search, with a memory, limits and threads."""

from __future__ import annotations

import threading
import time as clock
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ludograph import rules
from ludograph.rules import TURN, Setup, State
from ludograph.search.alphabeta.search import alphabeta, write_line
from ludograph.search.alphabeta.stack import DONE, LARGE, Stack, begin, make_stack, set_root
from ludograph.search.pacing import chunks, deadline_after
from ludograph.search.searched import ShownResult
from ludograph.search.transpositions import make_table

TABLE_BITS = 19


@dataclass(frozen=True, slots=True)
class AlphaBetaResult(ShownResult):
    """What a search found.

    Attributes
    ----------
    move
        The best move found; an unfinished iteration counts from its first move on.
    value
        The value for the seat to move, or for the seat given: its score less the best other seat's,
        a lone seat's own score. A proven win is above ``LARGE / 2``: it is ``LARGE`` and the
        margin. A proven loss is below ``-LARGE / 2`` in the same way. But see :class:`AlphaBeta`.
        Nan if the time was too short to search a single move.
    depth
        Plies looked ahead by the last finished iteration.
    exact
        Whether no line was cut by the limit of depth: the value is the game's own.
    line
        The best moves from here on, as far as the table has them.
    nodes, seconds
        The work of all threads together, and its time.
    """

    move: int
    value: float
    depth: int
    exact: bool
    line: tuple[int, ...]
    nodes: int
    seconds: float


@dataclass(slots=True)
class Finding:
    """The result of a thread so far."""

    move: int = -1
    value: float = float("nan")
    depth: int = 0
    exact: bool = False


class AlphaBeta:
    """A search with its memory, used for all moves of a game.

    Parameters
    ----------
    setup
        The setup of the game.
    threads
        Threads that search the same tree, each for itself, and help each other by their entries in
        the shared table (Lazy SMP). With more than one the nodes visited, and the choice among
        equally good moves, depend on chance.
    table_bits
        The table has ``2 ** table_bits`` entries of 24 bytes.
    win_bonus
        The value of a win in points of margin, in addition to the margin; by default more than any
        margin, so a win always counts more than points. In a game of chance the least risk of
        losing would then outweigh all points, so a strategy of such a game should set this value.
        (Monte Carlo search blends both by its own ``margin_weight``.)
    """

    def __init__(
        self,
        setup: Setup,
        *,
        threads: int = 1,
        table_bits: int = TABLE_BITS,
        win_bonus: float = LARGE,
    ) -> None:
        self.setup = setup
        self.win_bonus = win_bonus
        self.table_bits = table_bits
        self.table = make_table(table_bits)
        plies = rules.info(setup).ply_bound
        self.stacks = [make_stack(setup, plies, win_bonus) for _ in range(threads)]
        self.seat = -1
        # Compiled now, before any clock runs.
        alphabeta(setup, self.stacks[0], self.table, 0)
        self._line(Finding())

    def search(
        self,
        state: State,
        *,
        time: float | None = None,
        depth: int | None = None,
        seat: int | None = None,
    ) -> AlphaBetaResult:
        """Search for a move in a state that is neither over nor a chance node.

        Parameters
        ----------
        state
            ``int32[info(setup).state_size]``; it is not changed.
        time, depth
            Seconds to spend, plies to look ahead. Without either the search ends when the value
            is exact, which only small games reach.
        seat
            The seat whose value is returned; None: the seat to move. Earlier results are reused as
            long as the seat stays the same.
        """
        seat = int(state[TURN]) if seat is None else seat
        if seat != self.seat:  # the table's values are for one seat
            self.table = make_table(self.table_bits)
            self.seat = seat
        limit = self.stacks[0].states.shape[0] - 2
        if depth is not None:
            limit = min(limit, depth)
        for stack in self.stacks:
            set_root(stack, state, seat)
        started = clock.perf_counter()
        deadline = deadline_after(time)
        stop = threading.Event()
        if len(self.stacks) == 1:
            best = self._deepen(self.stacks[0], 0, limit, deadline, stop)
        else:
            with ThreadPoolExecutor(len(self.stacks)) as pool:
                futures = [
                    pool.submit(self._deepen, stack, thread, limit, deadline, stop)
                    for thread, stack in enumerate(self.stacks)
                ]
                found = [future.result() for future in futures]
            best = max(found, key=lambda finding: (finding.exact, finding.depth))
        seconds = clock.perf_counter() - started
        nodes = int(sum(stack.progress.nodes for stack in self.stacks))
        line = self._line(best)
        return AlphaBetaResult(best.move, best.value, best.depth, best.exact, line, nodes, seconds)

    def _deepen(
        self, stack: Stack, thread: int, limit: int, deadline: float | None, stop: threading.Event
    ) -> Finding:
        """Search deeper and deeper; every other thread is a ply ahead."""
        depth = min(limit, 1 + thread % 2)
        begin(stack, depth)
        finding = Finding()
        for amount in chunks(deadline):
            last = stack.progress.nodes + amount
            # The rest of a chunk goes to the next iteration: the table answers a part of it in
            # almost no time, and a next chunk sized by that would be far too large.
            while stack.progress.nodes < last:
                alphabeta(self.setup, stack, self.table, int(last - stack.progress.nodes))
                if stack.progress.step == DONE:
                    finding.depth = depth
                    finding.exact = not stack.frames[0].cut
                    take(stack, finding)
                    if finding.exact or depth == limit:
                        stop.set()
                        return finding
                    depth += 1
                    begin(stack, depth)
            if stop.is_set():
                break
        if stack.frames[0].index > 0:
            take(stack, finding)
        elif finding.depth == 0:  # the first chunk has listed the moves of the root
            finding.move = int(stack.moves[0, 0])
        return finding

    def _line(self, best: Finding) -> tuple[int, ...]:
        """Follow the table from the move chosen, as far as its moves are legal."""
        line = np.full(max(1, best.depth), best.move, np.int32)
        count = write_line(self.setup, self.stacks[0], self.table, line)
        return tuple(line[:count].tolist())


def take(stack: Stack, finding: Finding) -> None:
    """Note the best move so far of the root."""
    finding.move = int(stack.frames[0].best_move)
    finding.value = float(stack.frames[0].best)


def search(
    setup: Setup,
    state: State,
    *,
    time: float | None = None,
    depth: int | None = None,
    threads: int = 1,
) -> AlphaBetaResult:
    """Search once for a move; see :class:`AlphaBeta` for the parameters."""
    return AlphaBeta(setup, threads=threads).search(state, time=time, depth=depth)
