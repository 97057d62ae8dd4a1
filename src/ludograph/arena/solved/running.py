"""The solving of a game's first moves, several at a time; each proof is stored at once."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path

from ludograph.arena.executor import local_executor, play_all
from ludograph.arena.solved.store import Known, SolvedStore
from ludograph.games.solution import FirstMoves, SolvedMove


def solve_moves(
    first: FirstMoves,
    known: Known,
    *,
    store: str | Path | None = None,
    jobs: int = 1,
    deadline: float | None = None,
) -> Generator[SolvedMove]:
    """Solve the moves that are not known; store and yield each proof, and add it to ``known``.

    The search for a move stops when another proof has decided that move meanwhile.

    Parameters
    ----------
    store
        The file of proofs; processes are forked before it is opened.
    jobs
        The number of moves at a time; a single one is solved in this process.
    deadline
        A reading of ``time.perf_counter`` at which the search ends; None: no limit.

    Raises
    ------
    InvalidInput
        If another process works on the store.
    HostFailure
        If one of the processes dies twice on a move.
    """
    first.prepare()

    def prove(move: str, _: object) -> SolvedMove | None:
        return first.solve(move, deadline)

    with contextlib.ExitStack() as stack:
        executor = stack.enter_context(local_executor(prove, jobs, lambda: None))
        kept = None if store is None else stack.enter_context(SolvedStore(store, first.title))
        for _, solved in play_all(executor, UnsolvedMoves(first, known)):
            if solved is None:
                continue
            if kept is not None:
                kept.keep(solved)
            known.add(solved)
            yield solved


class UnsolvedMoves:
    """A queue of the unknown moves, with one of each group of symmetric moves."""

    def __init__(self, first: FirstMoves, known: Known) -> None:
        self._first, self._known = first, known
        self._under_way: set[str] = set()
        self._in_time = True

    def needs(self, move: str) -> bool:
        """Tell whether a move has not become known by the proof of another one."""
        return move not in self._known.values

    def next(self) -> list[str]:
        """Return a list of the next move to solve; an empty one if there is none."""
        if not self._in_time:
            return []
        known = self._known.values
        taken = {same for move in self._under_way for same in self._first.same(move)}
        for move in self._first.moves:
            if move not in known and move not in taken:
                self._under_way.add(move)
                return [move]
        return []

    def end(self, move: str, solved: SolvedMove | None) -> None:
        """Record that a search has ended; if its time was over, no other one begins."""
        self._under_way.discard(move)
        self._in_time = self._in_time and solved is not None
