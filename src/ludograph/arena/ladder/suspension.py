"""Suspension of players that fail too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ludograph.arena.executor import Failure
from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.pairing import OwnFaults
from ludograph.arena.ladder.state import State, write_state
from ludograph.arena.ladder.submission import one_file_advice
from ludograph.arena.ladder.void_games import VoidGames
from ludograph.arena.results import Results
from ludograph.errors import HostFailure
from ludograph.formatting import one_line
from ludograph.players import Reason

VOID_LIMIT = 30
"""After this number of games in a row without a result, the machine is considered faulty."""

VOIDS_OF_ONE = 6
"""A player is suspended after this number of its games in a row that cannot begin."""


class Suspensions:
    """Counts the faults of active players, and suspends players with too many.

    Parameters
    ----------
    say
        Called with a line for each player that is suspended.

    Attributes
    ----------
    void_run
        The number of games in a row without a result.
    """

    def __init__(self, ladder: Ladder, state: State, say: Callable[[str], None]) -> None:
        self.ladder, self.state, self._say = ladder, state, say
        self._faults = OwnFaults(ladder.patience)
        self._voids: Counter[str] = Counter()
        self._void_games = VoidGames(ladder.built_in)
        self.void_run = 0

    def remember(self, games: Results) -> None:
        """Count games of earlier runs for players whose version has not changed since then."""
        joined = {one.label: one.joined for one in self.state.entrants}
        columns = (games.numbers.tolist(), games.seatings, games.forfeits.tolist())
        for number, seating, forfeits in zip(*columns, strict=True):
            reasons = [games.reasons[forfeit] for forfeit in forfeits]
            since = {one for one in seating if number > joined.get(one, 0)}
            self._faults.add(seating, reasons, since)

    def change(self, before: set[str], active: set[str]) -> None:
        """Forget the faults of players that have come or left."""
        for label in active - before:
            self._faults.forget(label)
        self._voids = Counter({one: self._voids[one] for one in active & before})
        self._void_games.keep(active & before)
        self._faults.keep(active)

    def ended(self, game: FinishedGame) -> None:
        """Count a game with a result; suspend players that did not start or forfeit too often.

        A player that fails to start would fail again, and may take its whole start clock each time.
        """
        if not self.ladder.built_in.issuperset(game.key.seating):  # these need no other process
            self.void_run = 0
        self._void_games.result(game.key.seating)
        for label in game.key.seating:
            self._voids.pop(label, None)
        self._faults.add(game.key.seating, game.forfeits)
        for seat in game.seats:
            reason = self._faults.too_many(seat.player)
            if seat.forfeit == Reason.NO_START:
                reason = "it did not start"
            if reason and seat.player not in self.ladder.built_in:
                self._suspend(seat.player, reason, seat.message)

    def void(self, key: GameKey, error: Failure) -> bool:
        """Count a game without a result; return whether it is to be played again.

        Parameters
        ----------
        error
            A failure of the machine, or that it cannot run one of the players.

        Raises
        ------
        HostFailure
            If 30 games in a row had no result.
        """
        self.void_run += 1
        is_void = isinstance(error, HostFailure)
        if is_void:
            for label, numbers in self._void_games.void(key.seating).items():
                self._suspend(label, numbers, str(error))
        if self.void_run >= VOID_LIMIT:
            raise HostFailure(f"{VOID_LIMIT} games in a row had no result: {error}")
        if is_void:
            return True
        for label in key.seating:
            self._voids[label] += 1
            if self._voids[label] >= VOIDS_OF_ONE and label not in self.ladder.built_in:
                self._suspend(label, "cannot be played here", str(error))
        return False

    @property
    def suspects(self) -> set[str]:
        """The players that may be the cause of their void games."""
        return self._void_games.suspects

    def _suspend(self, label: str, reason: str, detail: str | None) -> None:
        """Suspend a version, until its file is replaced, or taken out and put in again.

        Parameters
        ----------
        reason
            For everybody.
        detail
            For the author and operators: a message that may quote the player.
        """
        entrant = next((one for one in self.state.entrants if one.label == label), None)
        if entrant is None or label in self.state.suspended:
            return
        self.state.suspended[label] = reason
        folder = self.ladder.folder
        write_state(folder, self.state)
        name = one_line(entrant.name)
        told = one_line(": ".join(filter(None, [reason, detail])), 200)
        self._say(f"{name} is suspended: {told}")
        lines = [f"{name}, version {entrant.version[:8]}, is suspended: {told}\n"]
        lines += filter(None, [one_file_advice(told)])
        lines += ["Replace its file with a corrected one, and it plays again.\n"]
        folder.write_report(entrant.name, "\n".join(lines))
