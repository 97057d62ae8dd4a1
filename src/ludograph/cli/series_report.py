"""The report of a series: its counts, its sentence, its tables, its JSON object, its faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ludograph.arena.rendering import forfeits_text
from ludograph.cli.player_output import tell_log
from ludograph.cli.texts import safe, seconds, show_table
from ludograph.counting import counted
from ludograph.quoting import one_line

if TYPE_CHECKING:
    from ludograph.arena.series import SeriesResult
    from ludograph.arena.series.intervals import Interval
    from ludograph.cli.play.match import MatchPlan


class SeriesReport(NamedTuple):
    """What is reported of a series.

    Attributes
    ----------
    asked
        The number of games that were asked for.
    series
        The games so far.
    """

    plan: MatchPlan
    asked: int
    heading: str
    series: SeriesResult

    @property
    def is_solo(self) -> bool:
        """Whether one player plays alone."""
        return len(self.plan.players) == 1


def tell_faults(report: SeriesReport) -> None:
    """Write to standard error how players failed first, with what they printed then."""
    games, logged = report.series.games, set()
    if games and report.series.forfeited == games:
        every = "the game was forfeited" if games == 1 else f"all {games} games were forfeited"
        click.echo(f"{every}: none was played to its end", err=True)
    kinds = (
        (report.series.first_faults, "the first {}"),
        (report.series.first_finish_faults, "{}"),
    )
    for firsts, called in kinds:
        for (place, reason), first in firsts.items():
            tally = report.series.players[place]
            line = f"{tally.name}, {called.format(reason)}"
            if firsts is report.series.first_finish_faults:
                times = counted(tally.finish_faults[reason], "game")
                line += f" at the end of {times}, whose result stands"
            click.echo(safe(f"{line}: {one_line(first.message, 400)}"), err=True)
            if first.log not in logged:  # a leak at the end, say, is told once
                logged.add(first.log)
                tell_log(tally.name, first.seat, first.log)


def sentence(report: SeriesReport) -> str:
    """Return a series in one sentence, with the forfeits of every player that has some."""
    lost = "".join(
        f"; {safe(tally.name)} forfeits {forfeits_text(tally.forfeits)}"
        for tally in report.series.players
        if tally.forfeits
    )
    return f"{won(report)}{lost}."


def won(report: SeriesReport) -> str:
    """Return who won how often, or what was solved."""
    games = counted(report.series.games, "game")
    if report.is_solo:
        name = safe(report.series.players[0].name)
        moves = solved_moves(report)
        if moves is None:
            return f"{name} solves none of {games}"
        low, mean, high = moves
        return (
            f"{name} solves {len(report.series.solved)} of {games}, "
            f"in {mean:.2f} moves on average, {low} to {high}"
        )
    wins = [f"{safe(tally.name)} wins {tally.wins.total()}" for tally in report.series.players]
    lost = report.series.games - sum(tally.wins.total() for tally in report.series.players)
    lost -= report.series.drawn
    drawn = f", {report.series.drawn} drawn" if report.series.drawn else ""
    nobody = f", {lost} without a winner" if lost else ""
    return f"{games}: {', '.join(wins)}{drawn}{nobody}"


def solved_moves(report: SeriesReport) -> tuple[int, float, int] | None:
    """Return least, mean and most moves of the solved games; None if there is none."""
    moves = report.series.solved
    return (min(moves), sum(moves) / len(moves), max(moves)) if moves else None


def grid(report: SeriesReport) -> tuple[list[str], list[list[str]]]:
    """Return the table: its heads and a row per player."""
    if report.is_solo:
        tally = report.series.players[0]
        low, mean, high = solved_moves(report) or (0, 0.0, 0)
        heads = ["player", "games", "solved", "fewest", "mean moves", "most", "forfeits", "time"]
        numbers = [
            str(tally.games),
            str(len(report.series.solved)),
            str(low),
            f"{mean:.2f}",
            str(high),
        ]
        return heads, [
            [safe(tally.name), *numbers, forfeits_text(tally.forfeits), seconds(tally.mean_seconds)]
        ]
    seats = range(len(report.series.players))
    heads = ["player", "wins", *(f"on seat {seat}" for seat in seats)]
    heads += ["draws", "losses", "forfeits", "time"]
    rows = []
    for tally in report.series.players:
        counts = [tally.wins.total(), *(tally.wins[seat] for seat in seats)]
        counts += [tally.draws, tally.losses]
        last = [forfeits_text(tally.forfeits), seconds(tally.mean_seconds)]
        rows.append([safe(tally.name), *map(str, counts), *last])
    return heads, rows


def intervals(report: SeriesReport) -> tuple[list[str], list[list[str]]]:
    """Return the table of points and scores, with their intervals."""
    heads = ["player", "points", "95 %", "mean score", "95 %"]
    rows = []
    for tally, points, score in zip(
        report.series.players, report.series.points(), report.series.scores(), strict=True
    ):
        share = [f"{100 * points.mean:.1f} %", bounds(points, 100.0, 1)]
        rows.append([safe(tally.name), *share, f"{score.mean:.2f}", bounds(score, 1.0, 2)])
    if report.is_solo:
        return [heads[0], *heads[3:]], [[row[0], *row[3:]] for row in rows]
    return heads, rows


def bounds(interval: Interval, unit: float, digits: int) -> str:
    """Return the bounds of an interval."""
    if interval.low is None or interval.high is None:
        return "-"
    return f"{unit * interval.low:.{digits}f} to {unit * interval.high:.{digits}f}"


def show_counts(report: SeriesReport) -> None:
    """Write the tables, with rules in a terminal; time is the mean per move."""
    click.echo(f"{safe(report.heading)}, {counted(report.series.games, 'game')}")
    show_table(*grid(report))
    if report.series.games:
        click.echo()
        show_table(*intervals(report))


def data(report: SeriesReport) -> dict[str, Any]:
    """Return a series as JSON-able data."""
    plan, options, result = report.plan, report.plan.options, report.series
    found: dict[str, Any] = {
        "game": plan.game.name,
        "heading": report.heading,
        "seed": plan.seed.data,
        "starter": "turns" if plan.starter is None else plan.starter,
        "clock": options.clock and options.clock.text,
        "foreign_clock": options.foreign_clock and options.foreign_clock.text,
        "asked": report.asked,
        "games": result.games,
        "plies": result.plies,
        "players": [
            {
                "player": spec.text,
                "name": tally.name,
                "games": tally.games,
                "wins": {str(seat): tally.wins[seat] for seat in range(len(result.players))},
                "draws": tally.draws,
                "losses": tally.losses,
                "forfeits": dict(tally.forfeits),
                "first_faults": {
                    reason: first.message
                    for (place, reason), first in result.first_faults.items()
                    if result.players[place] is tally
                },
                "finish_faults": dict(tally.finish_faults),
                "mean_time": round(tally.mean_seconds, 9),
                **({"points": rounded(points), "score": rounded(score)} if result.games else {}),
            }
            for spec, tally, points, score in zip(
                plan.players,
                result.players,
                result.points(),
                result.scores(),
                strict=True,
            )
        ],
        "result": sentence(report),
    }
    if report.is_solo:
        for key in ("wins", "draws", "losses", "points"):
            found["players"][0].pop(key, None)
        low, mean, high = solved_moves(report) or (None, None, None)
        found["moves"] = {
            "solved": len(result.solved),
            "min": low,
            "mean": mean,
            "max": high,
        }
    return found


def rounded(interval: Interval) -> dict[str, float | None]:
    """Return an interval as JSON-able data."""
    return {
        key: None if bound is None else round(bound, 6)
        for key, bound in zip(("mean", "low", "high"), interval, strict=True)
    }
