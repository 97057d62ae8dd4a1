"""The page for people who read the code names packages and files that exist."""

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "src" / "ludograph"
PAGE = (ROOT / "docs" / "architecture.md").read_text()
GAMES = [folder.name for folder in (SOURCES / "games").iterdir() if (folder / "rules.py").exists()]
NAMED = sorted(set(re.findall(r"`([\w<>./-]+(?:/|\.py|\.js))`", PAGE)))
FILE_NAMES = {path.name for path in SOURCES.rglob("*.[pj][ys]")}


@pytest.mark.parametrize("name", NAMED)
def test_files_and_folders_exist(name):
    for place in {name.replace("<game>", game) for game in GAMES}:
        assert (SOURCES / place).exists() or (ROOT / place).exists() or place in FILE_NAMES, place


def test_packages_are_those_of_the_layers():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = re.findall(r"\w+", " ".join(contracts["contracts"][0]["layers"]))
    packages = {layer for layer in layers if (SOURCES / layer).is_dir()}
    assert set(re.findall(r"^\| `(\w+)/`", PAGE, re.MULTILINE)) == packages


@pytest.mark.parametrize("way", ["move", "pair of games", "click", "playout"])
def test_a_way_has_at_most_eight_steps(way):
    steps = PAGE.partition(f"## The way of a {way}\n")[2].partition("\n## ")[0]
    assert 4 <= len(re.findall(r"^\d\. ", steps, re.MULTILINE)) <= 8


def test_words_of_the_glossary_are_names_in_the_code():
    table = PAGE.partition("## Glossary")[2]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| **")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row[3])}
    assert len(named) > 50
    sources = "\n".join(file.read_text() for file in SOURCES.rglob("*.py"))
    words = set(re.findall(r"\b[a-z_]\w*", sources))
    classes = set(re.findall(r"^(?:class )?([A-Z]\w*)", sources, re.MULTILINE))
    assert sorted(named - words - classes) == []


@pytest.mark.slow
def test_a_class_has_its_name_for_itself():
    """Only inside the games a name may be used again: no game imports another."""
    games = [SOURCES / "games" / game for game in GAMES]
    files = [file for file in SOURCES.rglob("*.py") if not set(games) & set(file.parents)]
    classes = [
        node.name
        for file in files
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert len(classes) > 500
    assert [name for name, count in Counter(classes).items() if count > 1] == []
