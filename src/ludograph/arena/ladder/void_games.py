"""Void games of a ladder: whether one of the players or the machine is the cause."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import log

SHARE = 4
"""A player is suspected if a fourth of its games are void. It is the cause only if this share is
four times that of others, and if each of these can be left out with a fourth of their results."""

FEWEST = 3
"""The least void games of a player that is suspected."""

EVIDENCE = 15.0
"""The least logarithm of the ratio of two likelihoods: of two shares of void games, one of the
player and one of others, and of one common share. Six void games of six reach it if 26 games of
others had results, and eleven of eleven if 11 had. exp(15) is three million."""

LATEST = 100
"""After this number of its games all numbers of a player are halved: the latest count most."""


@dataclass(slots=True)
class Evidence:
    """The games that tell whether a player makes games void.

    Attributes
    ----------
    results, voids
        The numbers of its games with and without a result.
    opponents
        The numbers of these void games by opponent that is not built in.
    other_results, other_voids
        The numbers of games without it.
    witnesses
        The numbers of these results by player.
    """

    results: int = 0
    voids: int = 0
    opponents: Counter[str] = field(default_factory=Counter)
    other_results: int = 0
    other_voids: int = 0
    witnesses: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """The number of games of the player."""
        return self.results + self.voids

    @property
    def others(self) -> int:
        """The number of games of others."""
        return self.other_results + self.other_voids

    def add(self, opponents: Iterable[str], *, void: bool) -> None:
        """Count a game of the player."""
        if void:
            self.voids += 1
            self.opponents.update(opponents)
        else:
            self.results += 1
        if self.games >= LATEST:
            self._halve()

    def add_of_others(self, players: Iterable[str], *, void: bool) -> None:
        """Count a game of others."""
        if void:
            self.other_voids += 1
        else:
            self.other_results += 1
            self.witnesses.update(players)

    def _halve(self) -> None:
        self.results, self.voids = self.results // 2, self.voids // 2
        self.other_results, self.other_voids = self.other_results // 2, self.other_voids // 2
        for counts in (self.opponents, self.witnesses):
            for player in counts:
                counts[player] //= 2

    @property
    def is_suspect(self) -> bool:
        """Whether many of its games are void."""
        return self.voids >= max(FEWEST, self.games / SHARE)

    @property
    def blames_player(self) -> bool:
        """Whether it has more void games than others, by more than chance, and nobody else has."""
        opponent = max(self.opponents.values(), default=0)
        witness = max(self.witnesses.values(), default=0)
        one_share = _fit(self.results + self.other_results, self.voids + self.other_voids)
        two_shares = _fit(self.results, self.voids) + _fit(self.other_results, self.other_voids)
        return (
            self.is_suspect
            and 2 * opponent < self.voids
            and SHARE * (self.other_results - witness) >= self.other_results
            and self.voids * self.others >= SHARE * self.other_voids * self.games
            and two_shares - one_share >= EVIDENCE
        )

    def __str__(self) -> str:
        """Return the numbers in words."""
        return (
            f"{self.voids} of its {self.games} games had no result, against several opponents, "
            f"and {self.other_voids} of {self.others} games of others"
        )


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
        self._evidence: defaultdict[str, Evidence] = defaultdict(Evidence)

    @property
    def suspects(self) -> set[str]:
        """The players with many void games."""
        return {player for player, evidence in self._evidence.items() if evidence.is_suspect}

    def result(self, seating: Sequence[str]) -> None:
        """Count a game with a result."""
        self._add(frozenset(seating) - self._built_in, void=False)

    def void(self, seating: Sequence[str]) -> dict[str, str]:
        """Count a void game; return those of its players that are the cause of their void games.

        The values are sentences with the numbers. These players begin anew.
        """
        players = frozenset(seating) - self._built_in
        self._add(players, void=True)
        found = {one: self._evidence[one] for one in sorted(players)}
        causes = {one: str(evidence) for one, evidence in found.items() if evidence.blames_player}
        for player in causes:
            del self._evidence[player]
        return causes

    def _add(self, players: frozenset[str], *, void: bool) -> None:
        """Count a game of some players, without the built-in ones."""
        if not players:
            return
        suspects = self.suspects & players
        for player in players:
            others = players - {player}
            evidence = self._evidence[player]
            if not (void and suspects & others):
                evidence.add(others, void=void)
        if not suspects:
            for player in self._evidence.keys() - players:
                self._evidence[player].add_of_others(players, void=void)

    def keep(self, players: Collection[str]) -> None:
        """Forget all other players."""
        for player in self._evidence.keys() - players:
            del self._evidence[player]
