"""The frames of a recorded game, and a walk through them by keys in a terminal."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator

import click

from ludograph.cli import terminal
from ludograph.cli.play.frames import Frame, fits
from ludograph.cli.play.match import move_line, start_line
from ludograph.cli.play.renderers import (
    DELAY,
    Renderer,
    ScreenRenderer,
    draws_in_place,
    has_keyboard,
    line_renderer,
)
from ludograph.cli.shared_options import PLAIN, Lettering
from ludograph.cli.texts import safe
from ludograph.games import Position
from ludograph.games.analysis_info import AnalysisInfo, overlays_of, sentence
from ludograph.referee import Record
from ludograph.referee.record import Event
from ludograph.referee.sentences import drop_line
from ludograph.views import Overlay
from ludograph.views.columns import fit


def frames_of(
    record: Record, lettering: Lettering = PLAIN, overlays: tuple[str, ...] = ()
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
        frame = Frame(position, names, heading, line, result, lettering)
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
        return move_line(position, event.seat, event.move, names)
    seat = event.drop or 0
    line = drop_line(names[seat], seat, event.reason or "", event.message or "")
    return f"ply {position.ply}: {line}"


def at_ply(record: Record, ply: int, lettering: Lettering, overlays: tuple[str, ...] = ()) -> Frame:
    """Return the last frame after this number of moves, with a position of its own."""
    copies = [
        dataclasses.replace(frame, position=frame.position.copy())
        for frame in frames_of(record, lettering, overlays)
        if frame.position.ply == ply
    ]
    return copies[-1]


HELP = "→ on  ← back  e to the end  s start  n numbers  c names of cells  q quit"

BELOW = 2
"""Lines below the board: the result, the keys."""


class StepScreen(ScreenRenderer):
    """Draws the board with the result and the keys below it.

    Attributes
    ----------
    place
        The place of the frame among all of them, as in ``3/12``.
    """

    place = ""

    def below(self, columns: int) -> list[str]:
        """Return the lines under the frame."""
        result = self.frame.result if self.frame is not None else ""
        return [fit(safe(result), columns), fit(f"{self.place}  {HELP}", columns)]


class FrameCursor:
    """A place among the frames of a game.

    Only the current frame is in memory, because boards may be large: a step back replays the game
    from the start.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.last = len(record.events)
        self.index = self.last + 1
        self.go(0)

    def go(self, index: int) -> None:
        """Go to a frame; to the first or the last one if the number is too small or too large."""
        index = max(0, min(index, self.last))
        if index < self.index:
            self._rest = frames_of(self.record)
            self.index = -1
        while self.index < index:
            self.frame = next(self._rest)
            self.index += 1


def step(record: Record, ply: int, delay: float | None, lettering: Lettering) -> None:
    """Show a game from a ply on, and move through it by keys.

    Raises
    ------
    UsageError
        Without a terminal to read keys from and to draw on.
    """
    if not (has_keyboard() and sys.stdout.isatty()):
        raise click.UsageError("--step needs a terminal, for its keys and its pictures")
    columns, lines = terminal.size()
    screen = draws_in_place() and fits(record.start, columns, lines - BELOW)
    renderer = StepScreen(0.0, keys=True) if screen else line_renderer(0.0, keys=True)
    cursor = FrameCursor(record)
    cursor.go(last_of_ply(record, ply))
    with renderer:
        walk(cursor, renderer, DELAY if delay is None else delay, lettering)
    if screen and cursor.frame.result:
        click.echo(safe(cursor.frame.result))


def last_of_ply(record: Record, ply: int) -> int:
    """Return the number of the last frame with this number of moves played."""
    plies = [0]
    for event in record.events:
        plies.append(plies[-1] + (event.move is not None))
    return max(index for index, each in enumerate(plies) if each <= ply)


def walk(cursor: FrameCursor, renderer: Renderer, pause: float, lettering: Lettering) -> None:
    """Show frames and move by keys, until the key to quit."""
    playing, shown = False, (-1, lettering)
    if not isinstance(renderer, StepScreen):
        click.echo(HELP)
    while True:
        if shown != (cursor.index, lettering):
            shown = (cursor.index, lettering)
            show(cursor, renderer, lettering)
        key = renderer.terminal.read(pause if playing else None)
        playing = key == "e" or (key is None and cursor.index + 1 < cursor.last)
        match key:
            case None | " " | terminal.ENTER | terminal.RIGHT:
                cursor.go(cursor.index + 1)
            case "b" | terminal.LEFT:
                cursor.go(cursor.index - 1)
            case "s":
                cursor.go(0)
            case "n":
                lettering = dataclasses.replace(lettering, numbers=not lettering.numbers)
            case "c":
                lettering = dataclasses.replace(lettering, names=not lettering.names)
            case "q" | terminal.CLOSED:
                return


def show(cursor: FrameCursor, renderer: Renderer, lettering: Lettering) -> None:
    """Show the frame at the cursor, with its result if it is the last one."""
    frame = dataclasses.replace(cursor.frame, lettering=lettering)
    if isinstance(renderer, StepScreen):
        renderer.place = f"{cursor.index}/{cursor.last}"
    renderer.show(frame)
    if frame.result and not isinstance(renderer, StepScreen):
        click.echo(safe(frame.result))
