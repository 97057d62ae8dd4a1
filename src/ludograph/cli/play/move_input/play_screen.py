"""The screen of a match that people play: a board with a cursor, a line to type on, pages."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from ludograph.cli.play import frames
from ludograph.cli.play.move_input.cursor import (
    BoardCursor,
    MovePicker,
    marked_scene,
    marks_in_text,
)
from ludograph.cli.play.move_input.edit_line import EditLine
from ludograph.cli.play.options import Pause
from ludograph.cli.play.renderers import (
    DELAY,
    Pace,
    PlainRenderer,
    Renderer,
    ScreenRenderer,
    choose_renderer,
    colored,
    pace_of,
)
from ludograph.cli.terminal import keyboard
from ludograph.cli.terminal.keyboard import Keyboard
from ludograph.cli.terminal.screen import Screen
from ludograph.cli.texts import common_start, safe
from ludograph.games.interaction import task
from ludograph.players.human import Quit
from ludograph.players.human.lines import LineInput, prompt
from ludograph.players.human.words import understand
from ludograph.views.columns import fit, width

if TYPE_CHECKING:
    from ludograph.cli.play.frames import Frame
    from ludograph.games import Position
    from ludograph.players import PlayerSpec
    from ludograph.players.human import Front, Turn

BELOW = 3
"""Lines under the picture: messages, the keys, the line to type on."""

KEYS = "arrows go  Enter chooses  Tab next  or type a move{words}  ? help  undo  quit"
PICKING = "arrows go through the moves  Enter plays  or type a move  ? help  undo  quit"
TYPING = "Enter plays  Tab completes  up and down: moves that begin so  Esc clears"

GLANCE, TICK = 0.5, 0.1
"""Seconds between checks of the clock and the terminal's size; the second one if time is short."""


def choose_front(
    position: Position,
    players: Sequence[PlayerSpec],
    delay: Pause,
    *,
    shown: bool,
    scroll: bool,
) -> tuple[Renderer, Front | None]:
    """Return the renderer of a game, and the front that asks people for moves; None without people.

    If the terminal can draw the board, people choose moves on it; otherwise they type moves as
    lines of text. ``scroll``: whether other lines are written between the moves.
    """
    people = any(player.kind == "human" for player in players)
    if not people:
        return (choose_renderer(position, delay, scroll=scroll) if shown else Renderer()), None
    if not shown:
        return Renderer(), LineInput(board=False)
    if sys.stdin is None or not sys.stdin.isatty():
        return PlainRenderer(pace_of(delay, 0.0)), LineInput(board=False)
    if draws(position) and not scroll:
        table = PlayScreen(pace_of(delay, DELAY), colored())
        return table, table
    return choose_renderer(position, delay, scroll=scroll), LineInput(board=False)


def draws(position: Position) -> bool:
    """Tell whether the terminal has room for the board and the lines below it."""
    columns, lines = Screen.size()
    dumb = os.environ.get("TERM") == "dumb" or not sys.stdout.isatty()
    return not dumb and frames.fits(position, columns, lines - BELOW)


class PlayScreen(ScreenRenderer):
    """Draws every position in place; people choose moves with a cursor or type them on a line."""

    def __init__(self, pace: Pace, color: bool) -> None:
        super().__init__(pace, color)
        self.keys = Keyboard()
        self.points: dict[int, tuple[float, float]] = {}

    def __enter__(self) -> Self:
        self.keys.__enter__()
        super().__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        """Restore the screen and the keyboard."""
        try:
            super().__exit__(*raised)
        finally:
            self.keys.__exit__(*raised)

    def picture(self, frame: Frame, columns: int, lines: int) -> list[str]:
        """Return the lines of a frame while other players think; the board is at the same place."""
        picture = frames.picture(frame, columns, lines - BELOW, self.color, around={})
        return [*picture, fit(self.pace.keys, columns)] if self.pace.keys else picture

    def ask(self, turn: Turn) -> int:
        """Return the move that a person chooses or types."""
        self.keys.forget()
        with self.resizes.held():  # the question checks the window's size itself
            question = MoveQuestion(self, turn)
            while True:
                move = question.press(self.keys.read(question.pause()))
                if move is not None:
                    self.pace.skip()
                    return move


class MoveQuestion:
    """Asks a person for a move, and handles keys until the move is complete.

    Attributes
    ----------
    message
        The line below the board, until the next key.
    words
        The only move without cells, such as ``(swap)``; empty if there is not exactly one.
    """

    def __init__(self, screen: PlayScreen, turn: Turn) -> None:
        self.play_screen, self.turn = screen, turn
        self.line = EditLine([*turn.moves, *("moves", "hint", "undo", "resign", "quit")])
        self.message = ""
        pointer = BoardCursor(turn.position, list(turn.moves.values()))
        self.guide: BoardCursor | MovePicker = pointer
        words = [text for text, move in turn.moves.items() if move not in pointer.parts]
        self.words = f" ({words[0]})" if len(words) == 1 else ""
        if pointer.parts:
            pointer.place(screen.points.get(turn.seat))
        else:
            self.guide = MovePicker(turn.position, turn.moves)
        self.drawn: tuple[object, ...] = ()
        self.draw()

    def pause(self) -> float:
        """Return the seconds to wait for a key before the clock and the terminal are checked."""
        left = self.turn.seconds_left()
        return TICK if left is not None and left < 11 else GLANCE

    def press(self, key: str | None) -> int | None:
        """Handle a key; return the move if it is complete now."""
        move = None
        if key is not None:
            self.message = ""
            move = self.typed(key) if self.line.text else self.pointed(key)
        if move is None:
            self.draw()
        elif isinstance(self.guide, BoardCursor):
            self.play_screen.points[self.turn.seat] = self.guide.point
        return move

    def typed(self, key: str) -> int | None:
        """Handle a key while there is a text on the line."""
        if key == keyboard.CLOSED:
            raise Quit
        if key != keyboard.ENTER:
            self.line.press(key)
            if key == keyboard.TAB:
                words = self.line.completions(self.line.text)
                self.message = "  ".join(words) if len(words) > 1 else ""
            return None
        return self.understood(self.line.text)

    def understood(self, text: str) -> int | None:
        """Handle an entered text; the line is empty then, and a message tells what was wrong."""
        self.line.clear()
        if text.strip().lower() == "hint":
            self.message = "thinking ..."
            self.draw()
        answer = understand(self.turn, text)
        if isinstance(answer, int):
            return answer
        if len(answer) > 1:
            key = Pager(self.play_screen.screen, self.play_screen.keys, self.turn).show(answer)
            self.drawn = ()
            return None if key in LEAVING else self.pointed(key)
        self.message = "".join(answer)
        return None

    def pointed(self, key: str) -> int | None:
        """Handle a key while the line is empty: the cursor moves, cells are chosen."""
        guide = self.guide
        match key:
            case keyboard.UP | keyboard.DOWN | keyboard.LEFT | keyboard.RIGHT:
                if not isinstance(guide, BoardCursor) or guide.cell >= 0:
                    guide.move(key)
            case keyboard.TAB | keyboard.BACK_TAB:
                guide.next(-1 if key == keyboard.BACK_TAB else 1)
            case keyboard.ENTER | " ":
                return self.choose()
            case keyboard.ESC | keyboard.BACKSPACE:
                guide.back()
            case keyboard.CLOSED:
                raise Quit
            case "?":
                return self.understood("?")
            case _:
                self.line.press(key)
        return None

    def choose(self) -> int | None:
        """Choose the cell of the cursor; return the move if it is complete now."""
        guide = self.guide
        if isinstance(guide, BoardCursor) and not guide.can_choose():
            self.message = guide.explanation()
            return None
        whole = guide.choose()
        if len(whole) == 1:
            return whole[0]
        if whole:
            texts = [self.turn.position.text(move) for move in whole]
            self.guide.back()
            self.line.put(common_start(texts))
            self.message = f"which one? type {' or '.join(texts)}"
        return None

    def draw(self) -> None:
        """Draw the board with its marks, and the lines below, if anything has changed."""
        play_screen = self.play_screen
        frame = play_screen.frame
        columns, lines = Screen.size()
        below, caret = self.below(columns)
        guide = self.guide
        place = guide.text if isinstance(guide, MovePicker) else (guide.cell, *guide.chosen)
        now = (columns, lines, place, *below, caret)
        if now == self.drawn or frame is None:
            return
        self.drawn = now
        if isinstance(guide, MovePicker):
            scene, around = guide.scene(frame.lettering), {}
        else:
            at = (guide.cell, guide.chosen, guide.targets())
            scene = frame.lettered(marked_scene(guide.scene, *at))
            around = marks_in_text(guide.scene, *at)
        picture = frames.picture(
            frame, columns, lines - BELOW, play_screen.color, marked=scene, around=around
        )
        play_screen.screen.draw([*picture, *below], (caret, len(picture) + BELOW - 1))

    def task(self, columns: int) -> str:
        """Return the task and the cell under the cursor; the cell alone if both do not fit."""
        guide = self.guide
        chosen = len(guide.chosen) if isinstance(guide, BoardCursor) else 0
        if isinstance(guide, BoardCursor):
            there = "" if guide.cell < 0 else guide.description()
        else:
            there = guide.description(columns)
        both = ": ".join(filter(None, [task(self.turn.position, chosen), there]))
        return both if width(both) <= columns else there

    def below(self, columns: int) -> tuple[list[str], int]:
        """Return the lines under the picture, and the column where the next letter goes."""
        picks = isinstance(self.guide, MovePicker)
        keys = TYPING if self.line.text else PICKING if picks else KEYS.format(words=self.words)
        message = self.message or ("" if self.line.text else self.task(columns))
        question = prompt(self.turn)
        text = fit(safe(question + self.line.text), columns)
        caret = min(width(question + self.line.text[: self.line.caret]), columns - 1)
        first, *more = wrapped([safe(message)], columns)
        second = fit(" ".join(more), columns) if more else fit(keys, columns)
        return [first, second, text], caret


LEAVING = (keyboard.ESC, keyboard.ENTER, " ", "q")
"""Keys that do nothing but leave a text; any other one after its end acts on the board, too."""


class Pager:
    """Shows texts page by page; meanwhile the clock runs on."""

    def __init__(self, screen: Screen, keys: Keyboard, turn: Turn) -> None:
        self.screen, self.keys, self.turn = screen, keys, turn

    def show(self, lines: list[str]) -> str:
        """Show lines; a key shows the next page. Return the key that goes back to the board."""
        first, columns = 0, Screen.size()[0]
        lines = wrapped(lines, columns)
        while True:
            columns, height = Screen.size()
            room = max(1, height - 2)
            rest = len(lines) - first - room
            more = f"any key: next lines ({rest} more), Esc: back to the board"
            last = more if rest > 0 else "any key: back to the board"
            page = [fit(safe(line), columns) for line in lines[first : first + room]]
            self.screen.draw([*page, "", fit(last, columns)])
            key = None
            while key is None:
                self.turn.seconds_left()
                key = self.keys.read(GLANCE)
            first += room
            if rest <= 0 or key in (keyboard.ESC, "q", keyboard.CLOSED):
                return key


def wrapped(lines: list[str], columns: int) -> list[str]:
    """Return the lines, wrapped to these columns."""
    return [part for line in lines for part in (textwrap.wrap(line, columns) or [""])]
