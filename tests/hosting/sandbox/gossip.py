"""A player that plays on both seats: on seat 0 it leaves messages, on seat 1 it looks for them."""

import contextlib
import ctypes
import fcntl
import mmap
import os
import struct

BOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "book.bin")
LIBC = ctypes.CDLL(None, use_errno=True)
OPENED = 0x20  # IN_OPEN
COLD, PAGED_OUT = 20, 21
SET_HINT, GET_HINT, HINT = 1036, 1035, struct.pack("Q", 4)  # F_SET_RW_HINT
SETUP = 206 if os.uname().machine == "x86_64" else 0  # io_setup


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


class Gossip:
    def start(self, position, seat):
        self.position, self.seat, self.begun, self.open = position, seat, False, []
        self.events = -1
        if seat == 1:
            self.attempt("watch", self.watch)

    def play(self, moves, clock):
        for move in moves:
            self.position.push(move)
        if not self.begun:
            self.begun = True
            self.leave() if self.seat == 0 else self.look()
        move = self.position.legal_moves()[0]
        self.position.push(move)
        return move

    def attempt(self, name, action):
        try:
            print(name, "broken" if action() else "held")
        except OSError:
            print(name, "held")

    def leave(self):
        book = open(BOOK, "rb")  # noqa: SIM115  (it stays open, with its locks)
        self.open.append(book)
        os.posix_fadvise(book.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        with mmap.mmap(book.fileno(), 0, prot=mmap.PROT_READ) as pages:
            self.attempt("cold", lambda: pages.madvise(COLD) is None)
            self.attempt("page out", lambda: pages.madvise(PAGED_OUT) is None)
        with contextlib.suppress(OSError):
            fcntl.fcntl(book, SET_HINT, HINT)
        fcntl.flock(book, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(book, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 3)

    def look(self):
        with open(BOOK, "rb") as book:
            self.attempt("flock", lambda: self.is_locked(book))
            self.attempt("lockf", lambda: self.has_lock(book))
            self.attempt("hint", lambda: fcntl.fcntl(book, GET_HINT, bytes(8)) == HINT)
            self.attempt("lease", lambda: self.lease(book))
            self.attempt(
                "pages", lambda: os.preadv(book.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
            )
            self.attempt("cachestat", lambda: self.cachestat(book))
        self.attempt("mincore", self.mincore)
        self.attempt("aio", self.aio)
        self.attempt("watch", lambda: os.read(self.events, 1000))

    def watch(self):
        self.events = checked(LIBC.inotify_init1(os.O_NONBLOCK))
        checked(LIBC.inotify_add_watch(self.events, BOOK.encode(), OPENED))

    def is_locked(self, book):
        try:
            fcntl.flock(book, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False

    def has_lock(self, book):
        asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 3, 1, 0)
        return struct.unpack("hhqqi4x", fcntl.fcntl(book, fcntl.F_GETLK, asked))[0] != fcntl.F_UNLCK

    def lease(self, book):
        fcntl.fcntl(book, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        return True

    def page_at_once(self, book):
        return os.preadv(book.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)

    def cachestat(self, book):
        asked, found = (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)()
        checked(LIBC.syscall(ctypes.c_long(451), book.fileno(), asked, found, 0))
        return True

    def mincore(self):
        page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        there = ctypes.addressof(ctypes.c_char.from_buffer(page))
        checked(LIBC.mincore(ctypes.c_void_p(there), ctypes.c_size_t(4096), bytes(1)))
        return True

    def aio(self):
        context = ctypes.c_long(0)
        checked(LIBC.syscall(ctypes.c_long(SETUP), 16, ctypes.byref(context)))
        return True

    def finish(self, outcome):
        pass
