"""The grade sheet of a ladder: a line for each participant, with the best player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ludograph.arena.ladder.people import Person
from ludograph.arena.ladder.table import VERSION_SHOWN, LadderLine, LadderTable
from ludograph.views.table import Table


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
