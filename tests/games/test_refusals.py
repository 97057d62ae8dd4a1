"""Refusals in Flood and Hex name the reason, the course's number, our text and what is legal."""

import pytest

from ludograph import IllegalMove, boards, flood, hex
from ludograph.games.hex import hex_board
from ludograph.rules import random_below, random_state


def refused(position, move):
    """Return the sentence by which a move is refused; the position stays as it is."""
    before = position.copy()
    with pytest.raises(IllegalMove) as error:
        position.play(move)
    assert position == before
    return str(error.value)


PATH = boards.from_edges(6, [(vertex, vertex + 1) for vertex in range(5)])
"""Vertices 0 to 5 in a line, one seat on either end."""


def path(colors, **options):
    return flood.position(PATH, coloring=colors, colors=6, starts=[0, 5], **options)


def test_a_color_that_gains_nothing():
    assert refused(path([0, 1, 2, 2, 3, 4]), "green") == (
        "color 2 (green) is not legal for seat 0 at ply 1: "
        "it gains nothing, no vertex of that color touches its zone; legal: red, pass"
    )


def test_the_own_color():
    says = "color 0 (blue) is not legal for seat 0 at ply 1: its zone has that color already; "
    assert refused(path([0, 1, 2, 2, 3, 4]), 0) == f"{says}legal: red, pass"


def test_forbidden_colors():
    start = path([0, 1, 2, 2, 3, 4], forbidden=[{1, 3}, {0, 5}])
    assert refused(start, "red") == (
        "color 1 (red) is not legal for seat 0 at ply 1: forbidden to it: red, yellow; legal: pass"
    )


def test_an_opponents_color():
    position = path([0, 0, 0, 4, 4, 4])
    says = "it is the color of the zone of seat 1, which touches its own; legal: pass"
    assert refused(position, "orange") == (
        f"color 4 (orange) is not legal for seat 0 at ply 1: {says}"
    )
    position.play("pass")
    assert "color 0 (blue) is not legal for seat 1 at ply 2: " in refused(position, "blue")


def test_beyond_the_number_of_colors():
    assert refused(path([0, 1, 2, 2, 3, 4]), 17) == (
        "the code 17 is not legal for seat 0 at ply 1: the colors are 0 to 5; legal: red, pass"
    )


def test_a_pass_of_one_who_plays_alone():
    start = flood.position(PATH, coloring=[0, 1, 0, 1, 0, 1], colors=2, seats=1)
    assert "'pass' is not legal for seat 0 at ply 1: a player alone cannot" in refused(
        start, "pass"
    )


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("forbidden", [0, 2, "same:2"])
def test_every_reason_holds(forbidden, seats):
    """In random games each illegal color is refused for what the board shows."""
    heard = set()
    for seed in range(12):
        position = flood.position(
            boards.square(6), colors=7, forbidden=forbidden, seats=seats, seed=seed
        )
        rng = random_state(seed)
        while not position.is_over:
            legal = position.legal_moves()
            for color in set(range(7)) - set(legal):
                heard.add(holds(position, color, refused(position, color)))
            position.play(legal[random_below(rng, len(legal))])
    assert heard == {"own", "opponent", "nothing"} | ({"forbidden"} if forbidden else set())


def holds(position, color, sentence):
    """Check a refusal's reason against the colors on the board; return its kind."""
    seat = position.turn
    colors, owners = position.colors, position.zones
    near = {
        (int(colors[other]), int(owners[other]))
        for vertex in range(position.board.n)
        if owners[vertex] == seat
        for other in position.board.neighbors_of(vertex).tolist()
        if owners[other] != seat
    }
    if "already" in sentence:
        assert set(colors[owners == seat].tolist()) == {color}
        return "own"
    if "forbidden" in sentence:
        assert color in position.forbidden(seat)
        return "forbidden"
    if "zone of seat" in sentence:
        assert any(
            (color, other) in near and f"zone of seat {other}," in sentence
            for other in range(position.seats)
        )
        return "opponent"
    assert color not in {there for there, _ in near}
    return "nothing"


def test_equal_sets_for_all():
    for seed in range(5):
        equal = flood.position(boards.square(6), forbidden="same:2", seats=3, seed=seed)
        sets = [equal.forbidden(seat) for seat in range(3)]
        assert len(sets[0]) == 2
        assert sets == [sets[0]] * 3


def played(*moves):
    position = hex.position(5)
    for move in moves:
        position.play(move)
    return position


LEGAL = "legal: a1, b1, c1, d1, e1, a2, b2, c2, d2, e2, a3, b3 and"


def test_a_stone_is_there():
    position = played("e5", "d5", "e4")
    assert refused(position, "e4") == (
        "vertex 33 (e4) is not legal for seat 1 at ply 4: "
        f"it is occupied by seat 0's stone, black; {LEGAL} 10 more"
    )
    assert "occupied by its own stone, white; " in refused(position, "d5")


def test_the_opening():
    position = played("e5")
    assert refused(position, "e5") == (
        "vertex 40 (e5) is not legal for seat 1 at ply 2: "
        f"it is occupied by seat 0's opening, black; {LEGAL} 13 more"
    )
    position.play("d5")
    assert "it is occupied by its own opening, black; " in refused(position, "e5")


def test_the_opening_that_was_taken():
    position = played("e5", "swap")
    says = "it is occupied by its own opening, which seat 1 has taken; "
    assert says in refused(position, "e5")
    position.play("a1")
    assert "it is occupied by the opening, which seat 1 has taken; " in refused(position, "e5")
    assert "it is occupied by seat 0's stone, white; " in refused(position, "a1")


def test_legal_moves_are_in_order():
    position = played("c3", "a1", "e2", "b4")
    assert "; legal: b1, c1, d1, e1, a2, b2, c2, d2, a3, b3, d3, e3 and 9 more" in (
        refused(position, "c3")
    )


@pytest.mark.parametrize(
    ("vertex", "says"),
    [
        (0, "vertex 0 is not legal for seat 0 at ply 1: it is a border vertex of black; "),
        (6, "it is a border vertex of white; "),
        (
            36,
            "'swap' is not legal for seat 0 at ply 1: "
            "only the first stone can be swapped, at move 2; ",
        ),
        (37, "the code 37 is not legal for seat 0 at ply 1: the vertices are 0 to 35; "),
        (-1, "the vertices are 0 to 35; "),
    ],
)
def test_no_vertex_to_play_on(vertex, says):
    assert says in refused(hex.position(4), vertex)


def test_vertices_without_coordinates_have_their_number_alone():
    position = hex.position(hex_board(3, "t"))
    vertex = position.legal_moves()[0]
    position.play(vertex)
    assert refused(position, vertex).startswith(f"vertex {vertex} is not legal for seat 1 at ply 2")


def test_without_the_pie_rule():
    position = hex.position(4, pie=False)
    says = "the code 36 is not legal for seat 0 at ply 1: this game is played without the pie rule"
    assert says in refused(position, 36)
