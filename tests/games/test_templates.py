"""The Python players of ``player new`` use only the public interface of positions and searches."""

import importlib
import re
from importlib import resources
from pathlib import Path

import pytest

from ludograph.games.registry import OURS

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("game", OURS)
def test_no_template_uses_internals(game):
    folder = resources.files(f"ludograph.games.{game}") / "templates"
    text = (folder / "player.py.txt").read_text()
    assert "class @CLASS@" in text
    assert not re.findall(r"^\s*(?:from|import) ludograph.*$", text, re.MULTILINE)
    assert not re.findall(r"position\.(?:state|setup)\b", text)


INSIDE = re.compile(r"from (ludograph\.games\.\w+) import (.*)")


@pytest.mark.parametrize("game", OURS)
def test_compiled_templates_import_documented_public_names(game):
    folder = resources.files(f"ludograph.games.{game}") / "templates"
    text = (folder / "compiled.py.txt").read_text()
    imports = re.findall(r"^(?:from|import) .*$", text, re.MULTILINE)
    assert imports[0] == "from ludograph import rules, search"
    page = (DOCS / f"{game}.md").read_text()
    for line in imports[1:]:
        package, names = INSIDE.fullmatch(line).groups()
        public = importlib.import_module(package).__all__
        for name in names.split(", "):
            assert name in public
            assert f"`{name}" in page


@pytest.mark.parametrize("game", OURS)
def test_compiled_templates_make_their_search_before_the_game(game):
    folder = resources.files(f"ludograph.games.{game}") / "templates"
    text = (folder / "compiled.py.txt").read_text()
    before, after = text.split("    def choose(")
    assert "def prepare(self, position)" in before
    assert "AlphaBetaSearch(" in before
    assert "AlphaBetaSearch(" not in after
