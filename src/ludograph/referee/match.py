"""One match: the turn loop, its clocks and its verdicts.

The referee's board is the board and its clock is the clock. A player's fault is a forfeit, or in
a game of three or more its elimination; whatever goes wrong on the referee's own side is raised.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games import Outcome, Position
from ludograph.players import Player, PlayerFault, Reason, drop_code
from ludograph.players.fault import printable
from ludograph.players.foreign import ForeignPlayer
from ludograph.players.making import label, make_player
from ludograph.players.protocol import is_code
from ludograph.referee.clock import Clock, RunningClock
from ludograph.rules import random_state

CHANCE_STREAM, PLAYER_STREAM = 3, 7


class PlayedMove(NamedTuple):
    """A move of a match: who played it (None: chance), its code, and the seconds it took."""

    seat: int | None
    move: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Fault:
    """What a player did wrong."""

    seat: int
    reason: Reason
    message: str
    ply: int
    log: str = ""


@dataclass(slots=True)
class MatchResult:
    """How a match went.

    Attributes
    ----------
    outcome
        Scores and ranks by seat.
    reason
        ``finished``, or the reason of the fault that ended the game.
    names
        By seat.
    position
        The referee's board at the end.
    sentence
        The result in one sentence.
    """

    outcome: Outcome
    reason: str
    names: tuple[str, ...]
    position: Position
    sentence: str = ""
    moves: list[PlayedMove] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def winner(self) -> int | None:
        """The seat that won, None for a draw."""
        return self.outcome.winner

    def mean_seconds(self, seat: int) -> float:
        """The mean time of a seat's moves; 0 if it made none."""
        times = [played.seconds for played in self.moves if played.seat == seat]
        return sum(times) / len(times) if times else 0.0


def play_match(
    position: Position,
    players: Sequence[Any],
    *,
    clock: Clock | str | None = None,
    seed: int = 0,
    record: str | Path | None = None,
    on_move: Callable[[Position, PlayedMove], None] | None = None,
) -> MatchResult:
    """Play one game and return how it went.

    Parameters
    ----------
    position
        Where the game starts; it is left as it is.
    players
        One per seat: names (``greedy``, ``mcts:time=0.2``, ``mybot.py``, ``./player1.so``), or
        Python objects, classes or functions that play.
    clock
        As :meth:`Clock.parse` understands it. Without one, players in processes of their own
        still have 60 s for each move.
    seed
        For chance and for the players' own random choices.
    record
        A file to write the game to, as it is played.
    on_move
        Called with the referee's board after each move; it must not change the board.

    Raises
    ------
    InvalidInput
        If a name or the clock is wrong, or their number is not that of the seats.
    """
    if len(players) != position.seats:
        raise InvalidInput(
            f"{position.game.name}: the game has {position.seats} seats, "
            f"{len(players)} players came"
        )
    if isinstance(clock, str):
        clock = Clock.parse(clock)
    match = _Match(position.copy(), players, clock, seed, on_move)
    if record is not None:
        from ludograph.referee.record import RecordWriter

        with RecordWriter(record) as writer:
            match.writer = writer
            writer.header(position, [label(player) for player in players], clock, seed)
            return match.run()
    return match.run()


class _Match:
    """The state of one match while it is played."""

    def __init__(
        self,
        position: Position,
        players: Sequence[Any],
        clock: Clock | None,
        seed: int,
        on_move: Callable[[Position, PlayedMove], None] | None,
    ) -> None:
        self.position = position
        self.game = position.game
        self.on_move = on_move
        self.writer: Any = None
        self.rng = random_state(seed, CHANCE_STREAM)
        seats = range(position.seats)
        self.clocks = [RunningClock(clock) for _ in seats]
        self.news: list[list[int]] = [[] for _ in seats]  # moves that a player has not been told
        self.left: dict[int, int] = {}  # eliminated seats, with the ply of their fault
        self.moves: list[PlayedMove] = []
        self.faults: list[Fault] = []
        self.names = [label(player) for player in players]
        seeds = [int(random_state(seed, PLAYER_STREAM, seat)[0] >> 1) for seat in seats]
        self.players: list[Player | None] = [None for _ in seats]
        self.specs = list(players)
        self.seeds = seeds

    def run(self) -> MatchResult:
        outcome = None
        try:
            self.start()
            while not self.decided():
                if self.position.is_chance:
                    self.chance()
                else:
                    self.turn()
            outcome = Outcome.from_scores(self.position.scores(), self.left)
            return self.result(outcome)
        finally:
            for player in self.players:
                if player is not None:
                    self.finish(player, outcome)

    def start(self) -> None:
        """Make the players; foreign ones load side by side."""
        for seat, spec in enumerate(self.specs):
            try:
                player = make_player(spec, self.game, self.position.seats, self.seeds[seat])
                self.players[seat] = player
                if isinstance(player, ForeignPlayer):
                    player.launch()
            except PlayerFault as fault:
                self.forfeit(seat, fault)
        for seat, started in enumerate(self.players):
            if started is None:
                continue
            try:
                started.start(self.position.copy(), seat)
            except PlayerFault as fault:
                self.forfeit(seat, fault)
            except InvalidInput:  # a player that this game cannot have: the caller's mistake
                raise
            except Exception as error:  # noqa: BLE001  (a player's own code)
                self.forfeit(seat, _crash(error, Reason.NO_START))
            if isinstance(started, ForeignPlayer):
                self.names[seat] = _shown(self.names[seat], started.name)

    def decided(self) -> bool:
        remaining = self.position.seats - len(self.left)
        return self.position.is_over or bool(self.left and remaining <= 1)

    def turn(self) -> None:
        """Ask the seat to move, judge its answer, play it."""
        seat = self.position.turn
        assert seat is not None
        player = self.players[seat]
        assert player is not None
        moves, self.news[seat] = self.news[seat], []
        began = time.perf_counter()
        try:
            answer = player.play(moves, self.clocks[seat].left())
            seconds = time.perf_counter() - began
            if not self.clocks[seat].spend(seconds):
                raise PlayerFault(Reason.TIMEOUT, f"answered after {seconds:.3f} s, too late")
            move = self.judge(answer)
        except PlayerFault as fault:
            self.forfeit(seat, fault)
            return
        except IllegalMove as error:
            self.forfeit(seat, PlayerFault(Reason.ILLEGAL_MOVE, str(error)))
            return
        except Exception as error:  # noqa: BLE001  (a player's own code)
            self.forfeit(seat, _crash(error, Reason.CRASH))
            return
        self.tell(move, seat)
        self.played(PlayedMove(seat, move, seconds))

    def judge(self, answer: Any) -> int:
        """Play an answer on the referee's board, or raise what is wrong with it."""
        if isinstance(answer, str):
            answer = self.position.parse(answer)
        if not is_code(answer):
            raise PlayerFault(Reason.PROTOCOL, f"answered {answer!r:.200}, which is no move")
        move = int(answer)
        self.position.play(move)
        return move

    def chance(self) -> None:
        move = self.position.play_random(self.rng)
        self.tell(move, None)
        self.played(PlayedMove(None, move, 0.0))

    def tell(self, move: int, seat: int | None) -> None:
        """Keep a move for all players but the one that made it."""
        for other, news in enumerate(self.news):
            if other != seat:
                news.append(move)

    def played(self, played: PlayedMove) -> None:
        self.moves.append(played)
        if self.writer is not None:
            self.writer.move(self.position, played)
        if self.on_move is not None:
            self.on_move(self.position, played)

    def forfeit(self, seat: int, fault: PlayerFault) -> None:
        """Take a seat out of the game; the others go on if there are two of them."""
        ply = self.position.ply
        self.faults.append(Fault(seat, fault.reason, fault.message, ply, fault.log))
        self.left[seat] = ply if fault.reason is not Reason.NO_START else -1
        if self.writer is not None:
            self.writer.fault(self.faults[-1])
        if not self.decided():
            self.position.drop(seat)
            self.tell(drop_code(seat), seat)
        player, self.players[seat] = self.players[seat], None
        if player is not None:
            self.finish(player, None)

    def finish(self, player: Player, outcome: Outcome | None) -> None:
        """Let a player go; what it does wrong now changes nothing any more."""
        try:
            player.finish(outcome)
        except Exception as error:  # noqa: BLE001  (a player's own code)
            if self.writer is not None:
                self.writer.remark(f"finish raised {printable(repr(error), 200)}")

    def result(self, outcome: Outcome) -> MatchResult:
        seats = self.position.seats
        over_by_rule = self.position.is_over and len(self.left) < max(1, seats - 1)
        reason = "finished" if over_by_rule else str(self.faults[-1].reason)
        if reason == "finished":
            sentence = self.game.result(self.position, outcome, self.names)
        else:
            sentence = self.forfeit_sentence(outcome)
        result = MatchResult(
            outcome=outcome,
            reason=reason,
            names=tuple(self.names),
            position=self.position,
            sentence=sentence,
            moves=self.moves,
            faults=self.faults,
        )
        if self.writer is not None:
            self.writer.end(result)
        return result

    def forfeit_sentence(self, outcome: Outcome) -> str:
        fault = self.faults[-1]
        loser = f"{self.names[fault.seat]} (seat {fault.seat}) forfeits: {fault.reason}"
        detail = f", {fault.message.rstrip('.')}" if fault.message else ""
        if outcome.winner is None or outcome.winner in self.left:
            return f"{loser}{detail}."
        winner = f"{self.names[outcome.winner]} (seat {outcome.winner})"
        return f"{winner} wins, {loser}{detail}."


def _shown(given: str, own: str) -> str:
    """Return a player's name as given, with what it calls itself when that says more."""
    return given if not own or own == given else f"{given} “{own}”"


def _crash(error: Exception, reason: Reason) -> PlayerFault:
    trace = "".join(traceback.format_exception(error))[-4096:]
    return PlayerFault(reason, f"raised {type(error).__name__}: {error}", trace)
