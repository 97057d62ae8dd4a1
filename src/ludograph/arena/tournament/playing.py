"""Playing one game of a tournament, in whatever process."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from ludograph.arena.executor import OnOutput
from ludograph.arena.finished import FinishedGame, SeatResult
from ludograph.arena.played import GameKey
from ludograph.arena.tournament.declaration import Tournament
from ludograph.errors import HostFailure, InvalidInput, MachineBusy
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.protocol import warm_up
from ludograph.referee.match import play_match, referee_match
from ludograph.referee.options import SILENT, MatchObserver, MatchOptions
from ludograph.referee.result import MatchResult
from ludograph.referee.seed import Seed

TRIES = 3
"""How often a game is begun that is void each time."""

Played = TypeVar("Played")
"""What comes of a game."""

LEVEL = 1
"""Of compression: the quickest; a record shrinks to a fourth, and further levels gain little."""


class Playable(Protocol):
    """What knows how its games are played: a tournament, or a ladder."""

    @property
    def specs(self) -> Mapping[str, PlayerSpec]:
        """The players by name."""
        ...

    @property
    def players(self) -> Sequence[PlayerSpec]:
        """The players that take part from the beginning."""
        ...

    @property
    def match_options(self) -> MatchOptions:
        """How all its games are played."""
        ...

    def start(self, number: int) -> Position:
        """Return a start by its number."""
        ...

    def opening(self, number: int) -> Sequence[int]:
        """Return the moves with which the games of a start begin."""
        ...

    def start_seed(self, number: int) -> int:
        """Return the whole number by which a start is drawn."""
        ...

    def game_seed(self, key: GameKey) -> Seed:
        """Return the seed of the players' own choices in a game."""
        ...

    def chance_seed(self, key: GameKey) -> Seed:
        """Return the seed of chance in a game, and in those that are dealt alike."""
        ...

    def check_files(self) -> None:
        """Raise InvalidInput if a player's file is no longer the one that plays."""
        ...

    def without_result(self, key: GameKey, error: HostFailure | InvalidInput, /) -> FinishedGame:
        """Return what is kept of a game that has no result; raise the error if that ends all."""
        ...


def until_judged(play: Callable[[], Played]) -> Played:
    """Play a game; play it again if it is void because the machine was too busy to judge it.

    Raises
    ------
    MachineBusy
        If it is void again and again.
    """
    for _ in range(TRIES - 1):
        with contextlib.suppress(MachineBusy):
            return play()
    return play()


def play_game(
    tournament: Playable, key: GameKey, on_output: OnOutput | None = None
) -> FinishedGame:
    """Play a game and return it with its record; one that is void is played again.

    Parameters
    ----------
    on_output
        Called with a seat, twice, and a line that its player has printed.

    Raises
    ------
    HostFailure
        If it has no result for a reason that is no player's, and the tournament cannot go on so.
    """
    try:
        return play_from(
            tournament.start(key.start),
            key,
            tournament.start_seed(key.start),
            [tournament.specs[name] for name in key.seating],
            replace(
                tournament.match_options,
                seed=tournament.game_seed(key),
                chance_seed=tournament.chance_seed(key),
                opening=tournament.opening(key.start),
            ),
            SILENT if on_output is None else MatchObserver(on_output=seated(on_output)),
        )
    except (HostFailure, InvalidInput) as error:
        return tournament.without_result(key, error)


def play_from(
    start: Position,
    key: GameKey,
    drawn_by: int,
    players: Sequence[PlayerSpec],
    options: MatchOptions,
    observer: MatchObserver = SILENT,
) -> FinishedGame:
    """Play the game of a key from its start.

    Parameters
    ----------
    drawn_by
        The whole number by which the start was drawn.

    Raises
    ------
    HostFailure
        If it has no result for a reason that is no player's.
    """
    return until_judged(lambda: _played(start, key, drawn_by, players, options, observer))


def _played(
    start: Position,
    key: GameKey,
    drawn_by: int,
    players: Sequence[PlayerSpec],
    options: MatchOptions,
    observer: MatchObserver,
) -> FinishedGame:
    with _file_in_memory() as (path, descriptor):
        result = referee_match(start, players, replace(options, record=path), observer)
        size = os.fstat(descriptor).st_size
        record = zlib.compress(os.pread(descriptor, size, 0), LEVEL)
    return FinishedGame(
        start=key.start,
        seed=drawn_by,
        board=result.position.board.name,
        reason=result.reason,
        plies=len(result.moves),
        sentence=result.sentence,
        seats=tuple(_seat(key, seat, result) for seat in range(len(key.seating))),
        record=record,
        starts=tuple(result.starts.get(seat, 0.0) for seat in range(len(key.seating))),
        line=line_of(start, result.position),
    )


def seated(on_output: OnOutput, seating: Sequence[int] | None = None) -> Callable[[int, str], None]:
    """Return what hears a seat and a line of its player, and adds the player's place.

    Parameters
    ----------
    seating
        The place of the player on each seat; None: they sit in their order.
    """
    return lambda seat, line: on_output(seat if seating is None else seating[seat], seat, line)


def line_of(start: Position, end: Position) -> int:
    """Return a digest, never 0, of a start and the moves that have led from it to an end."""
    described = start.game.describe(start)
    text = msgspec.json.encode([start.board.name, described, end.history], order="sorted")
    return int.from_bytes(hashlib.sha256(text).digest()[:7], "big") + 1


def prepare(tournament: Tournament) -> None:
    """Compile or load what built-in players need: each plays a game, looking at little."""
    starts = [tournament.start(variant) for variant in range(tournament.variants)]
    prepare_for(tournament.players, starts)


def prepare_for(players: Sequence[PlayerSpec], starts: Sequence[Position]) -> None:
    """Do so for some players on some starts."""
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


@contextlib.contextmanager
def _file_in_memory() -> Iterator[tuple[Path, int]]:
    """Yield the path of a file that is on no disk, and a descriptor to read it by."""
    descriptor = os.memfd_create("record")
    try:
        yield Path(f"/proc/self/fd/{descriptor}"), descriptor
    finally:
        os.close(descriptor)
