"""The report of a series: its sentence, its tables, its JSON-able data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludograph.arena.rendering import forfeits_text
from ludograph.counting import counted, seconds
from ludograph.views.table import Table

if TYPE_CHECKING:
    from ludograph.arena.series.intervals import Interval
    from ludograph.arena.series.result import SeriesResult


def sentence(result: SeriesResult) -> str:
    """Return a series in one sentence, with the forfeits of all players."""
    lost = "".join(
        f"; {tally.name} forfeits {forfeits_text(tally.forfeits)}"
        for tally in result.players
        if tally.forfeits
    )
    return f"{_won(result)}{lost}."


def tables(result: SeriesResult) -> list[Table]:
    """Return the counts, and with at least one game points and scores with their intervals.

    Times are means per move.
    """
    counts = _solo_counts(result) if result.is_solo else _counts(result)
    return [counts, _estimates(result)] if result.games else [counts]


def data_of(result: SeriesResult) -> dict[str, Any]:
    """Return a series as JSON-able data."""
    shared = {**result.data, "games": result.games, "plies": result.plies}
    players = [_player_data(result, place) for place in range(len(result.players))]
    if result.is_solo:
        low, mean, high = _solved_moves(result) or (None, None, None)
        moves = {"solved": len(result.solved), "min": low, "mean": mean, "max": high}
        return {**shared, "players": players, "result": sentence(result), "moves": moves}
    pairs = result.pairs
    told = {"pairs": pairs._asdict() if pairs else None, "result": sentence(result)}
    return {**shared, "players": players, **told}


def _won(result: SeriesResult) -> str:
    """Return the wins of each player, or the number of solved games."""
    games = counted(result.games, "game")
    if result.is_solo:
        name, moves = result.players[0].name, _solved_moves(result)
        if moves is None:
            return f"{name} solves none of {games}"
        low, mean, high = moves
        return (
            f"{name} solves {len(result.solved)} of {games}, "
            f"in {mean:.2f} moves on average, {low} to {high}"
        )
    wins = [f"{tally.name} wins {tally.wins.total()}" for tally in result.players]
    lost = result.games - sum(tally.wins.total() for tally in result.players) - result.drawn
    drawn = f", {result.drawn} drawn" if result.drawn else ""
    nobody = f", {lost} without a winner" if lost else ""
    return f"{games}: {', '.join(wins)}{drawn}{nobody}"


def _solved_moves(result: SeriesResult) -> tuple[int, float, int] | None:
    """Return least, mean and most moves of the solved games; None if there is none."""
    moves = result.solved
    return (min(moves), sum(moves) / len(moves), max(moves)) if moves else None


def _solo_counts(result: SeriesResult) -> Table:
    """Return the counts of a player that plays alone."""
    tally = result.players[0]
    low, mean, high = _solved_moves(result) or (0, 0.0, 0)
    heads = ["player", "games", "solved", "fewest", "mean moves", "most", "forfeits", "time"]
    row = [tally.name, str(tally.games), str(len(result.solved)), str(low), f"{mean:.2f}"]
    row += [str(high), forfeits_text(tally.forfeits), seconds(tally.mean_seconds)]
    return Table(heads, [row])


def _counts(result: SeriesResult) -> Table:
    """Return the counts of several players, a row for each."""
    seats = range(len(result.players))
    heads = ["player", "wins", *(f"on seat {seat}" for seat in seats)]
    heads += ["draws", "losses", "forfeits", "time"]
    rows = []
    for tally in result.players:
        counts = [tally.wins.total(), *(tally.wins[seat] for seat in seats)]
        counts += [tally.draws, tally.losses]
        last = [forfeits_text(tally.forfeits), seconds(tally.mean_seconds)]
        rows.append([tally.name, *map(str, counts), *last])
    return Table(heads, rows)


def _estimates(result: SeriesResult) -> Table:
    """Return points and mean scores with their intervals, and the pairs that each player won."""
    columns = [("player", [tally.name for tally in result.players])]
    if not result.is_solo:
        points = result.points()
        columns.append(("points", [f"{100 * share.mean:.1f} %" for share in points]))
        columns.append(("95 %", [_bounds(share, 100.0, 1) for share in points]))
    if result.pairs is not None:
        columns.append(("pairs won", [str(won) for won in result.pairs[:2]]))
    scores = result.scores()
    columns.append(("mean score", [f"{score.mean:z.2f}" for score in scores]))
    columns.append(("95 %", [_bounds(score, 1.0, 2) for score in scores]))
    rows = zip(*(cells for _, cells in columns), strict=True)
    return Table([head for head, _ in columns], [list(row) for row in rows])


def _bounds(interval: Interval, unit: float, digits: int) -> str:
    """Return the bounds of an interval."""
    if interval.low is None or interval.high is None:
        return "-"
    return f"{unit * interval.low:.{digits}f} to {unit * interval.high:.{digits}f}"


def _player_data(result: SeriesResult, place: int) -> dict[str, Any]:
    """Return the results of one player as JSON-able data."""
    tally, seats = result.players[place], range(len(result.players))
    found: dict[str, Any] = {"player": tally.given, "name": tally.name, "games": tally.games}
    if not result.is_solo:
        found["wins"] = {str(seat): tally.wins[seat] for seat in seats}
        found |= {"draws": tally.draws, "losses": tally.losses}
    found["forfeits"] = dict(tally.forfeits)
    found["first_faults"] = {
        reason: first.message
        for (player, reason), first in result.first_faults.items()
        if player == place
    }
    found["finish_faults"] = dict(tally.finish_faults)
    found["mean_time"] = round(tally.mean_seconds, 9)
    if result.games and not result.is_solo:
        found["points"] = _rounded(result.points()[place])
    if result.games:
        found["score"] = _rounded(result.scores()[place])
    return found


def _rounded(interval: Interval) -> dict[str, float | None]:
    """Return an interval as JSON-able data."""
    return {
        key: None if bound is None else round(bound, 6)
        for key, bound in zip(("mean", "low", "high"), interval, strict=True)
    }
