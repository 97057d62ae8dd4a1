"""Whatever is wrong with the input: one sentence, exit code 2, nothing on standard output."""

import pytest

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
    ("-m 0 greedy random", "--width must be a whole number from 1 to 1000000, got '0'"),
    ("-m -3 greedy random", "--width must be a whole number"),
    ("-m 3.5 greedy random", "--width must be a whole number"),
    ("-m 1 greedy random", "at least 2"),
    ("-m 100000 greedy random", "at most 4194304 vertices"),
    ("--height 0 greedy random", "--height must be a whole number"),
    ("-t x greedy random", "c square, d donut, h hatched, t torus"),
    ("-t d -m 10 greedy random", "multiple of 3"),
    ("-t h -m 14 greedy random", "multiple of 3"),
    ("-c 1 greedy random", "--colors must be a whole number from 2 to 32, got '1'"),
    ("-c 33 greedy random", "--colors must be a whole number from 2 to 32, got '33'"),
    ("-c six greedy random", "--colors must be a whole number"),
    ("-a 4 greedy random", "0 cyclic, 1 random, 2 blocks, 3 balanced"),
    ("-a stripes greedy random", "0 cyclic, 1 random, 2 blocks, 3 balanced"),
    ("-f -1 greedy random", "--forbidden must be a whole number from 0 to 31, or same:N, got '-1'"),
    ("-f 6 greedy random", "forbidden colors must be 0 to 5, got 6"),
    ("--variant fast greedy random", "--variant must be standard or capture, got 'fast'"),
    ("--variant capture greedy", "at least two seats"),
    ("-r 0 greedy random", "--repeat must be a whole number from 1"),
    ("-r many greedy random", "--repeat must be a whole number"),
    ("--seed -1 greedy random", "--seed must be a whole number from 0"),
    ("--seed x greedy random", "--seed must be a whole number"),
    ("--starter 2 greedy random", "--starter must be 0 to 1 or random, got 2"),
    ("--starter last greedy random", "--starter must be the place of a player"),
    ("--clock 5 greedy random", "write 1s for each move"),
    ("--clock 0s greedy random", "write 1s for each move"),
    ("--delay -1 greedy random", "--delay must be a number of seconds from 0 to 60"),
    ("--delay 1_0 greedy random", "--delay must be a number of seconds"),
    ("--margin \uff11 greedy random", "--margin must be a number of seconds"),
    ("mcts:time=1_0 random", "time must be a number of seconds"),
    ("--delay nan greedy random", "--delay must be a number of seconds"),
    ("--record no/where.jsonl greedy random", "--record must be a file in a folder that exists"),
    ("--record . greedy random", "--record must be a file"),
    ("--record a.jsonl -r 3 greedy random", "cannot be used with -r"),
    ("--board no.json greedy random", "no.json"),
    ("--board empty.json greedy random", "empty.json"),
    ("--board loop.edgelist greedy random", "loop.edgelist"),
    ("--board split.edgelist greedy random", "split.edgelist"),
    ("--board picture.png greedy random", ".graphml"),
    ("--board loop.edgelist -m 5 greedy random", "--board has its own size"),
    ("--json", "name the players"),
    ("-c", "-c"),
    ("--quiet=3 greedy random", "--quiet"),
    ("-x greedy random", "there is no option -x"),
    ("greedy clever", "greedy, mcts, minimax"),
    ("greedy greedy:fast", "name=value"),
    ("greedy greedy:speed=3", "no option 'speed'; it has random"),
    ("greedy mcts:sims=0", "whole number from 1"),
    ("greedy mcts:time=1,time=2", "given twice"),
    ("greedy ./gone.so", "does not exist"),
    ("greedy gone.py", "does not exist"),
    ("greedy folder.py", "is not a file"),
    ("greedy text.py:1x", "cannot be the name"),
    ("greedy player.c", "player.c does not exist"),
    ("greedy player.o", "a .py, .c or .so file"),
    ("greedy random random random random random random -c 6", "7 seats need as many colors"),
    ("-m 2 greedy random random random random -c 8", "5 seats do not fit on 4 vertices"),
]

OTHERS = [
    ("flod greedy random", "unknown command 'flod'; choose amazons, carcassonne, flood"),
    ("flod greedy random", "; did you mean flood?"),
    ("flood gredy random", "; did you mean greedy?"),
    ("flood mcts:sim=3 random", "; did you mean sims?"),
    ("strategies pengins", "; did you mean penguins?"),
    ("strategies", "Choose amazons, carcassonne, flood, hex, penguins"),
    ("--frobnicate", "there is no option --frobnicate"),
    ("replay", "FILE"),
    ("replay gone.jsonl", "gone.jsonl"),
    ("replay .", "."),
    ("replay empty.json", "empty.json: the file is empty"),
    ("replay noise.jsonl", "noise.jsonl: line 1"),
    ("replay other.jsonl", "other.jsonl: line 1"),
    ("replay newer.jsonl", "format 99"),
    ("replay gone.jsonl --ply -1", "--ply must be a whole number"),
    ("replay gone.jsonl --ply 3 --animate a.svg", "cannot be used with --ply"),
    ("strategies", "GAME"),
    ("strategies chess", "no game 'chess'; there are amazons, carcassonne, flood"),
    ("header chess", "no game 'chess'"),
    ("new-player flood", "FILE"),
    ("new-player flood bot", "ends with .py, .c, .js or .java"),
    ("new-player flood bot.cpp", "ends with .py, .c, .js or .java"),
    ("new-player flood my-bot.py", "letters, digits and _"),
    ("new-player flood 1bot.py", "begins with no digit"),
    ("new-player flood class.py", "letters, digits and _"),
    ("new-player flood .py", "ends with .py, .c, .js or .java"),
    ("new-player flood text.py", "text.py: there already"),
    ("new-player flood gone/bot.py", "the folder 'gone' does not exist"),
    ("new-player chess bot.py", "no game 'chess'"),
    ("solve", "ludograph solve what? choose"),
    ("solve chess", "unknown command 'solve chess'; choose"),
    ("solve flood --seats 3", "only games of two players can be solved"),
    ("solve flood --time 0", "--time must be a number of seconds"),
    ("solve flood -m 0", "--width must be a whole number"),
    ("solve flood greedy", "greedy"),
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("line", "says"), FLOOD)
def test_flood_refuses(line, says):
    assert says in refuse("flood", *line.split())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("line", "says"), OTHERS)
def test_others_refuse(line, says):
    assert says in refuse(*line.split())


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
    assert done.stderr == "ludograph: --colors must be a whole number from 2 to 32, got '1'\n"


@pytest.mark.parametrize("size", ["0", "-4"])
def test_options_may_stand_anywhere(size):
    assert refuse("flood", "greedy", "-m", size, "random") == refuse(
        "flood", "greedy", "random", "-m", size
    )
