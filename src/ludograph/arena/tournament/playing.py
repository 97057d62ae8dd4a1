"""Playing one game of a tournament, in whatever process."""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from ludograph.arena.finished import FinishedGame, SeatResult
from ludograph.arena.played import GameKey
from ludograph.arena.tournament.declaration import Tournament
from ludograph.errors import MachineBusy
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.isolation.levels import Isolation
from ludograph.players.protocol import warm_up
from ludograph.referee.match import play_match
from ludograph.referee.result import MatchResult
from ludograph.referee.series import TRIES

LEVEL = 1
"""Of compression: the quickest; a record shrinks to a fourth, and further levels gain little."""


class Playable(Protocol):
    """What knows how its games are played: a tournament, or a ladder."""

    @property
    def specs(self) -> Mapping[str, PlayerSpec]:
        """The players by name."""
        ...

    @property
    def clock(self) -> str | None:
        """Of all players."""
        ...

    @property
    def foreign_clock(self) -> str | None:
        """Of players in processes of their own, where there is no other."""
        ...

    @property
    def isolation(self) -> Isolation | None:
        """Of these."""
        ...

    def start(self, number: int) -> Position:
        """Return a start by its number."""
        ...

    def opening(self, number: int) -> Sequence[int]:
        """Return the moves with which the games of a start begin."""
        ...

    def start_seed(self, number: int) -> int:
        """Return the seed of a start and its luck."""
        ...

    def game_seed(self, key: GameKey) -> int:
        """Return the seed of the players' own choices in a game."""
        ...


def play_game(tournament: Playable, key: GameKey) -> FinishedGame:
    """Play a game and return it with its record; one that is void is played again.

    Raises
    ------
    HostFailure
        If it has no result for a reason that is no player's.
    """
    return play_from(
        tournament.start(key.start),
        key,
        [tournament.specs[name] for name in key.seating],
        seed=tournament.game_seed(key),
        chance_seed=tournament.start_seed(key.start),
        clock=tournament.clock,
        foreign_clock=tournament.foreign_clock,
        isolation=tournament.isolation,
        opening=tournament.opening(key.start),
    )


def play_from(
    start: Position, key: GameKey, players: Sequence[PlayerSpec], *, seed: int, **how: Any
) -> FinishedGame:
    """Play the game of a key from its start; ``how`` is what :func:`play_match` takes.

    Raises
    ------
    HostFailure
        If it has no result for a reason that is no player's.
    """
    for _ in range(TRIES - 1):
        with contextlib.suppress(MachineBusy):
            return _played(start, key, players, seed, how)
    return _played(start, key, players, seed, how)


def _played(
    start: Position,
    key: GameKey,
    players: Sequence[PlayerSpec],
    seed: int,
    how: Mapping[str, Any],
) -> FinishedGame:
    with _file_in_memory() as (path, descriptor):
        result = play_match(start, players, seed=seed, record=path, **how)
        size = os.fstat(descriptor).st_size
        record = zlib.compress(os.pread(descriptor, size, 0), LEVEL)
    return FinishedGame(
        start=key.start,
        seed=seed,
        board=result.position.board.name,
        reason=result.reason,
        plies=len(result.moves),
        sentence=result.sentence,
        seats=tuple(_seat(key, seat, result) for seat in range(len(key.seating))),
        record=record,
    )


def prepare(tournament: Tournament) -> None:
    """Compile or load what built-in players need: each plays a game, looking at little."""
    starts = [tournament.start(variant) for variant in range(tournament.variants)]
    prepare_for(tournament.players, starts)


def prepare_for(players: Sequence[PlayerSpec], starts: Sequence[Position]) -> None:
    """Do so for some players on some starts."""
    from ludograph.referee.warming import least_effort

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


@contextlib.contextmanager
def _file_in_memory() -> Iterator[tuple[str, int]]:
    """Yield the path of a file that is on no disk, and a descriptor to read it by."""
    descriptor = os.memfd_create("record")
    try:
        yield f"/proc/self/fd/{descriptor}", descriptor
    finally:
        os.close(descriptor)
