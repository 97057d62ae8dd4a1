"""The suite catches every way to break the contract that it speaks of, with the right sentence."""

import ast
import re

import pytest

from ludograph.conformance import check_game, check_rules
from ludograph.games.search_view import SearchView
from ludograph.rules import interpreted
from tests.conformance import (
    game_mutants,
    hint_mutants,
    observation_mutants,
    plain_mutants,
    play_mutants,
    rule_mutants,
)
from tests.conformance.spoiling import MUTANTS, SUITE, spoil, verdict
from tests.toys.known_nim import known_nim
from tests.toys.nim_game import NimGame, nim_game

NAMES = [
    name
    for module in (
        rule_mutants,
        plain_mutants,
        play_mutants,
        hint_mutants,
        observation_mutants,
        game_mutants,
    )
    for name in vars(module)
    if name in MUTANTS
]
SOUND = (rule_mutants.NIM, rule_mutants.DICE, rule_mutants.COINS)


@pytest.mark.parametrize("name", NAMES)
def test_a_mutant_is_caught(name: str) -> None:
    said = verdict(name)
    assert said is not None, f"{name} passes the suite"
    assert re.fullmatch(MUTANTS[name].message, said.message), said.message


@pytest.mark.parametrize("setup", SOUND, ids=lambda setup: type(setup).__name__)
def test_what_they_are_made_of_is_sound(setup) -> None:
    with interpreted():
        check_rules(setup, games=3)
        check_rules(spoil(setup), games=3)


@pytest.mark.slow
def test_the_game_that_they_are_made_of_is_sound() -> None:
    with interpreted():
        check_game(lambda seed: nim_game.position(heaps=[3, 2, seed]), games=3)


def test_a_search_may_have_room_of_its_own() -> None:
    class Knowing(NimGame):
        def search_view(self, position, kind):
            return SearchView(known_nim(position.setup.heaps.tolist(), position.setup.most))

    game = Knowing()
    with interpreted():
        check_game(lambda _: game.position(heaps=[2, 3, 1]), games=1)


def clauses() -> dict[str, list[range]]:
    """Return the lines of every place where the suite may find fault, by file."""
    found: dict[str, list[range]] = {}
    for path in SUITE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            called = isinstance(node, ast.Call) and ast.unparse(node.func) == "require"
            raised = isinstance(node, ast.Raise) and "ConformanceError" in ast.unparse(node)
            if (called or raised) and path.name != "fault.py":
                found.setdefault(path.name, []).append(range(node.lineno, node.end_lineno + 1))
    return found


@pytest.mark.slow
def test_every_clause_has_a_mutant() -> None:
    """Who adds a clause adds a game that breaks it."""
    said = [verdict(name) for name in NAMES]
    bare = [
        f"{file}, line {lines.start}"
        for file, places in clauses().items()
        for lines in places
        if not any(one and one.file == file and one.line in lines for one in said)
    ]
    assert bare == []
