"""Windows that change their size while something is shown."""

import os
import signal

import pytest

from ludograph import make
from ludograph.cli.play.frames import Frame
from ludograph.cli.play.renderers import ScreenRenderer
from ludograph.cli.terminal import Terminal
from tests.cli.run import plain


def resize(*_):
    os.kill(os.getpid(), signal.SIGWINCH)


@pytest.fixture
def window(monkeypatch):
    """Gives the window a size."""
    monkeypatch.setenv("FORCE_COLOR", "1")

    def sized(columns, lines):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(lines))

    return sized


def test_a_match_is_drawn_again_at_once_as_large_as_the_window(window, capfd):
    window(80, 24)
    before = signal.getsignal(signal.SIGWINCH)
    position = make("flood", "square:5", seed=1)
    with ScreenRenderer(0.0) as show:
        show.show(Frame(position, ["one", "two"], "heading", "line"))
        small = plain(capfd.readouterr().out)
        window(160, 48)
        resize()
        large = plain(capfd.readouterr().out)
    assert signal.getsignal(signal.SIGWINCH) == before
    assert "line" in small
    assert "line" in large
    assert len(large.splitlines()) > len(small.splitlines()) + 8
    assert len(large.splitlines()) <= 48


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("name", ["flood", "hex", "penguins", "amazons", "carcassonne"])
def test_the_usual_board_is_whole_in_every_window(name, columns, window, capfd):
    rows = 24 if columns == 80 else 60
    window(columns, rows)
    with ScreenRenderer(0.0) as show:
        show.show(Frame(make(name, seed=1), ["one", "two"], "heading", "last line"))
        lines = [plain(line) for line in show.picture()[0]]
    assert lines[-1] == "last line"
    assert len(lines) <= rows
    assert max(map(len, lines)) <= columns
    assert plain(capfd.readouterr().out).splitlines()[-1] == "last line"


def test_a_change_while_something_is_drawn_is_not_lost(capfd):
    drawn = []

    def picture():
        drawn.append("again")
        if len(drawn) == 1:
            resize()  # while it is drawn
        return [], None

    with Terminal(picture=picture) as terminal:
        terminal.draw()
        assert len(drawn) == 2
        with terminal.held():
            resize()
        assert len(drawn) == 2
        terminal.draw()
        assert len(drawn) == 3
    assert capfd.readouterr().out.count("\x1b[?2026h") == 3
