"""Finished games as lines of CSV or JSON."""

from __future__ import annotations

import json
from typing import Any

from ludograph.arena.finished_game import FinishedGame
from ludograph.views.table import csv_text

OF_GAME = ("number", "tournament", "start", "seed", "board", "reason", "plies", "played")
OF_SEAT = ("player", "version", "rank", "score", "moves", "seconds", "forfeit", "message")


def game_data(game: FinishedGame) -> dict[str, Any]:
    """Return a game as JSON-able data, without its record."""
    own = ("start", "seed", "board", "reason", "plies", "sentence")
    seats = [
        {**{name: getattr(seat, name) for name in seat.__struct_fields__}, "version": version}
        for seat, version in zip(game.seats, game.versions, strict=True)
    ]
    return {
        "number": game.number,
        "tournament": game.tournament or None,
        **{name: getattr(game, name) for name in own},
        "played": game.ended or None,
        "seats": seats,
    }


def first_line(suffix: str) -> str:
    """Return the names of the columns for a ``.csv`` file; nothing for a ``.jsonl`` file."""
    return csv_text([[*OF_GAME, "seat", *OF_SEAT]]) if suffix == ".csv" else ""


def lines_of(game: FinishedGame, suffix: str, record: bytes = b"") -> str:
    """Return the lines of a game.

    In a ``.csv`` file each seat has a line, so that games with any number of seats have the same
    columns, and no spreadsheet finds a formula.

    Parameters
    ----------
    record
        The file of the game, which ``.jsonl`` holds, too; empty: it does not.
    """
    data = game_data(game)
    if suffix == ".csv":
        whole = [data[name] for name in OF_GAME]
        return csv_text(
            [*whole, number, *(seat[name] for name in OF_SEAT)]
            for number, seat in enumerate(data["seats"])
        )
    if record:
        data["record"] = [json.loads(line) for line in record.splitlines()]
    return f"{json.dumps(data, ensure_ascii=False)}\n"
