"""A C player's memory, checked by the tools that there are: 'ludograph debug' in a process."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.conformance.player_cases import Case

LOOKS = {
    "asan": "the line that is named: an index, a pointer, a use of what was freed",
    "valgrind": "what is read before it is set, and what finalize does not free",
}

TOLD = (
    "ERROR: ",
    ": runtime error: ",
    "Invalid ",
    "uninitialised",
    "definitely lost",
    "blocks are",
)
"""Parts of the lines in which tools say what they have found."""


def memory_faults(
    player: str, case: Case, seed: int, seconds: float
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return what the tools find in games from both seats, and what could not be tried.

    Parameters
    ----------
    player
        A library, or its source.
    seconds
        For all of them.
    """
    found: list[dict[str, Any]] = []
    notes: list[str] = []
    end = time.monotonic() + seconds
    for tool, target in (("asan", source_of(player)), ("valgrind", player)):
        if target is None:
            notes.append(f"AddressSanitizer needs the source: give {Path(player).stem}.c")
            continue
        for seat in range(min(case.seats, 2)):
            left = end - time.monotonic()
            if left <= 0:
                break
            problem, note = tried(tool, target, case, seat, seed, left)
            if problem is not None:
                found.append(problem)
            if note:
                notes.append(note)
            if problem is not None or note:
                break
    return found, notes


def source_of(player: str) -> str | None:
    """Return the source of a library: itself, or the one beside it."""
    beside = Path(player).with_suffix(".c")
    return str(beside) if beside.is_file() else None


def tried(
    tool: str, target: str, case: Case, seat: int, seed: int, seconds: float
) -> tuple[dict[str, Any] | None, str]:
    """Return what a tool has found in one game, or a note if it could not look."""
    words = ["debug", target, case.game.name, *shlex.split(case.words), "--seed", str(seed)]
    words += ["--seat", str(seat)]
    for _ in range(case.seats - 1):
        words += ["--against", "random"]
    words += ["-q", f"--{tool}"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "ludograph", *words],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except subprocess.TimeoutExpired:
        return None, f"{tool} was not through within {seconds:.0f} s: give --time more"
    if done.returncode == 0:
        return None, ""
    if done.returncode != 1:
        return None, f"{tool}: {done.stderr.strip().rpartition(': ')[2][-300:]}"
    said = first_told(done.stderr)
    if not said:
        return None, ""  # another fault, which the games tell
    return {
        "what": f"Its memory: {tool} has found something",
        "reason": "memory-error",
        "message": said,
        "look": LOOKS[tool],
        "games": 0,
        "shared": {},
        "seat": seat,
        "ply": None,
        "options": dict(case.options),
        "again": shlex.join(["ludograph", *words]),
    }, ""


def first_told(text: str) -> str:
    """Return the first line that says what was found, with the next place in the player's code."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if any(part in line for part in TOLD):
            place = next(
                (each for each in lines[number : number + 9] if ".c:" in each.partition("(")[2]), ""
            )
            return " ".join((bare(line), bare(place))).strip() if place != line else bare(line)
    return ""


def bare(line: str) -> str:
    """Return a line without the process's number before it."""
    return line.rpartition("==")[2].strip() if line.startswith("==") else line.strip()
