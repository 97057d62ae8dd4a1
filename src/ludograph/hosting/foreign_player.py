"""Players in processes of their own: C libraries, Python files, and programs.

A :class:`ForeignPlayer` sends the game to its player over a :class:`HostConnection` to the player's
:class:`~ludograph.hosting.host_process.HostProcess`. Every failure becomes a fault of the player,
with the reason visible from outside: the end of its process, its deadline, or its output.
:mod:`ludograph.hosting.turn_time` measures the player's own time.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from ludograph.errors import HostFailure
from ludograph.formatting import described, one_line, printable
from ludograph.games import Outcome, Position, TimeLeft
from ludograph.games.analysis_info_validation import InvalidAnalysisInfo
from ludograph.games.dialogue import Dialogue, More
from ludograph.hosting import crash_report
from ludograph.hosting.channel import Answer, ChannelClosed, ChannelGarbage
from ludograph.hosting.dialogues import answered_move, dialogue, start_of
from ludograph.hosting.exit_status import how_ended, whereabouts
from ludograph.hosting.host_process import HostProcess
from ludograph.hosting.process_tree import CannotSuspend, ProcessTree
from ludograph.hosting.supervisor import SUPERVISOR_SECONDS, number_of, readable
from ludograph.hosting.turn_time import TurnTime
from ludograph.players.forfeit import PlayerFault, Reason, check_time
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PROGRAMS, PlayerSpec

START_SECONDS = 20.0
"""Seconds for loading and ``start`` or ``initialize``, if the clock gives none: enough for a Python
player that compiles functions with Numba."""

SECONDS_PER_VERTEX = 5e-5
"""More time to start on big boards."""

MOVE_SECONDS = 60.0
"""Seconds for a move without a clock, so that a player that hangs does not block the referee."""

FINISH_SECONDS = 1.0

THOUGHTS_SECONDS = 2.0
"""Seconds for a player's analysis; its host has a shorter limit."""

TELLING = ("python", "cmd")
"""Kinds of players that can send an analysis."""


class ForeignPlayer:
    """A player in a host process, from which it cannot affect the referee.

    Between its moves the host is suspended, so that the player does not think on the opponent's
    time.

    Attributes
    ----------
    host
        Its process: launches it, reads its output, and measures what it uses.
    name
        The player's own name, after its start.
    seconds
        The player's own time for its last move, see :mod:`ludograph.hosting.turn_time`.
    opening
        The first moves of its game, which it gets first.
    tells
        Whether it should send an analysis.
    start_seconds
        Its own seconds for loading and ``start``; None for the default.
    started_after
        Its own seconds for its start, as measured.
    """

    def __init__(self, spec: PlayerSpec, seed: int, isolation: Isolation | None) -> None:
        self.spec = spec
        self.host = HostProcess(spec, isolation)
        self.seed = seed
        self.name = spec.label
        self.seconds = 0.0
        self.opening: Sequence[int] = ()
        self.tells = False
        self.start_seconds: float | None = None
        self.started_after = 0.0
        self._connection = HostConnection(self.host)
        self._dialogue: Dialogue
        self._turn: TurnTime
        self._seconds = 0.0  # for its start

    def start(self, position: Position, seat: int) -> None:
        """Hand over the game and wait until the player is ready."""
        self.begin(position, seat)
        self.await_start()

    def begin(self, position: Position, seat: int) -> None:
        """Hand over the game: the start clock runs until the player is ready."""
        if not self.host.launched:
            self.host.launch(position.game)
        if self.host.level is None:
            self.host.await_host()
        self._dialogue = dialogue(self.spec.kind, position, seat)
        self._dialogue.begun = self.opening
        order = start_of(self.spec, self._dialogue, self.seed) | {"kernels": self.host.kernels}
        if self.tells:
            order["thoughts"] = True
        self._seconds = self.start_seconds or START_SECONDS
        self._seconds += SECONDS_PER_VERTEX * position.board.n
        self._turn = self._connection.meter()
        self._turn.begin(self._seconds)
        self._connection.tell({"start": order}, self._seconds, Reason.NO_START)
        self._turn.asked()

    def await_start(self, others: Iterable[ForeignPlayer] = ()) -> None:
        """Wait until the player is ready; then it is suspended.

        Parameters
        ----------
        others
            Further players that have begun to start: their output is read meanwhile, and each is
            suspended when it is ready.

        Raises
        ------
        PlayerFault
        MachineBusy
            If it cannot be told whether the player or the machine was too slow.
        """
        with self._connection.beside(each._connection for each in others if each.host.runs):
            answer = self._connection.answer(self._seconds, Reason.NO_START, self._turn)
        self.started_after = spent = self._turn.spent(self._connection.arrived, exact=True)
        if spent > self._seconds:
            raise self._connection.fault(
                Reason.NO_START, f"was ready after {spent:.3g} s, too late"
            )
        self._dialogue.legal = answer.legal
        self.name = one_line(answer.name or "")
        self._connection.suspend()

    def play(self, moves: list[int], time_left: TimeLeft) -> int:
        """Ask for a move; the process is killed at its deadline.

        Raises
        ------
        PlayerFault
        MachineBusy
            If it cannot be told whether the player or the machine was too slow.
        """
        allowed = MOVE_SECONDS if time_left.allowed is None else time_left.allowed
        question: Any = self._dialogue.question(moves, time_left)
        turn = self._turn
        move: int | More = More(question)
        while isinstance(move, More):
            answer = self._connection.ask({"play": move.question}, allowed, Reason.CRASH, turn)
            self.seconds = turn.spent(self._connection.arrived, exact=time_left.game is not None)
            try:
                check_time(self.seconds, allowed, more=turn.while_suspended())
                move = answered_move(self._dialogue, answer)
            except PlayerFault as fault:
                raise self._connection.fault(fault.reason, fault.message, fault.answer) from None
        self._connection.suspend()
        return move

    def thoughts(self) -> Any:
        """Return the player's analysis of its last move, unchecked; None if it sends none.

        No clock runs, and a failure is no fault.

        Raises
        ------
        InvalidAnalysisInfo
            If the player failed to send it.
        """
        if self.spec.kind not in TELLING or not self.host.runs:
            return None
        try:
            answer = self._connection.aside({"thoughts": None}, THOUGHTS_SECONDS)
        except TimeoutError:
            raise InvalidAnalysisInfo(f"they did not come within {THOUGHTS_SECONDS:g} s") from None
        except (ChannelClosed, ChannelGarbage) as error:
            raise InvalidAnalysisInfo(one_line(str(error), 200)) from None
        if answer.text:
            raise InvalidAnalysisInfo(one_line(answer.text, 200))
        return answer.thoughts

    def finish(self, outcome: Outcome | None) -> None:
        """End the game and the process.

        Raises
        ------
        PlayerFault
            If the player fails at the end; the result of the game stays.
        """
        try:
            self.part(outcome)
        finally:
            self.kill()

    def part(self, outcome: Outcome | None) -> None:
        """End the game, and begin to end the process, which :meth:`kill` waits for."""
        if not self.host.runs:
            return
        ending = {"finish": self._dialogue.ending(outcome)}
        try:
            self._connection.resume()
            self._connection.ask(ending, FINISH_SECONDS, Reason.CRASH)
        finally:
            self.host.hang_up()

    def kill(self) -> None:
        """End the process and all its descendants; safe to call again."""
        self._connection.kill()


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
        return PlayerFault(reason, self.host.named(message), self.host.log(), illegal)

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
            raise self._end_late(reason, text, crowd=turn is not None and turn.crowd) from None
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

    def _end_late(self, reason: Reason, message: str, *, crowd: bool) -> PlayerFault:
        """End a player whose time is over and return the fault, with its place if it can report it.

        A player with too many threads is not asked: it would answer late, and delay its supervisor.
        """
        host, page = self.host, b""
        if crowd and host.control is not None:
            host.control.freeze()
            host.control.kill()
        elif not crowd and ends_when_asked(host.group):
            # Then its supervisor ends all others, and reports.
            page = host.hear_report(SUPERVISOR_SECONDS)
        self.kill()  # now the log is complete
        where = self._place_in_python() or whereabouts(host.noted(page))
        return PlayerFault(reason, f"{message}; it was{where}" if where else message, host.log())

    def _how_it_ended(self) -> str:
        """Return how it ended, by the supervisor's report, unless it was killed with its player."""
        if not readable(self.host.lifeline.fileno(), ENDED_SECONDS):
            return "closed its answer channel"
        page = self.host.hear_report(ENDED_SECONDS)
        status = int(signal.SIGKILL) if self.host.report is None else self.host.report.status
        code = os.waitstatus_to_exitcode(status)
        self.kill()  # now the log is complete
        log, where = self.host.log(), self._place_in_python()
        return how_ended(code, self.host.noted(page), log, where)

    def _place_in_python(self) -> str:
        if self.host.spec.kind != "python":
            return ""
        return crash_report.place_in(self.host.output.text(), self.host.spec.target)

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


def ends_when_asked(process: int) -> bool:
    """Ask a process for its traceback; return whether that has ended it at once."""
    try:
        descriptor = os.pidfd_open(process)
    except OSError:
        return False
    try:
        signal.pidfd_send_signal(descriptor, crash_report.ASK)
        return readable(descriptor, crash_report.ASK_SECONDS)
    except OSError:
        return False
    finally:
        os.close(descriptor)
