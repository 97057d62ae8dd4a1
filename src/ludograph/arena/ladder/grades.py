"""The grade sheet of a ladder: a line for each participant, with the best player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludograph.arena.ladder.people import Person
from ludograph.arena.ladder.table import LadderLine, LadderTable
from ludograph.views.table import Table


def grades(people: Iterable[Person], owners: Mapping[str, str], table: LadderTable) -> Table:
    """Return the grade sheet: a row for each person, with the best player of the person.

    Cells are empty for people without a player, and for players without a rating.
    """
    heads = ["id", "name", "team", "player", "rank", "rating", "low", "high", "games"]
    heads += ["forfeits", "note"]
    lines = {line.player: line for line in table.lines}
    rows = []
    for person in people:
        line = best_line(person, owners, lines)
        own: list[Any] = [None] * 8
        if line is not None:
            rating = [getattr(line.rating, name, None) for name in ("elo", "low", "high")]
            own = [line.player, line.rank, *rating]
            own += [line.games, line.forfeits.total(), line.note]
        rows.append([person.id, person.name, person.team, *own])
    return Table(heads, rows)


def best_line(
    person: Person, owners: Mapping[str, str], lines: Mapping[str, LadderLine]
) -> LadderLine | None:
    """Return the line of a person's best player: by rank, then any; None without a player."""
    files = person.owned(owners)
    own = [line for name, line in lines.items() if file_in(name, files)]
    return min(own, key=lambda line: (line.rank is None, line.rank or 0), default=None)


def file_of(player: str, files: Iterable[str]) -> str | None:
    """Return the file of a player, with parameters or without, among some files, or None."""
    return next((file for file in files if file_in(player, [file])), None)


def file_in(player: str, files: Sequence[str]) -> bool:
    """Tell whether a player's file is one of these; the player may have parameters.

    Examples
    --------
    >>> file_in("bot.py:c=2", ["bot.py"]), file_in("robot.py", ["bot.py"])
    (True, False)
    """
    return any(player == file or player.startswith(f"{file}:") for file in files)
