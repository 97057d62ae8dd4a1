"""The part on notebooks of the page on Python, run in Jupyter."""

import re

import pytest

from tests.docs.test_examples import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

pytestmark = pytest.mark.slow

SHOWN = {
    "boards.hatched(9)": "image/svg+xml",
    "position": "image/svg+xml",
    "result": "image/svg+xml",
    "record": "image/svg+xml",
    "board": "image/svg+xml",
    "play_series(lambda": "text/html",
    "flood.position(board,": "image/svg+xml",
}
"""What the last line of a cell begins with, and as what it is shown."""


def test_each_thing_on_the_last_line_of_a_cell_draws_itself(tmp_path) -> None:
    text = (ROOT / "docs" / "python.md").read_text().partition("\n## Many games at once")[0]
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in blocks])
    place = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources=place).execute()
    found = {}
    for cell in book.cells:
        first = cell.source.strip().splitlines()[-1].split(" ")[0]
        if first in SHOWN:
            found[first] = set(cell.outputs[-1]["data"])
    assert set(found) == set(SHOWN)
    assert [first for first, kinds in found.items() if SHOWN[first] not in kinds] == []
