"""Solving the first moves of a game, several at a time; each proof is kept at once."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Generator, Iterator
from pathlib import Path

from ludograph.arena.executor.workers import Workers
from ludograph.arena.solved.store import Known, SolvedStore
from ludograph.games.first_moves import FirstMoves, SolvedMove


def solve_moves(
    first: FirstMoves,
    known: Known,
    *,
    store: str | Path | None = None,
    jobs: int = 1,
    deadline: float | None = None,
) -> Generator[SolvedMove]:
    """Solve the moves that are not known; keep and yield each proof, and add it to ``known``.

    A move that another proof tells about meanwhile is given up.

    Parameters
    ----------
    store
        Where proofs are kept; processes are forked before it is opened.
    jobs
        How many moves at a time; one is solved in this process.
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
    with contextlib.ExitStack() as stack:
        if jobs < 2:
            proofs = _alone(first, known, deadline)
        else:
            workers = Workers[str, SolvedMove | None](
                lambda move, _: first.solve(move, deadline), jobs, replays=1
            )
            proofs = _shared(first, known, stack.enter_context(workers))
        kept = None if store is None else stack.enter_context(SolvedStore(store, first.title))
        for solved in proofs:
            if kept is not None:
                kept.keep(solved)
            known.add(solved)
            yield solved


def _alone(first: FirstMoves, known: Known, deadline: float | None) -> Iterator[SolvedMove]:
    while (move := _next(first, known, ())) is not None:
        solved = first.solve(move, deadline)
        if solved is None:
            return
        yield solved


def _shared(
    first: FirstMoves, known: Known, workers: Workers[str, SolvedMove | None]
) -> Iterator[SolvedMove]:
    busy: set[str] = set()
    in_time = True
    while True:
        while in_time and workers.idle and (move := _next(first, known, busy)) is not None:
            busy.add(move)
            workers.give(move)
        if all(move in known.values for move in busy):
            return
        for move, solved in workers.ended():
            busy.discard(move)
            if solved is None:
                in_time = False
            else:
                yield solved


def _next(first: FirstMoves, known: Known, busy: Collection[str]) -> str | None:
    """Return the next move to solve; None if there is no more."""
    taken = {same for move in busy for same in first.same(move)}
    return next(
        (move for move in first.moves if move not in known.values and move not in taken), None
    )
