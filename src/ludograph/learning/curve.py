"""The curve of a run: the results of its matches over time, as a chart, a picture and a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludograph.formatting import duration
from ludograph.views import chart
from ludograph.views.chart import Curve, Panel
from ludograph.views.document import document
from ludograph.views.table import Columns, Table, left

Points = Sequence[Mapping[str, Any]]
"""The lines of ``curve.jsonl``, in order."""

SYMBOLS = "abcdefghijklmnopqrstuvwxyz"

LOSSES = {"policy_loss": "policy", "value_loss": "value", "end_loss": "end of the game"}

DARK = "<style>@media(prefers-color-scheme:dark){svg{filter:invert(.9) hue-rotate(180deg)}}</style>"


def panel_of(points: Points, title: str) -> Panel:
    """Return the share of points over seconds of learning, a curve for each pair of players."""
    pairs = list(dict.fromkeys((point["player"], point["anchor"]) for point in points))
    curves = [
        Curve(
            f"{player} against {anchor}",
            SYMBOLS[number % len(SYMBOLS)],
            [
                (int(point["seconds"]), point["points"])
                for point in points
                if (point["player"], point["anchor"]) == (player, anchor)
            ],
        )
        for number, (player, anchor) in enumerate(pairs)
    ]
    return Panel(title, curves, last_second(points), bounds=(0.0, 1.0))


def loss_panels(points: Points) -> list[Panel]:
    """Return each loss over seconds of learning."""
    return [
        Panel(
            f"Loss: {name}, over seconds",
            [
                Curve(
                    "losses",
                    SYMBOLS[-1].upper(),
                    list(dict.fromkeys((int(each["seconds"]), each[key]) for each in points)),
                )
            ],
            last_second(points),
        )
        for key, name in LOSSES.items()
        if all(key in each for each in points)
    ]


def last_second(points: Points) -> int:
    """Return the end of the time axis in seconds."""
    return max((int(point["seconds"]) for point in points), default=0) or 1


def picture(points: Points, title: str) -> str:
    """Return the curve and the losses as an SVG document."""
    shares = panel_of(points, "Share of points, over seconds of learning")
    return chart.svg([shares, *loss_panels(points)], title)


def page(points: Points, title: str) -> str:
    """Return a page with the picture, and a table of all matches, the newest first."""
    columns: Columns = ["learned for", "games", "positions", "share of points"]
    columns += ["95 % interval", left("match")]
    rows = [
        [
            duration(each["seconds"]),
            f"{each['games_learned']:,}",
            f"{each['positions']:,}",
            f"{100 * each['points']:.0f} %",
            "" if each["low"] is None else f"{100 * each['low']:.0f} to {100 * each['high']:.0f} %",
            f"{each['games']} games of {each['player']} against {each['anchor']}",
        ]
        for each in reversed(points)
    ]
    table = Table(columns, rows).html()
    return document(title, f'{DARK}{picture(points, title)}\n<div class="wide">{table}</div>')
