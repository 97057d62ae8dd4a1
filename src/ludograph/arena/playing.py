"""Playing one game of a series, a tournament or a ladder, in any process."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from ludograph.arena.executor.protocol import Game, Game_co, Key, Key_contra, OnOutput
from ludograph.arena.finished_game import FinishedGame, SeatFault, SeatResult
from ludograph.arena.played_game import GameKey
from ludograph.errors import HostFailure, InvalidInput, MachineBusy, shortage
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.protocol import Playing, warm_up
from ludograph.referee.match import play_match, referee_match
from ludograph.referee.options import SILENT, MatchObserver, MatchOptions
from ludograph.referee.result import Fault, MatchResult

TRIES = 3
"""The most attempts to play a game that is void each time."""

LEVEL = 1
"""The quickest level of compression: a record shrinks to a fourth, and higher levels gain
little."""


AnyPlayer_co = TypeVar("AnyPlayer_co", bound=PlayerSpec | str | Playing, covariant=True)


class PlannedGame(NamedTuple, Generic[AnyPlayer_co]):
    """A game before it is played: all data that determines it on any machine.

    Attributes
    ----------
    key
        The number of its start, and the names of its players by seat.
    start
        The position before the first move; it must not be changed.
    start_seed
        The whole number by which the start was drawn.
    players
        By seat.
    options
        Its options, with its seeds.
    """

    key: GameKey
    start: Position
    start_seed: int
    players: Sequence[AnyPlayer_co]
    options: MatchOptions


class Playable(Protocol[Key_contra, Game_co]):
    """The plan of many games: a tournament, a ladder, or the games of selfplay."""

    @property
    def specs(self) -> Mapping[str, PlayerSpec]:
        """The players by name; in a ladder also those that have come since it began."""
        ...

    @property
    def match_options(self) -> MatchOptions:
        """The options of all its games."""
        ...

    def planned(self, key: Key_contra, /) -> PlannedGame[PlayerSpec]:
        """Return a game before it is played; raise InvalidInput if a player is gone."""
        ...

    def check_files(self) -> None:
        """Raise InvalidInput if a player's file is no longer the one that plays."""
        ...

    def finished(self, key: Key_contra, game: FinishedGame, /) -> Game_co:
        """Return the stored form of a game that has ended."""
        ...

    def without_result(self, key: Key_contra, error: HostFailure | InvalidInput, /) -> Game_co:
        """Return the stored form of a game without a result; raise the error if that ends all."""
        ...


def play_game(plan: Playable[Key, Game], key: Key, on_output: OnOutput | None = None) -> Game:
    """Play a game and return its stored form; a void game is played again.

    Parameters
    ----------
    on_output
        Called with a seat, twice, and a line that its player has printed.

    Raises
    ------
    HostFailure
        If it has no result without a player's fault, and the other games cannot go on.
    """
    try:
        planned = plan.planned(key)
        observer = observer_of(on_output, range(len(planned.players)))
        game = play_planned(planned, observer)
    except (OSError, HostFailure, InvalidInput) as error:
        return unplayed(plan, key, error)
    return plan.finished(key, game)


def unplayed(
    plan: Playable[Key, Game], key: Key, error: OSError | HostFailure | InvalidInput
) -> Game:
    """Return the stored form of a game that an error ended; a shortage is the machine's failure."""
    if isinstance(error, OSError):
        return plan.without_result(key, _of_machine(error))
    lack = shortage(error)
    return plan.without_result(key, error if lack is None else _of_machine(lack))


def _of_machine(error: OSError) -> HostFailure:
    return HostFailure(f"{error.filename or 'the machine'}: {error.strerror or error}")


def play_planned(
    planned: PlannedGame[PlayerSpec | str | Playing],
    observer: MatchObserver = SILENT,
    *,
    keeps_record: bool = True,
    on_result: Callable[[MatchResult], None] = lambda _: None,
) -> FinishedGame:
    """Play a game from its start; again if the machine was too busy to judge it.

    Parameters
    ----------
    keeps_record
        Return the record with the game; otherwise it is only in the file of the options, if any.
    on_result
        Called with the result of the match, before it becomes a finished game.

    Raises
    ------
    HostFailure
        If it has no result without a player's fault.
    MachineBusy
        If the machine was too busy each time.
    """
    for attempt in range(1, TRIES + 1):
        try:
            with _file_in_memory() if keeps_record else contextlib.nullcontext() as memory:
                options = planned.options
                if memory is not None:
                    options = replace(options, record=memory.path)
                result = referee_match(planned.start, planned.players, options, observer)
                record = b"" if memory is None else memory.compressed()
            break
        except MachineBusy:
            if attempt == TRIES:
                raise
    on_result(result)
    return _finished(planned, result, record)


def _finished(
    planned: PlannedGame[PlayerSpec | str | Playing], result: MatchResult, record: bytes
) -> FinishedGame:
    key = planned.key
    seats = range(len(key.seating))
    return FinishedGame(
        start=key.start,
        seed=planned.start_seed,
        board=result.position.board.name,
        reason=result.reason,
        plies=len(result.moves),
        sentence=result.sentence,
        seats=tuple(_seat(key, seat, result) for seat in seats),
        record=record,
        starts=tuple(result.starts.get(seat, 0.0) for seat in seats),
        line=line_of(planned.start, result.position),
        names=result.names,
        faults=tuple(_fault(result, fault) for fault in result.faults),
        finish_faults=tuple(_fault(result, fault) for fault in result.finish_faults),
    )


def _fault(result: MatchResult, fault: Fault) -> SeatFault:
    log = result.logs.get(fault.seat) or fault.log
    return SeatFault(fault.seat, str(fault.reason), fault.message, log)


def observer_of(on_output: OnOutput | None, seating: Sequence[int]) -> MatchObserver:
    """Return the observer that passes on players' output, with the player's place.

    Parameters
    ----------
    seating
        The place of the player on each seat.
    """
    if on_output is None:
        return SILENT
    return MatchObserver(on_output=lambda seat, line: on_output(seating[seat], seat, line))


def line_of(start: Position, end: Position) -> int:
    """Return a digest, never 0, of a start and the moves that have led from it to an end."""
    described = start.game.describe(start)
    text = msgspec.json.encode([start.board.name, described, end.history], order="sorted")
    return int.from_bytes(hashlib.sha256(text).digest()[:7], "big") + 1


def prepare_for(players: Sequence[PlayerSpec], starts: Sequence[Position]) -> None:
    """Compile or load the kernels of built-in players: each plays a game with a small search."""
    from ludograph.referee.warm_up import least_effort

    for start in starts:
        warm_up(start)
        names = [least_effort(spec, start.game) for spec in players if spec.kind == "strategy"]
        for name in dict.fromkeys(names):
            play_match(start, [name] * start.seats)


def _seat(key: GameKey, seat: int, result: MatchResult) -> SeatResult:
    times = [played.seconds for played in result.moves if played.seat == seat]
    fault = next((fault for fault in result.faults if fault.seat == seat), None)
    return SeatResult(
        player=key.seating[seat],
        rank=result.outcome.ranks[seat],
        score=float(result.outcome.scores[seat]),
        moves=len(times),
        seconds=round(sum(times), 9),
        forfeit=None if fault is None else str(fault.reason),
        message=None if fault is None else fault.message,
    )


class _MemoryFile(NamedTuple):
    """A file in memory."""

    descriptor: int

    @property
    def path(self) -> Path:
        return Path(f"/proc/self/fd/{self.descriptor}")

    def compressed(self) -> bytes:
        """Return the content, compressed by zlib."""
        size = os.fstat(self.descriptor).st_size
        return zlib.compress(os.pread(self.descriptor, size, 0), LEVEL)


@contextlib.contextmanager
def _file_in_memory() -> Iterator[_MemoryFile]:
    descriptor = os.memfd_create("record")
    try:
        yield _MemoryFile(descriptor)
    finally:
        os.close(descriptor)
