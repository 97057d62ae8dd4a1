"""The connection to a player's host: requests, answers, and the fault if none comes.

Every failure becomes a fault of the player, with the reason visible from outside: the end of its
process, its deadline, or its output. :mod:`ludograph.hosting.turn_time` measures the player's own
time.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from ludograph.errors import HostFailure
from ludograph.formatting import described, printable
from ludograph.hosting import timeout_traceback
from ludograph.hosting.channel import Answer, ChannelClosed, ChannelGarbage
from ludograph.hosting.exit_status import how_ended, whereabouts
from ludograph.hosting.host_process import HostProcess
from ludograph.hosting.process_tree import CannotSuspend, ProcessTree
from ludograph.hosting.supervisor import SUPERVISOR_SECONDS, number_of, readable
from ludograph.hosting.turn_time import TurnTime
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.spec import PROGRAMS

UNFLUSHED = (
    "; this is also what an answer looks like that stays in a buffer: it needs its end of line, "
    "then flush standard output"
)

ENDED_SECONDS = 2.0
"""Seconds for a supervisor to report the end of a player that has closed its channel: on a busy
machine the report may be late. A player that only closed its channel, and still runs, is judged
after this time; no clock runs."""

REPORTED = (Reason.CRASH, Reason.ILLEGAL_MOVE, Reason.PROTOCOL, Reason.RESIGN)
"""The faults that a host may report of its player during play; the referee detects all others."""


class HostConnection:
    """Asks a host, and suspends it between two questions.

    Attributes
    ----------
    host
        Its process, which other code may end, too.
    """

    def __init__(self, host: HostProcess) -> None:
        self.host = host
        self._tree: ProcessTree | None = None
        self._turn: TurnTime | None = None
        self._asked = 0
        self._overdue: int | None = None  # a request whose answer is no longer expected

    def meter(self) -> TurnTime:
        """Measure the time of the host's processes from now on; return the object that does it."""
        host = self.host
        self._tree = ProcessTree(number_of(host.supervisor), host.group, host.control)
        self._turn = TurnTime(self._tree)
        return self._turn

    @property
    def arrived(self) -> float:
        """The time of the last answer, on the clock of ``time.perf_counter``."""
        return self.host.channel.arrived

    def kill(self) -> None:
        """End the host and all its descendants; safe to call again."""
        if not self.host.runs:
            return
        try:
            self.host.kill()
        finally:
            if self._turn is not None and self._tree is not None:
                self._turn.close()
                self._tree.close()

    def fault(self, reason: Reason, message: str, illegal: str = "") -> PlayerFault:
        """End the player and return the fault, with its log."""
        self.kill()
        return PlayerFault(reason, message, self.host.log(), illegal)

    def ask(
        self,
        message: dict[str, Any],
        seconds: float,
        otherwise: Reason,
        turn: TurnTime | None = None,
    ) -> Answer:
        """Send a request and return the answer; turn every failure into a fault.

        Parameters
        ----------
        otherwise
            The reason given when the process ends, or runs out of time, in this phase.
        turn
            The player's turn, if its clock runs: the seconds begin with the turn.
        """
        if turn is None:
            self.tell(message, seconds, otherwise)
        elif self._tree is not None and self._tree.suspended:
            begin = partial(self._begin, turn, seconds)
            self.tell(message, seconds, otherwise, begin)
            if self._tree.suspended:  # the whole question has arrived by now
                begin()
        else:
            self.tell(message, seconds, otherwise)
            turn.asked()
        return self.answer(seconds, otherwise, turn)

    def _begin(self, turn: TurnTime, seconds: float) -> None:
        """Begin the turn of a suspended player."""
        turn.begin(seconds)
        self.resume()
        turn.asked()

    def tell(
        self,
        message: dict[str, Any],
        seconds: float,
        otherwise: Reason,
        before_waiting: Callable[[], None] | None = None,
    ) -> None:
        """Send a request, without waiting for the answer.

        Parameters
        ----------
        before_waiting
            Called once if the player must read the beginning of the request before its end can be
            sent: a suspended player cannot.
        """
        if not self.host.runs:
            raise PlayerFault(otherwise, "the player is not running")
        with self._blaming(seconds, otherwise, None):
            self._send(message, seconds, before_waiting)

    def answer(self, seconds: float, otherwise: Reason, turn: TurnTime | None = None) -> Answer:
        """Wait for the answer to the last request."""
        with self._blaming(seconds, otherwise, turn):
            answer = self._received(seconds, turn)
            if answer.id == self._overdue:
                self._overdue = None
                answer = self._received(seconds, turn)
            self.host.output.hear()
            if answer.id != self._asked:
                raise ChannelGarbage("sent an answer that nobody had asked for")
        starting = otherwise is Reason.NO_START
        if answer.broken and starting and self.host.spec.kind in PROGRAMS:
            self.kill()  # no program had been started
            raise HostFailure(f"{self.host.spec.label} could not be started: {answer.broken}")
        if answer.broken:  # raised by the player's own code
            answer.fault = Reason.NO_START if starting else Reason.CRASH
            answer.text = answer.broken
        if answer.fault:
            raise self._reported(answer, otherwise)
        return answer

    def _send(
        self,
        message: dict[str, Any],
        seconds: float,
        before_waiting: Callable[[], None] | None = None,
    ) -> None:
        self._asked += 1
        self.host.channel.send({"id": self._asked, **message}, seconds, before_waiting)

    def _received(self, seconds: float, turn: TurnTime | None) -> Answer:
        """Wait for the next answer."""
        receive: Callable[[float], Answer] = self.host.channel.receive
        return receive(seconds) if turn is None else turn.wait(receive)

    @contextmanager
    def _blaming(self, seconds: float, otherwise: Reason, turn: TurnTime | None) -> Iterator[None]:
        """Turn a failure of the channel into a fault."""
        starting = otherwise is Reason.NO_START
        try:
            yield
        except TimeoutError:
            reason = Reason.NO_START if starting else Reason.TIMEOUT
            doing = "was not ready" if starting else "gave no answer"
            text = f"{doing} within {seconds:.3g} s"
            text += turn.why_late() if turn is not None else ""
            text += UNFLUSHED if self.host.spec.kind in PROGRAMS else ""
            raise self._late(reason, text, crowd=turn is not None and turn.crowd) from None
        except ChannelClosed:
            raise self._ended(otherwise) from None
        except ChannelGarbage as error:
            raise self.fault(Reason.PROTOCOL, str(error)) from None

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
        self.kill()  # then its supervisor reports, if it was too slow until now
        if self.host.too_much:
            most = self.host.isolation.memory / (1 << 20)
            return self.fault(Reason.MEMORY, f"held more than {most:.0f} MiB of memory")
        return self.fault(otherwise, how)

    def _late(self, reason: Reason, message: str, *, crowd: bool) -> PlayerFault:
        """End a player whose time is over and return the fault, with its place if it can report it.

        A player with too many threads is not asked: it would answer late, and delay its supervisor.
        """
        host, page = self.host, b""
        if crowd and host.control is not None:
            host.control.freeze()
            host.control.kill()
        elif not crowd and timeout_traceback.ends_when_asked(host.group):
            # Then its supervisor ends all others, and reports.
            page = host.hear_report(SUPERVISOR_SECONDS)
        self.kill()  # now the log is complete
        place = self._place_in_python() or whereabouts(host.noted(page))
        return PlayerFault(reason, f"{message}; it was{place}" if place else message, host.log())

    def _how_it_ended(self) -> str:
        """Return how it ended, by the supervisor's report, unless it was killed with its player."""
        if not readable(self.host.lifeline.fileno(), ENDED_SECONDS):
            return "closed its answer channel"
        page = self.host.hear_report(ENDED_SECONDS)
        status = int(signal.SIGKILL) if self.host.report is None else self.host.report.status
        code = os.waitstatus_to_exitcode(status)
        self.kill()  # now the log is complete
        place = self._place_in_python()
        return how_ended(code, self.host.noted(page), self.host.log(), place)

    def _place_in_python(self) -> str:
        if self.host.spec.kind != "python":
            return ""
        return timeout_traceback.place_in(self.host.output.text(), self.host.spec.target)

    def aside(self, message: dict[str, Any], seconds: float) -> Answer:
        """Ask something while no clock runs; a failure is no fault of the player.

        Raises
        ------
        TimeoutError
            If the answer does not come in time; it is ignored when it comes.
        ChannelClosed, ChannelGarbage
            If the host is gone, or sends no valid answer.
        """
        self.resume()
        try:
            self._send(message, seconds)
            answer: Answer = self.host.channel.receive(seconds)
        except TimeoutError:
            self._overdue = self._asked
            raise
        finally:
            self.suspend()
        return answer

    @contextmanager
    def beside(self, others: Iterable[HostConnection]) -> Iterator[None]:
        """Attend to other players that start, while this one's answer is awaited.

        Their output is read, so that none of them waits for that; and each is suspended as soon as
        it answers, so that it does not think while this one starts.
        """
        channel, attended = self.host.channel, []
        for each in others:
            output = each.host.output
            channel.attend(output.descriptor, output.drain)
            channel.attend(each.host.channel.connection.fileno(), each.suspend_early)
            attended += [output.descriptor, each.host.channel.connection.fileno()]
        try:
            yield
        finally:
            for descriptor in attended:
                channel.ignore(descriptor)

    def suspend_early(self) -> bool:
        """Stop the host's processes before their answer is read; return False."""
        with suppress(CannotSuspend):  # the fault follows when the answer is read
            self._stop()
        return False

    def resume(self) -> None:
        """Let the host's processes run again."""
        if self._tree is not None:
            self._tree.resume()

    def suspend(self) -> None:
        """Stop the host's processes, so that the player does not think on the opponent's time."""
        try:
            self._stop()
        except CannotSuspend:
            raise self.fault(
                Reason.PROTOCOL, "starts processes faster than they can be suspended"
            ) from None

    def _stop(self) -> None:
        if self._tree is None or self._turn is None:
            return
        since_before = self._tree.suspended
        self._tree.suspend()
        if not since_before:
            self._turn.rest()
