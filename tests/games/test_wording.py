"""What games say to the people who play them: what is to be done, what moves do, what is wrong."""

import re

import pytest

from ludograph import make
from ludograph.games.interaction import in_words, task, tasks
from ludograph.games.registry import OURS, declaration, load
from ludograph.rules import random_state

POINTED = {
    "amazons": {"board": "square:5", "queens": 1},
    "flood": {"board": "square:5", "colors": 5, "forbidden": 1},
    "hex": {"size": 4},
    "penguins": {"board": "full-hexa:5", "penguins": 2},
}
"""Games whose moves are pointed at by cells, small."""

LATER = " if closed"
"""Where points are told that a claim gives later."""


def visited(start, seed):
    """Yield the positions of a random game."""
    position, luck = start.copy(), random_state(seed)
    while not position.is_over:
        if not position.is_chance:
            yield position
        position.play_random(luck)


@pytest.mark.slow
@pytest.mark.parametrize("name", POINTED)
@pytest.mark.parametrize("seed", range(3))
def test_what_cannot_be_pointed_at_is_objected_to_and_nothing_else(name, seed) -> None:
    start = make(name, **POINTED[name], seed=seed)
    for position in visited(start, seed):
        game = position.game
        ways = [game.interaction.pointed(position, move) for move in position.legal_moves()]
        begun = next((parts for parts in ways if len(parts) > 1), ())
        for chosen in [[], [min(begun[0])]] if begun else [[]]:
            fitting = [
                parts[len(chosen)]
                for parts in ways
                if len(parts) > len(chosen)
                and all(cell in part for cell, part in zip(chosen, parts, strict=False))
            ]
            targets = {cell for part in fitting for cell in part}
            for cell in set(range(position.board.n)) - targets - set(chosen):
                told = game.interaction.why_not_cells(position, [*chosen, cell])
                assert told, (str(position), chosen, cell)
                assert not told.endswith(".")
            if not chosen:
                assert not any(game.interaction.why_not_cells(position, [cell]) for cell in targets)


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_each_game_says_what_is_to_be_done_and_how_it_is_played(name) -> None:
    declared = declaration(name)
    assert len(declared.help.rules) >= 3
    for position in visited(next(iter(load(declared).samples())), 1):
        assert all(said and not said.endswith(".") for said in tasks(position))
        longest = max(
            len(position.game.interaction.pointed(position, m)) for m in position.legal_moves()
        )
        assert len(tasks(position)) >= longest
        assert not position.game.interaction.confirmation(position).endswith(".")


@pytest.mark.parametrize(
    "start",
    [make("hex", size=3), make("hex", "triangular:4"), make("penguins", "full-hexa:4", penguins=2)],
    ids=str,
)
def test_a_piece_that_people_see_before_a_move_stands_there_after_it(start) -> None:
    seen = 0
    for position in visited(start, 1):
        for move in position.legal_moves():
            for sketch in position.game.interaction.put(position, move):
                after = position.copy()
                after.play(move)
                pieces = {(each.shapes, each.place) for each in after.scene().pieces}
                assert (sketch.shapes, sketch.place) in pieces
                seen += 1
    assert seen > 5


@pytest.mark.parametrize("name", OURS)
def test_a_finished_game_says_why_it_has_ended(name) -> None:
    start = make(name, **{"carcassonne": {"deck": "course:8"}}.get(name, {}))
    rng = random_state(1)
    while not start.is_over:
        start.play_random(rng)
    told = start.game.presentation.ending(start)
    assert told
    assert not told.endswith(".")


def test_only_a_pass_is_left(wording) -> None:
    position = make("flood", "square:2", colors=3, coloring=[0, 0, 1, 1])
    position.play("pass")
    assert [task(position)] == wording


def gain(position, move) -> int:
    """Return what a move brings to the seat that plays it."""
    after = position.copy()
    after.play(move)
    return int(after.scores()[position.turn] - position.scores()[position.turn])


@pytest.mark.slow
def test_meeples_claim_what_their_buttons_say(wording) -> None:
    start = make("carcassonne", mode="finite", deck="classic")
    seen = set()
    for position in visited(start, 5):
        said = {}
        for move in position.legal_moves():
            *place, vertex = position.placement(move)
            action = position.game.interaction.action(position, move)
            assert said.setdefault((*place, action), move) == move  # no two buttons are alike
            terrain = vertex is not None and position.dealt.tile.rotated(place[-1]).terrain_name(
                vertex
            )
            assert (f"claim the {terrain}" in action) == (vertex is not None)
            if vertex is not None:  # what the claim adds to what the tile gives
                without = position.parse(position.text(move).rpartition(" ")[0])
                added = gain(position, move) - gain(position, without)
                assert action.endswith(f": {added} points") == (added > 0)
                if action.endswith(LATER):  # as is told of it once it lies there
                    points = action.rpartition(": ")[2].removesuffix(LATER)
                    reached = position.copy()
                    reached.play(move)
                    regions = position.game.presentation.regions(reached)
                    assert any(f": {points} if" in region.text for region in regions)
            seen.add(action)
    assert seen.issuperset(wording)
    assert any(re.search(r"claim the \w+: \d+ points?$", told) for told in seen)


def test_a_move_is_told_in_words_where_its_text_does_not_tell(wording) -> None:
    position = make("hex", size=3)
    position.play("b2")
    said = {position.text(move): in_words(position, move) for move in position.legal_moves()}
    assert [said.pop("swap")] == wording
    assert all(text == words for text, words in said.items())
    flood = make("flood", "square:2", colors=2)
    assert in_words(flood, flood.parse("pass")) == "pass"


def test_without_meeples_the_tile_is_placed(wording) -> None:
    position = next(visited(make("carcassonne", deck="course:8"), 1))
    actions = {position.game.interaction.action(position, m) for m in position.legal_moves()}
    assert [*actions, *(task(position, chosen) for chosen in (0, 1, 2))] == wording


def test_what_a_meeple_has_claimed_is_told(wording) -> None:
    position = make("carcassonne", mode="finite", deck="course:8")
    for move in ("deal XROAD", "1,0 r0 m7"):
        position.play(move)
    assert [position.game.presentation.describe_move(position, position.last_move)] == wording


def test_what_a_tile_closes_and_how_many_are_left_is_told(wording) -> None:
    position = make("carcassonne", mode="finite", deck="course:8")
    said = [position.scene().remains]
    for move in ("deal TINI", "0,1 r0 m4"):
        position.play(move)
        said.append(position.scene().remains)
    presentation = position.game.presentation
    said.append(presentation.describe_move(position, position.last_move))
    said.append(presentation.announce(position, position.last_move))
    assert said == wording


def test_what_a_tile_gives_is_told_before_it_is_placed(wording) -> None:
    position = make("carcassonne", mode="finite", deck="course:8")
    position.play("deal TINI")
    moves = [m for m in position.legal_moves() if position.text(m).startswith("0,1 r0")]
    said = [position.game.interaction.action(position, move) for move in moves]
    assert set(wording) <= set(said)
    for move, told in zip(moves, said, strict=True):
        after = position.copy()
        after.play(move)
        assert (max(after.scores()) == 24) == told.endswith(": 24 points")


def test_who_has_no_meeple_left_is_told_so(wording) -> None:
    position = make("carcassonne", mode="finite", deck="course:8", meeples=1)
    for move in ("deal XROAD", "1,0 r0 m7", "deal XROAD"):
        position.play(move)
    position.play(next(m for m in position.legal_moves() if position.placement(m).vertex is None))
    position.play(position.legal_moves()[0])
    told = {position.game.interaction.action(position, move) for move in position.legal_moves()}
    assert sorted(told) == wording


def test_a_road_of_one_point_is_told_to_be_too_short(wording) -> None:
    position = make("carcassonne", mode="finite", deck="course:8")
    for move in ("deal XROAD", "1,0 r0", "deal XROAD", "2,0 r0 m10"):
        position.play(move)
    assert [position.game.presentation.announce(position, position.last_move)] == wording
    assert position.scores() == (0, 0)


def test_why_a_tile_cannot_go_to_a_place_is_told(wording) -> None:
    position = make("carcassonne", mode="finite", deck="course:8")
    position.play("deal XROAD")
    places = ((0.2, 0.3), (5.0, 0.0), (0.1, -1.2))
    assert [position.game.interaction.why_not_at(position, each) for each in places] == wording


def test_a_hint_of_what_the_board_shows_names_no_tiles(wording) -> None:
    position = make("penguins", "full-hexa:5", penguins=1, seed=2)
    said = []
    for _ in range(3):
        move = position.legal_moves()[0]
        said.append(position.game.interaction.hint(position, move))
        path = position.path(move)
        position.play(move)
    assert len(path) > 1
    assert said == wording
    assert said[-1].endswith(f": {position.fish(path[-1])} fish")
