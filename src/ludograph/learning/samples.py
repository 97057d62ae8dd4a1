"""Positions to learn from, and batches of them.

Positions have different numbers of moves, and moves touch different numbers of vertices. So the
data of moves is in one row, move after move and position after position, and counts give the part
of each position. A batch has the same layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.rules.products import Floats

Ints = npt.NDArray[np.int32]

SMALLEST_CAPACITY = 64
"""The least capacity of a batch for moves and for touched vertices."""


class Samples(NamedTuple):
    """Positions of one board, with a network's targets."""

    vertices: npt.NDArray[Any]
    """Floats ``[rows, n, vertex_features]``: what the seat to move sees."""
    game: Floats
    """``float32[rows, game_features]``"""
    counts: Ints
    """``int32[rows]``: the number of legal moves."""
    kinds: Ints
    """``int32[moves]``: of the moves of all positions."""
    sizes: Ints
    """``int32[moves]``: the number of vertices that each move touches."""
    touched: Ints
    """``int32[sum of sizes]``: these vertices."""
    policy: Floats
    """``float32[moves]``: the improved policy; meaningless without a search."""
    weights: Floats
    """``float32[rows]``: the weight of the policy; 0 if there is none."""
    values: Floats
    """``float32[rows, values]``: from the seat to move on, from -1, lost, to 1, won."""
    final: Ints
    """``int32[rows]``: the row of ``finals``."""
    finals: npt.NDArray[Any]
    """Floats ``[finals, n, vertex_features]``: the end of a game as the seat to move sees it."""


def joined(parts: Sequence[Samples]) -> Samples:
    """Return the positions of several parts, in their order."""
    firsts = np.cumsum([0, *(part.finals.shape[0] for part in parts)])
    arrays = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in Samples._fields
    }
    arrays["final"] = np.concatenate(
        [part.final + first for part, first in zip(parts, firsts, strict=False)]
    ).astype(np.int32)
    return Samples(**arrays)


def narrowest(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array in half precision if that changes no number."""
    half = array.astype(np.float16)
    return half if np.array_equal(half.astype(array.dtype), array) else array


def spans(firsts: npt.NDArray[Any], counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the places of parts of a row, one part after the other.

    Examples
    --------
    >>> spans(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(counts) - counts
    return np.repeat(firsts - before, counts) + np.arange(int(counts.sum()))


class Index(NamedTuple):
    """Samples with the places where moves and touched vertices of each row begin."""

    samples: Samples
    moves: npt.NDArray[np.int64]
    """``int64[rows + 1]``"""
    vertices: npt.NDArray[np.int64]
    """``int64[moves + 1]``"""


def indexed(samples: Samples) -> Index:
    """Return samples with the places where rows begin."""
    return Index(
        samples,
        np.append(0, np.cumsum(samples.counts, dtype=np.int64)),
        np.append(0, np.cumsum(samples.sizes, dtype=np.int64)),
    )


class Batch(NamedTuple):
    """A batch of positions as a network sees them, in ``parts`` of one board each.

    ``rows`` is the number of positions in a part. ``moves`` and ``entries`` are at least the moves
    of all positions and the vertices that they touch. The padding has no meaning: its moves belong
    to the row ``parts * rows``, its entries to the move ``moves``.
    """

    vertices: Any
    """``float32[parts, rows, n, vertex_features]``, filled up with zeros."""
    game: Any
    """``float32[parts, rows, game_features]``"""
    related: Any
    """``float32[parts, relations, n, n]``: row ``v`` has the shares of a mean over the vertices
    that ``v`` is related to."""
    mask: Any
    """``float32[parts, n]``: 1 for a vertex, 0 for filling."""
    owners: Any
    """``int32[moves]``: the row of each move."""
    kinds: Any
    """``int32[moves]``"""
    logarithms: Any
    """``float32[moves]``: of 1 + the number of vertices that the move touches."""
    entry_moves: Any
    """``int32[entries]``: the move that touches."""
    entry_places: Any
    """``int32[entries]``: ``(row * n + vertex) * slots + slot``."""
    entry_shares: Any
    """``float32[entries]``: of the mean over a slot."""


class Targets(NamedTuple):
    """The targets for the positions of a batch."""

    policy: Any
    """``float32[moves]``"""
    weights: Any
    """``float32[parts * rows]``"""
    values: Any
    """``float32[parts * rows, values]``"""
    finals: Any
    """``float32[parts, rows, n, vertex_features]``"""


class Surface(NamedTuple):
    """A board in a batch, padded to the most vertices of all boards."""

    related: Floats
    """``float32[relations, n, n]``"""
    mask: Floats
    """``float32[n]``"""


def surface_of(offsets: Ints, targets: Ints, vertices: int, size: int) -> Surface:
    """Return a board with some vertices, padded to a size.

    Parameters
    ----------
    offsets, targets
        See :func:`ludograph.search.network.forward.relations_of`.
    """
    related = np.zeros((offsets.shape[0], size, size), np.float32)
    for relation, own in enumerate(offsets):
        for vertex in range(vertices):
            others = targets[own[vertex] : own[vertex + 1]]
            if others.size:
                np.add.at(related[relation, vertex], others, np.float32(1.0 / others.size))
    return Surface(related, (np.arange(size) < vertices).astype(np.float32))


class BatchCapacity:
    """The capacity of batches for moves and for the vertices that they touch: it only grows.

    Each size is compiled by itself, which takes longer than many steps; so there are few.
    """

    def __init__(self) -> None:
        self.moves = self.entries = 0
        self.lock = Lock()

    def fit(self, moves: int, entries: int) -> tuple[int, int]:
        """Enlarge the capacity, with a reserve for other batches; return it."""
        with self.lock:
            if moves > self.moves or entries > self.entries:
                self.moves = max(self.moves, with_reserve(moves))
                self.entries = max(self.entries, with_reserve(entries))
            return self.moves, self.entries


def batch_of(
    parts: Sequence[tuple[Surface, Index, npt.NDArray[np.int64]]],
    slots: int,
    capacity: BatchCapacity,
) -> tuple[Batch, Targets]:
    """Return some rows of samples as a batch.

    Parameters
    ----------
    parts
        Board, samples and rows of each part, which have as many rows.
    slots
        Of the network.
    capacity
        Of the batch, enlarged if needed.
    """
    n = parts[0][0].mask.size
    whole = [rows_of(index, rows) for _, index, rows in parts]
    owners, kinds, sizes, touched, policy = (
        np.concatenate(each) for each in zip(*(part[2:] for part in whole), strict=True)
    )
    counts = parts[0][2].size
    for number, part in enumerate(whole[1:], 1):
        first = sum(other.owners.size for other in whole[:number])
        owners[first : first + part.owners.size] += number * counts
    moves, entries = capacity.fit(kinds.size, touched.size)
    total = counts * len(parts)
    entry_moves = np.repeat(np.arange(kinds.size), sizes)
    inside = np.arange(touched.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    slot = np.minimum(inside, slots - 1)
    shared = np.maximum(np.repeat(sizes, sizes) - (slots - 1), 1)
    shares = np.where(slot == slots - 1, 1.0 / shared, 1.0)
    places = (owners[entry_moves] * n + touched) * slots + slot
    batch = Batch(
        vertices=filled_up([part.vertices for part in whole], n),
        game=np.stack([part.game for part in whole]).astype(np.float32),
        related=np.stack([surface.related for surface, _, _ in parts]),
        mask=np.stack([surface.mask for surface, _, _ in parts]),
        owners=padded(owners, moves, total),
        kinds=padded(kinds, moves, 0),
        logarithms=padded(np.log1p(sizes).astype(np.float32), moves, 0.0),
        entry_moves=padded(entry_moves.astype(np.int32), entries, moves),
        entry_places=padded(places.astype(np.int32), entries, 0),
        entry_shares=padded(shares.astype(np.float32), entries, 0.0),
    )
    chosen = [(index.samples, rows) for _, index, rows in parts]
    targets = Targets(
        policy=padded(policy, moves, 0.0),
        weights=np.concatenate([samples.weights[rows] for samples, rows in chosen]),
        values=np.concatenate([samples.values[rows] for samples, rows in chosen]),
        finals=filled_up([samples.finals[samples.final[rows]] for samples, rows in chosen], n),
    )
    return batch, targets


class SampleRows(NamedTuple):
    """Some rows of samples; except for ``owners``, the arrays are those of :class:`Samples`."""

    vertices: npt.NDArray[Any]
    """Floats ``[rows, n, vertex_features]``"""
    game: Floats
    """``float32[rows, game_features]``"""
    owners: Ints
    """``int32[moves]``: the row of each move, from 0."""
    kinds: Ints
    """``int32[moves]``"""
    sizes: Ints
    """``int32[moves]``"""
    touched: Ints
    """``int32[sum of sizes]``"""
    policy: Floats
    """``float32[moves]``"""


def rows_of(index: Index, rows: npt.NDArray[np.int64]) -> SampleRows:
    """Return some rows of samples."""
    samples = index.samples
    counts = samples.counts[rows]
    moves = spans(index.moves[rows], counts)
    sizes = samples.sizes[moves]
    touched = spans(index.vertices[moves], sizes)
    return SampleRows(
        vertices=samples.vertices[rows],
        game=samples.game[rows],
        owners=np.repeat(np.arange(rows.size, dtype=np.int32), counts),
        kinds=samples.kinds[moves],
        sizes=sizes,
        touched=samples.touched[touched],
        policy=samples.policy[moves],
    )


def with_reserve(number: int) -> int:
    """Return a number and a third more, but at least the smallest capacity."""
    return int(max(SMALLEST_CAPACITY, number + number // 3))


def padded(array: npt.NDArray[Any], size: int, filling: float) -> npt.NDArray[Any]:
    """Return an array with a filling behind it."""
    return np.concatenate([array, np.full(size - array.size, filling, array.dtype)])


def filled_up(parts: Sequence[npt.NDArray[Any]], n: int) -> Floats:
    """Return features of vertices with zeros behind those of smaller boards."""
    rows, _, features = parts[0].shape
    found = np.zeros((len(parts), rows, n, features), np.float32)
    for number, part in enumerate(parts):
        found[number, :, : part.shape[1]] = part
    return found


def check_alike(boards: Sequence[str], features: Sequence[tuple[int, ...]]) -> None:
    """Raise InvalidInput if the positions of boards cannot be in one batch."""
    for board, found in zip(boards, features, strict=True):
        if found != features[0]:
            raise InvalidInput(
                f"positions on {board} have other features than those on {boards[0]}: "
                "learn on these boards in two runs"
            )
