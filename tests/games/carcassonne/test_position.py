"""What is read from a position of Carcassonne, in games by hand and in random ones."""

from ludograph import carcassonne
from ludograph.games.carcassonne import (
    Deck,
    Kind,
    PlacedTile,
    Placement,
    Terrain,
    Tile,
)
from ludograph.games.carcassonne.decks import GREEN, INIT, TINI


def test_a_game_by_hand() -> None:
    position = carcassonne.position(deck=Deck(INIT, (Kind("TINI", TINI, 3),)), mode="finite")
    assert position.mode == "FINITE_MEEPLE"
    assert position.dealt is None
    assert position.last_move is None
    assert position.remaining == {"TINI": 3}
    assert position.tiles == [PlacedTile(0, 0, None, 0, INIT)]
    position.play("deal TINI")
    assert position.dealt == Kind("TINI", TINI, 3)
    assert position.remaining == {"TINI": 2}
    position.play("0,1 r0 m6")
    castle = tuple(vertex in (6, 7, 8) for vertex in range(13))
    first = tuple(vertex in (0, 1, 2) for vertex in range(13))
    closed = [placed.closed for placed in position.tiles]
    assert closed == [first, castle]
    assert position.tiles[1].meeple is None  # it came back: the castle is closed
    assert position.meeples(0) == 7
    position.play("deal TINI")
    assert position.next_seat == 1
    position.play("1,1 r0 m0")
    placed = position.tiles[-1]
    assert (placed.x, placed.y, placed.kind, placed.quarters) == (1, 1, "TINI", 0)
    assert placed.meeple == (1, 0)
    assert [position.meeples(seat) for seat in (0, 1)] == [7, 6]
    assert position.placement(position.last_move) == Placement(1, 1, 0, 0)


def test_a_turned_tile_is_told_as_it_lies() -> None:
    position = carcassonne.position(deck=Deck(GREEN, (Kind("INIT", INIT, 1),)))
    position.play("deal INIT")
    position.play("1,0 r1")
    placed = position.tiles[-1]
    assert placed.quarters == 1
    assert placed.tile.side(1) == (Terrain.CASTLE,) * 3  # what was in the north
    names = [placed.tile.terrain_name(vertex) for vertex in (3, 7, 9)]
    assert names == ["castle", "road", "field"]
    assert placed.tile.components == INIT.rotated(1).components


def test_positions_of_different_decks_differ_where_no_rule_does() -> None:
    """Two terrains that are worth nothing."""
    one, other = (
        carcassonne.position(deck=Deck(GREEN, (Kind("any", Tile((0,) * 13, (terrain,) * 13), 1),)))
        for terrain in (Terrain.BLUE, Terrain.PURPLE)
    )
    assert one != other
    assert one == one.copy()
