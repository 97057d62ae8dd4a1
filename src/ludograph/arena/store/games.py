"""Looking for games in a store, with all that is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import msgspec
from sqlalchemy import Connection, Select, exists, select

from ludograph.arena.finished import SeatResult
from ludograph.arena.store.schema import GAMES, PLAYERS, RECORDS, SEATS


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
    """Yield games in the order in which they ended; those of some numbers, if any are given."""
    query = (
        select(
            *(column for column in GAMES.c if column is not GAMES.c.seating),
            PLAYERS.c.name,
            PLAYERS.c.version,
            *(column for column in SEATS.c if column not in (SEATS.c.game, SEATS.c.player)),
        )
        .join(SEATS, GAMES.c.id == SEATS.c.game)
        .join(PLAYERS, PLAYERS.c.id == SEATS.c.player)
        .order_by(GAMES.c.id, SEATS.c.seat)
    )
    if numbers:
        query = query.where(GAMES.c.id.in_(numbers))
    rows = connection.execute(_narrowed(query, wanted)).mappings()
    for number, group in groupby(rows, itemgetter("id")):
        seats = list(group)
        yield KeptGame(
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


def read_record(connection: Connection, game: int) -> bytes | None:
    """Return the compressed file of a game; None if there is no such game."""
    found: bytes | None = connection.execute(
        select(RECORDS.c.data).where(RECORDS.c.game == game)
    ).scalar_one_or_none()
    return found


def _narrowed(query: Select[tuple[object, ...]], wanted: GameFilter) -> Select[tuple[object, ...]]:
    """Return a query of games with the conditions of a filter."""
    if wanted.tournaments:
        query = query.where(GAMES.c.tournament.in_(wanted.tournaments))
    for name in (wanted.player, wanted.opponent):
        if name is not None:
            seats, players = SEATS.alias(), PLAYERS.alias()
            query = query.where(
                exists().where(
                    seats.c.game == GAMES.c.id,
                    seats.c.player == players.c.id,
                    players.c.name == name,
                )
            )
    if wanted.reason is not None:
        seats = SEATS.alias()
        query = query.where(
            (GAMES.c.reason == wanted.reason)
            | exists().where(seats.c.game == GAMES.c.id, seats.c.forfeit == wanted.reason)
        )
    if wanted.board is not None:
        query = query.where(GAMES.c.board == wanted.board)
    if wanted.game is not None:
        query = query.where(GAMES.c.id == wanted.game)
    return query
