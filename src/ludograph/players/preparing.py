"""What a match compiles, in the words of people."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.players.protocol import Playing
from ludograph.players.spec import PlayerSpec


def title(game: str, players: Sequence[PlayerSpec | Playing]) -> str:
    """Return the title of a preparation: a game, and the strategies that play it."""
    specs = [each for each in players if isinstance(each, PlayerSpec)]
    names = dict.fromkeys(spec.target for spec in specs if spec.kind == "strategy")
    searching = [name for name in names if name != "random"]
    return f"{' and '.join(searching)} for {game}" if searching else game
