"""``ludograph solve``: what best play leads to."""

from __future__ import annotations

import json
import secrets
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ludograph.cli.flood_setting import FloodSetting, flood_options
from ludograph.cli.program import Command, Group, option
from ludograph.cli.solve_hex import solve_hex
from ludograph.cli.solve_penguins import solve_penguins
from ludograph.cli.texts import amount, seconds
from ludograph.cli.values import SEED, Seconds, Whole

if TYPE_CHECKING:
    from ludograph.games import Position

NO_ANSWER = 1
"""The exit code where the time was over first."""

EPILOG = """\
Examples:
  ludograph solve flood -m 4 -c 4              who wins, the seat that starts or the other?
  ludograph solve flood -m 10 -c 4 --seats 1   the fewest moves to make the board one color

The exit code is 1 where the time is over before anything is proven.
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found out.

    Attributes
    ----------
    text
        One sentence.
    verdict
        ``win``, ``draw`` or ``loss`` for seat 0; ``solved`` or ``unsolvable`` alone;
        or ``unknown``.
    line
        Best moves from the start.
    """

    text: str
    verdict: str
    line: tuple[int, ...]
    nodes: int
    seconds: float


@click.group("solve", cls=Group, short_help="Tell what best play leads to.")
def solve() -> None:
    """Tell what best play leads to, with a proof; for small games."""


@solve.command("flood", cls=Command, short_help="Solve a game of Flood.", epilog=EPILOG)
@flood_options
@option("Search", "--seats", type=Whole(1, 2), default=2, help="1 alone, or 2 (if not given).")
@option("Search", "--seed", type=SEED, help="Fixes board and colors; drawn if not given.")
@option(
    "Search", "--time", "limit", type=Seconds(0.01, 1e6), default=60.0, help="Seconds at most; 60."
)
@option("Output", "-q", "--quiet", is_flag=True, help="Write the answer only.")
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
def solve_flood(
    setting: FloodSetting,
    seats: int,
    seed: int | None,
    limit: float,
    quiet: bool,
    as_json: bool,
) -> None:
    """Tell who wins a game of Flood if both play their best, or solve a board alone."""
    from ludograph.cli.playing import heading_of
    from ludograph.views import plain

    seed = secrets.randbelow(1_000_000) if seed is None else seed
    position = setting.position(setting.board(), seats, seed)
    heading = heading_of(position, [*setting.details(), f"seed {seed}"])
    if not quiet and not as_json:
        click.echo(f"{plain.text(position.game.scene(position))}\n{heading}")
    if not quiet and sys.stderr.isatty():
        click.echo(f"searching, at most {limit:g} s ...", err=True)
    answer = shortest(position, limit) if seats == 1 else best_play(position, limit)
    moves = [position.text(move) for move in answer.line]
    if as_json:
        data = {
            "heading": heading,
            "seed": seed,
            "verdict": answer.verdict,
            "line": moves,
            "nodes": answer.nodes,
            "seconds": round(answer.seconds, 6),
            "result": answer.text,
        }
        click.echo(json.dumps(data))
    else:
        click.echo(answer.text)
        if moves and not quiet:
            click.echo(f"Best line: {' '.join(moves)}")
        if not quiet:
            positions = amount(answer.nodes, "position")
            click.echo(f"({positions} searched in {seconds(answer.seconds)})")
    if answer.verdict == "unknown":
        click.get_current_context().exit(NO_ANSWER)


solve.add_command(solve_hex)
solve.add_command(solve_penguins)


def best_play(position: Position, limit: float) -> Answer:
    """Prove who wins a game of two seats."""
    from ludograph.search import proof

    if position.is_over:
        return Answer("The game is over before the first move.", "unknown", (), 0, 0.0)
    found = proof.solve(position.setup, position.state, nodes=None, time=limit)
    verdict = found.verdict
    if verdict == "unknown":
        text = f"Nothing is proven after {limit:g} s; --time gives more."
        return Answer(text, verdict, (), found.nodes, found.seconds)
    end = position.copy()
    for move in found.line:
        end.play(move)
    scores = " to ".join(str(int(score)) for score in end.scores())
    texts = {
        "win": "Seat 0, which moves first, wins with best play",
        "loss": "Seat 1, which moves second, wins with best play",
        "draw": "Best play leads to a draw",
    }
    shown = f", for instance {scores}" if end.is_over else ""
    return Answer(f"{texts[verdict]}{shown}.", verdict, found.line, found.nodes, found.seconds)


def shortest(position: Position, limit: float) -> Answer:
    """Prove the fewest moves that solve a solo game."""
    from ludograph.games.flood.solo import solve_optimal

    found = solve_optimal(position.setup, position.state, seconds=limit)
    count = amount(len(found.moves), "move")
    if not found.solves:
        text, verdict = "The board cannot be solved: a forbidden color is needed.", "unsolvable"
    elif found.proven:
        text, verdict = f"The board is solved in {count}, and in no fewer.", "solved"
    else:
        text = f"{count} solve the board, at least {found.lower_bound} are needed; --time may tell."
        verdict = "unknown"
    return Answer(text, verdict, found.moves, found.nodes, found.seconds)
