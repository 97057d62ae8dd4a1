"""What C players of Penguins are told, call by call, and what is made of their answers."""

from pathlib import Path

import numpy as np
import pytest

from ludograph import InvalidInput, TimeLeft, boards, penguins
from ludograph.games.dialogue import AnswerFault
from ludograph.games.penguins.native import NO_TILE, Entry, PenguinsLibrary
from ludograph.games.penguins.notation import slides
from ludograph.players import drop_code
from ludograph.rules import random_below, random_state
from tests.games.penguins.boards import BOARDS, tangle

LIBRARY = PenguinsLibrary()
ICE = penguins.board("full-tetra", 3, 2)
FISH = [1, 1, 1, 2, 3, 1]


class Told:
    """A library in Python: it answers what it is given and remembers what it is told."""

    def __init__(self, start, seat, answers=()):
        self.dialogue = LIBRARY.dialogue(start, seat)
        self.calls = []
        self.answers = list(answers)
        self.game = self
        ((name, arguments),) = self.dialogue.opening()
        assert name == "init"
        player, tiles, edges, size, fishes, seats, penguins = arguments
        self.edges = list(zip(*[iter(numbers(edges))] * 2, strict=True))
        self.fishes, self.numbers = numbers(fishes), (player, seats, penguins)
        assert (len(self.edges), len(self.fishes)) == (size, tiles)

    def play(self, moves):
        ((name, (entries, size)),) = self.dialogue.question(moves, TimeLeft())
        assert len(entries) == size
        self.calls.append((name, [tuple(entry) for entry in entries]))
        return self.dialogue.move(list(self.answers.pop(0)))


def numbers(lent):
    return np.frombuffer(lent["lent"], np.int32).tolist()


def test_init_tells_the_whole_game():
    start = penguins.position(ICE, seats=3, penguins=1, fish=FISH)
    told = Told(start, seat=2)
    assert told.numbers == (2, 3, 1)
    assert told.fishes == FISH
    assert told.edges == [
        *((0, NO_TILE), (0, 1), (0, 3), (0, NO_TILE)),  # north, east, south, west
        *((1, NO_TILE), (1, 2), (1, 4), (1, 0)),
        *((2, NO_TILE), (2, NO_TILE), (2, 5), (2, 1)),
        *((3, 0), (3, 4), (3, NO_TILE), (3, NO_TILE)),
        *((4, 1), (4, 5), (4, NO_TILE), (4, 3)),
        *((5, 2), (5, NO_TILE), (5, NO_TILE), (5, 4)),
    ]


@pytest.mark.parametrize("name", BOARDS)
def test_the_edges_are_the_sides_of_the_board(name):
    board = BOARDS[name]
    told = Told(penguins.position(board), seat=0)
    sides = board.sides
    assert [src for src, _ in told.edges] == sides.tiles().tolist()
    assert [dst for _, dst in told.edges] == sides.neighbors.tolist()


def test_what_each_call_is_told():
    """Two seats, two penguins each; the whole game from seat 1."""
    start = penguins.position(penguins.board("full-tetra", 4, 2), penguins=2, fish=[1] * 8)
    told = Told(start, 1, [(1, NO_TILE, 7), (1, NO_TILE, 3), (1, 7, 6), (1, 3, 7)])
    code, game = start.parse, told.game
    assert game.play([0]) == 7
    assert game.play([5]) == 3
    assert game.play([code("0-1")]) == code("7-6")
    assert game.play([code("1-2")]) == code("3-7")
    assert told.calls == [
        ("place", [(0, NO_TILE, 0)]),
        ("place", [(1, NO_TILE, 7), (0, NO_TILE, 5)]),
        ("play", [(1, NO_TILE, 3), (0, 0, 1)]),  # its own last placement, then all since
        ("play", [(1, 7, 6), (0, 1, 2)]),
    ]


def test_the_game_of_the_page():
    """docs/penguins.md shows these calls."""
    start = penguins.position(penguins.board("full-hexa", 5, 3), seats=3, penguins=1, fish=[1] * 15)
    told = Told(start, 1, [(1, NO_TILE, 6), (1, 6, 3), (1, 3, 1)])
    game = start.copy()
    for text in ("8", "6", "0", "8-5", "6-3", "5-10", "3-1"):
        game.play(text)
    assert told.game.play([8]) == 6
    assert told.game.play([0, start.parse("8-5")]) == start.parse("6-3")
    assert told.game.play([start.parse("5-10")]) == start.parse("3-1")
    page = (Path(__file__).parents[3] / "docs" / "penguins.md").read_text()
    answers = [(1, NO_TILE, 6), (1, 6, 3), (1, 3, 1)]
    for (name, entries), answer in zip(told.calls, answers, strict=True):
        shown = " ".join(f"`{Entry(*entry)}`" for entry in entries)
        assert f"| `{name}` | {shown} | `{Entry(*answer)}` |" in page


def test_the_first_call_of_all_is_told_nothing():
    told = Told(penguins.position(ICE, penguins=1, fish=FISH), 0, [(0, NO_TILE, 5)])
    assert told.game.play([]) == 5
    assert told.calls == [("place", [])]


def test_placements_of_others_since_are_told_in_the_first_round_of_play():
    start = penguins.position(penguins.board("full-tetra", 4, 2), seats=3, penguins=1, fish=[1] * 8)
    told = Told(start, 0, [(0, NO_TILE, 0), (0, 0, 1)])
    told.game.play([])
    told.game.play([3, 7])
    assert told.calls[1] == ("play", [(0, NO_TILE, 0), (1, NO_TILE, 3), (2, NO_TILE, 7)])


def test_a_seat_without_a_move_is_not_told():
    """Seat 1 is shut in from the beginning, so seat 0 moves again and again."""
    start = penguins.position(penguins.board("full-tetra", 4, 2), penguins=2, fish=[1] * 8)
    told = Told(start, 0, [(0, NO_TILE, 1), (0, NO_TILE, 5), (0, 1, 2), (0, 2, 3), (0, 5, 6)])
    for moves in ([], [0], [4], [], []):
        told.game.play(moves)
    assert told.calls[1:] == [
        ("place", [(0, NO_TILE, 1), (1, NO_TILE, 0)]),
        ("play", [(0, NO_TILE, 5), (1, NO_TILE, 4)]),
        ("play", [(0, 1, 2)]),
        ("play", [(0, 2, 3)]),
    ]


@pytest.mark.parametrize("gone", [0, 2])
def test_seats_that_never_start_are_not_told(gone):
    start = penguins.position(penguins.board("full-tetra", 4, 2), seats=3, penguins=1, fish=[1] * 8)
    told = Told(start, 1, [(1, NO_TILE, 7), (1, 7, 6), (1, 6, 2)])
    other = 2 - gone
    calls = [[0], ["0-4"]] if other == 0 else [[], [1], ["1-5"]]
    for number, moves in enumerate(calls):
        codes = [start.parse(str(move)) for move in moves]
        told.game.play(codes if number else [drop_code(gone), *codes])
    entries = [entry for _, call in told.calls for entry in call]
    assert {entry[0] for entry in entries} == {1, other}
    assert [entry[0] for entry in entries].count(other) == 2


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_all_that_happens_is_told_once(name, seats):
    """Random games in which seats may be dropped: what the player has heard is what happened."""
    for seed in range(4):
        position = penguins.position(BOARDS[name], seats=seats, penguins=2, seed=seed)
        told, rng = Told(position, seat=1), random_state(seed)
        news, happened, heard, left = [], [], [], seats
        while not position.is_over:
            seat = position.turn
            if seat != 1 and random_below(rng, 20) == 0 and left > 2:
                position.drop(seat)
                news.append(drop_code(seat))
                left -= 1
                continue
            code = position.legal_moves()[random_below(rng, len(position.legal_moves()))]
            *source, target = map(int, position.text(code).partition("/")[0].split("-"))
            move = (seat, source[0] if source else NO_TILE, target)
            if seat == 1:
                told.answers = [move]
                answer = told.game.play(news)
                name_of_call, entries = told.calls[-1]
                heard += entries
                assert heard == happened
                assert name_of_call == ("play" if source else "place")
                assert (
                    position.text(answer).partition("/")[0] == position.text(code).partition("/")[0]
                )
                news, code = [], answer
            else:
                news.append(code)
            happened.append(move)
            position.play(code)


def test_of_two_lines_the_one_that_is_free():
    """On a torus 0 and 2 are joined by 1 and by 3; penguins stand in the way."""
    board = boards.torus(4, 3)
    for blocked in (1, 3):
        start = penguins.position(board, penguins=1, fish=[1] * 12)
        one, other = start.parse("0-2"), start.parse("0-2/2")
        through_1 = start.text(one if 1 in line_of(start, one) else other)
        told = Told(start, 0, [(0, NO_TILE, 0), (0, 0, 2)])
        told.game.play([])
        answer = told.game.play([blocked])
        assert start.text(answer) in ("0-2", "0-2/2")
        assert (start.text(answer) == through_1) == (blocked == 3)


def line_of(position, code):
    """Return the tiles between the ends of a move of two steps."""
    free = dict(slides(position.setup, 0))
    return {free[code - 1]}


def test_boards_whose_lines_the_interface_cannot_tell_are_refused():
    with pytest.raises(InvalidInput, match=r"\btile 0 .*tile 1\b"):
        LIBRARY.check(penguins.position(boards.torus(2, 5), penguins=1))
    refused = 0
    for seed in range(20):
        board = tangle(seed)
        near = [board.sides.neighbors[a:b].tolist() for a, b in spans(board.sides.offsets)]
        doubled = any(len(one) - one.count(NO_TILE) != len(set(one) - {NO_TILE}) for one in near)
        refused += doubled
        if doubled:
            with pytest.raises(InvalidInput, match=r"\btile \d+ .*tile \d+"):
                LIBRARY.check(penguins.position(board, penguins=1))
        else:
            LIBRARY.check(penguins.position(board, penguins=1))
    assert refused
    for board in (*BOARDS.values(), boards.torus(3, 3)):
        LIBRARY.check(penguins.position(board, penguins=1))


def spans(offsets):
    return zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)


PLACE = [
    *((1, NO_TILE, 0), (-1, NO_TILE, 0), (0, 0, 1), (0, NO_TILE, NO_TILE)),
    *((0, NO_TILE, 6), (0, NO_TILE, -2147483648), (0, NO_TILE, 3)),
]
PLAY = [
    *((1, 5, 4), (0, NO_TILE, 4), (0, NO_TILE, NO_TILE), (0, 5, NO_TILE)),
    *((0, 2147483647, 4), (0, 0, 1), (0, 4, 1), (0, 5, 5), (0, 5, 1)),
]


def test_answers_that_are_no_moves_of_penguins(wording):
    start = penguins.position(ICE, penguins=1, fish=FISH)
    said = []
    for placed, answers in (([], PLACE), ([(0, NO_TILE, 5)], PLAY)):
        for answer in answers:
            told = Told(start, 0, [*placed, answer])
            if placed:
                told.game.play([])
            with pytest.raises(AnswerFault) as error:
                told.game.play([0] if placed else [])
            no_tile = any(tile != NO_TILE and not 0 <= tile < 6 for tile in answer[1:])
            assert bool(error.value.illegal) != no_tile  # which names no move
            said.append(str(error.value))
    assert said == wording


def test_entries_read_as_in_c():
    assert str(Entry(3, NO_TILE, 7)) == "{3, NO_TILE, 7}"
