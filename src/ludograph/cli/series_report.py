"""The report of a series: its counts, its sentence, its tables, its JSON object, its faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ludograph.arena.intervals import of_points, of_starts
from ludograph.arena.rendering import forfeits_text
from ludograph.cli.player_output import tell_log
from ludograph.cli.texts import amount, safe, seconds, show_table
from ludograph.quoting import one_line

if TYPE_CHECKING:
    from ludograph.arena.intervals import Interval
    from ludograph.arena.series import SeriesResult
    from ludograph.arena.series.game_rows import GameRow
    from ludograph.arena.series.series import PlayerTally
    from ludograph.cli.play.match import MatchPlan


class First(NamedTuple):
    """The first fault of a kind: its message, and what the player printed in that game."""

    message: str
    seat: int
    log: str


@dataclass(slots=True)
class Count:
    """A series so far: the tallies of the players, and what they do not hold.

    Attributes
    ----------
    rows
        The games, in their order.
    solved
        The moves of each solved solo game.
    drawn
        Games that ended by the rules without a winner.
    first_faults
        By the place of a player and the reason, the first such fault.
    first_finish_faults
        Likewise, of faults at the end of a game, which changed no result.
    forfeited
        Games that a forfeit has ended.
    found
        Games that an earlier run has left.
    """

    plan: MatchPlan
    asked: int
    heading: str
    series: SeriesResult
    rows: list[GameRow] = field(default_factory=list)
    solved: list[int] = field(default_factory=list)
    drawn: int = 0
    first_faults: dict[tuple[int, str], First] = field(default_factory=dict)
    first_finish_faults: dict[tuple[int, str], First] = field(default_factory=dict)
    forfeited: int = 0
    found: int = 0

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.plan.players)

    def add(self, row: GameRow) -> None:
        """Count a game."""
        self.rows.append(row)
        self.series.add(row)
        self.forfeited += row.reason != "finished"
        for firsts, faults in (
            (self.first_faults, row.faults),
            (self.first_finish_faults, row.finish_faults),
        ):
            for fault in faults:
                first = First(fault.message, fault.seat, fault.log)
                firsts.setdefault((fault.player, fault.reason), first)
        self.drawn += self.seats > 1 and row.winner is None and not row.faults
        if row.solved:
            self.solved.append(row.plies)

    def points(self) -> list[Interval]:
        """Return the share of points of each player."""
        return [of_points(starts) for starts in self._by_start([row.points for row in self.rows])]

    def scores(self) -> list[Interval]:
        """Return the mean score of each player."""
        return [of_starts(starts) for starts in self._by_start([row.scores for row in self.rows])]

    def _by_start(self, numbers: list[list[float]]) -> list[list[list[float]]]:
        """Return for each player, for each start, the numbers of the games on it."""
        starts: dict[int, list[list[float]]] = {}
        for row, own in zip(self.rows, numbers, strict=True):
            starts.setdefault(row.start, []).append(own)
        return [
            [[own[place] for own in games] for games in starts.values()]
            for place in range(self.seats)
        ]


def tell_faults(count: Count) -> None:
    """Write to standard error how players failed first, with what they printed then."""
    games, logged = count.series.games, set()
    if games and count.forfeited == games:
        every = "the game was forfeited" if games == 1 else f"all {games} games were forfeited"
        click.echo(f"{every}: none was played to its end", err=True)
    kinds = ((count.first_faults, "the first {}"), (count.first_finish_faults, "{}"))
    for firsts, called in kinds:
        for (place, reason), first in firsts.items():
            tally = count.series.players[place]
            line = f"{tally.name}, {called.format(reason)}"
            if firsts is count.first_finish_faults:
                times = amount(tally.finish_faults[reason], "game")
                line += f" at the end of {times}, whose result stands"
            click.echo(safe(f"{line}: {one_line(first.message, 400)}"), err=True)
            if first.log not in logged:  # a leak at the end, say, is told once
                logged.add(first.log)
                tell_log(tally.name, first.seat, first.log)


def losses(tally: PlayerTally) -> int:
    """Return the games that a player neither won nor drew."""
    return tally.games - tally.wins.total() - tally.draws


def sentence(count: Count) -> str:
    """Return a series in one sentence, with the forfeits of every player that has some."""
    lost = "".join(
        f"; {safe(tally.name)} forfeits {forfeits_text(tally.forfeits)}"
        for tally in count.series.players
        if tally.forfeits
    )
    return f"{won(count)}{lost}."


def won(count: Count) -> str:
    """Return who won how often, or what was solved."""
    games = amount(count.series.games, "game")
    if count.seats == 1:
        name = safe(count.series.players[0].name)
        moves = solved_moves(count)
        if moves is None:
            return f"{name} solves none of {games}"
        low, mean, high = moves
        return (
            f"{name} solves {len(count.solved)} of {games}, "
            f"in {mean:.2f} moves on average, {low} to {high}"
        )
    wins = [f"{safe(tally.name)} wins {tally.wins.total()}" for tally in count.series.players]
    lost = count.series.games - sum(tally.wins.total() for tally in count.series.players)
    lost -= count.drawn
    drawn = f", {count.drawn} drawn" if count.drawn else ""
    nobody = f", {lost} without a winner" if lost else ""
    return f"{games}: {', '.join(wins)}{drawn}{nobody}"


def solved_moves(count: Count) -> tuple[int, float, int] | None:
    """Return least, mean and most moves of the solved games; None if there is none."""
    moves = count.solved
    return (min(moves), sum(moves) / len(moves), max(moves)) if moves else None


def grid(count: Count) -> tuple[list[str], list[list[str]]]:
    """Return the table: its heads and a row per player."""
    if count.seats == 1:
        tally = count.series.players[0]
        low, mean, high = solved_moves(count) or (0, 0.0, 0)
        heads = ["player", "games", "solved", "fewest", "mean moves", "most", "forfeits", "time"]
        numbers = [str(tally.games), str(len(count.solved)), str(low), f"{mean:.2f}", str(high)]
        return heads, [
            [safe(tally.name), *numbers, forfeits_text(tally.forfeits), seconds(tally.mean_seconds)]
        ]
    seats = range(count.seats)
    heads = ["player", "wins", *(f"on seat {seat}" for seat in seats)]
    heads += ["draws", "losses", "forfeits", "time"]
    rows = []
    for tally in count.series.players:
        counts = [tally.wins.total(), *(tally.wins[seat] for seat in seats)]
        counts += [tally.draws, losses(tally)]
        last = [forfeits_text(tally.forfeits), seconds(tally.mean_seconds)]
        rows.append([safe(tally.name), *map(str, counts), *last])
    return heads, rows


def intervals(count: Count) -> tuple[list[str], list[list[str]]]:
    """Return the table of points and scores, with their intervals."""
    heads = ["player", "points", "95 %", "mean score", "95 %"]
    rows = []
    for tally, points, score in zip(
        count.series.players, count.points(), count.scores(), strict=True
    ):
        share = [f"{100 * points.mean:.1f} %", bounds(points, 100.0, 1)]
        rows.append([safe(tally.name), *share, f"{score.mean:.2f}", bounds(score, 1.0, 2)])
    if count.seats == 1:
        return [heads[0], *heads[3:]], [[row[0], *row[3:]] for row in rows]
    return heads, rows


def bounds(interval: Interval, unit: float, digits: int) -> str:
    """Return the bounds of an interval."""
    if interval.low is None or interval.high is None:
        return "-"
    return f"{unit * interval.low:.{digits}f} to {unit * interval.high:.{digits}f}"


def show_counts(count: Count) -> None:
    """Write the tables, with rules in a terminal; time is the mean per move."""
    click.echo(f"{safe(count.heading)}, {amount(count.series.games, 'game')}")
    show_table(*grid(count))
    if count.rows:
        click.echo()
        show_table(*intervals(count))


def data(count: Count) -> dict[str, Any]:
    """Return a series as JSON-able data."""
    plan, options = count.plan, count.plan.options
    found: dict[str, Any] = {
        "game": plan.game.name,
        "heading": count.heading,
        "seed": plan.seed.data,
        "starter": "turns" if plan.starter is None else plan.starter,
        "clock": options.clock and options.clock.text,
        "foreign_clock": options.foreign_clock and options.foreign_clock.text,
        "asked": count.asked,
        "games": count.series.games,
        "plies": count.series.plies,
        "players": [
            {
                "player": spec.text,
                "name": tally.name,
                "games": tally.games,
                "wins": {str(seat): tally.wins[seat] for seat in range(count.seats)},
                "draws": tally.draws,
                "losses": losses(tally),
                "forfeits": dict(tally.forfeits),
                "first_faults": {
                    reason: first.message
                    for (place, reason), first in count.first_faults.items()
                    if count.series.players[place] is tally
                },
                "finish_faults": dict(tally.finish_faults),
                "mean_time": round(tally.mean_seconds, 9),
                **({"points": rounded(points), "score": rounded(score)} if count.rows else {}),
            }
            for spec, tally, points, score in zip(
                plan.players,
                count.series.players,
                count.points(),
                count.scores(),
                strict=True,
            )
        ],
        "result": sentence(count),
    }
    if count.seats == 1:
        for key in ("wins", "draws", "losses", "points"):
            found["players"][0].pop(key, None)
        low, mean, high = solved_moves(count) or (None, None, None)
        found["moves"] = {"solved": len(count.solved), "min": low, "mean": mean, "max": high}
    return found


def rounded(interval: Interval) -> dict[str, float | None]:
    """Return an interval as JSON-able data."""
    return {
        key: None if bound is None else round(bound, 6)
        for key, bound in zip(("mean", "low", "high"), interval, strict=True)
    }
