"""What C players of Carcassonne are told, call by call, and what is made of their answers."""

from pathlib import Path

import numpy as np
import pytest

from ludograph import InvalidInput, TimeLeft, carcassonne
from ludograph.games.carcassonne.decks import INIT, TINI, Deck, Kind, classic, course, tile
from ludograph.games.carcassonne.native import NO_CONNECTION, SERVER, CarcassonneLibrary
from ludograph.games.carcassonne.tiles import NN, SS, VERTEX_NAMES, WW, Tile
from ludograph.games.dialogue import AnswerFault

LIBRARY = CarcassonneLibrary()


class Told:
    """A library in Python: it answers what it is given and remembers what it is told."""

    def __init__(self, start, seat, answers=()):
        self.dialogue = LIBRARY.dialogue(start, seat)
        self.game = self
        self.calls = []
        self.answers = list(answers)
        ((name, (self.seat, first, config)),) = self.dialogue.opening()
        assert name == "initialize"
        self.first = self.placement(first)
        self.mode, self.meeples, deck = config
        kind, (tiles, size, capacity) = deck["given"]
        assert (kind, tiles["given"][0], size) == ("struct deck_t", "struct tile_t", capacity)
        shapes = np.frombuffer(tiles["given"][1]["lent"], np.int32).reshape(-1, 2, 13).tolist()
        self.deck = [self.tile(shape) for shape in shapes]
        assert len(self.deck) == size

    def play(self, moves):
        ((name, (previous, dealt)),) = self.dialogue.question(moves, TimeLeft())
        assert name == "play"
        self.calls.append((self.placement(previous), self.tile(dealt)))
        player, x, y, shape, meeple = self.answers.pop(0)
        components, terrains = numbers(shape)
        return self.dialogue.move([player, x, y, *components, *terrains, meeple])

    def placement(self, move):
        player, x, y, shape, meeple = move
        return player, x, y, self.tile(shape), meeple

    @staticmethod
    def tile(told):
        components, terrains = told
        return tuple(components), tuple(terrains)


def numbers(shape):
    return tuple(shape.components), tuple(map(int, shape.terrains))


def test_initialize_tells_the_whole_game():
    start = carcassonne.position(deck=course(7), mode="finite", meeples=4)
    told = Told(start, 1)
    assert (told.seat, told.mode, told.meeples) == (1, 2, 4)
    assert told.first == (SERVER, 0, 0, numbers(INIT), NO_CONNECTION)
    kinds = course(7).kinds
    assert told.deck == [numbers(INIT), *(numbers(k.tile) for k in kinds for _ in range(k.count))]


@pytest.mark.parametrize(("mode", "number"), [("no-meeple", 0), ("infinite", 1)])
def test_meeples_are_counted_only_where_they_are_finite(mode, number):
    told = Told(carcassonne.position(mode=mode, meeples=5), 0)
    assert (told.mode, told.meeples) == (number, 0)
    assert len(told.deck) == classic().size


def test_what_each_call_is_told():
    """The first call of all gets the server's move; seat 1 gets that of seat 0."""
    start = carcassonne.position(deck=course(9), mode="infinite")
    south = numbers(INIT.rotated(2))
    for seat in range(2):
        game = start.copy()
        told = Told(
            start,
            seat,
            [(seat, 0, 1 + seat, (INIT, TINI)[seat].rotated(2 - 2 * seat), NO_CONNECTION)],
        )
        news = [game.parse("deal INIT")]
        game.play("deal INIT")
        if seat == 0:
            assert told.game.play(news) == game.parse("0,1 r2")
            assert told.calls == [((SERVER, 0, 0, numbers(INIT), NO_CONNECTION), numbers(INIT))]
        else:
            for text in ("0,1 r2 m6", "deal GREEN"):
                news.append(game.parse(text))
                game.play(text)
            told.answers = [(1, 0, 2, dict(kinds())["GREEN"], NO_CONNECTION)]
            assert told.game.play(news) == game.parse("0,2 r0")
            ((previous, dealt),) = told.calls
            assert previous == (0, 0, 1, south, 6)
            assert dealt == numbers(dict(kinds())["GREEN"])


def test_the_game_of_the_page():
    """docs/carcassonne.md shows these calls."""
    start, tiles = carcassonne.position(deck=course(9), mode="infinite"), dict(kinds())
    moves = [
        ("INIT", (0, 0, 1, INIT.rotated(2), SS)),
        ("GREEN", (1, 0, 2, tiles["GREEN"], NO_CONNECTION)),
        ("XROAD", (0, 1, 0, tiles["XROAD"], WW)),
    ]
    told = [Told(start, seat, [own for _, own in moves if own[0] == seat]) for seat in range(2)]
    news = [[], []]
    lines = []
    for name, own in moves:
        seat = own[0]
        for one in news:
            one.append(start.parse(f"deal {name}"))
        code = told[seat].game.play(news[seat])
        news[seat] = []
        news[1 - seat].append(code)
        previous, dealt = told[seat].calls[-1]
        assert dealt == numbers(tiles[name])
        who = PLAYERS[seat]
        lines.append(f"| {who} | `{written(previous)}` | `{name}` | `{written(own)}` |")
    page = (Path(__file__).parents[3] / "docs" / "carcassonne.md").read_text()
    assert "\n".join(lines) in page


PLAYERS = {SERVER: "SERVER", 0: "BLACK", 1: "WHITE"}


def written(move):
    """Return a move as the page has it."""
    player, x, y, shape, meeple = move
    shape = shape if isinstance(shape, Tile) else Tile(*shape)
    names = {
        turned: f"{name} r{quarters}" if quarters else name
        for name, plain in reversed(kinds())  # TINI is INIT, turned
        for quarters, turned in plain.rotations()
    }
    vertex = "NO_CONNECTION" if meeple == NO_CONNECTION else VERTEX_NAMES[meeple]
    return f"{{{PLAYERS[player]}, {x}, {y}, {names[shape]}, {vertex}}}"


def kinds():
    return [(kind.name, kind.tile) for kind in course(9).kinds]


def test_of_several_tiles_dealt_it_is_the_last():
    """With `discard`, one that has no place is put away."""
    purple = Kind("PURPLE", Tile((0,) * 13, (4,) * 13), 1)
    deck = Deck(INIT, (purple, Kind("INIT", INIT, 1)))
    start = carcassonne.position(deck=deck, discard=True)
    told = Told(start, 0, [(0, 0, 1, INIT.rotated(2), NO_CONNECTION)])
    told.game.play([start.parse("deal PURPLE"), start.parse("deal INIT")])
    assert told.calls[0][1] == numbers(INIT)


ODD = tile("333 777 111 777 2", "FFFRFFFC")
"""Castle in the south, a road in the north, the center field; numbered in no order."""


def answer(*moves, deck=None, mode="infinite", meeples=1):
    """Return the text of seat 0's last answer; deals and the other seat's moves come between."""
    start = carcassonne.position(deck=deck or course(9), mode=mode, meeples=meeples)
    own = [move for move in moves if not isinstance(move, str)]
    told = Told(start, 0, own)
    news = []
    for move in moves:
        if isinstance(move, str):
            news.append(start.parse(move))
            start.play(news[-1])
        else:
            code = told.game.play(news)
            start.play(code)
            news = []
    return start.text(code)


def test_components_may_be_numbered_otherwise():
    other = Tile(tuple(7 * c + 100 for c in INIT.components), INIT.terrains)
    assert answer("deal INIT", (0, 0, 1, other.rotated(2), NO_CONNECTION)) == "0,1 r2"


def test_the_least_turn_and_the_first_vertex_name_a_move():
    green = dict(kinds())["GREEN"]
    assert answer("deal GREEN", (0, 0, -1, green.rotated(3), 12)) == "0,-1 r0 m0"
    assert answer("deal INIT", (0, 0, 1, INIT.rotated(2), SS)) == "0,1 r2 m6"


CASTLE = INIT.rotated(2)
WRONG = [
    (1, 0, 1, CASTLE, 14),
    (-1, 0, 1, CASTLE, 14),
    (0, 0, 1, ODD, NN),
    (0, 0, 1, Tile((0,) * 13, CASTLE.terrains), 14),
    (0, 0, 0, CASTLE, 14),
    (0, 1, 1, CASTLE, 14),
    (0, 0, 1, INIT, 14),
    (0, 1, 0, INIT.rotated(3), 14),
    (0, 0, 1, CASTLE, 13),
    (0, 0, 1, CASTLE, 15),
    (0, 0, 1, CASTLE, -1),
]


def test_answers_that_are_no_placements(wording):
    said = []
    for move in WRONG:
        with pytest.raises(AnswerFault) as error:
            answer("deal INIT", move)
        assert error.value.illegal
        said.append(str(error.value))
    assert said == wording


@pytest.mark.parametrize("meeple", [0, 12, 13, 14, -1, 15])
def test_where_there_are_no_meeples_the_field_means_nothing(meeple):
    assert answer("deal INIT", (0, 0, 1, CASTLE, meeple), mode="no-meeple") == "0,1 r2"


ROAD = (
    *("deal INIT", (0, 1, 0, INIT, 4)),  # one on the road eastward
    *("deal GREEN", "0,-1 r0 m0"),
    "deal INIT",
)


def test_a_component_with_a_meeple():
    for x in (2, -1):
        with pytest.raises(AnswerFault, match=r"road.* CENTER .*player 0$"):
            answer(*ROAD, (0, x, 0, INIT, 12))
    with pytest.raises(AnswerFault, match=r"field.* SS .*player 1$"):
        answer(*ROAD, (0, 2, 0, INIT, SS))
    assert answer(*ROAD, (0, 2, 0, INIT, NN)) == "2,0 r0 m0"


def test_no_meeple_is_left():
    with pytest.raises(AnswerFault, match=r"player 0 .*meeple"):
        answer(*ROAD, (0, 2, 0, INIT, NN), mode="finite")
    assert answer(*ROAD, (0, 2, 0, INIT, NN), mode="finite", meeples=2) == "2,0 r0 m0"


def test_meeples_come_back():
    """A castle is closed by the very tile that claims it."""
    game = (
        *("deal INIT", (0, 0, 1, CASTLE, SS)),
        *("deal GREEN", "0,2 r0"),
        *("deal INIT", (0, 1, 0, INIT, NN)),
    )
    assert answer(*game, mode="finite") == "1,0 r0 m0"


def test_other_numbers_of_seats_are_refused():
    start = carcassonne.position(seats=4)
    with pytest.raises(InvalidInput, match=r"\b2 seats.*\b4$"):
        LIBRARY.check(start)
