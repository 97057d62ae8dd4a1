"""Simulated games of players with known strengths, on starts that are fair or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ludograph.arena import GameKey

Game = tuple[int, tuple[str, ...], tuple[int, ...]]
"""A start, a seating, and ranks by seat."""

ELO = 400 / np.log(10)


class SimulatedPlayers:
    """Players that win by Davidson's model (two seats) or Plackett and Luce's (more, no ties).

    Parameters
    ----------
    elo
        By player.
    first_move
        The mean advantage of the first mover, in Elo.
    draws
        The share of draws among equal players.
    bias
        The standard deviation between starts of the first mover's advantage, in Elo.
    affinity
        The standard deviation between starts of a player's strength, in Elo.
    """

    def __init__(
        self,
        elo: dict[str, float],
        *,
        first_move: float = 0.0,
        draws: float = 0.0,
        bias: float = 0.0,
        affinity: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.strength = {player: value / ELO for player, value in elo.items()}
        self.first_move = first_move / ELO
        self.tie = 2 * draws / (1 - draws)
        self.bias, self.affinity = bias / ELO, affinity / ELO
        self.seed = seed
        self.random = np.random.default_rng(seed)
        self.place = {player: number for number, player in enumerate(elo)}
        self.starts: dict[int, np.ndarray] = {}

    def start(self, number: int) -> np.ndarray:
        """Return the advantage of the first mover on a start, then that of each player."""
        if number not in self.starts:
            drawn = np.random.default_rng((self.seed, number)).normal(size=1 + len(self.place))
            drawn[0] = self.first_move + self.bias * drawn[0]
            drawn[1:] *= self.affinity
            self.starts[number] = drawn
        return self.starts[number]

    def play(self, keys: Iterable[GameKey]) -> list[Game]:
        """Return the results of games."""
        return [self._game(key) for key in keys]

    def _game(self, key: GameKey) -> Game:
        start = self.start(key.start)
        strengths = [
            self.strength[player] + float(start[1 + self.place[player]]) for player in key.seating
        ]
        strengths[0] += float(start[0])
        if len(strengths) > 2:
            order = np.argsort(-(np.array(strengths) + self.random.gumbel(size=len(strengths))))
            ranks = np.empty(len(strengths), int)
            ranks[order] = np.arange(1, len(strengths) + 1)
            return *key, tuple(map(int, ranks))
        win, lose = (
            np.exp((strengths[0] - strengths[1]) / 2),
            np.exp((strengths[1] - strengths[0]) / 2),
        )
        drawn = self.random.random() * (win + lose + self.tie)
        ranks = (1, 2) if drawn < win else (2, 1) if drawn < win + lose else (1, 1)
        return *key, ranks


def named(elo: Sequence[float]) -> dict[str, float]:
    """Return players with names in the order of their numbers."""
    return {f"player{number:03d}": float(value) for number, value in enumerate(elo)}
