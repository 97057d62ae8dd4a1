"""What strategies think, on pages: told with their moves, and asked for at any step of a game."""

import pytest

from ludograph import make, play_match, read_record
from ludograph.analysis.advice import advisers, position_at
from ludograph.errors import InvalidInput
from ludograph.referee.record_reader import parse_record
from ludograph.views import bitmaps
from ludograph.web.replay import replays
from ludograph.web.replay.replays import ask
from ludograph.web.server import limits
from tests.amounts import plain_in_make_test


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("thinking") / "game.jsonl"
    players = ["mcts:sims=40,connections=off,patterns=off,solver=off,openings=off", "random"]
    with plain_in_make_test():
        play_match(make("hex", size=3, pie=False), players, record=path, thoughts=True)
    return path


@pytest.fixture(scope="module")
def record(path):
    return read_record(path)


def test_the_story_of_a_game_tells_what_was_thought(record) -> None:
    steps = replays.story(record)["steps"]
    first, second = steps[1]["view"], steps[2]["view"]
    assert first["text"].startswith("thinks that ")
    (visits,) = [each for each in first["overlays"] if each["name"] == "moves"]
    assert len(visits["moves"]) > 1
    assert visits["moves"][0]["share"] == 1.0
    assert second is None


def test_the_story_marks_moves_of_the_opening(tmp_path) -> None:
    path = tmp_path / "game.jsonl"
    start = make("hex", size=3, pie=False)
    play_match(start, ["random", "random"], record=path, opening=["a1", "b1"])
    steps = replays.story(read_record(path))["steps"]
    assert [step.get("opening", False) for step in steps[:5]] == [False, True, True, False, False]


def test_the_story_numbers_the_moves_of_players_and_not_those_of_chance(tmp_path) -> None:
    path = tmp_path / "game.jsonl"
    start = make("carcassonne", deck="course:8", rules="course")
    play_match(start, ["random", "random"], seed=2, record=path)
    record = read_record(path)
    steps = replays.story(record)["steps"]
    chance = [step for step in steps[1:] if step["seat"] is None]
    assert chance
    assert all("number" not in step for step in chance)
    numbers = [step["number"] for step in steps[1:] if step["seat"] is not None]
    assert numbers == list(range(1, record.move_count + 1))
    assert len(numbers) + len(chance) == record.plies
    assert [step["moves"] for step in steps[:4]] == [0, 0, 1, 1]
    assert replays.title(path.read_bytes(), []).moves == record.move_count


def test_a_strategy_is_asked_at_any_step(record, monkeypatch) -> None:
    monkeypatch.setattr(limits, "ASKED_SECONDS", 0.05)
    assert advisers(record.start)[0] == "mcts"
    second = position_at(record, 1)
    told = ask(second, "mcts")
    assert told["text"] != record.start.text(record.events[0].move)
    assert told["view"]["text"].startswith("thinks that ")
    solved = ask(second, None)
    assert "with best play" in solved["text"]
    assert "Best line: " in solved["view"]["text"]
    for step, player in (
        (record.plies, None),
        (record.plies, "mcts"),
        (99, "mcts"),
        (0, "random"),
        (0, "./bot.py"),
    ):
        with pytest.raises(InvalidInput):
            ask(position_at(record, step), player)


@pytest.mark.slow
def test_a_game_is_a_moving_picture(path) -> None:
    from io import BytesIO

    from PIL import Image

    record = read_record(path)
    with Image.open(BytesIO(replays.as_gif(path.read_bytes(), None).data)) as image:
        assert image.n_frames == record.plies + 1
        assert max(image.size) == replays.GIF_SIZE
    with Image.open(BytesIO(replays.as_gif(path.read_bytes(), 2).data)) as image:
        assert image.n_frames == 3
    still = bitmaps.png_from_svg(record.svg(0, size=60))
    assert bitmaps.gif_from_pngs([still]).startswith(b"GIF89a")


def test_a_record_ends_before_any_move(path) -> None:
    record = read_record(path)
    for ply in (0, 2, record.plies - 1):
        until = parse_record(replays.as_record(path.read_bytes(), ply).data)
        assert until.position_at(ply).state.tolist() == record.position_at(ply).state.tolist()
        assert until.plies == ply
    assert replays.as_record(path.read_bytes(), record.plies).data == path.read_bytes()


def test_a_long_game_on_a_large_board_has_no_gif(path, monkeypatch) -> None:
    start = read_record(path).svg(0, size=replays.GIF_SIZE)
    monkeypatch.setattr(replays, "MOST_DRAWN", 3 * len(start))
    with pytest.raises(InvalidInput, match=r"\bGIF\b"):
        replays.as_gif(path.read_bytes(), None)
