"""Memory errors of a C player, found by AddressSanitizer and valgrind in separate games."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Collection
from itertools import takewhile
from pathlib import Path
from typing import Any

from ludograph.conformance.player_cases import Case
from ludograph.conformance.player_checks import PlayerTrial
from ludograph.conformance.player_report import ReportedProblem, debug_command, shell_word
from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import one_line
from ludograph.hosting.debug_tools import ToolPlayer, own_player, tool_for
from ludograph.players.c_sources import sources_of
from ludograph.players.forfeit import Reason
from ludograph.players.spec import PlayerSpec
from ludograph.referee import play_match
from ludograph.referee.seed import Seed, player_seed

LOOKS = {
    "asan": "the line that is named: an index, a pointer, a use of what was freed",
    "valgrind": "what is read before it is set, and what finalize does not free",
}

FINDINGS = (
    "ERROR: ",
    ": runtime error: ",
    "Invalid ",
    "uninitialised",
    "definitely lost",
    "blocks are",
)
"""Parts of the lines with findings of the tools."""

LOSSES = ("definitely lost", "blocks are")
"""The parts about memory that was never freed."""

DIES = "Process terminating with "
"""valgrind's message for a killed process; the lines after it list the memory still in use."""

NAMED = re.compile(r"([^/\s()]+\.(?:[ch]|so)(?=[:)\s]|$))")
"""The pattern of names of sources and libraries in a line of a tool."""


def memory_faults(
    spec: PlayerSpec, player: str, case: Case, seed: int, seconds: float
) -> tuple[list[ReportedProblem], list[str]]:
    """Return the tools' findings in games from both seats, and notes on missing tools.

    Parameters
    ----------
    player
        Its name as it was given: a library, or its sources.
    seconds
        The time limit for all games.
    """
    found: list[ReportedProblem] = []
    notes: list[str] = []
    end = time.monotonic() + seconds
    tools = (("asan", source_of(player)), ("valgrind", player))
    for number, (tool, target) in enumerate(tools, start=1):
        if target is None:
            notes.append(
                "AddressSanitizer needs the sources: give the player's .c files, all of them, in "
                "place of the library"
            )
            continue
        until = end - (end - time.monotonic()) * (1 - number / len(tools))
        for seat in range(min(case.seats, 2)):
            left = until - time.monotonic()
            if left <= 0:
                notes.append(f"{tool} has not checked seat {seat}: increase --time")
                break
            try:
                said = finding(tool, spec, target, case, seat, seed, left)
            except ToolFailure as error:
                notes.append(f"{tool} {error}")
                break
            if said:
                found.append(problem(tool, target, case, seat, seed, said))
                break
    return found, notes


def source_of(player: str) -> str | None:
    """Return the sources of a player: the given ones, or the one beside a library."""
    if sources_of(player):
        return player
    beside = Path(player).with_suffix(".c")
    return str(beside) if beside.is_file() else None


class ToolFailure(Exception):
    """A tool could not check a game, for the reason that its name begins."""


def finding(
    tool: str, spec: PlayerSpec, target: str, case: Case, seat: int, seed: int, seconds: float
) -> str:
    """Return a tool's first finding in a game against random players; empty if there is none.

    Raises
    ------
    ToolFailure
        If the tool is missing, takes too long, or the game ends with the player, without a finding.
    """
    with tempfile.TemporaryDirectory(prefix="ludograph-check-") as name:
        folder = Path(name)
        try:
            if tool == "asan":
                spec = own_player(target, case.game, folder, tool, quiet=True)
            program = tool_for(tool, spec, folder)
        except InvalidInput as error:
            raise ToolFailure(f"cannot check it: {str(error)[-300:]}") from None
        own = ToolPlayer(spec, player_seed(Seed(seed), seat), program, seconds)
        seated: list[Any] = ["random"] * case.seats
        seated[seat] = own
        try:
            result = play_match(case.position(seed), seated, seed=seed)
        except HostFailure as error:
            raise ToolFailure(f"cannot check it: {one_line(str(error), 300)}") from None
        finally:
            own.kill()
        if any(fault.reason is Reason.TIMEOUT for fault in (*result.faults, *result.finish_faults)):
            raise ToolFailure(f"did not finish within {seconds:.0f} s: increase --time")
        said = first_finding(own.report(), own_files(target))
        ended = next((fault for fault in result.faults if fault.seat == seat), None)
        if ended is not None and ended.reason is not Reason.ILLEGAL_MOVE and not said:
            raise ToolFailure(f"has not checked a whole game: {ended.message}")
        return said


def problem(tool: str, target: str, case: Case, seat: int, seed: int, said: str) -> ReportedProblem:
    """Return a tool's finding as it is reported."""
    trial = PlayerTrial("games", case, seat, seed)
    return ReportedProblem(
        f"{tool} has found an error in its use of memory",
        "memory-error",
        said,
        LOOKS[tool],
        games=0,
        shared={},
        seat=seat,
        ply=None,
        options=dict(case.options),
        again=f"{debug_command(shell_word(target), 'random', trial)} -q --{tool}",
    )


def own_files(player: str) -> set[str]:
    """Return the names of a player's files: those given, and sources in their folders."""
    given = [Path(each) for each in sources_of(player) or [player]]
    folders = {path.resolve().parent for path in given}
    beside = {each.name for folder in folders for each in folder.glob("*.[ch]")}
    return beside | {f"{path.stem}.so" for path in given} | {path.name for path in given}


def first_finding(text: str, own: Collection[str] = ()) -> str:
    """Return the first line with a finding, with the next place in the player's code.

    A memory leak is reported with the place of its allocation; leaks of a process that died are
    ignored, because it freed nothing.

    Parameters
    ----------
    own
        Names of the player's files; any C source if there are none.
    """
    before, dies, _ = text.partition(DIES)
    lines = (before if dies else text).splitlines()
    handed = ""
    for number, line in enumerate(lines):
        if not any(part in line for part in FINDINGS):
            continue
        block = list(takewhile(lambda each: bare(each) != "", lines[number : number + 12]))
        place = next((each for each in block if is_place(each, own)), "")
        is_loss = any(part in line for part in LOSSES)
        if is_loss and dies:
            continue
        if is_loss and not place:
            handed = handed or f"{bare(line)}: it was handed to the player, which must free it"
            continue
        return " ".join((bare(line), bare(place))).strip() if place != line else bare(line)
    return handed


def is_place(line: str, own: Collection[str]) -> bool:
    """Tell whether a line of a tool names a place in the player's code."""
    if not own:
        return ".c:" in line.partition("(")[2]
    named = NAMED.findall(line)
    return any(name in own for name in named)


def bare(line: str) -> str:
    """Return a line without the process's number before it."""
    return line.rpartition("==")[2].strip() if line.startswith("==") else line.strip()
