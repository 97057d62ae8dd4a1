"""An animation of a whole game: one SVG file that plays by itself (SMIL), stopped by a click.

A still picture is the animation of one scene.

All cells with the same history of colors are drawn once, as one path, and only the changes of its
color are written. Everything else (zone borders, labels, captions) is drawn once for each look, and
shown in the frames that have it. Sketches are drawn in the same way; with sketches the board may
grow, and the picture has room for the largest board from the start. Without animation the file
shows the last frame, so a program that plays no animations shows the end of the game.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.views import elements
from ludograph.views.canvas import Canvas, document, ink
from ludograph.views.polygons import Borders
from ludograph.views.scene import Scene, Swatch

_PAUSE = 3.0  # seconds at the end, before the game starts again
_BAR = "#8f8f98"
_PAUSING = (
    ' style="cursor:pointer" onclick="this.animationsPaused()'
    ' ? this.unpauseAnimations() : this.pauseAnimations()"'
)
"""Attributes with which a click stops the game or continues it, in programs that allow scripts."""


def render(
    scenes: Sequence[Scene],
    *,
    seconds_per_frame: float = 0.6,
    size: int = 600,
) -> str:
    """Draw the positions of a game, one after the other, in an endless loop.

    Parameters
    ----------
    scenes : sequence of Scene
        At least one, all with the same cells or all with sketches.
    seconds_per_frame : float
        The time of each scene; the last one stays three seconds longer.
    size : int
        As in `svg.render`.

    Returns
    -------
    str
        A complete, valid XML document.

    Raises
    ------
    InvalidInput
        If there is no scene, the time is not positive, or the boards differ.
    """
    if not scenes:
        raise InvalidInput("An animation needs at least one scene.")
    if not seconds_per_frame > 0:
        raise InvalidInput(f"Seconds per frame must be positive, not {seconds_per_frame}.")
    first, last = scenes[0], scenes[-1]
    sketched = all(scene.sketches for scene in scenes)
    if not sketched and not all(_same_board(first, scene) for scene in scenes):
        raise InvalidInput("All scenes of an animation must have the same cells.")
    clock = _Clock(len(scenes), seconds_per_frame)
    canvas = Canvas.fit(scenes, size)

    def layer(draw: Callable[[Scene], list[str]]) -> list[str]:
        return _layer([draw(scene) for scene in scenes], clock)

    def sketches(field: str, level: int | None = None) -> list[str]:
        return layer(lambda scene: elements.sketches(canvas, getattr(scene, field), level))

    if sketched:
        drawn = [part for level in elements.levels(scenes) for part in sketches("sketches", level)]
        drawn += layer(partial(elements.overlays, canvas))
    else:
        borders = Borders(first)
        drawn = [
            *sketches("ground", 0),
            *layer(partial(elements.links, canvas)),
            *canvas.tiles(_cells(scenes, canvas, clock), nodes=first.links is not None),
            *sketches("ground", 1),
            *layer(lambda scene: elements.zones(canvas, scene, borders)),
            *layer(partial(elements.strokes, canvas, below=True)),
            *sketches("pieces"),
            *layer(partial(elements.strokes, canvas, below=False)),
            *layer(partial(elements.overlays, canvas)),
            *layer(lambda scene: elements.labels(canvas, scene)),
        ]
    drawn += layer(partial(elements.notes, canvas))
    drawn += layer(partial(elements.numerals, canvas))
    board = canvas.group(drawn)
    texts = [
        *elements.definitions(canvas, scenes),
        *layer(partial(elements.title, canvas)),
        *layer(partial(elements.axes, canvas)),
        *board,
        *layer(partial(elements.captions, canvas)),
    ]
    attributes = _PAUSING if len(scenes) > 1 else ""
    return document(canvas, last.title, [*texts, *_bar(canvas, clock)], attributes=attributes)


class _Clock:
    """The times of frames in an endless loop."""

    def __init__(self, frames: int, seconds: float) -> None:
        self.frames = frames
        self.playing = frames * seconds
        self.total = self.playing + _PAUSE

    def animate(self, attribute: str, values: Sequence[str]) -> str:
        """Return an animation of an attribute with a value per frame; empty if it is constant."""
        runs = [(value, len(list(run))) for value, run in groupby(values)]
        if len(runs) < 2:
            return ""
        starts = np.cumsum([0, *(length for _, length in runs[:-1])]).tolist()
        times = ";".join(self._share(start) for start in starts)
        steps = ";".join(value for value, _ in runs)
        return (
            f'<animate attributeName="{attribute}" calcMode="discrete" values="{steps}"'
            f' keyTimes="{times}" dur="{self.total:g}s" repeatCount="indefinite"/>'
        )

    def _share(self, frame: int) -> str:
        return f"{frame * self.playing / self.frames / self.total:.6f}".rstrip("0").rstrip(".")


def _same_board(scene: Scene, other: Scene) -> bool:
    return scene is other or (
        np.array_equal(scene.outline_offsets, other.outline_offsets)
        and np.array_equal(scene.outline_points, other.outline_points)
        and np.array_equal(scene.positions, other.positions)
    )


def _cells(scenes: Sequence[Scene], canvas: Canvas, clock: _Clock) -> list[str]:
    """Draw each cell once; cells with the same history of colors are one path.

    Cells that are raised in some frames have another path, over the paths of all flat cells.
    """
    histories, members = np.unique(
        np.stack([scene.fills for scene in scenes], axis=1), axis=0, return_inverse=True
    )
    # Cells sorted by history: those with history i are order[ends[i - 1]:ends[i]].
    order = np.argsort(members.reshape(-1), kind="stable")
    ends = np.cumsum(np.bincount(members.reshape(-1), minlength=len(histories)))
    flat, rims, raised = [], [], []
    for history, cells in zip(histories.tolist(), np.split(order, ends)[:-1], strict=True):
        looks = [
            scene.palette[fill] if fill >= 0 else _NOTHING
            for fill, scene in zip(history, scenes, strict=True)
        ]
        outlines = canvas.outlines(scenes[0], cells.tolist())
        flat += _path(clock, [_NOTHING if look.rim else look for look in looks], outlines)
        raised += _path(clock, [look if look.rim else _NOTHING for look in looks], outlines)
        if any(look.rim for look in looks):
            change = _change(clock, [look.rim for look in looks])
            rim = elements.rim(canvas, looks[-1].rim, outlines)
            rims.append(f"{rim.removesuffix('/>')}>{change}</path>" if change else rim)
    return [*flat, *rims, *raised]


def _path(clock: _Clock, looks: Sequence[Swatch], outlines: str) -> list[str]:
    """Draw cells with these looks in the frames; nothing if they are invisible in all frames."""
    if not any(look.rgb for look in looks):
        return []
    last = looks[-1]
    change = _change(clock, [look.rgb for look in looks])
    path = f'<path class="cells" fill="{ink(last.rgb) if last.rgb else "none"}"'
    if any(look.edge for look in looks):
        hidden = ["inherit" if look.rgb else "transparent" for look in looks]
        strokes = [
            ink(look.edge) if look.edge else other
            for look, other in zip(looks, hidden, strict=True)
        ]
        change += clock.animate("stroke", strokes)
        path += f' stroke="{strokes[-1]}"'
    path += f' d="{outlines}"'
    return [f"{path}>{change}</path>" if change else f"{path}/>"]


_NOTHING = Swatch("nothing", "", "")


def _change(clock: _Clock, colors: Sequence[str]) -> str:
    """Return an animation of a filling; an empty color is drawn as nothing.

    Chromium animates colors, and draws ``none``, which is no color, in black.
    """
    return clock.animate("fill", [ink(color) if color else "transparent" for color in colors])


def _layer(frames: Sequence[Sequence[str]], clock: _Clock) -> list[str]:
    """Show each element in the frames that have it.

    Parameters
    ----------
    frames : sequence of sequence of str
        The elements of each frame, in drawing order.
    """
    seen: dict[str, list[int]] = {}
    for frame, drawn in enumerate(frames):
        for element in dict.fromkeys(drawn):
            seen.setdefault(element, []).append(frame)
    shown = []
    for element, when in seen.items():
        if len(when) == clock.frames:
            shown.append(element)
            continue
        present = set(when)
        looks = ["inline" if frame in present else "none" for frame in range(clock.frames)]
        change = clock.animate("display", looks)
        shown.append(f'<g display="{looks[-1]}">{change}{element}</g>')
    return shown


def _bar(canvas: Canvas, clock: _Clock) -> list[str]:
    """Draw a thin line along the lower edge that grows during the game."""
    if clock.frames == 1:
        return []
    width, thick = f"{canvas.size:g}", max(canvas.size / 200, 2)
    return [
        f'<rect y="{canvas.height - thick:.1f}" width="{width}" height="{thick:g}"'
        f' fill="{_BAR}"><animate attributeName="width" values="0;{width};{width}"'
        f' keyTimes="0;{clock.playing / clock.total:.5f};1" dur="{clock.total:g}s"'
        ' repeatCount="indefinite"/></rect>'
    ]
