"""Sentences of the documents are whole: they begin, they end, and their brackets close."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
SMALL = {"h2", "i", "libgsl", "libigraph", "nginx", "pandas", "systemd", "van", "x", "y"}
"""Names that begin a sentence as they are."""

FENCE = re.compile(r" *(`{3,}|~{3,})")
ITEM = re.compile(r"^ *([-*+]|\d+\.) ")
NO_SENTENCE = ("#", "|", "<", "!", ":::", "---", "$$")
"""The beginnings of blocks without sentences: headings, tables, HTML, pictures, formulas."""


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the paragraphs and items of a page, each with the beginning of what follows it."""
    found, code, now = [], "", ""
    for line in [*text.splitlines(), ""]:
        fence = FENCE.match(line)
        if code or fence:
            if not code and now:
                found.append(now)
                now = ""
            if not code:
                code = fence[1]
                found.append(code)
            elif line.strip() == code:
                code = ""
        elif not line.strip() or ITEM.match(line):
            if now:
                found.append(now)
            now = line.strip() and line
        else:
            now += f"\n{line}" if now else line
    for block, after in zip(found, [*found[1:], ""], strict=True):
        if not block.strip().startswith((*NO_SENTENCE, "```", "~~~")) and block[:4] != "    ":
            yield block, after


def plain(block: str) -> str:
    """Return the text of a block on one line, with a word for code and without links."""
    text = re.sub(r"`[^`]*`", "CODE", block)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(ITEM.sub("", text, count=1).split())


def problems(text: str) -> Iterator[str]:
    """Yield what is wrong with the sentences of a page."""
    for block, after in blocks(text):
        said = plain(block)
        for word in re.findall(r"(?<!e\.g)(?<!i\.e)(?<=[\w)])[.!?] ([a-z]\w*)", said):
            if word not in SMALL:
                yield f"a sentence begins with {word!r}: {said}"
        leads = ITEM.match(after) or after.startswith(("```", "~~~", "$$", "|", "    "))
        if not ITEM.match(block) and not leads and not re.search(r"[.:!?…)*”\"]$|CODE$", said):
            yield f"a paragraph does not end: {said}"
        for pair in ("()", "[]", "“”"):
            if said.count(pair[0]) != said.count(pair[1]):
                yield f"{pair} do not match: {said}"
        if said.count("**") % 2:
            yield f"** is not closed: {said}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sentences_are_whole(page):
    assert not (found := list(problems(page.read_text()))), "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "Nobody gets points. a score of -1.",
        "- **One** ends. its meeples stay.",
        "It begins (and goes on.",
        "It begins and\n\nIt ends.",
        "A **word is bold.",
    ],
)
def test_a_fragment_is_found(text):
    assert list(problems(text))
