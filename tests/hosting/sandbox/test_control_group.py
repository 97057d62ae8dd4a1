"""Control groups: found where they may be made, frozen, ended, removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludograph.hosting.process_tree import descendants
from ludograph.hosting.sandbox import control_group
from ludograph.hosting.sandbox.control_group import NAME, ControlGroup
from ludograph.hosting.sandbox.sandbox import Sandbox
from ludograph.players.isolation import Level
from tests.hosting.fixtures import NO_GROUPS

MOUNT = "31 24 0:27 {root} {point} rw,nosuid shared:9 - {system} cgroup2 rw,nsdelegate"


@pytest.fixture
def folder() -> str:
    """Return where groups can be made."""
    found = control_group.place()
    if not found:
        pytest.skip(NO_GROUPS)
    return found


def until(condition, seconds=60.0):
    """Wait for a condition, and tell whether it has come."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    return condition()


def frozen(folder, group):
    return "frozen 1" in Path(folder, group.name, "cgroup.events").read_text()


def test_frozen_thawed_killed_and_removed(folder):
    group = ControlGroup.make(folder)
    assert group is not None
    with subprocess.Popen(["sleep", "100"]) as process:
        assert group.admit(process.pid)
        group.freeze()
        assert until(lambda: frozen(folder, group))
        group.thaw()
        assert until(lambda: not frozen(folder, group))
        group.freeze()  # those can be killed, too
        assert group.kill()
        assert process.wait() == -signal.SIGKILL
    same = ControlGroup.given(os.dup(group.folder))
    assert same.name == group.name
    same.remove()
    assert not Path(folder, group.name).exists()
    group.freeze()  # there is nobody left
    group.remove()
    for one in (same, group, group):
        one.close()


def test_what_a_process_starts_is_frozen_with_it(folder):
    """In a session of its own, without a parent, at whatever moment it was started."""
    group = ControlGroup.make(folder)
    assert group is not None
    code = "import os\nos.setsid()\nwhile True:\n    if os.fork(): os._exit(0)\n"
    with subprocess.Popen(["python3", "-c", f"input()\n{code}"], stdin=subprocess.PIPE) as process:
        assert group.admit(process.pid)
        process.communicate(b"\n")  # it ends at once; a chain of others goes on
    members = Path(folder, group.name, "cgroup.procs")
    group.freeze()
    assert until(lambda: frozen(folder, group))
    before = members.read_text()
    assert before
    time.sleep(0.02)
    assert members.read_text() == before
    assert group.kill()
    assert until(lambda: not members.read_text())
    group.remove()
    group.close()


CHILD = """
import os, random, signal, sys, threading
from ludograph.hosting.sandbox.control_group import ControlGroup

group = ControlGroup.make(sys.argv[1])
before = random.getstate()
child = group.fork()
if child == 0:
    there = open("/proc/self/cgroup").read().strip().endswith(group.name)
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    os.sched_setaffinity(threading.get_native_id(), os.sched_getaffinity(0))
    signal.signal(signal.SIGUSR1, lambda *_: os._exit(7))
    if there and threading.get_native_id() == os.getpid() and random.getstate() != before:
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)  # the C library knows its number
    os._exit(1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), random.getstate() == before)
group.remove()
"""


def test_a_process_that_is_born_in_a_group_is_as_good_as_a_forked_one(folder):
    command = [sys.executable, "-c", CHILD, folder]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("7 True\n", "")


def test_where_a_folder_is_no_group_nothing_is_forked_into_it(tmp_path):
    group = ControlGroup(os.open(tmp_path, os.O_RDONLY), tmp_path.name)
    before = set(descendants(os.getpid()))
    with pytest.raises(OSError, match="clone3"):
        group.fork()
    assert set(descendants(os.getpid())) <= before
    group.close()


def test_a_process_that_cannot_be_born_in_its_group_is_moved_there(folder, monkeypatch):
    group = ControlGroup.make(folder)
    sandbox = Sandbox(Level.NONE, group=group)
    monkeypatch.setattr(ControlGroup, "fork", lambda _: os.close(-1))
    asks, tells = os.pipe()
    player = sandbox.fork()
    if player == 0:
        os.read(asks, 1)
        os._exit(0)
    sandbox.admit(player)
    members = Path(folder, group.name, "cgroup.procs").read_text().split()
    os.write(tells, b"+")
    os.waitpid(player, 0)
    assert members == [str(player)]
    sandbox.clear()
    os.close(asks)
    os.close(tells)


def test_what_was_left_behind_is_removed_once_it_is_old(folder):
    old, new = (Path(folder, f"{NAME}test-{age}-{os.getpid()}") for age in ("old", "new"))
    for group in (old, new):
        group.mkdir()
    os.utime(old, (1.0, 1.0))
    try:
        control_group.remove_stale(folder)
        assert (old.exists(), new.exists()) == (False, True)
    finally:
        new.rmdir()


def test_a_folder_that_is_no_group_holds_none(tmp_path):
    assert not control_group.can_hold(str(tmp_path))
    assert not control_group.can_hold(str(tmp_path / "missing"))
    assert list(tmp_path.iterdir()) == []
    assert ControlGroup.make("") is None
    assert ControlGroup.make(str(tmp_path / "missing")) is None


def machine(monkeypatch, own, *mounts, delegated=""):
    """Let this machine's files say so."""
    files = {"/proc/self/cgroup": ["4:memory:/x", own], "/proc/self/mountinfo": list(mounts)}
    monkeypatch.setattr(
        control_group,
        "lines_of",
        lambda path, prefix="": [line for line in files[path] if line.startswith(prefix)],
    )
    monkeypatch.setattr(control_group, "is_delegated", lambda folder: folder == delegated)


@pytest.mark.parametrize(
    ("own", "root", "point", "found"),
    [
        ("0::/user.slice/a.scope", "/", "/sys/fs/cgroup", ["/sys/fs/cgroup/user.slice/a.scope"]),
        ("0::/", "/", "/sys/fs/cgroup/unified", ["/sys/fs/cgroup/unified"]),
        ("0::/docker/ab", "/docker/ab", "/sys/fs/cgroup", ["/sys/fs/cgroup"]),
        ("0::/../other", "/", "/sys/fs/cgroup", []),
        ("1:name=systemd:/", "/", "/sys/fs/cgroup", []),
    ],
)
def test_its_own_group_is_found(own, root, point, found, monkeypatch):
    old = MOUNT.format(root="/", point="/sys/fs/cgroup/memory", system="cgroup")
    machine(monkeypatch, own, old, MOUNT.format(root=root, point=point, system="cgroup2"))
    assert list(control_group.candidates()) == found


def test_the_group_above_is_taken_where_it_is_delegated(monkeypatch):
    unit = "/sys/fs/cgroup/system.slice/ladder.service"
    mount = MOUNT.format(root="/", point="/sys/fs/cgroup", system="cgroup2")
    machine(monkeypatch, "0::/system.slice/ladder.service/main", mount, delegated=unit)
    assert list(control_group.candidates()) == [f"{unit}/main", unit]


@pytest.mark.parametrize(
    ("controllers", "handed_on", "limits"),
    [("cpu memory", "memory cpu", True), ("cpu memory", "cpu", False), ("cpu", "", False)],
)
def test_memory_is_limited_where_the_controller_is_handed_on(
    controllers, handed_on, limits, tmp_path
):
    (tmp_path / "cgroup.controllers").write_text(controllers)
    (tmp_path / "cgroup.subtree_control").write_text(handed_on)
    assert control_group.hands_memory_on(str(tmp_path)) is limits


@pytest.fixture
def unit(tmp_path):
    """Return the files of a delegated group, with one below it in which this process is."""
    (tmp_path / "main").mkdir()
    (tmp_path / "main" / "cpu.weight").write_text("100")
    (tmp_path / "cgroup.type").write_text("domain")
    (tmp_path / "cgroup.controllers").write_text("cpu memory")
    (tmp_path / "cgroup.subtree_control").write_text("")
    return tmp_path


@pytest.mark.parametrize(("processors", "end", "below"), [(4, "", ""), (1000, "/", "/deeper")])
def test_players_share_the_processors_and_the_referee_keeps_its_own(
    unit, processors, end, below, monkeypatch
):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(processors)))
    control_group.share_processors(f"{unit}{end}", f"{unit}/main{below}")
    assert (unit / "cgroup.subtree_control").read_text() == "+cpu"
    weight = int((unit / "main" / "cpu.weight").read_text())
    assert weight == min(100 * processors, 10_000)


def test_a_referee_elsewhere_has_a_share_there(unit):
    for own in ("", str(unit), f"{unit}-else/main"):
        control_group.share_processors(str(unit), own)
    assert (unit / "cgroup.subtree_control").read_text() == "+cpu"
    assert (unit / "main" / "cpu.weight").read_text() == "100"


def test_a_referee_without_a_share_of_its_own_leaves_the_processors_alone(unit):
    (unit / "main" / "cpu.weight").unlink()
    (unit / "main" / "cpu.weight").mkdir()  # it cannot be written
    control_group.share_processors(str(unit), str(unit / "main"))
    assert (unit / "cgroup.subtree_control").read_text() == "-cpu"


@pytest.mark.parametrize("lacking", ["cgroup.type", "cgroup.controllers"])
def test_the_processors_are_not_shared_out_at_the_root_or_without_the_controller(unit, lacking):
    (unit / lacking).unlink()
    control_group.share_processors(str(unit), str(unit / "main"))
    assert (unit / "cgroup.subtree_control").read_text() == ""
    assert (unit / "main" / "cpu.weight").read_text() == "100"


def test_what_the_kernel_counts_is_read(tmp_path):
    group = ControlGroup(os.open(tmp_path, os.O_RDONLY), tmp_path.name)
    assert (group.most(), group.ran_out(), group.limit(5)) == (0, False, False)
    (tmp_path / "memory.peak").write_text("123456\n")
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\n")
    (tmp_path / "memory.max").write_text("max")
    assert (group.most(), group.ran_out(), group.limit(5)) == (123456, False, True)
    (tmp_path / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 1\n")
    assert group.ran_out()
    group.close()
