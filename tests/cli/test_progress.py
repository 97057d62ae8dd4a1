"""What takes long shows how far it is: to a person at a terminal, seldom to others."""

import re

import pytest

from ludograph.cli import progress, solve
from ludograph.rules.announcer import announcer
from tests.cli.run import invoke, succeed


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    succeed("flood", "--board", 4, "--seed", 3, "--record", path, "-q", "greedy", "random")
    return path


SLOW = {
    "solve": (("solve", "hex", "--size", 3), "searching, at most 60 s"),
    "playouts": (("playouts", "flood", "-r", 1000), "playouts"),
    "why": (("why", "GAME", "--sims", 20), "searches"),
    "series": (("flood", "--board", 4, "-r", 4, "greedy", "random"), "games"),
}


@pytest.fixture
def terminal(monkeypatch):
    for module in (progress, solve):
        monkeypatch.setattr(module, "on_terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")


def told(game, *arguments) -> str:
    """Return what a command writes to standard error."""
    result = invoke(*(game if each == "GAME" else each for each in arguments))
    assert result.exit_code == 0, result.output
    return result.stderr


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.usefixtures("terminal")
def test_a_person_sees_how_far_it_is(game, name) -> None:
    arguments, shown = SLOW[name]
    assert shown in told(game, *arguments)


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.usefixtures("terminal")
def test_nothing_is_shown_where_a_program_or_a_quiet_person_asks(game, name) -> None:
    arguments, _ = SLOW[name]
    assert told(game, *arguments, "--json") == told(game, *arguments, "-q") == ""


@pytest.mark.parametrize("name", SLOW)
def test_nothing_is_shown_in_a_pipe(game, name) -> None:
    assert told(game, *SLOW[name][0]) == ""


def test_work_of_minutes_writes_a_line_now_and_then_into_a_pipe(game, monkeypatch) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    arguments = SLOW["series"][0]
    assert told(game, *arguments).splitlines() == [f"{n} of 4 games" for n in (1, 2, 3, 4)]
    assert told(game, *arguments, "-q") == ""


@pytest.mark.usefixtures("terminal")
def test_openings_are_counted_while_they_are_solved(game) -> None:
    shown = told(game, "solve", "hex", "--size", 4)
    assert re.search(r"searching, at most 60 s; \d+ of 16 openings", shown)


@pytest.mark.usefixtures("terminal")
def test_compiling_is_told_in_the_same_line() -> None:
    with progress.waiting("thinking", shown=True):
        assert announcer.line is not None
    assert announcer.line is None
