"""Planarity: whether a graph can be drawn without crossings, and its faces.

Each block (a part without cut vertex) is embedded by itself, by networkx, in several ways; of these
the one whose inner faces are most alike is drawn. Blocks that share a vertex are placed beside each
other, in each other's longest faces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Walk = list[int]
"""The vertices around a face; a vertex is repeated if the face touches it several times."""

EMBEDDINGS = 8
"""The most embeddings of a block that are compared, each begun at another vertex. If two are alike,
there is hardly a third."""


def face_walks(neighbors: Sequence[Sequence[int]]) -> list[Walk] | None:
    """Return the faces of a connected graph drawn in the plane, or None if it is not planar.

    Every edge is in the walks twice, once in each direction. The time grows with the number of
    edges.

    Parameters
    ----------
    neighbors
        The neighbors of each vertex.

    Examples
    --------
    >>> sorted(map(len, face_walks([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])))
    [3, 3, 3, 3]
    """
    import networkx as nx

    graph = nx.Graph((v, u) for v, row in enumerate(neighbors) for u in row)
    around: dict[int, Walk] = {}
    for vertices in nx.biconnected_components(graph):
        embeddings: dict[int, Mapping[int, Walk]] = {}
        order = sorted(vertices)
        for start in range(0, len(order), -(-len(order) // EMBEDDINGS)):
            block = nx.Graph()
            block.add_nodes_from(order[start:] + order[:start])
            block.add_edges_from(graph.subgraph(vertices).edges)
            planar, embedding = nx.check_planarity(block)
            if not planar:
                return None
            turns = embedding.get_data()
            if (unevenness := _unevenness(turns)) in embeddings:
                break
            embeddings[unevenness] = turns
        for v, turn in _from_longest_face(embeddings[min(embeddings)]).items():
            around.setdefault(v, []).extend(turn)
    return _walks(around)


def _unevenness(around: Mapping[int, Walk]) -> int:
    """Return the squared lengths of all faces but the longest, which will be the outer face."""
    return sum(length**2 for length in sorted(map(len, _walks(around)))[:-1])


def _from_longest_face(around: Mapping[int, Walk]) -> dict[int, Walk]:
    """Return the neighbors around each vertex in order; its longest face is before the first."""
    opening: dict[int, tuple[int, int]] = {}
    for walk in _walks(around):
        for i, v in enumerate(walk):
            opening[v] = max(opening.get(v, (0, 0)), (len(walk), walk[(i + 1) % len(walk)]))
    turns = {}
    for v, turn in around.items():
        first = turn.index(opening[v][1])
        turns[v] = turn[first:] + turn[:first]
    return turns


def _walks(around: Mapping[int, Walk]) -> list[Walk]:
    """Return the faces, from the neighbors around each vertex in order."""
    following = {
        (u, v): turn[(place + 1) % len(turn)]
        for v, turn in around.items()
        for place, u in enumerate(turn)
    }
    walks = []
    while following:
        dart = next(iter(following))
        walk = []
        while dart in following:
            walk.append(dart[1])
            dart = dart[1], following.pop(dart)
        walks.append(walk)
    return walks
