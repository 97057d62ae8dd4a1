"""Names that look alike, with which somebody could pose as another person, and sources alike.

The rules follow Unicode's security mechanisms (UTS #39): some characters are not drawn, a word has
letters of one script, and names with the same skeleton look the same. The table is not Unicode's:
it has the Latin, Cyrillic, Greek and Japanese letters that most fonts draw alike.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that are not drawn."""

EAST_ASIAN = {"BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA"}
"""The scripts that one word mixes, with Latin letters too."""

ALL_SCRIPTS = {"COMBINING", "DIGIT", "MODIFIER"}
"""The first words in the names of characters that belong to no script."""

ALIKE = (
    ("iIı|10ɑɡɩɪɴʀʏʟȷƖǀꞮ", "llllloagllnryljlll"),
    ("ᴀʙᴄᴅᴇꜰɢʜᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢ", "abcdefghjkmopstuvwz"),
    ("АВЕЅІЈКМНОРСТУХҮԌԚԜӀ", "ABESlJKMHOPCTYXYGQWl"),
    ("авеѕіјкмнорстухүԁԍһԛԝӏгѵ", "abesljkmhopctyxydghqwlrv"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳϲ", "ABEZHlKMNOPTYXCjc"),
    ("αγηικνορτυχωβμ", "aynlkvoptuxwbu"),
    ("カロエニトハタヘベペリー", "力口工二卜八夕へべぺり一"),
    ("ʹʻʼʽˈʾʿ׳ꞌ", "'''''''''"),
)
"""Letters, and beside each the one that looks the same and stands for both in a skeleton."""

STANDS_FOR = str.maketrans("".join(olds for olds, _ in ALIKE), "".join(new for _, new in ALIKE))


def look_alike(name: str, other: str) -> bool:
    """Tell whether two names look the same; names of ASCII letters only if the case differs.

    Examples
    --------
    >>> look_alike("Anna.py", "anna.py"), look_alike("l.py", "I.py"), look_alike("аnn", "Ann")
    (True, False, True)
    """
    if name.isascii() and other.isascii():
        return name.lower() == other.lower()
    return skeleton(name) == skeleton(other)


@lru_cache(1 << 12)
def skeleton(name: str) -> str:
    """Return the skeleton of a name: names that look the same have the same one.

    Examples
    --------
    >>> skeleton("Ian") == skeleton("lan") == skeleton("1аn")
    True
    >>> skeleton("Ρ1ауег"), skeleton("Ａnn"), skeleton("Žofie")
    ('player', 'ann', 'žofle')
    """
    usual = unicodedata.normalize("NFKC", INVISIBLE.sub("", name))
    letters = unicodedata.normalize("NFD", usual).translate(STANDS_FOR).casefold()
    return unicodedata.normalize("NFC", letters).replace("rn", "m").replace("vv", "w")


def mixed_scripts(words: Sequence[str]) -> list[str]:
    """Return the scripts of the first word of several ones; empty if there is none.

    A word of digits counts as one of several scripts if no letter has their script.

    Examples
    --------
    >>> mixed_scripts(["Аnn", "Lee"])
    ['Cyrillic', 'Latin']
    >>> mixed_scripts(["Анна", "Lee"]), mixed_scripts(["T恤", "のり"])
    ([], [])
    """
    letters = {script_of(letter) for word in words for letter in word if letter.isalpha()} - {""}
    for word in words:
        scripts = {script_of(letter) for letter in word} - {""}
        if letters and not scripts <= letters:
            return sorted(scripts | letters)
        if len(scripts) > 1 and scripts != {"East Asian", "Latin"}:
            return sorted(scripts)
    return []


def script_of(letter: str) -> str:
    """Return the script of a letter, mark or digit; an empty text if it belongs to none."""
    words = re.split("[ -]", unicodedata.name(letter, "").removeprefix("EXTENDED "))
    if words[0] in EAST_ASIAN:
        return "East Asian"
    return "" if words[0] in ALL_SCRIPTS else words[0].capitalize()


COMMENTS = {".py": r"\#[^\n]*", ".c": r"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"}

TOKEN = r"""
    (?P<comment>{})
    |(?P<text>
        "{{3}}(?:[^\\"]|\\.|"(?!""))*+(?:"{{3}})?
        |'{{3}}(?:[^\\']|\\.|'(?!''))*+(?:'{{3}})?
        |"(?:[^\\"\n]|\\.)*+"?
        |'(?:[^\\'\n]|\\.)*+'?
    )
    |(?P<name>[^\W\d]\w*+)
    |\d\w*+
    |\S
"""
"""A token of a source; what is begun and not ended goes on to the end, so that time is linear."""

TOKENS = {
    suffix: re.compile(TOKEN.format(comment), re.DOTALL | re.VERBOSE)
    for suffix, comment in COMMENTS.items()
}

SOURCE_LIMIT = 1 << 18
"""The most bytes of a source that is compared with others."""


def source_form(name: str, data: bytes) -> str:
    """Return a digest of a source, equal for sources that differ in blanks, comments, names, texts.

    It is empty for libraries and programs, and for very long sources.

    Examples
    --------
    >>> first = source_form("a.py", b"def best(x):\\n    return x + 'a'  # mine\\n")
    >>> first == source_form("b.py", b'def top(move): return move+"b"')
    True
    >>> first == source_form("c.py", b"def best(x):\\n    return y + 'a'\\n")
    False
    """
    tokens = TOKENS.get(name[name.rfind(".") :])
    if tokens is None or len(data) > SOURCE_LIMIT:
        return ""
    numbers: dict[str, int] = {}
    found = []
    for token in tokens.finditer(data.decode("utf-8", "replace")):
        if token.lastgroup == "name":
            found.append(f"n{numbers.setdefault(token[0], len(numbers))}")
        elif token.lastgroup != "comment":
            found.append(token.lastgroup or token[0])
    return hashlib.sha256(" ".join(found).encode()).hexdigest()[:16]
