"""The region graph: the board's graph with each connected set of one color merged to a region."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled

IntArray = npt.NDArray[np.int32]


def contract(
    offsets: IntArray, neighbors: IntArray, coloring: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Return the region graph of a coloring; O(vertices + edges).

    Parameters
    ----------
    offsets, neighbors
        The graph as CSR: ``int32[n + 1]``, ``int32[2 * edges]``.
    coloring
        The color of each vertex, ``int32[n]``.

    Returns
    -------
    region_offsets, region_neighbors, sizes, colors, region_of
        The region graph as CSR without parallel links (``int32[regions + 1]``, ``int32[links]``),
        the number of vertices and the color of each region (``int32[regions]``), and each vertex's
        region (``int32[n]``). Regions are numbered in the order of their lowest vertices.
    """
    vertices = coloring.size
    region_of = np.full(vertices, -1, np.int32)
    members = np.empty(vertices, np.int32)
    firsts = np.empty(vertices + 1, np.int32)
    regions = label_regions(offsets, neighbors, coloring, region_of, members, firsts)
    firsts = firsts[: regions + 1]
    region_offsets = np.empty(regions + 1, np.int32)
    links = np.empty(neighbors.size, np.int32)
    seen = np.full(regions, -1, np.int32)
    used = link_regions(offsets, neighbors, region_of, members, firsts, seen, region_offsets, links)
    colors = coloring[members[firsts[:-1]]].astype(np.int32)
    return region_offsets, links[:used].copy(), np.diff(firsts), colors, region_of


@compiled
def label_regions(
    offsets: IntArray,
    neighbors: IntArray,
    coloring: IntArray,
    region_of: IntArray,
    members: IntArray,
    firsts: IntArray,
) -> int:
    """Number the regions, and return their number.

    It writes the region of each vertex to ``region_of``, which must be -1 everywhere before; the
    vertices of each region to ``members``, from place ``firsts[region]`` on.
    """
    regions = 0
    filled = 0
    for seed in range(coloring.size):
        if region_of[seed] >= 0:
            continue
        firsts[regions] = filled
        region_of[seed] = regions
        members[filled] = seed
        done = filled
        filled += 1
        while done < filled:  # members is also the queue of the breadth-first search
            vertex = members[done]
            done += 1
            for slot in range(offsets[vertex], offsets[vertex + 1]):
                other = neighbors[slot]
                if region_of[other] < 0 and coloring[other] == coloring[seed]:
                    region_of[other] = regions
                    members[filled] = other
                    filled += 1
        regions += 1
    firsts[regions] = filled
    return regions


@compiled
def link_regions(
    offsets: IntArray,
    neighbors: IntArray,
    region_of: IntArray,
    members: IntArray,
    firsts: IntArray,
    seen: IntArray,
    region_offsets: IntArray,
    links: IntArray,
) -> int:
    """Write the neighbors of each region, each once; return the number of links.

    ``seen[other]`` is the last region that has ``other`` among its neighbors; it must be -1
    everywhere before.
    """
    used = 0
    for region in range(firsts.size - 1):
        region_offsets[region] = used
        for index in range(firsts[region], firsts[region + 1]):
            vertex = members[index]
            for slot in range(offsets[vertex], offsets[vertex + 1]):
                other = region_of[neighbors[slot]]
                if other != region and seen[other] != region:
                    seen[other] = region
                    links[used] = other
                    used += 1
    region_offsets[firsts.size - 1] = used
    return used
