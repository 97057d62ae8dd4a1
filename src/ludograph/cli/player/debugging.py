"""A game with one player under examination: new, or along a record; played and told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ludograph.cli.game_options import chosen
from ludograph.cli.texts import safe
from ludograph.games.declaration import Declaration, Values

if TYPE_CHECKING:
    from ludograph.games import AnyGame, Position
    from ludograph.players.spec import PlayerSpec
    from ludograph.players.tools import Tool
    from ludograph.referee import MatchResult, PlayedMove, Record
    from ludograph.referee.seed import Seed

NUMBERED = re.compile(r"[a-z]+ \d+(?= \()")
"""A move by its number, as in ``vertex 8 (a1)``."""

FAILED = 1
"""The exit code where the player did something wrong."""


class Order(NamedTuple):
    """What the command line asks for beside the game.

    Attributes
    ----------
    tool
        ``gdb``, ``valgrind``, ``asan``, ``pdb``, or None.
    places
        Where gdb is to stop.
    """

    against: tuple[str, ...]
    seat: int | None
    seed: int | None
    record: str | None
    tool: str | None
    places: tuple[str, ...]
    quiet: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A game to be played with one player under examination.

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


def fresh(game: Declaration, given: Values, order: Order) -> Case:
    """Return a new game."""
    rules = game.game()
    others = order.against or (usual_opponent(rules),) * max(1, game.seats[0] - 1)
    seats = len(others) + 1
    low, high = game.seats
    if not low <= seats <= high:
        raise click.UsageError(f"{game.name} is a game for {low} to {high} players, got {seats}")
    seat = order.seat or 0
    if seat >= seats:
        raise click.UsageError(f"--seat must be 0 to {seats - 1}, got {seat}")
    from ludograph.referee.seed import Seed

    values, seed = chosen(game, given), order.seed or 0
    start = rules.position(seats=seats, seed=seed, **values)
    return Case(start, seat, Seed(seed), None, others, (*game.title(values), f"seed {seed}"))


def usual_opponent(game: AnyGame) -> str:
    """Return a built-in player that plays sensibly and at once."""
    quick = [name for name, each in game.strategies.items() if not each.options]
    sensible = [name for name in quick if name != "random"]
    return "greedy" if "greedy" in sensible else (sensible or quick)[0]


def recorded(game: AnyGame, given: Values, order: Order, player: str) -> Case:
    """Return a recorded game, with the seat of the player that failed, or has this name."""
    from ludograph.protocols.formats import read_game
    from ludograph.referee.seed import Seed, as_seed

    if given or order.seed is not None:
        raise click.UsageError("--record brings its own game, so it stands without game options")
    record = read_game(str(order.record))
    if record.start.game.name != game.name:
        raise click.UsageError(f"{order.record} is a game of {record.start.game.name}")
    seats = record.start.seats
    failed = [event.drop for event in record.events if event.drop is not None]
    failed += [event.seat for event in record.finish_faults if event.seat is not None]
    stem = Path(player.partition(".c ")[0].partition(":")[0]).stem
    called = [seat for seat, name in enumerate(record.header["players"]) if Path(name).stem == stem]
    found = [seat for seat in failed if seat in called] or called or failed
    seat = order.seat if order.seat is not None else (found[0] if found else None)
    if seat is None or seat >= seats:
        raise click.UsageError(f"--seat must say which one {player} plays, 0 to {seats - 1}")
    others = order.against or (usual_opponent(game),) * (seats - 1)
    if len(others) != seats - 1:
        raise click.UsageError(f"--against must name {seats - 1} players, got {len(others)}")
    seed, luck = (
        None if found is None else as_seed(str(order.record), found)
        for found in (record.seed_of("seed"), record.seed_of("chance_seed"))
    )
    details = (f"as in {order.record}",)
    return Case(record.start, seat, seed or Seed.drawn(), luck, others, details, record)


def play(case: Case, spec: PlayerSpec, order: Order, tool: Tool | None, folder: Path) -> int:
    """Play the game, and tell how it went; the folder is one to remove at the end."""
    from ludograph.cli.play.match import heading_of, move_line, start_line
    from ludograph.players.direct import DirectPlayer
    from ludograph.players.factory import labels, make_player
    from ludograph.players.spec import parse_player
    from ludograph.players.tools import ToolPlayer
    from ludograph.referee import play_match
    from ludograph.referee.following import Follower
    from ludograph.referee.seed import player_seed

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
            seated.append(Follower(case.record, other, case.record.names[seat]))
        else:
            seated.append(built_in)
    shown = labels([one if one is not own else spec for one in seated])

    def on_move(board: Position, played: PlayedMove) -> None:
        line = move_line(board, played.seat, played.move, shown)
        if spec.kind == "library" and played.seat is not None:
            number = NUMBERED.match(game.called(board, played.move))  # as C players have it
            line += f", {number[0]}" if number else ""
        click.echo(safe(line), err=True)

    if not order.quiet:
        heading = heading_of(case.start, list(case.details))
        click.echo(safe(start_line(case.start, shown, heading)), err=True)
    try:
        result = play_match(
            case.start,
            seated,
            seed=case.seed,
            chance_seed=case.chance_seed,
            dealt=case.record.dealt if case.record else (),
            on_move=None if order.quiet else on_move,
            raise_faults=order.tool == "pdb",
        )
    except (Exception, SystemExit) as error:
        if order.tool != "pdb" or not in_player(error, spec):
            raise
        import pdb
        import traceback

        traceback.print_exception(error)
        pdb.post_mortem(error.__traceback__)
        return FAILED
    finally:
        if isinstance(own, ToolPlayer):
            own.kill()
    return told(result)


def in_player(error: BaseException, spec: PlayerSpec) -> bool:
    """Tell whether a player's own file was under way when something was raised."""
    trace = error.__traceback__
    path = Path(spec.target).resolve()
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path:
            return True
        trace = trace.tb_next
    return False


def told(result: MatchResult) -> int:
    """Write the result, and what went wrong; return the exit code."""
    from ludograph.cli.player_output import tell_faults

    click.echo(safe(result.sentence))
    tell_faults(result)
    return FAILED if result.faults or result.finish_faults else 0
