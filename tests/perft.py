"""Perft: how many lines of play there are of each length, chance included.

Rules that agree in these numbers agree in what is legal, and in when a game is over, in every
position that the lines lead through.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, Self

from ludograph import rules
from ludograph.games import Position


class Node(Protocol):
    """A position: by the rules, by a reference, by another program."""

    def moves(self) -> Sequence[int]: ...

    def after(self, code: int, /) -> Self: ...

    def key(self) -> Hashable:
        """Return a value that nodes of one ply have only if all that follows is equal."""


def perft(node: Node, depth: int) -> list[int]:
    """Return how many lines of 0, 1, ... plies there are."""
    counts, level = [1], [(node, 1)]
    for left in reversed(range(depth)):
        counts.append(sum(len(one.moves()) * lines for one, lines in level))
        below: dict[Hashable, tuple[Node, int]] = {}
        for one, lines in level if left else []:
            for move in one.moves():
                after = one.after(move)
                _, before = below.get(after.key(), (after, 0))
                below[after.key()] = (after, before + lines)
        level = list(below.values())
    return counts


class ByRules:
    """A position by the rules of the project."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def moves(self) -> list[int]:
        return self.position.legal_moves()

    def after(self, code: int) -> ByRules:
        twin = self.position.copy()
        rules.play(twin.setup, twin.state, code)
        return ByRules(twin)

    def key(self) -> int:
        return int(rules.key(self.position.setup, self.position.state))
