"""A small program with a switch per fault: ``fake_program.py [FAULT [AT]]``.

AT is the number of its own move at which the fault occurs, 1 if not given. All else is legal: it
plays the move that comes first in the alphabet. What it is told goes to the file FAKE_LOG.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
AT = int(sys.argv[2]) if len(sys.argv) > 2 else 1
LOG = os.environ.get("FAKE_LOG")


def say(text):
    sys.stdout.buffer.write(text.encode() if isinstance(text, str) else text)
    sys.stdout.buffer.flush()


if FAULT == "mark":
    say("\ufeff")  # as .NET begins a stream in UTF-8


def hang():
    while True:
        pass


def sleep():
    time.sleep(100)


def fork_hang():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"], start_new_session=True)
    hang()


def ignore_sigterm():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep()


def endless():
    while True:
        say("x" * 10000)


def buffered():
    with open(1, "w", closefd=False) as stream:  # sys.stdout may be told not to have a buffer
        stream.write('{"move": "pass"}\n')
        sleep()


def heartbeats():
    """Say on standard error, in the end, how long this process did not run at the most."""
    last = time.monotonic()
    while True:
        time.sleep(0.001)
        now["gap"] = max(now.get("gap", 0.0), time.monotonic() - last)
        last = time.monotonic()
        now["beats"] = now.get("beats", 0) + 1


def say_gap():
    """Say so, once the gap before this has been noted."""
    beats = now.get("beats", 0)
    while now.get("beats", 0) < beats + 2:
        time.sleep(0.001)
    print(f"gap {now['gap']:.3f}", file=sys.stderr, flush=True)


def noise():
    for number in range(50000):
        print(f"{number:099}", file=sys.stderr)


EVENTS = {
    "crash": os.abort,
    "exit": lambda: sys.exit(3),
    "hang": hang,
    "sleep": sleep,
    "fork-hang": fork_hang,
    "sigterm-ignore": ignore_sigterm,
    "close": lambda: (os.close(1), sleep()),
    "endless": endless,
    "buffered": buffered,
    "noise": noise,  # harmless
}
ANSWERS = {
    "no-json": "c5\n",
    "cut": '{"move": "c5"\n',
    "nan": '{"move": NaN}\n',
    "array": '["c5"]\n',
    "text": '"c5"\n',
    "nested": "[" * 5000 + "\n",
    "no-move": '{"mvoe": "c5"}\n',
    "number": '{"move": 5}\n',
    "null": '{"move": null}\n',
    "long-number": '{"move": ' + "9" * 100 + "}\n",
    "two-answers": '{"move": "red"}\n{"move": "blue"}\n',
    "two-on-a-line": '{"move": "red"}{"move": "blue"}\n',
    "too-long": '{"move": "' + "x" * 70000 + '"}\n',
    "binary": b'{"move": "\xff\xfe"}\n',
    "no-end-of-line": '{"move": "red"}',
    "no-such-move": '{"move": "\\u001b[31m<b>x</b>"}\n',
    "long-move": '{"move": "' + "x" * 60000 + '"}\n',
    "empty-move": '{"move": ""}\n',
    "resign": '{"resign": true}\n',
}
STARTS = {
    "old": '{"version": 0}\n',
    "new": '{"version": 2, "name": "of the future"}\n',
    "true-version": '{"version": true}\n',
    "no-version": '{"name": "x"}\n',
    "banner": "Welcome to the fake\n",
}


def play(message):
    now["played"] += 1
    if now["played"] == AT:
        if FAULT in EVENTS:
            EVENTS[FAULT]()
        if FAULT in ANSWERS:
            return ANSWERS[FAULT]
        if FAULT == "illegal":
            return json.dumps({"move": now["first"]}) + "\n"
    move = min(message["legal"]) if "legal" in message else next(script)
    now["first"] = now.get("first", move)
    if FAULT == "more-fields":
        return json.dumps({"depth": 9, "move": move, "value": [1, {"a": None}]}) + "\n"
    if FAULT == "dialect":
        return f'\r\n\n\t{{ "move" :"{move}" }}  \r\n\n'
    return json.dumps({"move": move}) + "\n"


def answer(message):
    match message["type"]:
        case "hello":
            if FAULT == "exit-start":
                sys.exit("no licence found")
            if FAULT == "hang-start":
                hang()
            name = "x" * 10000 if FAULT == "long-name" else "fake"
            return STARTS.get(FAULT) or json.dumps({"version": 1, "name": name}) + "\n"
        case "start":
            if FAULT == "ponder":
                threading.Thread(target=heartbeats, daemon=True).start()
            if FAULT == "refuse":
                return '{"refuse": "plays nothing\\u001b on Sundays"}\n'
            if FAULT == "not-ready":
                return '{"ready": "yes"}\n'
            legal = {"legal": False} if FAULT == "own-rules" else {}
            return json.dumps({"ready": True, **legal}) + "\n"
        case "ping":
            return '{"pong": false}\n' if FAULT == "no-pong" else '{"pong": true}\n'
        case "play":
            return play(message)
    if FAULT == "will-not-end":
        sleep()
    if FAULT == "ponder":
        say_gap()
    sys.exit()


now = {"played": 0}
script = iter(["a1", "a2", "a3"])
for line in sys.stdin:
    if LOG:
        with open(LOG, "a") as log:
            log.write(line)
    say(answer(json.loads(line)))
    if FAULT == "exit-later" and now["played"] == AT:
        sys.exit(9)
