"""What the host tells C players of Penguins, call by call, and what it makes of their answers."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from cffi import FFI

from ludograph import InvalidInput, boards, penguins
from ludograph.games.library import AnswerFault
from ludograph.games.penguins.history import NO_TILE, Entry, History, Lines
from ludograph.games.penguins.native import LIBRARY
from ludograph.games.penguins.notation import ways
from ludograph.players import drop_code
from ludograph.rules import random_below, random_state
from tests.games.penguins_boards import BOARDS, tangle

ICE = penguins.board("full-tetra", 3, 2)
FISH = [1, 1, 1, 2, 3, 1]


class Told:
    """A library in Python: it answers what it is given and remembers what it is told."""

    def __init__(self, start, seat, answers=()):
        self.ffi = FFI()
        self.ffi.cdef(LIBRARY.declarations)
        self.calls = []
        self.answers = list(answers)
        library = SimpleNamespace(
            init=self.init,
            place=lambda told, size: self.answer("place", told, size),
            play=lambda told, size: self.answer("play", told, size),
            done=lambda: self.calls.append("done"),
        )
        self.game = LIBRARY.bind(self.ffi, library, {"libc": None})
        self.game.start(LIBRARY.board_data(start), start.game.describe(start), seat)

    def init(self, player, nb_tiles, edges, size_edges, fishes, nb_players, nb_penguins):
        self.edges = [(edges[k].src, edges[k].dst) for k in range(size_edges)]
        self.fishes = [fishes[v] for v in range(nb_tiles)]
        self.numbers = (player, nb_players, nb_penguins)

    def answer(self, name, told, size):
        assert told != self.ffi.NULL
        entries = [(told[k].player, told[k].src, told[k].dst) for k in range(size)]
        self.calls.append((name, entries))
        return self.ffi.new("struct move *", self.answers.pop(0))[0]


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
    game.finish()
    assert told.calls == [
        ("place", [(0, NO_TILE, 0)]),
        ("place", [(1, NO_TILE, 7), (0, NO_TILE, 5)]),
        ("play", [(1, NO_TILE, 3), (0, 0, 1)]),  # its own last placement, then all since
        ("play", [(1, 7, 6), (0, 1, 2)]),
        "done",
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
    page = (Path(__file__).parents[2] / "docs" / "penguins.md").read_text()
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
    told = Told(start, 1, [(1, NO_TILE, 7), (1, 7, 6)])
    other = 2 - gone
    before = [0] if other == 0 else []
    after = [1] if other == 2 else []
    told.game.play([drop_code(gone), *before])
    told.game.play([*after, start.parse("0-4" if other == 0 else "1-5")])
    entries = [entry for _, call in told.calls for entry in call]
    assert {entry[0] for entry in entries} == {1, other}
    assert [entry[0] for entry in entries].count(other) == 2


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_every_history_is_what_happened(name, seats):
    """Random games in which seats may be dropped, beside what the rules say of each ply."""
    for seed in range(4):
        position = penguins.position(BOARDS[name], seats=seats, penguins=2, seed=seed)
        history = History(Lines(LIBRARY.board_data(position)), seats, 2)
        rng, last, expected, out = random_state(seed), seats - 1, [], set()
        while not position.is_over:
            seat = position.turn
            after_last = [(last + step) % seats for step in range(1, seats + 1)]
            out |= set(after_last[: after_last.index(seat)])
            history.turn_of(seat)
            assert {one for one in range(seats) if history.out[one]} == out
            if random_below(rng, 20) == 0 and len(out) < seats - 2:
                position.drop(seat)
                out.add(seat)
                history.follow([drop_code(seat)])
                continue
            code = position.legal_moves()[random_below(rng, len(position.legal_moves()))]
            *source, target = map(int, position.text(code).split("-"))
            assert history.placing == (not source)
            position.play(code)
            history.follow([code])
            expected.append((seat, source[0] if source else NO_TILE, target))
            assert history.news == expected
            last = seat


@pytest.mark.parametrize("name", BOARDS)
def test_codes_and_ends_are_inverse(name):
    position = penguins.position(BOARDS[name])
    lines = Lines(LIBRARY.board_data(position))
    for source in range(BOARDS[name].n):
        found = dict(ways(position.setup, source))
        for code, target in found.items():
            assert lines.ends(code) == (source, target)
            assert lines.code(source, target, set()) == code
        for target in set(range(BOARDS[name].n)) - set(found.values()):
            assert lines.code(source, target, set()) is None


def test_of_two_lines_the_one_that_is_free():
    position = penguins.position(boards.torus(4, 3))
    lines = Lines(LIBRARY.board_data(position))
    one, other = position.parse("0-2"), position.parse("0-2/2")
    assert lines.code(0, 2, set()) == one
    blocked, free = (1, 3) if lines.code(0, 2, {1}) == other else (3, 1)
    assert lines.code(0, 2, {blocked}) == other
    assert lines.code(0, 2, {free}) == one
    assert lines.code(0, 2, {1, 3}) == one
    assert {lines.ends(code) for code in (one, other)} == {(0, 2)}


def test_boards_whose_lines_the_interface_cannot_tell_are_refused():
    with pytest.raises(InvalidInput, match=r"two sides of tile 0 lead to tile 1\b"):
        LIBRARY.check_board(boards.torus(2, 5))
    refused = 0
    for seed in range(20):
        board = tangle(seed)
        near = [board.sides.neighbors[a:b].tolist() for a, b in spans(board.sides.offsets)]
        doubled = any(len(one) - one.count(NO_TILE) != len(set(one) - {NO_TILE}) for one in near)
        refused += doubled
        if doubled:
            with pytest.raises(InvalidInput, match="two sides of tile"):
                LIBRARY.check_board(board)
        else:
            LIBRARY.check_board(board)
    assert refused
    for board in (*BOARDS.values(), boards.torus(3, 3)):
        LIBRARY.check_board(board)


def spans(offsets):
    return zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)


PLACE = [
    ((1, NO_TILE, 0), "{1, NO_TILE, 0}, but this is player 0"),
    ((-1, NO_TILE, 0), "this is player 0"),
    ((0, 0, 1), "{0, 0, 1}, but the src of a placement is NO_TILE"),
    ((0, NO_TILE, NO_TILE), "{0, NO_TILE, NO_TILE}, but its dst must be a tile"),
    ((0, NO_TILE, 6), "there is no tile 6, the board has 6 tiles"),
    ((0, NO_TILE, -2147483648), "there is no tile -2147483648"),
    ((0, NO_TILE, 3), "tile 3 has 2 fish, penguins are placed on one"),
]
PLAY = [
    ((1, 5, 4), "this is player 0"),
    ((0, NO_TILE, 4), "{0, NO_TILE, 4}, but its src must be a tile"),
    ((0, NO_TILE, NO_TILE), "its src must be a tile"),
    ((0, 5, NO_TILE), "its dst must be a tile"),
    ((0, 2147483647, 4), "there is no tile 2147483647"),
    ((0, 0, 1), "no penguin of player 0 stands on tile 0"),
    ((0, 4, 1), "no penguin of player 0 stands on tile 4"),
    ((0, 5, 5), "no straight line leads from 5 to 5"),
    ((0, 5, 1), "no straight line leads from 5 to 1"),
]


@pytest.mark.parametrize(("answer", "says"), PLACE)
def test_placements_that_are_none(answer, says):
    told = Told(penguins.position(ICE, penguins=1, fish=FISH), 0, [answer])
    with pytest.raises(AnswerFault) as error:
        told.game.play([])
    assert says in str(error.value)
    assert error.value.illegal


@pytest.mark.parametrize(("answer", "says"), PLAY)
def test_moves_that_are_none(answer, says):
    told = Told(penguins.position(ICE, penguins=1, fish=FISH), 0, [(0, NO_TILE, 5), answer])
    told.game.play([])
    with pytest.raises(AnswerFault) as error:
        told.game.play([0])
    assert says in str(error.value)
    assert error.value.illegal


def test_entries_read_as_in_c():
    assert str(Entry(3, NO_TILE, 7)) == "{3, NO_TILE, 7}"
