"""Playing one planned game, in any process."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from ludograph.arena.executor import Failure, OnOutput
from ludograph.arena.finished_game import FinishedGame, GameKey, SeatFault, SeatResult
from ludograph.errors import HostFailure, InvalidInput, MachineBusy, shortage
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.protocol import Playing, warm_up
from ludograph.referee.match import play_match, referee_match
from ludograph.referee.options import MatchObserver, MatchOptions
from ludograph.referee.result import Fault, MatchResult, PlayedMove
from ludograph.referee.sentences import sentence_of

TRIES = 3
"""The most attempts to play a game that is void each time."""

OnMove = Callable[[Position, PlayedMove], None]

LEVEL = 1
"""The quickest level of compression: a record shrinks to a fourth, and higher levels gain
little."""


@dataclass(frozen=True, slots=True, eq=False)
class GamePlan:
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
        By seat. A number is the place of a Python object in the list of those that stay in one
        process and its forks.
    options
        Its options, with its seeds.
    """

    key: GameKey
    start: Position
    start_seed: int
    players: Sequence[PlayerSpec | str | int]
    options: MatchOptions

    def __str__(self) -> str:
        """Return the key in words."""
        return f"{self.key.start} of {', '.join(self.key.seating)}"


def play_plan(
    plan: GamePlan, on_output: OnOutput | None = None, on_move: OnMove | None = None
) -> FinishedGame | Failure:
    """Play a game, again if the machine was too busy to judge it, and return it with its record.

    Parameters
    ----------
    on_output
        Called with a player's name, its seat and a line that it has printed.
    on_move
        Called with the position after each move, which changes later.

    Returns
    -------
    The error if it has no result without a player's fault.
    """
    try:
        with open(os.memfd_create("record"), "rb") as memory:
            path = Path(f"/proc/self/fd/{memory.fileno()}")
            recorded = replace(plan, options=replace(plan.options, record=path))
            result = referee_plan(recorded, on_output, on_move=on_move)
            return finished_game(plan, result, zlib.compress(memory.read(), LEVEL))
    except (OSError, HostFailure, InvalidInput) as error:
        return failure_of(error)


def play_unrecorded(
    plan: GamePlan,
    on_output: OnOutput | None = None,
    *,
    objects: Sequence[Playing] = (),
    on_result: Callable[[GamePlan, MatchResult], None] = lambda *_: None,
) -> FinishedGame | Failure:
    """Play a game as :func:`play_plan` does, without a record.

    Parameters
    ----------
    objects
        The list with the players that are Python objects.
    on_result
        Called with the result of the match.
    """
    try:
        result = referee_plan(plan, on_output, objects)
    except (OSError, HostFailure, InvalidInput) as error:
        return failure_of(error)
    on_result(plan, result)
    return finished_game(plan, result)


def referee_plan(
    plan: GamePlan,
    on_output: OnOutput | None = None,
    objects: Sequence[Playing] = (),
    on_move: OnMove | None = None,
) -> MatchResult:
    """Play a game; again if the machine was too busy to judge it.

    Parameters
    ----------
    objects
        The players that are Python objects.
    on_move
        Called with the position after each move, which changes later.

    Raises
    ------
    HostFailure
        If it has no result without a player's fault.
    MachineBusy
        If the machine was too busy each time.
    """
    players = [objects[one] if isinstance(one, int) else one for one in plan.players]
    names, observer = plan.key.seating, MatchObserver(on_move=on_move)
    if on_output is not None:
        observer = replace(
            observer, on_output=lambda seat, line: on_output(names[seat], seat, line)
        )
    for _ in range(TRIES - 1):
        with contextlib.suppress(MachineBusy):
            return referee_match(plan.start, players, plan.options, observer)
    return referee_match(plan.start, players, plan.options, observer)


def failure_of(error: OSError | HostFailure | InvalidInput) -> Failure:
    """Return the error of a game without a result; what the machine lacks is its failure."""
    lack = error if isinstance(error, OSError) else shortage(error)
    if lack is not None:
        return HostFailure(f"{lack.filename or 'the machine'}: {lack.strerror or lack}")
    assert not isinstance(error, OSError)
    return error


def finished_game(plan: GamePlan, result: MatchResult, record: bytes = b"") -> FinishedGame:
    """Return a played game, with its compressed record if it has one."""
    key = plan.key
    seats = range(len(key.seating))
    return FinishedGame(
        start=key.start,
        seed=plan.start_seed,
        board=result.position.board.name,
        reason=result.reason,
        plies=len(result.moves),
        sentence=sentence_of(result, private=False),
        seats=tuple(_seat(key, seat, result) for seat in seats),
        record=record,
        starts=tuple(result.starts.get(seat, 0.0) for seat in seats),
        line=line_of(plan.start, result.position),
        names=result.names,
        faults=tuple(_fault(result, fault) for fault in result.faults),
        finish_faults=tuple(_fault(result, fault) for fault in result.finish_faults),
    )


def _fault(result: MatchResult, fault: Fault) -> SeatFault:
    log = result.logs.get(fault.seat) or fault.log
    return SeatFault(fault.seat, str(fault.reason), fault.message, log)


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
