"""``ludograph why``: where a recorded game was lost, and what would have been better."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import PICTURE_FILE, SEED, SHARE
from ludograph.cli.program import Command, argument, complain, option
from ludograph.cli.progress import progress
from ludograph.cli.texts import safe, seconds
from ludograph.games.options import Seconds, Whole
from ludograph.protocols.formats import read_game
from ludograph.views.columns import fit
from ludograph.views.table import Table

if TYPE_CHECKING:
    from ludograph.analysis import Analysis, Candidate, MoveAnalysis

EPILOG = """\
Examples:
  ludograph flood --record game.jsonl mcts greedy
  ludograph why game.jsonl                       where was it lost?
  ludograph why game.jsonl --time 2 --total 300  the same, looked at more closely
  ludograph why game.jsonl --svg why.svg         the curves as a picture
  ludograph why game.jsonl --sims 1000           the same answer each time
"""

TIME = 0.2
COLUMNS = 79


@click.command("why", cls=Command, short_help="Tell where a recorded game was lost.", epilog=EPILOG)
@argument("file", metavar="FILE")
@option("Search", "--time", "limit", type=Seconds(0.001, 3600), help="Per position; 0.2.")
@option("Search", "--total", type=Seconds(0.1, 1e6), help="For the whole game at most; 60.")
@option("Search", "--sims", type=Whole(1, 10**9), help="Simulations instead of seconds.")
@option("Search", "--seed", type=SEED, default=0, help="Of the search; 0 if not given.")
@option("Search", "--lost", type=SHARE, default=0.2, help="The value that is lost; 0.2.")
@option("Output", "--svg", type=PICTURE_FILE, help="Write the curves as a picture.")
@option("Output", "-q", "--quiet", is_flag=True, help="Write neither curves nor progress.")
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
def why(
    file: str,
    limit: float | None,
    total: float | None,
    sims: int | None,
    seed: int,
    lost: float,
    svg: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Tell where a recorded game was lost: values, times, the worst move of each and a better one.

    The game's own 'mcts' searches every position. Values are from 0, lost, to 1, won.
    """
    if sims is not None and (limit is not None or total is not None):
        raise click.UsageError("--sims counts instead of seconds: without --time and --total")
    from ludograph.analysis import analyze, most_searches
    from ludograph.analysis.curves import panels
    from ludograph.analysis.evaluation import analysis_data
    from ludograph.rules.announcer import announcer

    record = read_game(file)
    announcer.prepare(f"mcts for {record.start.game.name}")
    if record.warning:
        complain(record.warning)
    if not any(event.seat is not None for event in record.events):
        raise click.UsageError(f"{file}: nobody has moved in this game, so nothing was lost by it")
    if sims is None:
        limit, total = limit or TIME, total or 60.0
    with progress(most_searches(record), "searches", shown=not quiet and not as_json) as advance:
        analysis = analyze(
            record, time=limit, sims=sims, total=total, seed=seed, on_search=lambda: advance("")
        )
    names = [safe(name) for name in record.names]
    if svg is not None:
        from ludograph.documents import write_bytes
        from ludograph.views import chart

        heading = f"{_heading(analysis)}: {safe(record.sentence)}"
        write_bytes(svg, chart.svg(panels(analysis, names), heading).encode())
    if as_json:
        found = analysis_data(analysis, names, lost, record.sentence)
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    if not quiet:
        show_curves(analysis, names)
    for line in report(analysis, names, lost):
        click.echo(line)
    if svg is not None:
        click.echo(f"wrote {svg}")


def _heading(analysis: Analysis) -> str:

    return safe(analysis.record.start.title())


def show_curves(analysis: Analysis, names: list[str]) -> None:
    """Draw the curves with letters."""
    from ludograph.analysis.curves import panels
    from ludograph.cli.terminal.screen import Screen
    from ludograph.views import chart

    columns = min(Screen.size()[0] - 1, 120) if sys.stdout.isatty() else COLUMNS
    click.echo(_heading(analysis))
    drawn = panels(analysis, names)
    click.echo("\n".join(fit(curve.name, columns) for curve in drawn[0].curves))
    for panel in drawn:
        click.echo("\n" + "\n".join(chart.text(panel, columns)))
    click.echo()


def report(analysis: Analysis, names: list[str], lost: float) -> list[str]:
    """Return what is to be said: times, who was lost from when on, the worst moves."""
    heads = ["player", "moves", "time a move", "longest", "worst move"]
    rows = []
    for seat, name in enumerate(names):
        own = analysis.of(seat)
        times = [each.seconds for each in own] or [0.0]
        worst = analysis.worst[seat]
        last = f"ply {worst.ply}, -{worst.drop:.2f}" if worst and worst.better else "none"
        mean = seconds(sum(times) / len(times))
        rows.append([f"{name} (seat {seat})", str(len(own)), mean, seconds(max(times)), last])
    lines = [*Table(heads, rows).plain(), ""]
    for seat, name in enumerate(names):
        lines += _fate(analysis, seat, f"{name} (seat {seat})", lost)
    for each in analysis.moves:
        if each.missed is not None and each is not analysis.worst[each.seat]:
            lines.append(_missed(each, each.missed, f"{names[each.seat]} (seat {each.seat})"))
    for seat, name in enumerate(names):
        worst = analysis.worst[seat]
        if worst is not None:
            lines.append(_better(worst, f"{name} (seat {seat})"))
    return [*lines, safe(analysis.record.sentence)]


def _fate(analysis: Analysis, seat: int, name: str, lost: float) -> list[str]:
    """Return from when on a seat was lost, as far as it was."""
    if analysis.seats == 1:
        return []
    at, proven = analysis.lost_at(seat, lost), analysis.proven_lost_at(seat)
    said = []
    if at is not None:
        said.append(f"{name} stays below {lost:g} {_after(at)}.")
    if proven is not None:
        said.append(f"{name} is proven lost {_after(proven)}.")
    return said


def _after(ply: int) -> str:
    return "from the start" if ply == 0 else f"from ply {ply} on"


def _missed(each: MoveAnalysis, better: Candidate, name: str) -> str:
    """Return what was open to a seat only then, and would have been better."""
    return (
        f"{name} at ply {each.ply} could {better.text}, worth {better.value:.2f}; "
        f"{each.played}, which it played, is worth {each.after:.2f}."
    )


def _better(worst: MoveAnalysis, name: str) -> str:
    """Return what a search would have played instead of the worst move."""
    best, *others = worst.candidates
    if worst.better is None:
        return f"{name} played nothing for which the longer search has something better."
    said = f"{name} at ply {worst.ply} played {worst.played}, worth {worst.after:.2f}; "
    also = ", ".join(f"{each.text} {each.value:.2f}" for each in others)
    return (
        f"{said}mcts plays {best.text}, worth {best.value:.2f}{f' (then {also})' if also else ''}."
    )
