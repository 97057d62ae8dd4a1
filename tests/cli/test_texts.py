"""Texts on their way to a person."""

import ast
import re
from pathlib import Path

import pytest

import ludograph
from ludograph.cli import texts
from ludograph.formatting import points_text, seconds

DOCUMENT = re.compile(r"docs/[a-z./-]+\.md")


def shown_by(path):
    """The texts of a file that people may see: all but a module's docstrings and comments."""
    text = path.read_text()
    if path.suffix != ".py" or not DOCUMENT.search(text):
        return [text]
    nodes = list(ast.walk(ast.parse(text)))
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def test_no_text_sends_a_reader_to_a_document_that_a_wheel_lacks():
    files = [
        path
        for path in Path(ludograph.__file__).parent.rglob("*")
        if path.suffix in (".py", ".html", ".js", ".txt", ".c", ".h")
    ]
    assert len(files) > 500
    named = {path for path in files if any(map(DOCUMENT.search, shown_by(path)))}
    assert not named


def test_safe_leaves_nothing_to_obey():
    assert texts.safe("a\x1b[31mb\nc\u202e") == "a?[31mb?c?"


@pytest.mark.parametrize(
    ("share", "drawn"), [(0, "    "), (1, "████"), (0.5, "██  "), (1 / 32, "▏   "), (9, "████")]
)
def test_bar(share, drawn):
    assert texts.bar(share, 4) == drawn


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (12345.6, "12346 s"),
        (2.5, "2.5 s"),
        (0.9999, "1 s"),
        (0.9989, "999 ms"),
        (0.0123, "12.3 ms"),
        (0.00099999, "1 ms"),
        (0.0005, "500 µs"),
        (0.0, "0 µs"),
    ],
)
def test_seconds(time, text):
    assert seconds(time) == text


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0.5, "0.5"),
        (-0.0, "0"),
        (37 / 3, "12.3333"),
        (99_999.5, "99999.5"),
        (100_000.5, "100000.5"),
        (1_000_000.0, "1000000"),
    ],
)
def test_points(points, text):
    assert points_text(points) == text
