"""Hex for three, an example of a game of its own, is played as a plain second writing plays it."""

import importlib
import sys
from collections import Counter

import pytest

from ludograph import IllegalMove, InvalidInput, boards, conformance, rules
from tests.amounts import few
from tests.cli.installed import EXAMPLES
from tests.games.test_references import play_both

COLORS = ("red", "green", "blue")


@pytest.fixture(scope="module", autouse=True)
def importable():
    """The package stands where Python finds it."""
    sys.path.insert(0, str(EXAMPLES / "hex_for_three"))
    yield
    sys.path.remove(str(EXAMPLES / "hex_for_three"))


@pytest.fixture
def hex3():
    return importlib.import_module("hex3.game").hex3


@pytest.fixture
def interpreted():
    """Run the rules as plain Python, so that nothing is compiled for this game alone."""
    with rules.interpreted():
        yield


class PlainHex3:
    """Hex for three on any graph, written with sets; nothing is remembered but stones and seats.

    It is driven as the references of the games are, see ``tests/games/twins.py``.
    """

    def __init__(self, board):
        self.near = [set(board.neighbors_of(vertex).tolist()) for vertex in range(board.n)]
        self.borders = [set(board.marks[color].tolist()) for color in COLORS]
        self.stones = [set(), set(), set()]
        self.free = set(range(board.n)) - set().union(*self.borders)
        self.inside = [0, 1, 2]  # the seats that are not out
        self.turn = 0
        self.winner = None

    @property
    def over(self):
        return self.winner is not None

    @property
    def dropped(self):
        return {0, 1, 2} - set(self.inside)

    def moves(self):
        return [] if self.over else sorted(self.free)

    def scores(self):
        return [float(seat == self.winner) for seat in range(3)]

    def told(self):
        return {"the room of the walk is left clean": True}

    def seen(self, position):
        room = position.state[-position.board.n :]
        return {"the room of the walk is left clean": not room.any()}

    def joins(self, seat, more=frozenset()):
        """Tell whether a seat's cells, and some more, join its two borders."""
        usable = self.borders[seat] | self.stones[seat] | more
        return self.reached({min(self.borders[seat])}, usable) >= self.borders[seat]

    def reached(self, found, usable):
        while True:
            larger = found | {v for u in found for v in self.near[u] if v in usable}
            if larger == found:
                return found
            found = larger

    def play(self, vertex):
        seat = self.last = self.turn
        self.free.remove(vertex)
        self.stones[seat].add(vertex)
        if self.joins(seat):
            self.winner = seat
        self.inside = [each for each in self.inside if self.joins(each, self.free)]
        self.go_on()

    def drop(self, seat):
        self.inside.remove(seat)
        if self.turn == seat or len(self.inside) == 1:
            self.go_on()

    def go_on(self):
        if len(self.inside) == 1:
            self.winner = self.inside[0]
        later = [(self.turn + step) % 3 for step in (1, 2, 3)]
        self.turn = next(seat for seat in later if seat in self.inside)
        if self.winner is not None:
            self.turn = None

    def copy(self):
        other = object.__new__(PlainHex3)
        other.__dict__ = dict(self.__dict__)
        other.stones = [set(stones) for stones in self.stones]
        other.free, other.inside = set(self.free), list(self.inside)
        return other


def squares():
    """Squares, where a full board need not join anything; blue has two single vertices inside."""
    board = boards.square(6)
    marks = {"red": [1, 2, 3, 4, 31, 32, 33, 34], "green": [6, 12, 18, 24, 11, 17, 23, 29]}
    return board.with_marks({**marks, "blue": [14, 21]})


def crossing():
    """A graph that cannot be drawn in the plane: all join at once without cutting the others."""
    edges = [(border, inner) for border in range(6) for inner in range(6, 12)]
    marks = {"red": [0, 1], "green": [2, 3], "blue": [4, 5]}
    return boards.from_edges(12, edges, marks=marks)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    "board",
    ["hexagon:1", "hexagon:2", "hexagon:3", "hexagon:4", squares, crossing],
    ids=lambda board: board if isinstance(board, str) else board.__name__,
)
def test_random_games_are_those_of_the_plain_writing(hex3, board) -> None:
    start = hex3.position(board if isinstance(board, str) else board())
    for seed in range(few(6, 30)):
        position = start.copy()
        slow = PlainHex3(start.board)
        winner = play_both(position, seed, slow=slow)
        assert winner == slow.last  # one winner always, and it moved last


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(6))
def test_a_seat_that_is_dropped_is_out_and_the_others_go_on(hex3, seed) -> None:
    position = hex3.position("hexagon:3")
    slow = PlainHex3(position.board)
    winner = play_both(position, seed, slow=slow, drops=0.2)
    assert winner not in slow.dropped


def ends(position):
    """Return how many lines end with the win of each seat."""
    found = Counter()
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        found += Counter([after.outcome().winner]) if after.is_over else ends(after)
    return found


def plain_ends(plain):
    """The same by the plain writing."""
    found = Counter()
    for move in plain.free:
        after = plain.copy()
        after.play(move)
        found += Counter([after.winner]) if after.turn is None else plain_ends(after)
    return found


@pytest.mark.slow
def test_all_lines_of_the_small_board_end_as_by_the_plain_writing(hex3) -> None:
    position = hex3.position("hexagon:2")
    assert ends(position) == plain_ends(PlainHex3(position.board))


@pytest.mark.usefixtures("interpreted")
def test_who_is_cut_off_is_out_and_moves_no_more(hex3) -> None:
    """Red and green stones cut blue's top off."""
    position = hex3.position("hexagon:2")
    named = position.game.presentation.seat_facts
    assert [named(position, seat).color for seat in range(3)] == list(COLORS)
    top = sorted(position.legal_moves())[:2]
    position.play(top[0])
    assert named(position, 2).stuck == ""
    position.play(top[1])
    assert named(position, 2).stuck
    assert position.turn == 0
    position.play(position.legal_moves()[-1])
    assert position.turn == 1  # blue, between both, is left out
    with pytest.raises(IllegalMove, match=r"\b0\b.*\bblue\b"):
        position.play(0)


BAD = [
    ({"red": [0]}, "the mark red must be two connected chains, got 1"),
    ({"red": [0, 4]}, "the mark green must be two connected chains, got 0"),
    ({"red": [0, 4], "green": [4, 20]}, "a vertex has the mark green and another one"),
]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("marks", "sentence"), BAD)
def test_a_board_without_its_borders_is_refused_in_a_sentence(hex3, marks, sentence) -> None:
    with pytest.raises(InvalidInput, match=f"^hex3: {sentence}$"):
        hex3.position(boards.square(5).with_marks(marks))


@pytest.mark.usefixtures("interpreted")
def test_a_board_on_which_a_seat_is_cut_off_from_the_start_is_refused(hex3) -> None:
    marks = {"red": [0, 24], "green": [1, 6, 5, 9], "blue": [20, 22]}
    with pytest.raises(InvalidInput, match=r"^hex3: .*\bred$"):
        hex3.position(boards.square(5).with_marks(marks))
    with pytest.raises(InvalidInput, match=r"^hex3: .*\b3x4$"):
        hex3.position("hexagon:3x4")
    with pytest.raises(InvalidInput, match=r"^hex3: .*\b0$"):
        hex3.position("hexagon:0")


def test_the_suite_passes(hex3) -> None:
    with rules.interpreted():
        conformance.check_game(lambda _: next(hex3.samples()), games=2)
