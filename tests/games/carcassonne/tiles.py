"""Tiles and decks drawn by hypothesis."""

from hypothesis import strategies as st

from ludograph.games.carcassonne.decks import LONGEST_NAME, Deck, Kind
from ludograph.games.carcassonne.tiles import CENTER, Terrain, Tile


@st.composite
def any_tiles(draw, terrains=tuple(Terrain)) -> Tile:
    """Every tile of some terrains that passes its check."""
    terrain_of = draw(st.lists(st.sampled_from(terrains), min_size=13, max_size=13))
    numbers = draw(st.lists(st.integers(0, 12), min_size=13, max_size=13))
    return Tile(tuple(numbers), tuple(int(terrain_of[number]) for number in numbers))


@st.composite
def sided_tiles(draw, terrains=tuple(Terrain)) -> Tile:
    """Tiles of which each side has one terrain: many of them fit."""
    sides = draw(st.lists(st.sampled_from(terrains), min_size=4, max_size=4))
    of_all = [terrain for terrain in sides for _ in range(3)] + [draw(st.sampled_from(terrains))]
    parts = draw(st.lists(st.integers(0, 2), min_size=13, max_size=13))
    names = {
        pair: number for number, pair in enumerate(sorted(set(zip(of_all, parts, strict=True))))
    }
    numbers = (names[pair] for pair in zip(of_all, parts, strict=True))
    return Tile(tuple(numbers), tuple(map(int, of_all)))


def decks(tiles: st.SearchStrategy[Tile] | None = None) -> st.SearchStrategy[Deck]:
    """Every deck of some kinds that passes its check."""
    tiles = any_tiles() if tiles is None else tiles
    letters = st.characters(codec="utf-8", exclude_categories=["C", "Z"])
    names = st.text(letters, min_size=1, max_size=LONGEST_NAME)
    kinds = st.builds(Kind, names, tiles, st.integers(1, 9))
    return st.builds(
        Deck,
        tiles,
        st.lists(kinds, min_size=1, max_size=8, unique_by=lambda kind: kind.name).map(tuple),
    )


@st.composite
def ornate(draw, tiles) -> Tile:
    """A tile with shields on some castles and perhaps a monastery."""
    tile = draw(tiles)
    castles = {
        number: tile.components.index(number)
        for number, terrain in zip(tile.components, tile.terrains, strict=True)
        if terrain == Terrain.CASTLE
    }
    shields = tuple(vertex for vertex in castles.values() if draw(st.booleans()))
    monastery = tile.terrains[CENTER] == Terrain.FIELD and draw(st.booleans())
    return Tile(tile.components, tile.terrains, shields, monastery)
