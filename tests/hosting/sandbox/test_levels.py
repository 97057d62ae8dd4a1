"""Which level holds is found out by trying; nothing is ever weaker than what was asked for."""

import fcntl
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from ludograph import play_match
from ludograph.errors import InvalidInput
from ludograph.hosting.sandbox import landlock, memory, seccomp
from ludograph.hosting.sandbox.memory import LATEST, SOONEST, held, pause
from ludograph.hosting.sandbox.readable_paths import readable_paths, system, withheld
from ludograph.hosting.sandbox.sandbox import Sandbox, strongest, why_not
from ludograph.players.isolation import Isolation, Level, environment
from ludograph.players.spec import PlayerSpec
from ludograph.rules import cache

TRIAL = """
import os, sys
from ludograph.hosting.sandbox.syscalls import PR_SET_DUMPABLE, prctl
from ludograph.hosting.sandbox.sandbox import strongest
if len(sys.argv) > 1:
    os.setgroups([]); os.setresgid(1234, 1234, 1234)
    os.setresuid(1234, 1234, 1234)
    prctl(PR_SET_DUMPABLE, 1)  # as after the start of a program
print(strongest()[0])
"""


def test_strict_holds_where_the_tests_run():
    """Else most of what is tested here would not be."""
    assert strongest() == (Level.STRICT, {})


def test_basic_holds_too():
    assert why_not(Level.BASIC) == ""


def tried(*command):
    done = subprocess.run([*command], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


@pytest.mark.skipif(os.geteuid() != 0, reason="unavoidable: only root can become another user")
def test_it_holds_for_any_user():
    assert tried(sys.executable, "-c", TRIAL, "drop") == "strict"


def test_without_user_namespaces_the_next_level_is_taken():
    """As in containers, and on systems that forbid them."""
    python = f"{sys.executable} -c '{TRIAL}'"
    script = f"echo 0 > /proc/sys/user/max_user_namespaces; exec {python}"
    assert tried("unshare", "-U", "-r", "sh", "-c", script) == "basic"


@pytest.fixture
def no_seccomp(tmp_path, monkeypatch):
    """Let the loader find a file in place of libseccomp that is no library."""
    (tmp_path / "libseccomp.so.2").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))


@pytest.mark.usefixtures("no_seccomp")
def test_where_no_level_holds_players_of_files_are_refused(start, small):
    with pytest.raises(InvalidInput, match=r"\(strict: .*--isolation none"):
        play_match(start, ["greedy", small("")])


@pytest.mark.slow
@pytest.mark.usefixtures("no_seccomp")
def test_where_no_level_holds_they_play_if_one_asks_for_it(start, small):
    result = play_match(start, ["greedy", small("")], isolation="none")
    assert (result.faults, result.usage[1].isolation) == ([], "none")


@pytest.mark.usefixtures("no_seccomp")
def test_a_level_that_does_not_hold_is_not_replaced(start, small):
    with pytest.raises(InvalidInput, match=r"\(basic: "):
        play_match(start, ["greedy", small("")], isolation="basic")


LACKING = """
import json, sys
from ludograph import boards, flood, play_match
from ludograph.errors import InvalidInput
from ludograph.hosting import host_process

def needed(kind, game, before=host_process.needed):
    return json.dumps({**json.loads(before(kind, game)), "needs": [["libnowhere.so.9"]]})

host_process.needed = needed
start = flood.position(boards.hatched(6), colors=3, seed=1)
try:
    play_match(start, ["random", sys.argv[1]], isolation="strict")
except InvalidInput as error:
    print(error)
with open("/proc/self/comm", "w") as file:
    file.write("as before")
"""


def test_where_a_library_is_missing_nothing_of_the_machine_changes(small):
    """A supervisor without namespaces of its own has made the machine's ``/proc`` read-only."""
    apart = ["unshare", "-m"] if os.geteuid() == 0 else []  # a failure stays in there
    command = [*apart, sys.executable, "-c", LACKING, small("")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "libnowhere.so.9" in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("level", Level)
def test_the_level_of_each_match(level, start, small):
    result = play_match(start, [small(""), "greedy"], isolation=level)
    assert {seat: usage.isolation for seat, usage in result.usage.items()} == {0: level}


def test_the_environment_names_the_level(monkeypatch):
    assert Isolation.chosen().level is None
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "none")
    assert Isolation.chosen().level is Level.NONE
    assert Isolation.chosen("basic").level is Level.BASIC
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "nothing")
    with pytest.raises(InvalidInput, match=r"basic.* 'nothing'"):
        Isolation.chosen()


def test_wrong_isolation_is_refused(start):
    with pytest.raises(InvalidInput, match=r"basic.* 'tight'"):
        play_match(start, ["greedy", "greedy"], isolation="tight")
    with pytest.raises(InvalidInput, match=r" 16777216 .* 5\b"):
        Isolation.chosen("strict", 5)


def test_what_players_see_of_the_environment(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("LUDOGRAPH_PLAYER_MOOD", "calm")
    assert "SECRET_TOKEN" not in environment("")
    assert environment("strict")["LUDOGRAPH_PLAYER_MOOD"] == "calm"
    assert environment("none")["SECRET_TOKEN"] == "x"


def test_readable_paths_of_files(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    (tmp_path / "elsewhere").mkdir()
    bot, link = tmp_path / "own" / "bot.py", tmp_path / "own" / "link.py"
    other = tmp_path / "elsewhere" / "other.py"
    for path in (bot, other):
        path.touch()
    link.symlink_to(other)
    monkeypatch.chdir(tmp_path)
    own = str(tmp_path / "own")
    assert readable_paths(PlayerSpec("", "python", "own/bot.py")) == [own]
    assert readable_paths(PlayerSpec("", "python", str(link))) == [own, str(other)]
    program = PlayerSpec("", "htp", f"sh own/bot.py --log {tmp_path / 'new.txt'}")
    assert readable_paths(program) == [own, os.path.realpath("/bin")]


def test_what_is_withheld_belongs_to_no_player(tmp_path):
    own = tmp_path / "own"
    (own / "deep" / "games").mkdir(parents=True)
    for name in ("bot.py", "games.csv", "deep/book.txt", "deep/games/1.jsonl"):
        (own / name).touch()
    (own / "within").symlink_to(own / "deep" / "book.txt")
    (own / "to-list").symlink_to(own / "games.csv")
    (own / "out").symlink_to(tmp_path)
    spec = PlayerSpec("", "python", str(own / "bot.py"))
    with withheld(own / "games.csv"), withheld(own / "deep" / "games", own / "games.csv"):
        found = readable_paths(spec)
    seen = ("", "bot.py", "deep/", "deep/book.txt", "within")
    assert found == [f"{own}/{name}" for name in seen]
    assert readable_paths(spec) == [str(own)]


@pytest.mark.parametrize(("name", "count"), [("0" * 100, 400), ("δ" * 40, 180)])
def test_a_folder_that_is_too_full_to_withhold_anything_is_refused(name, count, tmp_path):
    """A letter that is not ASCII takes six bytes of the message with the paths."""
    for number in range(count):
        (tmp_path / f"{number}{name}").touch()
    (tmp_path / "bot.py").touch()
    spec = PlayerSpec("", "python", str(tmp_path / "bot.py"))
    with withheld(tmp_path / "games.csv"), pytest.raises(InvalidInput, match=r"games\.csv: "):
        readable_paths(spec)


def test_nobodys_home_is_a_players_own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "bots").mkdir(parents=True)
    paths = [tmp_path / "bot.py", tmp_path / "home" / "bot.py", tmp_path / "home" / "bots" / "b.py"]
    for path in paths:
        path.touch()
    found = [readable_paths(PlayerSpec("", "python", str(path))) for path in paths]
    assert found == [[str(paths[0])], [str(paths[1])], [str(paths[2].parent)]]


@pytest.mark.slow
def test_a_player_in_the_home_folder_plays_alone(start, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(cache.folder()))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "secret").touch()
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os\n"
        "def choose(position):\n"
        "    print(os.listdir(os.path.dirname(__file__)))\n"
        "    return 'pass'\n"
    )
    result = play_match(start, [str(bot), "greedy"], isolation="strict")
    assert (result.faults, result.logs[0].splitlines()[0]) == ([], "['bot.py']")


def test_a_player_by_a_relative_path_and_through_a_link(start, tmp_path, monkeypatch):
    code = "import beside\ndef choose(position): return beside.MOVE\n"
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "bot.py").write_text(code)
    (tmp_path / "real" / "beside.py").write_text("MOVE = 'pass'\n")
    (tmp_path / "linked").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    for path in ("real/bot.py", "linked/bot.py", str(tmp_path / "linked" / "bot.py")):
        assert play_match(start, [path, path], isolation="strict").faults == []


def test_memory_is_counted_exactly_near_the_limit():
    own = os.getpid()
    assert held([own], 1 << 50) >= held([own], 10 << 20) > 10 << 20
    assert held([1 << 30], 0) == 0
    assert pause(0) == SOONEST < pause(1 << 28) < pause(1 << 40) == LATEST


def test_open_files_count_and_not_the_table_of_them(monkeypatch):
    """Before Linux 6.2 only its size is in the status: 1024 for a host with a high descriptor."""
    monkeypatch.setattr(memory, "OPEN_FILE", 1 << 30)
    status = os.stat(os.devnull)  # without a size, as that of a list of open files was
    monkeypatch.setattr(os, "stat", lambda *_, **__: status)
    one = os.open(os.devnull, os.O_RDONLY)
    before = held([os.getpid()], 1 << 60)
    high = fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 700)
    after = held([os.getpid()], 1 << 60)
    os.close(one), os.close(high)
    assert (after - before) / (1 << 30) == pytest.approx(1, abs=0.5)


def test_files_in_the_scratch_folder_count_with_their_number(monkeypatch):
    told = SimpleNamespace(f_blocks=100, f_bfree=97, f_frsize=4096, f_files=20, f_ffree=15)
    monkeypatch.setattr(os, "statvfs", lambda _: told)
    assert memory.used("/tmp") == 3 * 4096 + 5 * memory.SCRATCH_FILE


def test_where_landlock_does_not_bound_signals_the_filter_does(monkeypatch):
    """Before Linux 6.12 a player could end the other players of the same user."""
    monkeypatch.setattr(landlock, "version", lambda: landlock.SIGNALS_SINCE - 1)
    sandbox = Sandbox(Level.BASIC, system(), instructions=seccomp.program(Level.BASIC))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            sandbox.confine()
            read_end, write_end = os.pipe()
            other = os.fork()  # of the same user
            if other == 0:
                os.close(write_end)
                os.read(read_end, 1)  # until the first one has ended
            try:
                os.kill(other, 0)
            except PermissionError:
                code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_landlock_of_this_kernel():
    assert landlock.version() >= 1
