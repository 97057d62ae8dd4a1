"""What strategies think, as pages show it: a line of text, and overlays of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ludograph.errors import InvalidInput
from ludograph.games import Position, TimeLeft
from ludograph.games.registry import declaration
from ludograph.games.thoughts import Thoughts, overlays_of, sentence
from ludograph.games.understanding import understood
from ludograph.games.wording import in_words
from ludograph.players import parse_player
from ludograph.players.protocol import ChoosingPlayer, thoughts_of
from ludograph.referee import Record
from ludograph.referee.reading import parse_record
from ludograph.web import limits
from ludograph.web.encoding import Data
from ludograph.web.forms import TIME, has_time

USUAL = "mcts"
"""Which strategy is asked unless another one is chosen; the adviser where there is none."""


def view(thoughts: Thoughts | None, before: Position) -> Data | None:
    """Return what a page shows of thoughts: ``text`` and ``overlays``; None without any.

    Parameters
    ----------
    before
        The position in which the move was chosen.
    """
    if thoughts is None:
        return None
    overlays: list[dict[str, Any]] = []
    for overlay in overlays_of(thoughts, before).values():
        told = {"name": overlay.name, "cells": list(overlay.cells)}
        if overlay.values is not None:
            told["values"] = list(overlay.values)
        if overlay.texts is not None:
            told["texts"] = list(overlay.texts)
        overlays.append(told)
    text = sentence(thoughts)
    return {"text": text, "overlays": overlays} if text or overlays else None


def askable(position: Position) -> list[str]:
    """Return the strategies of a game that can be asked about its positions, the usual one first.

    They are those that search for as long as they are told.
    """
    found = position.game.strategies
    adviser = position.game.adviser(position.seats).partition(":")[0]
    first = USUAL if USUAL in found else adviser
    fitting = [
        name
        for name, each in found.items()
        if has_time(each) and each.seats[0] <= position.seats <= each.seats[1]
    ]
    return sorted(fitting, key=lambda name: (name != first, name))


def thoughts_at(data: bytes, step: int, name: str | None) -> bytes:
    """Return what a strategy would do at a step of a record, as JSON; see :func:`ask`."""
    return msgspec.json.encode(ask(parse_record(data, "the record"), step, name))


def ask(record: Record, step: int, name: str | None) -> Data:
    """Return what a strategy would do at a step, or best play without a name.

    That is ``text``, ``cells`` and ``view``.

    Raises
    ------
    InvalidInput
        If there is nothing to do there, or no such strategy.
    """
    position = at_step(record, step)
    if position.is_over or position.turn is None or position.turn < 0:
        raise InvalidInput("nobody is to move here")
    if name is None and declaration(position.game.name).solving is None:
        raise InvalidInput("this game cannot be solved")
    if name is not None and name not in askable(position):
        raise InvalidInput(f"{name[:40]!r} cannot be asked here")
    return solved(position) if name is None else thought(position, name)


def at_step(record: Record, step: int) -> Position:
    """Return the position after so many steps of a game."""
    for number, (position, _) in enumerate(record.positions()):
        if number == step:
            return position
    raise InvalidInput("the game has not so many moves")


def thought(position: Position, name: str) -> Data:
    """Let a strategy think about a position."""
    game = position.game
    spec = parse_player(f"{name}:{TIME}={limits.ASKED_SECONDS:g}", game, position.seats)
    player = ChoosingPlayer(game.strategy(spec.target).create(spec.options, 0))
    player.start(position.copy(), int(position.turn or 0))
    move = int(player.play([], TimeLeft(2 * limits.ASKED_SECONDS)))
    told = thoughts_of(player)
    shown = view(None if told is None else understood(told, position), position)
    told_move = {
        "text": f"would play {in_words(position, move)}",
        "cells": cells_of(position, move),
    }
    return told_move | {"view": shown}


def cells_of(position: Position, move: int) -> list[int]:
    """Return the cells at which people point for a move."""
    return sorted(int(cell) for part in position.game.pointed(position, move) for cell in part)


def solved(position: Position) -> Data:
    """Tell what best play leads to, as far as it is found out in time."""
    found = position.game.solve(position, limits.SOLVED_SECONDS)
    line = tuple(position_texts(position, found.line))
    overlays = view(Thoughts(line=line), position) if line else None
    best = f"\nBest line: {' '.join(line)}" if line else ""
    laid = overlays["overlays"] if overlays else []
    return {
        "text": found.text.partition("\n")[0],
        "cells": cells_of(position, found.line[0]) if found.line else [],
        "view": {"text": f"{found.text}{best}", "overlays": laid},
    }


def position_texts(position: Position, line: Sequence[int]) -> Iterator[str]:
    """Yield the texts of moves that follow each other."""
    board = position.copy()
    for move in line:
        yield board.text(move)
        board.push(move)
