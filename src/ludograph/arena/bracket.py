"""The bracket of a knockout as text: a drawing, a table, and sentences on ties and the champion."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.arena.schedules import Duel, round_name
from ludograph.formatting import counted, points_text
from ludograph.views.columns import pad, width
from ludograph.views.table import Table, left

WON_BY = {None: "", "points": "", "seed": " (tie, seeded higher)", "bye": " (bye)"}

NAME_COLUMNS = 24
"""The most columns of a name in a drawing."""

UNKNOWN = "?"
"""A player that is not known yet."""


def bracket_drawing(rounds: Sequence[Sequence[Duel]]) -> list[str]:
    """Return a bracket as lines of text: a column for each round, the champion in the last one.

    A player with a bye appears in the second round only. A player that is not known yet is shown
    as ``?``.
    """
    columns = [*map(_slots, rounds), [(rounds[-1][0].winner or UNKNOWN, "")]]
    heads = [*(round_name(len(matches)) for matches in rounds), "champion"]
    height = 2 * len(columns[0]) - 1
    lines = [""] * height
    for depth, (head, slots) in enumerate(zip(heads, columns, strict=True)):
        names = min(NAME_COLUMNS, max(width(name) for name, _ in slots))
        numbers = max(len(points) for _, points in slots)
        size = max(names + (2 + numbers if numbers else 0), width(head))
        heads[depth] = pad(head, size)
        texts = [" " * size] * height
        for number, (name, points) in enumerate(slots):
            own = pad(name, size - numbers) + points.rjust(numbers) if name else " " * size
            texts[row_of(depth, number)] = own
        joints = _joints(depth, slots, height) if depth < len(rounds) else [""] * height
        lines = [
            line + text + joint for line, text, joint in zip(lines, texts, joints, strict=True)
        ]
    return [line.rstrip() for line in ("     ".join(heads), *lines)]


def row_of(depth: int, number: int) -> int:
    """Return the line of a slot: in the middle between the two slots that lead to it.

    Examples
    --------
    >>> [row_of(0, 0), row_of(0, 1), row_of(1, 0), row_of(1, 1), row_of(2, 0)]
    [0, 2, 1, 5, 3]
    """
    return (2 * number + 1) * 2**depth - 1


def _slots(matches: Sequence[Duel]) -> list[tuple[str, str]]:
    """Return name and points of each player of a round, from top to bottom; empty for a bye."""
    found = []
    for duel in matches:
        bye, known = duel.decided_by == "bye", None not in duel.players
        for player, points in zip(duel.players, duel.points, strict=True):
            name = "" if bye else player or UNKNOWN
            found.append((name, points_text(points) if known else ""))
    return found


def _joints(depth: int, slots: Sequence[tuple[str, str]], height: int) -> list[str]:
    """Return the lines that lead from the slots of one round to those of the next."""
    texts = [" " * 5] * height
    for number in range(0, len(slots), 2):
        if not slots[number][0]:  # a bye
            continue
        top, bottom = row_of(depth, number), row_of(depth, number + 1)
        middle = (top + bottom) // 2
        for row in range(top, bottom + 1):
            texts[row] = "  │  "
        texts[top], texts[middle], texts[bottom] = " ─┐  ", "  ├─ ", " ─┘  "
    return texts


def bracket_table(rounds: Sequence[Sequence[Duel]]) -> Table:
    """Return the matches of a knockout; a player that is not known yet is shown as ``?``."""
    rows = []
    for matches in rounds:
        for duel in matches:
            absent = "" if duel.decided_by == "bye" else UNKNOWN
            pair = " - ".join(filter(None, (player or absent for player in duel.players)))
            points = "" if None in duel.players else " : ".join(map(points_text, duel.points))
            winner = (duel.winner or "") + WON_BY[duel.decided_by]
            rows.append([round_name(len(matches)), pair, points, winner])
    return Table([left("round"), left("match"), "points", left("winner")], rows)


def tie_sentences(rounds: Sequence[Sequence[Duel]]) -> list[str]:
    """Return a sentence for each match that went into overtime, or was decided by the seeds."""
    found = []
    for matches in rounds:
        for duel in matches:
            if duel.overtime or duel.decided_by == "seed":
                found.append(f"{round_name(len(matches)).capitalize()}: {_tie(duel)}.")
    return found


def _tie(duel: Duel) -> str:
    match, pairs = " - ".join(map(str, duel.players)), counted(duel.overtime, "pair")
    overtime = f"{pairs} of overtime"
    if duel.winner is None:
        return f"{match} is in overtime, {pairs} so far"
    if duel.decided_by == "points":
        return f"{match} was decided by {overtime}, {duel.winner} advances"
    after = f" after {overtime}" if duel.overtime else ""
    return f"{match} is a tie{after}, {duel.winner} advances as the higher seed"


def champion_sentence(champion: str | None) -> str:
    """Return the sentence with the champion of a knockout."""
    return f"Champion: {champion}." if champion else "The champion is not decided yet."
