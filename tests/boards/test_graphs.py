"""Boards from networkx, edge lists and GraphML."""

import contextlib
import itertools
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import boards
from ludograph.errors import InvalidInput
from tests.boards.graphs import as_networkx

GRAPHS = [
    nx.petersen_graph(),
    nx.path_graph(1),
    nx.complete_graph(12),
    nx.star_graph(40),
    nx.grid_2d_graph(4, 5),
    nx.random_labeled_tree(600, seed=1),
    pytest.param(nx.les_miserables_graph(), marks=pytest.mark.slow),
]


@pytest.mark.parametrize(
    "graph",
    GRAPHS,
    ids=lambda graph: graph.name or f"{len(graph)}-vertices",
)
def test_a_networkx_graph(graph):
    board = boards.from_networkx(graph)
    nodes = list(graph)
    renamed = nx.relabel_nodes(graph, {node: v for v, node in enumerate(nodes)})
    assert nx.utils.edges_equal(as_networkx(board).edges, nx.Graph(renamed.edges).edges)
    assert np.isfinite(board.positions).all()
    assert boards.to_data(boards.from_networkx(graph)) == boards.to_data(board)


def test_whole_numbers_are_sorted_and_other_nodes_are_not():
    graph = nx.Graph([(30, 10), (10, 20)])
    assert boards.from_networkx(graph).edges().tolist() == [[0, 1], [0, 2]]
    graph = nx.Graph([("z", "b"), ("b", "a")])
    assert boards.from_networkx(graph).edges().tolist() == [[0, 1], [1, 2]]


def test_names():
    assert boards.from_networkx(nx.petersen_graph()).name == "Petersen Graph"
    assert boards.from_networkx(nx.petersen_graph(), name="mine").name == "mine"
    assert boards.from_networkx(nx.path_graph(3)).name == "graph of 3 vertices"
    assert boards.from_networkx(nx.Graph([(0, 1)], name="two\nlines")).name == "twolines"


def test_positions_of_a_networkx_graph():
    graph = nx.Graph([(0, 1), (1, 2)])
    nx.set_node_attributes(graph, {v: (v, 0.25 * v) for v in graph}, "pos")
    assert boards.from_networkx(graph).positions.tolist() == [[0, 0], [1, 0.25], [2, 0.5]]
    graph = nx.Graph([(0, 1), (1, 2)])
    nx.set_node_attributes(graph, {v: {"x": 100 * v, "y": 0} for v in graph})
    assert boards.from_networkx(graph).positions.tolist() == [[0, 0], [1, 0], [2, 0]]
    del graph.nodes[1]["x"]  # not all have one: laid out
    assert np.allclose(np.hypot(*np.diff(boards.from_networkx(graph).positions, axis=0).T), 1)


def test_a_multigraph_without_parallel_edges():
    assert boards.from_networkx(nx.MultiGraph([(0, 1), (1, 2)])).edge_count == 2


def with_pos(pos):
    graph = nx.path_graph(2)
    nx.set_node_attributes(graph, pos, "pos")
    return graph


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (nx.Graph(), "vertices: a board needs at least one vertex"),
        (nx.DiGraph([(0, 1)]), "the graph is directed; directed='ignore' takes every edge once"),
        (
            nx.MultiGraph([(0, 1), (1, 0)]),
            "is there already .*; directed='ignore' takes",
        ),
        (nx.Graph([(0, 0), (0, 1)]), "to itself; directed='ignore' takes every edge once"),
        (nx.Graph([("a", "a"), ("a", "b")]), "edge 'a'-'a': node 'a' has an edge to itself"),
        (nx.MultiGraph([(0, 1), (1, 0)]), "edge 0-1: the edge between node 0 and node 1 is there"),
        (nx.Graph([("a", "b"), ("c", "d")]), "node 'c' cannot be reached from node 'a'"),
        ([(0, 1)], "expected a graph, got list"),
        (with_pos((0, 0, 0)), "node 0: the position is not a pair of numbers"),
        (with_pos("ab"), "node 0: the position is not a pair of numbers"),
        (with_pos((0, float("nan"))), "the coordinates are not finite"),
        (with_pos((0, 10**400)), "node 0: the position is not a pair of numbers"),
    ],
)
def test_graphs_that_are_no_boards(graph, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        boards.from_networkx(graph)


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".edgelist"])
def test_an_edge_list(suffix, tmp_path):
    path = tmp_path / f"roads{suffix}"
    path.write_text("# my roads\n10, 7\n\n7\t8  # short cut\n8;10 {'weight': 3}\n")
    board = boards.load(path)
    assert board.name == "roads"
    assert board.edges().tolist() == [[0, 1], [0, 2], [1, 2]]
    path.write_text("\ufeffRome Pisa\nPisa 7\n", encoding="utf-8")
    assert boards.load(path).edges().tolist() == [[0, 1], [1, 2]]


def test_networkx_writes_what_we_read(tmp_path):
    graph = nx.relabel_nodes(nx.grid_2d_graph(3, 4), lambda cell: cell[0] * 4 + cell[1])
    nx.write_edgelist(graph, tmp_path / "grid.edgelist")
    nx.set_node_attributes(graph, {v: {"x": v % 4, "y": v // 4} for v in graph})
    nx.write_graphml(graph, tmp_path / "grid.graphml")
    square = boards.square(4, 3)
    for suffix in ("edgelist", "graphml"):
        board = boards.load(tmp_path / f"grid.{suffix}")
        assert board.edges().tolist() == square.edges().tolist()
    assert board.positions.tolist() == square.positions.tolist()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "edges: the file has no edge"),
        ("# nothing\n", "edges: the file has no edge"),
        ("0 1\n1 2 3\n", "line 2: expected two vertices, got 3; .* no weights"),
        ("a,b,0.5\n", "line 1: expected two vertices, got 3; .* no weights"),
        ("% sym\n1 2 1 1082\n", "line 2: expected two vertices, got 4; .* no weights"),
        ("c of a course\np edge 2 1\ne 1 2\n", "line 1: .* DIMACS, keep the two numbers"),
        ("%%MatrixMarket matrix\n2 2 1\n1 2\n", "line 1: this is a matrix: keep the first"),
        ("%%matrixmarket MATRIX\n2 2 1\n1 2\n", "line 1: this is a matrix: keep the first"),
        ("0 1\n\n1\n", "line 3: expected two vertices, got 1"),
        ("0 1\n#\n1 1\n", "line 3: vertex '1' has an edge to itself"),
        ("a b\n\nb a\n", r"line 3: the edge between .* is there already \(line 1\)"),
        ("5 6\n7 8\n", r"vertex '7' cannot be reached from vertex '5' \(2 components\)"),
        (
            "#\nfrom,to\na,b\nb,c\n",
            r"vertex 'a' cannot be .* \(2 components\); if line 2 names columns, begin it with #",
        ),
        ("a b\nb c\nd e\n", r"vertex 'd' cannot be reached from vertex 'a' \(2 components\)"),
    ],
)
def test_edge_lists_that_are_no_boards(text, sentence, tmp_path):
    (tmp_path / "roads.txt").write_text(text)
    with pytest.raises(InvalidInput, match=rf"roads\.txt: ({sentence}|edges: .*{sentence})"):
        boards.load(tmp_path / "roads.txt")


def test_lines_with_a_percent_sign_are_comments(tmp_path):
    (tmp_path / "roads.txt").write_text(
        "% sym unweighted\n%\n1 2\n% 3\n % hello\n\t%x y\n %\n , % a b\n2 a%\n"
    )
    assert boards.load(tmp_path / "roads.txt").edges().tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("digits", [1, 17, 18, 19, 20, 30, 5000])
def test_ids_of_any_length_are_numbered_in_ascending_order(digits, tmp_path):
    low, middle, high = "9" * (digits - 1), "1" + "0" * (digits - 1), "1" + "0" * digits
    names = [name for name in (f"-{high}", low, middle, high) if name]
    text = "".join(f"{one} {other}\n" for one, other in itertools.pairwise(reversed(names)))
    path = [[v, v + 1] for v in range(len(names) - 1)]
    (tmp_path / "roads.txt").write_text(text)
    assert boards.load(tmp_path / "roads.txt").edges().tolist() == path
    nodes = "".join(f'<node id="{name}"/>' for name in reversed(names))
    edges = "".join(f'<edge source="{a}" target="{b}"/>' for a, b in itertools.pairwise(names))
    (tmp_path / "roads.graphml").write_text(f"<graphml><graph>{nodes}{edges}</graph></graphml>")
    assert boards.load(tmp_path / "roads.graphml").edges().tolist() == path


GML = """graph [
  node [ id 30 label "a" graphics [ x 2 y 0 ] ]
  node [ id 10 label "b" graphics [ x 0 y 0.5 ] ]
  node [ id 20 label "c" x 1 y 0 ]
  edge [ source 30 target 20 value 0.5 ]
  edge [ source 20 target 10 ]
]
"""


def test_gml(tmp_path):
    (tmp_path / "three.gml").write_text(GML)
    board = boards.load(tmp_path / "three.gml")
    assert board.name == "three"
    assert board.edges().tolist() == [[0, 1], [1, 2]]
    assert board.positions.tolist() == [[0, 0.5], [1, 0], [2, 0]]
    assert boards.load(tmp_path / "three.gml", sides="planar").sides is not None
    for graph in (nx.karate_club_graph(), nx.les_miserables_graph()):
        nx.write_gml(graph, tmp_path / "other.gml")
        assert boards.load(tmp_path / "other.gml").edge_count == graph.number_of_edges()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "networkx cannot read this GML: "),
        ("graph [" + " a [" * 5000, "networkx cannot read this GML: "),
        ('graph [ node [ id 1 ] node [ id "&#x110000;" ] ]', "two.gml: "),
        (GML.replace("graph [", "graph [ directed 1", 1), "directed; undirected:FILE"),
        (GML.replace("target 20", "target 40"), "undefined target 40"),
        (GML.replace("target 20", "target 30"), "has an edge to itself"),
        (GML.replace("x 2", "x 2e0e"), "networkx cannot read this GML: "),
        (GML.replace("x 2", 'x "far"'), "the position is not a pair of numbers"),
    ],
)
def test_gml_that_is_no_board(text, sentence, tmp_path):
    (tmp_path / "two.gml").write_text(text)
    with pytest.raises(InvalidInput, match=r"two\.gml: ") as caught:
        boards.load(tmp_path / "two.gml")
    assert caught.match(sentence)
    assert "\n" not in str(caught.value)


def test_without_networkx_gml_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    (tmp_path / "three.gml").write_text(GML)
    with pytest.raises(InvalidInput, match="pip install networkx"):
        boards.load(tmp_path / "three.gml")


@pytest.mark.parametrize("suffix", [".col", ".mtx", ".gexf", ".net", ".g6"])
def test_other_formats_are_refused_with_what_to_do(suffix, tmp_path):
    with pytest.raises(InvalidInput, match=r"\bedge list\b|\bnetworkx\.read_"):
        boards.load(tmp_path / f"graph{suffix}")


FAR = [1e308, -1e308, 1e200, 1e160, 1e12, 1e-200, 1e-320]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("names", [("x", "y"), ("lon", "lat")])
@pytest.mark.parametrize("crs", [None, "epsg:4326", "epsg:3857"])
def test_a_drawing_of_any_size_is_scaled_or_refused_without_a_warning(far, names, crs):
    for places in ([(far, 0), (0, 1), (1, 1)], [(far, -far), (-far, far), (far, far)]):
        graph = nx.path_graph(3, create_using=nx.Graph)
        if crs:
            graph.graph["crs"] = crs
        for node, place in enumerate(places):
            graph.nodes[node].update(zip(names, place, strict=True))
        with contextlib.suppress(InvalidInput):
            board = boards.from_networkx(graph)
            ends = board.positions[board.edges()]
            assert 0.3 < np.median(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)) < 3


def test_a_latitude_beyond_the_pole_is_refused():
    graph = nx.path_graph(2)
    for node in graph:
        graph.nodes[node].update(lon=0, lat=90 + node)
    with pytest.raises(InvalidInput, match=r"\bnode 1: .* 90\b"):
        boards.from_networkx(graph)


def test_positions_that_are_all_the_same_are_none():
    graph = nx.path_graph(4)
    nx.set_node_attributes(graph, {node: {"x": 0, "y": 0} for node in graph})
    assert np.ptp(boards.from_networkx(graph).positions) > 2


def test_an_edge_list_that_is_no_text(tmp_path):
    (tmp_path / "roads.txt").write_bytes(b"0 1\n\xff\n")
    with pytest.raises(InvalidInput, match=r"\bbyte 4: .*\bUTF-8\b"):
        boards.load(tmp_path / "roads.txt")


def test_names_that_look_like_numbers_stay_apart(tmp_path):
    (tmp_path / "roads.txt").write_text("1 01\n01 1_0\n1_0 10\n10 ²\n")
    assert boards.load(tmp_path / "roads.txt").n == 5


GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="k0" for="node" attr.name="x" attr.type="double"/>
  <key id="k1" for="node" attr.name="y" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="n0"><data key="k0">0</data><data key="k1">0.5</data></node>
    <node id="n1"><data key="k0">1</data><data key="k1">0.5</data></node>
    <edge source="n1" target="n0"/>
  </graph>
</graphml>
"""


def test_graphml(tmp_path):
    (tmp_path / "two.graphml").write_text(GRAPHML)
    board = boards.load(tmp_path / "two.graphml")
    assert board.edges().tolist() == [[0, 1]]
    assert board.positions.tolist() == [[0, 0.5], [1, 0.5]]


BOMB = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d SYSTEM "file:///etc/passwd">]><graphml><graph><node id="&c;&d;"/></graph></graphml>"""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BOMB, "line 1: a document type is not accepted"),
        ("", "not well-formed XML"),
        ("<graphml><graph>", "not well-formed XML"),
        ("<graphml/>", "graph: the file has no such element"),
        ("<graphml><graph/></graphml>", "graph: there are no nodes"),
        ("<a>&b;</a>", "not well-formed XML"),
        (
            GRAPHML.replace("undirected", "directed"),
            "line 8: an edge is directed; undirected:",
        ),
        (GRAPHML.replace('"n1" target', '"n7" target'), r"edge\[0\]: node 'n7' does not exist"),
        (GRAPHML.replace('"n1" target', '"n0" target'), r"edge\[0\]: node 'n0' has an edge to its"),
        (GRAPHML.replace('target="n0"', ""), "line 8: edge: the attribute target is missing"),
        (GRAPHML.replace('id="n1"', 'id="n0"'), "line 7: node 'n0' is there already"),
        (GRAPHML.replace("0.5", "half"), "node 'n0': the position is not a pair of numbers"),
        (GRAPHML.replace("0.5", "nan"), "the coordinates are not finite"),
        (GRAPHML.replace("<edge", "<hyperedge"), "line 8: "),
        (GRAPHML.replace("<edge", '<node id="n2"/><edge'), "node 'n2' cannot be reached"),
        (GRAPHML.replace('"1.0"', '"1.0" encoding="klingon"'), "encoding|not well-formed"),
        ("<x>" * 200_000, "not well-formed XML"),
    ],
)
def test_graphml_that_is_no_board(text, sentence, tmp_path):
    (tmp_path / "two.graphml").write_text(text)
    with pytest.raises(InvalidInput, match=r"two\.graphml: ") as caught:
        boards.load(tmp_path / "two.graphml")
    assert caught.match(sentence)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("default", "positions"),
    [
        ("<default>4</default>", [[0, 0.5], [4, 0.5]]),
        ("<desc>5</desc><default> 4 </default>", [[0, 0.5], [4, 0.5]]),
        ("<default/>", None),
        ("", None),
    ],
)
def test_a_node_without_a_coordinate_has_the_default_of_the_key(default, positions, tmp_path):
    text = GRAPHML.replace('attr.name="x" attr.type="double"/>', f'attr.name="x">{default}</key>')
    path = tmp_path / "two.graphml"
    path.write_text(text.replace('<data key="k0">1</data>', ""))
    board = boards.load(path)
    if positions is None:
        assert board.positions == pytest.approx(-board.positions[::-1])  # laid out
    else:
        assert board.positions == pytest.approx(np.array(positions) / 4)


def test_the_crs_may_be_a_default(tmp_path):
    key = '<key id="c" for="graph" attr.name="crs"><default>epsg:3857</default></key>\n  <graph '
    (tmp_path / "two.graphml").write_text(GRAPHML.replace("<graph ", key))
    assert boards.load(tmp_path / "two.graphml").positions[:, 1].tolist() == [-0.5, -0.5]


def test_a_bomb_in_another_encoding(tmp_path):
    (tmp_path / "two.graphml").write_bytes(BOMB.encode("utf-16"))
    with pytest.raises(InvalidInput, match="document type"):
        boards.load(tmp_path / "two.graphml")


@settings(deadline=None)
@given(st.data(), st.sampled_from([".graphml", ".gml", ".txt"]))
def test_strange_bytes_never_fail_in_another_way(tmp_path_factory, data, suffix):
    whole = {".graphml": GRAPHML, ".gml": GML, ".txt": "0 1\n1 2\n2 0\n"}[suffix]
    text = bytearray(whole.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=3))
    path = tmp_path_factory.getbasetemp() / f"strange{suffix}"
    path.write_bytes(text)
    with contextlib.suppress(InvalidInput):
        boards.load(path)
