"""``ludograph solve``: the result of best play in a small game.

One search solves a position, or a search for each first move, whose values a store keeps.
"""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING

import click

from ludograph.cli.game_options import OWN_GAME, games_group, recorded_game, start_of
from ludograph.cli.option_types import JOBS, SEED
from ludograph.cli.program import Interrupted, option, output
from ludograph.cli.progress import on_terminal, progress, waiting
from ludograph.cli.shared_options import AS_JSON, CONTINUED, ORIGIN, RUN_AGAIN
from ludograph.cli.texts import safe, show_json
from ludograph.formatting import counted, seconds
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Seconds

if TYPE_CHECKING:
    from ludograph.analysis.proofs import Proof, Value
    from ludograph.arena.solved import Known
    from ludograph.games import Position
    from ludograph.games.solution import FirstMoves, Solution, SolvedMove

search = partial(option, "Search")

SECONDS = 60.0
"""The default limit of a search, in seconds."""

NO_ANSWER = 1
"""The exit code if the time ended before anything was proven."""

EXAMPLES = """\
  ludograph solve {name}                                    a small game: the default
  ludograph solve {name} --record game.jsonl --ply 40       who wins from ply 40 on?
  ludograph solve {name} --record game.jsonl                which was the first losing move?

The exit code is 1 if the time ends before anything is proven.
"""


OPTIONS = (
    *ORIGIN,
    search("--seed", type=SEED, help="Seed of a random start (default: drawn)."),
    search(
        "--time",
        "limit",
        type=Seconds(0.01, 1e6),
        help="Seconds at most (default: 60; no limit with --store).",
    ),
    search("-j", "--jobs", type=JOBS, default=1, help="First moves to solve at a time."),
    search("--store", metavar="FILE", help="Keep solved first moves in this file." + CONTINUED),
    output("-q", "--quiet", is_flag=True, help="Write the answer only."),
    AS_JSON,
)


@games_group(
    "solve",
    OPTIONS,
    about="""Find the result of best play in a game of {game}.

        Solve the start that the options describe, or positions of a recorded game (--record).
        """,
    examples=EXAMPLES,
    no_players="nothing can follow the board",
    takes=lambda game: game.solving is not None,
    lacks="has no solver",
    defaults=lambda game: game.solving,
)
def solve(
    game: Declaration,
    given: Values,
    *,
    seats: int | None,
    record: str | None,
    ply: int | None,
    seed: int | None,
    limit: float | None,
    jobs: int,
    store: str | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Solve a small game: find the result of best play, and prove it."""
    from ludograph.rules.announcer import announcer
    from ludograph.views import plain

    announcer.prepare(f"to solve {game.name}")
    in_parts = "--store" if store is not None else "-j" if jobs > 1 else None
    if record is not None and (seed is not None or in_parts):
        raise click.UsageError(OWN_GAME)
    position, details, data = start_of(
        game, given, seats=seats, seed=seed, record=record, ply=ply, defaults=game.solving
    )
    shown = not (quiet or as_json)
    if record is not None and ply is None and position.seats == 2:
        return prove_record(game, record, limit or SECONDS, quiet=quiet, as_json=as_json)
    heading = position.title(details)
    if in_parts is None:
        solution = searched(position, heading, limit or SECONDS, shown=shown)
    else:
        first = position.game.solving.first_moves(position)
        if first is None:
            raise click.UsageError(
                f"{in_parts} is for starts that are solved by their first moves, not for "
                f"{position.title()}"
            )
        solution = solve_first_moves(first, jobs, store, limit, shown=shown)
    if shown:
        click.echo(f"{plain.text(position.game.presentation.scene(position))}\n{heading}")
    moves = [position.text(move) for move in solution.line]
    if as_json:
        show_json({"heading": heading, **data, **solution_data(solution, moves)})
    else:
        write_solution(solution, moves, quiet=quiet)
    return 0 if solution.proven else NO_ANSWER


def searched(position: Position, heading: str, limit: float, *, shown: bool) -> Solution:
    """Solve a position in one search, with its progress on the terminal."""
    text = f"{heading}: searching, at most {limit:g} s"
    with waiting(text, shown=shown) as say:
        return position.game.solving.solve(position, limit, lambda done: say(f"{text}; {done}"))


def solve_first_moves(
    first: FirstMoves, jobs: int, store: str | None, limit: float | None, *, shown: bool
) -> Solution:
    """Solve the first moves of a start that the store lacks, and add their values to the store."""
    from ludograph.arena.solved import Known, SolvedStore

    limit = SECONDS if limit is None and store is None else limit
    known = Known()
    if store is not None:
        with SolvedStore(store, first.title) as kept:  # closed again before processes are forked
            known = kept.known()
    total = len(first.moves)
    if len(known.values) < total:
        if known.values and shown:
            were = f"{len(known.values)} of {total} first moves"
            click.echo(f"{were} were solved before", err=True)
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
    from ludograph.arena.solved import solve_moves
    from ludograph.cli.executors import jobs_here

    deadline = None if limit is None else time.perf_counter() + limit
    count, total = len(known.values), len(first.moves)
    jobs = jobs_here(jobs, total - count)
    proofs = solve_moves(first, known, store=store, jobs=jobs, deadline=deadline)
    with (
        contextlib.closing(proofs),
        progress(total, "first moves", shown=shown, done=count) as advance,
    ):
        for solved in proofs:
            count = len(known.values)
            advance(solved_line(solved), count)
            if shown and not on_terminal():
                click.echo(f"{count} of {total}: {solved_line(solved)}", err=True)


def solved_line(solved: SolvedMove) -> str:
    """Return the value of a first move, and the cost of its proof."""
    value = safe(solved.values[solved.move])
    took = f"{counted(solved.nodes, 'position')} in {seconds(solved.seconds)}"
    others = len(solved.values) - 1
    too = f" and {others} more" if others else ""
    return f"{safe(solved.move)} {value}{too}, {took}"


def prove_record(game: Declaration, file: str, limit: float, *, quiet: bool, as_json: bool) -> int:
    """Write the first losing move of a recorded game of two; return the exit code."""
    from ludograph.analysis.proofs import prove

    record = recorded_game(game, file)
    text = f"{safe(file)}: searching, at most {limit:g} s"
    with waiting(text, shown=not (quiet or as_json)) as say:
        proof = prove(record, limit, lambda done: say(f"{text}; {done}"))
    if as_json:
        show_json({"record": file, **proof_data(proof)})
    else:
        names = record.names
        for move in proof.moves if not quiet else ():
            if move.verdict:
                player = f"{safe(names[move.seat])} (seat {move.seat})"
                click.echo(f"ply {move.ply}: {player} plays {move.text}; {move.verdict}")
        click.echo(proof_sentence(proof, names))
        if not quiet:
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
