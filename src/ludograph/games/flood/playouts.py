"""Playouts of Flood for searches: random games in which colors with more gain are more likely."""

from __future__ import annotations

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.zones import gains_at, legal_colors
from ludograph.rules import (
    OVER,
    TURN,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    implements,
    random_below,
)


@implements(contract.playout, FloodSetup)
def flood_playout(setup: FloodSetup, state: State, rng: Rng, out: Scores) -> None:
    # Random passes would end undecided games, so a playout passes only if no color is legal. The
    # probability of a color grows with its gain: this is closer to real play at the same cost.
    while state[TURN] != OVER:
        contract.play(setup, state, weighted_color(setup, state, rng))
    contract.scores(setup, state, out)


@compiled
def weighted_color(setup: FloodSetup, state: State, rng: Rng) -> int:
    """Return a random legal color, with probability proportional to its gain plus 1, or the pass.

    The pass is returned only if no color is legal.
    """
    colors = legal_colors(setup, state)
    gains = gains_at(setup, state[TURN])
    total = 0
    for color in range(setup.color_count):
        if (colors >> color) & 1:
            total += state[gains + color] + 1
    if total == 0:
        return setup.color_count
    rest = random_below(rng, total)
    for color in range(setup.color_count):
        if (colors >> color) & 1:
            rest -= state[gains + color] + 1
            if rest < 0:
                return color
    return setup.color_count
