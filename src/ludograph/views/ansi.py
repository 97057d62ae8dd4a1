"""Colors as codes for a terminal."""

from functools import lru_cache

from ludograph.views.capabilities import Colors
from ludograph.views.colors import RGB

__all__ = ["code", "packed"]


def packed(color: RGB) -> int:
    """Return a color as ``0xrrggbb``."""
    return color[0] << 16 | color[1] << 8 | color[2]


@lru_cache(maxsize=4096)
def code(color: int, layer: int, colors: Colors) -> str:
    """Give the SGR parameters of a color; `layer` is 38 (foreground) or 48 (background)."""
    if color < 0:
        return ""
    parts = color >> 16, color >> 8 & 255, color & 255
    if colors is Colors.TRUE:
        return f"{layer};2;{parts[0]};{parts[1]};{parts[2]}"
    return f"{layer};5;{_indexed(parts)}"


def _indexed(color: RGB) -> int:
    """Find the nearest of the 240 fixed colors of xterm: a cube of 6³ and 24 grays."""
    levels = (0, 95, 135, 175, 215, 255)
    cube = [min(range(6), key=lambda i: abs(levels[i] - part)) for part in color]
    gray = min(max(round((sum(color) / 3 - 8) / 10), 0), 23)

    def distance(red: int, green: int, blue: int) -> int:
        return (red - color[0]) ** 2 + (green - color[1]) ** 2 + (blue - color[2]) ** 2

    in_cube = distance(levels[cube[0]], levels[cube[1]], levels[cube[2]])
    if distance(8 + 10 * gray, 8 + 10 * gray, 8 + 10 * gray) < in_cube:
        return 232 + gray
    return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
