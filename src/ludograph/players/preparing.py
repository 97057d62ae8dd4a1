"""The compilations that a match needs, known before it, so that progress can be shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ludograph.games import Position
from ludograph.players.protocol import Playing
from ludograph.players.spec import PlayerSpec
from ludograph.rules import legal_moves, play, scores
from ludograph.rules.announcer import announcer
from ludograph.rules.fingerprint import reached
from ludograph.rules.reach import used_by
from ludograph.search.searched import DEPTH, OWN, TREE

SEARCHES = "ludograph.search"
"""The packages with the searches of all games' strategies."""

PLAYED = (legal_moves, play, scores)
"""The rules that every match calls."""


def announce(position: Position, players: Sequence[PlayerSpec | Playing]) -> None:
    """Pass the kernels that a match of these players needs to the announcer."""
    game = position.game

    def parts() -> set[str]:
        wanted: list[Any] = list(PLAYED)
        views = [game.search_view(position, kind) for kind in (TREE, DEPTH, OWN)]
        makers: list[Any] = [game.strategy(name).make for name in strategies(players)]
        if makers:
            makers += map(type, views)
            makers += [part for view in views if view.knowledge for part in view.knowledge.makers]
        for make in makers:
            wanted += used_by(make, (package_of(make), SEARCHES))
        kinds = {type(position.setup), *(type(view.setup) for view in views)}
        return reached(wanted, sorted(kinds, key=lambda kind: kind.__qualname__))

    announcer.prepare(title(game.name, players), parts)


def title(game: str, players: Sequence[PlayerSpec | Playing]) -> str:
    """Return the title of a preparation: a game, and the strategies that play it."""
    searching = [name for name in dict.fromkeys(strategies(players)) if name != "random"]
    return f"{' and '.join(searching)} for {game}" if searching else game


def strategies(players: Sequence[PlayerSpec | Playing]) -> list[str]:
    """Return the names of the built-in strategies among some players."""
    specs = [each for each in players if isinstance(each, PlayerSpec)]
    return [spec.target for spec in specs if spec.kind == "strategy"]


def package_of(thing: object) -> str:
    """Return the package in which something is defined."""
    made = thing.func if isinstance(thing, partial) else thing
    return str(getattr(made, "__module__", "")).rpartition(".")[0]
