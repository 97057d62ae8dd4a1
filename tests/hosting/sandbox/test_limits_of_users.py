"""What the kernel counts for a user: no player keeps the referee, or another command, from it."""

import errno
import resource

import pytest

from ludograph import play_match
from ludograph.hosting.sandbox.privileges import FILES
from ludograph.players.isolation import Level
from tests.interpreter import AS_USER, python

WAYS = """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
CLONE_VM, CLONE_SIGHAND, CLONE_THREAD, CLONE_FILES = 0x100, 0x800, 0x10000, 0x400
CLOSE_RANGE, CLOSE_RANGE_UNSHARE = 436, 2
NAME = b"\\1\\0\\0somebody"
run = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: 0)
stack = ctypes.create_string_buffer(1 << 16)

def choose(position):
    one, other = socket.socketpair()
    try:
        socket.send_fds(one, [b"x"], [one.fileno()])
        print("message", 0)
    except OSError as error:
        print("message", error.errno)
    for name, call in {
        "messages": lambda: libc.sendmmsg(-1, None, 1, 0),
        "own-end": lambda: libc.sendto(one.fileno(), b"x", 1, 0, None, 0),
        "another-socket": lambda: libc.sendto(one.fileno(), b"x", 1, 0, NAME, len(NAME)),
        "table": lambda: libc.unshare(CLONE_FILES),
        "table-of-a-range": lambda: libc.syscall(CLOSE_RANGE, 900, 901, CLOSE_RANGE_UNSHARE),
        "thread": lambda: libc.clone(
            run, ctypes.byref(stack, 1 << 15), CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, None
        ),
    }.items():
        print(name, ctypes.get_errno() if call() < 0 else 0)
    return position.legal_moves()[0]
"""
"""Ways to have open files, or bytes, that are counted elsewhere than for the files of a process."""

REFUSED = {
    "message": errno.EPERM,
    "messages": errno.EPERM,
    "own-end": 0,
    "another-socket": errno.EPERM,
    "table": errno.EPERM,
    "table-of-a-range": errno.EINVAL,
    "thread": errno.EPERM,
}


@pytest.mark.parametrize("level", [Level.STRICT, Level.BASIC])
def test_open_files_stay_in_the_table_of_their_process(level, start, file):
    result = play_match(start, [file(WAYS), "greedy"], isolation=level, clock="20s")
    assert result.faults == [], result.sentence
    told = dict(line.split() for line in result.logs[0].splitlines())
    assert {way: int(error) for way, error in told.items()} == REFUSED


LIMIT = """
import resource
def choose(position):
    print(*resource.getrlimit(resource.RLIMIT_NOFILE))
    return position.legal_moves()[0]
"""


@pytest.mark.parametrize("level", Level)
def test_the_referee_has_all_files_that_it_may_and_players_the_usual_number(level, start, file):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    try:
        result = play_match(start, [file(LIMIT), "greedy"], isolation=level, clock="20s")
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = min(FILES, hard)
    assert set(result.logs[0].splitlines()) == {
        f"{most} {hard if level is Level.NONE else most}",
    }


IN_FLIGHT = f"""
import os, resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({FILES}, int(sys.argv[1])))
ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
while True:
    try:
        socket.send_fds(ends[0], [b"x"], [0] * 250)
    except OSError:
        break
for end in ends:
    os.set_inheritable(end.fileno(), True)
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""
"""A program that leaves descriptors on their way, as many as this user may, and goes on as
another."""


@pytest.mark.parametrize("most", [FILES, 4 * FILES])
def test_descriptors_on_their_way_stop_no_command_of_the_same_user(most, everybodys):
    """If the limit can be raised; otherwise the machine has failed, and no input is wrong."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < most:
        pytest.skip("unavoidable: this user may not have so many open files")
    bot = everybodys / "bot.py"
    bot.write_text("def choose(position): return position.legal_moves()[0]\n")
    command = ("-c", IN_FLIGHT, most, "-m", "ludograph", "flood", "-m", 4, bot, "greedy", "-q")
    status = 3 if most == FILES else 0
    done = python(*command, before=AS_USER, folder=everybodys, status=status)
    assert "Traceback" not in done.stderr
