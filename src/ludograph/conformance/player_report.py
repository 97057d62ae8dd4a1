"""The report on a player's faults: the fault, its place, a command that plays the game again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from ludograph.conformance.player_checks import CLOCK, Examination, PlayerTrial, Problem
from ludograph.formatting import counted
from ludograph.games import AnyGame
from ludograph.hosting.compiler import loaded_once
from ludograph.hosting.player_kernels import rehearsals
from ludograph.players.c_sources import sources_of
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PlayerSpec

TITLES = {
    "no-start": "It does not start",
    "crash": "It crashes",
    "illegal-move": "It plays a move that is not legal",
    "protocol": "Its answer is not a move",
    "timeout": "It does not answer in time",
    "memory": "It takes too much memory",
    "resign": "It resigns",
}

LOOK = {
    "no-start": "what is run before the first move: loading, and the function that begins a game",
    "crash": "the place named above",
    "illegal-move": "the rule that the message names; if the player keeps that rule, how its own "
    "board follows the moves of all seats",
    "protocol": "what the function that chooses a move returns when it finds none",
    "timeout": "loops that may not end on this board, and searches that do not look at the clock",
    "memory": "what it allocates for every move and keeps",
    "resign": "why it thinks that it has lost",
}

SIGNS = {
    "calls deep": "a recursion that does not end",
    "SIGSEGV": "a null or wild pointer, or an index out of range",
    "SIGBUS": "a wild pointer, or a file that has become shorter",
    "SIGFPE": "a division of integers by zero, most often",
    "SIGABRT": "the player stopped itself, as a failed assert does",
}
"""The causes of crashes, by a word of their messages."""

NOTICED_LATER = re.compile(
    r"\b(free|malloc|realloc|calloc|munmap_chunk|malloc_consolidate)\(\): |"
    r"\b(corrupted|double free|stack smashing detected|_int_(free|malloc)|malloc_printerr)\b"
)
"""Messages of the C library on damaged memory, and on a crash in it."""

WHERE_KIND = {
    "games": "",
    "itself": " against itself",
    "ends-early": " when the opponent gives up",
    "drop-out": " when one of three players drops out",
    "tiny-clock": " with 0.1 s for a move",
}


class ReportedProblem(NamedTuple):
    """A problem as it is reported.

    Attributes
    ----------
    look
        Advice on its cause.
    games, shared
        The number of trials with it, and the traits that all of them have; none for what no trial
        has shown.
    again
        The command that shows it again.
    """

    what: str
    reason: str
    message: str
    look: str
    games: int
    shared: dict[str, str]
    seat: int | None
    ply: int | None
    options: dict[str, str]
    again: str


def findings(examined: Examination, player: str) -> list[ReportedProblem]:
    """Return the problems, the most frequent first."""
    found = sorted(examined.problems.values(), key=lambda problem: -problem.games)
    return [
        ReportedProblem(
            TITLES[(seen := problem.smallest).reason]
            + (" at the end of the game" if seen.at_end else "")
            + WHERE_KIND[seen.trial.kind],
            seen.reason,
            seen.message,
            look_at(examined, problem, player),
            problem.games,
            problem.shared,
            seen.trial.seat,
            seen.ply,
            dict(seen.trial.case.options),
            again(player, examined.opponent, seen.trial),
        )
        for problem in found
    ]


def unloadable(
    player: str, spec: PlayerSpec, game: AnyGame, isolation: Isolation | None
) -> list[ReportedProblem]:
    """Return the problem of a C player that needs a missing function; empty if it needs none."""
    trouble = loaded_once(spec, game, isolation)
    if not trouble:
        return []
    look = "the name of the function, and the sources and libraries that it is linked of"
    command = f"ludograph player check {shell_word(player)} {game.name}"
    what = "It cannot be loaded as a whole"
    return [ReportedProblem(what, "no-start", trouble, look, 0, {}, None, None, {}, command)]


def look_at(examined: Examination, problem: Problem, player: str) -> str:
    """Return advice on the cause: an option, if the problem depends on one.

    If memory was damaged earlier, the cause is that place, not the place where the damage was
    noticed.
    """
    seen = problem.smallest
    if seen.reason == "crash" and NOTICED_LATER.search(f"{seen.message}\n{seen.log}"):
        sources = shell_word(player) if sources_of(player) else "SOURCES.c"
        command = f"{debug_command(sources, examined.opponent, seen.trial)} --asan"
        return (
            f"its memory first: '{command}' names the line that damaged it; the place above is "
            "where the damage was noticed, not where it was done"
        )
    name = examined.option_of(problem)
    if name is None or seen.reason not in ("illegal-move", "protocol"):
        causes = (f"; {sign}: {SIGNS[sign]}" for sign in SIGNS if sign in seen.message)
        return LOOK[seen.reason] + (next(causes, "") if seen.reason == "crash" else "")
    declared = seen.trial.case.game.declaration.options
    summary = next(option.summary for option in declared if option.name == name)
    return f"how it reads and keeps --{name} ({summary.partition(';')[0]})"


def again(player: str, opponent: str, trial: PlayerTrial) -> str:
    """Return the command that plays a trial again."""
    name, case, seed = trial.case.game.name, trial.case, f"--seed {trial.seed}"
    from_sources = bool(sources_of(player))
    own = shell_word(player)
    if trial.kind not in ("games", "itself") or (from_sources and trial.kind == "itself"):
        return f"ludograph player check {own} {name} --only {trial.kind} {seed}"
    if from_sources:
        return debug_command(own, opponent, trial)
    words = f" {case.words}" if case.words else ""
    seated = [own if trial.kind == "itself" else opponent] * case.seats
    seated[trial.seat] = own
    return f"ludograph {name}{words} {seed} --starter 0 --clock {CLOCK} {' '.join(seated)}"


def debug_command(own: str, opponent: str, trial: PlayerTrial) -> str:
    """Return the command that plays a trial's start with one player in the program's process."""
    case = trial.case
    words = f" {case.words}" if case.words else ""
    others = "".join(f" --against {opponent}" for _ in range(case.seats - 1))
    start = f"{case.game.name}{words} --seed {trial.seed} --seat {trial.seat}"
    return f"ludograph player debug {own} {start}{others}"


def shell_word(player: str) -> str:
    """Return a player as words of a shell; several sources stay several words."""
    several = sources_of(player) and not Path(player).is_file()
    return player if several else shlex.quote(player)


def notes_on(examined: Examination, player: str) -> list[str]:
    """Return remarks that are not faults."""
    notes = []
    compiled = [one for one in rehearsals(examined.spec) if one.kernels]
    if compiled:
        kernels = counted(sum(one.kernels for one in compiled), "kernel")
        seconds = sum(one.seconds for one in compiled)
        notes.append(f"it brings {kernels}, compiled in {seconds:.2g} s before any clock ran")
    if examined.late is not None:
        command = again(player, examined.opponent, examined.late.trial)
        notes.append(f"with 0.1 s for a move it loses on time; again: {command}")
    seconds, trial = examined.slowest
    if trial is not None and seconds > 0.5:
        board = trial.case.words or "the usual start"
        notes.append(f"its slowest move took {seconds:.2g} s, with {board}")
    return notes


def cut_short(examined: Examination, trials: int, games: int | None) -> str | None:
    """Return the option that has ended the check before all trials were played; None if none."""
    played = len(examined.played)
    if played >= trials or examined.hopeless:
        return None
    return "games" if games is not None and played >= games else "time"
