"""Suspension of players that fail too often, by forfeits or by games without a result."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from math import log

from ludograph.arena.executor import Failure
from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.ladder.folder import State, write_state
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.submission import one_file_advice
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


SHARE = 4
"""A player is suspected if a fourth of its games are void. It is the cause only if this share is
four times that of others, and if each of these can be left out with a fourth of their results."""

FEWEST = 3
"""The least void games of a player that is suspected."""

EVIDENCE = 15.0
"""The least logarithm of the ratio of two likelihoods: of two shares of void games, one of the
player and one of others, and of one common share. Six void games of six reach it if 26 games of
others had results, and eleven of eleven if 11 had. exp(15) is three million."""

LATEST = 200
"""The latest games of a player that count."""

GAMES = 4000
"""The latest games of all players that are compared with those of a player."""


def _fit(results: int, voids: int) -> float:
    """Return the logarithm of the greatest likelihood of some games with one share of voids."""
    games = results + voids
    return sum(count * log(count / games) for count in (results, voids) if count)


class VoidGames:
    """The void games of players, and the players that are the cause.

    From a void game nobody can tell whether one of the players or the machine was the cause. So the
    share of a player's void games is compared with that among games of others at the same time. A
    machine that fails for any share of all games makes both alike. Several players may make games
    void at once: a void game says nothing about a player if a suspect sat in it, too, and no game
    of a suspect counts among the games of others. Earlier games tell who is a suspect, so this
    choice favors nobody.

    This cannot tell a player that is the cause from its opponent, if one opponent sits in half of
    its void games: two that always meet, or a player that makes only its games against one other
    void. It cannot tell it from a machine if games with results are mostly those of one other
    player, who may fill the machine so that all other games are void; several that do so together
    get others suspended. It does not see a player that makes less than a fourth of its games void.

    Parameters
    ----------
    built_in
        The built-in players, which are never the cause. Games of these alone show nothing, since
        they need no other process.
    """

    def __init__(self, built_in: Collection[str]) -> None:
        self._built_in = frozenset(built_in)
        self._own: defaultdict[str, deque[bool]] = defaultdict(lambda: deque(maxlen=LATEST))
        self._games: deque[tuple[frozenset[str], bool, frozenset[str]]] = deque(maxlen=GAMES)
        # Of each game of a player, whether it is void; of all games the players, and the suspects.

    @property
    def suspects(self) -> set[str]:
        """The players with many void games."""
        return set(filter(self._is_suspect, self._own))

    def _is_suspect(self, player: str) -> bool:
        own = self._own.get(player, ())
        return sum(own) >= max(FEWEST, len(own) / SHARE)

    def result(self, seating: Sequence[str]) -> None:
        """Count a game with a result."""
        self._add(frozenset(seating) - self._built_in, void=False)

    def void(self, seating: Sequence[str]) -> dict[str, str]:
        """Count a void game; return those of its players that are the cause of their void games.

        The values are sentences with the numbers. These players begin anew.
        """
        players = frozenset(seating) - self._built_in
        self._add(players, void=True)
        told = {player: self._blamed(player) for player in sorted(players)}
        causes = {player: numbers for player, numbers in told.items() if numbers}
        for player in causes:
            del self._own[player]
        return causes

    def _add(self, players: frozenset[str], *, void: bool) -> None:
        """Count a game of some players, without the built-in ones."""
        suspects = frozenset(filter(self._is_suspect, players))
        for player in players:
            if not (void and suspects - {player}):
                self._own[player].append(void)
        if players:
            self._games.append((players, void, suspects))

    def _blamed(self, player: str) -> str:
        """Return the numbers of a player that is the cause of its void games, or an empty text.

        It has more of them than others, by more than chance, and nobody else has. Games of others
        count from its own first one.
        """
        if not self._is_suspect(player):
            return ""
        own = self._own[player]
        places = [place for place, game in enumerate(self._games) if player in game[0]]
        since = islice(self._games, places[-len(own) :][0], None)
        opponents, witnesses, others = Counter[str](), Counter[str](), Counter[bool]()
        for players, void, suspects in since:
            if void and player in players and not suspects - {player}:
                opponents.update(players - {player})
            elif player not in players and not suspects:
                others[void] += 1
                witnesses.update(() if void else players)
        voids, results = sum(own), len(own) - sum(own)
        one_share = _fit(results + others[False], voids + others[True])
        two_shares = _fit(results, voids) + _fit(others[False], others[True])
        witness = max(witnesses.values(), default=0)
        if (
            2 * max(opponents.values(), default=0) < voids
            and SHARE * (others[False] - witness) >= others[False]
            and voids * others.total() >= SHARE * others[True] * len(own)
            and two_shares - one_share >= EVIDENCE
        ):
            return (
                f"{voids} of its {len(own)} games had no result, against several opponents, "
                f"and {others[True]} of {others.total()} games of others"
            )
        return ""

    def keep(self, players: Collection[str]) -> None:
        """Forget all other players."""
        for player in self._own.keys() - players:
            del self._own[player]


class OwnFaults:
    """Forfeits of players in their latest games.

    A game that a player did not forfeit counts only if an opponent played it to its end, too:
    otherwise two players that always fail would win by each other's forfeits.

    Parameters
    ----------
    patience
        This number of own forfeits in a row is too many. So are forfeits in three fourths of twice
        as many games.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._latest: dict[str, deque[str]] = {}  # reasons of forfeits; empty where there was none

    def add(
        self,
        seating: Sequence[str],
        forfeits: Sequence[str],
        players: Collection[str] | None = None,
    ) -> None:
        """Add a game, later than all before, for some of its players or for all.

        Parameters
        ----------
        forfeits
            The reasons of forfeits by seat, empty for a seat that did not forfeit.
        """
        sound = sum(not reason for reason in forfeits)
        for player, reason in zip(seating, forfeits, strict=True):
            if players is not None and player not in players:
                continue
            if reason or sound > 1:
                latest = self._latest.setdefault(player, deque(maxlen=2 * self._patience))
                latest.append(reason)

    def too_many(self, player: str) -> str:
        """Return how often a player has forfeited, if that is too often; else an empty text."""
        latest = list(self._latest.get(player, ()))
        row = 0
        for reason in reversed(latest):
            if not reason:
                break
            row += 1
        if row >= self._patience:
            return f"{row} forfeits in a row, {latest[-1]}"
        count = sum(map(bool, latest))
        if latest and latest[-1] and 4 * count >= 3 * 2 * self._patience:
            return f"forfeits in {count} of the latest {len(latest)} games, {latest[-1]}"
        return ""

    def forget(self, player: str) -> None:
        """Forget the games of a player."""
        self._latest.pop(player, None)

    def keep(self, players: Collection[str]) -> None:
        """Forget all other players."""
        self._latest = {one: latest for one, latest in self._latest.items() if one in players}
