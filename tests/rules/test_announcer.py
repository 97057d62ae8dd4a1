"""What is said of first compilations."""

import gc
import io
import re
import sys
import weakref

import pytest

from ludograph import boards, flood
from ludograph.players.preparing import announce, title
from ludograph.players.spec import parse_player
from ludograph.rules.announcer import ENOUGH, WIPE, Announcer, rounded
from ludograph.rules.compilation import compiled
from ludograph.rules.fingerprint import reached
from ludograph.rules.reach import used_by
from ludograph.search.mcts import monte_carlo

NAMES = [f"kernel {number}" for number in range(2 * ENOUGH)]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def said(stream, monkeypatch, *, found=()):
    """Compile all kernels, the later ones inside the first."""
    monkeypatch.setattr(sys, "stderr", stream)
    announcer = Announcer()
    announcer.prepare("mcts for nim", lambda: set(NAMES))
    announcer.found(lambda: set(found))
    missing = [name for name in NAMES if name not in found]
    for name in missing:
        announcer.begin(name)
    for _ in missing:
        announcer.end()
    return stream.getvalue()


def test_on_a_terminal_one_line_counts_to_the_total_and_is_wiped(monkeypatch):
    text = said(Terminal(), monkeypatch)
    assert "\n" not in text
    assert text.endswith(WIPE)
    lines = [line for line in text.split(WIPE) if line]
    assert re.search(rf"\bmcts for nim: 0 of {len(NAMES)}\b.* 4 s .*\bonce\b", lines[0])
    assert [int(line.split()[4]) for line in lines] == list(range(len(NAMES)))


def test_what_is_on_disk_counts_as_done(monkeypatch):
    text = said(Terminal(), monkeypatch, found=NAMES[:5])
    assert f" mcts for nim: 5 of {len(NAMES)} " in text.split(WIPE)[1]


def test_in_a_pipe_there_is_one_line(monkeypatch):
    (line,) = said(io.StringIO(), monkeypatch).splitlines()
    assert re.search(r"\bmcts for nim\b.*\bonce$", line)


def test_few_kernels_are_not_counted(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    announcer = Announcer()
    announcer.begin("grow", lambda: {"grow"}, kept=False)
    assert re.fullmatch(rf"{re.escape(WIPE)}\D*\bprocess ...", sys.stderr.getvalue())


def test_who_draws_already_shows_the_line_too(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    announcer = Announcer()
    shown = []
    announcer.line = shown.append
    announcer.begin("grow")
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
    announcer.begin("grow", lambda: pytest.fail("nothing is to be looked at"))
    announcer.end()
    assert sys.stderr.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.1, 1), (2.4, 2), (5.0, 5), (6.0, 5), (13.0, 15), (98.0, 100)]
)
def test_seconds_are_round(seconds, told):
    assert rounded(seconds) == told


@compiled
def inner(x):
    return x + 1


@compiled
def outer(x):
    return inner(x) + 1


class Uses:
    """Names a kernel in a method, below a call."""

    def choose(self, x):
        return self.really(x)

    def really(self, x):
        return [outer(each) for each in x]


def test_kernels_are_found_in_plain_code():
    assert used_by(Uses, (__name__,)) == [outer]
    assert used_by(Uses, ("elsewhere",)) == []
    assert reached([outer], ()) == {f"{__name__}.outer", f"{__name__}.inner"}


def test_a_search_needs_its_kernels_and_the_rules_of_the_game():
    names = reached(used_by(monte_carlo.MonteCarlo, ("ludograph.search",)), [type(flood_setup())])
    assert "ludograph.search.mcts.search.simulate" in names
    assert "ludograph.games.flood.rules.flood_play" in names
    assert not any(".hex." in name for name in names)


def flood_setup():
    return flood.position(boards.square(3), colors=3, seed=1).setup


def test_what_is_prepared_has_the_names_that_people_gave():
    specs = [parse_player(text, flood, 2) for text in ("mcts:sims=5", "random")]
    assert title("flood", specs) == "mcts for flood"
    assert title("flood", [specs[0], specs[0]]) == "mcts for flood"
    assert title("flood", [specs[1], object()]) == "flood"
    announce(flood.position(boards.square(3), colors=3, seed=1), specs)  # and looks at nothing yet


def test_a_process_that_plays_for_weeks_holds_what_was_said_last_alone():
    """Each match says what it needs, and that holds its board."""
    announcer = Announcer()
    held = []
    for _ in range(3):
        parts = Parts()
        held.append(weakref.ref(parts))
        announcer.prepare("mcts for nim", parts)
    del parts
    gc.collect()
    assert [one() is not None for one in held] == [False, False, True]


class Parts:
    """Tells which kernels are needed."""

    def __call__(self):
        return {"kernel"}
