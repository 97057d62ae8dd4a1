"""A player that tries to change the mode, the owner, the times and the attributes of files.

It owns them all: its own file, those of its opponent beside it, and the interpreter.
"""

import array
import contextlib
import ctypes
import fcntl
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
OTHER = os.path.join(os.path.dirname(HERE), "other")
VICTIMS = (
    __file__,
    HERE,
    OTHER,
    os.path.join(OTHER, "bot.py"),
    os.path.join(OTHER, "book.txt"),
    "/proc/self/exe",
)
DEVICES = ("/proc/self/fd/0", "/dev/null")
"""Of these, any user may change the times."""

LIBC = ctypes.CDLL(None, use_errno=True)
FCHMODAT2, SETXATTRAT, FILE_SETATTR = 452, 463, 469
GETFLAGS, SETFLAGS, GETXATTR, SETXATTR = 0x80086601, 0x40086602, 0x801C581F, 0x401C5820
CLEAR_CACHE, NODUMP = 0x6628, 0x40
HINTS = 1036, 1038  # F_SET_RW_HINT, F_SET_FILE_RW_HINT


def called(number, *arguments):
    wide = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    LIBC.syscall(ctypes.c_long(number), *wide)


def flagged(opened):
    flags = array.array("l", [0])
    fcntl.ioctl(opened, GETFLAGS, flags)
    flags[0] ^= NODUMP
    fcntl.ioctl(opened, SETFLAGS, flags)


def projected(opened):
    attributes = bytearray(28)
    fcntl.ioctl(opened, GETXATTR, attributes)
    attributes[0] ^= NODUMP
    fcntl.ioctl(opened, SETXATTR, attributes)


def path_attempts(path):
    name = os.fsencode(path)
    yield lambda: os.chmod(path, 0o740)
    yield lambda: os.chmod(name, 0o740, dir_fd=os.open("/", os.O_PATH))
    yield lambda: called(FCHMODAT2, -100, name, 0o740, 0x100)
    yield lambda: os.chown(path, os.getuid(), os.getgid())
    yield lambda: os.lchown(path, os.getuid(), os.getgid())
    yield lambda: os.utime(path)
    yield lambda: os.utime(path, (1, 1), follow_symlinks=False)
    yield lambda: LIBC.utime(name, None)
    yield lambda: LIBC.utimes(name, None)
    yield lambda: LIBC.futimesat(-100, name, None)
    yield lambda: os.setxattr(path, "user.message", b"1")
    yield lambda: os.setxattr(path, "user.message", b"1", follow_symlinks=False)
    value = ctypes.create_string_buffer(struct.pack("QII", id(b"1") + 32, 1, 0))
    yield lambda: called(SETXATTRAT, -100, name, 0, b"user.message", value, 16)
    yield lambda: called(FILE_SETATTR, -100, name, struct.pack("QIIII", NODUMP, 0, 0, 0, 0), 24, 0)
    yield lambda: os.truncate(path, 0)
    yield lambda: os.close(os.open(path, os.O_RDONLY | os.O_TRUNC))


def open_attempts(opened):
    yield lambda: os.fchmod(opened, 0o740)
    yield lambda: os.fchown(opened, os.getuid(), os.getgid())
    yield lambda: os.utime(opened)
    yield lambda: os.setxattr(opened, "user.message", b"1")
    yield lambda: flagged(opened)
    yield lambda: projected(opened)
    yield lambda: fcntl.ioctl(opened, CLEAR_CACHE)
    for hint in HINTS:
        yield lambda hint=hint: fcntl.fcntl(opened, hint, struct.pack("Q", 3))


def attack():
    for path in VICTIMS:
        for attempt in path_attempts(path):
            tried(attempt)
        try:
            opened = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        for attempt in open_attempts(opened):
            tried(attempt)
        os.close(opened)
    if os.getuid():  # without isolation this is root
        for path in DEVICES:
            tried(lambda path=path: os.utime(path))
            tried(lambda path=path: LIBC.utime(os.fsencode(path), None))


def tried(attempt):
    with contextlib.suppress(OSError):  # what counts is the state of the files afterwards
        attempt()


class Vandal:
    def start(self, position, seat):
        self.position = position

    def play(self, moves, clock):
        for move in moves:
            self.position.push(move)
        attack()
        move = self.position.legal_moves()[0]
        self.position.push(move)
        return move

    def finish(self, outcome):
        print("tried")
