"""Players' names: understood, or refused with one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph import InvalidInput, flood, hex
from ludograph.formatting import described, one_line, printable
from ludograph.players import PlayerSpec, parse_player
from ludograph.players.forfeit import error_text
from ludograph.referee.player_factory import label, labels


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("bot.py", "bot.so", "bot.so.1", "bot.so.2.10", "my.v2.py"):
        (tmp_path / name).write_text("Clever = x = 0\n")
    (tmp_path / "dir.py").mkdir()


@pytest.mark.parametrize(
    ("text", "kind", "target", "entry", "shown"),
    [
        ("greedy", "strategy", "greedy", "", "greedy"),
        ("mcts:time=0.2", "strategy", "mcts", "", "mcts:time=0.2"),
        ("bot.py", "python", "bot.py", "", "bot.py"),
        ("./bot.py:Clever", "python", "./bot.py", "Clever", "bot.py:Clever"),
        ("my.v2.py:x", "python", "my.v2.py", "x", "my.v2.py:x"),
        ("./bot.so", "library", "./bot.so", "", "bot.so"),
        ("bot.so", "library", "bot.so", "", "bot.so"),
        ("./bot.so.1", "library", "./bot.so.1", "", "bot.so.1"),
        ("bot.so.2.10", "library", "bot.so.2.10", "", "bot.so.2.10"),
    ],
)
def test_names(text, kind, target, entry, shown):
    spec = parse_player(text, flood)
    assert (spec.kind, spec.target, spec.entry, spec.label) == (kind, target, entry, shown)
    assert spec.text == text
    assert label(text) == label(spec) == shown


def test_strategies_with_long_settings_have_different_names():
    folder = "/home/somebody/experiments/networks/eleven"
    names = [f"net:weights={folder}/hexagonal-{number}.npz" for number in (1, 2)]
    specs = [PlayerSpec(text, "strategy", "net", {"weights": text[12:]}) for text in names]
    assert labels(specs) == labels(names) == names


def test_programs():
    spec = parse_player("cmd: sh bot.py --level 'very high' dir.py", flood)
    assert (spec.kind, spec.text[5:], spec.files) == ("cmd", spec.target, ["bot.py"])
    assert spec.label == "sh bot.py --level very high dir.py"
    assert label("cmd: sh bot.py") == "cmd: sh bot.py"
    assert labels(["cmd: sh a/bot.py", "b/bot.py"]) == ["cmd: sh a/bot.py", "bot.py"]


@pytest.mark.parametrize(
    "text", ["./engine", "bot.js", "x/Bot.java", "bot.sh", "bot.rb:fast", "greedy/", "my.bot"]
)
def test_how_programs_are_named_is_said(text):
    with pytest.raises(InvalidInput, match=r"after cmd:, as in 'cmd: \./engine --flag'"):
        parse_player(text, flood)


@pytest.mark.parametrize("name", ["sh_bot.sh", "random.sh", "engine", "some/engine"])
def test_a_program_without_cmd_is_no_strategy(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some").mkdir()
    (tmp_path / name).write_text("#!/bin/sh")
    with pytest.raises(InvalidInput, match=r"as in 'cmd: \./engine --flag'"):
        parse_player(name, flood)
    (tmp_path / name).chmod(0o755)
    with pytest.raises(InvalidInput) as caught:
        parse_player(name, flood)
    parse_player(str(caught.value).rpartition("as in ")[2].strip("'"), flood)


def test_a_file_does_not_hide_a_strategy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "greedy").write_text("")
    assert parse_player("greedy", flood).kind == "strategy"
    for name in ("gredy", "mcts.sims=9"):
        with pytest.raises(InvalidInput, match="has no strategy"):
            parse_player(name, flood)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (["a/p.so", "b/p.so"], ["a/p.so", "b/p.so"]),
        (["x/a/lib/p.so", "y/a/lib/p.so"], ["x/a/lib/p.so", "y/a/lib/p.so"]),
        (["p.so", "a/p.so", "./p.so"], ["{here}/p.so", "a/p.so", "{here}/p.so"]),
        (["a/p.py:One", "b/p.py:One"], ["a/p.py:One", "b/p.py:One"]),
        (["a/p.py:One", "b/p.py:Two"], ["p.py:One", "p.py:Two"]),
        (["a/p.so.1", "b/p.so.1", "greedy"], ["a/p.so.1", "b/p.so.1", "greedy"]),
        (["a/p.so", "a/q.so", "random", "random"], ["p.so", "q.so", "random", "random"]),
    ],
)
def test_names_of_several(given, shown, tmp_path):
    for text in given:
        path = tmp_path / text.partition(":")[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("One = Two = 0\n")
    shown = [name.format(here=tmp_path.name) for name in shown]
    assert labels(given) == shown
    specs = [parse_player(text, flood) for text in given]
    assert labels(specs) == shown


def test_options():
    assert parse_player("mcts:time=0.2,c=1.5", flood).options == {"time": "0.2", "c": "1.5"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("gredy", r"'gredy'.*\bgreedy\b"),
        ("greedy:time=1", r"'time'.*\brandom"),
        ("mcts:time", r"\bname=value\b.*'time'"),
        ("mcts:=1", r"\bname=value\b.*'=1'"),
        ("mcts:time=x", r"\btime .* 'x'"),
        ("mcts:time=1,time=2", "'time'"),
        ("none.py", r"\bnone\.py "),
        ("dir.py", r"\bdir\.py .*\bfile"),
        ("bot.py:a-b", "'a-b'"),
        ("bot.py:", "'1'"),
        ("bot.so.1:x", "options"),
        ("./bot.so.x", r"\.py, \.c or \.so"),
        ("bot.so:x", "options"),
        ("./bot", r"\.py, \.c or \.so"),
        ("bot.dll", r"\.py, \.c or \.so"),
        ("bot\n.py", "cannot be printed"),
        ("bot\udcff.py", "cannot be printed"),
        ("x" * 10_000, "10000 characters"),
    ],
)
def test_wrong_names(text, problem):
    if text == "bot.py:":
        text = "bot.py:1"
    with pytest.raises(InvalidInput, match=problem) as caught:
        parse_player(text, flood)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("cmd:", "'cmd: ./engine --flag'"),
        ("cmd: no-such-program --x", "'no-such-program'"),
        ("cmd: 'cat", "No closing quotation"),
        ("htp:", "'htp: "),
        ("htp: no-such-program --x", "'no-such-program'"),
        ("htp: 'cat", "No closing quotation"),
    ],
)
def test_wrong_names_of_programs(text, problem):
    with pytest.raises(InvalidInput, match=problem):
        parse_player(text, hex, 2)


@given(st.text())
def test_texts_are_shown_safely(text):
    for limit in (10, 60, 4096):
        shown = printable(text, limit)
        assert all(c.isprintable() or c in "\n\t" for c in shown)
        assert len(one_line(text, limit)) <= limit
        assert one_line(text, limit).isprintable()
        shown.encode()


class Hostile:
    name = property(lambda self: 1 / 0)

    def __repr__(self):
        raise RuntimeError

    __str__ = __repr__


ODD = [10**9999, "x" * 10**6, b"x" * 10**6, [0] * 10**6, Hostile(), {1: Hostile()}, 1.5, None]


@pytest.mark.parametrize("number", range(len(ODD)))
def test_anything_can_be_described(number):
    value = ODD[number]
    assert 0 < len(described(value)) <= 200


def test_any_error_can_be_told():
    class Wrong(Exception):
        __str__ = Hostile.__repr__

    assert error_text(Wrong()).startswith("Wrong: (")
    assert len(error_text(ValueError("x" * 10**6))) < 5000
    assert error_text(StopIteration()) == "StopIteration"
