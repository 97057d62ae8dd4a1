"""Boards of all families and of many graphs, with a digest of each drawing."""

from __future__ import annotations

import hashlib

import networkx as nx

from ludograph import boards
from ludograph.boards.families import FAMILIES

SMALL = {
    "wheel": nx.wheel_graph(9),
    "cube": nx.cubical_graph(),
    "cycle": nx.cycle_graph(12),
    "complete of 3 and 3": nx.complete_bipartite_graph(3, 3),
    "star": nx.star_graph(10),
    "Petersen": nx.petersen_graph(),
    "complete": nx.complete_graph(12),
    "path of 2": nx.path_graph(2),
}

EVERY = SMALL | {
    "one vertex": nx.empty_graph(1),
    "long cycle": nx.cycle_graph(100),
    "complete of 2 and 8": nx.complete_bipartite_graph(2, 8),
    "large star": nx.star_graph(60),
    "binary tree": nx.balanced_tree(2, 5),
    "grid": nx.grid_2d_graph(8, 8),
    "torus": nx.grid_2d_graph(6, 6, periodic=True),
    "dodecahedron": nx.dodecahedral_graph(),
    "icosahedron": nx.icosahedral_graph(),
    "prism": nx.circular_ladder_graph(12),
    "hypercube": nx.hypercube_graph(5),
    "Tutte": nx.tutte_graph(),
    "Heawood": nx.heawood_graph(),
    "Desargues": nx.desargues_graph(),
    "windmill": nx.windmill_graph(5, 4),
    "karate club": nx.karate_club_graph(),
    "grid of 900": nx.grid_2d_graph(30, 30),
    "cycle of 700": nx.cycle_graph(700),
    "star of 600": nx.star_graph(600),
    "torus of 625": nx.grid_2d_graph(25, 25, periodic=True),
}


def digests(graphs: dict[str, nx.Graph]) -> dict[str, str]:
    """Return a digest of the positions and outlines of each graph and of a board of each family."""
    shown = {name: boards.from_networkx(graph) for name, graph in graphs.items()}
    shown |= {name: make(6) for name, make in FAMILIES.items()}
    return {
        name: hashlib.sha256(board.positions.tobytes() + board.outline_points.tobytes()).hexdigest()
        for name, board in shown.items()
    }
