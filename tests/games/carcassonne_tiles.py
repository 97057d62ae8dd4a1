"""Tiles and decks drawn by hypothesis."""

from hypothesis import strategies as st

from ludograph.games.carcassonne.decks import LONGEST_NAME, Deck, Kind
from ludograph.games.carcassonne.tiles import Terrain, Tile


@st.composite
def any_tiles(draw) -> Tile:
    """Every tile that passes its check."""
    terrain_of = draw(st.lists(st.sampled_from(list(Terrain)), min_size=13, max_size=13))
    numbers = draw(st.lists(st.integers(0, 12), min_size=13, max_size=13))
    return Tile(tuple(numbers), tuple(int(terrain_of[number]) for number in numbers))


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
