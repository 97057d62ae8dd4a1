"""A small terminal: reads the escape codes of a picture back into pixels and letters."""

import re
from dataclasses import dataclass, field

_TOKEN = re.compile("\x1b\\[([0-9;]*)m|(.)")


@dataclass
class Screen:
    """What stands where.

    `pixels[row][column]` is ``(r, g, b)``, an index of 256 colors or None, two rows per line;
    `letters` has only what is no block or blank.
    """

    pixels: list[list[object]] = field(default_factory=list)
    letters: dict[tuple[int, int], str] = field(default_factory=dict)


def read(text: str) -> Screen:
    """Obey the escape codes of a text, and refuse those that should not be there."""
    screen = Screen()
    front: object = None
    back: object = None
    for number, line in enumerate(text.split("\n")):
        upper: list[object] = []
        lower: list[object] = []
        for codes, letter in _TOKEN.findall(line):
            if not letter:
                front, back = _obey([int(code) for code in codes.split(";")], front, back)
                continue
            assert letter != "\x1b"
            top, bottom = {"▀": (front, back), "▄": (back, front)}.get(letter, (back, back))
            if letter not in "▀▄ ":
                screen.letters[number, len(upper)] = letter
            upper.append(top)
            lower.append(bottom)
        assert (front, back) == (None, None), "a line leaves colors behind"
        screen.pixels += [upper, lower]
    return screen


def _obey(codes: list[int], front: object, back: object) -> tuple[object, object]:
    while codes:
        code = codes.pop(0)
        if code == 0:
            front, back = None, None
            continue
        assert code in (38, 48)
        if codes.pop(0) == 2:
            color: object = tuple(codes[:3])
            del codes[:3]
        else:
            color = codes.pop(0)
        if code == 38:
            front = color
        else:
            back = color
    return front, back
