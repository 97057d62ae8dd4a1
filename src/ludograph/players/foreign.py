"""Players in processes of their own: C libraries, Python files, and programs."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludograph.games import Outcome, Position, TimeLeft
from ludograph.games.dialogue import Dialogue, More
from ludograph.games.thoughts import UnsoundThoughts
from ludograph.players import lateness
from ludograph.players.channel import (
    Answer,
    ChannelClosed,
    ChannelGarbage,
)
from ludograph.players.dialogues import dialogue, meaning
from ludograph.players.endings import how_ended, whereabouts
from ludograph.players.family import CannotSuspend, Family
from ludograph.players.fault import PlayerFault, Reason
from ludograph.players.hosted import KEEPER_SECONDS, Hosted
from ludograph.players.isolation.belongings import place
from ludograph.players.isolation.levels import Isolation
from ludograph.players.spec import PROGRAMS, PlayerSpec
from ludograph.players.turn_time import SLICE, TurnTime, why_late
from ludograph.players.waiting import number_of, readable
from ludograph.quoting import described, one_line, printable

START_SECONDS = 20.0
"""For loading and ``initialize``, which no clock counts."""

SECONDS_PER_VERTEX = 5e-5
"""More time to start on big boards."""

MOVE_SECONDS = 60.0
"""For a move where no clock runs: a player that hangs must not hang the referee."""

FINISH_SECONDS = 1.0

UNFLUSHED = (
    "; this is also what an answer looks like that stays in a buffer: it needs its end of line, "
    "then flush standard output"
)

THOUGHTS_SECONDS = 2.0
"""For telling what it thinks; its host knows a shorter limit."""

TELLING = ("python", "cmd")
"""Kinds of players that can tell what they think."""

GRACE = 0.002
"""Seconds on top of a deadline for the answer's way back."""

REPORTED = (Reason.CRASH, Reason.ILLEGAL_MOVE, Reason.PROTOCOL, Reason.RESIGN)
"""What a host may say of its player while it plays; all else is for the referee to see."""


class ForeignPlayer(Hosted):
    """A player that runs in a host process; what it does there cannot reach the referee.

    Between its moves the host is suspended, so that nobody thinks on the opponent's time.

    Attributes
    ----------
    name
        What the player calls itself once it has started.
    seconds
        Of its own that its last move has taken, see :mod:`ludograph.players.turn_time`.
    opening
        The moves with which its game begins; the first ones that it is told.
    tells
        Whether it is to tell what it thinks.
    margin
        Seconds by which it may be late.
    """

    def __init__(self, spec: PlayerSpec, seed: int, isolation: Isolation | None = None) -> None:
        super().__init__(spec, isolation)
        self.seed = seed
        self.name = spec.label
        self.seconds = 0.0
        self.opening: Sequence[int] = ()
        self.tells = False
        self.margin = 0.0
        self._dialogue: Dialogue
        self._family: Family
        self._turn: TurnTime
        self._seconds = 0.0  # for its start
        self._asked = 0
        self._overdue: int | None = None  # a request whose answer nobody waits for any more

    def start(self, position: Position, seat: int) -> None:
        """Hand over the game and wait until the player is ready."""
        self.begin(position, seat)
        self.await_start()

    def begin(self, position: Position, seat: int, together: int = 1) -> None:
        """Hand over the game.

        Parameters
        ----------
        together
            So many players start at once, and may have to share a processor.
        """
        if not self._launched:
            self.launch(position.game)
        self.await_host()
        self._dialogue = dialogue(self.spec.kind, position, seat)
        self._dialogue.begun = self.opening
        path = self.spec.target if self.spec.kind in PROGRAMS else place(self.spec.target)
        spec = self.spec
        own = {"path": path, "entry": spec.entry, "seed": self.seed, "commands": spec.commands}
        order = {**own, **self._dialogue.order(), **({"thoughts": True} if self.tells else {})}
        self._seconds = together * (START_SECONDS + SECONDS_PER_VERTEX * position.board.n)
        self._tell({"start": order}, self._seconds, Reason.NO_START)

    def await_start(self) -> None:
        """Wait until the player is ready; then it is suspended."""
        answer = self._answer(self._seconds, Reason.NO_START)
        self._dialogue.legal = answer.legal
        self.name = one_line(answer.name or "")
        self._family = Family(number_of(self._keeper), self._group, self._control)
        self._turn = TurnTime(self._family)
        self._suspend()

    def play(self, moves: list[int], time_left: TimeLeft) -> int:
        """Ask for a move; the process is killed at its deadline.

        Raises
        ------
        PlayerFault
        MachineBusy
            If it cannot be told whether the player or the machine was too slow.
        """
        limits = [limit for limit in (time_left.move, time_left.game) if limit is not None]
        seconds = min(limits) + self.margin if limits else MOVE_SECONDS
        question: Any = self._dialogue.question(moves, time_left)
        turn = self._turn
        move: int | More = More(question)
        while isinstance(move, More):
            answer = self._ask({"play": move.question}, seconds, Reason.CRASH, turn)
            self.seconds = turn.spent(self._channel.arrived, exact=time_left.game is not None)
            if self.seconds > seconds:
                raise self.fault(Reason.TIMEOUT, f"answered after {self.seconds:.3g} s, too late")
            move = self._understood(answer)
        self._suspend()
        return move

    def thoughts(self) -> Any:
        """Return what it thinks of its last move, unchecked; None if it tells nothing.

        No clock runs, and nothing that goes wrong is a fault.

        Raises
        ------
        UnsoundThoughts
            If it has failed to tell.
        """
        if self.spec.kind not in TELLING or not self.runs:
            return None
        self._family.resume()
        try:
            self._asked += 1
            self._channel.send({"id": self._asked, "thoughts": None}, THOUGHTS_SECONDS)
            answer: Answer = self._channel.receive(THOUGHTS_SECONDS)
        except TimeoutError:
            self._overdue = self._asked
            raise UnsoundThoughts(f"they did not come within {THOUGHTS_SECONDS:g} s") from None
        except (ChannelClosed, ChannelGarbage) as error:
            raise UnsoundThoughts(one_line(str(error), 200)) from None
        finally:
            self._suspend()
        if answer.text:
            raise UnsoundThoughts(one_line(answer.text, 200))
        return answer.thoughts

    def _understood(self, answer: Answer) -> int | More:
        """Return the move of an answer, or what is to be asked still."""
        try:
            return meaning(self._dialogue, answer)
        except PlayerFault as fault:
            raise self.fault(fault.reason, fault.message, fault.answer) from None

    def finish(self, outcome: Outcome | None) -> None:
        """End the game and the process.

        Raises
        ------
        PlayerFault
            If the player does so badly; that no longer changes the result.
        """
        try:
            self.part(outcome)
        finally:
            self.kill()

    def part(self, outcome: Outcome | None) -> None:
        """End the game, and begin to end the process, which :meth:`kill` waits for."""
        if not self.runs:
            return
        try:
            self._family.resume()
            self._ask({"finish": self._dialogue.ending(outcome)}, FINISH_SECONDS, Reason.CRASH)
        finally:
            self.hang_up()

    def kill(self) -> None:
        """End the host and all that came out of it; safe to call again."""
        if not self.runs:
            return
        try:
            super().kill()
        finally:
            if hasattr(self, "_turn"):
                self._turn.close()
                self._family.close()

    def fault(self, reason: Reason, message: str, illegal: str = "") -> PlayerFault:
        """End the player and return the fault, with its log."""
        self.kill()
        return PlayerFault(reason, message, self.log(), illegal)

    def _ask(
        self,
        message: dict[str, Any],
        seconds: float,
        otherwise: Reason,
        turn: TurnTime | None = None,
    ) -> Answer:
        """Send a request and return the answer; turn all that can go wrong into a fault.

        Parameters
        ----------
        otherwise
            The reason given when the process ends, or runs out of time, in this phase.
        turn
            The player's turn, where its clock runs: the seconds have begun with it.
        """
        self._tell(message, seconds, otherwise)
        if turn is not None:
            if self._family.suspended:  # the question is there when it wakes
                turn.begin(seconds)
                self._family.resume()
            turn.asked()
        return self._answer(seconds, otherwise, turn)

    def _tell(self, message: dict[str, Any], seconds: float, otherwise: Reason) -> None:
        """Send a request, without waiting for the answer."""
        if self._lost:
            raise PlayerFault(otherwise, "the player is not running")
        self._asked += 1
        with self._blaming(seconds, otherwise, None):
            self._channel.send({"id": self._asked, **message}, seconds)

    def _answer(self, seconds: float, otherwise: Reason, turn: TurnTime | None = None) -> Answer:
        """Wait for the answer to the last request."""
        with self._blaming(seconds, otherwise, turn):
            answer = self._received(seconds, turn)
            if answer.id == self._overdue:
                self._overdue = None
                answer = self._received(seconds, turn)
            self._log.hear()
            if answer.id != self._asked:
                raise ChannelGarbage("sent an answer that nobody had asked for")
        if answer.fault:
            raise self._reported(answer, otherwise)
        return answer

    def _received(self, seconds: float, turn: TurnTime | None) -> Answer:
        """Wait for what comes next."""
        answer: Answer = self._channel.receive(seconds) if turn is None else self._answer_in(turn)
        return answer

    @contextmanager
    def _blaming(self, seconds: float, otherwise: Reason, turn: TurnTime | None) -> Iterator[None]:
        """Turn what goes wrong on the channel into a fault."""
        starting = otherwise is Reason.NO_START
        try:
            yield
        except TimeoutError:
            reason = Reason.NO_START if starting else Reason.TIMEOUT
            doing = "was not ready" if starting else "gave no answer"
            text = f"{doing} within {seconds:.3g} s"
            text += why_late(turn) if turn is not None else ""
            text += UNFLUSHED if self.spec.kind in PROGRAMS else ""
            raise self._late(reason, text) from None
        except ChannelClosed:
            raise self._ended(otherwise) from None
        except ChannelGarbage as error:
            raise self.fault(Reason.PROTOCOL, str(error)) from None

    def _answer_in(self, turn: TurnTime) -> Answer:
        """Wait for the answer as long as the player has time; raise TimeoutError then."""
        while True:
            now = time.perf_counter()
            seconds = turn.began + turn.seconds + GRACE - now
            if seconds <= 0:
                seconds = turn.left()
            if seconds <= 0:
                last: Answer = self._channel.receive(0.0)  # it may be there: who is late is told
                return last
            seconds, waited = min(seconds, SLICE), turn.waited()
            try:
                answer: Answer = self._channel.receive(seconds)
            except TimeoutError:
                turn.overslept(now + seconds, waited)
            else:
                return answer

    def _reported(self, answer: Answer, otherwise: Reason) -> PlayerFault:
        text = printable(answer.text)
        if otherwise is Reason.NO_START:
            return self.fault(Reason.NO_START, text)
        if answer.fault not in REPORTED:  # the player has taken the place of its host
            return self.fault(Reason.PROTOCOL, f"answered {described(answer)}")
        return self.fault(Reason(answer.fault), text, answer.illegal)

    def _ended(self, otherwise: Reason) -> PlayerFault:
        """Return the fault of a process that has ended, or closed its channel."""
        how = self._how_it_ended()
        self.kill()  # with which its keeper reports, if it was too slow until now
        if self.report is not None and self.report.too_much:
            most = self.isolation.memory / (1 << 20)
            return self.fault(Reason.MEMORY, f"held more than {most:.0f} MiB of memory")
        return self.fault(otherwise, how)

    def _late(self, reason: Reason, message: str) -> PlayerFault:
        """End a player whose time is over and return the fault, with where it was if it can say."""
        page = b""
        if lateness.ends_when_asked(self._group):  # then its keeper ends all others, and tells
            page = self._hear_report()
        self.kill()  # now the log is whole
        if self.spec.kind == "python":
            place = lateness.place_in(self._log.text(), self.spec.target)
        else:
            place = whereabouts(self._noted(page))
        return PlayerFault(reason, f"{message}; it was{place}" if place else message, self.log())

    def _how_it_ended(self) -> str:
        """Return how the process ended; the keeper tells, unless it was killed with its player."""
        if not readable(self._lifeline.fileno(), KEEPER_SECONDS):
            return "closed its answer channel"
        page = self._hear_report()
        status = int(signal.SIGKILL) if self.report is None else self.report.status
        code = os.waitstatus_to_exitcode(status)
        self.kill()  # now the log is whole
        return how_ended(code, self._noted(page), self.log())

    def _suspend(self) -> None:
        """Let nobody think on the opponent's time."""
        try:
            self._family.suspend()
        except CannotSuspend:
            raise self.fault(
                Reason.PROTOCOL, "starts processes faster than they can be suspended"
            ) from None
