"""What comes from outside is shown bounded, in one line and printable, in whatever sentence."""

import doctest

import networkx as nx
import pytest

from ludograph import (
    InvalidInput,
    LudographError,
    boards,
    flood,
    formatting,
    make,
    play_match,
    read_record,
)

EVIL = "\x1b[31m\n<script>" + "A" * 20_000


def test_doctests():
    assert doctest.testmod(formatting).failed == 0


def test_no_character_that_is_not_drawn_stays_unseen():
    for code in (0xAD, *range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), 0xE0001, 0xE007F):
        assert formatting.visible(f"a{chr(code)}b") == f"a\\x{code:02x}b"
    for text in ("Zo\xeb \U0001f600", "a\u200db", "x\tz\n", "\ufffd"):
        assert formatting.visible(text) == text


def graph(*edges, of=nx.Graph):
    made = of()
    made.add_edges_from(edges)
    return made


def edgelist(tmp_path, text, name="x.edgelist"):
    (tmp_path / name).write_text(text)
    return boards.load(tmp_path / name)


NAMED = {
    "loop": lambda _: boards.from_networkx(graph((EVIL, EVIL))),
    "twice": lambda _: boards.from_networkx(graph((EVIL, "b"), (EVIL, "b"), of=nx.MultiGraph)),
    "parts": lambda _: boards.from_networkx(graph((EVIL, "b"), ("c", "d"))),
    "file": lambda path: edgelist(path, f"{'A' * 9000} {'A' * 9000}\n"),
    "graphml": lambda path: edgelist(
        path,
        f'<graphml><graph edgedefault="undirected"><edge source="{"A" * 9000}" target="b"/></graph>'
        "</graphml>",
        "x.graphml",
    ),
}


@pytest.mark.parametrize("case", NAMED)
def test_names_of_vertices(case, tmp_path):
    with pytest.raises(InvalidInput) as caught:
        NAMED[case](tmp_path)
    said = str(caught.value).replace(str(tmp_path), "")
    assert said.isprintable()
    assert len(said) < 500
    assert any(word in said for word in ("node", "vertex", "edge"))


DOORS = {
    "game": lambda _: make(EVIL),
    "board": lambda _: flood.position(EVIL),
    "path": lambda path: boards.load(path / (EVIL[:200] + ".json")),
    "record": lambda path: read_record(path / EVIL[:200]),
    "to record": lambda path: play_match(
        flood.position(5), ["random"] * 2, record=path / EVIL[:50] / "game.jsonl"
    ),
    "option": lambda _: flood.position(5, **{EVIL: 1}),
    "player": lambda _: play_match(flood.position(5), [EVIL, "random"]),
    "clock": lambda _: play_match(flood.position(5), ["random"] * 2, clock=EVIL),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door(door, tmp_path):
    with pytest.raises(InvalidInput) as caught:
        DOORS[door](tmp_path)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


def test_an_error_is_one_line_whatever_it_quotes():
    said = str(LudographError(f"first\nsecond {EVIL}"))
    assert said.isprintable()
    assert said.startswith("first second ")
    assert len(said) < 5000
