"""An interrupted game from the command line: it goes on where its record ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ludograph.cli.isolation import isolation_for
from ludograph.cli.option_types import NO_CLOCK
from ludograph.cli.play.match import MatchPlan, play
from ludograph.cli.player_output import OutputOptions, check_shown
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration

if TYPE_CHECKING:
    from ludograph.referee import Record


def go_on(
    game: Declaration,
    file: str,
    given: Sequence[str],
    clock: str | None,
    isolation: tuple[str | None, int | None],
    output: OutputOptions,
    *,
    thoughts: bool = False,
    margin: float = 0.0,
) -> None:
    """Play an interrupted game to its end, in its own record.

    Parameters
    ----------
    given
        The names of options that the record has settled.
    isolation
        The level and the memory, where the command line names them.
    thoughts
        Whether players are asked what they think.
    margin
        Seconds by which moves may be late, if that is more than before.
    """
    from ludograph.players.spec import parse_player
    from ludograph.referee import read_record
    from ludograph.referee.options import MatchOptions
    from ludograph.referee.seed import as_seed

    if given:
        named = given[0] if given[0].startswith("-") or given[0] == "players" else f"--{given[0]}"
        raise click.UsageError(f"--resume brings its own game, so it stands without {named}")
    record = read_record(file)
    start = record.start
    if start.game.name != game.name:
        raise click.UsageError(f"{file} is a game of {start.game.name}, not of {game.name}")
    texts = names_in(record, file)
    check_shown(output.outputs, len(texts))
    try:
        earlier = record.earlier()
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from None
    if clock is None:
        clock = record.header.get("clock")
    luck = record.seed_of("chance_seed")
    players = [parse_player(text, start.game, start.seats) for text in texts]
    plan = MatchPlan(
        game=start.game,
        make_position=lambda _: start.copy(),
        players=players,
        starter=0,
        details=[f"ply {len(earlier)} of {file}"],
        options=MatchOptions.checked(
            clock=None if clock == NO_CLOCK else clock,
            foreign_clock=record.header.get("foreign_clock"),
            seed=as_seed(file, record.seed_of("seed")),
            chance_seed=None if luck is None else as_seed(file, luck),
            earlier=earlier,
            isolation=isolation_for(players, *isolation, quiet=output.silent),
            thoughts=thoughts,
            margin=max(margin, record.header.get("margin", 0.0)),
            record=file,
        ),
    )
    play(plan, output)


def names_in(record: Record, file: str) -> list[str]:
    """Return the players of a record by which they can be found."""
    specs = record.header.get("specs") or [None]
    if None in specs:
        raise click.UsageError(f"{file}: a player in it has no name by which it could be found")
    return [str(spec) for spec in specs]
