"""Boards from networkx, edge lists and GraphML."""

import contextlib
import itertools
import re

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
    ("graph", "named"),
    [
        (nx.Graph(), r"\bvertices: "),
        (nx.DiGraph([(0, 1)]), r"\bdirected; directed='ignore'"),
        (nx.MultiGraph([(0, 1), (1, 0)]), r"\bedge 0-1: .*\bnode 1 .*; directed='ignore'"),
        (nx.Graph([(0, 0), (0, 1)]), r"\bitself; directed='ignore'"),
        (nx.Graph([("a", "a"), ("a", "b")]), r"\bedge 'a'-'a': node 'a' .*\bitself"),
        (nx.Graph([("a", "b"), ("c", "d")]), r"\bnode 'c' .*\bnode 'a'"),
        ([(0, 1)], r"\bgraph, got list$"),
        (with_pos((0, 0, 0)), r"\bnode 0: .*\bposition\b"),
        (with_pos("ab"), r"\bnode 0: .*\bposition\b"),
        (with_pos((0, float("nan"))), r"\bfinite\b"),
        (with_pos((0, 10**400)), r"\bnode 0: .*\bposition\b"),
    ],
)
def test_graphs_that_are_no_boards(graph, named):
    with pytest.raises(InvalidInput, match=named):
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
    ("text", "named"),
    [
        ("", ": edges: "),
        ("# nothing\n", ": edges: "),
        ("0 1\n1 2 3\n", r"\bline 2: .* 3; .*\bweights\b"),
        ("a,b,0.5\n", r"\bline 1: .* 3; .*\bweights\b"),
        ("% sym\n1 2 1 1082\n", r"\bline 2: .* 4; .*\bweights\b"),
        ("c of a course\np edge 2 1\ne 1 2\n", r"\bline 1: .*\bDIMACS\b"),
        ("%%MatrixMarket matrix\n2 2 1\n1 2\n", r"\bline 1: .*\bmatrix\b"),
        ("%%matrixmarket MATRIX\n2 2 1\n1 2\n", r"\bline 1: .*\bmatrix\b"),
        ("0 1\n\n1\n", r"\bline 3: .* 1\b"),
        ("0 1\n#\n1 1\n", r"\bline 3: vertex '1' .*\bitself"),
        ("a b\n\nb a\n", r"\bline 3: .*\bline 1\b"),
        ("5 6\n7 8\n", r"\bvertex '7' .*\bvertex '5' .*\b2 components"),
        ("#\nfrom,to\na,b\nb,c\n", r"\bvertex 'a' .*\b2 components\b.*\bline 2\b"),
        ("a b\nb c\nd e\n", r"\bvertex 'd' .*\bvertex 'a' .*\b2 components\)$"),
    ],
)
def test_edge_lists_that_are_no_boards(text, named, tmp_path):
    assert re.search(named, refusal(tmp_path / "roads.txt", text))


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
    ("text", "named"),
    [
        ("", r"\bnetworkx\b.*\bGML: "),
        ("graph [" + " a [" * 5000, r"\bnetworkx\b.*\bGML: "),
        ('graph [ node [ id 1 ] node [ id "&#x110000;" ] ]', ""),
        (GML.replace("graph [", "graph [ directed 1", 1), "undirected:FILE"),
        (GML.replace("target 20", "target 40"), r"\btarget 40\b"),
        (GML.replace("target 20", "target 30"), "itself"),
        (GML.replace("x 2", "x 2e0e"), r"\bnetworkx\b.*\bGML: "),
        (GML.replace("x 2", 'x "far"'), "position"),
    ],
)
def test_gml_that_is_no_board(text, named, tmp_path):
    assert re.search(named, refusal(tmp_path / "two.gml", text))


def refusal(path, text):
    """Return the line by which a file with this text is refused."""
    path.write_text(text)
    with pytest.raises(InvalidInput, match=re.escape(f"{path}: ")) as caught:
        boards.load(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


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
    ("text", "named"),
    [
        (BOMB, r"\bline 1: .*\bdocument type\b"),
        ("", r"\bXML\b"),
        ("<graphml><graph>", r"\bXML\b"),
        ("<graphml/>", r": graph: .*\belement\b"),
        ("<graphml><graph/></graphml>", r": graph: .*\bnodes\b"),
        ("<a>&b;</a>", r"\bXML\b"),
        (GRAPHML.replace("undirected", "directed"), r"\bline 8: .*\bundirected:"),
        (GRAPHML.replace('"n1" target', '"n7" target'), r"\bedge\[0\]: node 'n7' "),
        (GRAPHML.replace('"n1" target', '"n0" target'), r"\bedge\[0\]: node 'n0' "),
        (GRAPHML.replace('target="n0"', ""), r"\bline 8: edge: .*\btarget\b"),
        (GRAPHML.replace('id="n1"', 'id="n0"'), r"\bline 7: node 'n0' "),
        (GRAPHML.replace("0.5", "half"), r"\bnode 'n0': .*\bposition\b"),
        (GRAPHML.replace("0.5", "nan"), r"\bfinite\b"),
        (GRAPHML.replace("<edge", "<hyperedge"), r"\bline 8: "),
        (GRAPHML.replace("<edge", '<node id="n2"/><edge'), r"\bnode 'n2' "),
        (GRAPHML.replace('"1.0"', '"1.0" encoding="klingon"'), r"\bencoding\b|\bXML\b"),
        ("<x>" * 200_000, r"\bXML\b"),
    ],
)
def test_graphml_that_is_no_board(text, named, tmp_path):
    assert re.search(named, refusal(tmp_path / "two.graphml", text))


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
