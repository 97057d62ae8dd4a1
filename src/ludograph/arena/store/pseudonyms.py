"""Players of a store under other names: games of people who have left stay without their names."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, select, update

from ludograph.arena.store.schema import GAMES, PLAYERS, RECORDS, SEATS, TOURNAMENTS
from ludograph.arena.store.store import Store
from ludograph.referee.public_record import record_for

decode, encode = msgspec.json.decode, msgspec.json.encode

Renaming = Callable[[str], str | None]
"""Returns the new name of a player; None for one that keeps its name."""


def rename_players(store: Store, renaming: Renaming) -> int:
    """Rename players in all games of a store; return the number of these games.

    The names that players gave themselves, their messages, prints and thoughts are erased. Nothing
    of it stays in free pages of the database either.

    Raises
    ------
    HostFailure
        If another process keeps the database from giving free pages back.
    """
    with store.writing() as connection:
        known = connection.execute(select(PLAYERS.c.id, PLAYERS.c.name)).all()
        renamed = {number: new for number, name in known if (new := renaming(name)) is not None}
        ours = SEATS.c.player.in_(renamed)
        games: dict[int, dict[int, str]] = defaultdict(dict)
        for game, seat, player in connection.execute(
            select(SEATS.c.game, SEATS.c.seat, SEATS.c.player).where(ours)
        ).all():
            games[game][seat] = renamed[player]
        for game, names in games.items():
            _rename_game(connection, game, names)
        connection.execute(update(SEATS).where(ours).values(message=None))
        for number, name in renamed.items():
            connection.execute(update(PLAYERS).where(PLAYERS.c.id == number).values(name=name))
        for number, text in connection.execute(
            select(TOURNAMENTS.c.id, TOURNAMENTS.c.declaration)
        ).all():
            new = encode(_renamed(decode(text), renaming)).decode()
            own = update(TOURNAMENTS).where(TOURNAMENTS.c.id == number)
            connection.execute(own.values(declaration=new))
    store.compact(erase=True)
    return len(games)


def _rename_game(connection: Connection, game: int, names: Mapping[int, str]) -> None:
    """Rename the players of a game, by their seats, in its row and its record."""
    found = select(GAMES.c.seating, GAMES.c.sentence).where(GAMES.c.id == game)
    seating, sentence = connection.execute(found).one()
    players = decode(seating, type=list[str])
    patterns = {
        seat: re.compile(rf"{re.escape(players[seat])}( “.*?”)? \(seat {seat}\)") for seat in names
    }

    def told(text: str) -> str:
        for seat, name in names.items():
            text = patterns[seat].sub(f"{name} (seat {seat})".replace("\\", r"\\"), text)
        return text

    row = {"seating": encode(_seated(players, names)).decode(), "sentence": told(sentence)}
    connection.execute(update(GAMES).where(GAMES.c.id == game).values(row))
    kept = select(RECORDS.c.data).where(RECORDS.c.game == game)
    data = connection.execute(kept).scalar_one_or_none()
    if data is None:
        return
    others = set(range(len(players))) - set(names)
    lines = record_for(zlib.decompress(data), others).splitlines(keepends=True)
    for number, line in enumerate(lines):
        if number and b'"sentence"' not in line:
            continue
        fields = decode(line)
        for name in ("players", "specs", "names"):
            if name in fields:
                fields[name] = _seated(fields[name], names)
        if "sentence" in fields:
            fields["sentence"] = told(fields["sentence"])
        lines[number] = encode(fields) + b"\n"
    changed = update(RECORDS).where(RECORDS.c.game == bindparam("number"))
    connection.execute(
        changed.values(data=bindparam("packed")),
        {"number": game, "packed": zlib.compress(b"".join(lines), 1)},
    )


def _seated(players: list[str], names: Mapping[int, str]) -> list[str]:
    return [names.get(seat, player) for seat, player in enumerate(players)]


def _renamed(value: Any, renaming: Renaming) -> Any:
    """Return JSON data in which players have their new names, as texts and as keys."""
    if isinstance(value, str):
        return renaming(value) or value
    if isinstance(value, list):
        return [_renamed(one, renaming) for one in value]
    if isinstance(value, dict):
        return {renaming(name) or name: _renamed(one, renaming) for name, one in value.items()}
    return value
