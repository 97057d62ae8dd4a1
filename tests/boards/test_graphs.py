"""Boards from networkx, edge lists and GraphML."""

import contextlib

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
        ("0 1\n1 2 3\n", "line 2: expected two vertices, got 3"),
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


def test_an_edge_list_that_is_no_text(tmp_path):
    (tmp_path / "roads.txt").write_bytes(b"0 1\n\xff\n")
    with pytest.raises(InvalidInput, match="byte 4: the text is not UTF-8"):
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


def test_a_bomb_in_another_encoding(tmp_path):
    (tmp_path / "two.graphml").write_bytes(BOMB.encode("utf-16"))
    with pytest.raises(InvalidInput, match="a document type is not accepted"):
        boards.load(tmp_path / "two.graphml")


@settings(deadline=None)
@given(st.data(), st.sampled_from([".graphml", ".txt"]))
def test_strange_bytes_never_fail_in_another_way(tmp_path_factory, data, suffix):
    text = bytearray((GRAPHML if suffix == ".graphml" else "0 1\n1 2\n2 0\n").encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=3))
    path = tmp_path_factory.getbasetemp() / f"strange{suffix}"
    path.write_bytes(text)
    with contextlib.suppress(InvalidInput):
        boards.load(path)
