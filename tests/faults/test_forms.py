"""One misbehaving player in three forms: the same faults have the same verdicts.

Each game is refereed; that its record tells the same, and that no process is left, is checked by
the fixtures ``referee`` and ``_nothing_left``.
"""

from pathlib import Path

import pytest

from ludograph import boards, flood, hex
from tests.amounts import slow_but
from tests.hosting.fixtures import the_fault

HERE = Path(__file__).parent
FORMS = ("c", "python", "shell")
AT = 2
"""The player's own move at which the fault occurs."""

VERDICTS = {
    "crash-segv": "crash",
    "crash-abort": "crash",
    "exit": "crash",
    "hang": "timeout",
    "sleep": "timeout",
    "fork-hang": "timeout",
    "sigterm-ignore": "timeout",
    "unflushed": "timeout",
    "illegal": "illegal-move",
    "negative": "protocol",
    "out-of-range": "protocol",
    "empty": "protocol",
    "no-move": "protocol",
    "garbage": "protocol",
    "not-utf-8": "protocol",
    "two-answers": "protocol",
    "endless": "protocol",
}
HARMLESS = ("noise", "noise-stderr", "write-board", "closes-fds")

NOT_IN = {
    "c": {"unflushed", "empty", "no-move", "garbage", "not-utf-8", "two-answers", "endless"},
    "python": {"unflushed", "not-utf-8", "write-board", "closes-fds"},
    "shell": {"out-of-range", "noise", "write-board", "closes-fds"},
}
"""What a form has no way to do, or does as its way to answer: a shell script's output."""

NOTICED_LATER = {("two-answers", "shell")}
"""What can be seen only when the player is asked again."""

MESSAGES = {
    "crash-segv": "killed by SIGSEGV",
    "crash-abort": "killed by SIGABRT",
    "exit": "exited with code 3",
    "hang": " 0.4 s",
    "sleep": " 0.4 s",
    "fork-hang": " 0.4 s",
    "sigterm-ignore": " 0.4 s",
    "unflushed": " 0.4 s",
    "illegal": "",
    "out-of-range": "",
    "negative": "-7",
    "empty": "answered",
    "no-move": "answered",
    "garbage": "",
    "not-utf-8": "xff",
    "two-answers": "asked",
    "endless": "65536",
}


def cases(faults):
    return [(fault, form) for fault in faults for form in FORMS if fault not in NOT_IN[form]]


@pytest.fixture
def against(library, referee, file):
    """Return a function that plays against the player in a form, with a fault."""

    def play(form, fault, clock):
        if form == "c":
            player = library("misbehave", fault=fault, fault_at=AT)
        elif form == "python":
            switches = f"FAULT, AT = {fault!r}, {AT}\n"
            player = file((HERE / "misbehave.py").read_text() + switches)
        else:
            player = f"htp: sh {HERE / 'misbehave.sh'} {fault} {AT}"
        small = flood.position(boards.square(8), colors=6, seed=3)
        start = hex.position(5) if form == "shell" else small
        return referee(start, [first_or_greedy(form), player], clock=clock)

    return play


def first_or_greedy(form):
    """Return an opponent that is soon done, and under no clock's threat."""
    return "random" if form == "shell" else "greedy"


@pytest.mark.parametrize(("fault", "form"), slow_but(cases(VERDICTS)[::3], cases(VERDICTS)))
def test_a_fault_is_a_forfeit(fault, form, against):
    clock = "400ms" if VERDICTS[fault] == "timeout" else "20s"
    found = the_fault(against(form, fault, clock))
    later = 2 if (fault, form) in NOTICED_LATER else 0
    assert (found.reason, found.ply) == (VERDICTS[fault], 2 * AT - 1 + later)
    assert MESSAGES[fault] in found.message
    assert len(found.message) < 5000
    if found.reason in ("crash", "timeout"):
        assert f"misbehave: {fault}" in found.log
    if fault == "illegal":
        assert found.answer


@pytest.mark.parametrize(("fault", "form"), cases(HARMLESS))
def test_harmless(fault, form, against):
    result = against(form, fault, "20s")
    assert (result.reason, result.faults) == ("finished", [])
    assert all(len(log) < 20_000 for log in result.logs.values())
