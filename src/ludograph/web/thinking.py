"""What strategies have found out, as pages show it: a line of text, and overlays of the board."""

from __future__ import annotations

from typing import Any

import msgspec

from ludograph.analysis.advice import advice_at, position_at
from ludograph.games import Position
from ludograph.games.thoughts import Thoughts, overlays_of, sentence
from ludograph.referee import Record
from ludograph.referee.reading import parse_record
from ludograph.web import limits
from ludograph.web.encoding import Data


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
    advice = advice_at(
        record,
        step,
        name,
        strategy_seconds=limits.ASKED_SECONDS,
        solver_seconds=limits.SOLVED_SECONDS,
    )
    position = position_at(record, step)
    shown = view(advice.info, position)
    if advice.detail:
        shown = {"text": advice.detail, "overlays": shown["overlays"] if shown else []}
    return {"text": advice.text, "cells": advice.cells, "view": shown}
