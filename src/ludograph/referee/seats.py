"""The players of one match by seat: made, started, asked for their thoughts, and ended.

Only the calls to ``start``, ``thoughts`` and ``finish`` run a player's code here, each in a ``try``
of its own: an exception from anywhere else is not blamed on a player. A player's fault is returned,
and the referee judges it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from ludograph.games import Outcome, Position
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.analysis_info_validation import InvalidAnalysisInfo, validated
from ludograph.hosting.direct_player import DirectPlayer
from ludograph.hosting.foreign_player import ForeignPlayer
from ludograph.hosting.player_kernels import rehearse
from ludograph.players import Player, PlayerFault, PlayerSpec, Reason
from ludograph.players.forfeit import raised
from ludograph.players.human import HumanPlayer
from ludograph.players.protocol import Playing, own_copy, thoughts_of
from ludograph.referee.options import MatchObserver, MatchOptions
from ludograph.referee.player_factory import labels, make_player
from ludograph.referee.result import Usage
from ludograph.referee.seed import player_seed
from ludograph.referee.sentences import shown_name


class Seats:
    """The players of a match.

    Attributes
    ----------
    names
        The names shown for the players; a player's own name is added when it has started.
    players
        By seat; None before a player has started and after it has dropped out.
    foreign
        The players in processes of their own, also those that have dropped out.
    """

    def __init__(
        self,
        specs: Sequence[PlayerSpec | Playing],
        options: MatchOptions,
        observer: MatchObserver,
        opening: Sequence[int],
        why_kept: Callable[[int], str],
    ) -> None:
        self.specs = specs
        self.options, self.observer, self.opening = options, observer, opening
        self.why_kept = why_kept
        self.seeds = [player_seed(options.seed, seat) for seat in range(len(specs))]
        self.names = labels(specs)
        self.players: list[Player | None] = [None] * len(specs)
        self.foreign: dict[int, ForeignPlayer] = {}

    def __getitem__(self, seat: int) -> Player:
        """Return the player of a seat; the seat must have one."""
        player = self.players[seat]
        assert player is not None
        return player

    def playing(self) -> Iterator[tuple[int, Player]]:
        """Yield the seats that have a player now, with the player."""
        for seat, player in enumerate(self.players):
            if player is not None:
                yield seat, player

    def start(self, position: Position) -> dict[int, PlayerFault]:
        """Make and start all players, those in processes of their own side by side.

        Returns
        -------
        failed
            By seat, the fault of each player that could not start.
        """
        failed: dict[int, PlayerFault] = {}
        self._rehearse(position)
        for seat in range(len(self.specs)):
            try:
                player = self.make(seat, position)
            except PlayerFault as fault:
                failed[seat] = fault
                continue
            if isinstance(player, ForeignPlayer | DirectPlayer):
                player.opening = [*position.history, *self.opening]
            if isinstance(player, ForeignPlayer):
                self._launch(seat, player, position)
        # Those in this process start first: meanwhile no other one has the game to think about.
        results = {
            seat: self.begin(seat, player, position)
            for seat, player in self.playing()
            if not isinstance(player, ForeignPlayer)
        }
        failed |= self._hand_over(position)
        starting = {seat: one for seat, one in self.foreign.items() if seat not in failed}
        for seat in list(starting):
            results[seat] = self._await(seat, starting.pop(seat), starting.values())
        failed |= {seat: fault for seat, fault in results.items() if fault is not None}
        for seat in failed:
            self.players[seat] = None
        return failed

    def _rehearse(self, position: Position) -> None:
        """Let players with kernels of their own compile them before any clock runs."""
        for seat, spec in enumerate(self.specs):
            if isinstance(spec, PlayerSpec):
                rehearse(spec, start_of(position), seat, self.options.isolation)

    def make(self, seat: int, position: Position) -> Player:
        """Put a fresh player on a seat."""
        front, isolation = self.observer.front, self.options.isolation
        seats, seed = len(self.specs), self.seeds[seat]
        player = make_player(self.specs[seat], position.game, seats, seed, front, isolation)
        if isinstance(player, HumanPlayer):
            player.kept = self.why_kept
        self.players[seat] = player
        return player

    def _launch(self, seat: int, player: ForeignPlayer, position: Position) -> None:
        self.foreign[seat] = player
        player.tells = self.options.thoughts
        player.start_seconds = self.options.start_seconds
        if self.observer.on_output is not None:
            player.host.listener = partial(self.observer.on_output, seat)
        player.host.launch(position.game)

    def _hand_over(self, now: Position) -> dict[int, PlayerFault]:
        """Hand the game over to players in processes of their own, from its start.

        Players that join a running game get its moves later, like those of an opening.
        """
        start = start_of(now)
        failed = {}
        for foreign in self.foreign.values():
            foreign.host.await_host()  # so that no start clock runs while another host starts
        for seat, foreign in self.foreign.items():
            try:
                foreign.begin(start, seat)
            except PlayerFault as fault:
                failed[seat] = fault
        return failed

    def _await(
        self, seat: int, player: ForeignPlayer, others: Iterable[ForeignPlayer]
    ) -> PlayerFault | None:
        """Wait until a player in a process of its own has started; return its fault, if any."""
        try:
            player.await_start(others)
        except PlayerFault as fault:
            return fault
        self.names[seat] = shown_name(self.names[seat], player.name)
        return None

    def begin(self, seat: int, player: Player, position: Position) -> PlayerFault | None:
        """Start a player in this process; return its fault, if any."""
        own = isinstance(self.specs[seat], PlayerSpec)
        position = position.copy() if own else own_copy(position)
        return self._wrong(partial(player.start, position, seat), Reason.NO_START)

    def _wrong(self, call: Callable[[], Any], otherwise: Reason) -> PlayerFault | None:
        """Call a player's own code; return its fault, if any."""
        try:
            call()
        except PlayerFault as fault:
            return fault
        except (Exception, SystemExit) as error:  # a player's own code
            if self.options.raise_faults:
                raise
            return raised(error, otherwise)
        return None

    def thoughts(self, seat: int, before: Position) -> AnalysisInfo | str | None:
        """Ask a player for its thoughts on the move that it has just made; no clock runs.

        Parameters
        ----------
        before
            The board on which it chose.

        Returns
        -------
        thoughts
            None without any; a sentence about what is wrong if they are unsound.
        """
        player = self[seat]
        try:
            given = player.thoughts() if isinstance(player, ForeignPlayer) else thoughts_of(player)
            return None if given is None else validated(given, before)
        except (InvalidAnalysisInfo, PlayerFault) as error:
            return str(error)
        except (Exception, SystemExit) as error:  # a player's own code
            if self.options.raise_faults:
                raise
            return raised(error, Reason.CRASH).message

    def finish(self, seat: int, outcome: Outcome | None, *, last: bool) -> PlayerFault | None:
        """End a player; return its fault, if any.

        Parameters
        ----------
        last
            Whether the game is over: then the end of the player's process is not awaited yet.
        """
        player = self[seat]
        leave = player.part if last and isinstance(player, ForeignPlayer) else player.finish
        return self._wrong(partial(leave, outcome), Reason.CRASH)

    def kill(self) -> None:
        """End all processes of players."""
        with ExitStack() as stack:
            for player in self.foreign.values():
                stack.callback(player.kill)

    def leave(self) -> None:
        """Forget all players, so that the memory of their searches is freed at once."""
        self.players = [None] * len(self.specs)

    def logs(self) -> dict[int, str]:
        """Return the output of players in processes of their own, by seat."""
        return {seat: log for seat, player in self.foreign.items() if (log := player.host.log())}

    def starts(self) -> dict[int, float]:
        """Return the seconds that the starts of players in processes of their own have taken."""
        return {seat: player.started_after for seat, player in self.foreign.items()}

    def usage(self) -> dict[int, Usage]:
        """Return the CPU time and memory of players in processes of their own, after their end."""
        return {
            seat: Usage(str(host.level), host.report.seconds, host.report.most)
            for seat, player in self.foreign.items()
            if (host := player.host).report is not None and host.level is not None
        }


def start_of(now: Position) -> Position:
    """Return the start of the game of a position."""
    start = now.copy()
    if now.history:
        start.state = Position(now.game, now.board, now.setup).state
    return start
