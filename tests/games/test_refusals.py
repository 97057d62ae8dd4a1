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


def test_refused_colors(wording):
    start = path([0, 1, 2, 2, 3, 4])
    limited = path([0, 1, 2, 2, 3, 4], forbidden=[{1, 3}, {0, 5}])
    met = path([0, 0, 0, 4, 4, 4])
    alone = flood.position(PATH, coloring=[0, 1, 0, 1, 0, 1], colors=2, seats=1)
    said = [refused(start, "green"), refused(start, 0), refused(start, 17)]
    said += [refused(limited, "red"), refused(met, "orange"), refused(alone, "pass")]
    met.play("pass")
    assert [*said, refused(met, "blue")] == wording


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


def test_refused_vertices(wording):
    """Stones, openings that stand and are taken, borders, the swap, and what is no vertex."""
    said = [refused(hex.position(4), vertex) for vertex in (0, 6, 36, 37, -1)]
    said.append(refused(hex.position(4, pie=False), 36))
    stones = played("e5", "d5", "e4")
    said += [refused(stones, "e4"), refused(stones, "d5")]
    said += [refused(played("e5"), "e5"), refused(played("e5", "d5"), "e5")]
    said.append(refused(played("e5", "swap"), "e5"))
    taken = played("e5", "swap", "a1")
    said += [refused(taken, "e5"), refused(taken, "a1")]
    said.append(refused(played("c3", "a1", "e2", "b4"), "c3"))
    assert said == wording


def test_vertices_without_coordinates_have_their_number_alone():
    position = hex.position(hex_board(3, "t"))
    vertex = position.legal_moves()[0]
    position.play(vertex)
    assert refused(position, vertex).startswith(f"vertex {vertex} is ")
