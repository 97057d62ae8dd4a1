"""Plays pairs of games until the better of two players is certain, and reports the result."""

from __future__ import annotations

import json
from typing import Any

import click

from ludograph.arena.comparison import Comparison
from ludograph.cli.play.match import plan_of
from ludograph.cli.play.options import GameArguments
from ludograph.cli.series import play_all_games, write_faults
from ludograph.cli.texts import safe
from ludograph.games.declaration import Declaration, Values


def run(
    game: Declaration, given: Values, players: tuple[str, str], *, elo: float, **match: Any
) -> None:
    """Play pairs of games and write the answer; after Ctrl-C, the answer of the games so far."""
    arguments = GameArguments(**match)
    played = play_all_games(plan_of(game, given, players, arguments), arguments, elo)
    series = played.tournament
    comparison = Comparison(
        elo, (series.names[0], series.names[1]), series.wanted(played.finished.results)
    )
    total = comparison.pairs.total
    if played.trouble is None or total:
        if arguments.as_json:
            click.echo(json.dumps(comparison.to_data(), ensure_ascii=False))
        else:
            click.echo(safe(comparison.sentence))
        write_faults(played.result)
    played.end(f"{total} of {series.games // 2} pairs")
