"""The promise of what every 1.x keeps names what there is: packages, their names, commands."""

import importlib
import re
from pathlib import Path

import click

import ludograph
from ludograph.cli.main import COMMANDS, cli
from ludograph.games.registry import OURS
from ludograph.players import Reason

PAGES = (Path(__file__).resolve().parent.parent.parent / "docs").glob("*.md")
PROMISE = next(
    text.partition("What 1.x keeps\n")[2].partition("What may change\n")[0]
    for text in (page.read_text() for page in PAGES)
    if "What 1.x keeps\n" in text
)


def named(part: str) -> set[str]:
    """Return what stands as code in a part of the promise."""
    return set(re.findall(r"`([^`]+)`", part))


def paragraph(title: str) -> str:
    return PROMISE.partition(f"**{title}.**")[2].partition("\n\n**")[0]


def test_each_promised_package_exports_names():
    """Which of them the reference lists is tested with the site."""
    packages = {word for word in named(paragraph("Python")) if word.startswith("ludograph.")}
    assert packages >= {f"ludograph.games.{name}" for name in OURS}
    for package in packages:
        assert importlib.import_module(package).__all__, package


def test_the_names_of_ludograph_are_promised_one_by_one():
    row = re.search(r"^\| `ludograph` \|.*", PROMISE, re.MULTILINE)
    assert named(row[0]) - {"ludograph"} == set(ludograph.__all__)


def test_the_commands_are_promised_one_by_one():
    words = re.findall(r"`([a-z][a-z-]*)`", paragraph("Commands"))
    assert sorted(words) == sorted({"ludograph", *COMMANDS})
    for word in set(words) - {"ludograph"}:
        assert cli.get_command(click.Context(cli), word), word


def test_the_reasons_of_a_forfeit_are_promised():
    line = next(line for line in PROMISE.splitlines() if "reasons of a forfeit" in line)
    assert named(line) == {reason.value for reason in Reason}
