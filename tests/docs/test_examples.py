"""What the documents show in Python runs."""

import ast
import re
from pathlib import Path

import pytest

from tests import openspiel
from tests.test_scripts import exists, imported

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    if "```python" in page.read_text()
]


SLOW = (
    "adding-a-game.md",
    "amazons.md",
    "cookbook.md",
    "flood.md",
    "hex.md",
    "learning.md",
    "penguins.md",
    "python.md",
    "variants.md",
    "writing-a-player.md",
)
"""They compile most."""


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if page.name in SLOW else ()) for page in PAGES],
    ids=[page.name for page in PAGES],
)
def test_python_blocks_run(page: Path, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "import openspiel" in page.read_text():
        openspiel.part("pyspiel")
    namespace: dict[str, object] = {"__name__": page.stem}
    for block in re.finditer(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
        line = page.read_text()[: block.start()].count("\n") + 1
        exec(compile("\n" * line + block.group(1), f"<{page.name}>", "exec"), namespace)


@pytest.mark.parametrize("name", SLOW)
def test_python_blocks_import_what_exists(name: str) -> None:
    text = (ROOT / "docs" / name).read_text()
    for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for module, part in imported(block):
            assert exists(module, part), f"{module} {part}"


def test_pages_link_to_what_exists() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if not target.startswith(("http://", "https://")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_page_and_the_package_of_snort_are_the_same_game() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text()
    source = (ROOT / "examples" / "snort" / "snort" / "game.py").read_text()
    parts = [node for node in ast.parse(source).body if not isinstance(node, ast.ImportFrom)]
    parts = [node for node in parts if not isinstance(node, ast.Import)][1:]  # the docstring
    assert len(parts) > 9
    for node in parts:
        assert ast.get_source_segment(source, node) in page
