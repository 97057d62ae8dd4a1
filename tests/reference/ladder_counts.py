"""A slow, obvious recount of a ladder's latest games, straight from the rows of its store."""

from collections import Counter
from typing import Any

from sqlalchemy import text

from ludograph.arena.store import Store
from ludograph.arena.store.history import label_of


def latest(store: Store, tournament: int, most: int) -> list[tuple[Any, ...]]:
    """Return number, start, line, labels, ranks and forfeits of the latest games, one by one."""
    found = []
    with store.reading() as connection:
        rows = connection.execute(text("SELECT id, start, line, tournament FROM games ORDER BY id"))
        for number, start, line, whose in rows.fetchall():
            if whose != tournament:
                continue
            seats = connection.execute(
                text(
                    "SELECT name, version, rank, forfeit FROM seats, players"
                    f" WHERE game = {number} AND players.id = player ORDER BY seat"
                )
            ).fetchall()
            labels = tuple(label_of(seat.name, seat.version) for seat in seats)
            forfeits = tuple((n, one.forfeit) for n, one in enumerate(seats) if one.forfeit)
            found.append((number, start, line or 0, labels, tuple(s.rank for s in seats), forfeits))
    return found[-most:]


def results(games: list[tuple[Any, ...]]) -> dict[str, Counter[str]]:
    """Return the games, wins, draws, losses and forfeits of each player of two-seat games."""
    table: dict[str, Counter[str]] = {}
    for _, _, _, labels, ranks, forfeits in games:
        void = len(forfeits) == 2
        for seat, label in enumerate(labels):
            own, other = ranks[seat], ranks[1 - seat]
            line = table.setdefault(label, Counter())
            line["games"] += 1
            line["wins"] += own < other and not void
            line["draws"] += own == other and not void
            line["losses"] += own > other or void
            line["forfeits"] += seat in dict(forfeits)
    return table
