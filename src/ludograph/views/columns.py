"""Texts in the columns of a terminal: measured, cut and padded."""

from __future__ import annotations

import unicodedata


def width(text: str) -> int:
    """Return the number of terminal columns of a text."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def fit(text: str, columns: int) -> str:
    """Return a text of at most this number of columns, cut with an ellipsis if it is longer."""
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
    """Return a text padded or cut to exactly this number of columns."""
    text = fit(text, columns)
    return text + " " * (columns - width(text))


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
