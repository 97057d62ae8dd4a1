"""Void games of a ladder: whether one of the players or the machine is the cause."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Sequence
from itertools import islice
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
