"""The documents as a site, made without a warning, whose reference has every public name."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import amounts

ROOT = Path(__file__).resolve().parent.parent.parent
REFERENCE = ROOT / "docs" / "reference"
BLOCK = re.compile(
    r"^::: (\S+)\n    options:\n      members:\n((?:        - \S+\n)+)", re.MULTILINE
)

OF_EXTRA = "ludograph.rl.openspiel"
"""A module that can be imported after ``make test-all`` only."""


def referred():
    """Return the names that the reference lists, each behind the module that it is looked up in."""
    pages = "".join(page.read_text() for page in sorted(REFERENCE.glob("*.md")))
    return [
        (module, name)
        for module, names in BLOCK.findall(pages)
        for name in re.findall(r"- (\S+)", names)
        if module != OF_EXTRA or amounts.everything
    ]


MODULES = sorted({module for module, _ in referred()})
PACKAGES = [name for name in MODULES if hasattr(importlib.import_module(name), "__all__")]


def test_the_reference_lists_what_there_is():
    for module, name in referred():
        assert hasattr(importlib.import_module(module), name), f"{module}.{name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_reference_has_every_public_name(package):
    listed = {name for module, name in referred() if f"{module}.".startswith(f"{package}.")}
    if package == "ludograph":
        listed |= {module.split(".")[-1] for module, _ in referred()}  # boards and the games
    if package.startswith("ludograph.games."):
        listed.add(package.rpartition(".")[2])  # the game itself, of the class that is listed
    assert set(importlib.import_module(package).__all__) <= listed


def test_every_page_has_its_place():
    places = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    pages = (ROOT / "docs").rglob("*.md")
    assert {str(page.relative_to(ROOT / "docs")) for page in pages} == places


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for name in ("mkdocs", "material", "mkdocstrings", "mkdocstrings_handlers.python"):
        pytest.importorskip(name, exc_type=ImportError)
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_site_shows_every_name_of_the_reference(site):
    shown = set()
    for page in (site / "reference").rglob("index.html"):
        shown |= set(re.findall(r'id="(ludograph\.[\w.]+)"', page.read_text()))
    assert {f"{module}.{name}" for module, name in referred()} <= shown


@pytest.mark.slow
def test_the_site_fetches_nothing(site):
    for page in site.rglob("*.html"):
        for tag in re.findall(r"<(?:script|link|img)\b[^>]*>", page.read_text()):
            assert not re.search(r'(?:src|href)="(?:https?:)?//', tag), f"{page}: {tag}"
