"""What the pages on the program show in consoles is what it writes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
TEXT = "\n".join((DOCS / name).read_text() for name in ("command-line.md", "playing.md", "why.md"))
BLOCKS = re.findall(r"^```console\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)

CHANGING = (
    (r'("(?:mean_)?time": )[\d.e-]+', r"\1TIME"),
    (r" +[\d.]+ (s|ms|µs)\b", " TIME"),
    (r"(?m) +time$", " time"),
    (r"(?m)^Best line: .*", "Best line"),
    (r"(?m), for instance .*", ""),
    (r"(?m)^\(\d+ positions .*", "(positions)"),
)
"""Times differ; searches may find other lines that are as good."""


def steady(text):
    for pattern, instead in CHANGING:
        text = re.sub(pattern, instead, text)
    return text


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shown")
    program = folder / "bin" / "ludograph"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m ludograph "$@"\n')
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][2:40])
def test_the_page_shows_what_happens(folder, block):
    if shutil.which("gcc") is None and "$ make" in block:
        pytest.skip("no C compiler")
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    environment["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
    for command, shown in zip(parts[::2], parts[1::2], strict=True):
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=100,
            check=False,
        )
        written = re.sub(r"(?m)^compiling .*\n", "", done.stdout)
        assert steady(written) == steady(shown)
