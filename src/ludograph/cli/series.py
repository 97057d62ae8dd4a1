"""Many games from the command line: a progress bar while they run, a table at the end."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ludograph.cli.outputs import log_of, series_listener, tell_log
from ludograph.cli.playing import MatchPlan, heading_of, starter_drawn
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import progress
from ludograph.cli.texts import amount, safe, seconds, table

if TYPE_CHECKING:
    from ludograph.referee import MatchResult, SeriesResult
    from ludograph.referee.series import PlayerTally


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
    """

    plan: MatchPlan
    asked: int
    heading: str
    series: SeriesResult
    solved: list[int] = field(default_factory=list)
    drawn: int = 0
    first_faults: dict[tuple[int, str], First] = field(default_factory=dict)
    first_finish_faults: dict[tuple[int, str], First] = field(default_factory=dict)
    forfeited: int = 0

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.plan.players)

    def add(self, result: MatchResult, seating: list[int]) -> None:
        """Count a game."""
        self.series.add(result, seating)
        self.forfeited += result.reason != "finished"
        for firsts, faults in (
            (self.first_faults, result.faults),
            (self.first_finish_faults, result.finish_faults),
        ):
            for fault in faults:
                kind = (seating[fault.seat], str(fault.reason))
                first = First(fault.message, fault.seat, log_of(result, fault))
                firsts.setdefault(kind, first)
        self.drawn += result.winner is None and not result.faults
        ply = result.position.ply
        if self.seats == 1 and result.reason == "finished" and result.outcome.scores[0] >= -ply:
            self.solved.append(ply)


def play_many(
    plan: MatchPlan,
    games: int,
    *,
    quiet: bool,
    as_json: bool,
    outputs: Sequence[int | str] = (),
) -> None:
    """Play games and write the counts; those of the games so far if Ctrl-C stops them."""
    from ludograph.players.factory import labels
    from ludograph.referee import SeriesResult, play_series
    from ludograph.referee.series import PlayerTally

    heading = heading_of(plan.make_position(plan.seed), [*plan.details, f"seed {plan.seed}"])
    tallies = [PlayerTally(name) for name in labels(plan.players)]
    count = Count(plan, games, heading, SeriesResult(tallies))
    stopped = False
    try:
        with progress(games, "games", shown=not quiet) as advance:

            def on_game(number: int, result: MatchResult, seating: list[int]) -> None:  # noqa: ARG001
                count.add(result, seating)
                advance("")

            play_series(
                plan.make_position,
                plan.players,
                games,
                clock=plan.clock,
                seed=plan.seed,
                starter=_starter(plan),
                on_game=on_game,
                on_output=series_listener(outputs, labels(plan.players)),
            )
    except KeyboardInterrupt:
        stopped = True
    if as_json:
        click.echo(json.dumps(data(count), ensure_ascii=False))
    elif quiet:
        click.echo(sentence(count))
    else:
        show_table(count)
    tell_faults(count)
    if stopped:
        raise Interrupted(
            f"interrupted after {count.series.games} of {amount(games, 'game')}; "
            f"--seed {plan.seed} plays the same games again"
        )


def tell_faults(count: Count) -> None:
    """Write to standard error how players failed first, with what they printed then."""
    from ludograph.players.fault import one_line

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


def _starter(plan: MatchPlan) -> int | Callable[[int], int] | None:
    if plan.starter == "random":
        return lambda number: starter_drawn(plan.seed + number, len(plan.players))
    return plan.starter if isinstance(plan.starter, int) else None


def losses(tally: PlayerTally) -> int:
    """Return the games that a player neither won nor drew."""
    return tally.games - tally.wins.total() - tally.draws


def forfeits(tally: PlayerTally) -> str:
    """Return a player's forfeits by reason, as in ``3 (2 timeout, 1 crash)``."""
    total = tally.forfeits.total()
    if not total:
        return "0"
    reasons = ", ".join(f"{times} {reason}" for reason, times in tally.forfeits.most_common())
    return f"{total} ({reasons})"


def sentence(count: Count) -> str:
    """Return a series in one sentence, with the forfeits of every player that has some."""
    lost = "".join(
        f"; {safe(tally.name)} forfeits {forfeits(tally)}"
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
        return heads, [[safe(tally.name), *numbers, forfeits(tally), seconds(tally.mean_seconds)]]
    seats = range(count.seats)
    heads = ["player", "wins", *(f"on seat {seat}" for seat in seats)]
    heads += ["draws", "losses", "forfeits", "time"]
    rows = []
    for tally in count.series.players:
        counts = [tally.wins.total(), *(tally.wins[seat] for seat in seats)]
        counts += [tally.draws, losses(tally)]
        last = [forfeits(tally), seconds(tally.mean_seconds)]
        rows.append([safe(tally.name), *map(str, counts), *last])
    return heads, rows


def show_table(count: Count) -> None:
    """Write the table, with rules in a terminal; time is the mean per move."""
    heads, rows = grid(count)
    click.echo(f"{safe(count.heading)}, {amount(count.series.games, 'game')}")
    if not sys.stdout.isatty():
        click.echo("\n".join(table(heads, rows)))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, head in enumerate(heads):
        drawn.add_column(head, justify="right" if number else "left")
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    Console().print(drawn)


def data(count: Count) -> dict[str, Any]:
    """Return a series as JSON-able data."""
    plan = count.plan
    found: dict[str, Any] = {
        "game": plan.game.name,
        "heading": count.heading,
        "seed": plan.seed,
        "starter": "turns" if plan.starter is None else plan.starter,
        "clock": plan.clock,
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
            }
            for spec, tally in zip(plan.players, count.series.players, strict=True)
        ],
        "result": sentence(count),
    }
    if count.seats == 1:
        for key in ("wins", "draws", "losses"):
            del found["players"][0][key]
        low, mean, high = solved_moves(count) or (None, None, None)
        found["moves"] = {"solved": len(count.solved), "min": low, "mean": mean, "max": high}
    return found
