"""The turn loop of one match, its clocks and its verdicts.

The referee's board and clock are the only valid ones. A player's fault is a forfeit, or in a game
of three or more its elimination; an error of the referee itself is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludograph import rules
from ludograph.errors import GameFault
from ludograph.games import Outcome, Position
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.hosting.foreign_player import ForeignPlayer
from ludograph.players import PlayerFault, PlayerSpec, Reason, drop_code
from ludograph.players.forfeit import check_time, raised
from ludograph.players.human import HumanPlayer, Resignation, TakeBack
from ludograph.players.protocol import ChoosingPlayer, Playing, warm_up
from ludograph.players.spec import preparation
from ludograph.referee.clock import RunningClock, Stopwatch
from ludograph.referee.options import MatchObserver, MatchOptions
from ludograph.referee.player_factory import IN_PROCESS
from ludograph.referee.record_writer import RecordWriter
from ludograph.referee.result import (
    Fault,
    MatchResult,
    PlayedMove,
    after,
    is_decided,
    ranked,
    reason_of,
)
from ludograph.referee.seats import Seats
from ludograph.referee.sentences import called, sentence_of
from ludograph.referee.verdicts import judge, placed
from ludograph.rules.announcer import announcer

SHORTEST = 1e-6
"""The shortest time, in seconds, that a record notes."""


class TurnLoop:
    """The state of one match while it is played.

    Only the call to ``play`` runs a player's code here, in a ``try`` of its own: an exception from
    anywhere else is not blamed on a player. Other calls are in :mod:`ludograph.referee.seats`.
    """

    def __init__(
        self,
        position: Position,
        specs: Sequence[PlayerSpec | Playing],
        options: MatchOptions,
        observer: MatchObserver,
        opening: Sequence[int],
        writer: RecordWriter | None = None,
    ) -> None:
        self.position = position
        self.first = position.copy()
        self.specs = specs
        self.options, self.observer = options, observer
        self.opening, self.writer = opening, writer
        self.clocks = [RunningClock(options.clock_of(spec)) for spec in specs]
        ahead = () if options.earlier else opening
        self.seats = Seats(specs, options, observer, ahead, self.why_kept)
        self.pending: list[list[int]] = [[] for _ in specs]  # moves that are not sent yet
        self.left: dict[int, int] = {}  # eliminated seats, with the ply of their fault
        self.moves: list[PlayedMove] = []
        self.faults: list[Fault] = []
        self.finish_faults: list[Fault] = []
        self.stopwatch = Stopwatch()
        self.remarks: dict[int, str] = {}  # by seat, why its thoughts are left out

    def run(self) -> MatchResult:
        """Play the game; in any case all processes of players are ended."""
        try:
            self.start()
            if self.observer.on_ready is not None:
                self.observer.on_ready()
            self.open()
            bound = rules.info(self.position.setup).ply_bound
            while not self.decided():
                if self.position.ply >= bound:
                    raise GameFault(
                        f"{self.position.game.name}: the game goes on beyond {bound} plies, the "
                        "ply_bound of info"
                    )
                if self.position.is_chance:
                    self.chance()
                else:
                    self.turn()
            outcome = self.outcome()
            for seat, _ in list(self.seats.playing()):
                self.finish(seat, outcome, last=True)
            self.seats.kill()  # all were asked to end, so they end in parallel
            return self.result(outcome)
        except BaseException:
            self.seats.kill()
            self.keep_logs()
            raise
        finally:
            self.seats.kill()
            self.seats.leave()
            self.stopwatch.close()

    def start(self) -> None:
        """Start the players; those that join a running game get its moves."""
        announcer.prepare(preparation(self.position.game.name, self.specs))
        warm_up(self.position)
        self.go_on()
        failed = self.seats.start(self.position)
        for seat in self.seats.foreign:
            self.pending[seat] += self.position.history
        for seat in sorted(failed):
            self.forfeit(seat, failed[seat], started=False)

    def open(self) -> None:
        """Play the moves of the opening; all players get them, also the seat that is to move."""
        for move in self.opening if not self.options.earlier else ():
            if self.decided():
                return
            seat = self.position.turn
            self.position.play(move)
            self.played(PlayedMove(seat, move, 0.0))
            if seat is not None:
                self.pending[seat].append(move)

    def go_on(self) -> None:
        """Play the earlier moves of an interrupted game: chance and clocks continue after them."""
        for played in self.options.earlier:
            self.position.play(played.move)
            self.moves.append(played)
        self.clocks = self.clocks_of_moves()
        for seat, seconds in self.options.spent.items():
            self.clocks[seat].run(seconds)
        if self.options.spent:
            self.note_spent()

    def clocks_of_moves(self) -> list[RunningClock]:
        """Return the clocks as the moves alone leave them.

        The opening has used no time, and brings no increment.
        """
        clocks = [RunningClock(clock.rule) for clock in self.clocks]
        for played in self.moves[len(self.opening) :]:
            if played.seat is not None:
                clocks[played.seat].spend(played.seconds)
        return clocks

    def note_spent(self) -> None:
        """Write what each clock lacks beyond the moves of the record, and tell the observer."""
        for seat, of_moves in enumerate(self.clocks_of_moves()):
            left = self.clocks[seat].game
            if left is None or of_moves.game is None:
                continue
            lacking = of_moves.game - left
            if self.writer is not None and lacking >= SHORTEST:
                self.writer.spent(seat, lacking)
            if self.observer.on_clock is not None:
                self.observer.on_clock(seat, left)

    def decided(self) -> bool:
        """Tell whether only the end can follow."""
        return is_decided(self.position, self.left)

    def turn(self) -> None:
        """Ask the seat to move, judge its answer, play it."""
        seat = self.position.turn
        assert seat is not None
        player = self.seats[seat]
        clock = self.clocks[seat]
        moves, self.pending[seat] = self.pending[seat], []
        limits = clock.left()
        self.stopwatch.begin(counts=limits.allowed is not None)
        try:
            answer: Any = player.play(moves, limits)
        except PlayerFault as fault:
            self.forfeit(seat, placed(self.position, self.specs[seat], fault))
            return
        except TakeBack as wish:
            clock.run(self.stopwatch.spent(computes=False))
            self.take_back(seat if wish.seat is None else wish.seat)
            return
        except KeyboardInterrupt:
            if isinstance(player, HumanPlayer):  # a person has seen the position
                clock.run(self.stopwatch.spent(computes=False))
                self.note_spent()
            raise
        except Resignation as wish:
            clock.run(self.stopwatch.spent(computes=False))
            self.forfeit(wish.seat, PlayerFault(Reason.RESIGN, ""))
            return
        except (Exception, SystemExit) as error:  # a player's own code
            if self.options.raise_faults or isinstance(player, HumanPlayer | ForeignPlayer):
                raise  # an error in the referee's own client code is no fault of the player
            self.forfeit(seat, placed(self.position, self.specs[seat], raised(error, Reason.CRASH)))
            return
        if isinstance(player, ForeignPlayer):
            seconds = player.seconds
        else:
            trusted = isinstance(player, ChoosingPlayer) and player.trusted
            seconds = self.stopwatch.spent(computes=trusted)
        before = self.position.copy() if self.options.thoughts else None
        try:
            clock.spend(seconds)
            check_time(seconds, limits.allowed)
            move = judge(self.position, self.specs[seat], answer)
        except PlayerFault as fault:
            self.forfeit(seat, fault)
            return
        thoughts = None if before is None else self.thoughts(seat, before)
        self.played(PlayedMove(seat, move, seconds, thoughts))

    def thoughts(self, seat: int, before: Position) -> AnalysisInfo | None:
        """Return a player's thoughts on its move; the first unsound ones are remarked."""
        thoughts = self.seats.thoughts(seat, before)
        if not isinstance(thoughts, str):
            return thoughts
        if seat not in self.remarks:
            who, ply = f"{self.seats.names[seat]} (seat {seat})", before.ply_text(coming=True)
            self.remarks[seat] = f"{who}: its thoughts at {ply} are left out: {thoughts}"
            if self.writer is not None:
                self.writer.remark(self.remarks[seat])
        return None

    def why_kept(self, seat: int) -> str:
        """Return why a seat cannot take its last move back; an empty text if it can."""
        if self.left:
            return "a player has dropped out"
        for other, spec in enumerate(self.specs):
            if not (isinstance(spec, PlayerSpec) and spec.kind in IN_PROCESS):
                name = called(self.seats.names[other], other)
                return f"{name} keeps a board of its own, and cannot take moves back"
        return "" if self.last_move_of(seat) is not None else "you have made no move yet"

    def last_move_of(self, seat: int) -> int | None:
        """Return the number of the last move of a seat, from 0; None if it has made none.

        The moves of the opening are the referee's.
        """
        ahead = len(self.opening)
        numbers = (n for n, played in enumerate(self.moves) if n >= ahead and played.seat == seat)
        return max(numbers, default=None)

    def take_back(self, seat: int) -> None:
        """Take back the last move of a seat and all after it; all players start again there.

        Each clock then shows the lower of what it shows now and what it showed at that position:
        time that was used stays used, and nobody collects increments.
        """
        last = self.last_move_of(seat)
        assert last is not None
        del self.moves[last:]
        for clock, before in zip(self.clocks, self.clocks_of_moves(), strict=True):
            if clock.game is not None and before.game is not None:
                clock.game = min(clock.game, before.game)
        self.position = after(self.first, self.moves)
        if self.writer is not None:
            self.writer.take_back(last)
        self.note_spent()
        self.pending = [[] for _ in self.specs]
        if self.observer.on_take_back is not None:
            self.observer.on_take_back(self.position, seat)
        for other in range(len(self.specs)):
            player = self.seats.make(other, self.position)
            fault = self.seats.begin(other, player, self.position)
            if fault is not None:
                self.forfeit(other, fault)

    def chance(self) -> None:
        """Play a move of chance.

        Each draw has a hash of its own, so that earlier ones do not reveal it. Only draws of chance
        are counted: all games with one seed are dealt alike, also after moves are taken back.
        """
        draws = sum(played.seat is None for played in self.moves)
        if draws < len(self.options.dealt) and self.position.is_legal(self.options.dealt[draws]):
            self.position.play(self.options.dealt[draws])
        else:
            self.position.play_random(self.options.luck.rng("draw", draws))
        self.played(PlayedMove(None, self.position.history[-1], 0.0))

    def played(self, played: PlayedMove) -> None:
        """Send a move to all other players, to the record and to the observer."""
        self.tell(played.move, played.seat)
        self.moves.append(played)
        if self.writer is not None:
            self.writer.move(self.position, played)
        if self.observer.on_move is not None:
            self.observer.on_move(self.position, played)

    def tell(self, move: int, seat: int | None) -> None:
        """Store a move for all players except one, until each is to move."""
        for other, pending in enumerate(self.pending):
            if other != seat:
                pending.append(move)

    def forfeit(self, seat: int, fault: PlayerFault, *, started: bool = True) -> None:
        """Remove a seat from the game, which goes on if two other seats are left."""
        if self.options.raise_faults:
            raise fault
        ply = self.position.ply
        self.faults.append(Fault(seat, fault.reason, fault.message, ply, fault.log, fault.answer))
        self.left[seat] = ply if started else -1
        if self.writer is not None:
            self.writer.fault(self.faults[-1])
        if not self.decided():
            self.position.drop(seat)
            self.tell(drop_code(seat), seat)
        if self.observer.on_fault is not None:
            self.observer.on_fault(self.position, self.faults[-1])
        if started and self.seats.players[seat] is not None:
            self.finish(seat, None)
            self.seats.players[seat] = None

    def finish(self, seat: int, outcome: Outcome | None, *, last: bool = False) -> None:
        """End a player; a fault now is recorded and changes no result."""
        fault = self.seats.finish(seat, outcome, last=last)
        if fault is None:
            return
        if self.options.raise_faults:
            raise fault
        ply = self.position.ply
        self.finish_faults.append(Fault(seat, fault.reason, fault.message, ply, fault.log))
        if self.writer is not None:
            self.writer.finish_fault(self.finish_faults[-1])

    def keep_logs(self) -> dict[int, str]:
        """Return the output of players in processes of their own, and write it to the record."""
        logs = self.seats.logs()
        shown = {fault.seat for fault in self.faults if fault.log}
        if self.writer is not None:
            for seat, log in logs.items():
                if seat not in shown:
                    self.writer.log(seat, log)
        return logs

    def outcome(self) -> Outcome:
        """Return scores and ranks; if all seats dropped out, all are last."""
        return ranked(self.position.scores(), self.left)

    def result(self, outcome: Outcome) -> MatchResult:
        """Return the result, and write it into the record."""
        result = MatchResult(
            outcome=outcome,
            reason=reason_of(self.position, self.left, self.faults),
            names=tuple(self.seats.names),
            position=self.position,
            moves=self.moves,
            faults=self.faults,
            finish_faults=self.finish_faults,
            logs=self.keep_logs(),
            usage=self.seats.usage(),
            remarks=list(self.remarks.values()),
            seed=self.options.seed,
            chance_seed=self.options.luck,
            starts=self.seats.starts(),
        )
        result.sentence = sentence_of(result)
        if self.writer is not None:
            self.writer.end(result)
        return result
