"""``ludograph solve``: what best play leads to."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.game_options import GamesGroup, chosen, game_subcommand, split
from ludograph.cli.option_types import JOBS, SEED
from ludograph.cli.program import option
from ludograph.cli.progress import waiting
from ludograph.cli.texts import amount, safe, seconds
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Seconds, Whole
from ludograph.games.registry import declaration

if TYPE_CHECKING:
    from ludograph.analysis.proofs import Proof, Value
    from ludograph.games import Position
    from ludograph.games.solution import Solution
    from ludograph.referee import Record

SECONDS = 60.0
"""To search at most, if nothing else is said."""

NO_ANSWER = 1
"""The exit code where the time was over first."""

EXAMPLES = """\
  ludograph solve {name}                                    the small game that is meant if none is
  ludograph solve {name} --record game.jsonl --ply 40       who wins from there on?
  ludograph solve {name} --record game.jsonl                which was the first losing move?

The exit code is 1 where the time is over before anything is proven.
"""


class SolveGroup(GamesGroup):
    """A command for every game that can be solved."""

    def subcommand(self, game: Declaration) -> click.Command:
        """Return the command of a game."""
        return solve_command(game)

    def takes(self, name: str) -> bool:
        """Tell whether a game can be solved."""
        return declaration(name).solving is not None


@click.group("solve", cls=SolveGroup, short_help="Tell what best play leads to.")
def solve() -> None:
    """Tell what best play leads to, with a proof; for small games."""


OPTIONS = (
    option("Game", "--seats", type=Whole(1, 64), help="How many play; two where it can be."),
    option("Game", "--record", metavar="FILE", help="A recorded game of two, ply by ply."),
    option("Game", "--ply", type=Whole(0, 10**9), help="Its position after so many moves only."),
    option("Search", "--seed", type=SEED, help="For what is drawn; drawn itself if not given."),
    option(
        "Search",
        "--time",
        "limit",
        type=Seconds(0.01, 1e6),
        help="Seconds at most; 60 if not given, with --store no limit.",
    ),
    option(
        "Search", "-j", "--jobs", type=JOBS, help="First moves solved at a time; 1 if not given."
    ),
    option(
        "Search",
        "--store",
        metavar="FILE",
        help="Keep each first move that is solved there; the same command goes on.",
    ),
    option("Output", "-q", "--quiet", is_flag=True, help="Write the answer only."),
    option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object."),
)


def solve_command(game: Declaration) -> click.Command:
    """Return ``ludograph solve NAME``."""

    def command(words: tuple[str, ...], **options: Any) -> None:
        given, rest = split(game, options)
        given, left = game.leading(words, given)
        if left:
            raise click.UsageError(f"nothing can follow the board, got {left[0][:80]!r}")
        run(game, given, **rest)

    command.__doc__ = f"""Tell what best play leads to in a game of {game.name.capitalize()}.

    The position of a recorded game may be given instead of options.
    """
    return game_subcommand(
        game,
        command,
        OPTIONS,
        short_help=f"Solve a game of {game.name.capitalize()}.",
        examples=EXAMPLES,
    )


def run(
    game: Declaration,
    given: Values,
    *,
    seats: int | None,
    record: str | None,
    ply: int | None,
    seed: int | None,
    limit: float | None,
    jobs: int | None,
    store: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Solve a position and tell the answer."""
    from ludograph.rules.announcer import announcer

    in_parts = "--store" if store is not None else "-j" if jobs is not None else None
    announcer.prepare(f"to solve {game.name}")
    if record is None:
        if ply is not None:
            raise click.UsageError("--ply is for a recorded game, so it needs --record")
        values = chosen(game, given, dict(game.solving or {}))
        position, details, data = beginning(game, values, seats, seed)
    else:
        if given or any(one is not None for one in (seats, seed, in_parts)):
            raise click.UsageError("--record brings its own game, so it stands without options")
        if ply is None and prove(game, record, limit or SECONDS, quiet=quiet, as_json=as_json):
            return
        position, details, data = recorded(game, record, ply or 0)
    from ludograph.views import plain

    heading = position.title(details)
    if in_parts is not None:
        found = by_first_moves(position, in_parts, store, jobs, limit, quiet or as_json)
    else:
        found = searched(position, heading, limit or SECONDS, quiet or as_json)
    if not quiet and not as_json:
        click.echo(f"{plain.text(position.game.scene(position))}\n{heading}")
    moves = [position.text(move) for move in found.line]
    if as_json:
        click.echo(json.dumps({"heading": heading, **data, **as_data(found, moves)}))
    else:
        tell(found, moves, quiet)
    if not found.proven:
        click.get_current_context().exit(NO_ANSWER)


def searched(position: Position, heading: str, limit: float, silent: bool) -> Solution:
    """Solve a position, and show how far it is."""
    text = f"{heading}: searching, at most {limit:g} s"
    with waiting(text, shown=not silent) as say:
        return position.game.solve(position, limit, lambda done: say(f"{text}; {done}"))


def by_first_moves(
    position: Position,
    in_parts: str,
    store: str | None,
    jobs: int | None,
    limit: float | None,
    silent: bool,
) -> Solution:
    """Solve a start by its first moves; ``in_parts`` is the option that asks for that."""
    from ludograph.cli.solving_moves import solve_first_moves

    if limit is None and store is None:
        limit = SECONDS
    first = position.game.first_moves(position)
    if first is None:
        raise click.UsageError(
            f"{in_parts} is for games that are solved by their first moves, not for "
            f"{position.game.name}"
        )
    return solve_first_moves(first, store, jobs, limit, shown=not silent)


def prove(game: Declaration, file: str, limit: float, *, quiet: bool, as_json: bool) -> bool:
    """Tell the first losing move of a recorded game; return whether it is one that can be proven.

    Of games of more than two only single positions are solved.
    """
    from ludograph.analysis.proofs import prove as prove_record

    record = record_of(game, file)
    if record.start.seats != 2:
        return False
    text = f"{safe(file)}: searching, at most {limit:g} s"
    with waiting(text, shown=not quiet and not as_json) as say:
        proof = prove_record(record, limit, lambda done: say(f"{text}; {done}"))
    if as_json:
        click.echo(json.dumps({"record": file, **proof_data(proof)}))
    else:
        names = record.names
        for move in proof.moves if not quiet else ():
            if move.verdict:
                who = f"{safe(names[move.seat])} (seat {move.seat})"
                click.echo(f"ply {move.ply}: {who} plays {move.text}; {move.verdict}")
        click.echo(proof_sentence(proof, names))
        if not quiet:
            click.echo(f"({amount(proof.nodes, 'position')} searched in {seconds(proof.seconds)})")
    if proof.known_from is None:
        click.get_current_context().exit(NO_ANSWER)
    return True


def proof_sentence(proof: Proof, names: list[str]) -> str:
    """Return which move lost the game, as far as that is proven."""
    known, losing = proof.known_from, proof.first_losing
    if known is None:
        return "Nothing is proven; --time gives more."
    since = "" if known == 1 else f" from ply {known} on, before that nothing is proven"
    if losing is None:
        return f"No losing move{since}."
    who = f"{safe(names[losing.seat])} (seat {losing.seat})"
    return f"The first losing move{since}: {losing.text}, by {who} at ply {losing.ply}."


def proof_data(proof: Proof) -> Values:
    """Return what is proven of a game for programs."""
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


def tell(found: Solution, moves: list[str], quiet: bool) -> None:
    """Write the answer for people."""
    click.echo(found.text)
    if not quiet:
        if moves:
            click.echo(f"Best line: {' '.join(moves)}")
        click.echo(f"({amount(found.nodes, 'position')} searched in {seconds(found.seconds)})")


def as_data(found: Solution, moves: list[str]) -> Values:
    """Return the answer for programs."""
    return {
        "verdict": found.verdict,
        **found.data,
        "line": moves,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "result": found.text,
    }


def beginning(
    game: Declaration, values: Values, seats: int | None, seed: int | None
) -> tuple[Position, list[str], Values]:
    """Return the start of a game, what the title says of it, and what the data say."""
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    position = game.game().position(seats=seats, seed=seed, **values)
    return position, [*game.title(values), f"seed {seed}"], {"seed": seed}


def record_of(game: Declaration, file: str) -> Record:
    """Return a recorded game, which must be one of this game."""
    from ludograph.protocols.formats import read_game

    record = read_game(file)
    name = record.start.game.name
    if name != game.name:
        raise click.UsageError(f"{file} is a game of {name}, not of {game.name}")
    return record


def recorded(game: Declaration, file: str, ply: int) -> tuple[Position, list[str], Values]:
    """Return the same of a recorded game at a ply, and the seats eliminated by then."""
    record = record_of(game, file)
    if ply > record.plies:
        raise click.UsageError(f"--ply must be 0 to {record.plies} in this game, got {ply}")
    *_, position = (each.copy() for each, _ in record.positions() if each.ply == ply)
    return position, [f"ply {ply} of {safe(file)}"], {"record": file, "ply": ply}
