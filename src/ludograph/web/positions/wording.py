"""Names and sentences on pages: of players, people, seats and boards, and which names are valid."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from ludograph.arena.ladder.lookalikes import INVISIBLE, mixed_scripts, skeleton
from ludograph.errors import InvalidInput
from ludograph.games.board_option import boards_called
from ludograph.players.spec import HUMAN
from ludograph.web.games.opponent_levels import LEVELS

PERSON = "a person"

WITH_OPTIONS = re.compile(r"([a-z][a-z0-9_-]*):[a-z_]+=.*")
"""A strategy with its options, as on the command line."""


def level_called(number: int) -> str:
    """Return the name on pages of a player that was chosen as a level, numbered from 1."""
    return f"{LEVELS[min(number, len(LEVELS)) - 1].capitalize()} bot"


def display_names(
    names: Sequence[str], levels: Sequence[int] = (), people: Sequence[str] = ()
) -> list[str]:
    """Return the names of the players of a game on pages.

    A player that was chosen as a level has its name, as in ``Easy bot``; one that was chosen by its
    name keeps this name. A strategy has no options in its name, unless another one in this game
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
    ['mcts (time 0.5)', 'mcts (time 2)']
    >>> display_names(["random", "random"], [1, 0])
    ['Easy bot', 'random']
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
    is_alone = all(_bare(other) != bare or other == name for other in names)
    return bare if is_alone else worded(name)


def _bare(name: str) -> str:
    found = WITH_OPTIONS.fullmatch(name)
    return found[1] if found else name


def worded(name: str) -> str:
    """Return the name of a strategy with its options as people write them.

    Examples
    --------
    >>> worded("mcts:sims=100,network=off"), worded("bot.py:depth=3")
    ('mcts (sims 100, network off)', 'bot.py:depth=3')
    """
    bare = _bare(name)
    options = name[len(bare) + 1 :].replace("=", " ").replace(",", ", ")
    return f"{bare} ({options})" if options else name


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


LONGEST = 24
"""Characters of a name."""

LETTERS = ("L", "N")
MARKS = "M"
BETWEEN = " .'’-_"
"""The characters allowed between letters."""

BETWEEN_WORDS = re.compile(rf"[{re.escape(BETWEEN)}]+")

OURS = [
    *("you", "human", "nobody", "everybody"),
    *(f"{one} {who}" for one in ("a", "another", "the other") for who in ("person", "player")),
    *(f"{ordinal} player" for ordinal in ORDINALS),
    *(f"{level} bot" for level in LEVELS),
]

RESERVED = set(map(skeleton, OURS))
"""Folded names that the pages themselves use."""

NUMBERED = skeleton("player")
"""The first word of folded names that the pages themselves use."""


def checked_name(text: str) -> str:
    """Return a name as pages show it: normalized, with single spaces; empty for no name.

    Characters that are not drawn are left out.

    Raises
    ------
    InvalidInput
        If it is too long, if it has other characters than letters, digits and those allowed between
        them, or a word with letters of several scripts, or if the pages use the name.

    Examples
    --------
    >>> checked_name("  Ann   Lee ")
    'Ann Lee'
    """
    visible = INVISIBLE.sub("", text[: 8 * LONGEST])
    name = " ".join(unicodedata.normalize("NFKC", visible).split())
    if not name:
        return ""
    if len(name) > LONGEST:
        raise InvalidInput(f"a name has {LONGEST} characters at most")
    kinds = [unicodedata.category(each)[0] for each in name]
    is_word = all(
        kind in (*LETTERS, MARKS) or each in BETWEEN for kind, each in zip(kinds, name, strict=True)
    )
    if not is_word or kinds[0] not in LETTERS or re.search(r"[MZP]{3}", "".join(kinds)):
        raise InvalidInput("a name has letters, digits, spaces and .'-_, and begins with a letter")
    if scripts := mixed_scripts(BETWEEN_WORDS.split(name)):
        listed = " and ".join(scripts)
        raise InvalidInput(f"a word of a name has letters of one script, not of {listed}")
    if folded(name) in RESERVED or folded(name).split()[0] == NUMBERED:
        raise InvalidInput(f"{name} cannot be the name of a person here")
    return name


def folded(name: str) -> str:
    """Return the folded form of a name: names that look the same have the same one."""
    return BETWEEN_WORDS.sub(" ", skeleton(name)).strip()


def unique(name: str, others: Collection[str]) -> str:
    """Return a name, followed by a number if one of the others is or looks the same.

    Examples
    --------
    >>> unique("Ann", ["Bob", "ANN"])
    'Ann 2'
    >>> unique("Анна", ["Eve", "Ahha"])
    'Анна 2'
    """
    taken = {folded(other) for other in others if other}
    number, found = 1, name
    while folded(found) in taken:
        number += 1
        found = f"{name[: LONGEST - len(str(number)) - 1].rstrip()} {number}"
    return found
