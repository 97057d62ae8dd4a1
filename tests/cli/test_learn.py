"""``ludograph learn``: what it refuses, and a run from its first round to a player."""

from __future__ import annotations

import json
import re
import signal
import time

import pytest

from ludograph.cli.learn import board_files, board_texts, sizes_in, with_enough_memory
from ludograph.cli.shared_options import RUN_AGAIN
from ludograph.errors import InvalidInput
from ludograph.games import registry
from ludograph.search.network import read_network
from tests.cli.installed import EXAMPLES
from tests.cli.run import refuse, spawn, succeed
from tests.interpreter import python

pytestmark = pytest.mark.slow

TINY = ("--channels", 16, "--layers", 1, "--games", 4, "--sims", 4, "--short-sims", 2)


def test_a_range_of_sizes_is_several_boards() -> None:
    assert sizes_in("hexagonal:5-7") == ["hexagonal:5", "hexagonal:6", "hexagonal:7"]
    assert sizes_in("4-5") == ["4", "5"]
    assert sizes_in("full-hexa:8x7") == ["full-hexa:8x7"]


def test_boards_are_named_by_options_or_by_one_leading_text() -> None:
    assert board_texts({"board": ("square:4", "square:5")}) == ("square:4", "square:5")
    assert board_texts({"board": "full-hexa:3x3"}) == ("full-hexa:3x3",)
    assert board_texts({}) == ()


def test_a_run_on_a_board_from_a_file_belongs_to_its_content(tmp_path) -> None:
    file = tmp_path / "fan.graphml"
    file.write_text("one")
    given = {"board": ("square:4", str(file))}
    first = board_files(given)
    assert len(first["board_files"]) == 1
    file.write_text("other")
    assert board_files(given) != first
    assert board_files({"board": "square:4"}) == {}


def test_a_device_that_is_not_there_is_refused(tmp_path) -> None:
    said = refuse("learn", "hex", "--out", tmp_path / "x.npz", "--device", "gpu")
    assert "GPU" in said


def test_the_number_of_seats_is_the_fewest_that_the_game_allows(registered, tmp_path) -> None:
    said = refuse("learn", EXAMPLES / "hex_for_three", "--out", tmp_path / "x.npz")
    assert re.search("hex3 .*observe", said)
    assert "seats" not in said


def test_a_board_that_is_too_large_makes_no_folder(tmp_path) -> None:
    said = refuse("learn", "flood", "-m", 140, "--out", tmp_path / "x.npz")
    assert "19600 vertices" in said
    assert not list(tmp_path.iterdir())


def test_no_memory_for_jax_is_one_sentence() -> None:
    with pytest.raises(InvalidInput, match="--batch"), with_enough_memory():
        raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 137438953472 bytes.")
    with pytest.raises(RuntimeError, match="something else"), with_enough_memory():
        raise RuntimeError("something else")


def test_without_jax_the_extra_is_named(tmp_path) -> None:
    code = (
        "import sys; sys.modules['jax'] = None; sys.argv = ['ludograph', *sys.argv[1:]];"
        "from ludograph.cli.main import main; main()"
    )
    done = python("-c", code, "learn", "hex", "--out", tmp_path / "x.npz", status=2)
    assert re.fullmatch(r"ludograph: .*\bjax: pip install 'ludograph\[learn\]'\n", done.stderr)


def test_a_run_goes_on_and_its_network_plays(tmp_path) -> None:
    out = tmp_path / "my.npz"
    command = ("learn", "hex", "--board", "2-3", *TINY, "--anchor", "random", "--match-games", 4)
    said = succeed(*command, "--rounds", 1, "--out", out)
    assert "against random" in said
    assert read_network(out, game="hex").trained["rounds"] == 1
    succeed(*command, "--rounds", 2, "--out", out)
    assert read_network(out, game="hex").trained["rounds"] == 2
    lines = (tmp_path / "my" / "curve.jsonl").read_text().splitlines()
    assert [json.loads(line)["rounds"] for line in lines] == [1, 2]
    assert "net:sims=0 against random" in (tmp_path / "my" / "curve.svg").read_text()
    assert (tmp_path / "my" / "curve.html").read_text().count("4 games of net:sims=0") == 2
    larger = (*command[:3], 4, *command[4:], "--rounds", 1, "--start", out)
    succeed(*larger, "--out", tmp_path / "larger.npz")
    assert "start" in read_network(tmp_path / "larger.npz", game="hex").trained
    wide = (*larger, "--channels", 32, "--out", tmp_path / "wide.npz")
    assert re.search("channels .*16 .*32 ", refuse(*wide))
    assert not (tmp_path / "wide").exists()
    said = refuse(*command, "--rounds", 2, "--seed", 1, "--out", out)
    assert re.search("seed .*0 .*1 ", said)


def test_a_network_learns_from_a_teacher(tmp_path) -> None:
    out = tmp_path / "my.npz"
    command = ("learn", "hex", "--board", 3, *TINY, "--anchor", "random", "--match-games", 4)
    taught = (*command, "--rounds", 2, "--out", out, "--teacher", "mcts:sims=50")
    succeed(*taught)
    assert read_network(out, game="hex").trained["teacher"] == "mcts:sims=50"
    assert "teacher " in refuse(*command, "--rounds", 3, "--out", out)
    succeed(*command, "--rounds", 1, "--start", out, "--out", tmp_path / "own.npz")
    assert "teacher" not in read_network(tmp_path / "own.npz", game="hex").trained


def test_a_network_that_matches_show_to_be_weaker_is_not_the_result(tmp_path, monkeypatch) -> None:
    shares = iter([0.6, 0.5, 0.42, 0.7])  # the third is weaker than the first, not than the second

    def measured(*_, **__):
        share = next(shares)
        match = {"player": "net:sims=0", "anchor": "random", "games": 40}
        return [{**match, "points": share, "low": share - 0.1, "high": share + 0.1}]

    monkeypatch.setattr("ludograph.learning.session.measure", measured)
    out = tmp_path / "my.npz"
    command = ("learn", "hex", "--board", 3, *TINY, "--anchor", "random", "--out", out)
    for rounds in (1, 2):
        assert "weaker" not in succeed(*command, "--rounds", rounds)
    said = succeed(*command, "--rounds", 3)
    assert re.search(r"42 % \(32 to 52\) against random; weaker .* round 1\n", said)
    assert re.search("round 2: .*weaker", said)
    assert read_network(out, game="hex").trained["rounds"] == 2
    assert read_network(tmp_path / "my" / "network.npz", game="hex").trained["rounds"] == 3
    assert "weaker" not in succeed(*command, "--rounds", 4)
    assert read_network(out, game="hex").trained["rounds"] == 4
    lines = (tmp_path / "my" / "curve.jsonl").read_text().splitlines()
    assert [json.loads(line)["is_best"] for line in lines] == [True, True, False, True]


def test_an_interrupted_run_ends_at_once(tmp_path) -> None:
    out = tmp_path / "my.npz"
    process = spawn("learn", "hex", "--board", 3, *TINY, "-q", "--minutes", 60, "--out", out)
    checkpoint = tmp_path / "my" / "checkpoint.npz"
    until = time.monotonic() + 500.0
    while not checkpoint.exists() and time.monotonic() < until:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=100.0)
    assert process.returncode == 130
    assert RUN_AGAIN in errors
    assert read_network(out, game="hex").trained["rounds"] >= 1


def test_a_game_is_found_by_its_path(registered) -> None:
    for path in ("snort", "snort/snort", "snort/snort/../snort"):
        assert registry.add_from(EXAMPLES / path) == "snort"
        assert registry.declaration("snort").name == "snort"
    assert registry.add_from(EXAMPLES / "misere_hex") == "rex"


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({}, "nogame: .*pyproject.toml"),
        ({"pyproject.toml": "[project]"}, r"one game .*ludograph\.games.* 0"),
        ({"pyproject.toml": "["}, "pyproject.toml: .*document"),
        ({"__init__.py": "1 / 0"}, "DECLARATION .*ZeroDivisionError"),
        ({"__init__.py": "class Bot: pass"}, "nogame: this is not a game: it has no DECLARATION$"),
        (
            {"pyproject.toml": "[project.entry-points.'ludograph.games']\nhex = 'a:b'"},
            "another name than hex",
        ),
    ],
)
def test_a_path_without_a_game_is_one_sentence(files, named, registered, tmp_path) -> None:
    folder = tmp_path / "nogame"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    with pytest.raises(InvalidInput, match=named):
        registry.add_from(folder)
    for missing in ("none", "none.py"):
        with pytest.raises(InvalidInput, match=f"{tmp_path}/{missing}: .*pyproject.toml"):
            registry.add_from(tmp_path / missing)


def test_a_wrong_path_is_refused_by_the_command(tmp_path, monkeypatch) -> None:
    assert "pyproject.toml" in refuse("learn", tmp_path, "--out", tmp_path / "x.npz")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mygame").mkdir()
    assert "pyproject.toml" in refuse("learn", "mygame", "--out", "x.npz")
    assert "'learn other'" in refuse("learn", "other", "--out", "x.npz")


def test_a_game_of_a_stranger_is_learned_by_its_path(registered, tmp_path) -> None:
    out, game = tmp_path / "my.npz", EXAMPLES / "misere_hex"
    match = ("--anchor", "random", "--match-games", 4)
    succeed("learn", game, "--board", 3, *TINY, *match, "--minutes", 0, "--out", out)
    assert read_network(out, game="rex").trained["rounds"] == 1
