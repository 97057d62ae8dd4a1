"""Samples of several boards in one batch: what stands where."""

from __future__ import annotations

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.learning.samples import (
    BatchCapacity,
    Samples,
    batch_of,
    check_alike,
    indexed,
    joined,
    narrowest,
    surface_of,
)


def samples(n, counts, sizes, first=0):
    """Return positions whose numbers tell them apart."""
    rows, moves, touched = len(counts), sum(counts), sum(sizes)
    return Samples(
        vertices=np.arange(rows * n * 2, dtype=np.float32).reshape(rows, n, 2) + first,
        game=np.arange(rows, dtype=np.float32)[:, None] + first,
        counts=np.array(counts, np.int32),
        kinds=np.arange(moves, dtype=np.int32) % 3,
        sizes=np.array(sizes, np.int32),
        touched=np.arange(touched, dtype=np.int32) % n,
        policy=np.arange(moves, dtype=np.float32),
        weights=np.ones(rows, np.float32),
        values=np.zeros((rows, 1), np.float32),
        final=np.arange(rows, dtype=np.int32)[::-1].copy(),
        finals=np.arange(rows * n * 2, dtype=np.float32).reshape(rows, n, 2) * -1,
    )


def path(n, size):
    """Return a path as a surface."""
    others = [[v for v in (u - 1, u + 1) if 0 <= v < n] for u in range(n)]
    offsets = np.cumsum([0, *map(len, others)])[None].astype(np.int32)
    return surface_of(offsets, np.concatenate(others).astype(np.int32), n, size)


def test_a_batch_of_two_boards_keeps_each_move_with_its_row() -> None:
    small, large = samples(2, [2, 1], [1, 0, 2]), samples(4, [1, 3], [1, 2, 3, 1], first=100)
    capacity = BatchCapacity()
    parts = [
        (path(2, 4), indexed(small), np.array([1, 0])),
        (path(4, 4), indexed(large), np.array([1, 1])),
    ]
    seen, targets = batch_of(parts, 2, capacity)
    moves = 3 + 6
    assert seen.vertices.shape == (2, 2, 4, 2)
    np.testing.assert_array_equal(seen.vertices[0, 0, :2], small.vertices[1])
    assert not seen.vertices[0, :, 2:].any()
    assert seen.owners[:moves].tolist() == [0, 1, 1, 2, 2, 2, 3, 3, 3]
    assert set(seen.owners[moves:].tolist()) == {4}
    assert seen.kinds[:3].tolist() == [2, 0, 1]
    assert targets.policy[:3].tolist() == [2.0, 0.0, 1.0]
    np.testing.assert_array_equal(targets.finals[1, 0], large.finals[0])
    # Of the first move of row 3 both vertices are told apart, of the second two share a slot.
    of_row_3 = [entry for entry, move in enumerate(seen.entry_moves) if move in (6, 7)]
    assert [int(seen.entry_places[entry]) % 2 for entry in of_row_3] == [0, 1, 0, 1, 1]
    assert seen.entry_shares[of_row_3].tolist() == [1.0, 1.0, 1.0, 0.5, 0.5]
    assert {int(seen.entry_places[entry]) // 2 // 4 for entry in of_row_3} == {3}


def test_rooms_only_grow() -> None:
    capacity = BatchCapacity()
    capacity.fit(100, 1000)
    before = capacity.moves, capacity.entries
    capacity.fit(50, 20)
    assert (capacity.moves, capacity.entries) == before
    capacity.fit(before[0] + 1, 1)
    assert capacity.moves > before[0]
    assert capacity.entries == before[1]


def test_joined_samples_keep_their_ends() -> None:
    one, other = samples(3, [1, 2], [1, 1, 1]), samples(3, [2, 1], [0, 1, 2], first=7)
    both = joined([one, other])
    for row in range(2):
        np.testing.assert_array_equal(
            both.finals[both.final[2 + row]], other.finals[other.final[row]]
        )
    assert both.counts.tolist() == [1, 2, 2, 1]


def test_half_precision_changes_no_number() -> None:
    assert narrowest(np.array([0.0, 1.0, 0.5], np.float32)).dtype == np.float16
    assert narrowest(np.array([0.1], np.float32)).dtype == np.float32
    with np.errstate(over="ignore"):
        assert narrowest(np.array([1e6], np.float32)).dtype == np.float32


def test_shares_of_a_surface_are_means() -> None:
    surface = path(3, 5)
    assert surface.related[0].sum(axis=1).tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]
    assert surface.related[0, 1].tolist() == [0.5, 0.0, 0.5, 0.0, 0.0]
    assert surface.mask.tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]


def test_boards_with_other_features_are_refused() -> None:
    check_alike(["a", "b"], [(1, 2), (1, 2)])
    with pytest.raises(InvalidInput, match=r"\bfeatures\b"):
        check_alike(["a", "b"], [(1, 2), (1, 3)])
