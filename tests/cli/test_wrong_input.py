"""Whatever is wrong with the input: one sentence, exit code 2, nothing on standard output."""

import re

import pytest

from tests.cli.installed import EXAMPLES
from tests.cli.run import refuse, run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "loop.edgelist").write_text("0 1\n1 1\n")
    (tmp_path / "split.edgelist").write_text("0 1\n2 3\n")
    (tmp_path / "picture.png").write_text("")
    (tmp_path / "text.py").write_text("hello")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "noise.jsonl").write_bytes(b"\xff\x00\n\n")
    (tmp_path / "other.jsonl").write_text('{"record": "chess"}\n')
    (tmp_path / "newer.jsonl").write_text('{"record": "ludograph", "format": 99}\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


FLOOD = [
    ("-m 0 greedy random", "--width .* 1 to 1000000, got '0'"),
    ("-m -3 greedy random", "--width .*'-3'"),
    ("-m 3.5 greedy random", "--width .*'3.5'"),
    ("-m 1 greedy random", "at least 2"),
    ("-m 100000 greedy random", "4194304 vertices"),
    ("--height 0 greedy random", "--height .*'0'"),
    ("-t x greedy random", "c square, d donut, h hatched, t torus"),
    ("-t d -m 10 greedy random", "multiple of 3"),
    ("-t h -m 14 greedy random", "multiple of 3"),
    ("-c 1 greedy random", "--colors .* 2 to 32, got '1'"),
    ("-c 33 greedy random", "--colors .* 2 to 32, got '33'"),
    ("-c six greedy random", "--colors .*'six'"),
    ("-a 4 greedy random", "0 cyclic, 1 random, 2 blocks, 3 balanced"),
    ("-a stripes greedy random", "0 cyclic, 1 random, 2 blocks, 3 balanced"),
    ("-f -1 greedy random", "--forbidden .* 0 to 31, or same:N, got '-1'"),
    ("-f 6 greedy random", "forbidden .* 0 to 5, got 6"),
    ("--variant fast greedy random", "--variant .* standard or capture, got 'fast'"),
    ("--variant capture greedy", "capture.* two seats"),
    ("-r 0 greedy random", "--games .*'0'"),
    ("-r many greedy random", "--games .*'many'"),
    ("--seed -1 greedy random", "--seed .*'-1'"),
    ("--seed x greedy random", "--seed .*'x'"),
    ("--starter 2 greedy random", "--starter .* 0 to 1 or random, got 2"),
    ("--starter last greedy random", "--starter .*'last'"),
    ("--clock 5 greedy random", "clock '5'"),
    ("--clock 0s greedy random", "clock '0s'"),
    ("--delay -1 greedy random", "--delay .* 0 to 60, got '-1'"),
    ("--delay 1_0 greedy random", "--delay .*'1_0'"),
    ("mcts:time=1_0 random", "time .*'1_0'"),
    ("--delay nan greedy random", "--delay .*'nan'"),
    ("--record no/where.jsonl greedy random", "--record .*'no/where.jsonl'"),
    ("--record . greedy random", "--record .*'.'"),
    ("--record a.jsonl -r 3 greedy random", "--record .* -r$"),
    ("--board no.json greedy random", "no.json"),
    ("--board empty.json greedy random", "empty.json"),
    ("--board loop.edgelist greedy random", "loop.edgelist"),
    ("--board split.edgelist greedy random", "split.edgelist"),
    ("--board picture.png greedy random", ".graphml"),
    ("--board loop.edgelist -m 5 greedy random", "--board .*size"),
    ("--json", "'ludograph flood random random'"),
    ("-c", "-c"),
    ("--quiet=3 greedy random", "--quiet"),
    ("-x greedy random", "no option -x"),
    ("--pairs 9 greedy random", "no option --pairs; -r/--games gives the number of games"),
    ("greedy clever", "greedy, mcts, minimax"),
    ("greedy greedy:fast", "name=value"),
    ("greedy greedy:speed=3", "'speed'.* random"),
    ("greedy mcts:sims=0", "sims .*from 1"),
    ("greedy mcts:time=1,time=2", "'time' .*twice"),
    ("greedy ./gone.so", "'./gone.so'"),
    ("greedy gone.py", "'gone.py'"),
    ("greedy folder.py", "'folder.py'"),
    ("greedy text.py:1x", "'1x'"),
    ("greedy player.c", "'player.c'"),
    ("greedy player.o", ".py, .c or .so"),
    ("greedy random random random random random random -c 6", "7 seats .*colors"),
    ("-m 2 greedy random random random random -c 8", "5 seats .* 4 vertices"),
]

OTHERS = [
    ("flod greedy random", "'flod'; choose amazons, carcassonne, flood"),
    ("flod greedy random", r"flood\?$"),
    ("flood gredy random", r"greedy\?$"),
    ("flood mcts:sim=3 random", r"sims\?$"),
    ("strategies pengins", r"penguins\?$"),
    ("strategies", "amazons, carcassonne, flood, hex, penguins"),
    ("--frobnicate", "--frobnicate"),
    ("replay", "FILE"),
    ("replay gone.jsonl", "gone.jsonl"),
    ("replay .", r"\."),
    ("replay empty.json", "empty.json: .*empty"),
    ("replay noise.jsonl", "noise.jsonl: line 1"),
    ("replay other.jsonl", "other.jsonl: line 1"),
    ("replay newer.jsonl", "format 99"),
    ("replay gone.jsonl --ply -1", "--ply .*'-1'"),
    ("replay gone.jsonl --ply 3 --animate a.svg", "--animate.* --ply"),
    ("strategies", "GAME"),
    ("strategies chess", "'chess'; .* amazons, carcassonne, flood"),
    ("header chess", "'chess'"),
    ("player new flood", "FILE"),
    ("player new flood bot", ".py, .c, .js or .java"),
    ("player new flood bot.cpp", ".py, .c, .js or .java"),
    ("player new flood my-bot.py", "letters, digits and _"),
    ("player new flood 1bot.py", "digit"),
    ("player new flood class.py", "letters, digits and _"),
    ("player new flood .py", ".py, .c, .js or .java"),
    ("player new flood text.py", "text.py: "),
    ("player new flood gone/bot.py", "'gone'"),
    ("player new chess bot.py", "'chess'"),
    ("solve", "ludograph solve what"),
    ("solve chess", "'solve chess'; choose"),
    ("solve flood --seats 3", "two players"),
    ("solve flood --time 0", "--time .*'0'"),
    ("solve flood -m 0", "--width .*'0'"),
    ("solve flood greedy", "'greedy'"),
    (
        "solve carcassonne",
        "^solve: carcassonne has no solver; choose amazons, flood, hex, penguins$",
    ),
    ("puzzles make carcassonne", "^puzzles make: carcassonne has no solver; choose"),
    ("compare HEX3 random random", "^compare: hex3 is not a game for two players; choose amazons"),
    ("tournament HEX3 a.py b.py", "'ludograph tournament hex3 my.py random player3.py'$"),
    ("HEX3 -q", "'ludograph hex3 random random random'$"),
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("line", "named"), FLOOD)
def test_flood_refuses(line, named):
    assert re.search(named, refuse("flood", *line.split()))


@pytest.mark.usefixtures("folder", "registered")
@pytest.mark.parametrize(("line", "named"), OTHERS)
def test_others_refuse(line, named):
    assert re.search(named, refuse(*line.replace("HEX3", str(EXAMPLES / "hex_for_three")).split()))


@pytest.mark.parametrize(
    "name", ["", " ", "\x1b[31mred\x07", "a" * 10_000, "two\nlines", "<b>bold</b>", "grün", "🙂.py"]
)
def test_strange_names_are_shown_safely(name):
    message = refuse("flood", "greedy", name)
    assert message.isprintable()
    assert len(message) < 400


def test_bytes_that_are_no_text(tmp_path):
    done = run("flood", "greedy", b"\xff\xfe.py".decode(errors="surrogateescape"), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("ludograph: ")


def test_the_process_ends_with_2():
    done = run("flood", "-c", "1", "greedy", "random")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch("ludograph: --colors .*'1'\n", done.stderr)


@pytest.mark.parametrize("size", ["0", "-4"])
def test_options_may_stand_anywhere(size):
    assert refuse("flood", "greedy", "-m", size, "random") == refuse(
        "flood", "greedy", "random", "-m", size
    )
