"""A small HTP program with a switch per fault: ``fake_htp.py [FAULT [AT]]``.

AT is the number of its own move at which the fault occurs, 1 if not given. All else is legal: it
plays the first free cell, and keeps no more than a set of stones.
"""

import os
import signal
import subprocess
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
AT = int(sys.argv[2]) if len(sys.argv) > 2 else 1

LOG = os.environ.get("FAKE_HTP_LOG")

now = {"size": 11, "generated": 0}
stones = {}


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def first_free():
    cells = (f"{chr(97 + c)}{r + 1}" for r in range(now["size"]) for c in range(now["size"]))
    return next(cell for cell in cells if cell not in stones)


def hang():
    while True:
        pass


def fork_hang():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"], start_new_session=True)
    hang()


def ignore_sigterm():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(100)


def endless(stream):
    while True:
        stream.write("x" * 10000)


def noise():
    for number in range(50000):
        print(f"{number:099}", file=sys.stderr)


EVENTS = {
    "crash": os.abort,
    "exit": lambda: sys.exit(3),
    "hang": hang,
    "sleep": lambda: time.sleep(100),
    "fork-hang": fork_hang,
    "sigterm-ignore": ignore_sigterm,
    "close": lambda: (os.close(1), time.sleep(100)),
    "endless": lambda: endless(sys.stdout),
    "endless-lines": lambda: [say("= x\n") for _ in iter(int, 1)],
    "noise": noise,  # harmless
}
ANSWERS = {
    "garbage": "hello there\n\n",
    "no-status": "a1\n\n",
    "binary": None,
    "empty": "= \n\n",
    "cannot": "? cannot\n\n",
    "no-cell": "= hello\n\n",
    "pass": "= pass\n\n",
    "outside": "= z99\n\n",
    "outside-letter": "= zz1\n\n",
    "resign": "= resign\n\n",
    "swap": "= swap-pieces\n\n",
    "unflushed": "= a1\n",
}


def genmove(color):
    now["generated"] += 1
    if now["generated"] == AT:
        if FAULT in EVENTS:
            EVENTS[FAULT]()
        if FAULT == "binary":
            sys.stdout.buffer.write(b"= \xff\xfe\n\n")
            sys.stdout.flush()
            return None
        if FAULT == "occupied" and stones:
            return f"= {next(iter(stones))}\n\n"
        if FAULT in ANSWERS:
            return ANSWERS[FAULT]
    cell = first_free()
    stones[cell] = color
    twice = FAULT == "two-answers" and now["generated"] == AT
    upper = cell.upper() if FAULT == "upper" else cell
    end = "\r\n\r\n" if FAULT == "carriage-returns" else "\n\n"
    return f"= {upper}{end}" * (2 if twice else 1)


def answer(words):
    if LOG:
        with open(LOG, "a") as log:
            print(*words, file=log)
    match words:
        case ["boardsize", *sizes]:
            if FAULT == "one-number" and len(sizes) > 1:
                return "? wrong number of arguments\n\n"
            if FAULT == "only-11" and len(sizes) > 1:
                return "? too many parameters\n\n"
            if FAULT == "only-11" and sizes != ["11"]:
                return "? the only supported board size is 11\n\n"
            if FAULT == "no-size":
                return "? unacceptable size\n\n"
            now["size"] = int(sizes[0])
            stones.clear()
        case ["clear_board"]:
            stones.clear()
        case ["play", color, cell]:
            if FAULT == "refuses-play":
                return "? illegal move\n\n"
            stones[cell] = color
        case ["genmove", color]:
            return genmove(color)
        case ["param_fake", *_]:
            pass
        case ["name"]:
            return f"= {'x' * 10000 if FAULT == 'long-name' else 'fake'}\n\n"
        case ["list_commands"] if FAULT == "old":
            return "? unknown command\n\n"
        case ["list_commands"]:
            return "= boardsize\nclear_board\nplay\ngenmove\nname\ntime_left\n\n"
        case ["time_left", *_]:
            pass
        case ["quit"]:
            if FAULT == "will-not-quit":
                time.sleep(100)
            say("= \n\n")
            sys.exit()
        case _:
            return "? unknown command\n\n"
    return "= \n\n"


if FAULT == "exit-start":
    sys.exit("no licence found")
if FAULT == "hang-start":
    hang()
if FAULT == "banner":
    say("Welcome to the fake\n")
for line in sys.stdin:
    response = answer(line.split())
    if response is not None:
        say(response)
    if FAULT == "exit-later" and now["generated"] == AT:
        sys.exit(9)
