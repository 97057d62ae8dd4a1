"""``ludograph player debug``: a student whose player misbehaves finds out why."""

import os
import pty
import re
import shutil
import signal
import subprocess
import time

import pytest

from ludograph.cli.main import GONE
from tests.cli.run import PROGRAM, refuse, run, spawn, succeed
from tests.cli.test_outputs import SMALL_GAME, small  # noqa: F401

GAME = ("flood", "-m", 4, "-c", 3, "--seed", 1)

needs_lines = pytest.mark.skipif(
    shutil.which("addr2line") is None, reason="unavoidable: no addr2line"
)


def needs(tool):
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"unavoidable: no {tool}")


def asan_here():
    gcc = shutil.which("gcc")
    if gcc is None:
        return False
    command = [gcc, "-print-file-name=libasan.so"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return os.path.isabs(done.stdout.strip())


needs_asan = pytest.mark.skipif(not asan_here(), reason="unavoidable: no libasan")


def debug(player, *options, game=GAME, **settings):
    return run("player", "debug", player, *game, *options, **settings)


def test_a_good_player_plays_a_game(small):  # noqa: F811
    done = debug(small('printf("my move\\n")'))
    assert done.returncode == 0
    assert "my move\n" in done.stdout  # it prints where it always does
    assert re.match("start: small.so .* greedy; flood on square 4x4, .* seed 1\n", done.stderr)
    assert "\nply 1: small.so (seat 0) passes\n" in done.stderr
    assert "\ngreedy (seat 1) wins, " in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_the_seat_and_the_opponent_can_be_chosen(small, seat):  # noqa: F811
    done = debug(small(""), "--seat", seat, "--against", "random")
    assert done.returncode == 0
    first, second = [("small.so", "random"), ("random", "small.so")][seat]
    assert re.match(rf"start: {first} \w+ {second}; ", done.stderr)
    quiet = debug(small(""), "--seat", seat, "--against", "random", "-q")
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")


@pytest.mark.slow
def test_no_clock_runs(small):  # noqa: F811
    """Not even for ``finalize``, which the referee gives a second."""
    player = small("static int n; if (!n++) usleep(1200000)", "usleep(1200000)")
    assert debug(player, "-q").returncode == 0


def crash(name, place, ply=""):
    """Return a pattern of the only line that tells of a crash."""
    return rf"ludograph: small\.so .* {name} .* {place}\){ply}\n"


@needs_lines
def test_a_crash_ends_this_very_process_and_is_told_with_its_line(small):  # noqa: F811
    done = debug(small("static int n; if (n++) *(volatile int *)8 = 1"), "-q")
    assert done.returncode == -signal.SIGSEGV
    assert re.fullmatch(crash("SIGSEGV", r"play \(small.c:12", "; at ply 3"), done.stderr)


@pytest.mark.slow
@needs_lines
def test_a_source_that_crashes_leaves_nothing_behind(small, tmp_path):  # noqa: F811
    small("abort()")
    room = tmp_path / "room"
    room.mkdir()
    done = debug("small.c", "-q", env={**os.environ, "TMPDIR": str(room)})
    assert done.returncode == -signal.SIGABRT
    assert re.fullmatch(crash("SIGABRT", r"play \(small.c:12", "; at ply 1"), done.stderr)
    assert list(room.iterdir()) == []


@pytest.mark.slow
@needs_lines
def test_a_crash_in_finalize_is_told_too(small):  # noqa: F811
    done = debug(small("", "char *p = malloc(9); free(p); free(p)"), "-q")
    assert done.returncode == -signal.SIGABRT
    assert re.search(crash("SIGABRT", r"finalize \(small.c:13"), done.stderr)


@pytest.mark.slow
@needs_lines
def test_ctrl_c_tells_where_an_endless_loop_is(small):  # noqa: F811
    process = spawn("player", "debug", small('printf("in\\n"); for (;;) ;'), *GAME, "-q")
    assert process.stdout.readline() == "in\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == -signal.SIGINT
    assert re.search(crash("SIGINT", r"play \(small.c:12", "; at ply 1"), said)


def test_a_forfeit_is_a_failure(small):  # noqa: F811
    path = small("return (struct move){77}")
    done = debug(path, "-q")
    assert done.returncode == 1
    assert re.search("forfeits: protocol, .*77.* color_t;", done.stdout)


def test_a_library_that_cannot_be_loaded(small, tmp_path):  # noqa: F811
    (tmp_path / "bad.so").write_bytes(b"no library")
    done = debug("./bad.so", "-q")
    assert done.returncode == 1
    assert "forfeits: no-start, " in done.stdout
    assert "file too short" in done.stdout
    assert "Traceback" not in done.stderr


OVERFLOW = "static char *p; if (!p) p = malloc(5); p[5] = (char)m.c"


@pytest.mark.slow
@needs_asan
def test_asan_finds_a_heap_overflow(small):  # noqa: F811
    small(OVERFLOW)
    done = debug("small.c", "--asan", "-q")
    assert done.returncode == 1
    assert "ERROR: AddressSanitizer: heap-buffer-overflow" in done.stderr
    assert "small.c:12" in done.stderr
    assert "_cffi_backend" not in done.stderr
    assert "Python/ceval.c" not in done.stderr
    assert re.search("forfeits: crash, AddressSanitizer .*; at ply 1", done.stdout)


@pytest.mark.slow
@needs_asan
def test_asan_takes_a_library_that_is_built_with_it(small):  # noqa: F811
    path = small("", "char *p = malloc(9); free(p); free(p)", "-fsanitize=address")
    done = debug(path, "--asan", "-q")
    assert done.returncode == 1
    assert "attempting double-free" in done.stderr
    plain = run("flood", *SMALL_GAME[1:], path, "greedy")
    assert "'ludograph player debug ... --asan'" in plain.stdout


@pytest.mark.slow
@needs_asan
def test_asan_has_nothing_to_say_of_a_good_player(small):  # noqa: F811
    small("static char *p; free(p); p = malloc(5); p[4] = 1", "")
    done = debug("small.c", "--asan", "-q")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@needs_asan
def test_undefined_behavior_is_an_error(small):  # noqa: F811
    small("static int n = 2147483000; n += 1000")
    done = debug("small.c", "--asan", "-q")
    assert done.returncode == 1
    assert "runtime error: signed integer overflow" in done.stderr


def test_asan_says_what_a_plain_library_lacks(small):  # noqa: F811
    message = refuse("player", "debug", small(""), *GAME, "--asan")
    assert message.startswith("small.so ")
    assert ".c file" in message
    assert "-fsanitize=address" in message


@pytest.mark.slow
@needs("gdb")
def test_gdb_stops_in_a_player_by_the_command_of_the_docs(small):  # noqa: F811
    told = ["-ex", "set breakpoint pending on", "-ex", "break small.c:13", "-ex", "run"]
    command = ["gdb", "-q", "-batch", *told, "-ex", "bt 1", "--args", *PROGRAM]
    command += ["player", "debug", small(""), *map(str, GAME), "-q"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert re.search(r"Breakpoint 1, .*finalize \(\) at small\.c:13", done.stdout), done.stderr


@pytest.mark.slow
@needs("valgrind")
@pytest.mark.parametrize(
    ("instead", "found"),
    [
        ("", ""),
        ("char *p = malloc(5); p[5] = 1; free(p);", "Invalid write of size 1"),
        ("static char *p; p = malloc(77); p[3] = 1;", "77 bytes in 1 blocks"),
        ("int *p = malloc(8); if (p[1] == 9) me = 1; free(p);", "uninitialised value"),
    ],
)
def test_valgrind_finds_what_is_wrong_and_nothing_else(tmp_path, monkeypatch, instead, found):
    monkeypatch.chdir(tmp_path)
    succeed("player", "new", "flood", "bot.c", "--bare")
    source = (tmp_path / "bot.c").read_text()
    (tmp_path / "bot.c").write_text(source.replace("  (void)me;", f"  (void)me; {instead}"))
    command = [*PROGRAM, "player", "debug", "bot.c", *map(str, GAME), "--valgrind", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == bool(found), done.stderr
    assert found in done.stderr
    assert ("play (bot.c:" in done.stderr) == bool(found)
    assert "_cffi_backend" not in done.stderr
    assert ("calls of the interpreter" in done.stderr) == bool(found)


@pytest.mark.slow
@needs("valgrind")
def test_ctrl_c_ends_valgrind_and_shows_what_it_has_found(small):  # noqa: F811
    player = small('char *p = malloc(5); p[5] = 1; printf("in\\n"); for (;;) ;')
    process = spawn("player", "debug", player, *GAME, "-q", "--valgrind")
    assert process.stdout.readline() == "in\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGINT
    assert "Invalid write of size 1" in said


def test_a_tool_that_is_missing_is_named_with_its_package(small, monkeypatch):  # noqa: F811
    path = small("")
    monkeypatch.setenv("PATH", "/nowhere")
    assert refuse("player", "debug", path, *GAME, "--valgrind").endswith("apt-get install valgrind")


def test_a_source_that_does_not_compile(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.c").write_text("int play( {\n")
    done = run("player", "debug", "bad.c", *GAME)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "bad.c:1:" in done.stderr


@pytest.mark.slow
@needs_lines
def test_it_goes_again_along_a_record_to_where_the_player_failed(small):  # noqa: F811
    player = small("static int n; if (n++ == 2) abort()")
    options = ("-m", 6, "-c", 4, "--seed", 3, "--starter", 1, "-q")
    text = succeed("flood", *options, "--record", "game.jsonl", player, "greedy")
    assert re.search(r"SIGABRT .*\(small.c:12\); at ply 6", text)
    # Another opponent, which has nothing to say as long as the game goes as it went.
    done = run("player", "debug", player, "flood", "--record", "game.jsonl", "--against", "random")
    assert re.search(crash("SIGABRT", r"play \(small.c:12", "; at ply 6"), done.stderr)
    moves = [line for line in done.stderr.splitlines() if line.startswith("ply ")]
    replayed = succeed("replay", "game.jsonl")
    told = [line for line in replayed.splitlines() if line.startswith("ply ")]
    strip = [line.partition(" (seat")[2].partition(",")[0] for line in moves]
    assert strip == [line.partition(" (seat")[2] for line in told[:5]]


RAISES = "def choose(position):\n    x = 41\n    STOP\n    return position.legal_moves()[x + 1]\n"


def test_a_python_player_raises_with_its_line(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(RAISES.replace("STOP", ""))
    done = debug(path, "-q")
    assert done.returncode == 1
    assert "IndexError" in done.stdout
    assert re.findall('File "(.*)", line', done.stderr) == [str(path)]


@pytest.mark.slow
def test_a_breakpoint_has_the_terminal(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(RAISES.replace("STOP", "breakpoint()"))
    ours, theirs = pty.openpty()
    command = [*PROGRAM, "player", "debug", path, *GAME, "-q"]
    process = subprocess.Popen(list(map(str, command)), stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said, until = "", time.monotonic() + 240
    while "(Pdb)" not in said and time.monotonic() < until:
        said += os.read(ours, 4096).decode()
    os.write(ours, b"p x + 1000\n")
    while "1041" not in said and time.monotonic() < until:
        said += os.read(ours, 4096).decode()
    os.write(ours, b"q\n")
    process.wait(60)
    os.close(ours)
    assert "1041" in said


@pytest.mark.parametrize("gone", GONE)
def test_commands_that_are_gone_name_those_in_their_place(gone):
    assert f"'ludograph {GONE[gone]}'" in refuse(gone, "--help")
    succeed(*GONE[gone].split(), "--help")
