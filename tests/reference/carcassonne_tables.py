"""Some tiles, and games with them in which a test deals as it likes."""

from tests.reference.carcassonne import ReferenceCarcassonne
from tests.reference.carcassonne_world import turned


def tile(components, terrains):
    numbers = [int(digit) for digit in components.replace(" ", "")]
    return numbers, ["FRBC".index(terrains[number]) for number in numbers]


TILES = {  # sides from the north
    "init": tile("000 123 333 321 2", "CFRF"),  # castle, road, field, road
    "tini": tile("000 012 333 210 1", "FRFC"),  # field, road, castle, road
    "field": tile("000 000 000 000 0", "F"),
    "cross": tile("012 234 456 670 8", "FRFRFRFRR"),  # four roads that end
    "cap": tile("000 111 111 111 1", "CF"),  # castle, three fields
    "way": tile("000 111 000 222 0", "CFF"),  # castle from north to south
    "three": tile("000 000 111 000 0", "CF"),  # castle, but for a field in the south
    "full": tile("000 000 000 000 0", "C"),
    "curve": tile("000 000 012 210 1", "FRF"),  # road from south to west
    "straight": tile("012 222 210 000 1", "FRF"),  # road from north to south
    "end": tile("000 000 010 000 0", "FR"),  # road that ends, in the south
    "pond": tile("000 111 111 111 1", "BF"),  # water, three fields
}
KINDS = list(TILES)


def game(first, *, turns=0, counts=None, **options):
    """A game with nine tiles of every kind, or so many of some."""
    left = [9 if counts is None else counts.get(kind, 0) for kind in KINDS]
    return ReferenceCarcassonne(turned(TILES[first], turns), list(TILES.values()), left, **options)


def put(playing, kind, x, y, quarters=0, meeple=None):
    """Deal a tile and place it."""
    playing.deal(KINDS.index(kind))
    playing.play(x, y, quarters, meeple)


def moves_at(playing, kind, x, y, quarters):
    """The meeples of the moves there, were this tile dealt."""
    other = playing.copy()
    other.deal(KINDS.index(kind))
    return [move[3] for move in other.legal_moves() if move[:3] == (x, y, quarters)]
