"""The two built-in decks, against a description of each kind by its sides."""

from collections import Counter
from itertools import combinations

import pytest

from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.decks import (
    CLASSIC,
    GREEN,
    INIT,
    MOST_TILES,
    TINI,
    XROAD,
    Deck,
    Kind,
    classic,
    course,
)
from ludograph.games.carcassonne.options import DeckType
from ludograph.games.carcassonne.tiles import CENTER, Terrain, Tile

SIDES = {"FFF": "F", "FRF": "R", "CCC": "C"}
LETTERS = {Terrain.FIELD: "F", Terrain.ROAD: "R", Terrain.CASTLE: "C"}

# By the letters under which the kinds are known: sides from the north, castles, roads, fields,
# terrain of the center, count (D: one less, it lies first). Where roads meet the center is one
# more road.
KINDS = {
    "A": ("FFRF", 0, 1, 1, "F", 2),
    "B": ("FFFF", 0, 0, 1, "F", 4),
    "C": ("CCCC", 1, 0, 0, "C", 1),
    "D": ("CRFR", 1, 1, 2, "R", 3),
    "E": ("CFFF", 1, 0, 1, "F", 5),
    "F": ("FCFC", 1, 0, 2, "C", 2),
    "G": ("CFCF", 1, 0, 2, "C", 1),
    "H": ("FCFC", 2, 0, 1, "F", 3),
    "I": ("CCFF", 2, 0, 1, "F", 2),
    "J": ("CRRF", 1, 1, 2, "R", 3),
    "K": ("CFRR", 1, 1, 2, "R", 3),
    "L": ("CRRR", 1, 4, 3, "R", 3),
    "M": ("CFFC", 1, 0, 1, "C", 2),
    "N": ("CFFC", 1, 0, 1, "C", 3),
    "O": ("CRRC", 1, 1, 2, "R", 2),
    "P": ("CRRC", 1, 1, 2, "R", 3),
    "Q": ("CCFC", 1, 0, 1, "C", 1),
    "R": ("CCFC", 1, 0, 1, "C", 3),
    "S": ("CCRC", 1, 1, 2, "C", 2),
    "T": ("CCRC", 1, 1, 2, "C", 1),
    "U": ("RFRF", 0, 1, 2, "R", 8),
    "V": ("FFRR", 0, 1, 2, "R", 9),
    "W": ("FRRR", 0, 4, 3, "R", 4),
    "X": ("RRRR", 0, 5, 4, "R", 1),
}
BY_LETTER = dict(zip(KINDS, CLASSIC, strict=True))


def sides(tile: Tile) -> str:
    letters = "".join(LETTERS[Terrain(terrain)] for terrain in tile.terrains[:12])
    return "".join(SIDES[letters[start : start + 3]] for start in range(0, 12, 3))


def components(tile: Tile) -> Counter[str]:
    terrain_of = dict(zip(tile.components, tile.terrains, strict=True))
    return Counter(LETTERS[Terrain(terrain)] for terrain in terrain_of.values())


def turnings(text: str) -> set[str]:
    return {text[start:] + text[:start] for start in range(4)}


@pytest.mark.parametrize("letter", KINDS)
def test_kind(letter: str) -> None:
    described, castles, roads, fields, center, count = KINDS[letter]
    kind = BY_LETTER[letter]
    assert described in turnings(sides(kind.tile))
    found = components(kind.tile)
    assert (found["C"], found["R"], found["F"]) == (castles, roads, fields)
    assert LETTERS[Terrain(kind.tile.terrains[CENTER])] == center
    assert kind.count == count


def test_classic_has_72_tiles_of_24_kinds() -> None:
    deck = classic()
    deck.check()
    assert deck.size == 72
    assert len(deck.kinds) == 24
    assert sum(kind.count for kind in deck.kinds) == 71
    assert deck.first == BY_LETTER["D"].tile
    assert sides(deck.first) == "CRFR"


def test_kinds_of_equal_tiles() -> None:
    """Shields are the only difference between the kinds of these pairs."""

    def same(one: Kind, other: Kind) -> bool:
        return any(one.tile.bare() == turned for _, turned in other.tile.bare().rotations())

    pairs = {a + b for a, b in combinations(BY_LETTER, 2) if same(BY_LETTER[a], BY_LETTER[b])}
    assert pairs == {"FG", "MN", "OP", "QR", "ST"}
    assert not any(BY_LETTER[a].tile == BY_LETTER[b].tile for a, b in combinations(BY_LETTER, 2))


def test_which_tiles_bear_shields_and_monasteries() -> None:
    """Ten shields and six monasteries, as published."""
    shields = {letter: len(kind.tile.shields) for letter, kind in BY_LETTER.items()}
    assert {letter for letter, found in shields.items() if found} == set("CFMOQS")
    assert sum(found * BY_LETTER[letter].count for letter, found in shields.items()) == 10
    cloisters = {letter: kind.count for letter, kind in BY_LETTER.items() if kind.tile.monastery}
    assert cloisters == {"A": 2, "B": 4}


def test_classic_has_tiles_of_the_course() -> None:
    assert BY_LETTER["D"].tile == INIT == TINI.rotated(2)
    assert BY_LETTER["B"].tile.bare() == GREEN
    assert BY_LETTER["X"].tile == XROAD


@pytest.mark.parametrize("letter", KINDS)
def test_tiles_are_flat(letter: str) -> None:
    """No two components cross each other, and a field goes around its corner."""
    numbers = BY_LETTER[letter].tile.components
    for a, b, c, d in combinations(range(12), 4):
        crossing = numbers[a] == numbers[c] and numbers[b] == numbers[d]
        assert not crossing or numbers[a] == numbers[b]
    terrains = BY_LETTER[letter].tile.terrains
    for before, after in ((2, 3), (5, 6), (8, 9), (11, 0)):
        if terrains[before] == terrains[after] == Terrain.FIELD:
            assert numbers[before] == numbers[after]


@pytest.mark.parametrize("letter", KINDS)
def test_tiles_are_written_plainly(letter: str) -> None:
    """Components are numbered in the order of their first vertices."""
    tile = BY_LETTER[letter].tile
    assert tile.relabeled().components == tile.components


@pytest.mark.parametrize("size", [*range(2, 20), 72, 500, MOST_TILES])
def test_course_of_any_size(size: int) -> None:
    deck = course(size)
    deck.check()
    assert deck.size == size
    assert deck.first == INIT
    tiles = {"INIT": INIT, "GREEN": GREEN, "XROAD": XROAD, "TINI": TINI}
    assert all(kind.tile == tiles[kind.name] for kind in deck.kinds)
    counts = dict.fromkeys(tiles, 0) | {kind.name: kind.count for kind in deck.kinds}
    counts["INIT"] += 1
    assert list(counts) == ["INIT", "GREEN", "XROAD", "TINI"]
    assert list(counts.values()) == sorted(counts.values(), reverse=True)
    assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("size", [-1, 0, 1, MOST_TILES + 1])
def test_course_is_no_smaller_nor_larger(size: int) -> None:
    with pytest.raises(InvalidInput, match=f"^carcassonne: a deck has 2 to 10000 .* got {size}$"):
        course(size)


BROKEN = Tile((0,) * 12, (0,) * 13)


@pytest.mark.parametrize(
    ("deck", "named"),
    [
        (Deck(BROKEN, (Kind("a", GREEN, 1),)), r"first\.components: .* 13 "),
        (Deck(GREEN, (Kind("a", BROKEN, 1),)), r"tiles\[0\]\.components: .* 13 "),
        (Deck(GREEN, ()), r"tiles: .* 2 to 10000 .* 1$"),
        (Deck(GREEN, (Kind("a", GREEN, 10000),)), r"tiles: .* 2 to 10000 "),
        (Deck(GREEN, (Kind("a", GREEN, 0),)), r"tiles\[0\]\.count: .* 1, .* 0$"),
        (Deck(GREEN, (Kind("", GREEN, 1),)), r"tiles\[0\]\.name: .* 1 to 40 "),
        (Deck(GREEN, (Kind("a\n", GREEN, 1),)), r"tiles\[0\]\.name: .* 1 to 40 "),
        (Deck(GREEN, (Kind("a" * 41, GREEN, 1),)), r"tiles\[0\]\.name: .* 1 to 40 "),
        (
            Deck(GREEN, (Kind("a", GREEN, 1), Kind("b", INIT, 1), Kind("a", XROAD, 1))),
            r"tiles\[2\]\.name: 'a' .*\btiles\[0\]$",
        ),
    ],
)
def test_what_is_no_deck(deck: Deck, named: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{named}"):
        deck.check()


@pytest.mark.parametrize("text", ["classic", "course:2", "course:72", "course:100"])
def test_the_text_of_a_deck_means_the_same_deck(text: str) -> None:
    assert DeckType().to_text(DeckType().parse(text)) == text
