"""Perft: how many lines of play there are of each length, chance included.

Rules that agree in these numbers agree in what is legal, and in when a game is over, in every
position that the lines lead through.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Protocol

from ludograph import rules
from ludograph.games import Position


class Way(Protocol):
    """A way to play on from a node: by the rules, by a reference, by another program."""

    def moves(self, node: Any) -> Sequence[Any]: ...

    def after(self, node: Any, move: Any) -> Any: ...


def perft(way: Way, node: Any, depth: int) -> list[int]:
    """Return how many lines of 0, 1, ... plies there are."""
    counts, level = [1], [(node, way.moves(node))]
    for left in reversed(range(depth)):
        counts.append(sum(len(moves) for _, moves in level))
        if left:
            nodes = [way.after(node, move) for node, moves in level for move in moves]
            level = [(node, way.moves(node)) for node in nodes]
    return counts


class ByRules:
    """The rules of the project, on a position."""

    def moves(self, node: Position) -> list[int]:
        return node.legal_moves()

    def after(self, node: Position, move: int) -> Position:
        twin = node.copy()
        rules.play(twin.setup, twin.state, move)
        return twin


class ByReference:
    """One of the games in ``tests/reference``; where a tile is due, each kind is dealt."""

    def moves(self, node: Any) -> Sequence[Any]:
        if getattr(node, "dealt", 0) is None and not node.over:
            return [kind for kind, left in enumerate(node.left) if left]
        return list(node.legal_moves())

    def after(self, node: Any, move: Any) -> Any:
        twin = copy.deepcopy(node)
        if not hasattr(node, "dealt"):
            twin.play(move)
        elif node.dealt is None:
            twin.deal(move)
        else:
            twin.play(*move)
        return twin


class ByOpenSpiel:
    """A game of OpenSpiel, where a move may be several actions of one seat."""

    def moves(self, node: Any) -> list[tuple[int, ...]]:
        return self.actions(node, node.current_player())

    def actions(self, node: Any, seat: int) -> list[tuple[int, ...]]:
        if node.is_terminal():
            return []
        found: list[tuple[int, ...]] = []
        for action in node.legal_actions():
            twin = self.after(node, (action,))
            more = twin.current_player() == seat
            rest = self.actions(twin, seat) if more else [()]
            found += [(action, *others) for others in rest]
        return found

    def after(self, node: Any, move: tuple[int, ...]) -> Any:
        twin = node.clone()
        for action in move:
            twin.apply_action(action)
        return twin
