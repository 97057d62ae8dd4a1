"""Games worked out by hand: the fast rules and the references say what ``by_hand.toml`` says."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from ludograph import boards, carcassonne, flood, hex, penguins
from ludograph.games import Position
from ludograph.games.carcassonne import Deck, Kind, Tile, classic
from tests.games.test_references import compare
from tests.games.twins import Twin, twin

pytestmark = pytest.mark.every_case

GAMES = tomllib.loads(Path(__file__).with_name("by_hand.toml").read_text(encoding="utf-8"))
TERRAINS = {"field": 0, "road": 1, "water": 2, "castle": 3}


def board_of(edges: str) -> boards.Board:
    pairs = [tuple(map(int, pair.split("-"))) for pair in edges.split()]
    return boards.from_edges(1 + max(map(max, pairs)), pairs)


def begin_flood(edges: str, colors: str, starts: list[int], **options: Any) -> Position:
    options |= {"coloring": list(map(int, colors)), "seats": len(starts), "starts": starts}
    return flood.position(board_of(edges), colors=6, **options)


def begin_hex(board: Any = None, edges: str = "", **options: Any) -> Position:
    if edges:
        marks = {color: options.pop(color) for color in ("black", "white")}
        board = board_of(edges).with_marks(marks)
    return hex.position(board, **options)


def tile(components: str, terrains: str) -> Tile:
    numbers = tuple(int(digit) for digit in components.replace(" ", ""))
    return Tile(numbers, tuple("FRBC".index(terrains[number]) for number in numbers))


TILES = {name: tile(*drawn) for name, drawn in GAMES["tiles"].items()}


def begin_carcassonne(
    first: str, quarters: int = 0, counts: dict[str, int] | None = None, **options: Any
) -> Position:
    """Return a start with nine tiles of each kind, or so many of some."""
    counts = counts or dict.fromkeys(TILES, 9)
    kinds = tuple(Kind(name, TILES[name], count) for name, count in counts.items())
    deck = Deck(TILES[first].rotated(quarters), kinds)
    return carcassonne.position(deck=deck, **{"mode": "no-meeple", "discard": False, **options})


OFFICIAL = {kind.name: kind.tile for kind in classic().kinds}


def begin_official(first: str, counts: dict[str, int], seats: int = 2) -> Position:
    kinds = tuple(Kind(name, OFFICIAL[name], count) for name, count in counts.items())
    return carcassonne.position(deck=Deck(OFFICIAL[first], kinds), rules="official", seats=seats)


def play(position: Position, slow: Twin, word: str) -> None:
    """Play on both and compare; ``drop 1`` eliminates seat 1."""
    if word.startswith("drop "):
        position.drop(int(word[5:]))
        slow.drop(int(word[5:]))
    elif word:
        code = int(word) if word.isdigit() else position.parse(word)
        position.play(code)
        slow.play(code)
    compare(position, slow)


def shown(position: Position) -> str:
    texts = {move: position.text(move) for move in sorted(position.legal_moves())}
    named: Collection[str] = ("pass", "swap") if position.game is not penguins else texts.values()
    words = [text if text in named else str(move) for move, text in texts.items()]
    scores = " ".join(f"{score + 0.0:g}" for score in position.scores())
    return f"{'over' if position.is_over else f'{position.turn}: ' + ' '.join(words)} | {scores}"


def fact(position: Any, game: Any, what: str) -> Any:
    """Return a fact of the table as ``by_hand.toml`` has it."""
    if what == "points" and position.rules == "official":
        return [list(position.points_for(seat).values()) for seat in range(position.seats)]
    if " " in what:
        kind, cell = what.split()
        dealt = position.copy()
        dealt.play(f"deal {kind}")
        ways = [text.partition(" ") for text in sorted(map(dealt.text, dealt.legal_moves()))]
        return ", ".join(way for place, _, way in ways if place == cell)
    if "," in what:
        terrain, size, closed, owners = game.component(*map(int, what.split(",")))
        name = next(name for name, number in TERRAINS.items() if number == terrain)
        meeples = f" {'-'.join(map(str, owners))}" if any(owners) else ""
        return f"{name} {size} {'closed' if closed else 'open'}{meeples}"
    if what == "meeples":
        return {",".join(map(str, vertex)): seat for vertex, seat in game.meeples.items()}
    return str(None) if getattr(game, what) is None else getattr(game, what)


@pytest.mark.parametrize("name", [*GAMES["flood"], *GAMES["hex"], *GAMES["penguins"]])
def test_a_game_on_a_graph_goes_as_worked_out(name: str) -> None:
    game = next(game for game in ("flood", "hex", "penguins") if name in GAMES[game])
    begin: Any = {"flood": begin_flood, "hex": begin_hex, "penguins": penguins.position}[game]
    position = begin(**GAMES[game][name]["start"])
    slow = twin(position)
    for words, expected in GAMES[game][name]["steps"]:
        for word in words.split(";"):
            play(position, slow, word)
        assert shown(position) == expected


@pytest.mark.parametrize("name", [*GAMES["carcassonne"], *GAMES["official"]])
def test_tiles_close_what_was_worked_out(name: str) -> None:
    game = "official" if name in GAMES["official"] else "carcassonne"
    begin: Any = begin_official if game == "official" else begin_carcassonne
    position = begin(**GAMES[game][name]["start"])
    slow = twin(position)
    for turns, facts in GAMES[game][name]["steps"]:
        for turn in filter(None, turns.split(";")):
            kind, _, place = turn.partition(" ")
            for word in [turn] if kind == "drop" else [f"deal {kind}", place]:
                play(position, slow, word)
        assert {what: fact(position, slow.game, what) for what in facts} == facts
