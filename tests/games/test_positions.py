"""Positions of all games: copies and restored ones, what is read from them, moves as text."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from ludograph import (
    IllegalMove,
    InvalidInput,
    amazons,
    boards,
    carcassonne,
    flood,
    hex,
    penguins,
    play_match,
    rules,
)
from ludograph.games import Position
from ludograph.games.carcassonne.decks import course
from ludograph.games.hex import hex_board
from ludograph.games.position import holds_the_same
from ludograph.games.registry import OURS, game
from ludograph.rules import random_state
from ludograph.rules.observer import Observer
from tests.amounts import slow_but
from tests.games.amazons.boards import lines_of
from tests.games.penguins.boards import BOARDS
from tests.games.test_references import quickly

pytestmark = pytest.mark.every_case


def begun(name: str) -> Position:
    """Return a position after some moves."""
    position, luck = next(iter(game(name).samples())), random_state(1)
    for _ in range(4):
        position.play_random(luck)
    return position


@pytest.mark.parametrize("name", OURS)
def test_copies_and_restored_games_are_of_the_same_kind(name: str) -> None:
    position = begun(name)
    twin, before = position.copy(), position.copy()
    restored = position.game.restore(position.board, position.game.describe(position))
    assert type(twin) is type(restored) is type(position)
    twin.play_random(random_state(2))
    assert twin != position == before
    for move in position.history:
        restored.play(move)
    assert restored == position
    assert read_from(restored).keys() == read_from(position).keys()
    for what, value in read_from(position).items():
        assert np.array_equal(read_from(restored)[what], value), what


@pytest.mark.parametrize("name", OURS)
def test_what_is_read_cannot_change_the_game(name: str) -> None:
    position = begun(name)
    before = position.copy()
    for value in read_from(position).values():
        if isinstance(value, np.ndarray) and value.flags.writeable:
            value[...] = 1
        elif isinstance(value, list):
            value.clear()
    assert position == before
    assert str(position) == str(before)


def read_from(position: Position) -> dict[str, Any]:
    """Return the properties of a position's own type."""
    own = vars(type(position))
    public = [name for name in own if isinstance(own[name], property) and name[0] != "_"]
    return {name: getattr(position, name) for name in public}


@pytest.mark.parametrize("name", OURS)
def test_players_are_shown_positions_of_the_game(name: str) -> None:
    seen = set()

    def choose(position: Position) -> int:
        seen.add(type(position))
        return position.legal_moves()[0]

    start = next(iter(game(name).samples()))
    play_match(start, [choose] * start.seats)
    assert seen == {type(start)}


def cheat(position: Position) -> int:
    return 10**6


@pytest.mark.parametrize("name", [name for name in OURS if game(name).declaration.seats[1] > 2])
def test_an_illegal_move_eliminates_and_the_game_goes_on(name: str) -> None:
    result = play_match(game(name).position(seats=3, seed=1), ["random", cheat, "random"])
    assert result.outcome.ranks[1] == 3
    assert result.outcome.scores[1] == -1.0
    assert sorted(result.outcome.ranks) in ([1, 2, 3], [1, 1, 3])
    assert "none (out)" in result.sentence
    assert result.position.is_over


class Texts(NamedTuple):
    """Codes to try, and of how many of them there are texts; None if that is not known."""

    start: Position
    codes: Iterable[int]
    count: int | None


def all_texts() -> Iterator[tuple[str, Texts]]:
    queens = amazons.position("square:4", queens=1)
    lines = [[tile for line in one for tile in line] for one in lines_of(queens.board)]
    count = sum(len(lines[target]) for targets in lines for target in targets)
    yield "amazons", Texts(queens, range(16**3 + 16), count)
    for mode in range(3):
        start, rng = carcassonne.position(mode=mode), random.Random(mode)
        codes = [rng.randrange(limit) for limit in (400_000, 2**31) for _ in range(100)]
        yield f"carcassonne, mode {mode}", Texts(start, codes, None)
    yield "flood", Texts(flood.position(4, colors=5), range(10), 6)
    for kind in "hct":
        stones = hex.position(hex_board(4, kind))
        yield f"hex {kind}", Texts(stones, range(stones.swap + 5), stones.setup.free.size + 1)
    for name, board in {**BOARDS, "torus 4": boards.torus(4)}.items():
        ice = penguins.position(board, penguins=2)
        slides = len(boards.all_lines(board.sides)[1])
        codes = range(board.n + (ice.setup.tiles.size << ice.setup.shift))
        yield f"penguins {name}", Texts(ice, codes, slides + int((ice.setup.fish == 1).sum()))


TEXTS = dict(all_texts())


QUICK = [name for name in TEXTS if "penguins" not in name or name == "penguins torus 4"]


@pytest.mark.parametrize("name", quickly(TEXTS, QUICK))
def test_every_code_that_has_a_text_is_parsed_back(name: str) -> None:
    start, codes, count = TEXTS[name]
    texts = []
    for code in codes:
        try:
            texts.append(start.text(code))
        except IllegalMove:
            continue
        assert start.parse(texts[-1]) == code
        assert start.parse(f" {texts[-1]} ") == code
    assert count is None or len(set(texts)) == len(texts) == count


WRONG: dict[str, tuple[Position, dict[str, str]]] = {
    "amazons": (
        amazons.position(),
        dict.fromkeys(
            (
                *("", "d1", "d1-d7", "d1-d7-g7", "d1-d7/k7", "d1-d7/g0", "d1-d7/g11", "d1-e3/e4"),
                *("d1-d7/e9", "d1-d1/d2", "d1-d2/d2", "01-02/03", "d01-d7/g7", "d1-d7/g7/a1"),
                "ä1-d7/g7",
            ),
            ".",
        ),
    ),
    "carcassonne": (
        carcassonne.position(deck="course", mode="finite"),
        {
            "72,0 r0": r"\b72,0 .*-71\b.* 71$",
            "0,-999999999 r0": r"\b0,-999999999 .*-71\b.* 71$",
            "deal x": "'x'",
            **{
                text: f"'{text}'"
                for text in (
                    *("deal", "", "0,0", "0,0 r4", "0,0 r0 m13", "-0,1 r0", "01,1 r0"),
                    *("1,1  r0", "٣,0 r0"),
                )
            },
        },
    ),
    "carcassonne without meeples": (
        carcassonne.position(deck=course(72)),
        {"0,1 r0 m0": r"'0,1 r0 m0' .*meeple"},
    ),
    "hex": (
        hex.position(11),
        dict.fromkeys(
            ("a0", "a01", "l1", "a12", "v13", "a", "1", "aa1", "á1", "a1 b2"), "a1 to k11"
        ),
    ),
    "hex of triangles": (
        hex.position(hex_board(4, "t")),
        dict.fromkeys(("v0", "a1", "v017", "v96", "v"), "v"),
    ),
    "hex without the pie rule": (hex.position(3, pie=False), {"swap": "pie"}),
    "penguins": (
        penguins.position(boards.square(4), penguins=1, fish=[1] * 8 + [2] * 8),
        {
            "8": "tile 8 has 2 fish",
            "16": "no tile 16, the board has 16",
            "3-16": "no tile 16",
            "0-6": "no straight line leads from 0 to 6",
            "0-0": "no straight line",
            "0-1/2": "no straight line number 2",
            **dict.fromkeys(
                ("", "a", "0-", "-1", "07", "0-1/1", "0-1/0", "0 1", "٣", "9" * 99), "is no"
            ),
        },
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_text_of_a_move_is_refused(name: str) -> None:
    position, texts = WRONG[name]
    for text, named in texts.items():
        for door in (position.parse, position.play):
            with pytest.raises(IllegalMove, match=named):
                door(text)


def history_of(name: str) -> list[Position]:
    """Return the first positions of a random game."""
    position, rng = next(iter(game(name).samples())), random_state(3)
    seen = [position.copy()]
    while not position.is_over and len(seen) < 10:
        position.play_random(rng)
        seen.append(position.copy())
    return seen


@pytest.mark.parametrize("name", slow_but(["hex", "carcassonne"], OURS))
def test_what_was_played_is_taken_back(name: str) -> None:
    *seen, position = history_of(name)
    for before in reversed(seen):
        last = position.history[-1]
        assert position.undo() == last
        assert position == before
        assert (position.history, position.move_count) == (before.history, before.move_count)
        assert position.key() == before.key()
    with pytest.raises(InvalidInput, match="undo"):
        position.undo()


def test_only_known_moves_are_taken_back() -> None:
    second = history_of("hex")[1]
    second.state = second.state.copy()
    with pytest.raises(InvalidInput, match="undo"):
        second.undo()
    given = second.copy()
    given.play_random(random_state(1))
    by_kernel = given.copy()
    given.undo()
    assert given == second
    rules.play(by_kernel.setup, by_kernel.state, by_kernel.legal_moves()[0])
    left = by_kernel.copy()
    with pytest.raises(InvalidInput, match="undo"):
        by_kernel.undo()
    assert by_kernel == left
    dropped = flood.position(5, seats=3, seed=1)
    dropped.play(dropped.legal_moves()[0])
    dropped.drop(1)
    dropped.play(dropped.legal_moves()[0])
    with pytest.raises(InvalidInput, match="undo"):
        dropped.undo()


@pytest.mark.parametrize("name", slow_but(["hex", "carcassonne"], OURS))
def test_a_position_is_observed_as_a_batch_of_one(name: str) -> None:
    for position in history_of(name):
        observer = Observer(position.setup, 1)
        observer.observe(position.setup, position.state[None, :], 0)
        seen, turn = position.observe(), position.turn
        for seat in range(position.seats):
            assert position.observe(seat)["action_mask"].any() == (seat == turn)
        if turn is not None:
            assert all(np.array_equal(seen[each], observer.arrays[each][0]) for each in seen)
            with rules.interpreted():
                slowly = position.observe()
            assert all(np.array_equal(seen[each], slowly[each]) for each in seen)
    with pytest.raises(InvalidInput, match="seats are"):
        position.observe(position.seats)


def test_a_setup_within_a_setup_is_compared_by_what_it_holds() -> None:
    inner = np.arange(3), np.arange(2)
    assert holds_the_same((inner, 1), ((np.arange(3), np.arange(2)), 1))
    assert not holds_the_same((inner, 1), ((np.arange(3), np.array([0, 5])), 1))
    assert not holds_the_same((inner, 1), (inner, 2))
    assert not holds_the_same((inner,), (inner, 1))
