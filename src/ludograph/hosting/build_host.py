"""The host of a build: a compiler, a check of syntax, or the trial load of a library."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from ludograph.errors import InvalidInput
from ludograph.hosting.channel import Answer
from ludograph.hosting.host import Runner
from ludograph.hosting.library_host import Loader

SAID_BYTES = 1 << 16
MADE_BYTES = 16 << 20

NICENESS = 5
"""The priority of a build: games that run at the same time come first."""

SYNTAX = "python-syntax"


class BuildRunner(Runner):
    """One program that makes a file, and the trial load of a library afterwards."""

    def __init__(self) -> None:
        self.loader: Loader | None = None
        self.made = ""
        self.code = 0

    def prepare(self, needed: str) -> None:
        """Load the libraries of a trial load, if there is one: none of them may be readable later.

        If this machine lacks a library that C players need, a game says so, not the trial.
        """
        if needed:
            with suppress(InvalidInput):
                self.loader = Loader(json.loads(needed))

    def start(self, order: dict[str, Any]) -> Answer:
        """Run the program; the answer has its file, if it made a whole one, and its words."""
        os.nice(NICENESS)
        os.chdir(order["folder"])
        writable = order["workspace"]  # strict isolation has its own writable memory instead
        scratch = tempfile.mkdtemp(dir=writable if os.path.isdir(writable) else "/tmp")
        self.made = os.path.join(scratch, "made")
        with tempfile.TemporaryFile(dir=scratch) as output:
            self.code = self.run(order["command"], output, scratch)
            output.seek(0)
            said, made = output.read(SAID_BYTES), b""
        with suppress(FileNotFoundError), open(self.made, "rb") as file:
            made = file.read(MADE_BYTES + 1)
        if len(made) > MADE_BYTES:
            said += f"what it has made has more than {MADE_BYTES >> 20} MiB".encode()
        elif made and self.code == 0:
            return Answer(started=True, kernels={"said": said, "made": made})
        return Answer(started=True, kernels={"said": said or f"exit code {self.code}".encode()})

    def run(self, command: Sequence[str], output: BinaryIO, scratch: str) -> int:
        """Run a program; return its exit code."""
        if not command:
            return 0
        if command[0] == SYNTAX:
            return check_syntax(command[1], output, self.made)
        return subprocess.call(
            [word.replace("{}", self.made) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, "TMPDIR": scratch, "HOME": scratch, "LC_ALL": "C"},
        )

    def play(self, question: str) -> Answer:
        """Load a library at once; an exception is the loader's words on why that fails."""
        if self.loader is not None and self.code == 0:
            path = question.replace("{}", self.made)
            try:
                self.loader.load_at_once(path)
            except InvalidInput as error:
                return Answer(text=str(error).replace(f"{os.path.abspath(path)}: ", ""))
        return Answer()


def check_syntax(name: str, output: BinaryIO, made: str) -> int:
    """Compile a Python file without running it; return 0, or write the error and return 1."""
    warnings.simplefilter("ignore")
    try:
        compile(Path(name).read_bytes(), name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = f"{name}:{error.lineno}" if isinstance(error, SyntaxError) else name
        what = error.msg if isinstance(error, SyntaxError) else error
        told = "".join(traceback.format_exception_only(error)[:-1])  # the line, and the place in it
        text = f"{place}: {type(error).__name__}: {what}\n{told}"
        os.write(output.fileno(), text.encode("utf-8", "replace"))
        return 1
    Path(made).write_bytes(b"1")
    return 0
