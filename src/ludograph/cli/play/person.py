"""A match that people play in a terminal: a board with a cursor, a line to type on, texts."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ludograph.cli import terminal
from ludograph.cli.play import frames
from ludograph.cli.play.cursor import BoardCursor, MovePicker
from ludograph.cli.play.frames import Frame
from ludograph.cli.play.renderers import (
    DELAY,
    Renderer,
    ScreenRenderer,
    choose_renderer,
    draws_in_place,
    has_keyboard,
    plain_renderer,
)
from ludograph.cli.terminal import Drawn, size
from ludograph.cli.texts import common_start, safe
from ludograph.games import Position
from ludograph.games.interaction import task
from ludograph.players import PlayerSpec
from ludograph.players.human import Front, LineInput, Quit, Turn, prompt, understand
from ludograph.views.columns import fit, width

BELOW = 3
"""Lines under the picture: messages, the keys, the line to type on."""

KEYS = "arrows go  Enter chooses  Tab next  or type a move{words}  ? help  undo  quit"
PICKING = "arrows go through the moves  Enter plays  or type a move  ? help  undo  quit"
TYPING = "Enter plays  Tab completes  up and down: moves that begin so  Esc clears"

LONGEST = 60
"""The most characters of a typed move."""

GLANCE, TICK = 0.5, 0.1
"""Seconds between drawings of a running clock; the second one if time is short."""


def choose_front(
    position: Position,
    players: Sequence[PlayerSpec],
    delay: float | None,
    *,
    shown: bool,
    scroll: bool,
) -> tuple[Renderer, Front | None]:
    """Return the renderer of a game, and the front that asks people for moves; None without people.

    If the terminal can draw the board, people choose moves on it; otherwise they type moves as
    lines of text. ``scroll``: whether other lines are written between the moves.
    """
    if not any(player.kind == "human" for player in players):
        return (choose_renderer(position, delay, scroll=scroll) if shown else Renderer()), None
    lines = LineInput(board=False)
    if not shown:
        return Renderer(), lines
    if not has_keyboard():
        return plain_renderer(delay), lines
    columns, rows = size()
    if scroll or not (draws_in_place() and frames.fits(position, columns, rows - BELOW)):
        renderer = choose_renderer(position, delay, scroll=True)
        return renderer, LineInput(board=draws_in_place())  # there it shows a line per move only
    screen = PersonScreen(DELAY if delay is None else delay)
    return screen, screen


class PersonScreen(ScreenRenderer):
    """Draws every position in place; people choose moves with a cursor or type them on a line.

    Attributes
    ----------
    question
        The question to the person who is to move; None while other players think.
    points
        Where the cursor of each seat was when it moved.
    """

    def __init__(self, delay: float) -> None:
        super().__init__(delay, keys=True)
        self.question: MoveQuestion | None = None
        self.points: dict[int, tuple[float, float]] = {}

    def ask(self, turn: Turn) -> int:
        """Return the move that a person chooses or types."""
        self.terminal.forget()
        question = self.question = MoveQuestion(self, turn)
        try:
            self.terminal.draw()
            while True:
                key = self.terminal.read(question.pause())
                with self.terminal.held():
                    move = None if key is None else question.press(key)
                if move is not None:
                    self.due = 0.0
                    return move
                self.terminal.draw()
        finally:
            self.question = None

    def picture(self) -> Drawn:
        """Return the lines of the screen: those of the question, if there is one."""
        if self.question is None or self.frame is None:
            return super().picture()
        return self.question.picture(self.frame)

    def below(self, columns: int) -> list[str]:  # noqa: ARG002
        """Return the lines under the frame while other players think; it keeps its place."""
        return [""] * BELOW


class MoveQuestion:
    """Asks a person for a move, and handles keys until the move is complete.

    Attributes
    ----------
    text
        The line that is typed; while it is empty, keys move the cursor.
    begun
        The part of it that was typed, before it was replaced by a word that begins so.
    message
        The line below the board, until the next key.
    pages
        The rest of a longer answer, such as help, which is shown in place of the board.
    """

    def __init__(self, screen: PersonScreen, turn: Turn) -> None:
        self.screen, self.turn = screen, turn
        self.text = self.begun = self.message = ""
        self.pages: list[str] = []
        cursor = BoardCursor(turn.position, turn.moves.values(), screen.points.get(turn.seat))
        self.guide: BoardCursor | MovePicker = cursor
        words = [text for text, move in turn.moves.items() if move not in cursor.parts]
        self.keys = KEYS.format(words=f" ({words[0]})" if len(words) == 1 else "")
        if not cursor.parts:
            self.guide, self.keys = MovePicker(turn.position, turn.moves), PICKING

    def pause(self) -> float | None:
        """Return the seconds to wait for a key before the clock is drawn again."""
        left = self.turn.seconds_left()
        return None if left is None else TICK if left < 11 else GLANCE

    def press(self, key: str) -> int | None:
        """Handle a key; return the move if it is complete now."""
        self.message = ""
        if self.pages:
            leaves = key in (terminal.ESC, "q", terminal.CLOSED)
            self.pages = [] if leaves else self.pages[page_lines() :]
            if self.pages or key in LEAVING:
                return None
        if key == terminal.CLOSED:
            raise Quit
        if self.text and key != terminal.ENTER:
            self.edit(key)
            return None
        move = self.enter(self.text) if self.text else self.point(key)
        if move is not None and isinstance(self.guide, BoardCursor):
            self.screen.points[self.turn.seat] = self.guide.point
        return move

    def enter(self, text: str) -> int | None:
        """Handle an entered text; the line is empty then, and a message tells what was wrong."""
        self.text = self.begun = ""
        if text.strip().lower() == "hint":
            self.message = "thinking ..."
            self.screen.terminal.paint()
        answer = understand(self.turn, text)
        if isinstance(answer, int):
            return answer
        self.message = answer[0] if len(answer) == 1 else ""
        self.pages = wrapped(answer, size()[0]) if len(answer) > 1 else []
        return None

    def edit(self, key: str) -> None:
        """Change the line by a key; moves are short, so keys change only its end."""
        if key in (terminal.UP, terminal.DOWN):
            self.text = self.another(1 if key == terminal.DOWN else -1)
            return
        match key:
            case terminal.BACKSPACE:
                self.text = self.text[:-1]
            case terminal.CLEAR | terminal.ESC:
                self.text = ""
            case terminal.CLEAR_WORD:
                self.text = self.text.rstrip().rpartition(" ")[0]
            case terminal.TAB:
                words = self.completions(self.text)
                common = common_start(words) if words else ""
                self.text = common if len(common) >= len(self.text) else self.text
                self.message = "  ".join(words) if len(words) > 1 else ""
            case _ if len(key) == 1 and len(self.text) < LONGEST:
                self.text += key
        self.begun = self.text

    def completions(self, begun: str) -> list[str]:
        """Return the moves, then the requests, that begin with a text, in upper or lower case."""
        words = [*self.turn.moves, "moves", "hint", "undo", "resign", "quit"]
        return [word for word in words if word.lower().startswith(begun.lower())]

    def another(self, step: int) -> str:
        """Return the next or the previous completion of what was typed; the line without any."""
        words = self.completions(self.begun)
        if self.text in words:
            return words[(words.index(self.text) + step) % len(words)]
        return words[0 if step > 0 else -1] if words else self.text

    def point(self, key: str) -> int | None:
        """Handle a key while the line is empty: the cursor moves, cells are chosen."""
        match key:
            case terminal.UP | terminal.DOWN | terminal.LEFT | terminal.RIGHT:
                self.guide.move(key)
            case terminal.TAB | terminal.BACK_TAB:
                self.guide.next(-1 if key == terminal.BACK_TAB else 1)
            case terminal.ESC | terminal.BACKSPACE:
                self.guide.back()
            case terminal.ENTER | " ":
                return self.choose()
            case "?":
                return self.enter("?")
            case _:
                self.edit(key)
        return None

    def choose(self) -> int | None:
        """Choose the cell of the cursor; return the move if it is complete now."""
        whole = self.guide.choose()
        if whole is None:
            self.message = self.guide.explanation()
            return None
        if len(whole) == 1:
            return whole[0]
        if whole:
            texts = [self.turn.position.text(move) for move in whole]
            self.guide.back()
            self.text = self.begun = common_start(texts)
            self.message = f"which one? type {' or '.join(texts)}"
        return None

    def picture(self, frame: Frame) -> Drawn:
        """Return the board with its marks and the lines below, or a page of a longer answer."""
        columns, lines = size()
        if self.pages:
            page, rest = self.pages[: page_lines()], len(self.pages) - page_lines()
            last = "any key: back to the board"
            if rest > 0:
                last = f"any key: next lines ({rest} more), Esc: back to the board"
            return [fit(safe(line), columns) for line in [*page, "", last]], None
        scene, marks = self.guide.marked(frame)
        board = frames.picture(
            frame, columns, lines - BELOW, self.screen.color, marked=scene, around=marks
        )
        question = safe(prompt(self.turn) + self.text)
        first, *more = wrapped([safe(self.message or self.task(columns))], columns)
        keys = TYPING if self.text else self.keys
        below = [first, " ".join(more) or keys, question]
        caret = min(width(question), columns - 1), len(board) + BELOW - 1
        return [*board, *(fit(line, columns) for line in below)], caret

    def task(self, columns: int) -> str:
        """Return the task and what the cursor is on; the latter alone if both do not fit."""
        if self.text:
            return ""
        there = self.guide.description(columns)
        now = task(self.turn.position, len(self.guide.chosen))
        both = ": ".join(filter(None, [now, there]))
        return both if width(both) <= columns else there


LEAVING = (terminal.ESC, terminal.ENTER, " ", "q")
"""Keys that do nothing but leave a text; any other one after its end acts on the board, too."""


def page_lines() -> int:
    """Return the number of lines of a page, which has a blank line and the keys below it."""
    return max(1, size()[1] - 2)


def wrapped(lines: list[str], columns: int) -> list[str]:
    """Return the lines, wrapped to these columns."""
    return [part for line in lines for part in (textwrap.wrap(line, columns) or [""])]
