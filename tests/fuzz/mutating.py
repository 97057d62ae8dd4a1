"""Changes that turn a good input into a bad one: of bytes, of lines, of words, of JSON."""

from __future__ import annotations

import copy
import json
import random
import string
from typing import Any

NUMBERS = (0, 1, -1, 2, 7, 64, 127, 255, 2**15, 2**31 - 1, 2**31, -(2**31), 2**53, 2**63, 10**30)
FLOATS = (0.5, -0.0, 1e308, -1e308, 5e-324, 1e9)
WORDS = (
    *(
        "",
        " ",
        "\0",
        "\n",
        "\r",
        "\t",
        "\x1b[31m",
        "é",
        "\ud800",
        "\u202e",
        "＋",
        "²",
        "٣",
        "-",
        "+",
    ),
    *(
        ":",
        ",",
        "=",
        "x",
        ".",
        "..",
        "/",
        "~",
        "%s",
        "{}",
        "{0}",
        "null",
        "NaN",
        "Infinity",
        "1e999",
    ),
    *(
        "true",
        "none",
        "'",
        '"',
        "\\",
        "<b>",
        "&amp;",
        "<!--",
        "--help",
        "--",
        "@",
        "#",
        ";",
        "()",
        "[]",
    ),
)
VALUES = (None, True, False, "", [], {}, [[]], [None], {"": None}, "x" * 300, *NUMBERS, *FLOATS)
DEEP = 4
"""The most changes to one input."""


def number(rng: random.Random) -> int:
    """Return a number that somebody has not thought of, or a small one."""
    return rng.choice(NUMBERS) if rng.random() < 0.5 else rng.randint(-3, 40)


def of_bytes(seed: bytes, rng: random.Random) -> bytes:
    """Change some bytes: flip, cut, repeat, put in, take out."""
    data = bytearray(seed)
    for _ in range(rng.randint(1, DEEP)):
        at = rng.randint(0, len(data))
        end = min(len(data), at + rng.choice((1, 1, 2, 8, 64)))
        kind = rng.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = data[at:end] * rng.choice((1, 2, 50))
        elif kind == 3:
            data[at:at] = rng.choice(WORDS).encode("utf-8", "surrogatepass")
        elif kind == 4:
            del data[at:]
        else:
            data[at:end] = str(number(rng)).encode()
    return bytes(data)


def of_pages(seed: bytes, rng: random.Random, page: int = 4096) -> bytes:
    """Damage a file as disks do: flip bits, in heads of pages too; zero bytes; cut it short."""
    data = bytearray(seed)
    kind = rng.random()
    if kind < 0.4:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind < 0.55:
        for _ in range(rng.randint(2, 8)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind < 0.75:
        place = rng.randrange(len(data) // page) * page + rng.randrange(40)
        data[place] ^= 1 << rng.randrange(8)
    elif kind < 0.9:
        at = rng.randrange(len(data))
        end = min(len(data), at + rng.choice((1, 16, 512, page, 5 * page)))
        data[at:end] = bytes(end - at)
    else:
        del data[rng.randrange(len(data)) :]
    return bytes(data)


def of_text(seed: str, rng: random.Random) -> str:
    """Change some characters."""
    text = seed
    for _ in range(rng.randint(1, DEEP)):
        at = rng.randint(0, len(text))
        end = min(len(text), at + rng.choice((1, 1, 2, 5)))
        new = rng.choice(
            (
                rng.choice(WORDS),
                str(number(rng)),
                rng.choice(string.printable),
                "",
                text[at:end] * rng.choice((2, 2, 400)),
            )
        )
        text = text[:at] + new + text[end:]
    return text


def of_words(seed: list[str], rng: random.Random, known: list[str]) -> list[str]:
    """Change some words of a command: take out, change places, put known ones in, spoil one."""
    words = list(seed)
    for _ in range(rng.randint(1, DEEP)):
        at = rng.randint(0, len(words))
        kind = rng.randrange(5)
        if kind == 0 and at < len(words):
            del words[at]
        elif kind == 1:
            words.insert(at, rng.choice(known))
        elif kind == 2:
            words.insert(at, rng.choice((str(number(rng)), rng.choice(WORDS))))
        elif kind == 3:
            rng.shuffle(words)
        elif at < len(words):
            words[at] = of_text(words[at], rng)
    return words


def of_lines(seed: bytes, rng: random.Random) -> bytes:
    """Change a file of JSON lines: within a line, their order, or bytes."""
    if rng.random() < 0.3:
        return of_bytes(seed, rng)
    lines = seed.splitlines()
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(lines)) if rng.random() < 0.6 else 0
        kind = rng.randrange(6)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(at, rng.choice(lines))
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            try:
                data = json.loads(lines[at])
            except ValueError:
                continue
            lines[at] = encoded(of_data(data, rng))
    return b"\n".join(lines) + b"\n"


def of_data(seed: Any, rng: random.Random) -> Any:
    """Change some values within JSON-able data, or what holds them."""
    data = copy.deepcopy(seed)
    for _ in range(rng.randint(1, DEEP)):
        data = _changed(data, rng)
    return data


def _changed(data: Any, rng: random.Random) -> Any:
    """Return data with one change, somewhere below."""
    if isinstance(data, list | dict) and data and rng.random() < 0.85:
        key = rng.choice(list(data)) if isinstance(data, dict) else rng.randrange(len(data))
        kind = rng.random()
        if kind < 0.1:
            del data[key]
        elif kind < 0.15 and isinstance(data, list):
            data.insert(key, copy.deepcopy(rng.choice(data)))
        elif kind < 0.2 and isinstance(data, dict):
            data[rng.choice((*WORDS[:20], "x", str(key) + "2"))] = data[key]
        else:
            data[key] = _changed(data[key], rng)
        return data
    if isinstance(data, str) and rng.random() < 0.6:
        return of_text(data, rng)
    if isinstance(data, int | float) and rng.random() < 0.7:
        return rng.choice((number(rng), data + 1, data - 1, -data, rng.choice(FLOATS)))
    return copy.deepcopy(rng.choice(VALUES))


def encoded(data: Any) -> bytes:
    """Return data as JSON, in which there may be what JSON does not allow."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")


def toml(data: dict[str, Any]) -> str:
    """Return an object in TOML, with one line for each of its fields."""
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in data.items())


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else json.dumps(name)


def _value(data: Any) -> str:
    """Return a value in one line; what TOML does not have stays as it is in JSON."""
    if isinstance(data, dict):
        return (
            "{" + ", ".join(f"{_key(name)} = {_value(each)}" for name, each in data.items()) + "}"
        )
    if isinstance(data, list):
        return "[" + ", ".join(map(_value, data)) + "]"
    return json.dumps(data, ensure_ascii=False)
