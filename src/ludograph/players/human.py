"""People as players: the question to a person, the words that are typed, and lines of text.

A :class:`Front` asks the person: with lines of text here, with a board and a cursor in the command
line.
"""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any, Protocol

from ludograph.errors import IllegalMove
from ludograph.formatting import printable
from ludograph.games import Outcome, Position, TimeLeft
from ludograph.games.interaction import in_words, task
from ludograph.players.forfeit import PlayerFault, Reason, check_time
from ludograph.players.protocol import ChoosingPlayer, follow
from ludograph.players.spec import parse_player


class TakeBack(Exception):
    """A person takes its last move back, and all moves after it.

    Parameters
    ----------
    seat
        The seat whose last move it is; None: the seat that is to move.
    """

    def __init__(self, seat: int | None = None) -> None:
        super().__init__(seat)
        self.seat = seat


class Resignation(Exception):
    """A person who is not to move resigns.

    Parameters
    ----------
    seat
        The seat of that person.
    """

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class Quit(KeyboardInterrupt):
    """A person leaves; the game is stopped as by Ctrl-C, without a result."""


class Turn:
    """The question to a person: one move.

    Attributes
    ----------
    position
        The position with the person to move; it must not be changed.
    advice
        Searches for a second, and returns a good move.
    """

    def __init__(
        self,
        position: Position,
        seat: int,
        time_left: TimeLeft,
        kept: Callable[[int], str],
        advice: Callable[[TimeLeft], int],
    ) -> None:
        self.position = position
        self.seat = seat
        self._kept = kept
        self._advice = advice
        self._began, self._allowed = time.monotonic(), time_left.allowed

    @cached_property
    def moves(self) -> dict[str, int]:
        """The legal moves: code by text, in the order of the codes."""
        codes = sorted(self.position.legal_moves())
        return {self.position.text(code): code for code in codes}

    def kept(self, seat: int | None = None) -> str:
        """Return why the last move of a seat cannot be taken back; an empty text if it can.

        Without a seat, the result is for the seat to move.
        """
        return self._kept(self.seat if seat is None else seat)

    def seconds_left(self) -> float | None:
        """Return the time that is left for this move, None without a clock.

        Raises
        ------
        PlayerFault
            With the reason ``timeout`` when it is over.
        """
        if self._allowed is None:
            return None
        passed = time.monotonic() - self._began
        check_time(passed, self._allowed, sentence="the time ended before a move was entered")
        return max(0.0, self._allowed - passed)

    def advice(self) -> int:
        """Return a good move, after at most a second or half of the time that is left."""
        left = self.seconds_left()
        return self._advice(TimeLeft(None if left is None else left / 2))


class Front(Protocol):
    """The interface between a game and the people who play it; one for all of them."""

    def ask(self, turn: Turn) -> int:
        """Return a legal move.

        Raises
        ------
        PlayerFault
            With the reason ``resign`` or ``timeout``.
        TakeBack, Resignation, Quit
            If a person requests it.
        """


class HumanPlayer:
    """A person on a seat.

    Parameters
    ----------
    seed
        The seed of the strategy that gives advice.

    Attributes
    ----------
    kept
        Returns why the last move of a seat cannot be taken back; set by the referee.
    """

    def __init__(self, front: Front, seed: int) -> None:
        self.front = front
        self.seed = seed
        self.kept: Callable[[int], str] = lambda _: "moves cannot be taken back here"
        self._adviser: Any = None

    def start(self, position: Position, seat: int) -> None:
        """Begin a game."""
        self.position, self.seat = position, seat

    def play(self, moves: list[int], time_left: TimeLeft) -> int:
        """Ask for a move until a legal one comes."""
        follow(self.position, moves)
        move = self.front.ask(Turn(self.position, self.seat, time_left, self.kept, self.advise))
        self.position.play(move)
        return move

    def finish(self, outcome: Outcome | None) -> None:
        """End the game."""

    def advise(self, time_left: TimeLeft) -> int:
        """Return the move of the game's own adviser."""
        game = self.position.game
        if self._adviser is None:
            spec = parse_player(game.adviser(self.position.seats), game, self.position.seats)
            self._adviser = game.strategy(spec.target).create(spec.options, self.seed)
        adviser = ChoosingPlayer(self._adviser)
        adviser.start(self.position.copy(), self.seat)
        return int(adviser.play([], time_left))


MOVES = "moves"
"""The word for a list of the legal moves."""

LISTED = 60
"""The most legal moves in a refusal, or in a list on one screen."""

NUMBER_LIMIT = 20
"""The most characters of a move's number in the list of moves."""


def understand(
    turn: Turn, text: str, refusal: Callable[[Position, int], str] = Position.why_not
) -> int | list[str]:
    """Return the legal move of a text, or else lines to show.

    The text may be a move in the game's notation; its number in the list of ``moves``, as ``#3``;
    the beginning of a word, if only one legal move begins with it; or a symbol on the board, if
    only one legal move is chosen by cells with it.

    Parameters
    ----------
    refusal
        Returns why a move is not legal.

    Raises
    ------
    PlayerFault
        With the reason ``resign``.
    TakeBack, Quit
        If the text is this request.
    """
    text = text.strip()
    try:
        code = turn.position.parse(text)
    except IllegalMove as error:
        unknown = str(error)
    else:
        if turn.position.is_legal(code):
            return code
        return [refusal(turn.position, code)]
    if text.lower() in WISHES:
        return WISHES[text.lower()](turn)
    found = meant(turn, text)
    if len(found) == 1:
        return found[0]
    if found:
        return [f"{text} may be {' or '.join(map(turn.position.text, found[:LISTED]))}"]
    abbreviated = begun_by(turn.position, text)
    if abbreviated is not None:
        return [refusal(turn.position, abbreviated)]
    return [f"{unknown}; ? helps"] if text else []


def wished(text: str) -> bool:
    """Tell whether a text is a request rather than a move."""
    return text.strip().lower() in WISHES


def meant(turn: Turn, text: str) -> list[int]:
    """Return the legal moves that a text may mean if it is not in the game's notation."""
    if len(text) <= NUMBER_LIMIT and re.fullmatch("#[0-9]+", text):
        number = int(text[1:])
        return list(turn.moves.values())[number - 1 : number] if number else []
    if text.isalpha():
        word = text.lower()
        begun = [code for move, code in turn.moves.items() if move.lower().startswith(word)]
        if begun:
            return begun
    return by_symbol(turn, text) if len(text) == 1 else []


def begun_by(position: Position, text: str) -> int | None:
    """Return the only code whose word begins with a text, among the lowest codes, legal or not."""
    found = []
    for code in range(LISTED) if text.isalpha() else ():
        with suppress(IllegalMove):
            if position.text(code).lower().startswith(text.lower()):
                found.append(code)
    return found[0] if len(found) == 1 else None


def by_symbol(turn: Turn, symbol: str) -> list[int]:
    """Return the legal moves that are chosen by one cell, if such cells show the symbol."""
    game, position = turn.position.game, turn.position
    scene = position.scene()
    shown = {number for number, swatch in enumerate(scene.palette) if swatch.symbol == symbol}
    return [
        code
        for code in turn.moves.values()
        if len(parts := game.interaction.pointed(position, code)) == 1
        and any(int(scene.fills[cell]) in shown for cell in parts[0])
    ]


def help_lines(turn: Turn) -> list[str]:
    """Return the notation of moves in this game, and the other words that can be typed."""
    game, moves = turn.position.game, list(turn.moves)
    written = (
        f"A move is written as {game.interaction.written_as}. "
        if game.interaction.written_as
        else ""
    )
    legal = f"{len(moves)} moves are legal now" if len(moves) > 1 else "One move is legal now"
    return [
        f"{task(turn.position)}. {written}{legal}, such as {moves[len(moves) // 2]}.",
        *(f"{word:<7} {summary}" for word, summary in SUMMARIES.items()),
    ]


def listed_moves(turn: Turn) -> list[str]:
    """Return the legal moves with their numbers and effects.

    The effect of a move is given if its text does not show it, as for a meeple on a road.
    """
    moves = enumerate(turn.moves.values(), 1)
    return [f"#{number} {in_words(turn.position, move)}" for number, move in moves]


def moves_lines(turn: Turn) -> list[str]:
    """Return the legal moves in columns for a terminal."""
    listed = listed_moves(turn)
    size = max(map(len, listed)) + 2
    across = max(1, 78 // size)
    rows = [listed[first : first + across] for first in range(0, len(listed), across)]
    return ["".join(f"{text:<{size}}" for text in row).rstrip() for row in rows]


def _hint(turn: Turn) -> list[str]:
    return [f"hint: {in_words(turn.position, turn.advice())}"]


def _undo(turn: Turn) -> list[str]:
    reason = turn.kept()
    if reason:
        return [f"undo: {reason}"]
    raise TakeBack


def _resign(turn: Turn) -> list[str]:  # noqa: ARG001
    raise PlayerFault(Reason.RESIGN, "")


def _quit(turn: Turn) -> list[str]:  # noqa: ARG001
    raise Quit


WISHES: dict[str, Callable[[Turn], list[str]]] = {
    "?": help_lines,
    "help": help_lines,
    MOVES: moves_lines,
    "hint": _hint,
    "undo": _undo,
    "resign": _resign,
    "quit": _quit,
}
"""The words that can be typed beside moves."""

SUMMARIES = {
    "?": "this",
    MOVES: "all legal moves; #3 plays the third of them",
    "hint": "what a search of one second would play",
    "undo": "take your last move back, and all after it",
    "resign": "end the game, which you lose",
    "quit": "leave; the game has no result",
}


LONGEST = 4096
"""The most bytes of a line."""


class LineInput:
    """Reads a move per line from standard input, and answers on standard error.

    Parameters
    ----------
    board
        Write the board before each question: for callers who do not show the game.
    """

    def __init__(self, *, board: bool = True) -> None:
        self.board = board
        self.input = Input()

    def ask(self, turn: Turn) -> int:
        """Return a legal move; at the end of the input the player resigns."""
        if self.board:
            tell(f"{turn.position}\n")
        while True:
            if self.input.is_terminal:
                tell(prompt(turn))
            line = self.input.line(turn)
            if line is None and self.input.is_terminal:
                tell("\n")
                raise Quit
            if line is None:
                raise PlayerFault(Reason.RESIGN, "the input has ended")
            answer = understand(turn, line)
            if isinstance(answer, int):
                return answer
            tell("".join(f"{printable(each)}\n" for each in answer))


def prompt(turn: Turn) -> str:
    """Return the prompt before a typed move: seat, color, time."""
    color = turn.position.game.presentation.seat_facts(turn.position, turn.seat).color
    left = turn.seconds_left()
    shown = [f"seat {turn.seat}", *([color] if color else [])]
    shown += [f"{clock_text(left)} left"] if left is not None else []
    return f"{', '.join(shown)}> "


def clock_text(seconds: float) -> str:
    """Return a time in the form of clocks: ``1:05``, and tenths in the last ten seconds."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def tell(text: str) -> None:
    """Write to standard error, after flushing standard output."""
    sys.stdout.flush()
    sys.stderr.write(text)
    sys.stderr.flush()


class Input:
    """Standard input, line by line, without waiting longer than a clock allows."""

    def __init__(self) -> None:
        self._kept = b""
        self._ended = sys.stdin is None
        self.is_terminal = not self._ended and sys.stdin.isatty()

    def line(self, turn: Turn) -> str | None:
        """Return the next line, None at the end; raise PlayerFault when the time is over.

        In a terminal, Ctrl-D ends a line, too; a line with nothing but blanks is the end then.
        """
        while b"\n" not in self._kept and len(self._kept) < LONGEST and not self._ended:
            left = turn.seconds_left()
            chunk = self._read(left)
            self._ended = chunk == b""
            self._kept += chunk or b""
            if self.is_terminal and chunk and not chunk.endswith(b"\n"):
                break
        if not self._kept.strip(b" \t"):
            return None
        line, _, self._kept = self._kept.partition(b"\n")
        if len(line) >= LONGEST:
            line = line[: LONGEST // 64]  # every move is shorter; the rest is not a move either
        return line.decode("utf-8", "replace").strip()

    def _read(self, seconds: float | None) -> bytes | None:
        """Return some bytes, empty at the end of the input; None if none came in time."""
        try:
            file = sys.stdin.fileno()
        except OSError:  # an object in place of the stream: it has no clock
            return sys.stdin.readline().encode()
        if not select.select([file], [], [], seconds)[0]:
            return None
        return os.read(file, LONGEST)
