"""The search for a player's faults: trial games on all boards of a game, and the report."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from ludograph.cli.executors import isolation_for
from ludograph.cli.progress import progress, waiting
from ludograph.cli.texts import safe
from ludograph.conformance.memory_checks import memory_faults
from ludograph.conformance.player_cases import cases
from ludograph.conformance.player_checks import (
    Examination,
    PlayerTrial,
    further_trials,
    trials,
    usual,
)
from ludograph.conformance.player_report import cut_short, notes_on, problem_data, shell_word
from ludograph.errors import InvalidInput, LudographError
from ludograph.formatting import counted
from ludograph.games import AnyGame
from ludograph.games.registry import declaration, names
from ludograph.hosting.compiler import DEBUG, loaded_once
from ludograph.hosting.debug_tools import compile_player
from ludograph.players.c_sources import sources_of
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PlayerSpec, parse_player
from ludograph.referee.player_factory import IN_PROCESS


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckArguments:
    """The options of the command.

    Attributes
    ----------
    seconds
        The limit of the search in seconds.
    games
        The greatest number of games; None: only the time limits it.
    only
        One kind of trials; None: all.
    seed
        The seed of the first games.
    """

    seconds: float
    games: int | None
    only: str | None
    seed: int
    isolation: str | None
    memory: int | None
    as_json: bool
    quiet: bool

    @property
    def silent(self) -> bool:
        """Whether only the report is written."""
        return self.quiet or self.as_json


def checked(player: str, game_name: str | None, arguments: CheckArguments) -> dict[str, Any]:
    """Test a player on all boards and options of its game; return the report as data."""
    seconds, games = arguments.seconds, arguments.games
    only, seed = arguments.only, arguments.seed
    shown = not arguments.silent
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ludograph-check-") as folder:
        game = found_game(player, game_name, example=f"player check {player} {{}}")
        spec = player_spec(player, game, Path(folder), quiet=not shown)
        level = isolation_for([spec], arguments.isolation, arguments.memory, quiet=not shown)
        starts = cases(game, spec)
        if not starts:
            raise InvalidInput(f"{game.name} has no start that {spec.label} can play")
        unloadable = _unloadable(player, spec, game, level)
        opponent = "random" if "random" in game.strategies else game.adviser(2)
        examined = Examination(spec, opponent, level)
        found: list[dict[str, Any]] = []
        notes: list[str] = []
        has_memory = spec.kind == "library" and only in (None, "memory")
        wished = trials(starts, seed, only)
        further = islice(further_trials(wished), games and max(0, games - len(wished)))
        end = began + seconds
        first = end - seconds / 2 if has_memory else end
        with progress(games, "games", shown=shown) as advance:
            left = first - time.monotonic()
            examined.run(wished[:games], left, advance, () if has_memory else further)
        if has_memory:
            with waiting("checking its memory", shown=shown):
                left = end - time.monotonic()
                found, notes = memory_faults(player, usual(starts), seed, left)
            played = len(examined.played)
            with progress(games, "games", shown=shown, done=played) as advance:
                left = end - time.monotonic()
                examined.run(wished[played:games], left, advance, () if found else further)
        found = [*unloadable, *problem_data(examined, player), *found]
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


def _unloadable(
    player: str, spec: PlayerSpec, game: AnyGame, isolation: Isolation | None
) -> list[dict[str, Any]]:
    """Return the problem of a C player that needs a missing function; empty if it needs none."""
    interface = game.interop.library
    library = spec.library or spec.target
    if spec.kind != "library" or interface is None or not os.path.isfile(library):
        return []
    trouble = loaded_once(library, interface, isolation)
    if not trouble:
        return []
    return [
        {
            "what": "It cannot be loaded as a whole",
            "reason": "no-start",
            "message": trouble,
            "look": "the name of the function, and the sources and libraries that it is linked of",
            "games": 0,
            "shared": {},
            "seat": None,
            "ply": None,
            "options": {},
            "again": f"ludograph player check {shell_word(player)} {game.name}",
        }
    ]


def found_game(player: str, name: str | None, *, example: str) -> AnyGame:
    """Return the game of this name, or the only one whose smallest start the player plays.

    Parameters
    ----------
    example
        The command to show in an error, with ``{}`` in place of the game.
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
    trial = PlayerTrial("games", usual(starts), 0, 0)
    examined = Examination(spec, "random", None)
    examined.judge(trial, examined.match(trial))
    return not examined.problems


def player_spec(player: str, game: AnyGame, folder: Path, *, quiet: bool) -> PlayerSpec:
    """Return a player in files of its own; a C source is compiled first."""
    if sources_of(player):
        with waiting(f"compiling {safe(player)}", shown=not quiet):
            player = compile_player(player, game, folder, DEBUG)
    spec = parse_player(player, game)
    if spec.kind in IN_PROCESS:
        raise InvalidInput(f"{spec.label} is not a file: name a .py, .so or .c file, or a program")
    return spec


def page(report: dict[str, Any]) -> str:
    """Return a report as text."""
    games, starts = counted(report["games"], "game"), counted(report["starts"], "start")
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


def verdict(report: dict[str, Any]) -> str:
    """Return the sentence for a player without faults; it says whether the check was cut short."""
    if report["cut_short"] is None:
        return "No fault was found."
    return (
        f"No fault was found, but the check was cut short: {report['games']} of "
        f"{counted(report['trials'], 'trial')} were played; increase --{report['cut_short']}."
    )
