"""Void games of a ladder: whether one of the players or the machine is the cause."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

VOIDS_IN_A_ROW = 3
"""After this number of its games in a row without a result, a player is tested."""

TESTS = 4
"""The void games against built-in players after which a player is suspended."""

RESULTS = 3
"""The results of others before each of these games, which show that the machine is sound."""

SOUND = 7
"""The machine is sound if games of others have this number of results for each void game."""

MOST_VOID = 12
"""After this number of void games of others a test ends without suspicion."""


MANY_VOID = 12
"""The least void games of a player from which their share tells something."""

SHARE = 4
"""The player is the cause if a fourth of its games are void, and four times the share of others."""

EVEN = 2
"""If one opponent sat in half of the void games or more, that one could be the cause."""

LATEST = 200
"""After this number of its games all numbers of a player are halved: the latest count most."""


@dataclass(slots=True)
class Share:
    """The void games among all games of a player, and among those of others meanwhile.

    Attributes
    ----------
    games, voids
        The numbers of its games, and of those without a result.
    opponents
        The numbers of its void games by opponent.
    others, others_void
        The numbers of games without it.
    """

    games: int = 0
    voids: int = 0
    opponents: Counter[str] = field(default_factory=Counter)
    others: int = 0
    others_void: int = 0

    def add(self, others: Iterable[str], *, void: bool) -> None:
        """Count a game of the player against others."""
        self.games += 1
        self.voids += void
        if void:
            self.opponents.update(others)
        if self.games >= LATEST:
            self.games, self.voids = self.games // 2, self.voids // 2
            self.others, self.others_void = self.others // 2, self.others_void // 2
            self.opponents = Counter({one: count // 2 for one, count in self.opponents.items()})

    @property
    def blames_player(self) -> bool:
        """Whether it has too many void games, against too many opponents, for a coincidence."""
        return (
            self.voids >= MANY_VOID
            and self.voids * SHARE >= self.games
            and max(self.opponents.values()) * EVEN < self.voids
            and self.others >= self.games
            and self.voids * self.others >= SHARE * self.others_void * self.games
        )

    def __str__(self) -> str:
        """Return the numbers in words."""
        return (
            f"{self.voids} of its {self.games} games had no result, against several opponents, "
            f"and {self.others_void} of {self.others} games of others"
        )


@dataclass(slots=True)
class Trial:
    """The games since a player is tested.

    Attributes
    ----------
    tests
        Its void games against built-in players, each after results of different others.
    since
        The number of games of others with a result since its last one against built-in players.
    witness
        The players that sat in all games with a result since the last test that counted.
    results, voids
        The numbers of all games of others, with and without a result.
    """

    tests: int = 0
    since: int = 0
    witness: frozenset[str] | None = None
    results: int = 0
    voids: int = 0

    @property
    def is_due(self) -> bool:
        """Whether there are enough results for another test."""
        return self.since >= RESULTS

    def add_result(self, players: frozenset[str]) -> None:
        """Count a game of others with a result."""
        self.results += 1
        self.since += 1
        self.witness = players if self.witness is None else self.witness & players

    def fail(self) -> None:
        """Count a void test.

        If one player sat in all games with a result since the last test, then that player may be
        the cause: it may fill the machine so that no other game can be played.
        """
        if self.is_due and not self.witness:
            self.tests += 1
            self.witness = None
        self.since = 0

    @property
    def is_over(self) -> bool:
        """Whether there are enough games to judge."""
        return self.tests >= TESTS or self.voids >= MOST_VOID

    @property
    def blames_player(self) -> bool:
        """Whether the machine is sound, and so the player is the cause."""
        return self.tests >= TESTS and self.results >= SOUND * self.voids


class VoidGames:
    """The void games of players, and the players that are the cause.

    From a void game nobody can tell whether one of the players or the machine was the cause. So a
    player with some void games in a row is tested: it plays only against built-in players, which
    are never the cause, until a game has a result. If these games are void, too, while games of
    different others have results in between, the player is the cause.

    A player that makes only some games void, those that it would lose, passes these tests. So the
    share of its void games is compared with that of others, too.

    Parameters
    ----------
    built_in
        The built-in players. Games of these alone show nothing, since they need no other process.
    """

    def __init__(self, built_in: Collection[str]) -> None:
        self._built_in = frozenset(built_in)
        self._rows: Counter[str] = Counter()  # void games since the last result
        self._trials: dict[str, Trial] = {}
        self._shares: defaultdict[str, Share] = defaultdict(Share)

    @property
    def tested(self) -> set[str]:
        """The players that are tested."""
        return set(self._trials)

    def is_due(self, player: str) -> bool:
        """Tell whether a tested player should play its next test."""
        return self._trials[player].is_due

    def result(self, seating: Sequence[str]) -> set[str]:
        """Count a game with a result; return players that are the cause of their void games."""
        players = frozenset(seating) - self._built_in
        self._add(frozenset(seating), players, void=False)
        for player in players:
            self._rows.pop(player, None)
            self._trials.pop(player, None)
        if players:
            for trial in self._trials.values():
                trial.add_result(players)
        return self._judge()

    def void(self, seating: Sequence[str]) -> set[str]:
        """Count a void game; return players that are the cause of their void games."""
        players = frozenset(seating) - self._built_in
        self._add(frozenset(seating), players, void=True)
        if not players & self.tested:
            for trial in self._trials.values():
                trial.voids += 1
        for player in players:
            self._rows[player] += 1
            if player in self._trials:
                if players == {player}:
                    self._trials[player].fail()
            elif self._rows[player] >= VOIDS_IN_A_ROW:
                self._trials[player] = Trial()
        return self._judge()

    def _add(self, seating: frozenset[str], players: frozenset[str], *, void: bool) -> None:
        """Count a game for the shares of void games."""
        for player in players:
            self._shares[player].add(seating - {player}, void=void)
        if players:
            for player, share in self._shares.items():
                if player not in players:
                    share.others += 1
                    share.others_void += void

    def too_many(self) -> dict[str, str]:
        """Return the players with too large a share of void games, with these numbers in words."""
        found = {player: str(one) for player, one in self._shares.items() if one.blames_player}
        for player in found:
            del self._shares[player]
        return found

    def _judge(self) -> set[str]:
        """End the tests with enough games; return the players that are to blame."""
        ended = {one: trial for one, trial in self._trials.items() if trial.is_over}
        for player in ended:
            del self._trials[player], self._rows[player]
        return {player for player, trial in ended.items() if trial.blames_player}

    def keep(self, players: Iterable[str]) -> None:
        """Forget all other players."""
        known = set(players)
        self._rows = Counter({one: row for one, row in self._rows.items() if one in known})
        self._trials = {one: trial for one, trial in self._trials.items() if one in known}
        for player in self._shares.keys() - known:
            del self._shares[player]
