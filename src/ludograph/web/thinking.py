"""What strategies think, as pages show it: a line of text, and overlays of the board."""

from __future__ import annotations

import threading
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.games import Position, TimeLeft
from ludograph.games.thoughts import Thoughts, overlays_of, sentence, understood
from ludograph.players import parse_player
from ludograph.players.protocol import ChoosingPlayer, thoughts_of
from ludograph.referee import Record
from ludograph.web import limits
from ludograph.web.encoding import Data
from ludograph.web.forms import TIME, has_time

USUAL = "mcts"
"""Which strategy is asked unless another one is chosen; the adviser where there is none."""


class Busy(InvalidInput):
    """Too many searches of visitors are going on."""


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


class Advisers:
    """Lets strategies think for visitors: so many at a time, so long each."""

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(limits.SEARCHES)

    def ask(self, record: Record, step: int, name: str) -> Data:
        """Return what a strategy would do at a step: ``text``, ``cells``, ``view``.

        Raises
        ------
        Busy
            If too many search already.
        InvalidInput
            If there is nothing to do there, or no such strategy.
        """
        position = at_step(record, step)
        if position.is_over or position.turn is None or position.turn < 0:
            raise InvalidInput("nobody is to move here")
        if name not in askable(position):
            raise InvalidInput(f"{name[:40]!r} cannot be asked here")
        if not self._free.acquire(blocking=False):
            raise Busy(f"{limits.SEARCHES} searches are going on already; ask again in a moment")
        try:
            return thought(position, name)
        finally:
            self._free.release()


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
    parts = game.pointed(position, move)
    cells = sorted(int(cell) for part in parts for cell in part)
    return {"move": move, "text": position.text(move), "cells": cells, "view": shown}
