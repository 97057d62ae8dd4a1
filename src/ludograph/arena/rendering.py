"""Tables of a tournament as text: Markdown for people, CSV for programs and grade sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludograph.arena.ratings import Rating, Ratings
from ludograph.arena.ratings.fit import Cause
from ludograph.arena.tables import CrossTable, Standing
from ludograph.counting import points_text
from ludograph.views.table import Cell, Table, csv_text, escaped


def standings_markdown(lines: Sequence[Standing], ratings: Ratings | None = None) -> str:
    """Return the standings as a Markdown table, with notes on the ratings below it."""
    heads = ["", "player", "games", "points", "score", "wins", "draws", "losses", "forfeits"]
    if ratings is not None:
        heads[2:2] = ["Elo", f"{100 * ratings.confidence:g} % interval", "better than next"]
    rows = []
    for place, line in enumerate(lines, 1):
        cells = [str(place), line.player]
        if ratings is not None:
            cells += [elo_text(line.rating), interval_text(line.rating), superiority(line.rating)]
        cells += [str(line.games), points_text(line.points), f"{100 * line.score:.1f} %"]
        cells += [str(line.wins), str(line.draws), str(line.losses), forfeits_text(line.forfeits)]
        rows.append(cells)
    table = Table(heads, rows, left=(1, len(heads) - 1)).markdown()
    return table + "".join(f"\n{note}\n" for note in notes(ratings))


CAUSES = {
    Cause.NO_LOSSES: "Some players won or lost all games against some others, which sets no limit "
    "to their ratings.",
    Cause.DRAWS: "All games were drawn, which sets no limit to how often equal players draw.",
    Cause.CONFOUNDED: "Players and seats cannot be told apart in these games: a stronger player "
    "and a better seat explain them alike.",
    Cause.UNBEATEN: "Some players lost no game against some others, but drew some, which sets no "
    "limit to their ratings.",
    Cause.SEATS: "No game was lost on one of the seats, by all players or by one of them, which "
    "sets no limit to its advantage.",
}


def notes(ratings: Ratings | None) -> list[str]:
    """Return sentences on the basis of the ratings, for the place below a table."""
    if ratings is None:
        return []
    sentences = []
    if ratings.anchor is not None:
        fixed = ratings.of(ratings.anchor).elo or 0.0
        sentences.append(
            f"Elo is measured from {escaped(ratings.anchor)}, fixed at {_signed(fixed)}."
        )
    prior, cause = ratings.estimate.prior, ratings.estimate.cause
    if prior:
        virtual = (
            f"ach is rated as if it had also drawn {prior:g} game{'' if prior == 1 else 's'} with "
            "an average player."
        )
        sentences.append(f"{CAUSES[cause]} So e{virtual}" if cause else f"E{virtual}")
    if cause is Cause.NO_LOSSES:
        sentences[-1] += (
            " An interval that says only “above” or “below” has no limit on its other side."
        )
    if ratings.groups > 1:
        sentences.append(
            f"There are {ratings.groups} groups of players without games between them; "
            "ratings of different groups cannot be compared."
        )
    return sentences


def standings_csv(lines: Sequence[Standing]) -> str:
    """Return the standings as CSV: numbers in full, empty where there is none."""
    reasons = sorted({reason for line in lines for reason in line.forfeits})
    heads: list[Cell] = ["place", "player", "elo", "low", "high", "superiority", "group", "games"]
    heads += ["points", "score", "wins", "draws", "losses", "forfeits"]
    rows: list[list[Cell]] = [[*heads, *(f"forfeits_{reason}" for reason in reasons)]]
    for place, line in enumerate(lines, 1):
        rating = line.rating
        numbers: list[Cell] = [None] * 5
        if rating is not None:
            numbers = [rating.elo, rating.low, rating.high, rating.superiority, rating.group]
        row: list[Cell] = [place, line.player, *numbers, line.games, line.points, line.score]
        row += [line.wins, line.draws, line.losses, line.forfeits.total()]
        rows.append([*row, *(line.forfeits[reason] for reason in reasons)])
    return csv_text(rows)


def cross_table_markdown(table: CrossTable) -> str:
    """Return points of games of each player (rows) against each opponent (columns)."""
    heads = ["", "player", *(str(place) for place in range(1, len(table) + 1))]
    rows = []
    for place, (player, row) in enumerate(table.items(), 1):
        cells = [str(place), player]
        for other in table:
            met = row.get(other)
            cells.append("" if met is None else f"{points_text(met.points)}/{met.games}")
        rows.append(cells)
    return Table(heads, rows, left=(1,)).markdown()


def elo_text(rating: Rating | None) -> str:
    """Return a rating as a whole number with its sign, and its group if it is not the first."""
    if rating is None or rating.elo is None:
        return "not comparable"
    group = f" (group {rating.group + 1})" if rating.group else ""
    return _signed(rating.elo) + group


def interval_text(rating: Rating | None, unlimited: str = "open") -> str:
    """Return an interval, as in ``-20 to +35`` or ``above +120``, or a text if it has no limits."""
    if rating is None or rating.elo is None:
        return ""
    if rating.low is None and rating.high is None:
        return unlimited
    if rating.low is None:
        return f"below {_signed(rating.high or 0.0)}"
    if rating.high is None:
        return f"above {_signed(rating.low)}"
    return f"{_signed(rating.low)} to {_signed(rating.high)}"


def superiority(rating: Rating | None) -> str:
    """Return the likelihood of being stronger than the next, never rounded to certainty."""
    if rating is None or rating.superiority is None:
        return ""
    if rating.superiority > 0.999:
        return "over 99.9 %"
    return f"{100 * rating.superiority:.1f} %"


def forfeits_text(forfeits: Mapping[str, int]) -> str:
    """Return forfeits by reason, the most frequent first, as in ``3 (2 timeout, 1 crash)``."""
    if not forfeits:
        return "0"
    ordered = sorted(forfeits.items(), key=lambda item: (-item[1], item[0]))
    reasons = ", ".join(f"{times} {reason}" for reason, times in ordered)
    return f"{sum(forfeits.values())} ({reasons})"


def _signed(elo: float) -> str:
    return f"{round(elo):+d}"
