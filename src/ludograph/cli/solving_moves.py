"""``ludograph solve``: the first moves of a game, one by one, kept in a store."""

from __future__ import annotations

import contextlib
import time

import click

from ludograph.arena.solved import Known, SolvedStore, solve_moves
from ludograph.cli.option_types import jobs_here
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import on_terminal, progress
from ludograph.cli.texts import amount, safe, seconds
from ludograph.games.first_moves import FirstMoves, SolvedMove
from ludograph.games.solution import Solution


def solve_first_moves(
    first: FirstMoves, store: str | None, jobs: int | None, limit: float | None, *, shown: bool
) -> Solution:
    """Solve what a store does not know yet, keep it, and return what is known then.

    Parameters
    ----------
    jobs
        How many moves at a time; None: one.
    limit
        Seconds at most; None: no limit.
    """
    known = Known()
    if store is not None:
        with SolvedStore(store, first.title) as kept:  # closed again before processes are forked
            known = kept.known()
    total = len(first.moves)
    if len(known.values) < total:
        if known.values and shown:
            were = f"{len(known.values)} of {total} first moves"
            click.echo(f"{were} were solved before", err=True)
        most = 1 if jobs is None else jobs_here(jobs, total - len(known.values))
        try:
            _solve(first, known, store, most, limit, shown=shown)
        except KeyboardInterrupt:
            again = "; the same command goes on" if store is not None else ""
            far = f"{len(known.values)} of {total} first moves"
            raise Interrupted(f"interrupted after {far}{again}") from None
    return first.solution(known.values, known.nodes, known.seconds)


def _solve(
    first: FirstMoves,
    known: Known,
    store: str | None,
    jobs: int,
    limit: float | None,
    *,
    shown: bool,
) -> None:

    deadline = None if limit is None else time.perf_counter() + limit
    count, total = len(known.values), len(first.moves)
    proofs = solve_moves(first, known, store=store, jobs=jobs, deadline=deadline)
    with (
        contextlib.closing(proofs),
        progress(total, "first moves", shown=shown, done=count) as advance,
    ):
        for solved in proofs:
            for _ in range(len(known.values) - count):
                advance(told(solved))
            count = len(known.values)
            if shown and not on_terminal():
                click.echo(f"{count} of {total}: {told(solved)}", err=True)


def told(solved: SolvedMove) -> str:
    """Return what a proof has told, and what it took."""
    value = safe(solved.values[solved.move])
    took = f"{amount(solved.nodes, 'position')} in {seconds(solved.seconds)}"
    others = len(solved.values) - 1
    too = f" and {others} more" if others else ""
    return f"{safe(solved.move)} {value}{too}, {took}"
