"""``ludograph why``: where a recorded game was lost: values, times, worst moves and better ones."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.option_types import PICTURE_FILE, SEED
from ludograph.cli.program import Command, argument, complain, option, output
from ludograph.cli.progress import progress
from ludograph.cli.shared_options import AS_JSON
from ludograph.cli.texts import safe, show_json
from ludograph.formatting import seconds
from ludograph.games.options import Seconds, Whole
from ludograph.views.columns import fit
from ludograph.views.table import Column, Columns, Table, left

if TYPE_CHECKING:
    from ludograph.analysis import Analysis, Candidate, MoveAnalysis
    from ludograph.referee import Record

search = partial(option, "Search")

TIME = 0.2
"""The default time for each position, in seconds."""

TOTAL = 60.0
"""The default time for a whole game, in seconds."""

COLUMNS = 79
"""The width of curves that are not drawn in a terminal."""

EPILOG = """\
Examples:
  ludograph flood --record game.jsonl mcts greedy
  ludograph why game.jsonl                       where was it lost?
  ludograph why game.jsonl --time 2 --total 300  search each position longer
  ludograph why game.jsonl --svg why.svg         the curves as a picture
  ludograph why game.jsonl --sims 1000           the same answer each time
"""


@click.command("why", cls=Command, epilog=EPILOG)
@argument("file", metavar="FILE")
@search("--time", "limit", type=Seconds(0.001, 3600), help="Seconds per position (default: 0.2).")
@search("--total", type=Seconds(0.1, 1e6), help="Seconds for the whole game (default: 60).")
@search("--sims", type=Whole(1, 10**9), help="Simulations per position, instead of --time.")
@search("--seed", type=SEED, default=0, help="Seed of the search.")
@output("--svg", type=PICTURE_FILE, help="Write the curves as a picture.")
@output("-q", "--quiet", is_flag=True, help="Write neither curves nor progress.")
@AS_JSON
def why(
    file: str,
    limit: float | None,
    total: float | None,
    sims: int | None,
    seed: int,
    svg: Path | None,
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    """Explain where a recorded game was lost: values, times, the worst moves and better moves.

    The strategy 'mcts' of the game searches every position. A value is from 0 (lost) to 1 (won).
    """
    from ludograph.analysis.curve import analysis_data, panels
    from ludograph.documents import write_bytes
    from ludograph.protocols.formats import read_game
    from ludograph.rules.announcer import announcer
    from ludograph.views import chart

    if sims is not None and (limit or total):
        raise click.UsageError("--sims replaces seconds, so leave out --time and --total")
    record = read_game(file)
    announcer.prepare(f"mcts for {record.start.game.name}")
    if record.warning:
        complain(record.warning)
    if not any(event.seat is not None for event in record.events):
        raise click.UsageError(f"{file}: there is no move in this game to analyze")
    if sims is None:
        limit, total = limit or TIME, total or TOTAL
    analysis = analyzed(
        record, time=limit, sims=sims, total=total, seed=seed, shown=not (quiet or as_json)
    )
    names = [safe(name) for name in record.names]
    if svg is not None:
        heading = safe(f"{record.start.title()}: {record.sentence}")
        write_bytes(svg, chart.svg(panels(analysis, names), heading).encode())
    if as_json:
        data = analysis_data(analysis, names, record.sentence)
        show_json(data)
        return
    if not quiet:
        show_curves(analysis, names)
    for line in report(analysis, names):
        click.echo(line)
    if svg is not None:
        click.echo(f"wrote {svg}")


def analyzed(record: Record, *, shown: bool, **search: Any) -> Analysis:
    """Return the values of all positions of a game, with progress on the terminal."""
    from ludograph.analysis import analyze, most_searches

    with progress(most_searches(record), "searches", shown=shown) as advance:
        return analyze(record, **search, on_search=lambda: advance(""))


def show_curves(analysis: Analysis, names: list[str]) -> None:
    """Draw the curves with letters."""
    from ludograph.analysis.curve import panels
    from ludograph.cli.terminal import size
    from ludograph.views import chart

    columns = min(size()[0] - 1, 120) if sys.stdout.isatty() else COLUMNS
    click.echo(safe(analysis.record.start.title()))
    drawn = panels(analysis, names)
    click.echo("\n".join(fit(curve.name, columns) for curve in drawn[0].curves))
    for panel in drawn:
        click.echo("\n" + "\n".join(chart.text(panel, columns)))
    click.echo()


def report(analysis: Analysis, names: list[str]) -> list[str]:
    """Return the lines of the report: times, plies from which seats were lost, worst moves."""
    columns: Columns = [left("player"), "moves", "time a move", "longest"]
    columns.append(Column("worst move", str))
    rows = []
    for seat, name in enumerate(names):
        own = analysis.of(seat)
        times = [each.seconds for each in own] or [0.0]
        worst = analysis.worst[seat]
        last = f"ply {worst.ply}, {-worst.drop:z.2f}" if worst and worst.better else "none"
        mean = seconds(sum(times) / len(times))
        rows.append([f"{name} (seat {seat})", len(own), mean, seconds(max(times)), last])
    lines = [*Table(columns, rows).plain(), ""]
    for seat, name in enumerate(names):
        lines += _lost_plies(analysis, seat, f"{name} (seat {seat})")
    for each in analysis.moves:
        if each.missed is not None and each is not analysis.worst[each.seat]:
            lines.append(_missed(each, each.missed, f"{names[each.seat]} (seat {each.seat})"))
    for seat, name in enumerate(names):
        worst = analysis.worst[seat]
        if worst is not None:
            lines.append(_better(worst, f"{name} (seat {seat})"))
    return [*lines, safe(analysis.record.sentence)]


def _lost_plies(analysis: Analysis, seat: int, name: str) -> list[str]:
    """Return the sentences about the plies from which a seat was lost, and was proven lost."""
    from ludograph.analysis.curve import LOST

    if analysis.seats == 1:
        return []
    at, proven = analysis.lost_at(seat), analysis.proven_lost_at(seat)
    lines = _turning_point(analysis, seat, name) if analysis.seats == 2 else []
    if at is not None and (proven is None or at < proven):
        lines.append(f"{name} stays below {LOST:g} {_after(at)}.")
    if proven is not None:
        lines.append(f"{name} is proven lost {_after(proven)}.")
    return lines


def _turning_point(analysis: Analysis, seat: int, name: str) -> list[str]:
    """Return the sentence about the move by which one of two players fell behind for good."""
    from ludograph.analysis.curve import EVEN

    behind, curve = analysis.lost_at(seat, EVEN), analysis.curve(seat)
    if behind is None:
        return []
    before = [value for ply, value in curve if ply < behind]
    after = next(value for ply, value in curve if ply >= behind)
    if not before:
        text = f"{name} is behind from the start, with value {after:z.2f}"
        own = analysis.of(seat)
        if own and own[0].candidates:
            best = own[0].candidates[0]
            text += f"; its best opening, {best.text} at ply {own[0].ply}, "
            text += f"is worth {best.value:z.2f}"
        return [f"{text}."]
    fall = f"from {before[-1]:z.2f} to {after:z.2f}"
    move = next((each for each in analysis.moves if each.ply == behind), None)
    if move is None:
        return [
            f"The turning point is ply {behind}: the outcome of chance changes the value of {name} "
            f"{fall}."
        ]
    if move.seat != seat:
        text = f"{move.played} by seat {move.seat} changes the value of {name} {fall}"
        return [f"The turning point is ply {behind}: {text}."]
    text = f"{name} plays {move.played}, and its value falls {fall}"
    if move.better is not None:
        text += f"; {move.better.text} is worth {move.better.value:z.2f}"
    return [f"The turning point is ply {behind}: {text}."]


def _after(ply: int) -> str:
    return "from the start" if ply == 0 else f"from ply {ply} on"


def _missed(each: MoveAnalysis, better: Candidate, name: str) -> str:
    """Return the sentence about a better move that a seat missed, possible only at that ply."""
    return (
        f"{name} could {better.text} at ply {each.ply}, worth {better.value:z.2f}; "
        f"{each.played}, which it played, is worth {each.after:z.2f}."
    )


def _better(worst: MoveAnalysis, name: str) -> str:
    """Return the sentence about the move that a search plays instead of the worst move."""
    best, *others = worst.candidates
    if best.move == worst.move:
        return (
            f"{name} lost most at ply {worst.ply}, by {worst.played}; mcts plays the same move "
            "and finds its cost only later."
        )
    if worst.better is None:
        return (
            f"{name} lost most at ply {worst.ply}, by {worst.played}, worth {worst.after:z.2f}; "
            "mcts finds no move that is worth more."
        )
    played = f"{name} at ply {worst.ply} played {worst.played}, worth {worst.after:z.2f}"
    values = [(worst.after if one.move == worst.move else one.value, one.text) for one in others]
    values.sort(key=lambda known: -known[0])
    also = ", ".join(f"{text} {value:z.2f}" for value, text in values)
    then = f" (then {also})" if also else ""
    return f"{played}; mcts plays {best.text}, worth {best.value:z.2f}{then}."
