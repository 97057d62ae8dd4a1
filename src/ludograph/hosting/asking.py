"""Requests to the host of a player, and what is wrong when no answer comes, or a wrong one.

All that can go wrong becomes a fault of the player, with the reason that is seen from outside: the
end of its process, its deadline, what it wrote. See :mod:`ludograph.hosting.turn_time` for whose
time it is.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ludograph.hosting import timeout_traceback
from ludograph.hosting.channel import Answer, ChannelClosed, ChannelGarbage
from ludograph.hosting.exit_status import how_ended, whereabouts
from ludograph.hosting.host_process import SUPERVISOR_SECONDS, HostProcess
from ludograph.hosting.process_tree import CannotSuspend, ProcessTree
from ludograph.hosting.turn_time import TurnTime, why_late
from ludograph.hosting.waiting import readable
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PROGRAMS, PlayerSpec
from ludograph.quoting import described, printable

UNFLUSHED = (
    "; this is also what an answer looks like that stays in a buffer: it needs its end of line, "
    "then flush standard output"
)

GRACE = 0.002
"""Seconds on top of a deadline for the answer's way back."""

REPORTED = (Reason.CRASH, Reason.ILLEGAL_MOVE, Reason.PROTOCOL, Reason.RESIGN)
"""What a host may say of its player while it plays; all else is for the referee to see."""


class Asked(HostProcess):
    """A host that is asked, and suspended between two questions."""

    def __init__(self, spec: PlayerSpec, isolation: Isolation | None = None) -> None:
        super().__init__(spec, isolation)
        self._tree: ProcessTree
        self._turn: TurnTime
        self._asked = 0
        self._overdue: int | None = None  # a request whose answer nobody waits for any more

    def kill(self) -> None:
        """End the host and all that came out of it; safe to call again."""
        if not self.runs:
            return
        try:
            super().kill()
        finally:
            if hasattr(self, "_turn"):
                self._turn.close()
                self._tree.close()

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
            if self._tree.suspended:  # the question is there when it wakes
                turn.begin(seconds)
                self._tree.resume()
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
            raise self._late(reason, text, crowd=turn is not None and turn.crowd) from None
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
            seconds, busy = min(seconds, turn.until_look()), turn.busy()
            try:
                answer: Answer = self._channel.receive(seconds)
            except TimeoutError:
                turn.overslept(now + seconds, busy)
                if not turn.is_late():  # else there is a look at once
                    turn.look()
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
        self.kill()  # with which its supervisor reports, if it was too slow until now
        if self.report is not None and self.report.too_much:
            most = self.isolation.memory / (1 << 20)
            return self.fault(Reason.MEMORY, f"held more than {most:.0f} MiB of memory")
        return self.fault(otherwise, how)

    def _late(self, reason: Reason, message: str, *, crowd: bool) -> PlayerFault:
        """End a player whose time is over and return the fault, with where it was if it can say.

        A crowd is not asked: it would answer late, and its supervisor might learn late that its
        time is over.
        """
        page = b""
        if crowd and self._control is not None:
            self._control.freeze()
            self._control.kill()
        elif not crowd and timeout_traceback.ends_when_asked(self._group):
            # Then its supervisor ends all others, and tells.
            page = self._hear_report()
        self.kill()  # now the log is whole
        if self.spec.kind == "python":
            place = timeout_traceback.place_in(self._log.text(), self.spec.target)
        else:
            place = whereabouts(self._noted(page))
        return PlayerFault(reason, f"{message}; it was{place}" if place else message, self.log())

    def _how_it_ended(self) -> str:
        """Return how it ended; the supervisor tells, unless it was killed with its player."""
        if not readable(self._lifeline.fileno(), SUPERVISOR_SECONDS):
            return "closed its answer channel"
        page = self._hear_report()
        status = int(signal.SIGKILL) if self.report is None else self.report.status
        code = os.waitstatus_to_exitcode(status)
        self.kill()  # now the log is whole
        return how_ended(code, self._noted(page), self.log())

    def _suspend(self) -> None:
        """Let nobody think on the opponent's time."""
        try:
            self._tree.suspend()
        except CannotSuspend:
            raise self.fault(
                Reason.PROTOCOL, "starts processes faster than they can be suspended"
            ) from None
