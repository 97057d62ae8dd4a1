"""The conversation that the page on programs shows is the one that takes place."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from ludograph import boards, flood, play_match
from tests.cli.test_documentation import blocks, check, with_program

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "programs.md"

SCRIPTED = """
import json, sys
answers = iter(json.loads(sys.argv[1]))
with open(sys.argv[2], "w") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        print(next(answers, ""), flush=True)
"""


def conversation():
    """Return what the page says that a program is told, and what it answers."""
    block = re.search(r"^```text\n(→.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)[1]
    lines = re.sub(r"\n +", "", block).splitlines()
    assert {line[:2] for line in lines} == {"→ ", "← "}
    return ([line[2:] for line in lines if line[0] == sign] for sign in "→←")


def first(position):
    return min(position.legal_moves(), key=position.text)


def test_the_conversation_is_as_shown(tmp_path):
    told, answers = conversation()
    (tmp_path / "scripted.py").write_text(SCRIPTED)
    parts = ["scripted.py", json.dumps(answers), tmp_path / "log.txt"]
    command = shlex.join([sys.executable, *(str(tmp_path / parts[0]), *map(str, parts[1:]))])
    start = flood.position(boards.square(3, 2), colors=3, seed=31)
    result = play_match(start, [f"cmd: {command}", first], clock="10s", seed=1, isolation="none")
    assert result.faults == []
    assert (tmp_path / "log.txt").read_text().splitlines() == told
    assert "“my engine”" in result.names[0]


@pytest.mark.parametrize("block", blocks("programs.md"), ids=lambda block: block[:30])
def test_the_commands_do_what_is_shown(block, tmp_path):
    check(with_program(tmp_path), block)
