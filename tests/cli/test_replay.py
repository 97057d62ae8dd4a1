"""``ludograph replay``: a record, shown again and drawn."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tests.cli.run import in_terminal, invoke, refuse, run, succeed


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A recorded game and what was shown of it."""
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    options = ("-m", 5, "-c", 4, "--seed", 4, "--starter", 1, "--record", path)
    return path, succeed("flood", *options, "greedy", "random")


def test_shows_what_the_match_showed(game):
    path, shown = game
    again = succeed("replay", path)
    assert again.split("\n", 6)[6] == shown.split("\n", 6)[6]
    assert again.splitlines()[5] == "start: random against greedy"


def test_one_ply(game):
    path, shown = game
    blocks = shown.split("#\n")
    assert succeed("replay", path, "--ply", 3) == blocks[3]
    assert succeed("replay", path, "--ply", 0).splitlines()[:5] == blocks[0].splitlines()[:5]


def test_moves_of_the_opening_are_marked(tmp_path):
    path = tmp_path / "game.jsonl"
    board = ("--board", "hexagonal:3", "--no-pie", "--opening", "a1 b1")
    succeed("hex", *board, "--record", path, "random", "random")
    lines = [line for line in succeed("replay", path).splitlines() if line.startswith("ply ")]
    assert [line.endswith(" (opening)") for line in lines[:4]] == [True, True, False, False]


def test_pictures(game, tmp_path):
    path, shown = game
    last, third, film = tmp_path / "last.svg", tmp_path / "third.svg", tmp_path / "film.svg"
    text = succeed("replay", path, "--svg", last, "--animate", film, "--delay", "0.5")
    assert text == f"wrote {last}\nwrote {film}\n"
    succeed("replay", path, "--svg", third, "--ply", 3)
    for file in (last, third, film):
        ElementTree.parse(file)
    assert "random (seat 0) against greedy (seat 1)" in last.read_text()
    assert shown.splitlines()[-1] in last.read_text()
    assert shown.splitlines()[-1] not in third.read_text()
    assert "ply 3: random (seat 0)" in third.read_text()
    assert "<animate" in film.read_text()
    assert "<animate" not in last.read_text()
    frames = shown.count("#") + 1
    assert f'dur="{frames * 0.5 + 3:g}s"' in film.read_text()


def test_an_interrupted_game(game, tmp_path):
    path, _ = game
    lines = path.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:5]) + lines[5][:9])
    result = invoke("replay", cut)
    assert result.exit_code == 0
    assert re.fullmatch(f"ludograph: {cut}: line 6 .*\n", result.stderr)
    assert result.stdout.endswith(" interrupted after 4 moves.\n")
    cut.write_bytes(b"".join(lines[:5]))
    assert "interrupted" in invoke("replay", cut).stderr


def test_a_record_that_was_edited(game, tmp_path):
    lines = game[0].read_text().splitlines(keepends=True)
    lines[2] = re.sub('"move":"[a-z]+"', '"move":"pink"', lines[2])
    (tmp_path / "edited.jsonl").write_text("".join(lines))
    assert "edited.jsonl: line 3: " in refuse("replay", tmp_path / "edited.jsonl")


@pytest.mark.parametrize("end", ['{"end":5}', '{"end":"finished"}', '{"end":"x","names":5}'])
def test_a_strange_last_line(game, tmp_path, end):
    lines = game[0].read_text().splitlines()[:-1]
    (tmp_path / "strange.jsonl").write_text("\n".join([*lines, end]) + "\n")
    says = refuse("replay", tmp_path / "strange.jsonl")
    assert f"strange.jsonl: line {len(lines) + 1}: " in says


@pytest.mark.slow
def test_a_forfeit(tmp_path):
    bot = tmp_path / "quits.py"
    bot.write_text("def choose(position):\n    raise ValueError('enough')\n")
    record = tmp_path / "game.jsonl"
    succeed("flood", "-m", 4, "--starter", 1, "--record", record, bot, "greedy", "random")
    shown = succeed("replay", record)
    assert "quits.py (seat 2) drops out: crash" in shown
    succeed("replay", record, "--svg", tmp_path / "a.svg", "--animate", tmp_path / "b.svg")


def test_in_a_terminal(game):
    path, shown = game
    seen = in_terminal("replay", path, "--delay", "0.01")
    assert seen.code == 0
    assert len(seen.frames) == shown.count("#") + 1
    assert seen.after.splitlines()[-1] == shown.splitlines()[-1]
    one = in_terminal("replay", path, "--ply", 2)
    assert "\x1b[?1049h" not in one.text
    assert "\x1b[48;" in one.text


def test_a_file_that_cannot_be_written(game):
    done = run("replay", game[0], "--svg", "/proc/picture.svg")
    assert done.returncode == 2
    assert done.stderr.startswith("ludograph: /proc/picture.svg: ")


RIGHT, LEFT = "\x1b[C", "\x1b[D"


def pressed(frames):
    """Which moment each picture shows, and of how many, from its line of keys."""
    return [re.search(r"(\d+)/(\d+)  → on", frame)[0].split("  ")[0] for frame in frames]


def test_step_by_keys(game):
    path, shown = game
    last = shown.count("#")
    wanted = [0, 1, 2, 3, 2, 1, 2, 0]
    keys = [" ", "\n", RIGHT, LEFT, "b", "\x1bOC", "s"]
    waits = [f"\n{number}/{last}  " for number in wanted]
    presses = list(zip(waits, [*keys, "q"], strict=True))
    seen = in_terminal("replay", path, "--step", keys=presses)
    assert seen.code == 0
    assert pressed(seen.frames) == [f"{number}/{last}" for number in wanted]
    assert re.search(r"→ on .*\be\b", seen.frames[0])
    assert "start: random against greedy" in seen.frames[0]
    assert "ply 3: random (seat 0)" in seen.frames[3]
    assert "start: " in seen.after
    assert "quit" not in seen.after
    assert seen.echoes
    assert seen.text.count("\x1b[?1049h") == seen.text.count("\x1b[?1049l") == 1


@pytest.mark.slow
def test_step_plays_on_to_the_end(game):
    path, shown = game
    last, result = shown.count("#"), shown.splitlines()[-1]
    keys = [("\n2/", "e"), (result, RIGHT), ("", "x"), ("", "\x1b[3~"), ("", "\x04")]
    seen = in_terminal("replay", path, "--step", "--ply", 2, "--delay", "0.01", keys=keys)
    assert seen.code == 0
    assert pressed(seen.frames) == [f"{number}/{last}" for number in range(2, last + 1)]
    assert result in seen.frames[-1]
    assert seen.after.splitlines()[-1] == result


@pytest.mark.slow
def test_a_key_stops_the_play(game):
    path, shown = game
    keys = [("\n0/", "e"), ("\n1/", "x"), ("", "b"), ("\n0/", "q")]
    seen = in_terminal("replay", path, "--step", "--delay", "3", keys=keys)
    assert pressed(seen.frames) == [f"{n}/{shown.count('#')}" for n in (0, 1, 0)]


def test_step_without_room_writes_lines(game):
    path, shown = game
    keys = [("start: ", " "), ("ply 1", "e"), (shown.splitlines()[-1], "q")]
    seen = in_terminal("replay", path, "--step", "--delay", 0, columns=20, keys=keys)
    assert seen.code == 0
    assert "\x1b[?1049h" not in seen.text
    assert "→ on" in seen.text.splitlines()[0]


def test_ctrl_c_gives_the_keyboard_back(game):
    seen = in_terminal("replay", game[0], "--step", stop_after="quit")
    assert seen.code == 130
    assert seen.text.count("\x1b[?1049l") == 1
    assert "ludograph: interrupted" in seen.after
    assert seen.echoes


def test_step_needs_a_terminal(game):
    done = run("replay", game[0], "--step", stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert re.fullmatch(r"ludograph: --step .*\bterminal.*\n", done.stderr)


@pytest.mark.slow
def test_a_picture_as_png(game, tmp_path):
    pytest.importorskip("resvg_py")
    file = tmp_path / "end.png"
    assert succeed("replay", game[0], "--png", file) == f"wrote {file}\n"
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20]) == 1200


def test_png_without_its_package_is_one_sentence(game, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    file = tmp_path / "end.png"
    assert "pip install 'ludograph[png]'" in refuse("replay", game[0], "--png", file)
    assert not file.exists()


@pytest.fixture(scope="module")
def stones(tmp_path_factory):
    """A recorded game of Hex on 4 x 4 cells."""
    path = tmp_path_factory.mktemp("hex") / "game.jsonl"
    succeed("hex", "--size", 4, "--seed", 3, "--record", path, "-q", "random", "random")
    return path


def test_numbers_and_names_are_on_boards_and_in_files(stones, tmp_path):
    bare = succeed("replay", stones, "--ply", 3)
    assert not any(mark in bare.splitlines()[2] for mark in ":123")
    numbered = succeed("replay", stones, "--ply", 3, "--numbers").splitlines()[:6]
    assert sorted(word for line in numbered for word in line.split() if len(word) > 1) == [
        "o2",
        "x1",
        "x3",
    ]
    named = succeed("replay", stones, "--ply", 0, "--names")
    assert ".:a1" in named
    assert ".:d4" in named
    still, film = tmp_path / "end.svg", tmp_path / "game.svg"
    succeed("replay", stones, "--numbers", "--names", "--svg", still, "--animate", film)
    assert still.read_text().count('class="note"') == 16
    for picture in (still, film):
        assert 'class="numeral"' in picture.read_text()


def test_a_match_is_shown_with_numbers_and_names():
    shown = succeed(
        *("hex", "--size", 3, "--seed", 5, "--numbers", "--names", "--no-pie", "random", "random")
    )
    assert ".:b2" in shown.split("#")[0]
    assert "x1:" in shown
    assert "o2:" in shown


def test_keys_write_numbers_and_names(stones):
    keys = [("\n0/", "e"), ("wins after", "n"), ("", "c"), ("", "q")]
    seen = in_terminal("replay", stones, "--step", "--delay", 0, keys=keys, columns=100)
    bare, numbered, named = ("\n".join(picture.split("\n")[1:-6]) for picture in seen.frames[-3:])
    assert (seen.code, "12" in bare, "b3" in bare) == (0, False, False)
    assert ("12" in numbered, "b3" in numbered) == (True, False)
    assert ("12" in named, "b3" in named) == (True, True)
