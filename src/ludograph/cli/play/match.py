"""One match from the command line: planned from its arguments, played, shown, reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from ludograph.cli.executors import isolation_for
from ludograph.cli.game_options import chosen
from ludograph.cli.play.command import GameArguments
from ludograph.cli.play.frames import Frame, terms_of
from ludograph.cli.play.person import choose_front
from ludograph.cli.player_output import listener, log_of, write_faults
from ludograph.cli.program import Interrupted
from ludograph.cli.shared_options import check_shown
from ludograph.cli.texts import safe, show_json, show_tables
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games import AnyGame, Position
from ludograph.games.analysis_info import sentence
from ludograph.games.declaration import Declaration, Values
from ludograph.games.registry import load
from ludograph.players.human import Quit
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PlayerSpec, parse_player, preparation
from ludograph.referee import Fault, MatchResult, PlayedMove, read_record
from ludograph.referee.clock import Clock
from ludograph.referee.match import opening_codes, referee_match, starter_drawn
from ludograph.referee.options import NO_CLOCK, MatchObserver, MatchOptions, series_clocks
from ludograph.referee.player_factory import IN_PROCESS, NEED_HISTORY, built, labels
from ludograph.referee.result import after
from ludograph.referee.seed import Seed
from ludograph.referee.sentences import drop_line, take_back_line
from ludograph.rules.announcer import announcer


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match, or each game of a series, ready to be played.

    Attributes
    ----------
    make_position
        Returns the start for a seed, which is a whole number.
    players
        The players in the given order; ``starter`` is the place of the player that gets seat 0.
    details
        Further facts for the heading, after the board's name.
    options
        The options of the match; in a series, of each game.
    """

    game: AnyGame
    make_position: Callable[[int], Position]
    players: Sequence[PlayerSpec]
    starter: int | str | None
    details: Sequence[str]
    options: MatchOptions

    @property
    def seed(self) -> Seed:
        """The seed of the start and of all chance."""
        return self.options.seed

    def first(self) -> int:
        """Return the place of the player that starts: as given, or drawn by the seed."""
        if isinstance(self.starter, int):
            return self.starter
        return starter_drawn(self.seed.start(), len(self.players))

    def seating(self) -> list[PlayerSpec]:
        """Return the players by seat."""
        first, count = self.first(), len(self.players)
        return [self.players[(first + seat) % count] for seat in range(count)]


def plan_of(
    game: Declaration,
    given: Values,
    players: tuple[str, ...],
    arguments: GameArguments,
    *,
    elsewhere: bool = False,
) -> MatchPlan:
    """Return the plan of the match that the arguments describe, or of each game of a series.

    Parameters
    ----------
    elsewhere
        Whether other machines play: then those check the isolation and compile C sources.
    """
    rules = load(game)
    specs = [parse_player(text, rules, len(players)) for text in players]
    libraries = any(spec.kind == "library" for spec in specs)
    people = any(spec.kind == "human" for spec in specs)
    defaults = dict(game.with_people or {}) if people else {}
    defaults |= (game.with_libraries or {}) if libraries else {}
    values = chosen(game, given, defaults)
    many = arguments.games is not None
    if many and people:
        raise click.UsageError("a human plays one game at a time, so not with -r")
    clock, foreign_clock = (
        series_clocks(arguments.clock, specs) if many else (arguments.clock, None)
    )
    level, memory = arguments.isolation, arguments.memory
    if elsewhere:
        isolation = Isolation.chosen(level, memory)
    else:
        isolation = isolation_for(specs, level, memory, quiet=arguments.silent)
        specs = [built(spec, rules, isolation) for spec in specs]
    return MatchPlan(
        game=rules,
        make_position=lambda number: rules.position(seats=len(players), seed=number, **values),
        players=specs,
        starter=arguments.starter,
        details=game.title(values),
        options=MatchOptions.checked(
            clock=None if clock == NO_CLOCK else clock,
            foreign_clock=foreign_clock,
            seed=arguments.seed,
            isolation=isolation,
            thoughts=arguments.thoughts,
            opening=opening_texts(arguments.opening),
            record=arguments.record,
        ),
    )


def play(plan: MatchPlan, arguments: GameArguments) -> None:
    """Play one game and write it to standard output in the form of the options."""
    prepare(plan)
    options = plan.options
    position = plan.make_position(plan.seed.start())
    now = after(position, options.earlier)
    opening_codes(position, options.opening)  # raises errors before the board is shown
    seated = plan.seating()
    names = labels(seated)
    # A key stays secret until the game has ended.
    known = [] if plan.seed.number is None else [f"seed {plan.seed}"]
    heading = position.title([*plan.details, *known])
    show, front = choose_front(
        now, seated, arguments.delay, shown=not arguments.silent, scroll=bool(arguments.outputs)
    )
    moves = now.move_count

    def show_line(board: Position, line: str, thoughts: str = "") -> None:
        show.show(
            Frame(board, names, heading, line, lettering=arguments.lettering, thoughts=thoughts)
        )

    def on_move(board: Position, played: PlayedMove) -> None:
        nonlocal moves
        thoughts = sentence(played.thoughts) if played.thoughts else ""
        show_line(board, move_line(board, played.seat, played.move, names), thoughts)
        moves = board.move_count

    def on_fault(board: Position, fault: Fault) -> None:
        if board.seats > 2:  # with two seats the result contains it
            show_line(board, drop_line(names[fault.seat], fault.seat, fault.reason))

    def on_take_back(board: Position, seat: int) -> None:
        nonlocal moves
        moves = board.move_count
        show_line(board, f"{take_back_line(names[seat], seat)}, to ply {board.ply}")

    try:
        with show:
            show_line(now, start_line(position, names, heading))
            observer = MatchObserver(
                on_move=on_move,
                on_fault=on_fault,
                on_take_back=on_take_back,
                on_output=listener(arguments.outputs, names),
                front=front,
            )
            result = referee_match(position, seated, options, observer)
    except Quit:
        click.echo(f"No result after {so_far(plan, moves)}.")
        return
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted after {so_far(plan, moves)}") from None
    if arguments.as_json:
        show_json(match_data(plan, seated, result))
    else:
        click.echo(safe(result.sentence))
        if not arguments.silent:
            show_breakdown(result.position, result.names)
    write_faults(result)
    if plan.seed.number is None and not (arguments.silent or options.earlier):
        click.echo(f"--seed {plan.seed} plays this game again", err=True)


def resume(
    game: Declaration, given: Values, players: tuple[str, ...], arguments: GameArguments, file: str
) -> None:
    """Play the interrupted game of a record to its end, and write it to the same record."""
    settled = {
        "the players": players or None,
        "-r": arguments.games,
        "--seed": arguments.seed,
        "--starter": arguments.starter,
        "--record": arguments.record,
        "--opening": arguments.opening,
        "--store": arguments.store,
        **{f"--{name}": value for name, value in given.items()},
    }
    for name, value in settled.items():
        if value is not None:
            raise click.UsageError(f"--resume has its own game, so leave out {name}")
    record = read_record(file)
    start = record.start
    if start.game.name != game.name:
        raise click.UsageError(f"{file} is a game of {start.game.name}, not of {game.name}")
    check_shown(arguments.outputs, start.seats)
    try:
        options = record.options(thoughts=arguments.thoughts, record=file)
        specs = [parse_player(text, start.game, start.seats) for text in record.specs]
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from None
    clock = options.clock
    if arguments.clock is not None:
        clock = None if arguments.clock == NO_CLOCK else Clock.parse(arguments.clock)
    isolation = isolation_for(specs, arguments.isolation, arguments.memory, quiet=arguments.silent)
    plan = MatchPlan(
        game=start.game,
        make_position=lambda _: start.copy(),
        players=specs,
        starter=0,
        details=[f"ply {len(options.earlier)} of {file}"],
        options=replace(
            options,
            clock=clock,
            isolation=isolation,
        ),
    )
    play(plan, arguments)


def prepare(plan: MatchPlan) -> None:
    """Name the match for messages about compilation, before the first kernel runs."""
    announcer.prepare(preparation(plan.game.name, plan.players))


def so_far(plan: MatchPlan, moves: int) -> str:
    """Return the number of moves of a game without a result, and how to play it again."""
    record = plan.options.record
    goes_on = moves and all(spec.kind in (*IN_PROCESS, *NEED_HISTORY) for spec in plan.players)
    kept = f"--resume {record} continues it, " if goes_on else f"{record} holds it so far; "
    starter = f" --starter {plan.first()}" if len(plan.players) > 1 else ""
    again = f"--seed {plan.seed}{starter} plays the same game again"
    return f"{counted(moves, 'move')}; {kept if record else ''}{again}"


def start_line(position: Position, names: Sequence[str], heading: str = "") -> str:
    """Return the first line of a game: its players by seat, each with the terms of its seat."""
    each = [
        f"{name} ({terms})" if (terms := terms_of(position, seat)) else name
        for seat, name in enumerate(names)
    ]
    return f"start: {' against '.join(each)}" + (f"; {heading}" if heading else "")


def move_line(position: Position, seat: int | None, move: int, names: Sequence[str]) -> str:
    """Return the line of a move; ``position`` is the one after it."""
    player = "chance" if seat is None else names[seat]
    where = f" (seat {seat})" if seat is not None and len(names) > 1 else ""
    done = position.game.presentation.describe_move(position, move)
    number = f"ply {position.ply}" if seat is None else position.ply_text()
    return f"{number}: {player}{where} {done}"


def match_data(
    plan: MatchPlan, seated: Sequence[PlayerSpec], result: MatchResult
) -> dict[str, Any]:
    """Return a match as JSON-able data."""
    position, outcome = result.position, result.outcome
    return {
        "game": plan.game.name,
        "board": {"name": position.board.name, "vertices": position.board.n},
        "details": list(plan.details),
        "seed": plan.seed.data,
        "starter": plan.first(),
        "clock": plan.options.clock and plan.options.clock.text,
        "players": [
            {
                "seat": seat,
                "player": spec.text,
                "name": name,
                **position.game.presentation.seat_facts(position, seat).terms,
                **(result.usage[seat].to_data() if seat in result.usage else {}),
            }
            for seat, (spec, name) in enumerate(zip(seated, result.names, strict=True))
        ],
        "moves": [played.to_data(position) for played in result.moves],
        "outcome": {
            "winner": result.winner,
            "ranks": list(outcome.ranks),
            "scores": list(outcome.scores),
        },
        **breakdown_data(position),
        "reason": result.reason,
        "faults": [fault_data(result, fault) for fault in result.faults],
        "finish_faults": [fault_data(result, fault) for fault in result.finish_faults],
        "result": result.sentence,
    }


def show_breakdown(position: Position, names: Sequence[str]) -> None:
    """Write a table of all players' points by kind, if the game has kinds of points."""
    breakdown = position.game.presentation.breakdown(position)
    if breakdown is None:
        return
    show_tables(breakdown.table(names))
    if breakdown.caption():
        click.echo(f"points {breakdown.caption()}")


def breakdown_data(position: Position) -> dict[str, Any]:
    """Return each seat's points by kind, and those of the end; empty if the game has no kinds."""
    breakdown = position.game.presentation.breakdown(position)
    if breakdown is None:
        return {}
    by_seat = zip(breakdown.points, breakdown.at_end, strict=True)
    return {
        "breakdown": [
            {
                "points": dict(zip(breakdown.columns, points, strict=True)),
                "at_end": dict(zip(breakdown.columns, end, strict=True)),
            }
            for points, end in by_seat
        ]
    }


def fault_data(result: MatchResult, fault: Fault) -> dict[str, Any]:
    """Return a fault as JSON-able data."""
    return {
        "seat": fault.seat,
        "reason": str(fault.reason),
        "message": fault.message,
        "ply": fault.ply,
        "log": log_of(result, fault),
    }


def opening_texts(text: str | None) -> list[str]:
    """Return the moves of an opening, separated by spaces, or by semicolons if there are any."""
    if text is None:
        return []
    parts = text.split(";") if ";" in text else text.split()
    return [part.strip() for part in parts if part.strip()]
