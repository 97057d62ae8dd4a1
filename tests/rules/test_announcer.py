"""What is said of first compilations."""

import io
import sys

import pytest

from ludograph.rules.announcer import WIPE, Announcer


class Terminal(io.StringIO):
    def isatty(self):
        return True


def said(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    announcer = Announcer()
    for name in ("grow", "prune"):
        announcer.begin(name)
        announcer.begin("inner")
        announcer.end()
        announcer.end()
    return stream.getvalue()


def test_on_a_terminal_one_line_counts_and_is_wiped(monkeypatch):
    text = said(Terminal(), monkeypatch)
    assert "\n" not in text
    assert text.endswith(WIPE)
    lines = [line for line in text.split(WIPE) if line]
    assert lines == [
        f"preparing the first run (only this once): part {part}, 0 s so far ..." for part in (1, 2)
    ]


def test_in_a_pipe_each_kernel_has_a_line(monkeypatch):
    lines = said(io.StringIO(), monkeypatch).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("compiling grow (only this once) ... ")
    assert lines[1].endswith(" s")


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_it_can_be_silenced(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream())
    announcer = Announcer()
    announcer.enabled = False
    announcer.begin("grow")
    announcer.end()
    assert sys.stderr.getvalue() == ""
