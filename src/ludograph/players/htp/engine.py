"""Our engine: answers the commands of a front end or a referee, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any, TextIO

from ludograph.errors import IllegalMove
from ludograph.games import TimeLeft
from ludograph.games.hex import hex
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.players.htp.framing import COLORS, Command, failure, parse_command, success
from ludograph.players.htp.table import RESIGN, SPECIAL, SWAP_PIECES, Entry, Refused, Table
from ludograph.players.naming import PlayerSpec
from ludograph.players.protocol import takes_time
from ludograph.version import VERSION

PROTOCOL_VERSION = "2"
LARGEST = 50
LONGEST = 1e6


class Engine:
    """An HTP engine around a built-in strategy.

    Parameters
    ----------
    spec
        The strategy with its options.
    size
        Of the first board.
    pie
        Whether it may answer the first stone by ``swap-pieces``.
    """

    def __init__(
        self, spec: PlayerSpec, *, size: int = 11, pie: bool = True, seed: int = 0
    ) -> None:
        self.spec, self.pie, self.seed = spec, pie, seed
        self.running = True
        self.settings = TimeLeft()
        self.clocks = [TimeLeft(), TimeLeft()]
        self.commands: dict[str, Callable[..., str]] = {
            "name": lambda: "Ludograph",
            "version": lambda: VERSION,
            "protocol_version": lambda: PROTOCOL_VERSION,
            "list_commands": lambda: "\n".join(sorted(self.commands)),
            "known_command": lambda name: "true" if name in self.commands else "false",
            "boardsize": self.boardsize,
            "clear_board": self.clear_board,
            "play": self.play,
            "genmove": self.genmove,
            "undo": self.undo,
            "showboard": lambda: f"\n{self.table.position()}",
            "final_score": self.final_score,
            "time_settings": self.time_settings,
            "time_left": self.time_left,
            "quit": self.quit,
        }
        self.table = Table(size, pie)
        self.ready()

    def ready(self) -> None:
        """Make a fresh player for a fresh board, before any clock runs."""
        self.clocks = [self.settings, self.settings]
        self.player: Any = hex.strategy(self.spec.target).create(self.spec.options, self.seed)
        self.wants_time = takes_time(self.player.choose)
        prepare = getattr(self.player, "prepare", None)
        if prepare is not None:
            prepare(self.table.position(BLACK))

    def serve(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer commands until ``quit`` or the end of the input."""
        for line in lines:
            command = parse_command(line)
            if command is not None:
                out.write(self.answer(command))
                out.flush()
            if not self.running:
                return

    def answer(self, command: Command) -> str:
        """Return the response to a command."""
        number, name, arguments = command
        if name not in self.commands:
            return failure(number, "unknown command")
        function = self.commands[name]
        try:
            signature(function).bind(*arguments)
        except TypeError:
            return failure(number, "syntax error: wrong number of arguments")
        try:
            return success(number, function(*arguments))
        except Refused as error:
            return failure(number, str(error))

    def boardsize(self, width: str, height: str = "") -> str:
        """Begin with an empty board of this size."""
        columns, rows = whole(width), whole(height or width)
        if columns != rows or not 1 <= columns <= LARGEST:
            raise Refused("unacceptable size")
        self.table = Table(columns, self.pie)
        self.ready()
        return ""

    def clear_board(self) -> str:
        """Take all stones away."""
        self.table.history.clear()
        self.ready()
        return ""

    def play(self, color: str, move: str) -> str:
        """Put down a stone; colors may come in any order."""
        self.table.add(self.entry(color_of(color), move.lower()))
        return ""

    def entry(self, color: int, move: str) -> Entry:
        """Return a move as the table keeps it."""
        if move in SPECIAL:
            return Entry(color, -1, move)
        try:
            vertex = hex.parse_move(self.table.plain.setup, move)
        except IllegalMove:
            raise Refused("syntax error: no such cell") from None
        return Entry(color, vertex)

    def genmove(self, color_text: str) -> str:
        """Choose a move and play it."""
        color = color_of(color_text)
        if self.table.winner() is not None:
            raise Refused("the game is over")
        position = self.table.position(color)
        began = time.perf_counter()
        if self.wants_time:
            move = self.player.choose(position, self.clocks[color])
        else:
            move = self.player.choose(position)
        self.spend(color, time.perf_counter() - began)
        if move == position.board.n:
            self.table.add(Entry(color, -1, SWAP_PIECES))
            return SWAP_PIECES
        self.table.add(Entry(color, int(move)))
        return position.text(int(move))

    def undo(self) -> str:
        """Take the last move back."""
        if not self.table.history:
            raise Refused("cannot undo")
        self.table.history.pop()
        return ""

    def final_score(self) -> str:
        """Return who has won."""
        winner = self.table.winner()
        if winner is None:
            raise Refused("cannot score: the game is not over")
        return "BW"[winner] + ("+R" if self.table.history[-1].special == RESIGN else "+")

    def time_settings(self, main: str, period: str, stones: str) -> str:
        """Set the clocks of both colors, as GTP has it: Canadian byo-yomi, or no limit."""
        total, extra, count = seconds(main), seconds(period), whole(stones)
        if extra > 0 and count == 0:
            self.settings = TimeLeft()
        elif total > 0:
            self.settings = TimeLeft(game=total, increment=extra / count if count else 0.0)
        else:
            self.settings = TimeLeft(move=extra / count if count else 0.001)
        self.clocks = [self.settings, self.settings]
        return ""

    def time_left(self, color: str, left: str, stones: str = "0") -> str:
        """Set the clock of a color: seconds for so many stones, or for the rest of the game."""
        total, count = max(0.001, seconds(left)), whole(stones)
        clock = TimeLeft(move=total / count) if count else TimeLeft(game=total)
        self.clocks[color_of(color)] = clock
        return ""

    def spend(self, color: int, used: float) -> None:
        """Let a color's clock run down, should nobody tell the time."""
        clock = self.clocks[color]
        if clock.game is not None:
            left = max(0.001, clock.game - used) + clock.increment
            self.clocks[color] = clock._replace(game=left)

    def quit(self) -> str:
        """End."""
        self.running = False
        return ""


def color_of(text: str) -> int:
    """Return a color by its name; raise Refused if it is none."""
    color = COLORS.get(text.lower())
    if color not in (BLACK, WHITE):
        raise Refused("syntax error: a color is black or white")
    return color


def whole(text: str) -> int:
    """Return a whole number from 0; raise Refused if it is none."""
    if not (text.isdecimal() and text.isascii() and len(text) < 10):
        raise Refused("syntax error: a whole number is missing")
    return int(text)


def seconds(text: str) -> float:
    """Return seconds; raise Refused if it is none."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= LONGEST:
        raise Refused("syntax error: a number of seconds is missing")
    return value
