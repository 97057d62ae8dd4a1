"""Tournaments of the store as tables of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludograph.arena import cross_table, rate, standings
from ludograph.arena.rendering import (
    BRACKET,
    bracket_rows,
    champion_sentence,
    elo_text,
    forfeits_text,
    interval_text,
    notes,
    superiority,
)
from ludograph.arena.schedules import knockout_of
from ludograph.arena.store import GameFilter, KeptTournament, Store
from ludograph.arena.store.location import file_of
from ludograph.errors import InvalidInput

GAMES_SHOWN = 200


def tournaments(store: str | Path | None) -> list[KeptTournament]:
    """Return the tournaments of a store, the latest first; none where there is no store yet."""
    file = file_of(store)
    if file is not None and not file.exists():
        return []
    with Store(store, must_exist=True) as opened:
        return opened.tournaments()[::-1]


def tournament(store: str | Path | None, number: int) -> dict[str, Any]:
    """Return all that a page tells of a tournament.

    Raises
    ------
    InvalidInput
        If there is none of that number.
    """
    with Store(store, must_exist=True) as opened:
        found = next((one for one in opened.tournaments() if one.number == number), None)
        if found is None:
            raise InvalidInput(f"there is no tournament {number}")
        played, _ = opened.played(number)
        games = list(opened.games(GameFilter(tournaments=(number,))))
    names = found.declaration["names"]
    rated = None
    if played and len(played[0].seating) > 1:
        rated = rate(sorted(played), names)
    knockout = knockout_of(found.declaration)
    rounds = knockout.bracket(played) if knockout is not None else []
    lines = standings(played, names, rated)
    order = [line.player for line in lines]
    return {
        "found": found,
        "rows": [
            {
                "line": line,
                "elo": elo_text(line.rating),
                "interval": interval_text(line.rating),
                "superiority": superiority(line.rating),
                "forfeits": forfeits_text(line.forfeits),
            }
            for line in lines
        ],
        "rated": rated is not None,
        "notes": notes(rated),
        "order": order,
        "cross": cross_table(played, order) if len(order) > 2 else {},
        "bracket": {"heads": BRACKET, "rows": bracket_rows(rounds)} if rounds else None,
        "champion": champion_sentence(rounds[-1][0].winner) if rounds else "",
        "games": games[::-1][:GAMES_SHOWN],
        "count": len(games),
    }
