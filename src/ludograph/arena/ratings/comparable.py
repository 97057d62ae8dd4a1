"""Who can be compared with whom, from who scored against whom.

Strengths of highest likelihood exist if and only if, however the players are parted in two sides,
each side scored against the other (Ford 1957, "Solution of a ranking problem from binary
comparisons"). In other words: whoever, directly or through others, played somebody else also got,
directly or through others, the better of him and the worse of him.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludograph.arena.ratings.stages import Ints, Stages

Relation = NDArray[np.bool_]


def scored(found: list[Stages], players: int) -> Relation:
    """Return bool[players, players]: whether one came before another in a game, or tied with it."""
    relation = np.zeros((players, players), np.bool_)
    for stage in found:
        for number, outcome in enumerate(stage.outcomes):
            rows = stage.players[stage.chosen == number]
            for column in outcome:
                relation[rows[:, [column]], rows] = True
    return relation


def closure(relation: Relation) -> Relation:
    """Return who reaches whom by any number of steps, none included."""
    reached = relation | np.eye(len(relation), dtype=np.bool_)
    while True:
        number = reached.astype(np.float32)
        further = number @ number > 0
        if (further == reached).all():
            return further
        reached = further


def groups(relation: Relation) -> Ints:
    """Return a number per player, the same for those that are joined by games: 0 for most."""
    joined = closure(relation | relation.T)
    first = joined.argmax(1)
    size = np.bincount(first)
    leaders = np.flatnonzero(size)
    order = leaders[np.lexsort((leaders, -size[leaders]))]
    place = np.zeros(len(relation), np.int64)
    place[order] = np.arange(len(order))
    return place[first]


def bounded(reaches: Relation, group: Ints, reference: int | None) -> tuple[Relation, Relation]:
    """Return whether games bound each player's strength from below and from above.

    Parameters
    ----------
    reaches
        The closure of who scored against whom.
    reference
        The player against whom strengths are measured; None, or one of another group: the mean of
        the player's own group.
    """
    same = group[:, None] == group
    below = (reaches | ~same).all(1)
    above = (reaches | ~same).all(0)
    if reference is not None:
        mine = same[reference]
        below = np.where(mine, reaches[:, reference], below)
        above = np.where(mine, reaches[reference], above)
    return below, above
