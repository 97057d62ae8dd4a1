"""A picture as PNG, for programs that show no SVG; drawn by resvg, an extra package."""

from __future__ import annotations

from ludograph.errors import InvalidInput

__all__ = ["from_svg"]

SHARPNESS = 2.0
"""Pixels per pixel of the SVG picture, for screens that have many."""


def from_svg(text: str) -> bytes:
    """Return a still SVG picture as a PNG file, twice as many pixels wide.

    Raises
    ------
    InvalidInput
        If the package that draws it is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise InvalidInput(
            "PNG pictures need the package resvg_py: pip install 'ludograph[png]'"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=text, zoom=SHARPNESS))
