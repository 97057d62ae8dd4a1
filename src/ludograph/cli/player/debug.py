"""``ludograph player debug``: one game with a player in this process or under a memory checker."""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.game_options import OWN_GAME, chosen, games_group, recorded_game
from ludograph.cli.option_types import SEED
from ludograph.cli.play.command import check_number
from ludograph.cli.program import option, output
from ludograph.cli.texts import safe
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Whole
from ludograph.games.registry import load
from ludograph.players.c_sources import sources_of

if TYPE_CHECKING:
    from ludograph.games import AnyGame, Position
    from ludograph.players.spec import PlayerSpec
    from ludograph.referee import PlayedMove, Record
    from ludograph.referee.seed import Seed

EXAMPLES = """\
  ludograph player debug ./my_bot.so {name}                     play a game and say what happens
  ludograph player debug my_bot.c {name} --asan                 compile it with AddressSanitizer
  ludograph player debug my_bot.c list.c {name} --asan          the same, from several sources
  ludograph player debug ./my_bot.so {name} --valgrind          check every access to memory
  ludograph player debug my_bot.py {name}                       open pdb at a breakpoint() in it
  ludograph player debug ./my_bot.so {name} --record game.jsonl play a recorded game again

The exit code is 1 if the player failed.
"""


OPTIONS = (
    option("Match", "--against", multiple=True, help="Built-in player for all other seats."),
    option("Match", "--seat", type=Whole(0, 63), help="Seat of the player (default: 0)."),
    option("Match", "--seed", type=SEED, help="Seed of the start and all chance (default: 0)."),
    option("Match", "--record", metavar="FILE", help="Play a recorded game again."),
    option("Tools", "--valgrind", "tool", flag_value="valgrind", help="Run it in valgrind."),
    option("Tools", "--asan", "tool", flag_value="asan", help="Run it with AddressSanitizer."),
    output("-q", "--quiet", is_flag=True, help="Write no moves."),
)


FAILED = 1
"""The exit code if the player failed."""

NUMBERED = re.compile(r"[a-z]+ \d+(?= \()")
"""A move by its number, as in ``vertex 8 (a1)``."""


@games_group(
    "debug",
    OPTIONS,
    about="""Run one player of {game} alone in a process.

        No clock runs, and the output of the player is shown at once. With --record the other seats
        repeat their recorded moves, as long as the player repeats its own.
        """,
    examples=EXAMPLES,
    no_players="nothing can follow the board",
    params=[click.Argument(["player"], metavar="PLAYER")],
)
def debug(
    game: Declaration,
    given: Values,
    *,
    player: str,
    against: tuple[str, ...],
    seat: int | None,
    seed: int | None,
    record: str | None,
    tool: str | None,
    quiet: bool,
) -> int:
    """Run one player alone in a process, without clocks, against a built-in one.

    PLAYER is a Python file, a C library, or C sources, which are compiled first. The output of the
    player is shown at once. 'ludograph player debug PLAYER GAME --help' lists the options.
    """
    rules = load(game)
    with tempfile.TemporaryDirectory(prefix="ludograph-debug-") as name:
        folder = Path(name)
        spec = debugged_player(player, rules, folder, tool, quiet=quiet)
        if record is None:
            case = fresh(game, given, against, seat or 0, seed or 0)
        elif given or seed is not None:
            raise click.UsageError(OWN_GAME)
        else:
            case = recorded(game, record, against, seat, player)
        return play(case, spec, folder, tool, quiet=quiet)


def debugged_player(
    player: str, game: AnyGame, folder: Path, tool: str | None, *, quiet: bool
) -> PlayerSpec:
    """Return the player of a file; C sources are compiled first.

    A call of a function that no library has would end the process in the middle of the game. So it
    is an error if the player is compiled here, and a warning if it is a library.
    """
    from ludograph.cli.progress import waiting
    from ludograph.hosting.compiler import loaded_once
    from ludograph.hosting.debug_tools import own_player

    with waiting(f"compiling {safe(player)}", shown=not quiet and bool(sources_of(player))):
        spec = own_player(player, game, folder, tool)
    if spec.kind not in ("python", "library"):
        raise InvalidInput(f"{spec.label} is not a file: debug runs Python files and C players")
    if tool and spec.kind != "library":
        raise click.UsageError(
            f"--{tool} is for C players; write breakpoint() where {spec.label} should stop"
        )
    trouble = loaded_once(spec, game, None)
    if trouble and sources_of(player):
        lack = trouble.removeprefix(f"{spec.label} ")
        raise InvalidInput(f"{player} {lack}: name all of its sources, as in '{player} other.c'")
    if trouble:
        click.echo(safe(f"{trouble}: build it from all of its sources"), err=True)
    return spec


@dataclass(frozen=True, slots=True)
class DebuggedGame:
    """A game to be played with the player that is debugged.

    Attributes
    ----------
    others
        Names of built-in players for the other seats, in their order.
    """

    start: Position
    seat: int
    seed: Seed
    chance_seed: Seed | None
    others: tuple[str, ...]
    details: tuple[str, ...]
    record: Record | None = None


def fresh(
    game: Declaration, given: Values, against: tuple[str, ...], seat: int, seed: int
) -> DebuggedGame:
    """Return a new game."""
    from ludograph.referee.seed import Seed

    rules = load(game)
    others = against or (usual_opponent(rules),) * max(1, game.seats[0] - 1)
    seats = len(others) + 1
    check_number(game, seats, game.name)
    if seat >= seats:
        raise click.UsageError(f"--seat must be 0 to {seats - 1}, got {seat}")
    values = chosen(game, given)
    start = rules.position(seats=seats, seed=seed, **values)
    return DebuggedGame(
        start, seat, Seed(seed), None, others, (*game.title(values), f"seed {seed}")
    )


def usual_opponent(game: AnyGame) -> str:
    """Return a built-in player that plays sensibly and at once."""
    quick = [name for name, each in game.strategies.items() if not each.options]
    sensible = [name for name in quick if name != "random"]
    return "greedy" if "greedy" in sensible else (sensible or quick)[0]


def recorded(
    game: Declaration, file: str, against: tuple[str, ...], wanted: int | None, player: str
) -> DebuggedGame:
    """Return a recorded game, with the seat of the player that failed, or has this name."""
    from ludograph.referee.seed import Seed, as_seed

    record = recorded_game(game, file)
    seats = record.start.seats
    failed = [event.drop for event in record.events if event.drop is not None]
    failed += [event.seat for event in record.finish_faults if event.seat is not None]
    stem = Path(player.partition(".c ")[0].partition(":")[0]).stem
    called = [seat for seat, name in enumerate(record.header["players"]) if Path(name).stem == stem]
    found = [seat for seat in failed if seat in called] or called or failed
    seat = wanted if wanted is not None else next(iter(found), None)
    if seat is None or seat >= seats:
        raise click.UsageError(f"--seat must say which one {player} plays, 0 to {seats - 1}")
    others = against or (usual_opponent(load(game)),) * (seats - 1)
    if len(others) != seats - 1:
        raise click.UsageError(f"--against must name {seats - 1} players, got {len(others)}")
    seed, luck = (
        None if found is None else as_seed(file, found)
        for found in (record.seed_of("seed"), record.seed_of("chance_seed"))
    )
    details = (f"as in {file}",)
    return DebuggedGame(record.start, seat, seed or Seed.drawn(), luck, others, details, record)


def play(
    case: DebuggedGame, spec: PlayerSpec, folder: Path, tool: str | None, *, quiet: bool
) -> int:
    """Play the game and write its result; return the exit code.

    Parameters
    ----------
    folder
        A folder to remove at the end, even by a crash of this process.
    """
    from ludograph.cli.play.match import move_line, start_line
    from ludograph.cli.player_output import write_faults
    from ludograph.hosting.debug_tools import ToolPlayer, tool_for
    from ludograph.hosting.direct_player import DirectPlayer
    from ludograph.players.spec import parse_player
    from ludograph.referee import play_match
    from ludograph.referee.player_factory import labels, make_player
    from ludograph.referee.record import RecordedPlayer
    from ludograph.referee.seed import player_seed

    game, seats = case.start.game, case.start.seats
    seed = player_seed(case.seed, case.seat)
    own: Any = DirectPlayer(spec, seed, folder)
    if tool:
        program = tool_for(tool, spec, folder)
        mixed = program.report is None  # the tool writes between the player's own lines
        own = ToolPlayer(spec, seed, program, tell=lambda line: click.echo(safe(line), err=mixed))
    others = iter(case.others)
    seated: list[Any] = []
    for seat in range(seats):
        if seat == case.seat:
            seated.append(own)
            continue
        built_in = parse_player(next(others), game, seats)
        if built_in.kind != "strategy":
            raise click.UsageError(f"--against must name a built-in player, got {built_in.text!r}")
        other = make_player(built_in, game, seats, player_seed(case.seed, seat))
        if case.record:
            seated.append(RecordedPlayer(case.record, other, case.record.names[seat]))
        else:
            seated.append(built_in)
    shown = labels([one if one is not own else spec for one in seated])

    def on_move(board: Position, played: PlayedMove) -> None:
        line = move_line(board, played.seat, played.move, shown)
        if spec.kind == "library" and played.seat is not None:
            number = NUMBERED.match(game.interaction.called(board, played.move))
            line += f", {number[0]}" if number else ""  # as in the C interface
        click.echo(safe(line), err=True)

    if not quiet:
        heading = case.start.title(list(case.details))
        click.echo(safe(start_line(case.start, shown, heading)), err=True)
    try:
        result = play_match(
            case.start,
            seated,
            seed=case.seed,
            chance_seed=case.chance_seed,
            dealt=case.record.dealt if case.record else (),
            on_move=None if quiet else on_move,
        )
    finally:
        if isinstance(own, ToolPlayer):
            own.kill()
            sys.stderr.write(own.report() if own.tool.report else "")
    click.echo(safe(result.sentence))
    write_faults(result)
    return FAILED if result.faults or result.finish_faults else 0
