"""``ludograph solve penguins``: best play of small games and of ends of games, to the last fish."""

from __future__ import annotations

import json
import secrets
import sys
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.penguins_setting import board_option, read_setting
from ludograph.cli.program import Command, option
from ludograph.cli.texts import amount, seconds
from ludograph.cli.values import SEED, Seconds, Whole

if TYPE_CHECKING:
    from ludograph.games import Position
    from ludograph.games.penguins.solving import Solution

NO_ANSWER = 1
"""The exit code where the time was over first."""

EPILOG = """\
Examples:
  ludograph solve penguins 1 full-hexa 4 4                  who wins a small game?
  ludograph solve penguins --record game.jsonl --ply 40     who wins from there on?

The exit code is 1 where the time is over before anything is proven.
"""


@click.command(
    "penguins",
    cls=Command,
    short_help="Solve Penguins, to the last fish.",
    epilog=EPILOG,
    options_metavar="[OPTIONS]",
)
@click.argument("words", nargs=-1, metavar="[PENGUINS TILING WIDTH HEIGHT]")
@board_option
@option("Board", "--record", metavar="FILE", help="The end of a recorded game instead.")
@option("Board", "--ply", type=Whole(0, 10**9), help="Its position after so many moves; 0.")
@option("Search", "--seed", type=SEED, help="Fixes the fish; drawn if not given.")
@option(
    "Search", "--time", "limit", type=Seconds(0.01, 1e6), default=60.0, help="Seconds at most; 60."
)
@option("Output", "-q", "--quiet", is_flag=True, help="Write the answer only.")
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
def solve_penguins(
    words: tuple[str, ...],
    board_file: str | None,
    record: str | None,
    ply: int | None,
    seed: int | None,
    limit: float,
    quiet: bool,
    as_json: bool,
) -> None:
    """Tell what best play of both leads to in a game of Penguins, or in its end.

    PENGUINS is how many each of two players has; TILING, WIDTH and HEIGHT are as in
    'ludograph penguins'. The end of a recorded game may have more players, if nobody can get to
    another's tiles any more.
    """
    from ludograph.cli.playing import heading_of
    from ludograph.games.penguins.solving import check, solve
    from ludograph.views import plain

    if record is None:
        if ply is not None:
            raise click.UsageError("--ply is for a recorded game, so it needs --record")
        position, details, data = beginning(words, board_file, seed)
    else:
        if words or board_file is not None or seed is not None:
            raise click.UsageError("--record has board and fish, so it stands without them")
        position, details, data = recorded(record, ply or 0)
    check(position)
    heading = heading_of(position, details)
    if not quiet and not as_json:
        click.echo(f"{plain.text(position.game.scene(position))}\n{heading}")
    if not quiet and sys.stderr.isatty():
        click.echo(f"searching, at most {limit:g} s ...", err=True)
    found = solve(position, limit)
    text = sentence(position, found, limit)
    moves = [position.text(move) for move in found.line]
    if as_json:
        data = {"heading": heading, **data, **as_data(position, found)}
        click.echo(json.dumps({**data, "line": moves, "result": text}))
    else:
        click.echo(text)
        if moves and not quiet:
            click.echo(f"Best line: {' '.join(moves)}")
        if not quiet:
            positions = amount(found.nodes, "position")
            click.echo(f"({positions} searched in {seconds(found.seconds)})")
    if not found.proven:
        click.get_current_context().exit(NO_ANSWER)


EXAMPLE = ("solve penguins 1", "full-hexa 4 4", "--seed 1")


def beginning(
    words: tuple[str, ...], board_file: str | None, seed: int | None
) -> tuple[Position, list[str], dict[str, Any]]:
    """Return the start of a game of two, what the title says of it, and what the data say."""
    setting, rest = read_setting(words, board_file, EXAMPLE)
    if rest:
        raise click.UsageError(f"nothing can follow the board, got {rest[0][:80]!r}")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    position = setting.position(setting.board(), 2, seed)
    return position, [*setting.details(), f"seed {seed}"], {"seed": seed}


def recorded(file: str, ply: int) -> tuple[Position, list[str], dict[str, Any]]:
    """Return the same of a recorded game after so many moves, and who was eliminated by then."""
    from ludograph.cli.replay import read
    from ludograph.cli.texts import safe

    record = read(file)
    name = record.start.game.name
    if name != "penguins":
        raise click.UsageError(f"{file} is a game of {name}, not of penguins")
    if ply > record.plies:
        raise click.UsageError(f"--ply must be 0 to {record.plies} in this game, got {ply}")
    *_, position = (each.copy() for each, _ in record.positions() if each.ply == ply)
    return position, [f"ply {ply} of {safe(file)}"], {"record": file, "ply": ply}


def sentence(position: Position, found: Solution, limit: float) -> str:
    """Return the answer for people."""
    if found.margin is None:
        return f"Nothing is proven after {limit:g} s; --time gives more."
    if found.fish is None:  # the time was over before the line was complete
        if found.margin == 0:
            return "Best play leads to a draw."
        what = "wins" if found.margin > 0 else "loses"
        who = called(position, position.turn or 0)
        return f"{who} {what} with best play, by {abs(found.margin)} fish."
    most = max(found.fish)
    first = [seat for seat, fish in enumerate(found.fish) if fish == most]
    if len(first) > 1:
        between = f" between seats {' and '.join(map(str, first))}" if position.seats > 2 else ""
        return f"Best play leads to a draw{between}, {most} fish each."
    others = " and ".join(
        str(fish) if fish >= 0 else "none (out)"
        for seat, fish in enumerate(found.fish)
        if seat != first[0]
    )
    return f"{called(position, first[0])} wins with best play, {most} fish to {others}."


def called(position: Position, seat: int) -> str:
    """Return a seat as the subject of a sentence."""
    if position.ply == 0:
        return f"Seat {seat}, which moves {'second' if seat else 'first'},"
    return f"Seat {seat}, which is to move," if seat == position.turn else f"Seat {seat}"


def as_data(position: Position, found: Solution) -> dict[str, Any]:
    """Return the answer for programs; the verdict is that of the seat to move."""
    verdict = "unknown"
    if found.margin is not None:
        verdict = ("draw", "win", "loss")[(found.margin > 0) - (found.margin < 0)]
    return {
        "turn": position.turn,
        "verdict": verdict,
        "margin": found.margin,
        "fish": found.fish,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
    }
