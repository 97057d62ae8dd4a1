"""Colors that people can tell apart, each with a name and a symbol.

The values were searched numerically: the smallest distance in OKLab between any two of the first
eight, as a person with normal vision, a deuteranope and a protanope sees them, is as large as it
gets within a small range around each nominal color; then the same for all thirty-two. Eight hues
are about what colors alone can carry, so every swatch has a symbol too.
"""

from ludograph.errors import InvalidInput
from ludograph.views.scene import Swatch

__all__ = ["LIMIT", "distinct"]

_COLORS = (
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
    Swatch(name, rgb, symbol) for (name, rgb), symbol in zip(_COLORS, _SYMBOLS, strict=True)
)

LIMIT = len(_SWATCHES)
"""The largest number of colors that `distinct` gives."""


def distinct(count: int) -> tuple[Swatch, ...]:
    """Give the first `count` swatches of the palette.

    The first eight are blue, red, green, yellow, orange, violet, cyan and pink; they are the
    ones that stay apart best. Symbols are ``0`` to ``9``, then ``a`` to ``v``.

    Parameters
    ----------
    count : int
        From 0 to `LIMIT`.

    Raises
    ------
    InvalidInput
        If there are not that many.

    Examples
    --------
    >>> [swatch.name for swatch in distinct(3)]
    ['blue', 'red', 'green']
    """
    if not 0 <= count <= LIMIT:
        raise InvalidInput(f"There are {LIMIT} distinct colors, not {count}.")
    return _SWATCHES[:count]
