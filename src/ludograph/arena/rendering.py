"""The tables of a tournament, with ratings and forfeits as texts, and the bracket of a knockout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludograph.arena.ratings.fit import Cause
from ludograph.arena.ratings.rating import Rating, Ratings
from ludograph.arena.results import Results
from ludograph.arena.schedules import Duel, round_name
from ludograph.arena.tables import CrossTable, Meeting, Standing
from ludograph.formatting import counted, points_text
from ludograph.views.table import Column, Columns, Table, left

WIDE = ("", "better than next", "score")
"""The columns of :func:`standings_table` that a terminal has no room for."""


def standings_table(lines: Sequence[Standing], ratings: Ratings | None = None) -> Table:
    """Return the standings for people."""
    columns: Columns = [
        "",
        left("player"),
        Column("Elo", elo_text, absent=NOT_COMPARABLE),
        Column("95 %", interval_text),
        Column("better than next", superiority),
        "games",
        Column("points", points_text),
        Column("Buchholz", points_text),
        Column("score", lambda score: f"{100 * score:.1f} %"),
        *("wins", "draws", "losses", "forfeits"),
    ]
    rows = [
        [
            *(place, line.player, line.rating, line.rating, line.rating),
            *(
                line.games,
                line.points,
                line.buchholz,
                line.score,
                line.wins,
                line.draws,
                line.losses,
            ),
            forfeits_text(line.forfeits),
        ]
        for place, line in enumerate(lines, 1)
    ]
    is_swiss = any(line.buchholz is not None for line in lines)
    absent = ["better than next"] if is_swiss else ["Buchholz"]
    return Table(columns, rows).without(
        *absent, *([] if ratings is not None else ["Elo", "95 %", "better than next"])
    )


def cross_table_texts(table: CrossTable) -> Table:
    """Return points of games of each player (rows) against each opponent (columns)."""
    columns: Columns = [left("points of games against")]
    rows = []
    for place, (player, row) in enumerate(table.items(), 1):
        columns.append(Column(str(place), _met, absent="-"))
        rows.append([f"{place} {player}", *(row.get(other) for other in table)])
    return Table(columns, rows)


def _met(meeting: Meeting) -> str:
    return f"{points_text(meeting.points)}/{meeting.games}"


def standings_sheet(lines: Sequence[Standing]) -> Table:
    """Return the standings for a grade sheet: numbers in full, None where there is none."""
    reasons = sorted({reason for line in lines for reason in line.forfeits})
    heads = ["place", "player", "elo", "low", "high", "superiority", "group", "games", "points"]
    heads += ["score", "wins", "draws", "losses", "forfeits", "byes", "buchholz"]
    rows = []
    for place, line in enumerate(lines, 1):
        numbers = [getattr(line.rating, name, None) for name in heads[2:7]]
        row = [place, line.player, *numbers, line.games, line.points, line.score]
        row += [line.wins, line.draws, line.losses, line.forfeits.total(), line.byes, line.buchholz]
        rows.append([*row, *(line.forfeits[reason] for reason in reasons)])
    sheet = Table([*heads, *(f"forfeits_{reason}" for reason in reasons)], rows)
    is_swiss = any(line.buchholz is not None for line in lines)
    return sheet if is_swiss else sheet.without("byes", "buchholz")


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


def repeats(games: Results) -> str:
    """Return sentences on games that repeat earlier ones; empty if all games are different."""
    count = len(games) - len(games.without_repeats())
    if not count:
        return ""
    repeat = "repeats an earlier one" if count == 1 else "repeat earlier ones"
    return (
        f"{counted(count, 'game')} {repeat} move by move, so these players make no random choices. "
        "Such games count here, but give no new information."
    )


def notes(ratings: Ratings | None) -> list[str]:
    """Return sentences on the basis of the ratings, for the place below a table."""
    if ratings is None:
        return []
    sentences = []
    if ratings.anchor is not None:
        fixed = ratings.of(ratings.anchor).elo or 0.0
        sentences.append(f"Elo is measured from {ratings.anchor}, fixed at {_signed(fixed)}.")
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


NOT_COMPARABLE = "not comparable"


def elo_text(rating: Rating | None) -> str:
    """Return a rating as a whole number with its sign, and its group if it is not the first."""
    if rating is None or rating.elo is None:
        return NOT_COMPARABLE
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


def rating_data(rating: Rating | None) -> dict[str, float | None]:
    """Return a rating as JSON-able data."""
    values = {name: getattr(rating, name, None) for name in ("elo", "low", "high", "superiority")}
    return {name: None if one is None else round(one, 6) for name, one in values.items()}


WON_BY = {None: "", "points": "", "seed": " (tie, seeded higher)", "bye": " (bye)"}

UNKNOWN = "?"
"""A player that is not known yet."""


def bracket_table(rounds: Sequence[Sequence[Duel]]) -> Table:
    """Return the matches of a knockout; a player that is not known yet is shown as ``?``."""
    rows = []
    for matches in rounds:
        for duel in matches:
            absent = "" if duel.decided_by == "bye" else UNKNOWN
            pair = " - ".join(filter(None, (player or absent for player in duel.players)))
            points = "" if None in duel.players else " : ".join(map(points_text, duel.points))
            winner = (duel.winner or "") + WON_BY[duel.decided_by]
            rows.append([round_name(len(matches)), pair, points, winner])
    return Table([left("round"), left("match"), "points", left("winner")], rows)


def tie_sentences(rounds: Sequence[Sequence[Duel]]) -> list[str]:
    """Return a sentence for each match that went into overtime, or was decided by the seeds."""
    found = []
    for matches in rounds:
        for duel in matches:
            if duel.overtime or duel.decided_by == "seed":
                found.append(f"{round_name(len(matches)).capitalize()}: {_tie(duel)}.")
    return found


def _tie(duel: Duel) -> str:
    match, pairs = " - ".join(map(str, duel.players)), counted(duel.overtime, "pair")
    overtime = f"{pairs} of overtime"
    if duel.winner is None:
        return f"{match} is in overtime, {pairs} so far"
    if duel.decided_by == "points":
        return f"{match} was decided by {overtime}, {duel.winner} advances"
    after = f" after {overtime}" if duel.overtime else ""
    return f"{match} is a tie{after}, {duel.winner} advances as the higher seed"


def champion_sentence(champion: str | None) -> str:
    """Return the sentence with the champion of a knockout."""
    return f"Champion: {champion}." if champion else "The champion is not decided yet."
