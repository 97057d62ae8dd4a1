"""The notebook on learning, run as one in Jupyter: from nothing to a curve, on tiny numbers."""

import pytest

from ludograph.search.network import read_network
from tests.docs.test_examples import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("jax")

pytestmark = pytest.mark.slow

NOTEBOOK = ROOT / "examples" / "learn.ipynb"


def test_it_is_kept_without_outputs() -> None:
    book = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells)


def test_it_goes_from_nothing_to_a_curve(tmp_path) -> None:
    book = nbformat.read(NOTEBOOK, as_version=4)
    place = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources=place).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", ())]
    drawn = [output["data"]["image/svg+xml"] for output in shown if "data" in output]
    assert len(drawn) == 3  # the board, the curve, the last game
    assert "net:sims=0 against random" in drawn[1]
    trained = read_network(tmp_path / "run" / "network.npz", game="hex").trained
    assert trained["rounds"] == 12
