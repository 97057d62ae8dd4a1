"""Tree search with an evaluator, slow and obvious: one game, nodes as objects, copies of positions.

It draws from its generator where :mod:`ludograph.search.batched` does, so both find the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ludograph import rules
from ludograph.games import Position

Judge = Callable[[Position], tuple[list[float], list[float]]]
"""Returns the logits of the legal moves of a position, and every seat's value, from -1 to 1."""


class Node:
    """A position of the tree."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.children: dict[int, Node] = {}
        self.visits = 0
        self.mean = 0.0  # of the rewards of the seat that chose this position
        self.priors: dict[int, float] = {}
        self.value = 0.0  # the mean reward of the seat to move, with the judgement of this position
        self.rewards_seen = 0

    @property
    def is_judged(self) -> bool:
        return bool(self.priors)

    def child(self, move: int) -> Node:
        if move not in self.children:
            position = self.position.copy()
            position.push(move)
            self.children[move] = Node(position)
        return self.children[move]

    def see(self, rewards: list[float]) -> None:
        """Count rewards of a simulation that ended here or went on from here."""
        seat = self.position.turn
        if seat is not None:
            self.rewards_seen += 1
            self.value += (rewards[seat] - self.value) / self.rewards_seen


def search(
    position: Position, judge: Judge, simulations: int, c_puct: float, rng: rules.Rng
) -> Node:
    """Return the root of a finished search with PUCT."""
    root = Node(position.copy())
    for _ in range(simulations + 1):
        path = [root]
        while True:
            node = path[-1]
            if node.position.is_chance:
                path.append(node.child(draw(node.position, rng)))
            elif node.is_judged:
                path.append(node.child(by_puct(node, c_puct)))
            else:
                break
        leaf = path[-1].position
        if leaf.is_over:
            rewards = end(leaf)
        else:
            logits, rewards = judge(leaf)
            path[-1].priors = dict(zip(leaf.legal_moves(), softmax(logits), strict=True))
        for above, node in zip([None, *path], path, strict=False):
            node.visits += 1
            if above is not None and above.position.turn is not None:
                node.mean += (rewards[above.position.turn] - node.mean) / node.visits
            node.see(rewards)
    return root


def by_puct(node: Node, c_puct: float) -> int:
    """Return the move with the greatest upper bound, of equal ones the first."""

    def bound(move: int) -> float:
        child = node.children.get(move)
        visits = child.visits if child else 0
        mean = child.mean if child else node.value
        return mean + c_puct * math.sqrt(node.rewards_seen) * node.priors[move] / (1 + visits)

    return max(node.priors, key=bound)


def draw(position: Position, rng: rules.Rng) -> int:
    """Return an outcome of chance, by its probability."""
    outcomes = np.array(position.legal_moves(), np.int32)
    weights = np.zeros(outcomes.size)
    rules.weights(position.setup, position.state, outcomes, weights)
    rest = float(rules.random_unit(rng))
    for outcome, weight in zip(outcomes.tolist(), weights.tolist(), strict=True):
        rest -= weight
        if rest < 0:
            return outcome
    return int(outcomes[-1])


def end(position: Position) -> list[float]:
    """Return the rewards at the end of a game with two seats or more."""
    scores = position.scores()
    others = len(scores) - 1
    return [sum(np.sign(own - other) for other in scores) / others for own in scores]


def softmax(logits: list[float]) -> list[float]:
    """Return the probabilities, rounded as the tree keeps them."""
    powers = [math.exp(logit - max(logits)) for logit in logits]
    return [float(np.float32(power / sum(powers))) for power in powers]
