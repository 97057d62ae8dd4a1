"""Graphs without coordinates: no crossings where none are needed, room around every node."""

import functools
import importlib
import io
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from ludograph import boards
from ludograph.boards import tidying
from ludograph.boards.planarity import face_walks
from ludograph.boards.segments import clearances, crossings
from ludograph.views import bitmaps, svg
from ludograph.views.canvas import Canvas
from ludograph.views.colors import parse
from tests.amounts import amount, slow_but

layout = importlib.import_module("ludograph.boards.layout")

PLANAR = {
    "dodecahedron": nx.dodecahedral_graph(),
    "icosahedron": nx.icosahedral_graph(),
    "cube": nx.cubical_graph(),
    "complete of 4": nx.complete_graph(4),
    "wheel": nx.wheel_graph(12),
    "tree": nx.random_labeled_tree(60, seed=1),
    "binary tree": nx.balanced_tree(2, 5),
    "grid": nx.grid_2d_graph(8, 8),
    "truncated tetrahedron": nx.truncated_tetrahedron_graph(),
    "complete of 2 and 8": nx.complete_bipartite_graph(2, 8),
    "star": nx.star_graph(10),
    "prism": nx.circular_ladder_graph(12),
    "Frucht": nx.frucht_graph(),
    "Tutte": nx.tutte_graph(),
    "barbell": nx.barbell_graph(4, 3),
    "windmill": nx.windmill_graph(5, 4),
}


def shuffled(n, edges, seed):
    """Return a planar graph: random points, and edges that cross none before them."""
    rng = np.random.default_rng(seed)
    points, kept = rng.random((n, 2)), []
    for u, v in rng.integers(0, n, (20 * n, 2)).tolist():
        if u != v and len(kept) < edges:
            tried = [*kept, (min(u, v), max(u, v))]
            if len(set(tried)) == len(tried) and not crossings(points, np.array(tried)):
                kept = tried
    graph = nx.Graph(kept)
    return graph.subgraph(max(nx.connected_components(graph), key=len)).copy()


RANDOM = {f"random of {n}": n for n in (20, 60, 120)}
NAMES = [
    pytest.param(name, marks=pytest.mark.slow if name in ("random of 60", "random of 120") else ())
    for name in (*PLANAR, *RANDOM)
]


@functools.cache
def planar(name):
    """Return the graph of a name; random ones take a while."""
    return (
        PLANAR[name] if name in PLANAR else shuffled(RANDOM[name], 2 * RANDOM[name], RANDOM[name])
    )


@functools.cache
def drawn(name):
    """Return the board of a name; to draw it takes a while too."""
    return boards.from_networkx(planar(name), name=name)


def adjacency(graph):
    graph = nx.convert_node_labels_to_integers(graph)
    return [sorted(graph[v]) for v in range(len(graph))]


def slow_crossings(board):
    """Count pairs of edges that meet, by solving for the point of each pair."""
    total = 0
    edges = [tuple(edge) for edge in board.edges().tolist()]
    for number, (a, b) in enumerate(edges):
        for c, d in edges[:number]:
            if {a, b} & {c, d}:
                continue
            p, r = board.positions[a], board.positions[b] - board.positions[a]
            q, s = board.positions[c], board.positions[d] - board.positions[c]
            matrix = np.array([r, -s]).T
            if abs(np.linalg.det(matrix)) > 1e-12:
                total += bool((np.abs(np.linalg.solve(matrix, q - p) - 0.5) <= 0.5).all())
    return total


@pytest.mark.parametrize("name", NAMES)
def test_no_edges_of_a_planar_graph_cross(name):
    board = drawn(name)
    assert slow_crossings(board) == 0
    assert crossings(board.positions, board.edges()) == 0


@pytest.mark.parametrize("name", NAMES)
def test_nodes_overlap_neither_other_nodes_nor_edges(name):
    board = drawn(name)
    nodes, lines = clearances(board.positions, board.edges())
    corners = board.outline_points.reshape(board.n, -1, 2)
    radius = np.linalg.norm(corners - board.positions[:, None], axis=2).max(axis=1)
    least = layout.ENOUGH * np.ptp(board.positions, axis=0).max()
    assert ((radius < lines) | np.isclose(radius, least)).all()
    assert (2 * radius < 1.1 * nodes).all()
    assert radius.min() > 0.02 * np.median(radius)


def hidden(graph):
    """Return vertices whose color is not on five pixels of a picture of 1,200."""
    board = boards.from_networkx(graph)
    marks = {str(rest): range(rest, board.n, 3) for rest in range(3)}
    board = board.with_marks({name: list(vertices) for name, vertices in marks.items()})
    scene = board.scene(title=False, numbers=False)
    with Image.open(io.BytesIO(bitmaps.png_from_svg(svg.render(scene, size=600)))) as image:
        pixels = np.asarray(image.convert("RGB"))
    canvas = Canvas.fit([scene], 600)
    places = (board.positions - canvas.origin) * canvas.scale + (canvas.left, canvas.top)
    x, y = np.floor(2 * places).astype(int).T
    assert pixels.shape[1] == 1200
    wanted = [parse(scene.palette[fill].rgb) for fill in scene.fills]
    return [
        v
        for v in range(board.n)
        if not all(
            tuple(pixels[y[v] + down, x[v] + right]) == wanted[v]
            for right, down in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
        )
    ]


def town():
    """Return a map: crossings of streets, many of them beside another one."""
    rng = np.random.default_rng(7)
    graph = nx.grid_2d_graph(25, 25)
    for node in list(graph):
        graph.nodes[node]["pos"] = np.array(node) + rng.normal(0, 0.15, 2)
        twin = (*node, "twin")
        if rng.random() < 0.3:
            graph.add_node(twin, pos=graph.nodes[node]["pos"] + (0.05, rng.uniform(0.1, 0.15)))
            graph.add_edge(node, twin)
    return graph


HUBS = {
    "karate club": nx.karate_club_graph,
    "Les Misérables": nx.les_miserables_graph,
    "new members join the known": lambda: nx.barabasi_albert_graph(200, 2, seed=5),
    "star of 1000": lambda: nx.star_graph(1000),
    "two centers": lambda: nx.complete_bipartite_graph(2, 700),
    "town": town,
}


@pytest.mark.parametrize("name", slow_but(["karate club", "town"], HUBS))
def test_no_vertex_is_smaller_than_two_pixels_of_a_thousand(name):
    board = boards.from_networkx(HUBS[name]())
    corners = board.outline_points.reshape(board.n, -1, 2)
    radius = np.linalg.norm(corners - board.positions[:, None], axis=2).max(axis=1)
    assert radius.min() * 1000 >= 2 * np.ptp(board.positions, axis=0).max()


@pytest.mark.slow
@pytest.mark.parametrize("name", HUBS)
def test_the_color_of_every_vertex_is_seen(name):
    graph = HUBS[name]()
    assert len(hidden(graph)) <= len(graph) // 300  # some may be in the same place


@pytest.mark.slow
def test_the_same_graph_has_the_same_picture():
    one, other = (boards.from_networkx(nx.tutte_graph()) for _ in range(2))
    assert np.array_equal(one.positions, other.positions)


@given(st.integers(0, 10**6), st.integers(2, 13), st.floats(1.0, 2.6))
@settings(max_examples=amount(200), deadline=None)
def test_faces_are_found_exactly_for_planar_graphs(seed, n, density):
    graph = nx.gnm_random_graph(n, int(density * n), seed=seed)
    graph = graph.subgraph(max(nx.connected_components(graph), key=len)).copy()
    if len(graph) < 2:
        return
    walks = face_walks(adjacency(graph))
    assert (walks is not None) == nx.check_planarity(graph)[0]
    if walks is not None:
        darts = [pair for walk in walks for pair in zip(walk, walk[1:] + walk[:1], strict=True)]
        assert len(darts) == len(set(darts)) == 2 * graph.number_of_edges()
        assert len(graph) - graph.number_of_edges() + len(walks) == 2  # Euler


@pytest.mark.slow
def test_graphs_that_are_not_planar_are_drawn_all_the_same():
    for graph in (nx.petersen_graph(), nx.complete_graph(7), nx.karate_club_graph()):
        assert np.isfinite(boards.from_networkx(graph).positions).all()


@pytest.mark.parametrize(
    ("names", "crs", "up"),
    [(("x", "y"), False, False), (("x", "y"), True, True), (("lon", "lat"), False, True)],
)
def test_north_is_up_on_maps(tmp_path, names, crs, up):
    graph = nx.path_graph(2)
    for node, (x, y) in enumerate([(13.4, 52.5), (13.4, 53.5)]):
        graph.nodes[node].update({names[0]: x, names[1]: y})
    if crs:
        graph.graph["crs"] = "epsg:4326"
    path = tmp_path / "map.graphml"
    nx.write_graphml(graph, path)
    for board in (boards.load(path), boards.from_networkx(graph)):
        south, north = board.positions[:, 1].tolist()
        assert (north < south) == up


def test_degrees_of_longitude_are_shorter_in_the_north():
    graph = nx.path_graph(3)
    for node, (lon, lat) in enumerate([(0, 60), (1, 60), (1, 61)]):
        graph.nodes[node].update(lon=lon, lat=lat)
    lengths = np.hypot(*np.diff(boards.from_networkx(graph).positions, axis=0).T)
    assert lengths[0] / lengths[1] == pytest.approx(0.5, rel=0.02)


@pytest.mark.slow
def test_a_board_is_laid_out_when_it_is_looked_at(monkeypatch):
    drawn = []
    graph = nx.petersen_graph()
    looked_at = boards.from_networkx(graph)
    assert looked_at.outline_points.shape == (80, 2)
    draw = layout.layout
    monkeypatch.setattr(layout, "layout", lambda *parts: drawn.append(1) or draw(*parts))
    board = boards.from_networkx(graph)
    named = pickle.loads(pickle.dumps(board.with_marks({"ends": [0, 9]}, name="Petersen")))
    assert not drawn
    assert np.array_equal(named.positions, looked_at.positions)
    assert np.array_equal(named.outline_points, looked_at.outline_points)
    assert not named.positions.flags.writeable
    assert len(drawn) == 1
    assert board.outline_of(3).shape == (8, 2)
    with pytest.raises(AttributeError, match="'center'"):
        _ = board.center


DENSE = {
    "complete of 80": nx.complete_graph(80),
    "complete of 400": nx.complete_graph(400),
    "45 in 100 of 80": nx.gnp_random_graph(80, 0.45, seed=1),
    "45 in 100 of 200": nx.gnp_random_graph(200, 0.45, seed=1),
    "10 in 100 of 500": nx.gnp_random_graph(500, 0.1, seed=1),
}


@pytest.fixture
def compared(monkeypatch):
    """Count the pairs of a node and what it may come close to, which a drawing costs."""
    pairs = []

    def counted(function):
        def noted(positions, edges):
            pairs.append(len(positions) * (len(positions) + len(edges)))
            return function(positions, edges)

        return noted

    monkeypatch.setattr(tidying, "_close", counted(tidying._close))
    monkeypatch.setattr(layout, "clearances", counted(layout.clearances))
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize("name", DENSE)
def test_a_dense_graph_is_drawn_with_bounded_work(name, compared):
    board = boards.from_networkx(DENSE[name])
    assert np.isfinite(board.outline_points).all()
    assert 0 < sum(compared) <= tidying.TANGLED_EFFORT + layout.MEASURED_PAIRS + board.n**2
    nodes, _ = clearances(board.positions, board.edges()[:0])
    assert (nodes > 0).all()


def test_a_complete_graph_is_a_circle():
    board = boards.from_networkx(nx.complete_graph(12))
    radius = np.hypot(*(board.positions - board.positions.mean(axis=0)).T)
    assert radius == pytest.approx(np.full(12, radius[0]))
    assert (board.positions[0] < board.positions.mean(axis=0)).all()
    _, lines = clearances(board.positions, board.edges())
    corners = board.outline_points.reshape(12, -1, 2)
    assert (np.linalg.norm(corners - board.positions[:, None], axis=2).max(axis=1) < lines).all()
