"""Charts of a game: the value to each seat, the scores and the times, by plies."""

from __future__ import annotations

from ludograph.analysis.evaluation import Analysis
from ludograph.views.chart import Curve, Panel

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ#@"
"""By seat, what marks its curve."""


def panels(analysis: Analysis, names: list[str]) -> list[Panel]:
    """Return the curves: of the values, of the scores, of the times."""
    last, seats = analysis.record.plies, range(analysis.seats)
    scores: list[list[tuple[int, float]]] = [[] for _ in seats]
    for position, _ in analysis.record.positions():
        for seat, score in enumerate(position.scores()):
            if not scores[seat] or scores[seat][-1][0] != position.ply:
                scores[seat].append((position.ply, score))
    called = [f"{SYMBOLS[seat]}: {names[seat]} (seat {seat})" for seat in seats]
    marks = [
        (seat, worst.ply - 1, worst.value)
        for seat, worst in enumerate(analysis.worst)
        if worst is not None and worst.better is not None
    ]
    values = [Curve(called[seat], SYMBOLS[seat], analysis.curve(seat)) for seat in seats]
    counted = [Curve(called[seat], SYMBOLS[seat], scores[seat]) for seat in seats]
    times = [
        Curve(called[seat], SYMBOLS[seat], [(each.ply, each.seconds) for each in analysis.of(seat)])
        for seat in seats
    ]
    bounds = (0.0, 1.0) if analysis.seats > 1 else None
    title = "value to each seat" if analysis.seats > 1 else "score to be expected"
    return [
        Panel(f"{title}, by moves played", values, last, bounds, marks),
        Panel("scores, by moves played", counted, last),
        Panel("seconds that a move took, by moves", times, last),
    ]
