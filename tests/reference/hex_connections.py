"""H-search, written a second time: both rules, again and again, until nothing new comes of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from itertools import combinations

Node = Hashable
Carrier = frozenset


class Known:
    """The least carriers of connections by their two nodes."""

    def __init__(self) -> None:
        self.carriers: defaultdict[frozenset, set[Carrier]] = defaultdict(set)

    def of(self, one: Node, other: Node) -> set[Carrier]:
        return set(self.carriers.get(frozenset((one, other)), ()))

    def add(self, one: Node, other: Node, carrier: Carrier) -> bool:
        """Note a carrier unless a part of it will do; tell whether it is new."""
        kept = self.carriers[frozenset((one, other))]
        if any(known <= carrier for known in kept):
            return False
        kept -= {known for known in kept if carrier < known}
        kept.add(carrier)
        return True


def connections(neighbors: Mapping[Node, Iterable[Node]], free: set[Node]) -> tuple[Known, Known]:
    """Return all virtual and all semi connections that follow.

    Args:
        neighbors: of each free cell, each group of own stones and each border.
        free: which of them are free cells.

    """
    virtual, semi = Known(), Known()
    for node, others in neighbors.items():
        for other in others:
            virtual.add(node, other, frozenset())
    new = True
    while new:
        new = _apply_and(list(neighbors), free, virtual, semi)
        new |= _apply_or(list(neighbors), virtual, semi)
    return virtual, semi


def _apply_and(nodes: list[Node], free: set[Node], virtual: Known, semi: Known) -> bool:
    new = False
    for middle in nodes:
        for one, other in combinations([node for node in nodes if node != middle], 2):
            for first in virtual.of(one, middle):
                for second in virtual.of(middle, other):
                    if first & second or one in second or other in first:
                        continue
                    if middle in free:
                        new |= semi.add(one, other, first | second | {middle})
                    else:
                        new |= virtual.add(one, other, first | second)
    return new


def _apply_or(nodes: list[Node], virtual: Known, semi: Known, most: int = 4) -> bool:
    new = False
    for one, other in combinations(nodes, 2):
        carriers = semi.of(one, other)
        for count in range(2, most + 1):
            for several in combinations(carriers, count):
                if not frozenset.intersection(*several):
                    new |= virtual.add(one, other, frozenset.union(*several))
    return new


def connects(
    neighbors: Mapping[Node, Iterable[Node]],
    own: Iterable[Node],
    carrier: Iterable[Node],
    one: Node,
    other: Node,
    moves_first: bool,
) -> bool:
    """Tell whether a player on a carrier, with its own nodes, always joins two nodes.

    Every line of play is looked at. Who cuts takes cells away.
    """
    everything = frozenset(carrier)

    @cache
    def wins(mine: frozenset, left: frozenset, my_turn: bool) -> bool:
        if _joined(mine, one, other):
            return True
        if not left:
            return False
        if my_turn:
            return any(wins(mine | {cell}, left - {cell}, False) for cell in left)
        return all(wins(mine, left - {cell}, True) for cell in left)

    def _joined(mine: frozenset, start: Node, end: Node) -> bool:
        seen, waiting = {start}, [start]
        while waiting:
            for near in neighbors[waiting.pop()]:
                if near == end:
                    return True
                if near in mine and near not in seen:
                    seen.add(near)
                    waiting.append(near)
        return False

    return wins(frozenset(own) | {one, other}, everything, moves_first)
