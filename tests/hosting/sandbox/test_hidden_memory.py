"""Memory that is resident in no process counts, or is refused; the rest of what a player may not.

Each attack is a player in C that ``ludograph flood`` plays with.
"""

import json
import subprocess

import pytest

from ludograph.hosting.sandbox.control_group import VARIABLE
from tests.amounts import slow_but
from tests.interpreter import AS_USER, python

LEVELS = ["strict", "basic"]
LOUD = ("-m", "ludograph", "flood", "--show-output", "all", "-q")
HEAD = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#define MANY (6L << 8)  /* MiB */
struct move { int c; };
const char *get_player_name(void) { return "hog"; }
void initialize(size_t id, void *g, int *c, void *f) { }
void finalize(void) { }
void closerange(void) { for (int file = 3; file < 1024; file++) close(file); }
struct move play(struct move m) {
"""
TAIL = """
    fflush(stdout);
    sleep(3);
    for (;;) { }
}
"""

SHARED = """
    int file = FILE, made = 0;
    for (; made < MANY; made++) {
        char *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, FLAGS, file, 0);
        if (p == MAP_FAILED) break;
        memset(p, 1, 1 << 20);
        munmap(p + 4096, (1 << 20) - 4096);
    }
    printf("%d mappings", made);
"""
SPARSE = """
    long size = MANY << 29;
    volatile char *p = mmap(
        0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) printf("no mapping");
    else for (long at = 0; at < size; at += 1 << 21) p[at];
"""
SOCKETS = """
    char bytes[1 << 16] = { 0 };
    for (int k = 0; k < 8; k++)
        if (fork() == 0) {
            int ends[2], size = 1 << 22;
            while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0) {
                if (setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0) _exit(1);
                while (write(ends[0], bytes, sizeof bytes) > 0) { }
                close(ends[0]);
            }
            sleep(20);
            _exit(0);
        }
"""
PIPES = """
    char bytes[1 << 16] = { 0 };
    for (int k = 0; k < 80; k++)
        if (fork() == 0) {
            int ends[2];
            while (pipe2(ends, O_NONBLOCK) == 0)
                while (write(ends[1], bytes, sizeof bytes) > 0) { }
            sleep(20);
            _exit(0);
        }
"""
MANY_SOCKETS = """
    char bytes[1 << 16] = { 0 };
    for (int k = 0; k < 60; k++)
        if (fork() == 0) {
            int ends[2];
            closerange();
            for (int pair = 0; pair < 3; pair++) {
                socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
                while (write(ends[0], bytes, sizeof bytes) > 0) { }
                while (write(ends[1], bytes, sizeof bytes) > 0) { }
            }
            sleep(20);
            _exit(0);
        }
"""
"""In many processes with few open files each."""

CLOSED_SOCKETS = "    prctl(PR_SET_DUMPABLE, 0);" + SOCKETS.replace(
    "fork() == 0) {", "fork() == 0) { prctl(PR_SET_DUMPABLE, 0);"
)
"""In processes that are closed to their own user."""

WATCHES = """
    int ends[2], at = 0;
    struct epoll_event event = { EPOLLIN };
    pipe(ends);
    for (int file = 200; file < 1000; file++) dup2(ends[0], file);
    for (int set = 10; set < 100; set++) {
        int waits = epoll_create1(0);
        dup2(waits, set);
        close(waits);
        for (int file = 200; file < 1000; file++) epoll_ctl(set, EPOLL_CTL_ADD, file, &event);
    }
"""
"""Events of one pipe, by 90 times 800 of its numbers."""

LOCKS = """
    char name[] = "/usr/bin/env";
    int file = open(name, O_RDONLY), made = 0;
    for (long at = 1 << 24; at > 0; at--) {
        struct flock lock = { F_RDLCK, SEEK_SET, 2 * at, 1 };
        if (fcntl(file, F_SETLK, &lock)) { perror("locks"); break; }
    }
"""


def played(tmp_path, body, *options, head=HEAD, tail=TAIL):
    """Play a game against a player in C at the command line; return what it writes."""
    source, library = tmp_path / "hog.c", tmp_path / "hog.so"
    source.write_text(head + body + tail)
    command = ["gcc", "-w", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    command = ("-m", "ludograph", "flood", library, "greedy", "--json", "--starter", 1)
    return json.loads(python(*command, "--memory", "256M", *options).stdout)


KINDS = {
    "tables": SPARSE,
    "sockets": SOCKETS,
    "sockets of closed processes": CLOSED_SOCKETS,
    "pipes": PIPES,
    "watches": WATCHES,
}


def fault_of(result):
    """Return the only fault of a match."""
    (found,) = result["faults"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("level", slow_but(LEVELS[:1], LEVELS))
@pytest.mark.parametrize(
    ("file", "flags"),
    [("-1", "MAP_SHARED | MAP_ANONYMOUS"), ('open("/dev/zero", O_RDWR)', "MAP_SHARED")],
    ids=["anonymous", "/dev/zero"],
)
def test_shared_memory_cannot_be_made(level, file, flags, tmp_path):
    body = SHARED.replace("FILE", file).replace("FLAGS", flags)
    found = fault_of(played(tmp_path, body, "--clock", "0.3s", "--isolation", level))
    assert (found["reason"], found["log"].strip()) == ("timeout", "0 mappings")


@pytest.mark.slow
@pytest.mark.parametrize("level", slow_but(LEVELS[:1], LEVELS))
@pytest.mark.parametrize("kind", slow_but(["tables", "watches"], KINDS))
def test_what_the_kernel_keeps_for_a_player_counts(level, kind, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "none")
    found = fault_of(played(tmp_path, KINDS[kind], "--clock", "20s", "--isolation", level))
    assert (found["reason"], found["log"].strip()) == ("memory", "")


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_sockets_count_in_many_processes_with_few_open_files(level, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "none")
    options = ("--clock", "20s", "--isolation", level, "--memory", "60M")
    assert fault_of(played(tmp_path, MANY_SOCKETS, *options))["reason"] == "memory"


@pytest.mark.slow
def test_locks_count_without_isolation(tmp_path, monkeypatch):
    """With it there are none."""
    monkeypatch.setenv(VARIABLE, "none")
    found = fault_of(played(tmp_path, LOCKS, "--clock", "20s", "--isolation", "none"))
    assert (found["reason"], found["log"].strip()) == ("memory", "")


@pytest.mark.slow
def test_files_in_memory_count(tmp_path):
    """Those of a scratch folder that no process has open."""
    body = """
        static char bytes[1 << 20];
        for (int k = 0; k < 60; k++) {
            char name[64];
            sprintf(name, "/tmp/%d", k);
            int file = open(name, O_CREAT | O_WRONLY, 0600);
            if (write(file, bytes, sizeof bytes) < 0) break;
            close(file);
        }
    """
    found = fault_of(played(tmp_path, body, "--clock", "20s", "--memory", "60M"))
    assert found["reason"] == "memory"


@pytest.mark.slow
def test_sizes_of_buffers_stay(tmp_path):
    """And a session is not made, though it seems so."""
    body = """
        static int n;
        int ends[2], size = 1 << 20;
        if (n++) return (struct move){-1};
        socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
        printf("%d ", setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size));
        pipe(ends);
        printf("%d ", fcntl(ends[0], F_SETPIPE_SZ, size));
        pid_t before = getsid(0);
        if (fork() == 0) { printf("%d %d\\n", setsid() < 0, getsid(0) != before); exit(0); }
        wait(0);
        fflush(stdout);
        return (struct move){-1};
    }
    """
    source, library = tmp_path / "buffers.c", tmp_path / "buffers.so"
    source.write_text(HEAD.replace("<unistd.h>", "<unistd.h>\n#include <sys/wait.h>") + body)
    subprocess.run(["gcc", "-w", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    done = python(*LOUD, library, "greedy")
    assert "-1 -1 0 0" in done.stdout + done.stderr


@pytest.mark.slow
def test_the_kernel_and_the_supervisor_are_out_of_reach(everybodys, monkeypatch):
    """Of a user who is not root, so that the player has the same user as its supervisor."""
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(everybodys / "cache"))
    player = everybodys / "looks.py"
    player.write_text(
        "import os\n"
        "def choose(position):\n"
        "    if position.ply < 2:\n"
        "        print('symbols', len(open('/proc/kallsyms').read(100)))\n"
        "        for name in 'oom_score_adj', 'coredump_filter', 'comm':\n"
        "            path = f'/proc/{os.getppid()}/{name}'\n"
        "            print(name, os.access(path, os.R_OK), os.access(path, os.W_OK),\n"
        "                os.stat(path).st_uid == os.getuid())\n"
        "    return position.legal_moves()[0]\n"
    )
    done = python(*LOUD, player, "greedy", before=AS_USER)
    told = done.stdout + done.stderr
    assert "symbols 0" in told
    for name in ("oom_score_adj", "coredump_filter", "comm"):
        assert f"{name} True False False" in told


@pytest.mark.slow
def test_the_limits_of_the_supervisor_are_out_of_reach(everybodys, monkeypatch):
    """Without descriptors it could not measure how much memory its player holds.

    Of a user who is not root, so that the player has the same user as its supervisor.
    """
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(everybodys / "cache"))
    monkeypatch.setenv(VARIABLE, "none")
    player = everybodys / "blinds.py"
    player.write_text(
        "import os, resource\n"
        "def choose(position):\n"
        "    try:\n"
        "        resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))\n"
        "    except PermissionError:\n"
        "        pass\n"
        "    held = bytearray(600 << 20)\n"
        "    for page in range(0, 600 << 20, 4096):\n"
        "        held[page] = 1\n"
        "    return position.legal_moves()[0]\n"
    )
    command = ("-m", "ludograph", "flood", player, "greedy", "--json", "--memory", "256M")
    done = python(*command, "--clock", "20s", before=AS_USER)
    assert fault_of(json.loads(done.stdout))["reason"] == "memory"
