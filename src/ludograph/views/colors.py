"""Colors as numbers, and which ink is readable on which color."""

import re
from functools import lru_cache

from ludograph.errors import InvalidInput

__all__ = ["DARK", "LIGHT", "RGB", "blend", "contrast", "hexadecimal", "parse", "readable"]

RGB = tuple[int, int, int]

DARK: RGB = (22, 22, 26)
LIGHT: RGB = (255, 255, 255)

_HEXADECIMAL = re.compile(r"#[0-9a-fA-F]{6}")


@lru_cache(maxsize=1024)
def parse(text: str) -> RGB:
    """Read ``"#rrggbb"``.

    Raises
    ------
    InvalidInput
        If the text has another form.

    Examples
    --------
    >>> parse("#ff8000")
    (255, 128, 0)
    """
    if not _HEXADECIMAL.fullmatch(text):
        raise InvalidInput(f"A color is written #rrggbb, not {text!r}.")
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def hexadecimal(color: RGB) -> str:
    """Write ``"#rrggbb"``; the inverse of `parse`."""
    return f"#{color[0]:02x}{color[1]:02x}{color[2]:02x}"


def blend(color: RGB, other: RGB, share: float) -> RGB:
    """Mix `share` of `other` into `color`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(color, other, strict=True))
    return red, green, blue


def contrast(color: RGB, other: RGB) -> float:
    """Contrast ratio from 1 (equal) to 21 (black on white), as WCAG 2.2 defines it."""
    high, low = sorted((_luminance(color), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def readable(background: RGB) -> RGB:
    """Give the one of `DARK` and `LIGHT` that reads better on a background."""
    return max(LIGHT, DARK, key=lambda ink: contrast(ink, background))


@lru_cache(maxsize=4096)
def _luminance(color: RGB) -> float:
    """Relative luminance of an sRGB color (WCAG 2.2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
