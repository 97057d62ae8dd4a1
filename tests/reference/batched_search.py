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
        self.logits: dict[int, float] = {}
        self.judged: list[float] = []
        self.value = 0.0  # the mean reward of the seat to move, with the judgement of this position
        self.rewards_seen = 0

    @property
    def is_judged(self) -> bool:
        return bool(self.logits)

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


Select = Callable[[Node], int]
"""Returns the move that a simulation goes on with from a node."""


def search_gumbel(
    position: Position, judge: Judge, simulations: int, considered: int, rng: rules.Rng
) -> tuple[Node, int, dict[int, float]]:
    """Return the root of a finished search of Gumbel AlphaZero, its move and improved policy."""
    root = Node(position.copy())
    simulate(root, judge, lambda _: -1, rng)
    noise = {}
    for move in root.logits:
        noise[move] = -math.log(-math.log(float(rules.random_unit(rng))))
    counts = schedule(min(considered, len(noise)), simulations)

    def score(move: int) -> float:
        return noise[move] + improved_logits(root)[move]

    def select(node: Node) -> int:
        if node is root:
            return max((move for move in noise if visits_of(root, move) == wanted), key=score)
        policy = improved_policy(node)
        total = 1 + sum(child.visits for child in node.children.values())
        return max(policy, key=lambda move: policy[move] - visits_of(node, move) / total)

    for wanted in counts:  # noqa: B007  # select reads it
        simulate(root, judge, select, rng)
    most = max(visits_of(root, move) for move in noise)
    best = max((move for move in noise if visits_of(root, move) == most), key=score)
    return root, best, improved_policy(root)


def schedule(considered: int, simulations: int) -> list[int]:
    """Return the visits that a move at the root must have to get each simulation."""
    wanted: list[int] = []
    level, left = 0, considered
    while len(wanted) < simulations:
        rounds = max(1, int(simulations / (max(1, math.ceil(math.log2(considered))) * left)))
        for _ in range(rounds):
            wanted.extend([level] * left)
            level += 1
        if left > 2:
            left = max(2, left // 2)
    return wanted[:simulations]


def visits_of(node: Node, move: int) -> int:
    return node.children[move].visits if move in node.children else 0


def improved_logits(node: Node) -> dict[int, float]:
    """Return the logits, and what completed values, from 0 to 1, add to them."""
    seat = node.position.turn
    tried = {move: child for move, child in node.children.items() if child.visits}
    visits = sum(child.visits for child in tried.values())
    mixed = node.judged[seat]
    if visits:
        mass = sum(math.exp(node.logits[move]) for move in node.logits if move in tried)
        means = sum(
            math.exp(node.logits[move]) * tried[move].mean for move in node.logits if move in tried
        )
        mixed = (mixed + visits * means / mass) / (1 + visits)
    most = max((child.visits for child in tried.values()), default=0)
    found = {}
    for move, logit in node.logits.items():
        value = tried[move].mean if move in tried else mixed
        found[move] = logit + (50 + most) * (value + 1) / 2
    return found


def improved_policy(node: Node) -> dict[int, float]:
    logits = improved_logits(node)
    powers = {move: math.exp(logit - max(logits.values())) for move, logit in logits.items()}
    return {move: power / sum(powers.values()) for move, power in powers.items()}


def simulate(root: Node, judge: Judge, select: Select, rng: rules.Rng) -> None:
    """Go from the root to a leaf, judge it, and tell the nodes on the way."""
    path = [root]
    while True:
        node = path[-1]
        if node.position.is_chance:
            path.append(node.child(draw(node.position, rng)))
        elif node.is_judged:
            path.append(node.child(select(node)))
        else:
            break
    leaf, position = path[-1], path[-1].position
    if position.is_over:
        rewards = end(position)
    else:
        logits, rewards = judge(position)
        moves = position.legal_moves()
        chances = softmax(logits)
        leaf.logits = {
            move: rounded(math.log(chance)) for move, chance in zip(moves, chances, strict=True)
        }
        leaf.judged = [rounded(reward) for reward in rewards]
    for above, node in zip([None, *path], path, strict=False):
        node.visits += 1
        if above is not None and above.position.turn is not None:
            node.mean += (rewards[above.position.turn] - node.mean) / node.visits
        node.see(rewards)


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
    powers = [math.exp(logit - max(logits)) for logit in logits]
    return [power / sum(powers) for power in powers]


def rounded(number: float) -> float:
    """Return a number as the tree keeps it."""
    return float(np.float32(number))
