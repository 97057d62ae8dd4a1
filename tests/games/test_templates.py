"""The players that ``player new`` writes stand on what a position tells, on nothing inside."""

import re
from importlib import resources

import pytest

GAMES = ("amazons", "carcassonne", "flood", "hex", "penguins")


@pytest.mark.parametrize("game", GAMES)
def test_no_template_imports_what_is_ours(game):
    folder = resources.files(f"ludograph.games.{game}") / "templates"
    text = (folder / "player.py.txt").read_text()
    assert "class @CLASS@" in text
    assert not re.findall(r"^\s*(?:from|import) ludograph.*$", text, re.MULTILINE)
    assert not re.findall(r"position\.(?:state|setup)\b", text)
