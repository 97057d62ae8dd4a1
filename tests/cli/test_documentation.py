"""What the pages show of the command line is what the program writes."""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import invoke

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def blocks(page):
    return blocks_of((DOCS / page).read_text())


def blocks_of(text):
    return re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


PAGES = (
    "command-line.md",
    "playing.md",
    "python.md",
    "why.md",
    "guarantees.md",
    "writing-a-player.md",
)
SLOW = ("$ ludograph solve", "$ ludograph hex --size 5 --seed 3 --record thought.jsonl")
BLOCKS = [
    pytest.param(block, marks=pytest.mark.slow if block.startswith(SLOW) else ())
    for page in PAGES
    for block in blocks(page)
]

CHANGING = (
    (r" and [\d.e-]+ s more, for which it had to wait for a processor", ""),
    (r'("(?:mean_)?time": )[\d.e-]+', r"\1TIME"),
    (r"[\d.e+]+ a second on \d+ (thread|core)s?", "SPEED"),
    (r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", "WHEN"),
    (r" +[\d.]+ (s|ms|µs)\b", " TIME"),
    (r"\b[0-9a-f]{8}\b", "VERSION"),
    (r"(?s)seconds that a move took.*?\n\n", "seconds that a move took\n\n"),
    (r"; it was in [^;.]* \([^)]*\)", ""),
    (r"(?m)^Segmentation fault.*\n", ""),
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
    return with_program(tmp_path_factory.mktemp("shown"))


def with_program(folder):
    """Put the program into a folder and return that."""
    program = folder / "bin" / "ludograph"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m ludograph "$@"\n')
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][2:40])
def test_the_page_shows_what_happens(folder, block):
    check(folder, block)


@pytest.mark.slow
@pytest.mark.skipif(
    None in map(shutil.which, ("gcc", "make", "addr2line")),
    reason="unavoidable: no C compiler, or no binutils",
)
def test_the_page_on_crashes_shows_what_happens(tmp_path):
    """One story, in which each block goes on where the last one ended."""
    folder = with_program(tmp_path)
    for block in blocks("my-player-crashes.md"):
        check(folder, block)


@pytest.mark.slow
def test_the_page_on_series_and_tournaments_shows_what_happens(tmp_path):
    """One story, in one folder."""
    folder = with_program(tmp_path)
    text = (DOCS / "tournaments.md").read_text()
    for name, content in re.findall(r'^```\w+ title="(.*?)"\n(.*?)^```$', text, re.DOTALL | re.M):
        (folder / name).write_text(content)
    for block in blocks_of(text):
        check(folder, block)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
def test_the_page_on_ladders_shows_what_happens(tmp_path):
    """One story, from nothing to a grade sheet; chance is another one each time."""
    folder = with_program(tmp_path)
    text = (DOCS / "ladder.md").read_text()
    for name, content in re.findall(r'^```\w+ title="(.*?)"\n(.*?)^```$', text, re.DOTALL | re.M):
        (folder / name).write_text(content)
    for block in blocks_of(text):
        check(folder, block, same=shape)


def shape(text):
    """Return the lines of a text, each once, without what chance decides: numbers, who won."""
    text = re.sub(r"-?\b\d+\b", "N", steady(text))
    text = re.sub(r"(?m)^Rank N may be chance.*$", "", text)
    text = re.sub(r"\bN (draw|game|forfeit)s\b", r"N \1", text)
    text = re.sub(r"\b(below|above) N|\bopen\b", "N to N", text)
    players = r"\b(greedy:random=N\.N|mcts:sims=N|greedy|valid|random|\w+\.(py|c)\b)"
    text = re.sub(players, "PLAYER", text)
    text = re.sub(r"(PLAYER( “bela”)? \(seat N\) wins|A draw between).*", "RESULT", text)
    return {re.sub(r"\s+", " ", line).strip() for line in text.splitlines()}


PATHS = re.findall(r"^## (I .*)$", (DOCS / "first-hour.md").read_text(), re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("person", PATHS)
def test_everybody_gets_there_in_the_first_hour(tmp_path, person):
    """Who follows a path from nothing sees what the page shows."""
    folder = with_program(tmp_path)
    text = (DOCS / "first-hour.md").read_text().partition(f"## {person}\n")[2]
    own = blocks_of(text.partition("\n## ")[0])
    assert own
    for block in own:
        check(folder, block)


def written_by(command, folder, environment):
    """Return what a command writes: in this process, or in a shell if it needs one."""
    if re.search(r"^ludograph [^|><;&$*]*$", command):
        with contextlib.chdir(folder):
            return invoke(*shlex.split(command)[1:]).output
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
        check=False,
    ).stdout


def check(folder, block, same=steady):
    """Run the commands of a block, a shell's in a shell, and compare what they write."""
    if shutil.which("gcc") is None and "$ make" in block:
        pytest.skip("no C compiler")
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    environment["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
    for command, shown in zip(parts[::2], parts[1::2], strict=True):
        written = written_by(command, folder, environment)
        while "the machine is too busy" in written:  # then a game has no result
            written = written_by(command, folder, environment)
        assert same(re.sub(r"(?m)^preparing .*\n", "", written)) == same(shown)
