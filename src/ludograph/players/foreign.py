"""Players in processes of their own: C libraries, Python files, and programs."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from ludograph.errors import HostFailure, InvalidInput
from ludograph.games import AnyGame, Outcome, Position, TimeLeft
from ludograph.games.dialogue import Dialogue, More
from ludograph.players import blackbox, lateness, threshold
from ludograph.players.channel import (
    ANSWER_LIMIT,
    Answer,
    Channel,
    ChannelClosed,
    ChannelGarbage,
)
from ludograph.players.dialogues import dialogue, meaning, needed
from ludograph.players.endings import how_ended, whereabouts
from ludograph.players.fault import LOG_LIMIT, PlayerFault, Reason
from ludograph.players.isolation.belongings import belongings, kernel_folder, place
from ludograph.players.isolation.levels import Isolation, Level
from ludograph.players.keeper import REPORT, STATUS, Report
from ludograph.players.log import Log
from ludograph.players.processes import TOKEN, kill_all
from ludograph.players.spec import PROGRAMS, PlayerSpec
from ludograph.players.waiting import number_of, readable, received
from ludograph.players.warm import HASH_SEED, WARM, WarmProcess
from ludograph.quoting import described, one_line, printable

READY_SECONDS = 60.0
"""For the host to come up, before the player is loaded: no fault of the player."""

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

GRACE = 0.002
"""Seconds on top of a deadline for the answer's way back."""

KEEPER_SECONDS = 0.25
"""For the keeper to end all processes of the player before the referee does it itself."""

WARM_KINDS: tuple[str, ...] = ("library", "htp", "cmd", "python")
"""Kinds of players whose hosts are forked."""

KEEPER = threshold.__file__
ROOT = str(Path(__file__).parents[2])


class ForeignPlayer:
    """A player that runs in a host process; what it does there cannot reach the referee.

    Between its moves the host is suspended, so that nobody thinks on the opponent's time.

    Attributes
    ----------
    name
        What the player calls itself once it has started.
    listener
        Called with each line that the player prints; to be set before it is launched.
    level
        How far it is isolated, once its host is up.
    asked
        When its clock began to run, for its last move: what is told was worked out before.
    report
        What it has used, once it has ended and if its keeper could tell.
    """

    def __init__(self, spec: PlayerSpec, seed: int, isolation: Isolation | None = None) -> None:
        self.spec = spec
        self.seed = seed
        self.isolation = isolation or Isolation.chosen()
        self.level: Level | None = None
        self.report: Report | None = None
        self.name = spec.label
        self.asked = 0.0
        self.listener: Callable[[str], None] | None = None
        self.token = secrets.token_hex(16)
        self._launched = False
        self._game: AnyGame
        self._process: subprocess.Popen[bytes] | None = None  # of a player that has its own
        self._warm: WarmProcess | None = None
        self._keeper = -1  # a descriptor of the keeper's process, once it is up
        self._dialogue: Dialogue
        self._channel: Channel
        self._lifeline: socket.socket
        self._log: Log
        self._group = 0  # of its processes, as this process knows it
        self._number = 0  # of its first process, as that process knows it
        self._asked = 0
        self._lost = False

    def launch(self, game: AnyGame) -> None:
        """Start the host process without waiting for it, so that several start together."""
        self._game = game
        with ExitStack() as ours, ExitStack() as theirs:
            channel, their_channel = socket.socketpair()
            lifeline, their_lifeline = socket.socketpair()
            ours.callback(channel.close)
            ours.callback(lifeline.close)
            theirs.callback(their_channel.close)
            theirs.callback(their_lifeline.close)
            read_end, write_end = os.pipe()
            theirs.callback(os.close, write_end)
            self._log = Log(read_end)
            self._log.listener = self.listener
            ours.callback(self._log.close)
            self._start_host(
                needed(self.spec.kind, game),
                [their_channel.fileno(), their_lifeline.fileno()],
                write_end,
            )
            self._launched = True
            self._channel = Channel(channel, ANSWER_LIMIT, Answer, self._log)
            self._lifeline = lifeline
            ours.pop_all()

    def _start_host(self, what: str, ends: list[int], log: int) -> None:
        """Start keeper and host: forked from a warm process, or in an interpreter of their own."""
        own = {"PYTHONHASHSEED": HASH_SEED}
        isolation = self.isolation
        if self.spec.kind in WARM_KINDS:
            request = {
                "token": self.token,
                "environment": own,
                "memory": isolation.memory,
                "paths": belongings(self.spec),
                "cache": kernel_folder(),
            }
            script = (KEEPER, self.spec.kind, what, ROOT, isolation.wish)
            self._warm = WARM.fork(script, request, [*ends, log])
            return
        if isolation.level is not Level.NONE:
            raise HostFailure("only a host that is forked from a warm process can be isolated")
        arguments = ["one", *map(str, ends), str(os.getpid()), self.spec.kind, what, ROOT, "none"]
        self._process = subprocess.Popen(
            [sys.executable, "-P", KEEPER, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=ends,
            env={**os.environ, TOKEN: self.token, "PYTHONUNBUFFERED": "1", **own},
            start_new_session=True,
        )

    def await_host(self) -> None:
        """Wait until the host is up.

        Raises
        ------
        HostFailure
            If it does not come up.
        InvalidInput
            If something that it needs is missing on this machine.
        """
        try:
            self._greet_host()
        except HostFailure:
            if self._warm is None or not self._warm.ends_within(KEEPER_SECONDS):
                raise
            self._lost, self._keeper = False, -1  # somebody has ended it; there will be another
            self.launch(self._game)
            self._greet_host()

    def _greet_host(self) -> None:
        why = ""
        try:
            answer = self._channel.receive(READY_SECONDS)
            self._meet_keeper()
            if answer.ready:
                self.level = Level(answer.isolation)
                return
            why = answer.broken
        except (TimeoutError, ChannelClosed, ChannelGarbage) as error:
            self.kill()
            printed = self.log() + (self._warm.printed() if self._warm is not None else "")
            raise HostFailure(
                f"the host of {self.spec.label} did not come up ({error}); it printed: {printed}"
            ) from None
        self.kill()
        raise InvalidInput(why)

    def _meet_keeper(self) -> None:
        """Take what the keeper tells of itself and of the player's process."""
        size, flags = STATUS.size, socket.MSG_CMSG_CLOEXEC
        data, descriptors, _, _ = socket.recv_fds(self._lifeline, size, 2, flags)
        if len(data) != size or len(descriptors) != 2:
            raise ChannelClosed("its keeper is gone")
        self._number, self._keeper = STATUS.unpack(data)[0], descriptors[0]
        self._group = number_of(descriptors[1])
        os.close(descriptors[1])

    def start(self, position: Position, seat: int) -> None:
        """Hand over the game and wait until the player is ready."""
        if not self._launched:
            self.launch(position.game)
        self.await_host()
        self._dialogue = dialogue(self.spec.kind, position, seat)
        path = self.spec.target if self.spec.kind in PROGRAMS else place(self.spec.target)
        own = {"path": path, "entry": self.spec.entry, "seed": self.seed}
        order = {**own, **self._dialogue.order()}
        seconds = START_SECONDS + SECONDS_PER_VERTEX * position.board.n
        answer = self._ask({"start": order}, seconds, Reason.NO_START)
        self._dialogue.legal = answer.legal
        self.name = one_line(answer.name or "")
        self._signal(signal.SIGSTOP)

    def play(self, moves: list[int], time_left: TimeLeft) -> int:
        """Ask for a move; the process is killed at its deadline."""
        limits = [limit for limit in (time_left.move, time_left.game) if limit is not None]
        seconds = min(limits) if limits else MOVE_SECONDS
        question = self._dialogue.question(moves, time_left)
        self.asked = time.perf_counter()
        deadline = self.asked + seconds
        self._signal(signal.SIGCONT)
        answer = self._ask({"play": question}, seconds, Reason.CRASH)
        move = self._understood(answer)
        while isinstance(move, More):
            more = {"play": move.question}
            move = self._understood(self._ask(more, seconds, Reason.CRASH, deadline))
        self._signal(signal.SIGSTOP)
        return move

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
        if not self._launched or self._lost:
            return
        try:
            self._signal(signal.SIGCONT)
            self._ask({"finish": self._dialogue.ending(outcome)}, FINISH_SECONDS, Reason.CRASH)
        finally:
            self.kill()

    def kill(self) -> None:
        """End the host and all that came out of it; safe to call again."""
        if not self._launched or self._lost:
            return
        self._lost = True
        try:
            with suppress(OSError):
                self._lifeline.shutdown(socket.SHUT_WR)  # the keeper ends them all, then itself
            self._end_keeper()
            self._hear_report()
        finally:
            kill_all(self.token)
            self._log.close()
            self._channel.close()
            self._lifeline.close()

    def _end_keeper(self) -> None:
        """Wait for the keeper's end, and bring it about should it not come."""
        if self._keeper >= 0:
            if not readable(self._keeper, KEEPER_SECONDS):
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._keeper, signal.SIGKILL)
                readable(self._keeper)
            os.close(self._keeper)
        elif self._process is not None:
            self._process.kill()
        if self._process is not None:
            self._process.wait()

    def _hear_report(self) -> bytes:
        """Take what the keeper has reported; return the page that it shared with the player."""
        told = received(self._lifeline, REPORT.size + blackbox.PAGE, KEEPER_SECONDS)
        if self.report is None and len(told) >= REPORT.size:
            self.report = Report(*REPORT.unpack(told[: REPORT.size]))
        return told[REPORT.size :]

    def log(self) -> str:
        """Return the head and the tail of what the player printed, safe to show and to store."""
        if not self._launched:
            return ""
        return printable(lateness.without_ours(self._log.text()), LOG_LIMIT)

    def fault(self, reason: Reason, message: str, illegal: str = "") -> PlayerFault:
        """End the player and return the fault, with its log."""
        self.kill()
        return PlayerFault(reason, message, self.log(), illegal)

    def _ask(
        self,
        message: dict[str, Any],
        seconds: float,
        otherwise: Reason,
        deadline: float | None = None,
    ) -> Answer:
        """Send a request and return the answer; turn all that can go wrong into a fault.

        Parameters
        ----------
        otherwise
            The reason given when the process ends, or runs out of time, in this phase.
        deadline
            Where the seconds have begun earlier than now.
        """
        if self._lost:
            raise PlayerFault(otherwise, "the player is not running")
        starting = otherwise is Reason.NO_START
        channel = self._channel
        self._asked += 1
        try:
            if deadline is None:
                deadline = time.perf_counter() + seconds
            channel.send({"id": self._asked, **message}, seconds)
            answer: Answer = channel.receive(deadline - time.perf_counter() + GRACE)
            self._log.hear()
            if answer.id != self._asked:
                raise ChannelGarbage("sent an answer that nobody had asked for")
        except TimeoutError:
            reason = Reason.NO_START if starting else Reason.TIMEOUT
            doing = "was not ready" if starting else "gave no answer"
            hint = UNFLUSHED if self.spec.kind in PROGRAMS else ""
            raise self._late(reason, f"{doing} within {seconds:.3g} s{hint}") from None
        except ChannelClosed:
            raise self._ended(otherwise) from None
        except ChannelGarbage as error:
            raise self.fault(Reason.PROTOCOL, str(error)) from None
        if answer.fault:
            raise self._reported(answer, otherwise)
        return answer

    def _reported(self, answer: Answer, otherwise: Reason) -> PlayerFault:
        text = printable(answer.text)
        if otherwise is Reason.NO_START:
            return self.fault(Reason.NO_START, text)
        if answer.fault not in list(Reason):
            return self.fault(Reason.PROTOCOL, f"answered {described(answer)}")
        return self.fault(Reason(answer.fault), text, answer.illegal)

    def _ended(self, otherwise: Reason) -> PlayerFault:
        """Return the fault of a process that has ended, or closed its channel."""
        how = self._how_it_ended()
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

    def _noted(self, page: bytes) -> blackbox.Crash:
        """Return what the black box tells, of the page that it shared."""
        library = self._game.library_interface() if self.spec.kind == "library" else None
        if library is None:
            return blackbox.NOTHING
        names = (*library.symbols, library.names, library.finishes)
        path = os.path.abspath(self.spec.target)
        return blackbox.read(page, path, names, self._number)

    def _how_it_ended(self) -> str:
        """Return how the process ended; the keeper tells, unless it was killed with its player."""
        if not readable(self._lifeline.fileno(), KEEPER_SECONDS):
            return "closed its answer channel"
        page = self._hear_report()
        status = int(signal.SIGKILL) if self.report is None else self.report.status
        code = os.waitstatus_to_exitcode(status)
        self.kill()  # now the log is whole
        return how_ended(code, self._noted(page), self.log())

    def _signal(self, number: signal.Signals) -> None:
        """Suspend or resume the player's process group."""
        if not self._lost:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._group, number)
