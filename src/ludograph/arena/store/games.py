"""Looking for games in a store, with all that is known of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from ludograph.arena.finished import SeatResult
from ludograph.arena.store.checksums import Damaged
from ludograph.arena.store.rows import checksums
from ludograph.arena.store.schema import GAMES, PLAYERS, SEATS


class GameFilter(msgspec.Struct, frozen=True):
    """Which games are looked for; what is None does not matter.

    Attributes
    ----------
    tournaments
        Their numbers; empty: all.
    player, opponent
        Names of players that took part.
    reason
        Why a game ended, or why a seat of it dropped out.
    board
        The name of the board.
    game
        The number of one game.
    """

    tournaments: tuple[int, ...] = ()
    player: str | None = None
    opponent: str | None = None
    reason: str | None = None
    board: str | None = None
    game: int | None = None


class KeptGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it stands in a store; ``versions`` are those of the players, by seat."""

    number: int
    tournament: int
    start: int
    seed: int
    board: str
    reason: str
    plies: int
    sentence: str
    played: str
    seats: tuple[SeatResult, ...]
    versions: tuple[str, ...]


def find_games(
    connection: Connection, wanted: GameFilter, numbers: Sequence[int] = ()
) -> Iterator[KeptGame]:
    """Yield games in the order in which they ended; those of some numbers, if any are given.

    Raises
    ------
    Damaged
        If one is not what was written, whether it is looked for or not.
    """
    query = (
        select(
            *GAMES.c,
            PLAYERS.c.name,
            PLAYERS.c.version,
            *(column for column in SEATS.c if column not in (SEATS.c.game, SEATS.c.player)),
        )
        .outerjoin(SEATS, GAMES.c.id == SEATS.c.game)
        .outerjoin(PLAYERS, PLAYERS.c.id == SEATS.c.player)
        .order_by(GAMES.c.id, SEATS.c.seat)
    )
    if wanted.tournaments:
        query = query.where(GAMES.c.tournament.in_(wanted.tournaments))
    if wanted.game is not None:
        query = query.where(GAMES.c.id == wanted.game)
    if numbers:
        query = query.where(GAMES.c.id.in_(numbers))
    rows = connection.execute(query).mappings()
    for number, group in groupby(rows, itemgetter("id")):
        seats = [dict(row) for row in group]
        if not is_sound(seats):
            raise Damaged(f"game {number} is not what was written")
        found = KeptGame(
            number=number,
            **{name: seats[0][name] for name in ("tournament", "start", "seed", "board")},
            **{name: seats[0][name] for name in ("reason", "plies", "sentence", "played")},
            seats=tuple(
                SeatResult(
                    seat["name"],
                    *(seat[name] for name in SeatResult.__struct_fields__[1:]),
                )
                for seat in seats
            ),
            versions=tuple(seat["version"] for seat in seats),
        )
        if _is_wanted(found, wanted):
            yield found


def is_sound(seats: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a game is what was written; each seat comes with its game and its player."""
    game = seats[0]
    try:
        if [seat["seat"] for seat in seats] != list(range(len(seats))):
            return False
        if game["result_checksum"] is None and game["details_checksum"] is None:
            names = [seat["name"] for seat in seats]
            return bool(json.loads(game["seating"]) == names) and None not in names
        found = checksums(game, [(seat["name"], seat["version"], seat) for seat in seats])
    except (TypeError, ValueError):  # a value of another kind than that of its column
        return False
    return all(game[name] in (None, checksum) for name, checksum in found.items())


def read_record(connection: Connection, game: int) -> bytes | None:
    """Return the file of a game; None if there is none.

    Raises
    ------
    Damaged
        If it is not what was written: zlib keeps a checksum of its own.
    """
    import zlib

    # As it is: what should be bytes may be something else now.
    query = f"SELECT data FROM records WHERE game = {int(game)}"
    found = connection.exec_driver_sql(query).scalar_one_or_none()
    if found is None:
        return None
    try:
        return zlib.decompress(found)
    except (zlib.error, TypeError):
        raise Damaged(f"the record of game {game} is not what was written") from None


def _is_wanted(game: KeptGame, wanted: GameFilter) -> bool:
    """Tell whether a game is looked for, by what is no number."""
    players = {seat.player for seat in game.seats}
    ended = {game.reason, *(seat.forfeit for seat in game.seats)}
    return (
        players.issuperset({wanted.player, wanted.opponent} - {None})
        and wanted.reason in (None, *ended)
        and wanted.board in (None, game.board)
    )
