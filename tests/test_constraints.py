"""The versions that are pinned can be installed with every Python that the project promises."""

import tomllib
from importlib import metadata
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSION = "Programming Language :: Python :: 3."
PROMISED = [
    line.removeprefix(VERSION.removesuffix("3.")) + ".0"
    for line in PROJECT["classifiers"]
    if line.startswith(VERSION)
]
PINNED = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines())


def refused(requires: str) -> list[str]:
    """Return the promised versions of Python that a package's ``Requires-Python`` leaves out."""
    allowed = SpecifierSet(requires)
    return [version for version in PROMISED if version not in allowed]


def test_the_oldest_python_that_is_promised_is_the_first_patch_of_its_minor() -> None:
    assert PROMISED[0] in SpecifierSet(PROJECT["requires-python"])
    assert PROMISED[0] == PROJECT["requires-python"].removeprefix(">=") + ".0"
    assert refused(">=3.11.5") == ["3.11.0"]


def test_what_is_installed_takes_every_promised_python() -> None:
    """Those that are not installed here are tried by ``scripts/check-constraints``."""
    installed = {each.name: each.metadata["Requires-Python"] for each in metadata.distributions()}
    wrong = {
        name: left_out
        for name, requires in installed.items()
        if name in PINNED and requires and (left_out := refused(requires))
    }
    assert not wrong
    assert len(PINNED.keys() & installed.keys()) > 20
