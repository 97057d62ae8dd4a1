"""The notebooks on learning, run as in Jupyter: from nothing to a curve, and to unseen graphs."""

import re

import pytest

from ludograph.search.network import read_network
from tests.docs.test_examples import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("jax")

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples"
SHARE = re.compile(r"(\w+) graph.*?: (\d+) % of the points \((\d+) to (\d+)\) against (\S+)")


def executed(name, folder):
    """Return a notebook after its cells have run in an empty folder."""
    book = nbformat.read(EXAMPLES / name, as_version=4)
    place = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(book, timeout=900, kernel_name="python3", resources=place).execute()
    return book


def outputs_of(book):
    return [output for cell in book.cells for output in cell.get("outputs", ())]


def shares_of(book):
    """Return the shares of points on unseen graphs by graph and opponent: mean, low, high."""
    text = "".join(output.get("text", "") for output in outputs_of(book))
    found = {(where, who): tuple(map(int, numbers)) for where, *numbers, who in SHARE.findall(text)}
    assert len(found) == 8
    return found


def test_it_is_kept_without_outputs() -> None:
    assert not outputs_of(nbformat.read(EXAMPLES / "learn.ipynb", as_version=4))


def test_it_goes_from_nothing_to_a_curve(tmp_path) -> None:
    shown = outputs_of(executed("learn.ipynb", tmp_path))
    drawn = [output["data"]["image/svg+xml"] for output in shown if "data" in output]
    assert len(drawn) == 3  # the board, the curve, the last game
    assert "net:sims=0 against random" in drawn[1]
    trained = read_network(tmp_path / "run" / "network.npz", game="hex").trained
    assert trained["rounds"] == 12


def test_a_graph_network_plays_on_graphs_that_it_has_not_seen(tmp_path) -> None:
    book = executed("graph-network.ipynb", tmp_path)
    drawn = [each for each in outputs_of(book) if "image/svg+xml" in each.get("data", ())]
    assert len(drawn) == 2  # a start, a game
    kept = shares_of(nbformat.read(EXAMPLES / "graph-network.ipynb", as_version=4))
    for (graph, opponent), (mean, low, high) in shares_of(book).items():
        where = f"{graph} graph, against {opponent}"
        if opponent in ("random", "valid"):
            assert low > 75, where
        if opponent == "greedy":
            assert high > 50, where
        # What is kept is what comes out, but for the rounding of sums by the processor.
        assert abs(mean - kept[graph, opponent][0]) <= 20, where
