"""The commands of two scripted programs, with a switch per fault."""

import shlex
import sys
from pathlib import Path

HERE = Path(__file__).parent
PYTHON = shlex.quote(sys.executable)


def _command(protocol, file, switches):
    return f"{protocol}: {PYTHON} {shlex.quote(str(HERE / file))} {' '.join(map(str, switches))}"


def fake_program(*switches):
    return _command("cmd", "fake_program.py", switches)


def fake_htp(*switches):
    return _command("htp", "fake_htp.py", switches)
