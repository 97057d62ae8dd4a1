"""Colors: reading and mixing them, their contrast, and a palette of distinguishable colors."""

import re
from dataclasses import replace
from functools import lru_cache

from ludograph.errors import InvalidInput
from ludograph.views.scene import Swatch

RGB = tuple[int, int, int]

DARK: RGB = (22, 22, 26)
LIGHT: RGB = (255, 255, 255)

_HEXADECIMAL = re.compile(r"#[0-9a-fA-F]{6}")


@lru_cache(maxsize=1024)
def parse(text: str) -> RGB:
    """Return the color of a text ``"#rrggbb"``.

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
    """Return a color as ``"#rrggbb"``: the inverse of `parse`."""
    return f"#{color[0]:02x}{color[1]:02x}{color[2]:02x}"


def blend(color: RGB, other: RGB, share: float) -> RGB:
    """Return a mixture of two colors, in which `other` has a share from 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(color, other, strict=True))
    return red, green, blue


def contrast(color: RGB, other: RGB) -> float:
    """Return the contrast ratio, from 1 (equal) to 21 (black on white), as WCAG 2.2 defines it."""
    high, low = sorted((_luminance(color), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def readable(background: RGB) -> RGB:
    """Return `DARK` or `LIGHT`: the color that is easier to read on a background."""
    return max(LIGHT, DARK, key=lambda ink: contrast(ink, background))


@lru_cache(maxsize=4096)
def _luminance(color: RGB) -> float:
    """Return the relative luminance of an sRGB color (WCAG 2.2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# The values were optimized numerically. For the first eight colors, the smallest distance in OKLab
# between any two was maximized, as a person with normal vision, a deuteranope and a protanope sees
# them, within a small range around each nominal color; then the same for all thirty-two. Eight hues
# are about the limit for colors alone, so every swatch has a symbol, too.
_PALETTE = (
    ("blue", "#237cf0"),
    ("red", "#c6142c"),
    ("green", "#35a061"),
    ("yellow", "#f4e932"),
    ("orange", "#ff9c16"),
    ("violet", "#7133ae"),
    ("cyan", "#4cc7f3"),
    ("pink", "#ff91bf"),
    ("brown", "#885738"),
    ("lime", "#b8e000"),
    ("navy", "#0e376b"),
    ("teal", "#20798c"),
    ("magenta", "#cb36c3"),
    ("olive", "#8d880c"),
    ("maroon", "#661625"),
    ("gray", "#7b8a94"),
    ("lavender", "#b09dff"),
    ("peach", "#ffc19a"),
    ("mint", "#92e7cd"),
    ("indigo", "#412794"),
    ("gold", "#dd940f"),
    ("coral", "#ec6456"),
    ("forest", "#0f7143"),
    ("sky", "#a3d3ff"),
    ("beige", "#f9ecac"),
    ("plum", "#7b3a62"),
    ("khaki", "#c4c15b"),
    ("rust", "#943606"),
    ("salmon", "#e29c8b"),
    ("slate", "#50558b"),
    ("emerald", "#03c07e"),
    ("mauve", "#c079c4"),
)
_SYMBOLS = "0123456789abcdefghijklmnopqrstuv"
_SWATCHES = tuple(
    Swatch(name, rgb, symbol) for (name, rgb), symbol in zip(_PALETTE, _SYMBOLS, strict=True)
)

LIMIT = len(_SWATCHES)
"""The largest number of colors that `distinct` returns."""


def distinct(count: int) -> tuple[Swatch, ...]:
    """Return the first `count` swatches of the palette.

    The first eight are blue, red, green, yellow, orange, violet, cyan and pink: they are the
    easiest to distinguish. Symbols are ``0`` to ``9``, then ``a`` to ``v``.

    Parameters
    ----------
    count : int
        From 0 to `LIMIT`.

    Raises
    ------
    InvalidInput
        If the count is out of range.

    Examples
    --------
    >>> [swatch.name for swatch in distinct(3)]
    ['blue', 'red', 'green']
    """
    if not 0 <= count <= LIMIT:
        raise InvalidInput(f"There are {LIMIT} distinct colors, not {count}.")
    return _SWATCHES[:count]


# These values were optimized numerically, too, with little chroma: the smallest distance in CIELAB
# between any two of the first eight was maximized, as a person with normal vision, a protanope, a
# deuteranope and a tritanope sees them (Machado, Oliveira and Fernandes 2009). A test requires 24.
_SOFT = ("#4d6ac2", "#bb4330", "#8dba7e", "#f5eb8c", "#e1962d", "#774779", "#56cdfc", "#d8a3b7")
_PALE: RGB = (205, 205, 200)
"""The color that is mixed into further colors to make them soft."""


@lru_cache
def soft(count: int) -> tuple[Swatch, ...]:
    """Return the swatches of `distinct` in soft colors, for large neighboring areas in pictures.

    Raises
    ------
    InvalidInput
        As in `distinct`.
    """
    swatches = distinct(count)
    mixed = [hexadecimal(blend(parse(each.rgb), _PALE, 0.25)) for each in swatches[len(_SOFT) :]]
    colors = (*_SOFT, *mixed)[:count]
    return tuple(replace(each, rgb=rgb) for each, rgb in zip(swatches, colors, strict=True))
