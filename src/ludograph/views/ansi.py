"""ANSI colors: the number of colors of a terminal, and the escape codes of each color."""

import os
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import IO

from ludograph.views.colors import RGB


class Colors(Enum):
    """The colors that a stream can show."""

    NONE = 0
    INDEXED = 256
    TRUE = 1 << 24


def colors_of(stream: IO[str], environment: Mapping[str, str] | None = None) -> Colors:
    """Return the colors that a stream can show.

    ``FORCE_COLOR`` (not empty, not ``0``) has the highest priority, then ``NO_COLOR`` (not empty,
    see https://no-color.org), then ``TERM=dumb``, then whether the stream is a terminal.

    Parameters
    ----------
    stream : file-like
        The stream of the text, such as ``sys.stdout``.
    environment : mapping, optional
        Environment variables; those of the process by default.
    """
    variables = os.environ if environment is None else environment
    forced = variables.get("FORCE_COLOR", "")
    if forced == "0":
        return Colors.NONE
    if not forced and (
        variables.get("NO_COLOR") or variables.get("TERM") == "dumb" or not stream.isatty()
    ):
        return Colors.NONE
    return depth(variables)


def depth(environment: Mapping[str, str] | None = None) -> Colors:
    """Return the number of colors of a terminal that has colors: 256 or 24 bits."""
    variables = os.environ if environment is None else environment
    if variables.get("FORCE_COLOR") == "3":
        return Colors.TRUE
    if variables.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Colors.TRUE
    # These terminals are recognized by TERM, as COLORTERM is often missing (ssh drops it).
    if variables.get("TERM", "").endswith(("-direct", "-truecolor", "kitty", "ghostty")):
        return Colors.TRUE
    return Colors.INDEXED


def packed(color: RGB) -> int:
    """Return a color as ``0xrrggbb``."""
    return color[0] << 16 | color[1] << 8 | color[2]


@lru_cache(maxsize=4096)
def code(color: int, layer: int, colors: Colors) -> str:
    """Return the SGR parameters of a color; `layer` is 38 (foreground) or 48 (background)."""
    if color < 0:
        return ""
    parts = color >> 16, color >> 8 & 255, color & 255
    if colors is Colors.TRUE:
        return f"{layer};2;{parts[0]};{parts[1]};{parts[2]}"
    return f"{layer};5;{_indexed(parts)}"


def _indexed(color: RGB) -> int:
    """Return the nearest of the 240 fixed colors of xterm: a cube of 6³ and 24 grays."""
    levels = (0, 95, 135, 175, 215, 255)
    cube = [min(range(6), key=lambda i: abs(levels[i] - part)) for part in color]
    gray = min(max(round((sum(color) / 3 - 8) / 10), 0), 23)

    def distance(red: int, green: int, blue: int) -> int:
        return (red - color[0]) ** 2 + (green - color[1]) ** 2 + (blue - color[2]) ** 2

    in_cube = distance(levels[cube[0]], levels[cube[1]], levels[cube[2]])
    if distance(8 + 10 * gray, 8 + 10 * gray, 8 + 10 * gray) < in_cube:
        return 232 + gray
    return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
