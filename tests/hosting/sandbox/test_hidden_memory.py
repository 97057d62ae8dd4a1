"""Memory that is resident in no process counts, or is refused; the rest of what a player may not.

Each attack is a player in C that ``ludograph flood`` plays with.
"""

import json
import subprocess

import pytest

from ludograph import play_match
from ludograph.hosting.sandbox.control_group import VARIABLE
from tests.amounts import slow_but
from tests.interpreter import AS_USER, python

LEVELS = ["strict", "basic"]
LOUD = ("-m", "ludograph", "flood", "--show-output", "all", "-q")
HEAD = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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

NOTES_ON_WATCHES = """
    int ends[2];
    char name[64], byte;
    struct epoll_event event = { EPOLLIN };
    pipe(ends);
    for (int k = 0; k < 16; k++)
        if (fork() == 0) {
            int set = epoll_create1(0);
            sprintf(name, "/proc/self/fdinfo/%d", set);
            for (int file = 500; file < 1000; file++) {
                dup2(ends[0], file);
                epoll_ctl(set, EPOLL_CTL_ADD, file, &event);
            }
            for (int file; (file = open(name, O_RDONLY)) >= 0;) read(file, &byte, 1);
            sleep(20);
            _exit(0);
        }
"""
"""The kernel keeps a text on the 500 events of a set, 64 KiB, for each time that it is open."""

MAPPINGS = """
    long count = 60000;
    char *p = mmap(0, count << 13, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (long k = 0; k < count; k++) mprotect(p + (k << 13), 4096, PROT_NONE);
    for (int k = 0; k < 60; k++) if (fork() == 0) { sleep(20); _exit(0); }
"""
"""Without pages, in many processes."""

CHAIN = """
    long count = 10000, size = count << 13;
    char *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (long k = 0; k < count; k++) mprotect(p + (k << 13), 4096, PROT_READ);
    for (long k = 0; k < count; k++) p[(k << 13) + 4096] = 1;
    madvise(p, size, MADV_DONTNEED);
    for (int k = 0; k < 60 && fork() == 0; k++) { }
    sleep(20);
"""
"""Each mapping that has had a page is linked to that of all processes above its own."""

HUGE_PAGES_IN_PIPES = """
    int pipes = 0, ends[2];
    for (; pipes < 40 && pipe2(ends, O_NONBLOCK) == 0; pipes++)
        for (int k = 0; k < 16; k++) {
            char *p = mmap(0, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            char *page = (char *)(((long)p + (2 << 20) - 1) & -(2L << 20));
            madvise(p, 4 << 20, MADV_HUGEPAGE);
            *page = 1;
            struct iovec part = { page, 16 };
            made += vmsplice(ends[1], &part, 1, SPLICE_F_GIFT) > 0;
            munmap(p, 4 << 20);
        }
"""
PAGES_IN_SOCKETS = """
    int ends[2], pages[2], file = open("/usr/bin/env", O_RDONLY);
    pipe(pages);
    while (made < MANY && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0)
        for (int before = -1; before < made;) {
            long at = 0;
            before = made;
            made += sendfile(ends[0], file, &at, 16) > 0;
            write(pages[1], "page", 4);
            made += splice(pages[0], 0, ends[0], 0, 4, SPLICE_F_NONBLOCK) > 0;
            made += splice(file, 0, pages[1], 0, 16, SPLICE_F_NONBLOCK) > 0;
            made += tee(pages[0], pages[1], 16, SPLICE_F_NONBLOCK) > 0;
        }
"""
CALL_FILTERS = """
    static struct sock_filter code[4096];
    struct sock_fprog program = { 4096, code };
    for (int k = 0; k < 4096; k++)
        code[k] = (struct sock_filter)BPF_STMT(BPF_RET, SECCOMP_RET_ALLOW);
    for (int k = 0; k < 80; k++)
        if (k == 79 || fork() == 0) {
            for (int kept = 0; kept < 8; kept++) {
                made += prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
                made += syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
            }
            if (k < 79) { if (made) write(1, "filters ", 8); sleep(20); _exit(0); }
        }
"""
SOCKET_FILTERS = """
    static struct sock_filter code[1900];
    struct sock_fprog program = { 1900, code };
    for (int k = 0; k < 1900; k++) code[k] = (struct sock_filter)BPF_STMT(BPF_RET, 1);
    for (int ends[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;)
        for (int end = 0; end < 2; end++)
            made += setsockopt(
                ends[end], SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
"""
RULESETS = """
    struct { unsigned long files, ports; } handled = { 4, 3 };
    struct { unsigned long allowed, port; } rule = { 3 };
    for (int set; (set = syscall(SYS_landlock_create_ruleset, &handled, 16, 0)) > 0; made++)
        for (rule.port = 0; rule.port < 65536; rule.port++)
            if (syscall(SYS_landlock_add_rule, set, 2, &rule, 0)) break;
"""
FUTEX_TABLE = """
    for (long size = 1 << 24; size > 1 << 10 && !made; size /= 2)
        made += prctl(78, 1, size, 0, 0) == 0;
"""
"""Since Linux 6.16 a process chooses the size of a table of the kernel, up to a gigabyte."""

POLICIES = """
    unsigned long nodes = 1;
    int file = open("/tmp/policies", O_CREAT | O_RDWR, 0600);
    ftruncate(file, 64 << 20);
    char *p = mmap(0, 64 << 20, PROT_READ, MAP_SHARED, file, 0);
    if (p == MAP_FAILED) p = mmap(0, 64 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (long k = 0; k < 16384; k++)
        made += syscall(SYS_mbind, p + (k << 12), 4096, 1 + k % 2 * 2, &nodes, 64, 0) == 0;
"""
"""The kernel keeps that of each page of a file, in files of holes, too."""

RESERVED_HUGE_PAGES = """
    for (char *p; made < 1024; made++)
        if ((p = mmap(0, 2 << 20, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0)) == MAP_FAILED) break;
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
    "mappings": MAPPINGS,
    "chain of mappings": CHAIN,
}

REFUSED = {
    "huge pages in pipes": HUGE_PAGES_IN_PIPES,
    "pages in sockets": PAGES_IN_SOCKETS,
    "filters of system calls": CALL_FILTERS,
    "filters of sockets": SOCKET_FILTERS,
    "rules of Landlock": RULESETS,
    "table of futexes": FUTEX_TABLE,
    "policies of pages": POLICIES,
    "reserved huge pages": RESERVED_HUGE_PAGES,
}
"""The kernel's memory for these is counted nowhere."""


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
    found = fault_of(played(tmp_path, KINDS[kind], "--clock", "90s", "--isolation", level))
    assert (found["reason"], found["log"].strip()) == ("memory", "")


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_sockets_count_in_many_processes_with_few_open_files(level, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "none")
    options = ("--clock", "20s", "--isolation", level, "--memory", "60M")
    assert fault_of(played(tmp_path, MANY_SOCKETS, *options))["reason"] == "memory"


@pytest.mark.slow
@pytest.mark.parametrize("level", slow_but(LEVELS[:1], LEVELS))
@pytest.mark.parametrize("kind", REFUSED)
def test_memory_that_would_be_counted_nowhere_cannot_be_had(level, kind, tmp_path):
    body = "    int made = 0;" + REFUSED[kind] + '    printf("%d made", made);'
    found = fault_of(played(tmp_path, body, "--clock", "1s", "--isolation", level))
    assert (found["reason"], found["log"].strip()) == ("timeout", "0 made")


COPIES = """
import shutil, subprocess
def choose(position):
    if position.ply < 2:
        subprocess.run(["cp", "/proc/cpuinfo", "/tmp/cpus"], check=True)
        shutil.copyfile("/usr/bin/env", "/tmp/python")
        subprocess.run(["cp", "/usr/bin/env", "/tmp/cp"], check=True)
        subprocess.run("cat < /tmp/cp | cat > /tmp/cat; cat /tmp/cat >> /tmp/cats", shell=True)
        original = open("/usr/bin/env", "rb").read()
        for copy in ("python", "cp", "cat", "cats"):
            print(open(f"/tmp/{copy}", "rb").read() == original)
    return position.legal_moves()[0]
"""


@pytest.mark.slow
def test_files_can_be_copied_all_the_same(start, file):
    """Without the system calls that copy in the kernel."""
    result = play_match(start, [file(COPIES), "greedy"], isolation="strict", clock="20s")
    assert (result.faults, result.logs[0].split()) == ([], ["True"] * 4), result.sentence


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
def test_texts_on_watches_count(tmp_path, monkeypatch):
    """Under ``basic`` only the first process can open them."""
    monkeypatch.setenv(VARIABLE, "none")
    assert fault_of(played(tmp_path, NOTES_ON_WATCHES, "--clock", "20s"))["reason"] == "memory"


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
