"""Street networks and other graphs with directions, parallel edges and loops, when asked for."""

import networkx as nx
import numpy as np
import pytest

import ludograph
from ludograph import boards
from ludograph.errors import InvalidInput
from tests.cli.run import refuse, succeed


def streets():
    """Return a small town as OSMnx keeps it: nodes with x and y in degrees, ways both ways."""
    graph = nx.MultiDiGraph(crs="epsg:4326")
    for row in range(3):
        for column in range(4):
            graph.add_node(4 * row + column, x=2.35 + 0.0015 * column, y=48.85 + 0.001 * row)
    for u, v in nx.grid_2d_graph(3, 4).edges():
        ends = (4 * u[0] + u[1], 4 * v[0] + v[1])
        graph.add_edge(*ends, oneway=False)
        graph.add_edge(*ends[::-1], oneway=False)
    graph.add_edge(0, 1)  # parallel
    graph.add_edge(5, 5)  # a cul-de-sac
    return graph


def test_directions_are_ignored_when_asked():
    board = boards.from_networkx(streets(), directed="ignore")
    assert board.edges().tolist() == boards.square(4, 3).edges().tolist()
    one_way = boards.from_networkx(nx.DiGraph([("a", "b"), ("c", "b")]), directed="ignore")
    assert one_way.edges().tolist() == [[0, 1], [1, 2]]


def test_the_north_of_a_map_is_up():
    board = boards.from_networkx(streets(), directed="ignore")
    assert board.positions[0, 1] > board.positions[8, 1]
    # At 48.85 degrees, 0.0015 degrees of longitude are nearly as long as 0.001 of latitude.
    east, north = board.positions[1] - board.positions[0], board.positions[4] - board.positions[0]
    assert np.hypot(*east) / np.hypot(*north) == pytest.approx(1.5 * np.cos(np.radians(48.851)))
    crossroads = boards.from_networkx(streets(), directed="ignore", sides="planar")
    assert crossroads.line(0, 0) == [4, 8]
    assert crossroads.line(5, 1) == [6, 7]


@pytest.fixture
def town(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    nx.write_graphml(streets(), "town.graphml")
    return tmp_path / "town.graphml"


def test_a_file_says_the_same(town):
    board = boards.load(town, directed="ignore", sides="planar")
    same = boards.from_networkx(streets(), directed="ignore", sides="planar")
    assert board.edges().tolist() == same.edges().tolist()
    assert np.allclose(board.positions, same.positions)
    assert board.sides.neighbors.tolist() == same.sides.neighbors.tolist()


def test_an_edge_list(tmp_path):
    (tmp_path / "roads.txt").write_text("a b\nb a\nb b\nb c\na b\n")
    board = boards.load(tmp_path / "roads.txt", directed="ignore")
    assert board.edges().tolist() == [[0, 1], [1, 2]]


def test_the_command_line_plays_on_it(town):
    succeed("flood", "--board", "undirected:town.graphml", "-c", 3, "-q", "greedy", "random")
    for text in ("planar:undirected:town.graphml", "undirected:planar:town.graphml"):
        succeed("penguins", "--penguins", 1, "--board", text, "-q", "line", "random")
    succeed("amazons", "--queens", 1, "--board", text, "-q", "random", "random")
    assert ludograph.make("flood", board=text).board.sides is not None


def test_the_refusals_say_how(town):
    says = refuse("flood", "--board", "town.graphml", "greedy", "random")
    assert "undirected:FILE" in says
    for game in ("penguins", "amazons"):
        says = refuse(game, "--board", "undirected:town.graphml", "random", "random")
        assert "sides='planar'" in says
        assert "planar:FILE" in says
    says = refuse("flood", "--board", "undirected:hatched:12", "greedy", "random")
    assert "hatched:12: " in says
    assert ".graphml" in says
    with pytest.raises(InvalidInput, match=r"^directed: .*'ignore'.*'yes'$"):
        boards.from_networkx(streets(), directed="yes")
    with pytest.raises(InvalidInput, match=r"^directed: .*'ignore'.*True$"):
        boards.load(town, directed=True)


@pytest.mark.parametrize("game", ["flood", "penguins", "amazons"])
@pytest.mark.parametrize("family", boards.FAMILIES)
def test_the_command_line_takes_every_family_that_python_plays(game, family):
    few = {"penguins": {"penguins": 1}, "amazons": {"queens": 1}}.get(game, {})
    odd = {"triangular": 3, "cairo": 5}.get(family)
    if game == "penguins" and odd:
        with pytest.raises(InvalidInput, match=f"tile 0 has {odd} sides"):
            ludograph.make(game, boards.family(family)(6), **few)
        return
    played = ludograph.make(game, boards.family(family)(6), **few)
    named = ludograph.make(game, f"{family}:6", **few)
    assert named.board.edges().tolist() == played.board.edges().tolist()
