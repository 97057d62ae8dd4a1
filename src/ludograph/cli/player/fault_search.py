"""The search for a player's faults: trial games on all boards of a game, and the report."""

from __future__ import annotations

import re
import shlex
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from ludograph.cli.progress import progress, waiting
from ludograph.cli.texts import amount, safe
from ludograph.conformance.memory_checks import memory_faults
from ludograph.conformance.player_cases import cases
from ludograph.conformance.player_checks import (
    CLOCK,
    Examination,
    Problem,
    Trial,
    further_trials,
    trials,
    usual,
)
from ludograph.errors import InvalidInput, LudographError
from ludograph.games import AnyGame
from ludograph.games.registry import declaration, names
from ludograph.players.c_sources import compile_player, sources_of
from ludograph.players.factory import IN_PROCESS
from ludograph.players.isolation.levels import Isolation
from ludograph.players.own_kernels import rehearsals
from ludograph.players.spec import PlayerSpec, parse_player


class CheckArguments(NamedTuple):
    """Limits of the search for faults.

    Attributes
    ----------
    seconds
        At most.
    games
        At most; None: what the time allows.
    only
        One kind of trials; None: all.
    seed
        Of the first games.
    """

    seconds: float
    games: int | None
    only: str | None
    seed: int


def checked(
    player: str,
    game_name: str | None,
    arguments: CheckArguments,
    isolation_of: Callable[[PlayerSpec], Isolation],
    *,
    quiet: bool,
) -> dict[str, Any]:
    """Test a player on all boards and options of its game; return the report as data.

    Parameters
    ----------
    isolation_of
        Returns how the player is kept from the rest of the machine.
    """
    seconds, games, only, seed = arguments
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ludograph-check-") as folder:
        game = found_game(player, game_name, example=f"player check {player} {{}}")
        spec = player_spec(player, game, Path(folder), quiet=quiet)
        level = isolation_of(spec)
        starts = cases(game, spec)
        if not starts:
            raise InvalidInput(f"{game.name} has no start that {spec.label} can play")
        opponent = "random" if "random" in game.strategies else game.adviser(2)
        examined = Examination(spec, opponent, level)
        found: list[dict[str, Any]] = []
        notes: list[str] = []
        has_memory = spec.kind == "library" and only in (None, "memory")
        wished = trials(starts, seed, only)
        further = islice(further_trials(wished), games and max(0, games - len(wished)))
        end = began + seconds
        first = end - seconds / 2 if has_memory else end
        with progress(games, "games", shown=not quiet) as advance:
            left = first - time.monotonic()
            examined.run(wished[:games], left, advance, () if has_memory else further)
        if has_memory:
            with waiting("checking its memory", shown=not quiet):
                left = end - time.monotonic()
                found, notes = memory_faults(player, usual(starts), seed, left)
            played = len(examined.played)
            with progress(games, "games", shown=not quiet, done=played) as advance:
                left = end - time.monotonic()
                examined.run(wished[played:games], left, advance, () if found else further)
        found = [*problem_data(examined, player), *found]
        notes = [*notes_on(examined, player), *notes]
    return {
        "player": player,
        "game": game.name,
        "games": len(examined.played),
        "starts": len({trial.case for trial in examined.played}),
        "trials": len(wished),
        "cut_short": cut_short(examined, len(wished), games),
        "seconds": round(time.monotonic() - began, 1),
        "problems": found,
        "notes": notes,
    }


def found_game(player: str, name: str | None, *, example: str) -> AnyGame:
    """Return the game of this name, or the only one whose smallest start the player plays.

    Parameters
    ----------
    example
        The words of a command with which a user names the player and, in the braces, a game.
    """
    if name is not None:
        if name not in names():
            raise InvalidInput(f"there is no game {name[:40]!r}; there are {', '.join(names())}")
        return declaration(name).game()
    with tempfile.TemporaryDirectory(prefix="ludograph-check-") as folder:
        fitting = [name for name in names() if _plays(player, name, Path(folder))]
    if len(fitting) != 1:
        game = (fitting or names())[0]
        what = f"it plays {', '.join(fitting)}" if fitting else "it plays none without a fault"
        raise InvalidInput(
            f"which game? {what}; name it, as in 'ludograph {example.replace('{}', game)}'"
        )
    return declaration(fitting[0]).game()


def _plays(player: str, name: str, folder: Path) -> bool:
    """Tell whether a player plays a small start of a game without a fault."""
    game = declaration(name).game()
    try:
        spec = player_spec(player, game, folder, quiet=True)
        starts = cases(game, spec)
    except LudographError:
        return False
    if not starts:
        return False
    trial = Trial("games", usual(starts), 0, 0)
    examined = Examination(spec, "random", None)
    examined.judge(trial, examined.match(trial))
    return not examined.problems


def player_spec(player: str, game: AnyGame, folder: Path, *, quiet: bool) -> PlayerSpec:
    """Return a player in files of its own; a C source is compiled first."""
    if sources_of(player):
        with waiting(f"compiling {safe(player)}", shown=not quiet):
            player = compile_player(player, game, folder, sanitized=False)
    spec = parse_player(player, game)
    if spec.kind in IN_PROCESS:
        raise InvalidInput(f"{spec.label} is no file: name a .py, .so or .c file, or a program")
    return spec


# --- the report ---------------------------------------------------------------------------

TITLES = {
    "no-start": "It does not start",
    "crash": "It crashes",
    "illegal-move": "It plays a move that is not legal",
    "protocol": "It answers what is no move",
    "timeout": "It does not answer in time",
    "memory": "It takes too much memory",
    "resign": "It gives the game up",
}

LOOK = {
    "no-start": "what is run before the first move: loading, and the function that begins a game",
    "crash": "the place named above; docs/my-player-crashes.md tells what each signal means",
    "illegal-move": "the rule that the message names; if the player keeps that rule, how its own "
    "board follows the moves of all seats",
    "protocol": "what the function that chooses a move returns when it finds none",
    "timeout": "loops that may not end on this board, and searches that do not look at the clock",
    "memory": "what it allocates for every move and keeps",
    "resign": "why it thinks that it has lost",
}

NOTICED_LATER = re.compile(
    r"\b(free|malloc|realloc|calloc|munmap_chunk|malloc_consolidate)\(\): |"
    r"\b(corrupted|double free|stack smashing detected|_int_(free|malloc)|malloc_printerr)\b"
)
"""Messages of the C library where damaged memory is noticed, and of a crash in it."""

WHERE_KIND = {
    "games": "",
    "itself": " against itself",
    "ends-early": " when the opponent gives up",
    "drop-out": " when one of three players drops out",
    "tiny-clock": " with 0.1 s for a move",
}


def problem_data(examined: Examination, player: str) -> list[dict[str, Any]]:
    """Return the problems as data, those in most games first."""
    found = sorted(examined.problems.values(), key=lambda problem: -problem.games)
    return [
        {
            "what": TITLES[problem.smallest.reason]
            + (" at the end of the game" if problem.smallest.at_end else "")
            + WHERE_KIND[problem.smallest.trial.kind],
            "reason": problem.smallest.reason,
            "message": problem.smallest.message,
            "look": look_at(examined, problem, player),
            "games": problem.games,
            "shared": problem.shared,
            "seat": problem.smallest.trial.seat,
            "ply": problem.smallest.ply,
            "options": dict(problem.smallest.trial.case.options),
            "again": again(player, examined.opponent, problem.smallest.trial),
        }
        for problem in found
    ]


def look_at(examined: Examination, problem: Problem, player: str) -> str:
    """Return where to look for the cause: at an option, if the problem depends on one.

    If memory was damaged earlier, that place is to be found, not where the damage was noticed.
    """
    seen = problem.smallest
    if seen.reason == "crash" and NOTICED_LATER.search(f"{seen.message}\n{seen.log}"):
        sources = player if sources_of(player) else "SOURCES.c"
        command = f"ludograph player debug {sources} {seen.trial.case.game.name} --asan"
        return (
            f"its memory first: '{command}' names the line that wrote where it must not; "
            "the place above is where that was noticed"
        )
    name = examined.option_of(problem)
    if name is None or problem.smallest.reason not in ("illegal-move", "protocol"):
        return LOOK[problem.smallest.reason]
    declared = problem.smallest.trial.case.game.declaration.options
    summary = next(option.summary for option in declared if option.name == name)
    return f"how it reads and keeps --{name} ({summary.partition(';')[0]})"


def again(player: str, opponent: str, trial: Trial) -> str:
    """Return the command that plays a trial again."""
    name, case, seed = trial.case.game.name, trial.case, f"--seed {trial.seed}"
    from_sources = bool(sources_of(player))
    own = player if from_sources and not Path(player).is_file() else shlex.quote(player)
    if trial.kind not in ("games", "itself") or (from_sources and trial.kind == "itself"):
        return f"ludograph player check {own} {name} --only {trial.kind} {seed}"
    words = f" {case.words}" if case.words else ""
    others = "".join(f" --against {opponent}" for _ in range(case.seats - 1))
    if from_sources:
        return f"ludograph player debug {own} {name}{words} {seed} --seat {trial.seat}{others}"
    seated = [own if trial.kind == "itself" else opponent] * case.seats
    seated[trial.seat] = own
    return f"ludograph {name}{words} {seed} --starter 0 --clock {CLOCK} {' '.join(seated)}"


def notes_on(examined: Examination, player: str) -> list[str]:
    """Return remarks that are no faults."""
    notes = []
    compiled = [one for one in rehearsals(examined.spec) if one.kernels]
    if compiled:
        kernels = amount(sum(one.kernels for one in compiled), "kernel")
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


def page(report: dict[str, Any]) -> str:
    """Return a report as people read it."""
    games, starts = amount(report["games"], "game"), amount(report["starts"], "start")
    lines = [
        f"{report['player']}, {report['game']}: {games} from {starts}, {report['seconds']:.0f} s"
    ]
    for number, problem in enumerate(report["problems"], 1):
        lines += ["", f"{number}. {problem['what']}: {problem['message']}"]
        if problem["games"]:
            shared = ", ".join(f"{name} {value}" for name, value in problem["shared"].items())
            count = f"in {problem['games']} of {games}"
            lines.append(f"   {count}{f', all of them with {shared}' if shared else ''}")
        lines.append(f"   look at  {problem['look']}")
        lines.append(f"   again    {problem['again']}")
    if not report["problems"]:
        lines.append(verdict(report))
    lines += ["", *(f"Note: {note}." for note in report["notes"])] if report["notes"] else []
    return "\n".join(map(safe, lines))


def cut_short(examined: Examination, trials: int, games: int | None) -> str | None:
    """Return the option that has ended the check before all trials were played; None if none."""
    played = len(examined.played)
    if played >= trials or examined.hopeless:
        return None
    return "games" if games is not None and played >= games else "time"


def verdict(report: dict[str, Any]) -> str:
    """Return the sentence for a player without faults, and whether all trials were played."""
    if report["cut_short"] is None:
        return "No fault was found."
    return (
        f"No fault was found, but the check was cut short: {report['games']} of "
        f"{amount(report['trials'], 'trial')} were played; give more with --{report['cut_short']}."
    )
