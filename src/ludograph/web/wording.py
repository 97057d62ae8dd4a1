"""Sentences as pages show them: cells and moves instead of vertices and plies, names of players."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludograph.games.board_option import boards_called


def in_moves(sentence: str) -> str:
    """Return a sentence with moves in place of plies, where a number follows: a name stays.

    Where a sentence has the number of the move, too, that number stays.

    Examples
    --------
    >>> in_moves("line 3: ply 4 where ply 2 should be")
    'line 3: move 4 where move 2 should be'
    >>> in_moves("the record has plies 0 to 9")
    'the record has moves 0 to 9'
    >>> in_moves("ply.py: crash at ply 3")
    'ply.py: crash at move 3'
    >>> in_moves("bot.py (seat 1) forfeits: crash at ply 14 (move 7).")
    'bot.py (seat 1) forfeits: crash at move 7.'
    """
    said = re.sub(r"\bply \d+ \((move \d+)\)", r"\1", sentence)
    return re.sub(r"\bplies(?= \d)", "moves", re.sub(r"\bply(?= \d)", "move", said))


def in_cells(sentence: str) -> str:
    """Return a sentence with cells in place of vertices and moves in place of plies."""
    said = re.sub(r"\bvertices\b", "cells", re.sub(r"\bvertex\b", "cell", sentence))
    return in_moves(said)


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(seat: int) -> str:
    """Return the name of the player on a seat in a form.

    Examples
    --------
    >>> ordinal(1), ordinal(8)
    ('second', '9th')
    """
    return ORDINALS[seat] if seat < len(ORDINALS) else f"{seat + 1}th"


def for_people(sentence: str) -> str:
    """Return an error sentence on a form, with cells and with the form's names of players.

    Examples
    --------
    >>> for_people("seat 1 starts on vertex 24")
    'the second player starts on cell 24'
    """
    return re.sub(
        r"\bseat (\d+)\b", lambda found: f"the {ordinal(int(found[1]))} player", in_cells(sentence)
    )


def spoken(sentence: str, players: Sequence[str]) -> str:
    """Return a game's result for a page: with cells, and seat numbers only for equal names.

    Examples
    --------
    >>> spoken("greedy (seat 1) wins, 20 vertices to 16.", ["human", "greedy"])
    'greedy wins, 20 cells to 16.'
    >>> spoken("mcts (seat 1) wins.", ["mcts", "mcts"])
    'mcts (player 2) wins.'
    >>> spoken("bot.py (seat 1) forfeits: crash at ply 7.", ["greedy", "bot.py"])
    'bot.py forfeits: crash at move 7.'
    """
    said = in_cells(sentence)
    if len(set(players)) < len(players):
        return re.sub(r"\(seat (\d+)", lambda found: f"(player {int(found[1]) + 1}", said)
    return re.sub(r" \(seat \d+(?:, [^)]*)?\)", "", said)


def titled(title: str) -> str:
    """Return the title of games as a heading, with the names of boards in forms.

    Examples
    --------
    >>> titled("hex on hexagonal:5, seed 3")
    'Hex on 5 × 5 hexagons, seed 3'
    """
    said = boards_called(title)
    return said[:1].upper() + said[1:]
