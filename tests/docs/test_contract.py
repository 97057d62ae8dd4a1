"""The table of what searches ask, in the page for authors of games, says what the code does."""

from __future__ import annotations

from pathlib import Path

from ludograph import rules
from ludograph.games import registry
from ludograph.rules import dispatch
from ludograph.search import hints
from ludograph.search.mcts import hints as of_monte_carlo
from ludograph.search.proof import game as of_proofs

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"

OF_PROOFS = {"expand", "descend", "remember", "learn"}
"""What only a solver with positions of its own replaces; the page names them below the table."""

OF_RULES = {"evaluate", "key", "sample_move", "playout"}
"""What a game need not have to be played, but searches ask."""


def table() -> dict[str, dict[str, str]]:
    """Return the rows of the table by function, each by the titles of the columns."""
    lines = PAGE.read_text().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("| function | cal"))
    titles, rows = cells(lines[first]), {}
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        row = dict(zip(titles, cells(line), strict=True))
        rows[row["function"].strip("`")] = row
    return rows


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def asked() -> dict[str, dispatch.Generic]:
    """Return all functions with a default that searches ask, by the names in the table."""
    modules = {"search.hints": hints, "search.mcts.hints": of_monte_carlo}
    modules |= {"search.proof.game": of_proofs}
    found = {f"rules.{name}": getattr(rules, name) for name in OF_RULES}
    for title, module in modules.items():
        for name, value in vars(module).items():
            own = isinstance(value, dispatch.Generic) and value.__module__ == module.__name__
            if own and name not in OF_PROOFS:
                found[f"{title}.{name}"] = value
    return found


def test_the_table_has_every_function_that_searches_ask() -> None:
    assert table().keys() == asked().keys()


def test_the_table_names_the_games_with_their_own() -> None:
    games = [registry.game(name) for name in registry.names()]
    for name, function in asked().items():
        having = {
            title
            for kind in function.kernels
            for title in table()[name]
            if kind.__module__.startswith(f"ludograph.games.{title.lower()}.")
        }
        assert having == {title for title, cell in table()[name].items() if cell == "x"}, name
    assert {game.name.title() for game in games} <= table()["rules.key"].keys()


def test_functions_with_memory_are_those_that_the_table_calls_so() -> None:
    for name, function in asked().items():
        has_memory = {"knowledge", "workspace"} & function.signature.parameters.keys()
        assert bool(has_memory) == ("with memory" in table()[name]["called"]), name
