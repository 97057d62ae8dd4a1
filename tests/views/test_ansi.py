import io

import pytest

from ludograph.views.ansi import Colors, colors_of, depth


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "variables", "colors"),
    [
        (Terminal(), {}, Colors.INDEXED),
        (Terminal(), {"COLORTERM": "truecolor"}, Colors.TRUE),
        (Terminal(), {"COLORTERM": "24bit"}, Colors.TRUE),
        (Terminal(), {"TERM": "xterm-kitty"}, Colors.TRUE),
        (Terminal(), {"TERM": "xterm-256color"}, Colors.INDEXED),
        (Terminal(), {"TERM": "dumb", "COLORTERM": "truecolor"}, Colors.NONE),
        (Terminal(), {"NO_COLOR": "1"}, Colors.NONE),
        (Terminal(), {"NO_COLOR": ""}, Colors.INDEXED),
        (Terminal(), {"FORCE_COLOR": "0"}, Colors.NONE),
        (io.StringIO(), {"COLORTERM": "truecolor"}, Colors.NONE),
        (io.StringIO(), {"FORCE_COLOR": "1"}, Colors.INDEXED),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, Colors.INDEXED),
        (io.StringIO(), {"FORCE_COLOR": "3"}, Colors.TRUE),
    ],
)
def test_colors_follow_stream_and_environment(stream, variables, colors):
    assert colors_of(stream, variables) is colors


def test_the_environment_of_the_process_is_the_default(monkeypatch):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert depth() is Colors.TRUE
