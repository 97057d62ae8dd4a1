"""The HTP engine: the commands by which a front end or a referee plays Hex with a player."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ludograph.errors import IllegalMove
from ludograph.games import TimeLeft
from ludograph.games.hex import notation
from ludograph.games.hex.engine import analysis
from ludograph.games.hex.engine.table import RESIGN, SPECIAL, SWAP_PIECES, Entry, HtpTable
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.interop import Engine, Refused
from ludograph.games.options import decimal_number
from ludograph.games.strategy import takes_time
from ludograph.search.mcts import MonteCarloResult

COLORS = {"black": BLACK, "b": BLACK, "white": WHITE, "w": WHITE}
"""The names of colors, in any case."""

LARGEST = 50
LONGEST = 1e6
MOST = 10**9
REHEARSAL = 5


class HtpEngine(Engine):
    """An HTP engine around a player.

    Parameters
    ----------
    create
        Returns a fresh player.
    size
        The size of the first board.
    pie
        Whether it may answer the first stone with ``swap-pieces``.
    """

    def __init__(self, create: Callable[[], Any], *, size: int = 11, pie: bool = True) -> None:
        self.create, self.pie = create, pie
        self.settings = TimeLeft()
        self.clocks = [TimeLeft(), TimeLeft()]
        self.commands: dict[str, Callable[..., str]] = {
            "boardsize": self.boardsize,
            "clear_board": self.clear_board,
            "play": self.play,
            "genmove": self.genmove,
            "undo": self.undo,
            "reg_genmove": self.reg_genmove,
            "all_legal_moves": lambda: analysis.legal_moves(self.table),
            "showboard": lambda: analysis.showboard(self.table),
            "final_score": self.final_score,
            "time_settings": self.time_settings,
            "time_left": self.time_left,
            "hexgui-analyze_commands": analysis.menu,
            "gogui-analyze_commands": analysis.menu,
            "ludograph-value": self.value,
            "ludograph-winner": self.within_seconds(analysis.winner),
            "ludograph-winning_moves": self.within_seconds(analysis.winning_moves),
            "ludograph-openings": lambda: analysis.openings(self.table),
            "ludograph-resistances": lambda: analysis.resistances(self.table),
            "ludograph-currents": self.of_color(analysis.currents),
            "ludograph-paths": self.of_color(analysis.paths),
            "ludograph-visits": lambda: analysis.visits(self.table, self.found),
            "ludograph-values": lambda: analysis.values(self.table, self.found),
        }
        self.rehearse()
        self.begin(size)

    def rehearse(self) -> None:
        """Play some moves on a small board, so that all code is compiled before any clock runs."""
        player, table = self.create(), HtpTable(REHEARSAL, self.pie)
        for color in (BLACK, WHITE, BLACK, WHITE):
            position = table.position(color)
            choose(player, position, TimeLeft(move=0.001))
            table.add(Entry(color, position.legal_moves()[0]))

    def begin(self, size: int) -> None:
        """Begin with an empty board; prepare the answer to the pie rule before any clock runs."""
        self.table = HtpTable(size, self.pie)
        if self.pie:
            choose(self.create(), self.table.position(BLACK), TimeLeft(move=0.001))
        self.ready()

    def ready(self) -> None:
        """Make a fresh player for a fresh board."""
        self.clocks = [self.settings, self.settings]
        self.found: MonteCarloResult | None = None
        self.player: Any = self.create()
        prepare = getattr(self.player, "prepare", None)
        if prepare is not None:
            prepare(self.table.position(BLACK))

    def of_color(self, function: Callable[[HtpTable, int], str]) -> Callable[[str], str]:
        """Return the command for a function of the board and a color."""
        return lambda color: function(self.table, color_of(color))

    def within_seconds(self, function: Callable[[HtpTable, int, float], str]) -> Callable[..., str]:
        """Return the command for a function of the board, a color and an optional limit."""

        def command(color: str, limit: str = "") -> str:
            allowed = seconds(limit) if limit else analysis.SOLVING_SECONDS
            return function(self.table, color_of(color), allowed)

        return command

    def boardsize(self, width: str, height: str = "") -> str:
        """Begin with an empty board of this size."""
        columns, rows = number(width), number(height or width)
        if columns != rows or not 1 <= columns <= LARGEST:
            raise Refused("unacceptable size")
        self.begin(columns)
        return ""

    def clear_board(self) -> str:
        """Remove all stones."""
        self.table.history.clear()
        self.ready()
        return ""

    def play(self, color: str, move: str) -> str:
        """Put down a stone; colors may come in any order."""
        self.table.add(self.entry(color_of(color), move.lower()))
        return ""

    def entry(self, color: int, move: str) -> Entry:
        """Return a move in the form of the table."""
        if move in SPECIAL:
            return Entry(color, -1, move)
        try:
            vertex = notation.parse_move(self.table.fresh.setup, move)
        except IllegalMove:
            vertex = self.table.fresh.swap
        if vertex == self.table.fresh.swap:
            raise Refused("syntax error: no such cell")
        return Entry(color, vertex)

    def genmove(self, color_text: str) -> str:
        """Choose a move and play it."""
        color = color_of(color_text)
        began = time.perf_counter()
        entry = self.chosen(self.player, color, self.clocks[color])
        self.spend(color, time.perf_counter() - began)
        self.table.add(entry)
        return self.name_of(entry)

    def reg_genmove(self, color_text: str) -> str:
        """Choose a move without playing it, with the seed of the game's start each time."""
        player = self.create()
        return self.name_of(self.chosen(player, color_of(color_text), TimeLeft()))

    def value(self, color_text: str) -> str:
        """Return the value of the position for a color, by the search of ``genmove``; play nothing.

        The clock does not run meanwhile.
        """
        color = color_of(color_text)
        self.chosen(self.player, color, self.clocks[color])
        thoughts = getattr(self.player, "thoughts", None)
        return analysis.value(None if thoughts is None else thoughts())

    def chosen(self, player: Any, color: int, clock: TimeLeft) -> Entry:
        """Return a player's move, and store the result of its search."""
        if self.table.winner() is not None:
            raise Refused("the game is over")
        position = self.table.position(color)
        move = choose(player, position, clock)
        found = getattr(player, "found", None)
        self.found = found if isinstance(found, MonteCarloResult) else None
        if isinstance(move, str):
            return Entry(color, -1, RESIGN)
        if move == position.swap:
            return Entry(color, -1, SWAP_PIECES)
        return Entry(color, move)

    def name_of(self, entry: Entry) -> str:
        """Return the text of a move."""
        return entry.special or notation.move_text(self.table.fresh.setup, entry.vertex)

    def undo(self) -> str:
        """Take the last move back."""
        if not self.table.history:
            raise Refused("cannot undo")
        self.table.history.pop()
        return ""

    def final_score(self) -> str:
        """Return the winner."""
        winner = self.table.winner()
        if winner is None:
            raise Refused("cannot score: the game is not over")
        return "BW"[winner] + ("+R" if self.table.history[-1].special == RESIGN else "+")

    def time_settings(self, main: str, period: str, stones: str) -> str:
        """Set the clocks of both colors as in GTP: Canadian byo-yomi, or no limit."""
        total, extra, count = seconds(main), seconds(period), number(stones)
        if extra > 0 and count == 0:
            self.settings = TimeLeft()
        elif total > 0:
            self.settings = TimeLeft(game=total, increment=extra / count if count else 0.0)
        else:
            self.settings = TimeLeft(move=extra / count if count else 0.001)
        self.clocks = [self.settings, self.settings]
        return ""

    def time_left(self, color: str, left: str, stones: str = "0") -> str:
        """Set the clock of a color: seconds for a number of stones, or for the rest of the game."""
        total, count = max(0.001, seconds(left)), number(stones)
        clock = TimeLeft(move=total / count) if count else TimeLeft(game=total)
        self.clocks[color_of(color)] = clock
        return ""

    def spend(self, color: int, used: float) -> None:
        """Subtract time from a color's clock, in case no ``time_left`` follows."""
        clock = self.clocks[color]
        if clock.game is not None:
            left = max(0.001, clock.game - used) + clock.increment
            self.clocks[color] = clock._replace(game=left)


def choose(player: Any, position: HexPosition, clock: TimeLeft) -> int | str:
    """Return the move of a player, which gets the time left if it takes it; or ``RESIGN``."""
    arguments = (position, clock) if takes_time(player.choose) else (position,)
    move = player.choose(*arguments)
    return move if isinstance(move, str) else int(move)


def color_of(text: str) -> int:
    """Return a color by its name; raise Refused if it is not one."""
    color = COLORS.get(text.lower())
    if color is None:
        raise Refused("syntax error: a color is black or white")
    return color


def number(text: str) -> int:
    """Return a whole number from 0, at most ``MOST``; raise Refused if it is not one."""
    if not (text.isdecimal() and text.isascii()):
        raise Refused("syntax error: a whole number is missing")
    return int(text) if len(text) < 10 else MOST


def seconds(text: str) -> float:
    """Return seconds; raise Refused if the text is not valid."""
    try:
        value = decimal_number(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= LONGEST:
        raise Refused("syntax error: a number of seconds is missing")
    return value
