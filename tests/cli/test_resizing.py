"""Windows that change their size while something is shown."""

import os
import signal

import pytest

from ludograph import make
from ludograph.cli.play.frames import Frame
from ludograph.cli.play.renderers import Pace, ScreenRenderer
from ludograph.cli.terminal.screen import Screen
from ludograph.cli.terminal.signals import ResizeHandler
from tests.cli.run import plain


def resize():
    os.kill(os.getpid(), signal.SIGWINCH)


def test_a_match_is_drawn_again_at_once_as_large_as_the_window(monkeypatch, capsys):
    size = [80, 24]
    monkeypatch.setattr(Screen, "size", staticmethod(lambda: tuple(size)))
    before = signal.getsignal(signal.SIGWINCH)
    position = make("flood", "square:5", seed=1)
    with ScreenRenderer(Pace(0.0), color=True) as show:
        show.show(Frame(position, ["one", "two"], "heading", "line"))
        small = plain(capsys.readouterr().out)
        size[:] = [160, 48]
        resize()
        large = plain(capsys.readouterr().out)
    assert signal.getsignal(signal.SIGWINCH) == before
    assert "line" in small
    assert "line" in large
    assert len(large.splitlines()) > len(small.splitlines()) + 8
    assert len(large.splitlines()) <= 48


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("name", ["flood", "hex", "penguins", "amazons", "carcassonne"])
def test_the_usual_board_is_whole_in_every_window(name, columns, monkeypatch, capsys):
    size = (columns, 24 if columns == 80 else 60)
    monkeypatch.setattr(Screen, "size", staticmethod(lambda: size))
    with ScreenRenderer(Pace(0.0), color=True) as show:
        show.show(Frame(make(name, seed=1), ["one", "two"], "heading", "last line"))
    capsys.readouterr()
    lines = [plain(line) for line in show.last]
    assert lines[-1] == "last line"
    assert len(lines) <= size[1]
    assert max(map(len, lines)) <= columns


def test_a_change_while_something_is_drawn_is_not_lost():
    drawn = []
    with ResizeHandler(lambda: drawn.append("again")) as resizes:
        with resizes.held():
            resize()
            assert drawn == []
        assert drawn == ["again"]
    with pytest.raises(KeyError), resizes.held():
        raise KeyError
    assert drawn == ["again"]
