"""Texts on their way to a person: safe, cut to fit, aligned."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

FULL, EIGHTHS = "█", " ▏▎▍▌▋▊▉"


def safe(text: str) -> str:
    """Return a text without anything that a terminal might obey: names come from strangers."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(_columns(letter) for letter in text)


def fit(text: str, columns: int) -> str:
    """Return a text that takes at most so many columns, with a dot where it was cut."""
    if width(text) <= columns:
        return text
    kept, used = [], 1
    for letter in text:
        used += _columns(letter)
        if used > columns:
            break
        kept.append(letter)
    return "".join(kept) + "…" if columns > 0 else ""


def pad(text: str, columns: int) -> str:
    """Return a text that takes exactly so many columns."""
    text = fit(text, columns)
    return text + " " * (columns - width(text))


def common_start(texts: Sequence[str]) -> str:
    """Return how all texts begin."""
    low, high = min(texts), max(texts)
    same = (place for place, letter in enumerate(low) if letter != high[place])
    return low[: next(same, len(low))]


def bar(share: float, columns: int) -> str:
    """Return a bar that fills a share of so many columns, to an eighth of a column."""
    eighths = round(8 * columns * min(max(share, 0.0), 1.0))
    text = FULL * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")
    return text.ljust(columns)


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)
) -> list[str]:
    """Return aligned lines: the first column, or those named, to the left, others to the right."""
    lines = [list(heads), *(list(row) for row in rows)]
    widths = [max(width(line[column]) for line in lines) for column in range(len(heads))]
    return [
        "  ".join(
            pad(cell, size) if column in left else " " * (size - width(cell)) + cell
            for column, (cell, size) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def amount(count: int, thing: str) -> str:
    """Return a number with its noun, as in ``1 game`` and ``2 games``."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def seconds(time: float) -> str:
    """Return a duration with three digits and a fitting unit."""
    if time >= 99.95:
        return f"{time:.0f} s"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if time >= 0.9995 * size:
            return f"{time / size:.3g} {unit}"
    return f"{time / 1e-6:.0f} µs"


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
