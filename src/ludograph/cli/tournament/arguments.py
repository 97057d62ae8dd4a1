"""The arguments of a tournament, from the command line or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludograph.arena.overtime import OVERTIME, Overtime
from ludograph.arena.sprt import Scale, Sprt
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import decimal_number

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")

GAMES_IF_NOT_GIVEN = 20


@dataclass(frozen=True, slots=True)
class TournamentArguments:
    """The arguments of a tournament, from the command line or from a file.

    Attributes
    ----------
    variants
        The game's options; several if starts differ in more than their seed.
    """

    game: Declaration
    players: Sequence[str]
    variants: Sequence[Values]
    format: Any = FORMATS[0]
    games: int = GAMES_IF_NOT_GIVEN
    seats: int | None = None
    sample: bool = False
    seed: int | None = None
    clock: str | None = None
    sprt: Sprt | None = None
    overtime: Overtime = OVERTIME
    openings: str | None = None


def parse_sprt(text: str) -> Sprt:
    """Return the test of a text; raise InvalidInput if the text is wrong."""
    given: dict[str, Any] = {}
    wrong = InvalidInput(f"sprt must be as in elo0=0,elo1=10, got {text[:80]!r}")
    for part in text.split(","):
        name, _, number = part.strip().partition("=")
        if name in given or name not in ("elo0", "elo1", "alpha", "beta", "scale"):
            raise wrong
        try:
            given[name] = Scale(number) if name == "scale" else decimal_number(number.strip())
        except ValueError:
            raise wrong from None
    if not {"elo0", "elo1"} <= given.keys():
        raise wrong
    return Sprt(**given)
