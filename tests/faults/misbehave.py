"""A Python player with one switch per fault; all other moves are its first legal ones.

FAULT names the fault, AT the number of its own move at which it occurs; other values are written
behind this text.
"""

import os
import signal
import socket
import struct
import sys
import time

FAULT, AT = "none", 1


def hang():
    while True:
        pass


def sleep():
    time.sleep(100)


def fork_hang():
    if os.fork() == 0:
        os.setsid()
        sleep()
    hang()


def sigterm_ignore():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


def noise(stream):
    for number in range(50_000):
        print(f"{number:099}", file=stream)


def forged(length, payload):
    """Write to all that may be the channel."""
    for name in os.listdir("/proc/self/fd"):
        try:
            with socket.socket(fileno=os.dup(int(name))) as channel:
                channel.send(struct.pack("<I", length) + payload)
        except OSError:
            continue


EVENTS = {
    "crash-segv": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "crash-abort": os.abort,
    "exit": lambda: os._exit(3),
    "hang": hang,
    "sleep": sleep,
    "fork-hang": fork_hang,
    "sigterm-ignore": sigterm_ignore,
    "two-answers": lambda: forged(10, b'{"move":0}'),
    "garbage": lambda: forged(3, b"abc"),
    "endless": lambda: forged(2**31, b""),
    "noise": lambda: noise(sys.stdout),
    "noise-stderr": lambda: noise(sys.stderr),
}
ANSWERS = {"out-of-range": 10**6, "empty": None, "no-move": 1.5, "negative": -7}


class Bot:
    """Plays its first legal move."""

    def __init__(self):
        self.moves = 0

    def choose(self, position):
        """Return a move, or do something else."""
        self.moves += 1
        if self.moves == AT and FAULT != "none":
            print("misbehave:", FAULT, file=sys.stderr, flush=True)
            EVENTS.get(FAULT, int)()
            if FAULT == "illegal":
                legal = position.legal_moves()
                return next(code for code in range(max(legal)) if code not in legal)
            if FAULT in ANSWERS:
                return ANSWERS[FAULT]
        return position.legal_moves()[0]
