"""Names and sentences as pages show them: of players, of seats and of boards."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludograph.games.board_option import boards_called
from ludograph.players.spec import HUMAN

PERSON = "a person"

WITH_OPTIONS = re.compile(r"([a-z][a-z0-9_-]*):[a-z_]+=.*")
"""A strategy with its options, as on the command line."""


def level_called(number: int) -> str:
    """Return the name on pages of a player that was chosen as a level."""
    return f"Level {number}"


def display_names(
    names: Sequence[str], levels: Sequence[int] = (), people: Sequence[str] = ()
) -> list[str]:
    """Return the names of the players of a game on pages.

    A player that was chosen as a level has its number, as in ``Level 4``; one that was chosen by
    its name keeps this name. A strategy has no options in its name, unless another one in this game
    differs from it only by options. A person has the name that the person has entered.

    Parameters
    ----------
    names
        The names in records and sentences, by seat.
    levels
        By seat, the number of the player's level; 0 if it was not chosen as a level.
    people
        By seat, the name of the person; empty if unknown.

    Examples
    --------
    >>> display_names(["mcts:time=0.5", "human", "human"], people=["", "Ann", ""])
    ['mcts', 'Ann', 'a person']
    >>> display_names(["mcts:time=0.5", "mcts:time=2"])
    ['mcts:time=0.5', 'mcts:time=2']
    >>> display_names(["random", "random"], [1, 0])
    ['Level 1', 'random']
    """
    shown = []
    for seat, name in enumerate(names):
        level = levels[seat] if seat < len(levels) else 0
        if name == HUMAN:
            shown.append((people[seat] if seat < len(people) else "") or PERSON)
        elif level:
            shown.append(level_called(level))
        else:
            shown.append(_short(name, names))
    return shown


def _short(name: str, names: Sequence[str]) -> str:
    """Return a name without options if no other name differs from it only by options."""
    bare = _bare(name)
    return name if any(_bare(other) == bare and other != name for other in names) else bare


def _bare(name: str) -> str:
    found = WITH_OPTIONS.fullmatch(name)
    return found[1] if found else name


def named(sentence: str, names: Sequence[str], shown: Sequence[str]) -> str:
    """Return a sentence of a record with the players' names on pages.

    Examples
    --------
    >>> named("human (seat 0, black) wins.", ["human", "random"], ["Ann", "random"])
    'Ann wins.'
    >>> named("mcts (seat 1) wins.", ["mcts", "mcts"], ["mcts", "mcts"])
    'mcts (player 2) wins.'
    """
    for seat, (name, show) in enumerate(zip(names, shown, strict=True)):
        which = f"{show} (player {seat + 1})" if list(shown).count(show) > 1 else show
        place = re.escape(f"{name} (seat {seat}") + r"(, [^)]*)?\)"
        sentence = re.sub(place, which.replace("\\", r"\\"), sentence)
    return sentence[:1].upper() + sentence[1:] if sentence.startswith(PERSON) else sentence


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
