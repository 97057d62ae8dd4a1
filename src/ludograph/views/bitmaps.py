"""Bitmaps: an SVG picture as a PNG file (resvg), many PNG files as an animated GIF (Pillow)."""

from __future__ import annotations

import io
from collections.abc import Iterable

from ludograph.errors import InvalidInput

LAST_SECONDS = 3.0
"""The additional time of the last picture."""


def png_from_svg(text: str, *, sharpness: float = 2.0) -> bytes:
    """Return a still SVG picture as a PNG file.

    Parameters
    ----------
    sharpness
        Pixels per pixel of the SVG picture; screens of phones and many laptops show two or more.

    Raises
    ------
    InvalidInput
        If the package resvg_py is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise InvalidInput(
            "PNG pictures need the package resvg_py: pip install 'ludograph[png]'"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=text, zoom=sharpness))


def gif_from_pngs(pictures: Iterable[bytes], *, seconds_per_frame: float = 0.6) -> bytes:
    """Return pictures of the same size as a GIF that repeats endlessly.

    Parameters
    ----------
    pictures
        PNG files, as returned by :func:`png_from_svg`; at least one.

    Raises
    ------
    InvalidInput
        If the package pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError:
        raise InvalidInput(
            "GIF pictures need the package pillow: pip install 'ludograph[gif]'"
        ) from None
    frames = []
    for data in pictures:
        with Image.open(io.BytesIO(data)) as image:
            frames.append(image.convert("RGB").quantize(128, dither=Image.Dither.NONE))
    shown = [round(1000 * seconds_per_frame)] * len(frames)
    shown[-1] += round(1000 * LAST_SECONDS)
    file = io.BytesIO()
    frames[0].save(
        file, "GIF", save_all=True, append_images=frames[1:], duration=shown, loop=0, optimize=False
    )
    return file.getvalue()
