"""Names that look alike, with which somebody could pose as another person.

The rules follow Unicode's security mechanisms (UTS #39): some characters are not drawn, a word has
letters of one script, and names with the same skeleton look the same. The table is not Unicode's:
it has the letters that most fonts draw alike.
"""

from __future__ import annotations

import re
import unicodedata

INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that are not drawn."""

EAST_ASIAN = {"BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA"}
"""The scripts that one word mixes, with Latin letters too."""

ALL_SCRIPTS = {"COMBINING", "DIGIT", "MODIFIER"}
"""The first words in the names of characters that belong to no script."""

ALIKE = (
    ("Iİı|10ɑɡɩɪɴʀʏʟȷƖǀꞮ", "liilloagiinryljlll"),
    ("ᴀʙᴄᴅᴇꜰɢʜᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢ", "abcdefghjkmopstuvwz"),
    ("АВЕЅІЈКМНОРСТУХҮԌԚԜӀ", "ABESlJKMHOPCTYXYGQWl"),
    ("авеѕіјкмнорстухүԁԍһԛԝӏгѵ", "abesijkmhopctyxydghqwlrv"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳϲ", "ABEZHlKMNOPTYXCjc"),
    ("αγηικνορτυχωβμ", "aynikvoptuxwbu"),
    ("ՕՍԼՏօսհոցզ", "OULSouhngq"),
    ("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᏃᎩ", "ABCDEGHJKLMPRSTVWZY"),
    ("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPDTGKJCZFMNLSRVHWXYAElOU"),
    ("ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬⲟⲣⲥⲭ", "ABEHlKMNOPCTYXopcx"),
    ("ىیکہھە", "ييكههه"),
    ("カロエニトハタヘベペリー", "力口工二卜八夕へべぺり一"),
    ("ʹʻʼʽˈʾʿ׳ꞌ", "'''''''''"),
)
"""Letters, and below each the one that looks the same and stands for both in a skeleton."""

STANDS_FOR = str.maketrans("".join(olds for olds, _ in ALIKE), "".join(new for _, new in ALIKE))


def plain(name: str) -> str:
    """Return a name in small letters, with Latin ones in place of others that look the same.

    Examples
    --------
    >>> plain("Ρ1ауег"), plain("Ａnn"), plain("Žofie")
    ('player', 'ann', 'žofie')
    """
    letters = unicodedata.normalize("NFD", _drawn(name))
    letters = "".join(map(_digit, letters)).translate(STANDS_FOR).casefold()
    return unicodedata.normalize("NFC", letters).replace("rn", "m").replace("vv", "w")


def skeleton(name: str) -> str:
    """Return the skeleton of a name: names that look the same have the same one.

    Examples
    --------
    >>> skeleton("Ian") == skeleton("lan") == skeleton("1аn")
    True
    """
    return plain(name).replace("i", "l")


def mixed_scripts(name: str) -> list[str]:
    """Return the scripts of the first word with letters of several ones; empty if there is none.

    Examples
    --------
    >>> mixed_scripts("Аnn Lee")
    ['Cyrillic', 'Latin']
    >>> mixed_scripts("Анна Lee"), mixed_scripts("T恤 のり")
    ([], [])
    """
    drawn = _drawn(name)
    letters = {script_of(letter) for letter in drawn if letter.isalpha()} - {""}
    word: set[str] = set()
    for letter in [*drawn, " "]:
        if unicodedata.category(letter)[0] in "LMN":
            word |= {script_of(letter)} - {""}
        else:
            if len(word) > 1 and word != {"East Asian", "Latin"}:
                return sorted(word)
            if letters and word - letters:  # digits of another script
                return sorted(word | letters)
            word = set()
    return []


def script_of(letter: str) -> str:
    """Return the script of a letter, mark or digit; an empty text if it belongs to none."""
    words = re.split("[ -]", unicodedata.name(letter, "").removeprefix("EXTENDED "))
    if words[0] in EAST_ASIAN:
        return "East Asian"
    return "" if words[0] in ALL_SCRIPTS else words[0].capitalize()


def _drawn(name: str) -> str:
    """Return the characters of a name that are drawn, in their usual forms."""
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", name))


def _digit(letter: str) -> str:
    return str(unicodedata.digit(letter)) if unicodedata.category(letter) == "Nd" else letter
