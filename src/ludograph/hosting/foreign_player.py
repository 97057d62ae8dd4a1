"""Players in processes of their own: C libraries, Python files, and programs.

A :class:`ForeignPlayer` sends the game to its player over a
:class:`~ludograph.hosting.connection.HostConnection` to the player's
:class:`~ludograph.hosting.host_process.HostProcess`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludograph.formatting import one_line
from ludograph.games import Outcome, Position, TimeLeft
from ludograph.games.analysis_info_validation import InvalidAnalysisInfo
from ludograph.games.dialogue import Dialogue, More
from ludograph.hosting.channel import ChannelClosed, ChannelGarbage
from ludograph.hosting.connection import HostConnection
from ludograph.hosting.dialogues import dialogue, meaning
from ludograph.hosting.host_process import HostProcess
from ludograph.hosting.sandbox.readable_paths import place
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
    margin
        Seconds by which a move may be late.
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
        self.margin = 0.0
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
        path = self.spec.target if self.spec.kind in PROGRAMS else place(self.spec.loaded_file)
        spec = self.spec
        own = {"path": path, "entry": spec.entry, "seed": self.seed, "commands": spec.commands}
        own |= {"kernels": self.host.kernels, "options": spec.options}
        order = {**own, **self._dialogue.order(), **({"thoughts": True} if self.tells else {})}
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
        seconds = allowed + self.margin
        question: Any = self._dialogue.question(moves, time_left)
        turn = self._turn
        move: int | More = More(question)
        while isinstance(move, More):
            answer = self._connection.ask({"play": move.question}, seconds, Reason.CRASH, turn)
            self.seconds = turn.spent(self._connection.arrived, exact=time_left.game is not None)
            try:
                check_time(self.seconds, allowed, self.margin, more=turn.while_suspended())
                move = meaning(self._dialogue, answer)
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
