"""Planarity: a test whether a graph can be drawn without crossings, and its faces.

Each block (a part without cut vertex) is drawn by itself, path by path, after G. Demoucron, Y.
Malgrange and R. Pertuiset, *Graphes planaires: reconnaissance et construction de representations
planaires topologiques* (1964); then blocks that share a vertex are placed beside each other, in
each other's longest faces.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

Walk = list[int]
"""The vertices around a face; a vertex is repeated if the face touches it several times."""

Adjacency = dict[int, set[int]]


def face_walks(neighbors: Sequence[Sequence[int]]) -> list[Walk] | None:
    """Return the faces of a connected graph drawn in the plane, or None if it is not planar.

    Every edge is in the walks twice, once in each direction. At most O(n e), much less on usual
    graphs.

    Parameters
    ----------
    neighbors
        The neighbors of each vertex.

    Examples
    --------
    >>> sorted(map(len, face_walks([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])))
    [3, 3, 3, 3]
    """
    n = len(neighbors)
    if n > 2 and sum(map(len, neighbors)) // 2 > 3 * n - 6:
        return None
    around: list[list[Walk]] = [[] for _ in range(n)]
    for block in blocks(neighbors):
        walks = _block_faces(block)
        if walks is None:
            return None
        for v, turn in _rotations(walks).items():
            around[v].append(turn)
    return _walks([[u for turn in turns for u in turn] for turns in around])


def blocks(neighbors: Sequence[Sequence[int]]) -> list[Adjacency]:
    """Return the blocks of a connected graph, each with its edges; a bridge is a block, too."""
    n = len(neighbors)
    depth, low, parent = [-1] * n, [0] * n, [-1] * n
    depth[0] = 0
    stack = [(0, iter(neighbors[0]))]
    edges: list[tuple[int, int]] = []
    found: list[Adjacency] = []
    while stack:
        v, rest = stack[-1]
        u = next(rest, None)
        if u is None:
            stack.pop()
            above = parent[v]
            if above < 0:
                continue
            low[above] = min(low[above], low[v])
            if low[v] >= depth[above]:
                cut = edges.index((above, v))
                found.append(_adjacency(edges[cut:]))
                del edges[cut:]
        elif depth[u] < 0:
            depth[u] = low[u] = depth[v] + 1
            parent[u] = v
            edges.append((v, u))
            stack.append((u, iter(neighbors[u])))
        elif u != parent[v] and depth[u] < depth[v]:
            low[v] = min(low[v], depth[u])
            edges.append((v, u))
    return found


def _adjacency(edges: list[tuple[int, int]]) -> Adjacency:
    joined: Adjacency = {}
    for u, v in edges:
        joined.setdefault(u, set()).add(v)
        joined.setdefault(v, set()).add(u)
    return joined


class _Fragment:
    """A part of a block that is not drawn yet: drawn contacts, inner vertices, possible faces."""

    def __init__(self, contacts: frozenset[int], inside: frozenset[int]) -> None:
        self.contacts = contacts
        self.inside = inside
        self.faces: set[int] = set()

    def path(self, block: Adjacency) -> Walk:
        """Return a shortest path through the fragment from one contact to another."""
        first = min(self.contacts)
        if not self.inside:
            return [first, max(self.contacts)]
        before = dict.fromkeys(sorted(block[first] & self.inside), first)
        queue = list(before)
        for v in queue:  # the loop appends to it
            ends = (block[v] & self.contacts) - {first}
            if ends:
                path = [min(ends), v]
                while path[-1] != first:
                    path.append(before[path[-1]])
                return path[::-1]
            for u in sorted(block[v] & self.inside):
                if u not in before:
                    before[u] = v
                    queue.append(u)
        raise AssertionError("a fragment of a block has two contacts")


def _block_faces(block: Adjacency) -> list[Walk] | None:
    """Return the faces of a block, or None if it is not planar."""
    if len(block) == 2:
        return [sorted(block)]
    cycle = _cycle(block)
    faces: dict[int, Walk] = {0: cycle, 1: cycle[::-1]}
    drawn = set(cycle)
    left = {v: set(joined) for v, joined in block.items()}
    _remove(left, [*cycle, cycle[0]])
    fragments = _fragments(left, drawn, set(block))
    for fragment in fragments:
        fragment.faces = {f for f, walk in faces.items() if fragment.contacts <= set(walk)}
    while fragments:
        chosen = min(fragments, key=lambda fragment: len(fragment.faces))
        if not chosen.faces:
            return None
        fragments.remove(chosen)
        face, path = min(chosen.faces), chosen.path(block)
        halves = _split(faces.pop(face), path)
        numbers = (face, len(faces) + 1)
        faces.update(zip(numbers, halves, strict=True))
        drawn.update(path)
        _remove(left, path)
        parts = _fragments(left, drawn, set(chosen.inside) | chosen.contacts, chosen)
        for fragment in (*fragments, *parts):
            if face in fragment.faces or fragment in parts:
                near = numbers if fragment not in parts else tuple(faces)
                fragment.faces -= {face}
                fragment.faces |= {f for f in near if fragment.contacts <= set(faces[f])}
        fragments += parts
    return list(faces.values())


def _cycle(block: Adjacency) -> Walk:
    """Return a cycle: a shortest one through an edge of the first vertex."""
    first = min(block)
    second = min(block[first])
    before = {second: second}
    queue = [second]
    for v in queue:  # the loop appends to it
        for u in sorted(block[v]):
            if u not in before and (v, u) != (second, first):
                before[u] = v
                queue.append(u)
    path = [first]
    while path[-1] != second:
        path.append(before[path[-1]])
    return path


def _remove(left: Adjacency, path: Walk) -> None:
    for u, v in itertools.pairwise(path):
        left[u].discard(v)
        left[v].discard(u)


def _fragments(
    left: Adjacency, drawn: set[int], where: set[int], within: _Fragment | None = None
) -> list[_Fragment]:
    """Return the fragments among some vertices, from the edges that are not drawn yet."""
    found, seen = [], set()
    for start in sorted(where - drawn):
        if start in seen:
            continue
        seen.add(start)
        inside, contacts = [start], set()
        for v in inside:  # the loop appends to it
            for u in left[v]:
                if u in drawn:
                    contacts.add(u)
                elif u not in seen:
                    seen.add(u)
                    inside.append(u)
        found.append(_Fragment(frozenset(contacts), frozenset(inside)))
    for v in sorted(where & drawn):
        for u in left[v]:
            lone = u in drawn and v < u
            # A chord between old contacts is a fragment of its own already.
            if lone and u in where and (within is None or {u, v} & within.inside):
                found.append(_Fragment(frozenset((u, v)), frozenset()))
    return found


def _split(face: Walk, path: Walk) -> tuple[Walk, Walk]:
    """Return the two faces into which a path from one vertex of a face to another cuts it."""
    at = face.index(path[0])
    face = face[at:] + face[:at]
    end = face.index(path[-1])
    return face[: end + 1] + path[-2:0:-1], face[end:] + path[:-1]


def _rotations(walks: list[Walk]) -> dict[int, Walk]:
    """Return the neighbors around each vertex in order; its longest face is before the first."""
    after: dict[int, dict[int, int]] = {}
    opening: dict[int, tuple[int, int]] = {}
    for walk in walks:
        for i, v in enumerate(walk):
            before, following = walk[i - 1], walk[(i + 1) % len(walk)]
            after.setdefault(v, {})[before] = following
            opening[v] = max(opening.get(v, (0, 0)), (len(walk), following))
    turns = {}
    for v, neighbor_after in after.items():
        turn = [opening[v][1]]
        while len(turn) < len(neighbor_after):
            turn.append(neighbor_after[turn[-1]])
        turns[v] = turn
    return turns


def _walks(around: list[Walk]) -> list[Walk]:
    """Return the faces, from the neighbors around each vertex in order."""
    following = {
        (u, v): turn[(place + 1) % len(turn)]
        for v, turn in enumerate(around)
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
