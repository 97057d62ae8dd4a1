"""Seeds: the same one brings the same luck, and nothing that follows from one leads back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph import InvalidInput, boards, carcassonne, flood, play_match, play_series, read_record
from ludograph.referee.seed import Seed, as_seed, player_seed

DRAWN = Seed.drawn  # as it is outside of tests, which draw the same secrets each time
KEYS = st.binary(min_size=16, max_size=16).map(lambda key: Seed.parse(key.hex()))


@given(KEYS)
def test_a_text_is_read_as_it_is_written(seed):
    assert Seed.parse(str(seed)) == seed
    assert re.fullmatch("[0-9a-f]{32}", str(seed))
    assert as_seed("seed", seed.data) == seed
    assert str(seed) not in repr(seed)


@given(st.integers(-(2**63), 2**64))
def test_numbers_are_seeds(number):
    assert Seed.parse(str(number)) == Seed(number) == as_seed("seed", number)
    assert Seed(number).start(3) == number + 3


@given(KEYS, st.integers(0, 99))
def test_what_follows_from_a_seed_is_independent(seed, number):
    """Each purpose has luck of its own; the same one always the same."""
    purposes = [("draw", number), ("draw", number + 1), ("player", number), ("start", number)]
    rngs = {int(seed.rng(*purpose)[0]) for purpose in purposes}
    assert len(rngs) == len(purposes)
    assert seed.child("game", number) == seed.child("game", number)
    assert seed.child("game", number) not in (seed, seed.child("chance", number))
    assert 0 <= seed.whole("start", number) < 2**63
    assert player_seed(seed, 0) != player_seed(seed, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7.5",
        "x" * 32,
        " " * 32,
        "00 " * 10 + "00",
        "0" * 31 + "\n",
        "0" * 21,
        "abc",
        "--1",
        "٣",
        "0x10",
    ],
)
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidInput, match=r"^a seed .* 32 "):
        Seed.parse(text)


def test_keys_are_drawn():
    seeds = {DRAWN() for _ in range(100)}
    assert len({str(seed) for seed in seeds}) == 100
    assert all(seed.number is None and len(seed.key) == 16 for seed in seeds)


def test_without_a_seed_each_match_has_a_secret_of_its_own(tmp_path):
    start = carcassonne.position(deck="course")
    path = tmp_path / "game.jsonl"
    one, other = (play_match(start, ["random", "random"], record=path) for _ in range(2))
    assert one.seed != other.seed
    assert [m.move for m in one.moves] != [m.move for m in other.moves]
    again = play_match(start, ["random", "random"], seed=str(other.seed))
    assert [m.move for m in again.moves] == [m.move for m in other.moves]
    assert [m.move for m in read_record(path).rematch().moves] == [m.move for m in other.moves]


def test_a_key_is_in_no_record_before_the_game_has_ended(tmp_path):
    path = tmp_path / "game.jsonl"
    during = []

    def look(position, played):
        during.append(path.read_text())

    start = flood.position(boards.square(4), colors=3, seed=1)
    result = play_match(start, ["random", "random"], record=path, on_move=look)
    assert all(str(result.seed) not in text for text in during)
    assert read_record(path).seed_of("seed") == str(result.seed)
    numbered = play_match(start, ["random", "random"], record=path, seed=5)
    assert numbered.seed == Seed(5)
    assert read_record(path).header["seed"] == read_record(path).seed_of("seed") == 5


def test_draws_do_not_depend_on_what_was_drawn():
    """The tiles of two games with one seed are dealt alike, however many moves lie between."""
    start = carcassonne.position(deck="course")
    games = [play_match(start, [name, name], seed=3) for name in ("random", "greedy")]
    tiles = [[m.move for m in game.moves if m.seat is None] for game in games]
    both = min(map(len, tiles))
    assert both > 5
    assert tiles[0][:both] == tiles[1][:both]


def test_the_games_of_a_series_have_seeds_of_their_own():
    def position(number):
        return carcassonne.position(deck="course")

    seen = []

    def on_game(number, result, seating):
        tiles = tuple(m.move for m in result.moves if m.seat is None)
        seen.append((result.seed, result.chance_seed, tiles))

    play_series(position, ["random", "random"], 4, on_game=on_game, seed=9)
    assert len({seed for seed, _, _ in seen}) == 4
    assert [seen[0][1], seen[2][1]] == [seen[1][1], seen[3][1]]  # both seatings are dealt alike
    assert seen[0][1] != seen[2][1]
    assert seen[0][2][:5] == seen[1][2][:5] != seen[2][2][:5]


@pytest.mark.parametrize("line", ['"seed":7', '"seed":"7x"', '"chance_seed":{}'])
def test_a_wrong_seed_at_the_end_of_a_record_is_refused(tmp_path, line):
    path = tmp_path / "game.jsonl"
    start = flood.position(boards.square(4), colors=3, seed=1)
    play_match(start, ["random", "random"], record=path)
    text = path.read_text()
    path.write_text(re.sub(r'"seed":"[0-9a-f]{32}"', line, text))
    with pytest.raises(InvalidInput, match=r"game.jsonl: line \d+"):
        read_record(path)
