"""Boards as networkx sees them."""

import networkx as nx


def as_networkx(board):
    graph = nx.Graph()
    graph.add_nodes_from(range(board.n))
    graph.add_edges_from(board.edges().tolist())
    return graph
