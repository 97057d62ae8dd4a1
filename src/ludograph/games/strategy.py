"""Built-in strategies: their names and their options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from ludograph.errors import InvalidInput, did_you_mean
from ludograph.formatting import described
from ludograph.games.blocks import usable_cores
from ludograph.games.options import DataFile, Number, Option, OptionType, Unexpected
from ludograph.games.timing import UNLIMITED, TimeLeft

if TYPE_CHECKING:
    from ludograph.games.played import PlayedPosition

RESIGN = "resign"
"""The answer of a player that resigns."""

NO_STRATEGIES = ("human", "guest", "cmd", "htp")
"""Names of other players, which no strategy can have."""

SEED, RANDOM = "seed", "random"
"""What every strategy gets: its seed, and the share of its moves that are drawn at random."""


class Chooser(Protocol):
    """The short form of a player: a function of a position, and optionally of the time left."""

    @property
    def choose(self) -> Callable[..., Any]:
        """Return a move, or ``RESIGN``: ``choose(position)`` or ``choose(position, time_left)``."""


def takes_time(choose: Any) -> bool:
    """Tell whether ``choose`` takes ``(position, time_left)`` rather than ``(position)``.

    It does if it needs two arguments, or accepts two and the second is named ``time_left``.
    """
    try:
        parameters = list(inspect.signature(choose).parameters.values())
    except (TypeError, ValueError):
        return False
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return True
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(places) >= 2 and (
        places[1].default is inspect.Parameter.empty or places[1].name == "time_left"
    )


@dataclass(frozen=True, slots=True)
class Strategy:
    """A built-in strategy of a game.

    Attributes
    ----------
    make
        Called as ``make(seed, **options)``; returns a fresh chooser for one game.
    seats
        The least and the greatest number of seats with which it can play.
    needs
        The name of a required option; empty: none.
    hint
        The way to get the required value: the end of a sentence.
    check
        Called with the name of the game, the values of all options, and the number of seats (None
        if it is not known) before a game begins; raises InvalidInput if it cannot play with them.
    check_start
        The same, called with the start of a game and the values of all options.
    """

    name: str
    summary: str
    make: Callable[..., Chooser]
    options: tuple[Option, ...] = ()
    seats: tuple[int, int] = (1, 64)
    needs: str = ""
    hint: str = ""
    check: Callable[[str, Mapping[str, Any], int | None], None] | None = None
    check_start: Callable[[PlayedPosition, Mapping[str, Any]], None] | None = None

    def __post_init__(self) -> None:
        """Refuse names that cannot be written, or that mean something else; raise InvalidInput."""
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", self.name, re.ASCII) or self.name in NO_STRATEGIES:
            raise InvalidInput(
                f"strategy {described(self.name)}: its name must be one word in lower case, and "
                f"not {', '.join(NO_STRATEGIES)}"
            )
        names = [option.name for option in self.options]
        for option in self.options:
            name = option.name
            if misnamed := option.misnamed():
                raise InvalidInput(f"strategy {self.name}: {misnamed}")
            if name in (SEED, RANDOM) or names.count(name) > 1:
                raise InvalidInput(
                    f"strategy {self.name}: no two options can be called {name!r}; every strategy "
                    f"has {SEED!r} and {RANDOM!r} already"
                )

    def plays_alone(self, seats: int | None = None) -> bool:
        """Tell whether it can play without any option, for some or a given number of seats."""
        low, high = self.seats
        return not self.needs and (seats is None or low <= seats <= high)

    def create(self, texts: Mapping[str, str], seed: int) -> Chooser:
        """Make a chooser from options as written.

        Raises
        ------
        InvalidInput
            If an option is unknown, has an invalid value, or is required and missing.
        """
        values = self.values(texts)
        share = values.pop(RANDOM, 0.0)
        made = self.make(seed, **values)
        return PartlyRandom(made, share, seed) if share else made

    def values(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return all options' values, the given ones parsed, the others their defaults.

        The share of random moves, an option of every strategy, is included if it is given.
        """
        known = {option.name: option for option in (*self.options, RANDOM_MOVES)}
        values = {option.name: option.default for option in self.options}
        for name, text in texts.items():
            if name not in known:
                options = f"has {', '.join(known)}"
                meant = did_you_mean(name, known)
                raise InvalidInput(f"{self.name}: no option {name!r}; it {options}{meant}")
            try:
                values[name] = known[name].type.parse(text)
            except Unexpected as error:
                raise InvalidInput(f"{self.name}: {name} must be {error}, got {text!r}") from None
        if self.needs and values[self.needs] is None:
            option = known[self.needs]
            raise InvalidInput(
                f"{self.name} needs the option {option.name}, as in "
                f"{self.name}:{option.name}={option.type.metavar}{self.hint}"
            )
        return values

    def files(self, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names of the given options that are paths of files."""
        return tuple(
            each.name
            for each in self.options
            if isinstance(each.type, DataFile) and each.name in texts
        )


RANDOM_MOVES = Option(
    RANDOM, Number(0.0, 1.0), 0.0, "share of its moves that are drawn at random, 0 to 1"
)
"""An option of every strategy: weaker forms of it, for anchors of ladders and for beginners."""


class PartlyRandom:
    """Plays a random legal move in a share of its turns, otherwise another chooser's move."""

    def __init__(self, chooser: Chooser, share: float, seed: int) -> None:
        self.chooser, self.share = chooser, share
        self.rng = Random(seed)
        self.prepare = getattr(chooser, "prepare", None)
        self.wants_time = takes_time(chooser.choose)

    def choose(self, position: PlayedPosition, time_left: TimeLeft = UNLIMITED) -> Any:
        """Return a move."""
        if self.rng.random() < self.share:
            return self.rng.choice(position.legal_moves())
        if self.wants_time:
            return self.chooser.choose(position, time_left)
        return self.chooser.choose(position)


ALL = "all"
"""One thread for each core that this process may use."""

MOST_THREADS = 64


class Threads(OptionType):
    """A number of threads, or ``all``: one for each core."""

    metavar = "N|all"
    expected = f"a whole number from 1 to {MOST_THREADS} or {ALL}"

    def parse(self, text: str) -> int:
        """Return the number of threads of a text."""
        if text == ALL:
            return min(usable_cores(), MOST_THREADS)
        count = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
        if not 1 <= count <= MOST_THREADS:
            raise Unexpected(self.expected)
        return count
