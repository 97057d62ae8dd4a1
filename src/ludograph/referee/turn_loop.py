"""The turn loop of one match, its clocks and its verdicts.

The referee's board is the board and its clock is the clock. A player's fault is a forfeit, or in
a game of three or more its elimination; whatever goes wrong on the referee's own side is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from ludograph.games import Outcome, Position
from ludograph.games.thoughts import Thoughts, UnsoundThoughts, understood
from ludograph.players import Player, PlayerFault, PlayerSpec, Reason, drop_code
from ludograph.players.direct import DirectPlayer
from ludograph.players.factory import (
    labels,
    make_player,
    player_seed,
)
from ludograph.players.fault import raised
from ludograph.players.foreign import ForeignPlayer
from ludograph.players.human import Front, HumanPlayer, TakeBack
from ludograph.players.isolation.levels import Isolation
from ludograph.players.preparing import announce
from ludograph.players.protocol import (
    ChoosingPlayer,
    Playing,
    own_copy,
    thoughts_of,
    warm_up,
)
from ludograph.referee.clock import Clock, RunningClock
from ludograph.referee.going_back import last_of, reason_against, replayed
from ludograph.referee.recording import RecordWriter
from ludograph.referee.result import (
    Fault,
    MatchResult,
    PlayedMove,
    Usage,
    ranked,
    reason_of,
    sentence_of,
    shown_name,
)
from ludograph.referee.stopwatch import Stopwatch
from ludograph.referee.verdicts import judge, placed
from ludograph.rules import random_state

CHANCE_STREAM = 3


class TurnLoop:
    """The state of one match while it is played.

    Only the calls to ``start``, ``play`` and ``finish`` of a player run its code, each in a
    ``try`` of its own: whatever is raised elsewhere is not blamed on a player.
    """

    def __init__(
        self,
        position: Position,
        specs: Sequence[PlayerSpec | Playing],
        clock: Clock | None,
        seeds: tuple[int, int],
        front: Front | None,
    ) -> None:
        seats = position.seats
        self.position = position
        self.game = position.game
        self.specs = specs
        self.first = position.copy()
        self.front = front
        self.on_move: Callable[[Position, PlayedMove], None] | None = None
        self.on_fault: Callable[[Position, Fault], None] | None = None
        self.on_take_back: Callable[[Position, int], None] | None = None
        self.on_output: Callable[[int, str], None] | None = None
        self.isolation: Isolation | None = None
        self.raise_faults = False
        self.earlier: Sequence[PlayedMove] = ()
        self.opening: Sequence[int] = ()
        self.writer: RecordWriter | None = None
        seed, self.luck = seeds
        self.rng = random_state(self.luck, CHANCE_STREAM)
        self.seeds = [player_seed(seed, seat) for seat in range(seats)]
        self.clocks = [RunningClock(clock) for _ in range(seats)]
        self.pending: list[list[int]] = [[] for _ in range(seats)]  # what a player is to be told
        self.players: list[Player | None] = [None] * seats
        self.names = labels(specs)
        self.left: dict[int, int] = {}  # eliminated seats, with the ply of their fault
        self.moves: list[PlayedMove] = []
        self.faults: list[Fault] = []
        self.finish_faults: list[Fault] = []
        self.foreign: dict[int, ForeignPlayer] = {}
        self.stopwatch = Stopwatch()
        self.asks_thoughts = False
        self.margin = 0.0
        self.remarks: dict[int, str] = {}  # by seat, why its thoughts are left out

    def run(self) -> MatchResult:
        """Play the game; whatever happens, no process of a player is left behind."""
        try:
            self.start()
            self.open()
            while not self.decided():
                if self.position.is_chance:
                    self.chance()
                else:
                    self.turn()
            outcome = self.outcome()
            for seat, player in enumerate(self.players):
                if player is not None:
                    self.finish(seat, player, outcome, last=True)
            self.kill()  # all have begun to end, and end side by side
            return self.result(outcome)
        except BaseException:
            self.kill()
            self.keep_logs()
            raise
        finally:
            self.kill()
            self.stopwatch.close()

    def kill(self) -> None:
        """End all processes of players."""
        with ExitStack() as stack:
            for player in self.foreign.values():
                stack.callback(player.kill)

    def start(self) -> None:
        """Make the players; foreign ones load side by side."""
        announce(self.position, self.specs)
        warm_up(self.position)
        self.go_on()
        failed: dict[int, PlayerFault] = {}
        for seat, spec in enumerate(self.specs):
            try:
                player = self.make(seat, spec)
            except PlayerFault as fault:
                failed[seat] = fault
                continue
            self.players[seat] = player
            if isinstance(player, ForeignPlayer | DirectPlayer):
                player.opening = [*self.position.history, *self.opening]
            if isinstance(player, ForeignPlayer):
                self.foreign[seat] = player
                player.tells, player.margin = self.asks_thoughts, self.margin
                if self.on_output is not None:
                    player.listener = partial(self.on_output, seat)
                player.launch(self.game)
        self.begin_foreign(failed)
        for seat, started in enumerate(self.players):
            if started is not None:
                fault_at_start = self.begin(seat, started)
                if fault_at_start is not None:
                    failed[seat] = fault_at_start
                    self.players[seat] = None
        for seat in sorted(failed):
            self.forfeit(seat, failed[seat], started=False)

    def begin_foreign(self, failed: dict[int, PlayerFault]) -> None:
        """Hand the game over to players in processes of their own, from its start.

        Those that join a game are told its moves as they are told an opening.
        """
        now = self.position
        start = now.copy()
        if now.history:
            start.state = Position(now.game, now.board, now.setup).state
        for seat, foreign in self.foreign.items():
            self.pending[seat] += now.history
            try:
                foreign.begin(start, seat, together=len(self.foreign))
            except PlayerFault as fault:
                failed[seat] = fault
                self.players[seat] = None

    def open(self) -> None:
        """Make the moves with which the game begins; all are told, who would have moved too."""
        for move in self.opening if not self.earlier else ():
            if self.decided():
                return
            seat = self.position.turn
            self.position.play(move)
            self.played(PlayedMove(seat, move, 0.0))
            if seat is not None:
                self.pending[seat].append(move)

    def go_on(self) -> None:
        """Begin behind the moves that were played earlier: chance and clocks go on from there."""
        for played in self.earlier:
            if played.seat is None:
                self.position.copy().play_random(self.rng)
            else:
                self.clocks[played.seat].spend(played.seconds)
            self.position.play(played.move)
            self.moves.append(played)

    def make(self, seat: int, spec: PlayerSpec | Any) -> Player:
        """Return a fresh player for a seat."""
        seats, seed = self.position.seats, self.seeds[seat]
        player = make_player(spec, self.game, seats, seed, self.front, self.isolation)
        if isinstance(player, HumanPlayer):
            player.kept = partial(self.why_kept, seat)
        return player

    def begin(self, seat: int, player: Player) -> PlayerFault | None:
        """Start a player; return what it did wrong."""
        if isinstance(player, ForeignPlayer):
            try:
                player.await_start()  # it has been told already
            except PlayerFault as fault:
                return fault
            self.names[seat] = shown_name(self.names[seat], player.name)
            return None
        own = isinstance(self.specs[seat], PlayerSpec)
        position = self.position.copy() if own else own_copy(self.position)
        try:
            player.start(position, seat)
        except PlayerFault as fault:
            return fault
        except (Exception, SystemExit) as error:  # a player's own code
            if self.raise_faults:
                raise
            return raised(error, Reason.NO_START)
        return None

    def decided(self) -> bool:
        """Tell whether the game is over, by its rules or because at most one seat is left."""
        remaining = self.position.seats - len(self.left)
        return self.position.is_over or bool(self.left and remaining <= 1)

    def turn(self) -> None:
        """Ask the seat to move, judge its answer, play it."""
        seat = self.position.turn
        assert seat is not None
        player = self.players[seat]
        assert player is not None
        clock = self.clocks[seat]
        moves, self.pending[seat] = self.pending[seat], []
        limits = clock.left()
        self.stopwatch.begin(counts=limits.move is not None or limits.game is not None)
        try:
            answer: Any = player.play(moves, limits)
        except PlayerFault as fault:
            self.forfeit(seat, placed(self.position, self.specs[seat], fault))
            return
        except TakeBack:
            clock.run(self.stopwatch.spent(computes=False))
            self.take_back(seat)
            return
        except (Exception, SystemExit) as error:  # a player's own code
            if self.raise_faults or isinstance(player, HumanPlayer | ForeignPlayer):
                raise  # what fails between them and the game is no fault of theirs
            self.forfeit(seat, placed(self.position, self.specs[seat], raised(error, Reason.CRASH)))
            return
        if isinstance(player, ForeignPlayer):
            seconds = player.seconds
        else:
            trusted = isinstance(player, ChoosingPlayer) and player.trusted
            seconds = self.stopwatch.spent(computes=trusted)
        before = self.position.copy() if self.asks_thoughts else None
        try:
            if not clock.spend(seconds):
                raise PlayerFault(Reason.TIMEOUT, f"answered after {seconds:.3f} s, too late")
            move = judge(self.position, self.specs[seat], answer)
        except PlayerFault as fault:
            self.forfeit(seat, fault)
            return
        thoughts = None if before is None else self.thoughts(seat, player, before)
        self.played(PlayedMove(seat, move, seconds, thoughts))

    def thoughts(self, seat: int, player: Player, before: Position) -> Thoughts | None:
        """Ask what a player thinks of the move that it has just made; no clock runs.

        Whatever is wrong with that is remarked once, and changes nothing.

        Parameters
        ----------
        before
            The board on which it chose.
        """
        try:
            told = player.thoughts() if isinstance(player, ForeignPlayer) else thoughts_of(player)
            return None if told is None else understood(told, before)
        except (UnsoundThoughts, PlayerFault) as error:
            why = str(error)
        except (Exception, SystemExit) as error:  # a player's own code
            if self.raise_faults:
                raise
            why = raised(error, Reason.CRASH).message
        if seat not in self.remarks:
            where = f"at ply {before.ply + 1}"
            self.remarks[seat] = (
                f"{self.names[seat]} (seat {seat}): its thoughts {where} are left out: {why}"
            )
            if self.writer is not None:
                self.writer.remark(self.remarks[seat])
        return None

    def why_kept(self, seat: int) -> str:
        """Return why a seat cannot take its last move back; an empty text if it can."""
        if self.left:
            return "a player has dropped out"
        return reason_against(seat, self.specs, self.names, self.moves)

    def take_back(self, seat: int) -> None:
        """Go back to where a seat has made its last move: all players begin anew there."""
        last = last_of(seat, self.moves)
        assert last is not None
        del self.moves[last:]
        self.rng = random_state(self.luck, CHANCE_STREAM)
        self.position = replayed(self.first, self.moves, self.rng)
        if self.writer is not None:
            self.writer.take_back(last)
        self.pending = [[] for _ in self.specs]
        if self.on_take_back is not None:
            self.on_take_back(self.position, seat)
        for other, spec in enumerate(self.specs):
            self.players[other] = player = self.make(other, spec)
            fault = self.begin(other, player)
            if fault is not None:
                self.forfeit(other, fault)

    def chance(self) -> None:
        """Let nature move."""
        self.played(PlayedMove(None, self.position.play_random(self.rng), 0.0))

    def played(self, played: PlayedMove) -> None:
        """Tell a move to all but the seat that made it, and to the record."""
        self.tell(played.move, played.seat)
        self.moves.append(played)
        if self.writer is not None:
            self.writer.move(self.position, played)
        if self.on_move is not None:
            self.on_move(self.position, played)

    def tell(self, move: int, seat: int | None) -> None:
        """Keep a move for all players but one."""
        for other, pending in enumerate(self.pending):
            if other != seat:
                pending.append(move)

    def forfeit(self, seat: int, fault: PlayerFault, *, started: bool = True) -> None:
        """Take a seat out of the game; the others go on if there are two of them."""
        if self.raise_faults:
            raise fault
        ply = self.position.ply
        self.faults.append(Fault(seat, fault.reason, fault.message, ply, fault.log, fault.answer))
        self.left[seat] = ply if started else -1
        if self.writer is not None:
            self.writer.fault(self.faults[-1])
        if not self.decided():
            self.position.drop(seat)
            self.tell(drop_code(seat), seat)
        if self.on_fault is not None:
            self.on_fault(self.position, self.faults[-1])
        player = self.players[seat]
        if started and player is not None:
            self.finish(seat, player, None)
            self.players[seat] = None

    def finish(
        self, seat: int, player: Player, outcome: Outcome | None, *, last: bool = False
    ) -> None:
        """Let a player go; what it does wrong now is told, and changes nothing any more.

        Parameters
        ----------
        last
            Whether the game is over, so that nobody need wait for the end of its process yet.
        """
        try:
            if last and isinstance(player, ForeignPlayer):
                player.part(outcome)
            else:
                player.finish(outcome)
        except PlayerFault as error:
            fault = error
        except (Exception, SystemExit) as error:  # a player's own code
            if self.raise_faults:
                raise
            fault = raised(error, Reason.CRASH)
        else:
            return
        if self.raise_faults:
            raise fault
        ply = self.position.ply
        self.finish_faults.append(Fault(seat, fault.reason, fault.message, ply, fault.log))
        if self.writer is not None:
            self.writer.finish_fault(self.finish_faults[-1])

    def keep_logs(self) -> dict[int, str]:
        """Return what players in processes of their own have printed, and write it down."""
        logs = {seat: log for seat, player in self.foreign.items() if (log := player.log())}
        told_of = {fault.seat for fault in self.faults if fault.log}
        if self.writer is not None:
            for seat, log in logs.items():
                if seat not in told_of:
                    self.writer.log(seat, log)
        return logs

    def usage(self) -> dict[int, Usage]:
        """Return what players in processes of their own have used; they have ended."""
        return {
            seat: Usage(str(player.level), player.report.seconds, player.report.most)
            for seat, player in self.foreign.items()
            if player.report is not None and player.level is not None
        }

    def outcome(self) -> Outcome:
        """Return scores and ranks; if nobody is left, all seats are last."""
        return ranked(self.position.scores(), self.left)

    def result(self, outcome: Outcome) -> MatchResult:
        """Return the result, and write it into the record."""
        result = MatchResult(
            outcome=outcome,
            reason=reason_of(self.position, self.left, self.faults),
            names=tuple(self.names),
            position=self.position,
            moves=self.moves,
            faults=self.faults,
            finish_faults=self.finish_faults,
            logs=self.keep_logs(),
            usage=self.usage(),
            remarks=list(self.remarks.values()),
        )
        result.sentence = sentence_of(result)
        if self.writer is not None:
            self.writer.end(result)
        return result
