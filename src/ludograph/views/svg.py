"""A scene as an SVG file."""

from ludograph.views import animation
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
    return animation.render([scene], size=size)
