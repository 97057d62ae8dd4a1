"""Hosts of C players are forked by one process: every game is fresh, nothing is left."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ludograph import play_match
from ludograph.hosting.forkserver_client import FORK_SERVERS, NO_TOKEN
from ludograph.hosting.host_process import HostProcess
from ludograph.hosting.process_tree import bearers
from ludograph.hosting.sandbox.sandbox import why_not
from ludograph.players.isolation import Level
from tests.hosting.fixtures import the_fault
from tests.hosting.test_supervisor import alive, gone, pids
from tests.interpreter import python


@pytest.fixture(autouse=True)
def _cold_start():
    FORK_SERVERS.close()


pytestmark = pytest.mark.usefixtures("unisolated")

LEVELS = [
    pytest.param(level, marks=pytest.mark.slow if level is Level.BASIC else ())
    for level in Level
    if not why_not(level)
]


def parents(process):
    """Return a process's parent, and the state of the process."""
    state, parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    return int(parent), state


def children(process):
    """Return the processes below one that are not dead."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            parent, state = parents(entry)
        except OSError:
            continue  # it ended meanwhile
        if parent == process and state != "Z":
            found.append(int(entry))
    return found


def fork_servers(process=None):
    """Return the fork servers of a referee; this one if none is given."""
    found = children(process or os.getpid())
    return [one for one in found if b"/bootstrap.py\0" in Path(f"/proc/{one}/cmdline").read_bytes()]


@pytest.mark.slow
def test_one_process_for_all_games(start, small, library, referee):
    player = small('static int n; printf("%d of pid %d", n++, (int) getpid())')
    referee(start, [player, "greedy"])
    (first,) = fork_servers()
    gc.collect()  # what earlier tests have left
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        assert referee(start, [player, library("greedy")]).faults == []
    assert fork_servers() == [first]
    assert len(os.listdir("/proc/self/fd")) <= descriptors
    assert children(first) == []


@pytest.mark.slow
def test_every_game_finds_the_library_as_it_was_made(start, small, referee):
    """It passes, so each is asked once in a game: what an earlier game has left would end it."""
    player = small("static int n; if (n++) abort()")
    for _ in range(3):
        assert referee(start, [player, player]).faults == []


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_games_that_follow_at_once_start_each_player_once(level, start, small, monkeypatch):
    """None is started a second time because its first host did not start."""
    started = []
    launch = HostProcess.launch
    monkeypatch.setattr(
        HostProcess, "launch", lambda self, game: (started.append(1), launch(self, game))
    )
    player = small("")
    for _ in range(8):
        assert play_match(start, [player, player], isolation=level).faults == []
    assert len(started) == 16


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_a_player_that_has_been_built_again_plays(level, start, small, tmp_path):
    """By a link to a file in another folder: under ``strict`` a file is shown by itself."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    real = elsewhere / "player.so"
    shutil.copy(small(""), real)
    link = tmp_path / "own"
    link.mkdir()
    (link / "player.so").symlink_to(real)
    player = str(link / "player.so")
    assert play_match(start, [player, "greedy"], isolation=level).faults == []
    shutil.copy(small("abort()"), elsewhere / "new.so")
    os.replace(elsewhere / "new.so", real)
    result = play_match(start, [player, "greedy"], isolation=level)
    assert "SIGABRT" in the_fault(result, seat=0).message


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_the_working_folder_is_that_of_the_moment(level, start, small, tmp_path, monkeypatch):
    player = small("char here[999]; puts(getcwd(here, 999))")
    for place in ("a", "b", "a"):
        (tmp_path / place).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / place)
        result = play_match(start, [player, "greedy"], isolation=level)
        assert set(result.logs[0].splitlines()) == {str(tmp_path / place)}


@pytest.mark.slow
def test_it_can_be_ended(start, library, referee):
    referee(start, [library("greedy"), "greedy"])
    FORK_SERVERS.close()
    assert fork_servers() == []
    referee(start, [library("greedy"), "greedy"])
    assert len(fork_servers()) == 1


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
def test_it_is_attacked_between_two_games(number, start, library, referee):
    players = [library("greedy"), "greedy"]
    referee(start, players)
    os.kill(fork_servers()[0], number)
    for _ in range(2):
        assert referee(start, players).faults == []
    assert len(fork_servers()) == 1


GRANDPARENT = """
    char path[64], text[512]; int parent;
    snprintf(path, sizeof path, "/proc/%d/stat", (int) getppid());
    FILE *file = fopen(path, "r"); text[fread(text, 1, 511, file)] = 0; fclose(file);
    char *end = text; for (char *at = text; *at; at++) if (*at == ')') end = at;
    sscanf(end, ") %*c %d", &parent);
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_it_is_attacked_by_a_player(number, start, small, library, referee):
    player = small(f"{GRANDPARENT} kill(parent, {int(number)})")
    assert referee(start, [player, "greedy"]).faults == []
    assert referee(start, [library("greedy"), player]).faults == []
    assert referee(start, [library("greedy"), "greedy"]).faults == []
    assert len(fork_servers()) == 1


WAIT_FOR_LINES = """
void wait_for_lines(char const *path, int lines) {
  for (;;) {
    usleep(1000);
    FILE *file = fopen(path, "r");
    int there = 0, c;
    while (file && (c = fgetc(file)) != EOF) there += c == '\\n';
    if (file) fclose(file);
    if (there >= lines) return;
  }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_player_attacks_its_supervisor(number, start, small, referee, tmp_path):
    """What it has forked dies with it, also with an environment that says nothing."""
    path = tmp_path / "pids"
    fork = f"""
        if (fork() == 0) {{
            setsid();
            FILE *file = fopen("{path}", "a"); fprintf(file, "%d\\n", (int) getpid()); fclose(file);
            sleep(100);
        }}
        wait_for_lines("{path}", 1); kill(getppid(), {int(number)}); sleep(10);
    """
    player = small(fork, functions=WAIT_FOR_LINES)
    found = the_fault(referee(start, ["greedy", player], clock="2s"))
    assert found.reason in ("crash", "timeout")
    assert gone(pids(path, 1))


@pytest.mark.slow
def test_daemons_die_with_their_player(start, small, referee, tmp_path):
    path = tmp_path / "pids"
    fork = f"""
        for (int k = 0; k < 2; k++) if (fork() == 0) {{
            setsid();
            if (fork() == 0) {{
                FILE *file = fopen("{path}", "a");
                fprintf(file, "%d\\n", (int) getpid()); fclose(file);
                if (k) execle("/bin/sleep", "sleep", "100", (char *) 0, (char *[]) {{ 0 }});
                sleep(100);
            }}
            _exit(0);
        }}
        wait_for_lines("{path}", 2); _exit(3);
    """
    player = small(fork, functions=WAIT_FOR_LINES)
    found = the_fault(referee(start, ["greedy", player], clock="20s"))
    assert found.message.startswith("exited with code 3 in play;")
    assert not any(map(alive, pids(path, 2)))


@pytest.mark.slow
def test_processes_of_a_player_bear_its_token(start, small, tokens):
    """Both that of the player and one that it has forked, without starting a program.

    Its supervisor has it, too, but shows it to root only.
    """
    seen = []

    class Looks:
        def choose(self, position):
            (token,) = tokens
            (server,) = fork_servers()
            below = {each for supervisor in children(server) for each in children(supervisor)}
            below |= {each for process in below for each in children(process)}
            seen.append((below, set(bearers(token))))
            return position.legal_moves()[0]

    play_match(start, [small("static int n; if (!n++ && fork() == 0) pause()"), Looks])
    assert len(seen[0][0]) == 2
    assert all(below <= found for below, found in seen)
    assert set(fork_servers()) <= set(bearers(NO_TOKEN))  # those of other referees do so too


@pytest.mark.slow
def test_the_environment_of_the_moment(start, small, referee, monkeypatch):
    player = small('puts(getenv("LUDOGRAPH_PLAYER_MOOD")); abort()')
    for mood in ("calm", "calm", "cross"):
        monkeypatch.setenv("LUDOGRAPH_PLAYER_MOOD", mood)
        assert the_fault(referee(start, ["greedy", player])).log == f"{mood}\n"
        assert len(fork_servers()) == 1


@pytest.mark.slow
def test_games_side_by_side(start, library):
    results = []
    players = [library("greedy"), library("wanderer")]

    def play():
        results.append(play_match(start, players))

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(result.reason, result.faults) for result in results] == [("finished", [])] * 4
    assert len(fork_servers()) == 1


@pytest.mark.slow
def test_a_forked_referee_has_its_own(start, library, referee):
    players = [library("greedy"), "greedy"]
    referee(start, players)
    before = fork_servers()
    child = os.fork()
    if child == 0:
        result = play_match(start, players)
        right = result.faults == [] and len(fork_servers()) == 1 and fork_servers() != before
        FORK_SERVERS.close()
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert referee(start, players).faults == []
    assert fork_servers() == before


REFEREE = """
import sys, time
from ludograph import boards, flood, play_match
start = flood.position(boards.square(8), colors=6, seed=3)
play_match(start, [sys.argv[1], "greedy"])
print("played", flush=True)
play_match(start, sys.argv[2:], clock="60s") if sys.argv[2:] else time.sleep(100)
"""


SLOW = pytest.mark.slow


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "playing"),
    [
        (signal.SIGKILL, True),
        pytest.param(signal.SIGINT, True, marks=SLOW),
        (signal.SIGTERM, False),
        pytest.param(signal.SIGKILL, False, marks=SLOW),
        pytest.param(signal.SIGINT, False, marks=SLOW),
        pytest.param(signal.SIGTERM, True, marks=SLOW),
    ],
)
def test_the_referee_is_killed(playing, number, small, library, tmp_path):
    path = tmp_path / "pids"
    player = small(
        f'FILE *file = fopen("{path}", "a"); fprintf(file, "%d\\n%d\\n", (int) getpid(), '
        "(int) getppid()); fclose(file); sleep(100)"
    )
    names = [library("greedy"), *([player, "greedy"] if playing else [])]
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE, *names], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert referee.stdout.readline() == b"played\n"
        below = (pids(path, 2) if playing else []) + fork_servers(referee.pid)
        assert len(below) == (3 if playing else 1)
        assert all(map(alive, below))
        os.kill(referee.pid, number)
        referee.wait(60.0)
    finally:
        referee.kill()
        referee.wait()
        referee.stdout.close()
    assert gone(below)


@pytest.mark.slow
def test_it_ends_with_its_referee(library):
    code = REFEREE.replace("time.sleep(100)", "None")
    done = python("-W", "error", "-c", code, library("greedy"))
    assert (done.stdout, done.stderr) == ("played\n", "")
