"""How strong Hex's connex is against other players of its kind, with the colors exchanged.

    python benchmarks/hex_connex.py [--sizes 7,8] [--pairs 50] [--kind h] [OPPONENT ...]

``literal`` is connex as its source describes it: one shortest path of each color, from the array of
predecessors of Dijkstra's algorithm, and a random vertex of both paths; ``literal-last``, ``-lots``
and ``-middle`` take other paths of the same length. ``spread`` is an earlier connex: a random
vertex of those on any shortest path of both colors. All other names are built-in strategies. Both
games of a pair begin with the same near-even black stone, another one in each pair, without the pie
rule. With ``--kind c`` or ``t`` boards have square or triangular cells, and games begin with an
empty board.
"""

from __future__ import annotations

import argparse
import heapq
import random
import time

LITERAL = ("literal", "literal-last", "literal-lots", "literal-middle")
OPPONENTS = [*LITERAL, "spread", "resistance", "minimax:depth=2"]


class Literal:
    """One shortest path of each color; a random vertex of those that are on both.

    Of paths of equal length, the predecessors keep the first one found, the last one, or a random
    one; the source does not say which.
    """

    def __init__(self, seed: int, ties: str) -> None:
        self.random, self.ties = random.Random(seed), ties

    def choose(self, position) -> int:
        color = position.color_to_move
        own, other = (path(position, each, self.ties, self.random) for each in (color, 1 - color))
        moves = sorted(set(own) & set(other)) or own or other or position.legal_moves()
        return self.random.choice(moves)


def path(position, color: int, ties: str, dice: random.Random) -> list[int]:
    """Return the free vertices of the shortest path that Dijkstra's algorithm finds.

    An edge costs 1 between free vertices, 0 between own ones, 0.5 between a free and an own one, as
    in the source: the cost of a path is the number of its free vertices.
    """
    board, owners = position.board, position.stones.tolist()
    border = [v for v in range(board.n) if position.borders[v] == color]
    chain, grown = {border[0]}, [border[0]]
    while grown:
        for near in board.neighbors_of(grown.pop()).tolist():
            if near in border and near not in chain:
                chain.add(near)
                grown.append(near)
    begin = sorted(chain)[len(chain) // 2 if ties == "middle" else 0]
    distance, before, done = {begin: 0.0}, {begin: begin}, set()
    queue = [(0.0, 0.0, begin)]
    while queue:
        length, _, vertex = heapq.heappop(queue)
        if vertex in done:
            continue
        done.add(vertex)
        for near in board.neighbors_of(vertex).tolist():
            if owners[near] == 1 - color:
                continue
            cost = 0.5 * (owners[vertex] != color) + 0.5 * (owners[near] != color)
            known = distance.get(near, float("inf"))
            later = ties == "last" or (ties == "lots" and dice.random() < 0.5)
            if near not in done and (length + cost < known or (length + cost == known and later)):
                distance[near], before[near] = length + cost, vertex
                order = {"first": near, "middle": len(done), "last": -near}.get(ties, dice.random())
                heapq.heappush(queue, (length + cost, order, near))
    ends = [v for v in border if v not in chain and v in before]
    least = min((distance[v] for v in ends), default=0.0)
    ends = [v for v in ends if distance[v] == least]
    places = {
        "first": 0,
        "middle": len(ends) // 2,
        "last": -1,
        "lots": dice.randrange(1 + len(ends)) - 1,
    }
    end = ends[places[ties]] if ends else None
    found = []
    while end is not None and before[end] != end:
        if owners[end] < 0:
            found.append(end)
        end = before[end]
    return found


class Spread:
    """A random vertex of those on any shortest path of both colors."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def choose(self, position) -> int:
        from ludograph.games.hex.evaluation.distances import BLOCKED, shortest_paths

        color = position.color_to_move
        own, other = (
            shortest_paths(position.setup, position.state, each) for each in (color, 1 - color)
        )
        moves = sorted(own.vertices & other.vertices)
        if own.length == 1 or not moves:
            ahead = own.length != BLOCKED and (
                other.length == BLOCKED or own.length <= other.length
            )
            moves = sorted(own.vertices if ahead else other.vertices)
        return self.random.choice(moves or position.legal_moves())


def player(text: str, seed: int):
    from ludograph.games.hex.strategies import STRATEGIES

    if text.startswith("literal"):
        return Literal(seed, text.partition("-")[2] or "first")
    if text == "spread":
        return Spread(seed)
    name, _, rest = text.partition(":")
    return STRATEGIES[name].create(dict(part.split("=") for part in rest.split(",") if part), seed)


def start(size: int, kind: str, number: int):
    from ludograph import hex
    from ludograph.games.hex import hex_board
    from ludograph.games.hex.pie_rule import EVEN, openings

    if kind != "h":
        return hex.position(hex_board(size, kind), pie=False)
    position = hex.position(size, pie=False)
    values = openings(position)
    evenest = sorted(values, key=lambda vertex: abs(values[vertex] - EVEN))
    position.play(evenest[number % (len(evenest) // 2)])
    return position


def duel(one: str, other: str, size: int, kind: str, pairs: int) -> str:
    won, drawn, seconds, moves = 0, 0, 0.0, 0
    for number in range(pairs):
        for color in (0, 1):
            position = start(size, kind, number)
            players = [player(one, 2 * number + color), player(other, 2 * number + color)]
            if color:
                players.reverse()
            while not position.is_over:
                turn = position.turn
                began = time.process_time()
                move = players[turn].choose(position)
                if turn == color:
                    seconds, moves = seconds + time.process_time() - began, moves + 1
                position.play(move)
            won += position.outcome().winner == color
            drawn += position.outcome().winner is None
    lost = 2 * pairs - won - drawn
    return f"{won:3} : {lost:<3} ({drawn} drawn), {1e3 * seconds / max(1, moves):.2f} ms a move"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("opponents", nargs="*", default=OPPONENTS)
    parser.add_argument("--player", default="connex")
    parser.add_argument("--sizes", default="7,8")
    parser.add_argument("--kind", default="h", choices="hct")
    parser.add_argument("--pairs", type=int, default=50)
    options = parser.parse_args()
    for size in map(int, options.sizes.split(",")):
        for other in options.opponents:
            text = duel(options.player, other, size, options.kind, options.pairs)
            print(f"{options.player} against {other:16} width {size}: {text}", flush=True)


if __name__ == "__main__":
    main()
