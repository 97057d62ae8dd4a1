"""The variants among the examples are solved by their own rules, as every line to the end says."""

import importlib
import sys

import pytest

from ludograph import conformance, rules
from ludograph.games.hex.setup import BLACK
from ludograph.games.searching import GENERIC
from tests.cli.installed import EXAMPLES
from tests.reference.flood import ReferenceFlood
from tests.reference.hex import SWAP, ReferenceHex


@pytest.fixture(scope="module", autouse=True)
def importable():
    """Both packages stand where Python finds them."""
    paths = [str(EXAMPLES / folder) for folder in ("misere_hex", "hill_flood")]
    sys.path[:0] = paths
    yield
    for path in paths:
        sys.path.remove(path)


@pytest.fixture
def rex():
    return importlib.import_module("rex.game").rex


@pytest.fixture
def hill():
    return importlib.import_module("hill.game").hill


class PlainRex(ReferenceHex):
    """Hex, written plainly, whose scores are exchanged."""

    def scores(self):
        return super().scores()[::-1]

    def situation(self):
        return self.turn, self.swapped, self.ply == 1, tuple(self.owner)


class PlainHill(ReferenceFlood):
    """Flood, written plainly, which ends when the middle is in a zone."""

    def holder(self):
        middle = len(self.colors) // 2
        return next((seat for seat in self.seats if middle in self.zone(seat)), None)

    def play(self, move):
        super().play(move)
        if self.holder() is not None:
            self.over, self.turn = True, None

    def scores(self):
        return [float(seat == self.holder()) for seat in self.seats]

    def situation(self):
        return self.turn, tuple(sorted(self.passed)), tuple(self.colors)


def best_margin(game):
    """Return what seat 0 is ahead by with best play of two, found by playing every line."""
    known = {}

    def margin(game):
        if game.over:
            first, second = game.scores()
            return first - second
        key = game.situation()
        if key not in known:
            values = []
            for move in game.legal_moves():
                after = game.copy()
                after.play(move)
                values.append(margin(after))
            known[key] = max(values) if game.turn == 0 else min(values)
        return known[key]

    return margin(game)


def plain_rex(position):
    board = position.board
    adjacency = [board.neighbors_of(vertex).tolist() for vertex in range(board.n)]
    borders = [[int(v) for v in range(board.n) if position.borders[v] == c] for c in (BLACK, 1)]
    return PlainRex(adjacency, *borders, swap=position.pie)


def plain_hill(position):
    board = position.board
    adjacency = [board.neighbors_of(vertex).tolist() for vertex in range(board.n)]
    return PlainHill(adjacency, position.colors.tolist(), position.starts)


def verdict(margin, seat):
    """Return the verdict for a seat of what seat 0 is ahead by."""
    ahead = margin if seat == 0 else -margin
    return "win" if ahead > 0 else "loss" if ahead < 0 else "draw"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "pie", "opening"),
    [
        ("hexagonal:2", False, []),
        ("hexagonal:2", True, []),
        ("hexagonal:3", False, []),
        ("hexagonal:3", False, ["b2"]),
        ("hexagonal:3", False, ["a1"]),
        ("hexagonal:3", True, ["a1"]),
        ("square:2", False, []),
    ],
)
def test_rex_is_solved_by_its_rules(rex, board, pie, opening) -> None:
    position = rex.position(board, pie=pie)
    plain = plain_rex(position)
    for text in opening:
        move = position.parse(text)
        plain.play(SWAP if move == position.swap else move)
        position.play(move)
    found = rex.solving.solve(position, 60)
    assert found.verdict == verdict(best_margin(plain), position.turn)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_hill_is_solved_by_its_rules(hill, seed) -> None:
    position = hill.position("square:3", colors=4, seed=seed)
    found = hill.solving.solve(position, 60)
    assert found.verdict == verdict(best_margin(plain_hill(position)), position.turn)


@pytest.mark.slow
def test_the_suite_passes_both(rex, hill) -> None:
    with rules.interpreted():  # so that nothing is compiled for these games alone
        for game in (rex, hill):
            conformance.check_game(lambda _, game=game: next(game.samples()), games=2)


def test_nothing_that_is_known_of_the_games_is_said_of_their_variants(rex, hill) -> None:
    with rules.interpreted():
        position = rex.position(3)
        assert position.is_variant
        assert rex.solving.first_moves(position) is None
        assert list(rex.strategies) == list(hill.strategies) == list(GENERIC)
