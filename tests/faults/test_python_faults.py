"""Every fault of a Python file is a forfeit with its reason; nobody else is harmed."""

import re

import pytest

from ludograph import boards, flood
from ludograph.hosting import foreign_player
from ludograph.hosting.python_host import PythonRunner
from tests.hosting.fixtures import the_fault

FAULTS = {
    "exception": ("raise ValueError('boo')", "crash", "ValueError: boo"),
    "SystemExit": ("raise SystemExit(0)", "crash", "SystemExit: 0"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "crash", "KeyboardInterrupt"),
    "os._exit": ("import os; os._exit(7)", "crash", "exited with code 7"),
    "os._exit(0)": ("import os; os._exit(0)", "crash", "exited with code 0"),
    "recursion": ("return self.choose(position)", "crash", "RecursionError"),
    "deep recursion": (
        "import sys\n        sys.setrecursionlimit(10**9)\n"
        "        class A:\n            def __repr__(self): return repr([self])\n"
        "        A.__repr__ = lambda self: repr((self, 1))\n        return repr(A())",
        "crash",
        "killed by SIGSEGV",
    ),
    "huge text": ("raise ValueError('x' * 10**8)", "crash", "more ..."),
    "unprintable": (
        "class E(Exception):\n            def __str__(self): raise RuntimeError\n        raise E",
        "crash",
        "cannot be printed",
    ),
    "surrogate": ("raise ValueError('\\ud800')", "crash", "\\xd800"),
    "loop": ("\n        while True: pass", "timeout", " 0.5 s"),
    "closed": ("import os; os.closerange(3, 4096); return 0", "crash", "exited with code"),
    "two answers": (
        FORGE := (
            "import os, socket, struct\n"
            "        for fd in os.listdir('/proc/self/fd'):\n"
            "            if os.path.exists(f'/proc/self/fd/{fd}') and int(fd) > 2:\n"
            "                try: os.write(int(fd), struct.pack('<I', 10) + b'{\"move\":6}')\n"
            "                except OSError: pass\n"
            "        return 6"
        ),
        "protocol",
        "asked",
    ),
    "a good forgery": (
        FORGE.replace("10) + b'{\"move\":6}'", '17) + b\'{"id":2,"move":6}\''),
        "protocol",
        "asked",
    ),
    "a verdict of its own": (
        FORGE.replace("10) + b'{\"move\":6}'", '27) + b\'{"id":2,"fault":"no-start"}\''),
        "protocol",
        "fault='no-start'",
    ),
    "garbage": (FORGE.replace('{"move":6}', "[[[[[[[[[["), "protocol", "not an answer"),
    "gigantic": (FORGE.replace("10)", "2**31)"), "protocol", "at most 65536"),
    "illegal": (
        "return position.parse('red') if position.why_not(1) and False else "
        "[c for c in range(6) if not position.is_legal(c)][0]",
        "illegal-move",
        "is not legal",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_forfeit(fault, start, file, referee):
    code, reason, message = FAULTS[fault]
    bot = f"class Bot:\n    def choose(self, position):\n        {code}\n"
    clock = "500ms" if reason == "timeout" else "20s"
    found = the_fault(referee(start, ["greedy", file(bot)], clock=clock))
    assert found.reason == reason
    assert message in found.message
    assert len(found.message) < 5000
    assert len(found.log) < 10_000


STARTS = {
    "syntax error": ("def choose(position)\n", "SyntaxError"),
    "module": ("import no_such_module\n", "'no_such_module'"),
    "nothing": ("x = 1\n", "has no player"),
    "constructor": ("class A:\n    def __init__(self): 1/0\n    choose = None\n", "ZeroDivision"),
    "exit": ("import os; os._exit(4)\n", "exited with code 4"),
    "hang": ("while True: pass\n", " 2"),
    "machine code": (
        "import ctypes\n"
        "class A:\n"
        "    def prepare(self, position): self.read()\n"
        "    def read(self): ctypes.string_at(0)\n"
        "    def choose(self, position): pass\n",
        "SIGSEGV in read (",
    ),
    "its own function writes beyond its array": (
        "from ludograph import rules, search\n"
        "def value(setup, state, out):\n"
        "    rules.scores(setup, state, out)\n"
        "    out[2] += 1.0\n"
        "class A:\n"
        "    def prepare(self, position):\n"
        "        self.search = search.AlphaBetaSearch(position, evaluate=value)\n"
        "    def choose(self, position): pass\n",
        "line 4, in value: out ",
    ),
}


@pytest.mark.parametrize("fault", STARTS)
def test_what_cannot_start(fault, start, file, referee, monkeypatch):
    code, message = STARTS[fault]
    if fault == "hang":
        monkeypatch.setattr(foreign_player, "START_SECONDS", 2.0)
    found = the_fault(referee(start, ["greedy", file(code)]))
    assert (found.reason, found.ply) == ("no-start", 0)
    assert message in found.message


def test_a_flood_of_output_is_harmless(start, file, referee):
    code = (
        "import sys, threading\n"
        "threading.Thread(target=lambda: [print('y' * 999) for _ in iter(int, 1)]).start()\n"
        "def choose(position):\n"
        "    for _ in range(500): sys.stdout.write('x' * 100_000)\n"
        "    return 'pass'\n"
    )
    result = referee(start, [file(code), "random"], clock="20s")
    assert result.faults == []


@pytest.mark.slow
def test_thinking_on_the_opponents_time_is_impossible(start, file, referee):
    code = (
        "import threading, time\n"
        "times = []\n"
        "def think():\n"
        "    while True:\n"
        "        times.append(time.monotonic()); time.sleep(0.001)\n"
        "threading.Thread(target=think, daemon=True).start()\n"
        "turns = []\n"
        "def choose(position):\n"
        "    turns.append(len(times) - 1)\n"
        "    if len(turns) == 3:\n"
        "        times.append(time.monotonic())\n"
        "        since = times[turns[1]:]\n"
        "        paused = max(after - before for before, after in zip(since, since[1:]))\n"
        "        raise SystemExit(f'paused {paused}')\n"
        "    return position.legal_moves()[0]\n"
    )

    def slow(position):
        import time

        time.sleep(0.4)
        return position.legal_moves()[0]

    found = the_fault(referee(start, [slow, file(code)]))
    assert float(re.search(r"paused ([0-9.]+)", found.message)[1]) > 0.35  # of 0.4


ANSWERS = {
    "1.5": "protocol",
    "float('nan')": "protocol",
    "1e9": "protocol",
    "True": "protocol",
    "None": "protocol",
    "-1": "protocol",
    "2**31": "protocol",
    "10**5000": "protocol",
    "[1] * 10**6": "protocol",
    "b'red'": "protocol",
    "np.float64(1)": "protocol",
    "np.array([1, 2])": "protocol",
    "np.bool_(True)": "protocol",
    "type('A', (), {'__repr__': 1})()": "protocol",
    "type('A', (), {'__index__': lambda s: 1 // 0})()": "protocol",
    "'nonsense'": "protocol",
    "''": "protocol",
    "'\\ud800' * 10**6": "protocol",
    "'red'": 1,
    "' RED '": 1,
    "1": 1,
    "np.int8(1)": 1,
    "np.uint64(1)": 1,
    "np.array(1)": 1,
}


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """Return a runner in this process, whose player answers what is told by ``expression``."""
    path = tmp_path_factory.mktemp("answers") / "bot.py"
    path.write_text(
        "import numpy as np\nclass Bot:\n    def start(self, position, seat): pass\n"
        "    def play(self, moves, time_left): return eval(self.expression)\n"
        "    def finish(self, outcome): pass\n"
    )
    position = flood.position(boards.square(8), colors=6, seed=3)
    made = PythonRunner()
    made.start(
        {
            "game": "flood",
            "board": boards.to_data(position.board),
            "setup": flood.describe(position),
            "path": str(path),
            "entry": "",
            "options": {},
            "seat": 0,
            "seed": 1,
        }
    )
    return made


@pytest.mark.parametrize("expression", ANSWERS)
def test_answers(expression, runner):
    runner.player.expression = expression
    answer = runner.play(([], [None, None, 0.0]))
    expected = ANSWERS[expression]
    if isinstance(expected, int):
        assert answer.move == expected
    else:
        assert answer.fault == expected
        assert answer.text
        assert len(answer.text) < 500


@pytest.mark.parametrize("expression", ANSWERS)
def test_the_same_answers_in_process(expression, start, referee):
    import numpy as np

    def choose(position):
        return eval(expression, {"np": np})

    result = referee(start, ["greedy", choose])
    expected = ANSWERS[expression]
    if isinstance(expected, int):
        assert result.moves[1].move == expected or result.reason == "illegal-move"
    else:
        assert the_fault(result).reason == expected


class Text(str):
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        raise ZeroDivisionError

    def __getitem__(self, key):
        raise ZeroDivisionError


class Whole(int):
    def __int__(self):
        raise ZeroDivisionError

    def bit_length(self):
        raise ZeroDivisionError


@pytest.mark.parametrize("answer", [Text("red"), Text("nonsense"), Whole(1), Whole(2**40)])
def test_the_referee_calls_no_methods_of_an_answer(answer, start, referee):
    """Otherwise their exceptions would end the match without a result."""

    def choose(position):
        return answer

    fault = the_fault(referee(start, ["greedy", choose]))
    assert fault.reason in ("illegal-move", "protocol", "crash")
