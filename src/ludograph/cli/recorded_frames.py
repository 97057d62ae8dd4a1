"""The frames of a recorded game, and a walk through them by keys in a terminal."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Iterator

import click

from ludograph.cli.play.frames import Frame, fits
from ludograph.cli.play.match import move_line, start_line
from ludograph.cli.play.options import PLAIN, Lettering
from ludograph.cli.play.renderers import (
    BELOW,
    DELAY,
    LineRenderer,
    Pace,
    ScreenRenderer,
    colored,
)
from ludograph.cli.terminal import keyboard
from ludograph.cli.terminal.keyboard import Keyboard
from ludograph.cli.terminal.screen import Screen
from ludograph.cli.texts import safe
from ludograph.games import Position
from ludograph.games.analysis_info import AnalysisInfo, overlays_of, sentence
from ludograph.referee import Record
from ludograph.referee.record import Event
from ludograph.referee.sentences import drop_line
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


def at_ply(record: Record, ply: int, lettering: Lettering, overlays: tuple[str, ...] = ()) -> Frame:
    """Return the last frame after this number of moves, with a position of its own."""
    copies = [
        dataclasses.replace(frame, position=frame.position.copy())
        for frame in frames_of(record, lettering, overlays)
        if frame.position.ply == ply
    ]
    return copies[-1]


ON, BACK, PLAY, START, QUIT = "on", "back", "play", "start", "quit"
NUMBERS, NAMES = "numbers", "names"

KEYS = {
    " ": ON,
    keyboard.ENTER: ON,
    keyboard.RIGHT: ON,
    keyboard.LEFT: BACK,
    "b": BACK,
    "e": PLAY,
    "s": START,
    "n": NUMBERS,
    "c": NAMES,
    "q": QUIT,
    keyboard.CLOSED: QUIT,
}
"""The action of each key."""

HELP = "→ on  ← back  e to the end  s start  n numbers  c names of cells  q quit"


def step(record: Record, ply: int, delay: float | None, lettering: Lettering) -> None:
    """Show a game from a ply on, and move through it by keys.

    Raises
    ------
    UsageError
        Without a terminal to read keys from and to draw on.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--step needs a terminal, for its keys and its pictures")
    cursor = FrameCursor(record)
    cursor.go_to_ply(ply)
    pause = DELAY if delay is None else delay
    columns, lines = Screen.size()
    dumb = os.environ.get("TERM") == "dumb"
    renderer: ScreenRenderer | LineRenderer = LineRenderer(Pace(0.0))
    if not dumb and fits(record.start, columns, lines - BELOW):
        renderer = ScreenRenderer(Pace(0.0), colored(), HELP)
    with Keyboard() as keys, renderer:
        walk(cursor, keys, renderer, pause, lettering)


class FrameCursor:
    """A place among the frames of a game.

    Only the current frame is in memory, because boards may be large: a step back replays the game
    from the start.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.last = len(record.events)
        self.restart()

    def restart(self) -> None:
        """Go to the start."""
        self._rest = frames_of(self.record)
        self.frame = next(self._rest)
        self.index = 0

    def go(self, index: int) -> None:
        """Go to a frame; to the first or the last one if the number is too small or too large."""
        index = max(0, min(index, self.last))
        if index < self.index:
            self.restart()
        while self.index < index:
            self.frame = next(self._rest)
            self.index += 1

    def go_to_ply(self, ply: int) -> None:
        """Go to the last frame with this number of moves played."""
        plies = [0]
        for event in self.record.events:
            plies.append(plies[-1] + (event.move is not None))
        self.go(max(index for index, each in enumerate(plies) if each <= ply))


def walk(
    cursor: FrameCursor,
    keys: Keyboard,
    renderer: ScreenRenderer | LineRenderer,
    pause: float,
    lettering: Lettering,
) -> None:
    """Draw frames and move by keys, until the key to quit."""
    playing, shown = False, (-1, lettering)
    if isinstance(renderer, LineRenderer):
        click.echo(HELP)
    while True:
        if shown != (cursor.index, lettering):
            draw(cursor, renderer, lettering)
            shown = (cursor.index, lettering)
        pressed = keys.read(pause if playing else None)
        if pressed is None:
            cursor.go(cursor.index + 1)
            playing = cursor.index < cursor.last
            continue
        key = KEYS.get(pressed, "")
        playing = key == PLAY  # any other key stops it
        if key == QUIT:
            return
        if key == ON:
            cursor.go(cursor.index + 1)
        elif key == BACK:
            cursor.go(cursor.index - 1)
        elif key == START:
            cursor.go(0)
        elif key == NUMBERS:
            lettering = dataclasses.replace(lettering, numbers=not lettering.numbers)
        elif key == NAMES:
            lettering = dataclasses.replace(lettering, names=not lettering.names)


def draw(
    cursor: FrameCursor, renderer: ScreenRenderer | LineRenderer, lettering: Lettering
) -> None:
    """Show the frame at the cursor, with its result if it is the last one."""
    frame = dataclasses.replace(cursor.frame, lettering=lettering)
    if isinstance(renderer, ScreenRenderer):
        renderer.status = f"{cursor.index}/{cursor.last}  {HELP}"
    renderer.show(frame)
    if isinstance(renderer, LineRenderer) and frame.result:
        click.echo(safe(frame.result))
