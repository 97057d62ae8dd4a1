"""How a mutant is made: a toy game with one rule spoiled, and all others as they were.

A mutant is a function that runs the suite on such a game, under the sentence that the suite must
say. They run as plain Python, so nothing is compiled for them.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ludograph import conformance, rules
from ludograph.conformance import ConformanceError, check_rules
from ludograph.rules import implements, interpreted, register
from ludograph.rules.dispatch import Generic
from ludograph.search import hints
from ludograph.search.mcts import hints as mcts_hints

SUITE = Path(conformance.__file__).parent

GENERICS = {
    name: function
    for module in (rules, hints, mcts_hints)
    for name, function in vars(module).items()
    if isinstance(function, Generic)
}
"""All that a game can say, by name."""


def spoil(inner: Any, **spoiled: Callable[..., Any]) -> Any:
    """Return a Setup of a type of its own, ``setup.inner`` with some rules replaced."""
    kind = NamedTuple("Spoiled", [("inner", type(inner))])  # noqa: UP014
    kernels = {name: implements(GENERICS[name], kind)(rule) for name, rule in spoiled.items()}
    replacing = [kernels[name] for name in kernels if GENERICS[name].default is not None]
    register(kind, *replacing, otherwise="inner")
    return kind(inner)  # type: ignore[call-arg]


class Mutant(NamedTuple):
    """What the suite must say, and what makes it say so."""

    message: str
    run: Callable[[], None]


MUTANTS: dict[str, Mutant] = {}


def mutant(message: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Add a mutant under a regular expression for the whole message.

    The function returns a Setup, or runs the suite itself.
    """

    def add(function: Callable[[], Any]) -> Callable[[], Any]:
        def run() -> None:
            setup = function()
            if setup is not None:
                check_rules(setup, games=1)

        assert function.__name__ not in MUTANTS
        MUTANTS[function.__name__] = Mutant(message, run)
        return function

    return add


class Verdict(NamedTuple):
    """What the suite said of a mutant, and where: a file of the suite and a line."""

    message: str
    file: str
    line: int


@cache
def verdict(name: str) -> Verdict | None:
    """Run the suite on a mutant; return None if it is not caught."""
    try:
        with interpreted():
            MUTANTS[name].run()
    except ConformanceError as error:
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if Path(frame.filename).parent == SUITE and frame.name != "require"
        ]
        return Verdict(str(error), Path(frames[-1].filename).name, frames[-1].lineno or 0)
    return None
