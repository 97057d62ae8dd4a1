"""Sentences as pages have them; ``static/words.js`` does the same for games under way."""

from __future__ import annotations

import re
from collections.abc import Sequence


def in_cells(sentence: str) -> str:
    """Return a sentence in which the vertices of a board are called cells, as games' pages do."""
    return re.sub(r"\bvertices\b", "cells", re.sub(r"\bvertex\b", "cell", sentence))


def spoken(sentence: str, players: Sequence[str]) -> str:
    """Return how a game ended: with cells, and no numbers of seats where names tell enough.

    Examples
    --------
    >>> spoken("greedy (seat 1) wins, 20 vertices to 16.", ["human", "greedy"])
    'greedy wins, 20 cells to 16.'
    >>> spoken("mcts (seat 1) wins.", ["mcts", "mcts"])
    'mcts (player 2) wins.'
    """
    said = in_cells(sentence)
    if len(set(players)) < len(players):
        return re.sub(r"\(seat (\d+)", lambda found: f"(player {int(found[1]) + 1}", said)
    return re.sub(r" \(seat \d+(?:, [^)]*)?\)", "", said)
