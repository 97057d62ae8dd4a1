"""A tree of first plies above the solver: Monte Carlo search says which of its proofs come first.

On 8 x 8 the proof numbers of a first move's replies are nearly equal for a long time, so a search
by them alone goes on with all replies in turn. Here the top of the proof is a proof-number search
of its own (Allis, van der Meulen, van den Herik: "Proof-number search", Artificial Intelligence 66,
1994). The numbers of a new node follow from the value of its move in Monte Carlo search, as a
network's value can give them (Gao, Müller, Hayward: "Focused depth-first proof number search using
convolutional neural networks for the game of Hex", IJCAI 2017). A leaf is given to the solver, and
becomes a node of the tree if the solver does not prove it within some positions. Carriers rule out
moves as they do in the solver (:mod:`ludograph.games.hex.solving.expansion`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving.solver import HexSolver, Verdict
from ludograph.search.pacing import is_over

Advice: TypeAlias = Callable[[Sequence[int]], Mapping[int, tuple[int, float]]]
"""The visits and the value, for the color to move, of each move after some cells from the start."""

ALONE = 1_000_000
"""The positions that the solver may take for a first move before there is a tree."""

ATTEMPTS = (20_000, 80_000, 300_000)
"""The positions that the solver may take for a leaf at each attempt."""

EARLY = 3
"""A leaf with no more stones than this gets only one attempt, because its proof is long."""

DISTRUST = 1.5
"""The factor of a leaf's numbers after an attempt without a proof."""

SHARPNESS = 6.0
"""How much a value counts: the numbers of a move that surely wins and loses differ by its exp."""

PRIOR_VISITS, BEHIND = 20, 0.25
"""Each move gets this many visits more, with a value this far below the mean of all moves. So a
value of few visits counts less."""

LEAST = 0.02
"""The least probability to win of a move."""


@dataclass(eq=False, slots=True)
class Node:
    """A position of the tree, or a leaf.

    Attributes
    ----------
    moves
        The cells from the empty board on, in the order in which the position was first reached.
    stones
        Black's and white's stones, with filled-in cells, sets with a bit each.
    color
        The color to move.
    to_win, to_lose
        The proof numbers of a win and of a loss of this color.
    attempts
        How often the solver has tried to prove the leaf.
    children
        The positions after the moves that may still win, by move; empty: a leaf.
    captured, must_play, carriers
        As in :class:`~ludograph.games.hex.solving.solver.Expansion`.
    verdict
        The winner, if it is proven.
    """

    moves: tuple[int, ...]
    stones: tuple[int, int]
    color: int
    to_win: float = 1.0
    to_lose: float = 1.0
    attempts: int = 0
    children: dict[int, Node] = field(default_factory=dict)
    captured: tuple[int, int] = (0, 0)
    must_play: int = 0
    carriers: int = 0
    verdict: Verdict | None = None

    def decide(self, verdict: Verdict) -> None:
        """Note the winner of the position; its children are not needed any more."""
        self.verdict = verdict
        self.children = {}
        wins = verdict.winner == self.color
        self.to_win, self.to_lose = (0.0, math.inf) if wins else (math.inf, 0.0)

    def update(self) -> None:
        """Compute the numbers, or the winner, from the children."""
        for move, child in self.children.items():
            if child.verdict is not None and child.verdict.winner == self.color:
                needed = child.verdict.carrier | 1 << move | self.captured[self.color]
                self.decide(Verdict(self.color, needed))
                return
        for move, child in self.children.items():
            if child.verdict is not None:
                self.carriers |= child.verdict.carrier
                self.must_play &= child.verdict.carrier & ~(1 << move)
        self.children = {
            move: child
            for move, child in self.children.items()
            if child.verdict is None and self.must_play >> move & 1
        }
        if not self.children:
            other = 1 - self.color
            self.decide(Verdict(other, self.carriers | self.captured[other]))
            return
        self.to_win = min(child.to_lose for child in self.children.values())
        self.to_lose = sum(child.to_win for child in self.children.values())


class ProofTree:
    """The proof of a first move of black.

    Parameters
    ----------
    solver
        The solver of the leaves. Its deadline is that of the tree, too.
    advice
        The values of Monte Carlo search.
    cell
        The cell of the first move.
    attempts
        The positions that the solver may take for a leaf at each attempt.
    """

    def __init__(
        self,
        solver: HexSolver,
        advice: Advice,
        cell: int,
        attempts: Sequence[int] = ATTEMPTS,
    ) -> None:
        self.solver = solver
        self.advice = advice
        self.attempts = attempts
        self.root = Node((cell,), (1 << cell, 0), WHITE)
        self.nodes: dict[tuple[tuple[int, int], int], Node] = {}
        """The nodes by stones and color to move: several orders of moves lead to one node."""

    def solve(self, alone: int = ALONE) -> Verdict | None:
        """Return the winner, or None if the time was too short.

        Parameters
        ----------
        alone
            The positions that the solver may take before there is a tree.
        """
        self._attempt(self.root, alone)
        while self.root.verdict is None and not is_over(self.solver.deadline):
            line = [self.root]
            while line[-1].children:
                line.append(min(line[-1].children.values(), key=lambda child: child.to_lose))
            leaf = line.pop()
            if leaf.verdict is None:  # else it was proven after another order of moves
                self._work_on(leaf)
            for node in reversed(line):
                node.update()
        return self.root.verdict

    def _work_on(self, leaf: Node) -> None:
        most = 1 if len(leaf.moves) <= EARLY else len(self.attempts)
        if leaf.attempts < most:
            self._attempt(leaf, self.attempts[leaf.attempts])
        else:
            self._expand(leaf)

    def _attempt(self, leaf: Node, nodes: int) -> None:
        """Let the solver try to prove a leaf."""
        leaf.attempts += 1
        verdict = self.solver.solve(*leaf.stones, leaf.color, nodes)
        if verdict is not None:
            leaf.decide(verdict)
        else:
            leaf.to_win *= DISTRUST
            leaf.to_lose *= DISTRUST

    def _expand(self, leaf: Node) -> None:
        """Make a leaf a node of the tree, with numbers by Monte Carlo search."""
        verdict = self.solver.solve(*leaf.stones, leaf.color, 1)
        if verdict is not None:
            leaf.decide(verdict)
            return
        found = self.solver.expansion
        leaf.captured, leaf.must_play, leaf.carriers = (
            found.captured,
            found.must_play,
            found.carriers,
        )
        chances = winning_chances(self.advice(leaf.moves), found.moves)
        for move, chance in zip(found.moves, chances, strict=True):
            black, white = found.stones
            added = (0, 1 << move) if leaf.color == WHITE else (1 << move, 0)
            stones = (black | added[BLACK], white | added[WHITE])
            child = self.nodes.get((stones, 1 - leaf.color))
            if child is None:
                child = Node((*leaf.moves, move), stones, 1 - leaf.color)
                child.to_lose = math.exp(SHARPNESS * (0.5 - chance))
                child.to_win = 1.0 / child.to_lose
                self.nodes[stones, 1 - leaf.color] = child
            leaf.children[move] = child
        leaf.update()


def winning_chances(found: Mapping[int, tuple[int, float]], moves: Sequence[int]) -> list[float]:
    """Return the chance that each move wins, by visits and values of Monte Carlo search."""
    visits = sum(count for count, _ in found.values())
    mean = sum(count * value for count, value in found.values()) / max(1, visits)
    prior = max(LEAST, mean - BEHIND)
    chances = []
    for move in moves:
        count, value = found.get(move, (0, 0.0))
        chance = (count * value + PRIOR_VISITS * prior) / (count + PRIOR_VISITS)
        chances.append(min(max(chance, LEAST), 1.0 - LEAST))
    return chances
