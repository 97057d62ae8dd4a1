"""Sentences as pages show them: names of players, of seats and of boards."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludograph.games.board_option import boards_called

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(seat: int) -> str:
    """Return the name of the player on a seat in a form.

    Examples
    --------
    >>> ordinal(1), ordinal(8)
    ('second', '9th')
    """
    return ORDINALS[seat] if seat < len(ORDINALS) else f"{seat + 1}th"


def spoken(sentence: str, players: Sequence[str]) -> str:
    """Return a game's result for a page: with seat numbers only for equal names.

    Examples
    --------
    >>> spoken("greedy (seat 1, white) wins.", ["human", "greedy"])
    'greedy wins.'
    >>> spoken("mcts (seat 1) wins.", ["mcts", "mcts"])
    'mcts (player 2) wins.'
    """
    if len(set(players)) < len(players):
        return re.sub(r"\(seat (\d+)", lambda found: f"(player {int(found[1]) + 1}", sentence)
    return re.sub(r" \(seat \d+(?:, [^)]*)?\)", "", sentence)


def titled(title: str) -> str:
    """Return the title of games as a heading, with the names of boards in forms.

    Examples
    --------
    >>> titled("hex on hexagonal:5, seed 3")
    'Hex on 5 × 5 hexagons, seed 3'
    """
    said = boards_called(title)
    return said[:1].upper() + said[1:]
