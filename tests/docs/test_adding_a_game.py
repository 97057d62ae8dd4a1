"""The page that builds a game says all that there is to say, and the example holds its lines."""

import ast
import inspect
import re

import pytest

from ludograph.games import Game, VertexGame
from ludograph.games.interaction import Interaction
from ludograph.games.interop import Interop
from ludograph.games.presentation import Presentation
from ludograph.games.solving import Solving
from ludograph.rules import contract
from ludograph.rules.compilation import Kernel
from ludograph.rules.dispatch import Generic
from ludograph.search import hints
from ludograph.search.mcts import hints as mcts_hints
from ludograph.search.proof import game as proof_game
from tests.docs.test_examples import ROOT

PAGE = (ROOT / "docs" / "adding-a-game.md").read_text()
EXAMPLE = ROOT / "examples" / "snort"
DERIVED = {"name", "summary", "position", "strategy", "adviser"}
"""What a game has from the others, and does not say itself."""


@pytest.mark.parametrize("file", ["__init__.py", "game.py"])
@pytest.mark.parametrize(
    ("page", "package"), [("adding-a-game.md", "snort/snort"), ("variants.md", "misere_hex/rex")]
)
def test_the_page_holds_all_lines_of_the_example(page: str, package: str, file: str) -> None:
    text = (ROOT / "docs" / page).read_text()
    source = (ROOT / "examples" / package / file).read_text()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Assign):
            decorators = getattr(statement, "decorator_list", [])
            first = min(line.lineno for line in (statement, *decorators))
            lines = source.splitlines()[first - 1 : statement.end_lineno]
            assert "\n".join(lines) in text, f"{file}, line {first}"


def test_the_page_holds_the_project_file_of_the_example() -> None:
    assert (EXAMPLE / "pyproject.toml").read_text() in PAGE


def test_the_page_names_every_hook_of_a_game() -> None:
    parts = (Game, Presentation, Interaction, Interop, Solving)
    hooks = {name for part in parts for name in vars(part) if not name.startswith("_")} - DERIVED
    hooks |= {name for part in parts for name in inspect.get_annotations(part)}
    hooks |= {name for name in vars(VertexGame) if name.startswith("make_")} | {"fills", "palette"}
    assert [name for name in sorted(hooks) if not re.search(rf"\b{name}\b", PAGE)] == []


@pytest.mark.parametrize("module", [contract, hints, mcts_hints, proof_game])
def test_the_page_names_every_rule_and_hint(module) -> None:
    names = [name for name, value in vars(module).items() if isinstance(value, Generic)]
    assert names
    assert [name for name in names if not re.search(rf"\b{name}\b", PAGE)] == []


@pytest.mark.parametrize("module", [contract, hints, mcts_hints, proof_game])
def test_what_the_page_calls_a_hook_can_be_replaced(module) -> None:
    """A game cannot replace a kernel that is no generic function, so the page names none."""
    named = set(re.findall(r"`(?:[\w.]+\.)?(\w+)(?:\([^`]*\))?`", PAGE))
    kernels = {name for name, value in vars(module).items() if isinstance(value, Kernel)}
    assert sorted(named & kernels) == []
