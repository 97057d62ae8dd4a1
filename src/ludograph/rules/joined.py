"""Observations of games on different boards as one graph, without room between them.

A graph network of any library reads it: PyTorch Geometric and Jraph join graphs in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.rules.layout import Setup
from ludograph.rules.observer import Arrays, Observer, sizes_of

Int32s = npt.NDArray[np.int32]


class JoinedGraphs(NamedTuple):
    """The graphs of many games as one: the vertices of each game stand behind those before it.

    Attributes
    ----------
    offsets
        ``int32[games + 1]``: the first vertex of each game, and their number.
    edges
        ``int32[2, links]``: the pairs of neighboring vertices, each pair in both directions. A game
        whose observation has other vertices than its board has none.
    """

    offsets: Int32s
    edges: Int32s


def edges_of(board: Board) -> Int32s:
    """Return the pairs of neighboring vertices, in both directions: ``int32[2, links]``."""
    rows = np.repeat(np.arange(board.n), np.diff(board.offsets))
    return np.stack([rows, board.neighbors]).astype(np.int32)


def joined_graphs(games: Sequence[tuple[Setup, Board]]) -> JoinedGraphs:
    """Return the graphs of games as one, from the setup and the board of each game."""
    known: dict[int, tuple[int, Int32s]] = {}
    for setup, board in games:
        if id(setup) not in known:
            vertices, edges = sizes_of(setup).vertices, edges_of(board)
            known[id(setup)] = vertices, edges if vertices == board.n else edges[:, :0]
    parts = [known[id(setup)] for setup, _ in games]
    offsets = first_of([vertices for vertices, _ in parts])
    found = [edges + first for (_, edges), first in zip(parts, offsets, strict=False)]
    return JoinedGraphs(offsets, np.concatenate(found, axis=1))


def joined(observer: Observer, graphs: JoinedGraphs) -> Arrays:
    """Return an observation of all games as one graph, in new arrays but for those of ``graphs``.

    Returns
    -------
    vertices, game
        ``float32[all vertices, vertex_features]``, ``float32[games, game_features]``.
    offsets, edges
        See :class:`JoinedGraphs`.
    moves, actions
        ``int32[all moves]``: the codes of all legal moves, and their actions.
    move_offsets
        ``int32[games + 1]``: the first move of each game, and their number. An ended game has none.
    kinds, touched, touched_offsets
        With ``touches``: ``int32[all moves]``, the kind of each move; the vertices that all moves
        touch; and ``int32[all moves + 1]``, the first of them for each move.
    """
    arrays, counts = observer.arrays, observer.counts
    listed = head(arrays["moves"], counts)
    moves = arrays["moves"][listed]
    found = {
        "vertices": arrays["vertices"][head(arrays["vertices"], np.diff(graphs.offsets))],
        "game": arrays["game"].copy(),
        "offsets": graphs.offsets,
        "edges": graphs.edges,
        "moves": moves,
        "actions": moves if observer.by_code else np.nonzero(listed)[1].astype(np.int32),
        "move_offsets": first_of(counts),
    }
    if observer.touches:
        ends = arrays["ends"]
        totals = np.where(counts > 0, ends[np.arange(counts.size), counts - 1], 0)
        touched = arrays["touched"][head(arrays["touched"], totals)]
        found["kinds"] = arrays["kinds"][listed]
        found["touched"] = touched + np.repeat(graphs.offsets[:-1], totals)
        ends = ends[listed] + np.repeat(first_of(totals)[:-1], counts)
        found["touched_offsets"] = np.concatenate([[0], ends]).astype(np.int32)
    return found


def first_of(counts: npt.ArrayLike) -> Int32s:
    """Return where each part begins, and the end of the last: ``int32[parts + 1]``."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def head(array: npt.NDArray[np.generic], counts: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return which of the entries of each row are its first ``counts``: ``bool[rows, entries]``."""
    return np.arange(array.shape[1]) < counts[:, None]
