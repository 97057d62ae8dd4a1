"""The table of a ladder: who is where, how surely, and who does not play and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ludograph.arena.ladder.rating import ladder_ratings
from ludograph.arena.ladder.state import State
from ludograph.arena.played import PlayedGame, without_repeats
from ludograph.arena.ratings import Rating, Ratings
from ludograph.arena.rendering import Cell, comma_separated, elo_text, interval_text
from ludograph.arena.store.history import label_of
from ludograph.arena.tables import Standing, count_games

VERSION_SHOWN = 8
ANCHOR, FIXED = "built in", "built in, fixed"


@dataclass(slots=True)
class Line(Standing):
    """A player's line; what it counts is of this version, among games that ratings stand on.

    Attributes
    ----------
    version
        The digest of its file; empty for a built-in player.
    rank
        Among players with files that play; None for others.
    places
        The best and the worst rank that it may have: players are above it or below it for sure
        only if the difference of the two is clear.
    note
        What else there is to say: that it is a fixed point, why it does not play.
    """

    version: str = ""
    rank: int | None = None
    places: tuple[int, int] | None = None
    note: str = ""

    @property
    def forfeits_text(self) -> str:
        """Forfeits by reason, as in ``3 timeout, 1 crash``; ``0`` if there are none."""
        ordered = sorted(self.forfeits.items(), key=lambda item: (-item[1], item[0]))
        return ", ".join(f"{times} {reason}" for reason, times in ordered) or "0"

    @property
    def places_text(self) -> str:
        """Its places, as in ``2-4``; empty for a player without a rank."""
        if self.places is None:
            return ""
        best, worst = self.places
        return str(best) if best == worst else f"{best}-{worst}"


@dataclass(frozen=True, slots=True)
class LadderTable:
    """A table.

    Attributes
    ----------
    title
        What is played.
    lines
        In order: by rating, then those without one, then those that do not play.
    games
        How many games it stands on.
    distinct
        How many of them repeat no other one move by move: ratings stand on these.
    """

    title: str
    lines: Sequence[Line]
    games: int
    anchor: str
    anchor_elo: float
    distinct: int


def ladder_table(
    title: str,
    games: Sequence[PlayedGame],
    state: State,
    anchors: Sequence[str],
    anchor_elo: float,
) -> LadderTable:
    """Return the table of a ladder.

    Parameters
    ----------
    games
        The latest ones; players are labels.
    anchors
        Built-in players; the first has the fixed rating.
    """
    ratings, used = ladder_ratings(games, state, anchors[0], anchor_elo)
    lines = {one.label: Line(one.name, version=one.version) for one in state.entrants}
    count_games(used, lines)
    order = _rated(lines, ratings)
    rank = 0
    for line in order:
        if not line.version:
            line.note = FIXED if line.player == anchors[0] else ANCHOR
            continue
        label = label_of(line.player, line.version)
        if label in state.aside:
            line.note = f"set aside: {state.aside[label]}"
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
        Line(name, note=trouble)
        for name, trouble in sorted(state.troubles.items())
        if name not in present
    ]
    order.sort(key=lambda line: line.note.startswith("set aside"))
    distinct = len(without_repeats(used))
    return LadderTable(title, [*order, *out], len(used), anchors[0], anchor_elo, distinct)


def _place(order: Sequence[Line], ratings: Ratings) -> None:
    """Set the places of all lines with a rank, which are in order of their ratings."""
    ranked = [line for line in order if line.rank is not None]
    labels = [label_of(line.player, line.version) for line in ranked]
    clear = [(one, two) for one, two in combinations(labels, 2) if ratings.is_better(one, two)]
    above = Counter(worse for _, worse in clear)
    below = Counter(better for better, _ in clear)
    for line, own in zip(ranked, labels, strict=True):
        line.places = (1 + above[own], len(labels) - below[own])


def _rated(lines: Mapping[str, Line], ratings: Ratings | None) -> list[Line]:
    """Give lines their ratings; return them in order, those without one last."""
    order = []
    for rating in ratings.table if ratings is not None else ():
        line = lines.get(rating.player)
        if line is not None and line.games and rating.elo is not None:
            line.rating = rating
            order.append(line)
    without = [line for line in lines.values() if line.rating is None]
    return [*order, *sorted(without, key=lambda line: line.player)]


def table_cells(table: LadderTable) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows for people."""
    heads = ["rank", "player", "version", "rating", "95 %", "places", "games", "forfeits", ""]
    rows = []
    for line in table.lines:
        rating = line.rating
        fixed = line.note == FIXED
        rows.append(
            [
                "" if line.rank is None else str(line.rank),
                line.player,
                line.version[:VERSION_SHOWN],
                "" if rating is None else elo_text(rating).lstrip("+"),
                "" if rating is None or fixed else _interval(rating),
                line.places_text,
                str(line.games),
                line.forfeits_text,
                line.note,
            ]
        )
    return heads, rows


def _interval(rating: Rating) -> str:
    return interval_text(rating).replace("+", "")


def table_csv(table: LadderTable) -> str:
    """Return the table for a grade sheet: numbers in full, empty where there is none."""
    heads: list[Cell] = ["rank", "player", "version", "rating", "low", "high", "games", "wins"]
    rows: list[list[Cell]] = [
        [*heads, "draws", "losses", "forfeits", "note", "best_rank", "worst_rank"]
    ]
    for line in table.lines:
        found = line.rating
        numbers: list[Cell] = [None] * 3
        if found is not None:
            numbers = [found.elo, found.low, found.high]
        row: list[Cell] = [line.rank, line.player, line.version[:VERSION_SHOWN], *numbers]
        row += [line.games, line.wins, line.draws, line.losses, line.forfeits.total(), line.note]
        row += line.places or (None, None)
        rows.append(row)
    return comma_separated(rows)


def table_data(table: LadderTable) -> dict[str, Any]:
    """Return the table as JSON-able data."""
    return {
        "title": table.title,
        "games": table.games,
        "distinct_games": table.distinct,
        "anchor": table.anchor,
        "anchor_elo": table.anchor_elo,
        "players": [
            {
                "rank": line.rank,
                "places": line.places,
                "player": line.player,
                "version": line.version,
                **{
                    name: None if line.rating is None else _rounded(getattr(line.rating, name))
                    for name in ("elo", "low", "high", "superiority")
                },
                **{name: getattr(line, name) for name in ("games", "wins", "draws", "losses")},
                "forfeits": dict(sorted(line.forfeits.items())),
                "note": line.note,
            }
            for line in table.lines
        ],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
