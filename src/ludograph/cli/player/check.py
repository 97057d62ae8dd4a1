"""``ludograph player check``: a test of a player in all situations of a ladder."""

from __future__ import annotations

import json
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.option_types import GAMES, SEED
from ludograph.cli.program import Command, argument, option, options, output
from ludograph.cli.progress import on_terminal, progress, waiting
from ludograph.cli.shared_options import AS_JSON, ISOLATION_OPTIONS
from ludograph.cli.texts import safe
from ludograph.errors import InvalidInput, LudographError
from ludograph.formatting import counted
from ludograph.games.options import Seconds, Word
from ludograph.players.c_sources import sources_of

if TYPE_CHECKING:
    from ludograph.games import AnyGame
    from ludograph.players.spec import PlayerSpec

FAULTY = 1
"""The exit code if a fault is found."""

KINDS = ("games", "itself", "ends-early", "drop-out", "tiny-clock", "memory")

EPILOG = """\
Examples:
  ludograph player check ./my_bot.so flood     everything, for a minute at most
  ludograph player check my_bot.c flood        compile it; AddressSanitizer checks it, too
  ludograph player check my_bot.c list.c flood the same, from several sources
  ludograph player check my_bot.py hex --time 10
  ludograph player check my_bot.py --json      find out which game it plays; write JSON

The exit code is 1 if a fault is found.
"""


@click.command("check", cls=Command, epilog=EPILOG)
@argument("player", metavar="PLAYER")
@argument("game_name", metavar="[GAME]", required=False)
@option(
    "Options", "--time", "seconds", type=Seconds(1, 86_400), default=60, help="Seconds at most."
)
@option("Options", "--games", type=GAMES, help="Number of games at most (default: no limit).")
@option("Options", "--only", type=Word(KINDS), help="Run only the tests of this kind.")
@option("Options", "--seed", type=SEED, default=0, help="Seed of the first games.")
@options(ISOLATION_OPTIONS)
@AS_JSON
@output("-q", "--quiet", is_flag=True, help="Show no progress.")
def check_player(
    player: str, game_name: str | None, *, as_json: bool, quiet: bool, **search: Any
) -> None:
    """Test a player as a ladder would: on all kinds of boards and options of its game.

    The player plays on all seats, on small and unusual boards, on the starts that courses use, and
    with three seats if the game allows it. Opponents give up, games end early, clocks are short. If
    no fault is found, games with other seeds follow until the time is over.

    Valgrind checks the memory of a C player. AddressSanitizer checks it, too, if you name the
    source or the source lies beside the library. For each kind of fault, the report shows the
    smallest game and the command that plays it again.
    """
    report = checked(player, game_name, shown=not quiet and not as_json, **search)
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else page(report))
    click.get_current_context().exit(FAULTY if report["problems"] else 0)


def checked(
    player: str,
    game_name: str | None,
    *,
    seconds: float,
    games: int | None,
    only: str | None,
    seed: int,
    isolation: str | None,
    memory: int | None,
    shown: bool,
) -> dict[str, Any]:
    """Test a player on all boards and options of its game; return the report as data.

    Parameters
    ----------
    shown
        Whether progress is shown.

    Raises
    ------
    InvalidInput
        If nothing was checked: a wrong name, or too little time for a game.
    """
    from ludograph.cli.executors import isolation_for
    from ludograph.conformance.memory_checks import memory_faults
    from ludograph.conformance.player_cases import cases
    from ludograph.conformance.player_checks import Examination, further_trials, trials, usual
    from ludograph.conformance.player_report import (
        ReportedProblem,
        cut_short,
        findings,
        notes_on,
        unloadable,
    )

    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ludograph-check-") as folder:
        game = found_game(player, game_name, shown=shown)
        spec = player_spec(player, game, Path(folder), shown=shown)
        level = isolation_for([spec], isolation, memory, quiet=not shown)
        starts = cases(game, spec)
        if not starts:
            raise InvalidInput(f"{game.name} has no start that {spec.label} can play")
        if shown and not on_terminal():
            click.echo(f"checking {safe(player)} in {game.name}, {seconds:g} s at most", err=True)
        unloaded = unloadable(player, spec, game, level)
        opponent = "random" if "random" in game.strategies else game.adviser(2)
        examined = Examination(spec, opponent, level)
        found: list[ReportedProblem] = []
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
                found, notes = memory_faults(spec, player, usual(starts), seed, left)
            played = len(examined.played)
            with progress(games, "games", shown=shown, done=played) as advance:
                left = end - time.monotonic()
                examined.run(wished[played:games], left, advance, () if found else further)
        found = [*unloaded, *findings(examined, player), *found]
        if wished and not examined.played and not found:
            raise InvalidInput(f"no game came to its end within {seconds:g} s: increase --time")
        notes = [*notes_on(examined, player), *notes]
    return {
        "player": player,
        "game": game.name,
        "games": len(examined.played),
        "starts": len({trial.case for trial in examined.played}),
        "trials": len(wished),
        "cut_short": cut_short(examined, len(wished), games),
        "seconds": round(time.monotonic() - began, 1),
        "problems": [one._asdict() for one in found],
        "notes": notes,
    }


def found_game(player: str, name: str | None, *, shown: bool) -> AnyGame:
    """Return the game of this name, or the only one whose smallest start the player plays."""
    from ludograph.games import registry

    if name is not None:
        return registry.game(registry.name_of(name))
    if shown and not on_terminal():
        click.echo(f"which game does {safe(player)} play? trying all", err=True)
    fitting = []
    with (
        tempfile.TemporaryDirectory(prefix="ludograph-check-") as folder,
        progress(len(registry.names()), "games tried", shown=shown) as advance,
    ):
        for known in registry.names():
            if _plays(player, known, Path(folder)):
                fitting.append(known)
            advance(known)
    if len(fitting) != 1:
        game = (fitting or registry.names())[0]
        what = f"it plays {', '.join(fitting)}" if fitting else "it plays none without a fault"
        raise InvalidInput(
            f"which game? {what}; name it, as in 'ludograph player check {player} {game}'"
        )
    return registry.game(fitting[0])


def _plays(player: str, name: str, folder: Path) -> bool:
    """Tell whether a player plays a small start of a game without a fault."""
    from ludograph.conformance.player_cases import cases
    from ludograph.conformance.player_checks import Examination, PlayerTrial, usual
    from ludograph.games import registry

    game = registry.game(name)
    try:
        spec = player_spec(player, game, folder, shown=False)
        starts = cases(game, spec)
    except LudographError:
        return False
    if not starts:
        return False
    trial = PlayerTrial("games", usual(starts), 0, 0)
    examined = Examination(spec, "random", None)
    examined.judge(trial, examined.match(trial))
    return not examined.problems


def player_spec(player: str, game: AnyGame, folder: Path, *, shown: bool) -> PlayerSpec:
    """Return a player in files of its own; a C source is compiled first."""
    from ludograph.hosting.debug_tools import own_player
    from ludograph.referee.player_factory import IN_PROCESS

    with waiting(f"compiling {safe(player)}", shown=shown and bool(sources_of(player))):
        spec = own_player(player, game, folder, quiet=not shown)
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
