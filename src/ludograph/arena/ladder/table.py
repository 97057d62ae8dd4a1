"""The table of a ladder, as text, CSV, JSON and an HTML page, and its grade sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ludograph.arena.ladder.folder import State, read_state
from ludograph.arena.ladder.ladder import Ladder, kept_store
from ludograph.arena.ladder.pairing import basis, next_pairings
from ludograph.arena.ladder.people import Person
from ludograph.arena.ratings.rating import Ratings, rate
from ludograph.arena.rendering import elo_text, forfeits_text, interval_text, rating_data
from ludograph.arena.results import NO_RESULTS, Results
from ludograph.arena.schedules import Pairing
from ludograph.arena.store import Store
from ludograph.arena.store.history import GameWindow, label_of, next_start
from ludograph.arena.tables import Standing, count_games
from ludograph.views.canvas import clean
from ludograph.views.document import document
from ludograph.views.table import Column, Columns, Table, left

VERSION_SHOWN = 8

ANCHOR, FIXED = "built in", "built in, fixed"

SUSPENDED = "suspended"
"""The beginning of the note of a suspended player."""


@dataclass(slots=True)
class LadderLine(Standing):
    """A player's line; it counts the rated games of the present version.

    Attributes
    ----------
    version
        The digest of its file; empty for a built-in player.
    rating
        None for a suspended player, too.
    rank
        Its rank among players with files that play; None for others.
    places
        The best and the worst rank that it may have: another player is certainly above or below it
        only if the difference of the two is significant.
    note
        A remark, for example that it is an anchor, or why it does not play.
    """

    version: str = ""
    rank: int | None = None
    places: tuple[int, int] | None = None
    note: str = ""

    @property
    def is_suspended(self) -> bool:
        """Whether the ladder has suspended it."""
        return self.note.startswith(SUSPENDED)

    @property
    def is_built_in(self) -> bool:
        """Whether the player comes with the game."""
        return self.note.startswith(ANCHOR)

    @property
    def places_text(self) -> str:
        """The places as text, as in ``2-4``; empty for a player without a rank."""
        if self.places is None:
            return ""
        best, worst = self.places
        return str(best) if best == worst else f"{best}-{worst}"

    @property
    def overlap(self) -> str:
        """The places in words if it may have several; empty if its rank is certain."""
        best, worst = self.places or (0, 0)
        return "" if best == worst else f"places {best} to {worst} overlap"


@dataclass(frozen=True, slots=True)
class LadderTable:
    """The table of a ladder.

    Attributes
    ----------
    title
        The title of the ladder.
    lines
        In order: by rating, then those without one, then those that do not play.
    games
        The number of games it was made from.
    distinct
        The number of games that repeat no other one move by move; ratings are computed from these.
    remark
        A sentence if the ladder's file has other rules than the table.
    """

    title: str
    lines: Sequence[LadderLine]
    games: int
    anchor: str
    anchor_elo: float
    distinct: int
    remark: str = ""

    @property
    def doubt(self) -> str:
        """A sentence if another player may be the best one; empty if the first rank is certain."""
        first = next((line for line in self.lines if line.rank == 1), None)
        return f"Rank 1 may be chance: {first.overlap}." if first and first.overlap else ""


def ladder_table(
    title: str,
    games: Results,
    state: State,
    anchors: Sequence[str],
    anchor_elo: float,
    remark: str = "",
) -> LadderTable:
    """Return the table of a ladder.

    Parameters
    ----------
    games
        The latest ones; players are labels.
    anchors
        Built-in players; the first has the fixed rating.
    """
    ratings, used, distinct = ladder_ratings(games, state, anchors[0], anchor_elo)
    lines = {one.label: LadderLine(one.name, version=one.version) for one in state.entrants}
    count_games(used, lines)
    order = _rated(lines, ratings)
    rank = 0
    for line in order:
        if not line.version:
            line.note = FIXED if line.player == anchors[0] else ANCHOR
            continue
        label = label_of(line.player, line.version)
        if label in state.suspended:
            line.note, line.rating = f"{SUSPENDED}: {state.suspended[label]}", None
        elif line.rating is None:
            line.note = "has not played yet"
        else:
            rank += 1
            line.rank = rank
        if line.player in state.troubles:
            line.note = "; ".join(filter(None, [line.note, state.troubles[line.player]]))
    if ratings is not None:
        _place(order, ratings)
    present = {line.player for line in order}
    out = [
        LadderLine(name, note=trouble)
        for name, trouble in sorted(state.troubles.items())
        if name not in present
    ]
    order.sort(key=lambda line: line.is_suspended)
    lines_in_order = [*order, *out]
    return LadderTable(title, lines_in_order, len(used), anchors[0], anchor_elo, distinct, remark)


def _place(order: Sequence[LadderLine], ratings: Ratings) -> None:
    """Set the places of all lines with a rank, which are in order of their ratings."""
    ranked = [line for line in order if line.rank is not None]
    labels = [label_of(line.player, line.version) for line in ranked]
    better = ratings.better(labels)
    above, below = better.sum(axis=0), better.sum(axis=1)
    for number, line in enumerate(ranked):
        line.places = (1 + int(above[number]), len(labels) - int(below[number]))


def _rated(lines: Mapping[str, LadderLine], ratings: Ratings | None) -> list[LadderLine]:
    """Give lines their ratings; return them in order, those without one last."""
    order = []
    for rating in ratings.table if ratings is not None else ():
        line = lines.get(rating.player)
        if line is not None and line.games and rating.elo is not None:
            line.rating = rating
            order.append(line)
    without = [line for line in lines.values() if line.rating is None]
    return [*order, *sorted(without, key=lambda line: line.player)]


def texts_of(table: LadderTable) -> Table:
    """Return the table for people: a row for each player."""
    columns: Columns = [
        "rank",
        *(left("player"), left("version")),
        Column("rating", lambda rating: elo_text(rating).lstrip("+")),
        Column("95 %", lambda rating: interval_text(rating).replace("+", "")),
        *("places", "games"),
        left("forfeits"),
        left(""),
    ]
    rows = [
        [
            *(line.rank, line.player, line.version[:VERSION_SHOWN]),
            *(line.rating, None if line.note == FIXED else line.rating),
            *(line.places_text, line.games, forfeits_text(line.forfeits), line.note),
        ]
        for line in table.lines
    ]
    return Table(columns, rows)


def sheet_of(table: LadderTable) -> Table:
    """Return the table for a grade sheet: numbers in full, None where there is none."""
    heads = ["rank", "player", "version", "rating", "low", "high", "games", "wins"]
    heads += ["draws", "losses", "forfeits", "note", "best_rank", "worst_rank"]
    rows = [
        [
            *(line.rank, line.player, line.version[:VERSION_SHOWN]),
            *(getattr(line.rating, name, None) for name in ("elo", "low", "high")),
            *(line.games, line.wins, line.draws, line.losses, line.forfeits.total(), line.note),
            *(line.places or (None, None)),
        ]
        for line in table.lines
    ]
    return Table(heads, rows)


def table_data(table: LadderTable) -> dict[str, Any]:
    """Return the table as JSON-able data."""
    return {
        "title": table.title,
        "games": table.games,
        "distinct_games": table.distinct,
        "remark": table.remark,
        "anchor": table.anchor,
        "anchor_elo": table.anchor_elo,
        "players": [
            {
                "rank": line.rank,
                "places": line.places,
                "player": line.player,
                "version": line.version,
                **rating_data(line.rating),
                **{name: getattr(line, name) for name in ("games", "wins", "draws", "losses")},
                "forfeits": dict(sorted(line.forfeits.items())),
                "note": line.note,
            }
            for line in table.lines
        ],
    }


def page(table: LadderTable, picture: str, when: str) -> str:
    """Return the page.

    Parameters
    ----------
    picture
        The chart of ratings over time, as SVG.
    when
        The time at which the page was made.
    """
    faint = [number for number, line in enumerate(table.lines) if line.rank is None]
    return document(
        table.title,
        f"<p>{table.games} games, {clean(when)}. Ratings are measured from {clean(table.anchor)}, "
        f"fixed at {table.anchor_elo:g}. {table.doubt} {clean(table.remark)}</p>\n"
        f'<div class="wide">{texts_of(table).html(faint=faint)}</div>\n{picture}',
    )


PRIOR = 1.0
"""Virtual games of each player against an average one: always, so that no rating jumps when its
player loses the first point."""


class LadderRatings(NamedTuple):
    """The ratings of the players of a ladder.

    Attributes
    ----------
    ratings
        None without a game.
    used
        The games that were used, with those that repeat others.
    distinct
        The number of games that repeat no other one; these count for ratings.
    """

    ratings: Ratings | None
    used: Results
    distinct: int


def ladder_ratings(games: Results, state: State, anchor: str, anchor_elo: float) -> LadderRatings:
    """Return the ratings of the players.

    A game that repeats an earlier one move by move does not count for ratings.

    Parameters
    ----------
    games
        The latest ones; players are labels.
    anchor, anchor_elo
        The built-in player that is the reference of all ratings.
    """
    present = [one.label for one in state.entrants]
    used = basis(games, present)
    if not len(used):
        return LadderRatings(None, used, 0)
    anchor_there = anchor if anchor in present else None
    distinct = used.without_repeats().sorted()
    ratings = rate(distinct, present, anchor=anchor_there, anchor_elo=anchor_elo, prior=PRIOR)
    return LadderRatings(ratings, used, len(distinct))


@dataclass(frozen=True)
class Now:
    """A ladder at one moment.

    Attributes
    ----------
    games
        The latest games, from which ratings are computed; players are labels.
    start
        The number of the next start.
    title, remark
        Those of its table.
    """

    ladder: Ladder
    state: State
    games: Results
    start: int
    title: str
    remark: str

    @cached_property
    def table(self) -> LadderTable:
        """The table; its ratings take time to compute."""
        anchors = [spec.text for spec in self.ladder.anchors]
        elo = self.ladder.anchor_elo
        return ladder_table(self.title, self.games, self.state, anchors, elo, self.remark)


OTHER_RULES = (
    "The file of the ladder asks for another game or other settings: with the next start of "
    "'ludograph ladder run' ratings start again, or continue if it was played so before."
)
"""The remark on a table whose ladder has not been started with its present file."""


def ladder_now(ladder: Ladder, key: str | None = None, window: GameWindow | None = None) -> Now:
    """Return the state, games and table of a ladder.

    Parameters
    ----------
    key
        That of the ladder, for a process in which no game can begin; None: it is computed.
    window
        The games of an earlier reading, so that only new ones are read; None: all are read.

    Raises
    ------
    InvalidInput
        If its files are not what was written.
    """
    start, title, remark = 0, ladder.title, ""
    state = read_state(ladder.folder)
    latest = NO_RESULTS
    with kept_store(ladder, state) as store:
        if store is not None and state.number:
            latest = (window or GameWindow(ladder.rated_games)).look(store, state.number)
            start = next_start(store, state.number)
            if store.number_of(ladder.key if key is None else key) != state.number:
                title = title_of(store, state.number) or title
                remark = OTHER_RULES
    return Now(ladder, state, latest, start, title, remark)


def title_of(store: Store, number: int) -> str:
    """Return the title that a ladder had when it was last played; empty if it is not known."""
    titles = (str(one.declaration["title"]) for one in store.tournaments() if one.number == number)
    return next(titles, "")


def schedule(now: Now) -> list[Pairing]:
    """Return the pairings that would be planned now; players are labels."""
    ladder = now.ladder
    active = sorted(one.label for one in now.state.active)
    used = basis(now.games, active)
    return next_pairings(
        active, used, now.start, ladder.seats, ladder.first_games, steps=ladder.steps
    )


def grades(
    people: Iterable[Person],
    owners: Mapping[str, str],
    table: LadderTable,
    limits: Mapping[str, float],
    date: str,
) -> Table:
    """Return the grade sheet: a row for each person, with the best player of the person.

    Cells are empty for people without a player, and for players without a rating.

    Parameters
    ----------
    limits
        By grade: the rating that the lower limit of the interval must reach.
    date
        The time of the table.
    """
    heads = ["id", "name", "team", "player", "version", "rank", "best_rank", "worst_rank"]
    heads += ["rating", "low", "high", "games", "forfeits", "note", "grade", "rule", "date"]
    lines = {line.player: line for line in table.lines}
    rows = []
    for person in people:
        line = best_line(person, owners, lines)
        out = ", ".join(file for file in person.owned(owners) if file not in lines)
        own: list[Any] = [None] * 10 + [f"withdrawn or not yet enrolled: {out}" if out else None]
        low, lacking = None, "no player"
        if line is not None:
            low = getattr(line.rating, "low", None)
            lacking = "suspended" if line.is_suspended else "no lower limit"
            own = [line.player, line.version[:VERSION_SHOWN], line.rank]
            own += line.places or (None, None)
            own += [getattr(line.rating, name, None) for name in ("elo", "low", "high")]
            own += [line.games, line.forfeits.total()]
            own.append("; ".join(filter(None, [line.note, line.overlap])))
        rows.append(
            [person.id, person.name, person.team, *own, *grade_of(low, limits, lacking), date]
        )
    return Table(heads, rows)


def grade_of(
    low: float | None, limits: Mapping[str, float], lacking: str = "no lower limit"
) -> tuple[str, str]:
    """Return a grade, and the comparison from which it follows; empty texts without limits.

    Parameters
    ----------
    low
        The lower limit of the rating's interval; None if there is none.
    lacking
        Why there is none.

    Examples
    --------
    >>> grade_of(1143.6, {"A": 1300, "B": 1100})
    ('B', 'low 1143.6 >= 1100')
    >>> grade_of(640.0, {"A": 1300, "B": 1100})
    ('', 'low 640 < 1100')
    """
    if not limits:
        return "", ""
    if low is None:
        return "", lacking
    low = round(low, 6)  # as in its column, so that the comparison is right as it is read
    for grade, limit in sorted(limits.items(), key=lambda one: -one[1]):
        if low >= limit:
            return grade, f"low {low:.12g} >= {limit:.12g}"
    return "", f"low {low:.12g} < {min(limits.values()):.12g}"


def best_line(
    person: Person, owners: Mapping[str, str], lines: Mapping[str, LadderLine]
) -> LadderLine | None:
    """Return the line of a person's best player: by rank, then any; None without a player."""
    files = person.owned(owners)
    own = [lines[file] for file in files if file in lines]
    return min(own, key=lambda line: (line.rank is None, line.rank or 0), default=None)
