"""`play_match`: one match between any players, with the referee as its judge."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from ludograph.errors import IllegalMove, InvalidInput
from ludograph.formatting import counted, described
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.human import Front
from ludograph.players.isolation import Isolation
from ludograph.players.protocol import Playing
from ludograph.referee.clock import Clock
from ludograph.referee.options import SILENT, MatchObserver, MatchOptions
from ludograph.referee.player_factory import (
    built,
    check_seating,
    is_start,
    labels,
    understand,
)
from ludograph.referee.record_writer import RecordWriter
from ludograph.referee.result import Fault, MatchResult, PlayedMove, after
from ludograph.referee.seed import Seed
from ludograph.referee.turn_loop import TurnLoop
from ludograph.rules import random_below, random_state


def play_match(  # noqa: PLR0913  (keywords, each with a default)
    position: Position,
    players: Sequence[PlayerSpec | str | Playing],
    *,
    clock: Clock | str | None = None,
    foreign_clock: Clock | str | None = None,
    seed: Seed | int | str | None = None,
    chance_seed: Seed | int | str | None = None,
    record: str | Path | None = None,
    earlier: Sequence[PlayedMove] = (),
    opening: Sequence[int | str] = (),
    spent: Mapping[int, float] = MappingProxyType({}),
    dealt: Sequence[int] = (),
    hide_chance: bool = False,
    on_ready: Callable[[], None] | None = None,
    on_move: Callable[[Position, PlayedMove], None] | None = None,
    on_fault: Callable[[Position, Fault], None] | None = None,
    on_take_back: Callable[[Position, int], None] | None = None,
    front: Front | None = None,
    on_output: Callable[[int, str], None] | None = None,
    raise_faults: bool = False,
    isolation: Isolation | str | None = None,
    thoughts: bool = False,
) -> MatchResult:
    """Play one game and return its result.

    Parameters
    ----------
    position
        The start of the game; it is not changed.
    players
        One per seat: names (``greedy``, ``mcts:time=0.2``, ``mybot.py``, ``mybot.c``,
        ``./player1.so``), or Python objects, classes or functions that play.
    clock
        A text for :meth:`Clock.parse`. Without a clock, players in processes of their own have
        60 s for each move. Their start always has a clock.
    foreign_clock
        The clock of players in processes of their own, if there is no ``clock``.
    seed
        The seed of chance and of the players' own random choices: a whole number or the text of a
        key, see :mod:`ludograph.referee.seed`. By default a secret key is drawn; the result
        contains it.
    chance_seed
        The seed of chance alone, in place of ``seed``: the same one deals the same tiles or cards.
    spent
        By seat, the seconds that its clock for the game lacks besides those of the earlier moves,
        as in :attr:`Record.spent`: for moves that were taken back.
    dealt
        The first moves of chance, if they are possible; to play a game again from its record.
    hide_chance
        Leave the seed of chance out of the record, because other games use it too.
    record
        A file to write the game to, as it is played.
    earlier
        Moves of this game before it was interrupted: the game and its record continue after them.
        The record must contain them, and the same players.
    opening
        The first moves of the game, as codes or texts. The referee plays them for all seats and
        sends them to all players. If there are earlier moves, these begin with the opening, and
        no clock counts it.
    on_ready
        Called when all players have taken their seats; the first clock runs when it has returned.
    on_move
        Called with the referee's board after each move; it must not change the board.
    on_fault
        Called in the same way when a player forfeits.
    on_take_back
        Called in the same way after a person has taken back its last move: with the board and the
        person's seat.
    front
        The front end that asks people for moves; lines of text if not given.
    on_output
        Called with a seat and a line that its player, in a process of its own, has just printed.
    raise_faults
        Raise a player's fault instead of judging it: an exception of a player in this process
        unchanged, any other fault as ``PlayerFault``.
    isolation
        The isolation of players in processes of their own from the rest of the machine: ``strict``,
        ``basic`` or ``none``, or an :class:`Isolation` with a limit of memory too. By default it is
        that of the environment's ``LUDOGRAPH_ISOLATION``, else the strongest that works on this
        machine.
    thoughts
        Ask players for their thoughts on each move, outside their clocks: see
        :mod:`ludograph.games.analysis_info`. They go into the moves of the result and the record.

    Raises
    ------
    InvalidInput
        If a name or the clock is wrong, the number of players is not that of the seats, a player
        cannot play this game, or the requested isolation does not work here.
    HostFailure
        If a process cannot be started: no player's fault, so there is no result.
    OSError
        If the record cannot be written.
    """
    options = MatchOptions.checked(
        clock=clock,
        foreign_clock=foreign_clock,
        seed=seed,
        chance_seed=chance_seed,
        hide_chance=hide_chance,
        opening=opening,
        earlier=earlier,
        spent=dict(spent),
        dealt=dealt,
        isolation=isolation,
        thoughts=thoughts,
        raise_faults=raise_faults,
        record=record,
    )
    observer = MatchObserver(
        on_ready=on_ready,
        on_move=on_move,
        on_fault=on_fault,
        on_take_back=on_take_back,
        on_output=on_output,
        front=front,
    )
    return referee_match(position, players, options, observer)


def referee_match(
    position: Position,
    players: Sequence[PlayerSpec | str | Playing],
    options: MatchOptions,
    observer: MatchObserver = SILENT,
) -> MatchResult:
    """Play one game like :func:`play_match`, with options and observer as objects.

    Raises
    ------
    InvalidInput, HostFailure, OSError
        See :func:`play_match`.
    """
    if len(players) != position.seats:
        raise InvalidInput(
            f"{position.game.name}: the game has {position.seats} seats, "
            f"{len(players)} players came"
        )
    if options.isolation is None:
        options = replace(options, isolation=Isolation.chosen(None))
    seated = [understand(player, position.game, position.seats) for player in players]
    opening = opening_codes(position, options.opening)
    check_earlier(options.earlier, opening)
    check_spent(options.spent, position.seats)
    check_seating(seated, after(position, options.earlier), () if options.earlier else opening)
    seated = [
        built(player, position.game, options.isolation)
        if isinstance(player, PlayerSpec)
        else player
        for player in seated
    ]
    if options.record is None:
        return TurnLoop(position.copy(), seated, options, observer, opening).run()
    check_recordable(position)
    with RecordWriter(options.record, len(options.earlier), labels(seated)) as writer:
        if not options.earlier:
            writer.header(position, seated, options, opening)
        return TurnLoop(position.copy(), seated, options, observer, opening, writer).run()


def check_recordable(position: Position) -> None:
    """Raise InvalidInput if a record cannot begin with a position; its file is not opened yet."""
    if not is_start(position):
        raise InvalidInput(
            f"a record begins at the start of a game, and this position is at ply {position.ply}: "
            "play it without a record"
        )
    position.game.describe(position)


def check_earlier(earlier: Sequence[PlayedMove], opening: Sequence[int]) -> None:
    """Raise InvalidInput if an interrupted game did not begin with an opening."""
    if earlier and [played.move for played in earlier[: len(opening)]] != list(opening):
        raise InvalidInput("opening: the earlier moves of the game do not begin with it")


def check_spent(spent: Mapping[int, float], seats: int) -> None:
    """Raise InvalidInput if the time that was used without a move is no time of a seat."""
    for seat, seconds in spent.items():
        if seat not in range(seats) or not 0 <= seconds < math.inf:
            raise InvalidInput(f"spent: seat {seat} cannot have used {described(seconds)} s")


def starter_drawn(number: int, players: int) -> int:
    """Return the player that starts by lot: the same one for the same number of a start."""
    return int(random_below(random_state(number, 11), players)) if players > 1 else 0


def opening_codes(position: Position, moves: Sequence[int | str]) -> list[int]:
    """Return the codes of moves that follow a position, each given as its code or its text.

    Raises
    ------
    InvalidInput
        If they cannot begin a game.
    """
    board, codes = position.copy(), []
    for move in moves:
        if board.is_over or board.is_chance:
            what = "the game is over" if board.is_over else "chance is to move"
            raise InvalidInput(f"opening: {what} after {counted(board.move_count, 'move')}")
        try:
            board.play(move)
        except IllegalMove as error:
            raise InvalidInput(f"opening: {error}") from None
        codes.append(board.history[-1])  # a whole number of Python's own
    return codes
