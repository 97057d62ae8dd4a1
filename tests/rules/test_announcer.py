"""What is said of first compilations."""

import io
import re
import sys

import pytest

from ludograph import flood
from ludograph.players.spec import parse_player, preparation
from ludograph.rules.announcer import WIPE, Announcer

KERNELS = 12


class Terminal(io.StringIO):
    def isatty(self):
        return True


def said(stream, monkeypatch):
    """Compile some kernels, the later ones inside the first."""
    monkeypatch.setattr(sys, "stderr", stream)
    announcer = Announcer()
    announcer.prepare("mcts for nim")
    for _ in range(KERNELS):
        announcer.begin()
    for _ in range(KERNELS):
        announcer.end()
    return stream.getvalue()


def test_on_a_terminal_one_line_counts_and_is_wiped(monkeypatch):
    text = said(Terminal(), monkeypatch)
    assert "\n" not in text
    assert text.endswith(WIPE)
    lines = [line for line in text.split(WIPE) if line]
    assert all(re.search(r"\bmcts for nim: .*\bonce\b", line) for line in lines)
    assert [int(re.search(r"\d+", line)[0]) for line in lines] == list(range(1, KERNELS + 1))


def test_in_a_pipe_there_is_one_line(monkeypatch):
    (line,) = said(io.StringIO(), monkeypatch).splitlines()
    assert re.search(r"\bmcts for nim\b.*\bonce$", line)


def test_what_is_not_kept_is_told(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    Announcer().begin(kept=False)
    assert sys.stderr.getvalue().endswith("again in each process ...")


def test_counting_begins_anew_for_what_is_prepared_next(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    announcer = Announcer()
    for _ in range(2):
        announcer.prepare("mcts for nim")
        announcer.begin()
        announcer.end()
    assert re.findall(r"\d+", sys.stderr.getvalue().replace(WIPE, "")) == ["1", "1"]


def test_who_draws_already_shows_the_line_too(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    announcer = Announcer()
    shown = []
    announcer.line = shown.append
    announcer.begin()
    announcer.end()
    text, after = shown
    assert text.endswith(" once ...")
    assert after == ""
    assert sys.stderr.getvalue() == ""


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_it_can_be_silenced(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream())
    announcer = Announcer()
    announcer.enabled = False
    announcer.begin()
    announcer.end()
    assert sys.stderr.getvalue() == ""


def test_what_is_prepared_has_the_names_that_people_gave():
    specs = [parse_player(text, flood, 2) for text in ("mcts:sims=5", "random")]
    assert preparation("flood", specs) == "mcts for flood"
    assert preparation("flood", [specs[0], specs[0]]) == "mcts for flood"
    assert preparation("flood", [specs[1], object()]) == "flood"
