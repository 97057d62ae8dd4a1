"""A scene as an SVG file."""

import numpy as np

from ludograph.views import elements
from ludograph.views.canvas import Canvas, document, ink
from ludograph.views.polygons import Borders
from ludograph.views.scene import Scene


def render(scene: Scene, *, size: int = 600) -> str:
    """Draw a scene as an SVG file.

    Cells of one color are one path, so 10⁴ cells take some 200 kB. All texts are escaped.

    Parameters
    ----------
    scene : Scene
    size : int
        The width of the picture in pixels, and the greatest height of the board.

    Returns
    -------
    str
        A complete, valid XML document, the same for equal scenes.
    """
    canvas = Canvas.fit([scene], size)
    drawn = _sketched(scene, canvas) if scene.sketches else _cells(scene, canvas)
    board = canvas.group(drawn)
    return document(
        canvas,
        scene.title,
        [
            *elements.definitions(canvas, [scene]),
            *elements.title(canvas, scene),
            *elements.axes(canvas, scene),
            *board,
            *elements.captions(canvas, scene),
        ],
    )


def _sketched(scene: Scene, canvas: Canvas) -> list[str]:
    """Draw the sketches, level by level."""
    drawn = [
        element
        for level in elements.levels([scene])
        for element in elements.sketches(canvas, scene, level)
    ]
    return [
        *drawn,
        *elements.overlays(canvas, scene),
        *elements.notes(canvas, scene),
        *elements.numerals(canvas, scene),
    ]


def _cells(scene: Scene, canvas: Canvas) -> list[str]:
    """Draw the cells and their contents."""
    flat: list[str] = []
    rims: list[str] = []
    raised: list[str] = []
    for fill in np.unique(scene.fills[scene.fills >= 0]).tolist():
        outlines = canvas.outlines(scene, np.flatnonzero(scene.fills == fill).tolist())
        swatch = scene.palette[fill]
        edge = elements.edge(swatch)
        path = f'<path class="cells" fill="{ink(swatch.rgb)}"{edge} d="{outlines}"/>'
        (raised if swatch.rim else flat).append(path)
        rims += [elements.rim(canvas, swatch.rim, outlines)] if swatch.rim else []
    return [
        *elements.ground(canvas, scene, 0),
        *elements.links(canvas, scene),
        *canvas.tiles([*flat, *rims, *raised], nodes=scene.links is not None),
        *elements.ground(canvas, scene, 1),
        *elements.zones(canvas, scene, Borders(scene)),
        *elements.strokes(canvas, scene, below=True),
        *elements.pieces(canvas, scene),
        *elements.strokes(canvas, scene, below=False),
        *elements.overlays(canvas, scene),
        *elements.labels(canvas, scene),
        *elements.notes(canvas, scene),
        *elements.numerals(canvas, scene),
    ]
