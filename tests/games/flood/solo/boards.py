"""Small boards of many shapes for the tests of the solo solvers."""

import networkx as nx

from ludograph import boards
from ludograph.games.flood import flood
from ludograph.games.flood.rules import OWNER, cells_at
from ludograph.games.flood.setup import forbidden_sets, vertex_colors
from ludograph.games.flood.solo.optimal import Deepening
from ludograph.games.flood.solo.puzzle import make_puzzle
from tests.reference.flood_solo import solve

ZONE_COLOR = 99  # of no other vertex, so that the zone is one component and no more


def a_graph(seed):
    """A connected random graph: sparse, dense, a tree, or with a hub."""
    kind = seed % 4
    n = 8 + seed % 9
    if kind == 0:
        graph = nx.gnp_random_graph(n, 0.2, seed=seed)
    elif kind == 1:
        graph = nx.gnp_random_graph(n, 0.5, seed=seed)
    elif kind == 2:
        graph = nx.path_graph(n)
    else:
        graph = nx.star_graph(n - 1)
    parts = [min(part) for part in nx.connected_components(graph)]
    graph.add_edges_from((parts[0], other) for other in parts[1:])
    return boards.from_networkx(graph)


BOARDS = {
    "square": lambda seed: boards.square(4 + seed % 2, 4),
    "torus": lambda seed: boards.torus(4, 3 + seed % 3),
    "hexagonal": lambda seed: boards.hexagonal(4, 3 + seed % 2),
    "hatched": lambda seed: boards.hatched(6),
    "network": a_graph,
}


def position_on(family, seed, *, forbidden=0, **options):
    board = BOARDS[family](seed)
    options = {"colors": 3 + seed % 4, "starts": [seed % board.n], "seed": seed, **options}
    return flood.position(board, seats=1, forbidden=forbidden, **options)


def advance(position, moves, rng):
    """Play random moves."""
    for _ in range(moves):
        if not position.is_over:
            position.play_random(rng)
    return position


def optimum(position):
    """The reference's number of moves from any position of a game, or None."""
    board, setup = position.board, position.setup
    cells = cells_at(setup)
    held = (position.state[cells : cells + setup.sizes.size] & OWNER) != 0
    colors = vertex_colors(setup).copy()
    colors[held[setup.region_of]] = ZONE_COLOR
    adjacency = [board.neighbors_of(vertex).tolist() for vertex in range(board.n)]
    forbidden = {ZONE_COLOR, *forbidden_sets(setup)[0]}
    found = solve(adjacency, colors.tolist(), int(setup.start_vertices[0]), forbidden)
    return None if found is None else found[0]


def root_bound(position):
    """The lower bound of a whole solution, before any search."""
    return Deepening(make_puzzle(position.setup, position.state), 0).floor


def members(words):
    """The members of a set of regions."""
    return {64 * place + bit for place, word in enumerate(words.tolist()) for bit in ones(word)}


def ones(word):
    return [bit for bit in range(64) if word >> bit & 1]


def fewest_moves(puzzle, held):
    """The reference's number of moves from any set of regions, whatever it is connected to."""
    graph = puzzle.graph
    free = [region for region in range(puzzle.regions) if region not in held]
    number = {region: 1 + place for place, region in enumerate(free)}  # 0 is the zone
    adjacency = [set() for _ in range(1 + len(free))]
    links = [(None, region) for region in members(puzzle.start)]
    for region in range(puzzle.regions):
        for pair in range(int(graph.rows[region]), int(graph.rows[region + 1])):
            first = 64 * int(graph.blocks[pair])
            links += [(region, first + other) for other in members(graph.bits[4 * pair :][:4])]
    for one, other in links:
        a, b = number.get(one, 0), number.get(other, 0)
        if a != b:
            adjacency[a].add(b)
            adjacency[b].add(a)
    color = {region: c for c, mask in enumerate(graph.masks) for region in members(mask)}
    colors = [ZONE_COLOR, *(color[region] for region in free)]
    return solve([sorted(some) for some in adjacency], colors, 0, {ZONE_COLOR})[0]


def replay(position, moves):
    """Play the moves through the checked door; return the position after them."""
    position = position.copy()
    for move in moves:
        position.play(move)
    return position
