"""Writing a record, line by line, while the game is played: `docs/guarantees.md`."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import msgspec

from ludograph.boards import Board
from ludograph.boards import to_data as board_data
from ludograph.documents import without_mark
from ludograph.errors import InvalidInput
from ludograph.formatting import one_line
from ludograph.games import Position
from ludograph.hosting.sandbox.readable_paths import withheld
from ludograph.players import PlayerSpec
from ludograph.players.protocol import Playing
from ludograph.referee.options import MatchOptions
from ludograph.referee.player_factory import labels
from ludograph.referee.result import Fault, MatchResult, PlayedMove
from ludograph.referee.sentences import sentence_of
from ludograph.version import VERSION

FORMAT = 1

KEPT_VERTICES = 10_000
"""The most vertices of a board whose JSON is stored for the next game on it."""


class RecordWriter:
    """Writes every line at once, so that an interrupted game leaves a readable record.

    An error in writing is an ``OSError`` with the record's path: the referee's fault, not a
    player's. Isolated players do not see the file.

    Parameters
    ----------
    keep
        The number of moves in the file that stay; everything after them is cut off.
    players
        The names of the players by seat; with ``keep``, the same as in the file.
    """

    def __init__(self, path: str | Path, keep: int = 0, players: Sequence[str] = ()) -> None:
        self.path = Path(path)
        try:
            self._file = self.path.open("r+b" if keep else "wb", buffering=0)
        except (OSError, ValueError) as error:  # a ValueError is a path with a zero byte
            reason = error.strerror if isinstance(error, OSError) else error
            raise InvalidInput(f"record {self.path}: {reason}") from None
        self._withheld = withheld(self.path)
        self._size = 0
        self._moves: list[int] = []  # where the line of each move begins
        self._keys: dict[str, str] = {}
        if keep:
            self._go_on(keep, list(players))

    def __enter__(self) -> Self:
        self._withheld.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._withheld.__exit__(None, None, None)
        self._file.close()

    def _go_on(self, keep: int, players: list[str]) -> None:
        """Find the lines of the moves that stay, and the end of the last one."""
        others: list[str] = []
        for line in self._file.readlines():
            if len(self._moves) == keep:
                break
            if b'"move"' in line and "move" in msgspec.json.decode(line):
                self._moves.append(self._size)
            if not self._size:
                others = msgspec.json.decode(without_mark(line))["players"]
            self._size += len(line)
        if len(self._moves) < keep:
            self._file.close()
            raise InvalidInput(f"record {self.path}: it does not hold the moves played earlier")
        if others != players:
            self._file.close()
            raise InvalidInput(f"record {self.path}: {' and '.join(others)} played, and go on")
        self._file.truncate(self._size)
        self._file.seek(self._size)

    def _write(self, line: Mapping[str, Any]) -> None:
        rest = memoryview(msgspec.json.encode(line) + b"\n")
        self._size += len(rest)
        try:
            while rest:
                rest = rest[os.write(self._file.fileno(), rest) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def header(
        self,
        position: Position,
        players: Sequence[PlayerSpec | Playing],
        options: MatchOptions,
        opening: Sequence[int] = (),
    ) -> None:
        """Write everything that is needed to play the same match again.

        A seed that a person gave as a number is in the header. A key is secret until the game has
        ended, so it is in the last line.
        """
        seeds = {"seed": options.seed}
        if options.chance_seed is not None and not options.hide_chance:
            seeds["chance_seed"] = options.chance_seed
        numbers = {name: one.number for name, one in seeds.items() if one.number is not None}
        self._keys = {name: str(one) for name, one in seeds.items() if one.number is None}
        began = {"opening": texts_of(position, opening)} if opening else {}
        clock, foreign_clock = options.clock, options.foreign_clock
        levels = [p.level if isinstance(p, PlayerSpec) else 0 for p in players]
        chosen = {"levels": levels} if any(levels) else {}
        foreign = {"foreign_clock": str(foreign_clock)} if foreign_clock and not clock else {}
        self._write(
            {
                "record": "ludograph",
                "format": FORMAT,
                "game": position.game.name,
                "game_version": position.game.version,
                "ludograph": VERSION,
                "python": platform.python_version(),
                "created": datetime.now(UTC).isoformat(timespec="seconds"),
                "players": labels(players),
                "specs": [p.text if isinstance(p, PlayerSpec) else None for p in players],
                **chosen,
                "clock": (str(clock) or None) if clock is not None else None,
                **foreign,
                **numbers,
                **began,
                "setup": position.game.describe(position),
                "board": json_of(position.board),
            }
        )

    def move(self, position: Position, played: PlayedMove) -> None:
        """Write a move; ``position`` is the one after it."""
        self._moves.append(self._size)
        self._write({"ply": position.ply - 1, **played.to_data(position)})

    def take_back(self, count: int) -> None:
        """Forget all lines from the move with this number on, counted from 0."""
        self._size = end = self._moves[count]
        del self._moves[count:]
        try:
            self._file.truncate(end)
            self._file.seek(end)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def fault(self, fault: Fault) -> None:
        """Write that a player dropped out, and why."""
        line = {
            "ply": fault.ply,
            "drop": fault.seat,
            "reason": str(fault.reason),
            "message": fault.message,
        }
        if fault.answer:
            line["answer"] = fault.answer
        if fault.log:
            line["log"] = fault.log
        self._write(line)

    def finish_fault(self, fault: Fault) -> None:
        """Write a fault of a player after the end of the game, as a remark."""
        text = f"seat {fault.seat}, at the end of the game"
        self._write(
            {
                "remark": f"{text}: {one_line(f'{fault.reason}, {fault.message}', 400)}",
                "seat": fault.seat,
                "ply": fault.ply,
                "reason": str(fault.reason),
                "message": fault.message,
            }
        )

    def remark(self, text: str) -> None:
        """Write a remark, which changes no result."""
        self._write({"remark": text})

    def spent(self, seat: int, seconds: float) -> None:
        """Write the time that a seat has used without a move that stands, as a remark."""
        text = f"seat {seat} has used {seconds:.3f} s without a move that stands"
        self._write({"remark": text, "seat": seat, "spent": round(seconds, 6)})

    def log(self, seat: int, text: str) -> None:
        """Write the output of a player, as a remark."""
        self._write({"remark": f"seat {seat} printed", "seat": seat, "log": text})

    def end(self, result: MatchResult) -> None:
        """Write the outcome, and CPU time and memory of players in processes of their own."""
        used = {str(seat): usage.to_data() for seat, usage in result.usage.items()}
        self._write(
            {
                "end": result.reason,
                "ranks": list(result.outcome.ranks),
                "scores": list(result.outcome.scores),
                "names": list(result.names),
                "sentence": sentence_of(result, private=False),
                **self._keys,
                **({"usage": used} if used else {}),
            }
        )


def json_of(board: Board) -> msgspec.Raw:
    """Return a board as JSON; the last one is stored, because games on one board come in pairs."""
    return _kept(board) if board.n <= KEPT_VERTICES else _encoded(board)


def _encoded(board: Board) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(board_data(board)))


_kept = lru_cache(maxsize=1)(_encoded)


def texts_of(position: Position, moves: Sequence[int]) -> list[str]:
    """Return the texts of moves that follow a position."""
    board, texts = position.copy(), []
    for move in moves:
        texts.append(board.text(move))
        board.push(move)
    return texts
