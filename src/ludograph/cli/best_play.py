"""Best play from a position: one search, or a search for each first move, and the answer."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import dataclass

import click

from ludograph.analysis.proofs import Proof, Value, prove
from ludograph.arena.solved import Known, SolvedStore, solve_moves
from ludograph.cli.executors import jobs_here
from ludograph.cli.game_options import chosen
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import on_terminal, progress, waiting
from ludograph.cli.shared_options import RUN_AGAIN
from ludograph.cli.start_positions import new_game, recorded_game, recorded_position
from ludograph.cli.texts import safe
from ludograph.formatting import counted, seconds
from ludograph.games import Position
from ludograph.games.declaration import Declaration, Values
from ludograph.games.first_moves import FirstMoves, SolvedMove
from ludograph.games.solution import Solution
from ludograph.referee import Record
from ludograph.rules.announcer import announcer
from ludograph.views import plain

SECONDS = 60.0
"""The default limit of a search, in seconds."""

NO_ANSWER = 1
"""The exit code if the time ended before anything was proven."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveArguments:
    """The options of the command, without those of the game."""

    seats: int | None
    record: str | None
    ply: int | None
    seed: int | None
    limit: float | None
    jobs: int | None
    store: str | None
    quiet: bool
    as_json: bool

    @property
    def silent(self) -> bool:
        """Whether only the answer is written."""
        return self.quiet or self.as_json

    @property
    def seconds(self) -> float:
        """The limit of a single search, in seconds."""
        return SECONDS if self.limit is None else self.limit

    @property
    def in_parts(self) -> str | None:
        """The given option that requires a search for each first move, or None."""
        return "--store" if self.store is not None else "-j" if self.jobs is not None else None


def run(game: Declaration, given: Values, arguments: SolveArguments) -> int:
    """Solve a position and write the answer; return the exit code."""
    announcer.prepare(f"to solve {game.name}")
    if arguments.record is None:
        if arguments.ply is not None:
            raise click.UsageError("--ply is for a recorded game, so it needs --record")
        values = chosen(game, given, dict(game.solving or {}))
        position, details, data = new_game(game, values, arguments.seats, arguments.seed)
    else:
        if given or any((arguments.seats, arguments.seed is not None, arguments.in_parts)):
            raise click.UsageError("--record has its own game, so leave out the options of games")
        record = recorded_game(game, arguments.record)
        if arguments.ply is None and record.start.seats == 2:
            return prove_record(record, arguments)
        position, details, data = recorded_position(game, arguments.record, arguments.ply or 0)
    heading = position.title(details)
    if arguments.in_parts is None:
        solution = searched(position, heading, arguments.seconds, shown=not arguments.silent)
    else:
        solution = solve_first_moves(first_moves(position, arguments), arguments)
    if not arguments.silent:
        click.echo(f"{plain.text(position.game.presentation.scene(position))}\n{heading}")
    moves = [position.text(move) for move in solution.line]
    if arguments.as_json:
        click.echo(json.dumps({"heading": heading, **data, **solution_data(solution, moves)}))
    else:
        write_solution(solution, moves, quiet=arguments.quiet)
    return 0 if solution.proven else NO_ANSWER


def first_moves(position: Position, arguments: SolveArguments) -> FirstMoves:
    """Return the first moves that solve a start; raise UsageError if its game has none."""
    first = position.game.solving.first_moves(position)
    if first is None:
        raise click.UsageError(
            f"{arguments.in_parts} is for games that are solved by their first moves, not for "
            f"{position.game.name}"
        )
    return first


def searched(position: Position, heading: str, limit: float, *, shown: bool) -> Solution:
    """Solve a position in one search, with its progress on the terminal."""
    text = f"{heading}: searching, at most {limit:g} s"
    with waiting(text, shown=shown) as say:
        return position.game.solving.solve(position, limit, lambda done: say(f"{text}; {done}"))


def solve_first_moves(first: FirstMoves, arguments: SolveArguments) -> Solution:
    """Solve the first moves of a start that the store lacks, and add their values to the store."""
    store, shown = arguments.store, not arguments.silent
    limit = SECONDS if arguments.limit is None and store is None else arguments.limit
    known = Known()
    if store is not None:
        with SolvedStore(store, first.title) as kept:  # closed again before processes are forked
            known = kept.known()
    total = len(first.moves)
    if len(known.values) < total:
        if known.values and shown:
            were = f"{len(known.values)} of {total} first moves"
            click.echo(f"{were} were solved before", err=True)
        jobs = 1
        if arguments.jobs is not None:
            jobs = jobs_here(arguments.jobs, total - len(known.values))
        try:
            solve_missing(first, known, store, jobs, limit, shown=shown)
        except KeyboardInterrupt:
            again = f"; {RUN_AGAIN}" if store is not None else ""
            reached = f"{len(known.values)} of {total} first moves"
            raise Interrupted(f"interrupted after {reached}{again}") from None
    return first.solution(known.values, known.nodes, known.seconds)


def solve_missing(
    first: FirstMoves,
    known: Known,
    store: str | None,
    jobs: int,
    limit: float | None,
    *,
    shown: bool,
) -> None:
    """Solve the first moves whose values are not known; add them to ``known``."""
    deadline = None if limit is None else time.perf_counter() + limit
    count, total = len(known.values), len(first.moves)
    proofs = solve_moves(first, known, store=store, jobs=jobs, deadline=deadline)
    with (
        contextlib.closing(proofs),
        progress(total, "first moves", shown=shown, done=count) as advance,
    ):
        for solved in proofs:
            for _ in range(len(known.values) - count):
                advance(solved_line(solved))
            count = len(known.values)
            if shown and not on_terminal():
                click.echo(f"{count} of {total}: {solved_line(solved)}", err=True)


def solved_line(solved: SolvedMove) -> str:
    """Return the value of a first move, and the cost of its proof."""
    value = safe(solved.values[solved.move])
    took = f"{counted(solved.nodes, 'position')} in {seconds(solved.seconds)}"
    others = len(solved.values) - 1
    too = f" and {others} more" if others else ""
    return f"{safe(solved.move)} {value}{too}, {took}"


def prove_record(record: Record, arguments: SolveArguments) -> int:
    """Write the first losing move of a recorded game of two; return the exit code."""
    text = f"{safe(str(arguments.record))}: searching, at most {arguments.seconds:g} s"
    with waiting(text, shown=not arguments.silent) as say:
        proof = prove(record, arguments.seconds, lambda done: say(f"{text}; {done}"))
    if arguments.as_json:
        click.echo(json.dumps({"record": arguments.record, **proof_data(proof)}))
    else:
        names = record.names
        for move in proof.moves if not arguments.quiet else ():
            if move.verdict:
                player = f"{safe(names[move.seat])} (seat {move.seat})"
                click.echo(f"ply {move.ply}: {player} plays {move.text}; {move.verdict}")
        click.echo(proof_sentence(proof, names))
        if not arguments.quiet:
            click.echo(f"({counted(proof.nodes, 'position')} searched in {seconds(proof.seconds)})")
    return NO_ANSWER if proof.known_from is None else 0


def proof_sentence(proof: Proof, names: list[str]) -> str:
    """Return the sentence about the first losing move, as far as it is proven."""
    known, losing = proof.known_from, proof.first_losing
    if known is None:
        return "Nothing is proven; --time gives more."
    since = "" if known == 1 else f" from ply {known} on, before that nothing is proven"
    if losing is None:
        return f"No losing move{since}."
    player = f"{safe(names[losing.seat])} (seat {losing.seat})"
    return f"The first losing move{since}: {losing.text}, by {player} at ply {losing.ply}."


def proof_data(proof: Proof) -> Values:
    """Return the proven values of a game as JSON-able data."""
    losing = proof.first_losing

    def word(value: Value | None) -> str | None:
        return None if value is None else value.name.lower()

    return {
        "first_losing": None if losing is None else losing.ply,
        "known_from": proof.known_from,
        "moves": [
            {
                "ply": move.ply,
                "seat": move.seat,
                "move": move.text,
                "before": word(move.before),
                "after": word(move.after),
                "losing": move.is_losing,
            }
            for move in proof.moves
        ],
        "nodes": proof.nodes,
        "seconds": round(proof.seconds, 6),
    }


def write_solution(solution: Solution, moves: list[str], *, quiet: bool) -> None:
    """Write the solution for people."""
    click.echo(solution.text)
    if not quiet:
        if moves:
            click.echo(f"Best line: {' '.join(moves)}")
        nodes = counted(solution.nodes, "position")
        click.echo(f"({nodes} searched in {seconds(solution.seconds)})")


def solution_data(solution: Solution, moves: list[str]) -> Values:
    """Return the solution as JSON-able data."""
    return {
        "verdict": solution.verdict,
        **solution.data,
        "line": moves,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "result": solution.text,
    }
