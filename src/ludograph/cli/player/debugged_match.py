"""A match for debugging: one player runs in this process or in a tool such as valgrind."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click

from ludograph.cli.game_options import chosen, recorded_game
from ludograph.cli.play.match import move_line, start_line
from ludograph.cli.player_output import write_faults
from ludograph.cli.progress import waiting
from ludograph.cli.texts import safe
from ludograph.errors import InvalidInput
from ludograph.games import AnyGame, Position
from ludograph.games.declaration import Declaration, Values
from ludograph.hosting import debug_tools
from ludograph.hosting.compiler import ASAN, DEBUG, loaded_once
from ludograph.hosting.debug_tools import Tool, ToolPlayer, compile_player
from ludograph.hosting.direct_player import DirectPlayer
from ludograph.players.c_sources import sources_of
from ludograph.players.spec import PlayerSpec, parse_player
from ludograph.referee import MatchResult, PlayedMove, Record, play_match
from ludograph.referee.player_factory import labels, make_player
from ludograph.referee.record import RecordedPlayer
from ludograph.referee.seed import Seed, as_seed, player_seed


class DebugArguments(NamedTuple):
    """The options of the command, without those of the game.

    Attributes
    ----------
    tool
        ``valgrind``, ``asan``, or None.
    """

    against: tuple[str, ...]
    seat: int | None
    seed: int | None
    record: str | None
    tool: str | None
    quiet: bool


def run(game: Declaration, given: Values, player: str, arguments: DebugArguments) -> int:
    """Play a game with the player that is debugged; return the exit code."""
    rules = game.game()
    with tempfile.TemporaryDirectory(prefix="ludograph-debug-") as folder:
        spec = player_spec(player, rules, arguments, Path(folder))
        case = (
            recorded(rules, given, arguments, player)
            if arguments.record
            else fresh(game, given, arguments)
        )
        tool = tool_of(spec, arguments, Path(folder))
        return play(case, spec, arguments, tool, Path(folder))


def player_spec(player: str, game: AnyGame, arguments: DebugArguments, folder: Path) -> PlayerSpec:
    """Return the player of a file; C sources are compiled first."""
    given = player
    if sources_of(player):
        flags = ASAN if arguments.tool == "asan" else DEBUG
        with waiting(f"compiling {safe(player)}", shown=not arguments.quiet):
            player = compile_player(player, game, folder, flags)
    spec = parse_player(player, game)
    if spec.kind not in ("python", "library"):
        raise InvalidInput(f"{spec.label} is not a file: debug runs Python files and C players")
    if arguments.tool and spec.kind != "library":
        raise click.UsageError(
            f"--{arguments.tool} is for C players; "
            f"write breakpoint() where {spec.label} should stop"
        )
    if spec.kind == "library":
        check_resolved(spec, game, "" if player == given else given)
    return spec


def check_resolved(spec: PlayerSpec, game: AnyGame, sources: str) -> None:
    """Warn of a function that a library needs but does not find: a call would end the process.

    Raises
    ------
    InvalidInput
        If the library was compiled from these sources.
    """
    interface = game.interop.library
    if interface is None or not os.path.isfile(spec.target):
        return
    trouble = loaded_once(spec.target, interface, None)
    if trouble and sources:
        lack = trouble.removeprefix(f"{spec.label} ")
        raise InvalidInput(f"{sources} {lack}: name all of its sources, as in '{sources} other.c'")
    if trouble:
        click.echo(safe(f"{trouble}: build it from all of its sources"), err=True)


def tool_of(spec: PlayerSpec, arguments: DebugArguments, folder: Path) -> Tool | None:
    """Return the program in which a C player runs; None for this process itself."""
    if arguments.tool == "valgrind":
        return debug_tools.valgrind(folder)
    return debug_tools.asan(spec) if arguments.tool == "asan" else None


NUMBERED = re.compile(r"[a-z]+ \d+(?= \()")
"""A move by its number, as in ``vertex 8 (a1)``."""

FAILED = 1
"""The exit code if the player failed."""


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


def fresh(game: Declaration, given: Values, arguments: DebugArguments) -> DebuggedGame:
    """Return a new game."""
    rules = game.game()
    others = arguments.against or (usual_opponent(rules),) * max(1, game.seats[0] - 1)
    seats = len(others) + 1
    low, high = game.seats
    if not low <= seats <= high:
        raise click.UsageError(f"{game.name} is a game for {low} to {high} players, got {seats}")
    seat = arguments.seat or 0
    if seat >= seats:
        raise click.UsageError(f"--seat must be 0 to {seats - 1}, got {seat}")
    values, seed = chosen(game, given), arguments.seed or 0
    start = rules.position(seats=seats, seed=seed, **values)
    return DebuggedGame(
        start, seat, Seed(seed), None, others, (*game.title(values), f"seed {seed}")
    )


def usual_opponent(game: AnyGame) -> str:
    """Return a built-in player that plays sensibly and at once."""
    quick = [name for name, each in game.strategies.items() if not each.options]
    sensible = [name for name in quick if name != "random"]
    return "greedy" if "greedy" in sensible else (sensible or quick)[0]


def recorded(game: AnyGame, given: Values, arguments: DebugArguments, player: str) -> DebuggedGame:
    """Return a recorded game, with the seat of the player that failed, or has this name."""
    if given or arguments.seed is not None:
        raise click.UsageError("--record has its own game, so leave out the options of games")
    record = recorded_game(game.declaration, str(arguments.record))
    seats = record.start.seats
    failed = [event.drop for event in record.events if event.drop is not None]
    failed += [event.seat for event in record.finish_faults if event.seat is not None]
    stem = Path(player.partition(".c ")[0].partition(":")[0]).stem
    called = [seat for seat, name in enumerate(record.header["players"]) if Path(name).stem == stem]
    found = [seat for seat in failed if seat in called] or called or failed
    seat = arguments.seat if arguments.seat is not None else (found[0] if found else None)
    if seat is None or seat >= seats:
        raise click.UsageError(f"--seat must say which one {player} plays, 0 to {seats - 1}")
    others = arguments.against or (usual_opponent(game),) * (seats - 1)
    if len(others) != seats - 1:
        raise click.UsageError(f"--against must name {seats - 1} players, got {len(others)}")
    seed, luck = (
        None if found is None else as_seed(str(arguments.record), found)
        for found in (record.seed_of("seed"), record.seed_of("chance_seed"))
    )
    details = (f"as in {arguments.record}",)
    return DebuggedGame(record.start, seat, seed or Seed.drawn(), luck, others, details, record)


def play(
    case: DebuggedGame, spec: PlayerSpec, arguments: DebugArguments, tool: Tool | None, folder: Path
) -> int:
    """Play the game and write its result; ``folder`` is removed at the end."""
    game, seats = case.start.game, case.start.seats
    seed = player_seed(case.seed, case.seat)
    own = ToolPlayer(spec, seed, tool) if tool else DirectPlayer(spec, seed, folder)
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
            number = NUMBERED.match(
                game.interaction.called(board, played.move)
            )  # as in the C interface
            line += f", {number[0]}" if number else ""
        click.echo(safe(line), err=True)

    if not arguments.quiet:
        heading = case.start.title(list(case.details))
        click.echo(safe(start_line(case.start, shown, heading)), err=True)
    try:
        result = play_match(
            case.start,
            seated,
            seed=case.seed,
            chance_seed=case.chance_seed,
            dealt=case.record.dealt if case.record else (),
            on_move=None if arguments.quiet else on_move,
        )
    finally:
        if isinstance(own, ToolPlayer):
            own.kill()
    return write_result(result)


def write_result(result: MatchResult) -> int:
    """Write the result and all faults; return the exit code."""
    click.echo(safe(result.sentence))
    write_faults(result)
    return FAILED if result.faults or result.finish_faults else 0
