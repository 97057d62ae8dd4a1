"""The Smart Game Format as a text: its encoding, its nodes, and their properties."""

from __future__ import annotations

import codecs
import re

from ludograph.errors import InvalidInput
from ludograph.formatting import one_line

Nodes = list[dict[str, list[str]]]
"""The nodes of a game; each has the values of its properties by their names."""

CHARSET = re.compile(rb";|(\bCA\s*)?\[((?:[^\]\\]|\\.)*)", re.DOTALL)
"""The beginning of a node; or a value, in which there may be others, perhaps of ``CA``."""

ASCII = bytes(n for n in range(32, 127) if n != ord("\\")) + rb"\x41 \u0041 +AEE-"
"""A text that an encoding must leave as it is: it encodes texts, and has no escapes."""

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_BRACKETS = re.compile(r"\((?:\s*;)?|\)|\[(?:[^\]\\]|\\.)*\]", re.DOTALL)


def text_of(raw: bytes, source: str) -> tuple[str, str]:
    """Return the text of a file in the encoding that ``CA`` names, else in UTF-8, else in Latin-1.

    Returns
    -------
    text
        The text.
    remark
        A sentence if ``CA`` names no encoding that is known here; else empty.

    Raises
    ------
    InvalidInput
        If ASCII means something else in the encoding, or it has escapes.
    """
    name = charset(raw)
    remark = ""
    if name:
        try:
            codecs.lookup(name)
        except (LookupError, ValueError):  # a ValueError is a name with a zero byte
            remark = f"the encoding CA[{one_line(name)}] is unknown"
    if name and not remark:
        try:
            usual = ASCII.decode(name, "replace") == ASCII.decode("ascii")
        except (LookupError, ValueError):  # it does not encode texts, or only some
            usual = False
        if not usual:
            raise InvalidInput(f"{source}: CA[{one_line(name)}] cannot be read: save it as UTF-8")
        return raw.decode(name, "replace"), ""
    try:
        return raw.decode(), remark
    except UnicodeDecodeError:
        return raw.decode("latin-1"), remark


def charset(raw: bytes) -> str:
    """Return the value of ``CA`` in the first node; empty if it has none."""
    nodes = 0
    for found in CHARSET.finditer(raw):
        nodes += found[0] == b";"
        if nodes > 1:
            break
        if found[1] is not None:
            return found[2].decode("latin-1").strip()
    return ""


def nodes_of(text: str) -> tuple[Nodes, int]:
    """Return the nodes of the first game's main line, and the number of games that follow."""
    nodes: Nodes = []
    at, depth, key = 0, 0, ""
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            if not text[at:].strip():
                break
            raise InvalidInput(f"this is no SGF at {text[at : at + 20].strip()!r}")
        at = found.end()
        sign, name, value = found.groups()
        if sign == "(":
            depth += 1
        elif sign == ")":  # the main line is the first one, and it ends here
            return nodes, _games(text, at, depth - 1)
        elif depth == 0:
            raise InvalidInput("a game begins with '('")
        elif sign == ";":
            nodes.append({})
            key = ""
        elif not nodes:
            raise InvalidInput("a node begins with ';'")
        elif name is not None:
            key = "".join(letter for letter in name if letter.isupper())
            nodes[-1].setdefault(key, [])
        elif not key:
            raise InvalidInput(f"the value {value[:20]!r} belongs to no property")
        else:
            nodes[-1][key].append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    raise InvalidInput("the game does not end with ')'" if nodes else "there is no game in it")


def _games(text: str, at: int, depth: int) -> int:
    """Return the number of games that begin behind a place at which brackets are open."""
    found = 0
    for bracket in _BRACKETS.finditer(text, at):
        found += depth == 0 and ";" in bracket[0] and bracket[0][0] == "("
        depth += {"(": 1, ")": -1}.get(bracket[0][0], 0)
    return found


def escaped(text: str) -> str:
    """Return a value with the signs that would end it escaped."""
    return text.replace("\\", "\\\\").replace("]", "\\]")
