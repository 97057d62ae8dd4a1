"""No text is read or written in the locale's encoding: LLVM sets the locale C while it prints code.

A thread that compiles would otherwise make another one read its files as ASCII.
"""

import ast
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "src" / "ludograph"
TEXT = ("text", "universal_newlines")


def by_locale(call: ast.Call) -> bool:
    """Tell whether a call reads or writes text without the name of an encoding."""
    words = {word.arg: word.value for word in call.keywords}
    if "encoding" in words:
        return False
    match call.func:
        case ast.Name("open"):
            mode = words.get("mode") or (call.args[1:2] or [None])[0]
            return "b" not in getattr(mode, "value", "r")
        case ast.Attribute(attr="read_text"):
            return not call.args
        case ast.Attribute(attr="write_text"):
            return len(call.args) == 1
    return any(getattr(words.get(word), "value", False) is True for word in TEXT)


def found(source: str) -> list[int]:
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if by_locale(call)]


def test_each_text_has_its_encoding_named():
    places = [
        (file.name, line)
        for file in SOURCES.rglob("*.py")
        for line in found(file.read_text("utf-8"))
    ]
    assert places == []


def test_a_text_without_encoding_is_found():
    lines = ['open("a")', 'open("a", "rb")', "path.read_text()", 'run(["a"], text=True)']
    assert found("\n".join([*lines, 'open("a", encoding="utf-8")'])) == [1, 3, 4]
