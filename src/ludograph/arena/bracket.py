"""The bracket of a knockout as text: a table, and sentences on ties and the champion."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.arena.schedules.knockout import Duel, round_name
from ludograph.formatting import counted, points_text
from ludograph.views.table import Table, left

WON_BY = {None: "", "points": "", "seed": " (tie, seeded higher)", "bye": " (bye)"}

UNKNOWN = "?"
"""A player that is not known yet."""


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
