"""Start positions of ``solve`` and ``playouts``: a new game, or a ply of a recorded one."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import click

from ludograph.cli.texts import safe
from ludograph.games.declaration import Declaration, Values
from ludograph.protocols.formats import read_game

if TYPE_CHECKING:
    from ludograph.games import Position
    from ludograph.referee import Record

Start = tuple["Position", list[str], Values]
"""A position, the details of its heading, and these details as JSON-able data."""


def new_game(game: Declaration, values: Values, seats: int | None, seed: int | None) -> Start:
    """Return the start of a new game."""
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    position = game.game().position(seats=seats, seed=seed, **values)
    return position, [*game.title(values), f"seed {seed}"], {"seed": seed}


def recorded_position(game: Declaration, file: str, ply: int) -> Start:
    """Return the position of a recorded game after a number of moves."""
    record = recorded_game(game, file)
    if ply > record.plies:
        raise click.UsageError(f"--ply must be 0 to {record.plies} in this game, got {ply}")
    *_, position = (each.copy() for each, _ in record.positions() if each.ply == ply)
    return position, [f"ply {ply} of {safe(file)}"], {"record": file, "ply": ply}


def recorded_game(game: Declaration, file: str) -> Record:
    """Return the record in a file; raise UsageError if it is a record of another game."""
    record = read_game(file)
    name = record.start.game.name
    if name != game.name:
        raise click.UsageError(f"{file} is a game of {name}, not of {game.name}")
    return record
