"""The names of people in a match: valid names, all different."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from ludograph.arena.ladder.lookalikes import INVISIBLE, mixed_scripts, skeleton
from ludograph.errors import InvalidInput
from ludograph.web.positions.wording import ORDINALS

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
]

RESERVED = set(map(skeleton, OURS))
"""Folded names that the pages themselves use."""

NUMBERED = {skeleton("player"), skeleton("level")}
"""First words of folded names that the pages themselves use."""


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
    if folded(name) in RESERVED or folded(name).split()[0] in NUMBERED:
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
