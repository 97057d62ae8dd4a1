"""Frames of a recorded game: each of its positions, with a line for the event before it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from ludograph.cli.play.frames import Frame
from ludograph.cli.play.match import move_line, start_line
from ludograph.cli.play.options import PLAIN, Lettering
from ludograph.cli.texts import safe
from ludograph.games import Position
from ludograph.games.analysis_info import AnalysisInfo, overlays_of, sentence
from ludograph.referee import Record
from ludograph.referee.record import Event
from ludograph.referee.sentences import drop_line, finish_line
from ludograph.views import Overlay


def frames_of(
    record: Record, lettering: Lettering | None = None, overlays: tuple[str, ...] = ()
) -> Iterator[Frame]:
    """Yield a frame for the start and one for each event, all on one board that changes.

    Parameters
    ----------
    overlays
        Names of overlays from the players' analysis, to draw over the position after the move.
    """
    names = record.names
    heading = record.start.title()
    last, opening = len(record.events), len(record.opening)
    before: Position | None = None
    for number, (position, event) in enumerate(record.positions()):
        line = start_line(position, names) if event is None else event_line(position, event, names)
        line += " (opening)" if 0 < number <= opening else ""
        result = record.sentence if number == last else ""
        frame = Frame(position, names, heading, line, result, lettering or PLAIN)
        if event is not None and event.thoughts is not None:
            frame = dataclasses.replace(
                frame,
                thoughts=sentence(event.thoughts),
                overlays=wanted(event.thoughts, before, overlays) if before is not None else (),
            )
        yield frame
        before = position.copy() if overlays else None


def wanted(thoughts: AnalysisInfo, before: Position, names: tuple[str, ...]) -> tuple[Overlay, ...]:
    """Return the overlays of a player that have these names."""
    found = overlays_of(thoughts, before)
    return tuple(found[name] for name in names if name in found)


def event_line(position: Position, event: Event, names: list[str]) -> str:
    """Return the line of an event; ``position`` is the one after it."""
    if event.move is not None:
        line = move_line(position, event.seat, event.move, names)
        return f"{line}; {event.verdict}" if event.verdict else line

    seat = event.drop or 0
    line = drop_line(names[seat], seat, event.reason or "", event.message or "")
    return f"ply {position.ply}: {line}"


def finish_lines(record: Record) -> list[str]:
    """Return the lines of faults at the end of the game."""
    return [
        safe(finish_line(record.names[event.seat], event.seat, event.reason, event.message))
        for event in record.finish_faults
        if event.seat is not None
    ]


def at_ply(record: Record, ply: int, lettering: Lettering, overlays: tuple[str, ...] = ()) -> Frame:
    """Return the last frame after this number of moves, with a position of its own."""
    copies = [
        dataclasses.replace(frame, position=frame.position.copy())
        for frame in frames_of(record, lettering, overlays)
        if frame.position.ply == ply
    ]
    return copies[-1]
