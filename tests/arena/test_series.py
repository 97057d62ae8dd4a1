"""Series: fair seats on every board, and sums that add up."""

import json

import pytest

from ludograph import InvalidInput, boards, flood, play_series, read_record
from ludograph.arena.playing import referee_plan
from ludograph.arena.series.series import Series, seating_of
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed


def positions(seed, seats=2):
    return flood.position(boards.square(6), colors=6, seats=seats, seed=seed)


@pytest.mark.parametrize("seats", [2, 3])
def test_seats_are_exchanged_on_the_same_board(seats):
    seen = []
    play_series(
        lambda seed: positions(seed, seats),
        ["greedy", "random", "greedy"][:seats],
        2 * seats,
        seed=7,
        on_game=lambda number, result, seating: seen.append((result.position.setup, seating)),
    )
    for pair in range(2):
        games = seen[pair * seats : (pair + 1) * seats]
        colors = {setup.colors.tobytes() for setup, _ in games}
        assert len(colors) == 1
        assert sorted(seating[0] for _, seating in games) == list(range(seats))
    assert seen[0][0].colors.tobytes() != seen[seats][0].colors.tobytes()


def test_a_given_starter():
    assert [seating_of(game, 3, starter=1) for game in range(2)] == [[1, 2, 0], [1, 2, 0]]
    boards_seen = []
    play_series(
        positions,
        ["greedy", "random"],
        3,
        starter=1,
        on_game=lambda n, result, seating: boards_seen.append(
            result.position.setup.colors.tobytes()
        ),
    )
    assert len(set(boards_seen)) == 3


def test_a_starter_by_lot_is_the_same_every_time():
    drawn = [
        Series(positions, ["greedy", "random"], MatchOptions(seed=Seed(7)), "random") for _ in "ab"
    ]
    first, again = ([one.seating(game)[0] for game in range(20)] for one in drawn)
    assert first == again
    assert set(first) == {0, 1}
    with pytest.raises(InvalidInput, match=r"starter .*'random'"):
        Series(positions, ["greedy", "random"], starter="rnadom")


def test_sums():
    series = play_series(positions, ["greedy", "random"], 20, seed=1)
    assert series.games == 20
    assert series.plies == sum(tally.moves for tally in series.players)
    for tally in series.players:
        assert tally.games == 20
        assert tally.mean_seconds > 0
    wins = sum(sum(tally.wins.values()) for tally in series.players)
    draws = {tally.draws for tally in series.players}
    assert wins + draws.pop() == 20
    assert not draws


def test_pairs_are_two_games_of_one_start():
    points = {}

    def note(number, result, seating):
        points[number] = result.outcome.ranks[seating.index(0)] == 1

    series = play_series(positions, ["greedy", "random"], 9, seed=1, on_game=note)
    won = [points[game] + points[game + 1] for game in range(0, 8, 2)]
    assert series.players[0].draws == 0
    assert series.pairs == (won.count(2), won.count(0), won.count(1))
    assert series.pairs.total == 4
    assert "pairs won" in str(series)


@pytest.mark.parametrize(
    ("players", "starter"), [(["greedy", "random"], 0), (["random"] * 3, None), (["greedy"], None)]
)
def test_without_exchanged_seats_there_are_no_pairs(players, starter):
    series = play_series(
        lambda seed: positions(seed, len(players)), players, 6, seed=1, starter=starter
    )
    assert series.pairs is None
    assert "pairs won" not in str(series)
    assert series.to_data().get("pairs") is None


def test_a_game_that_both_forfeit_is_even():
    def broken(position):
        raise ValueError

    class NoStart:
        def __init__(self):
            raise ValueError

    assert play_series(positions, [NoStart, NoStart], 2).pairs == (0, 0, 1)
    assert play_series(positions, [broken, "random"], 2).pairs == (0, 1, 0)


def test_data_names_players_that_are_objects_and_a_starter_that_is_a_function():
    class Bot:
        def choose(self, position):
            return position.legal_moves()[0]

    data = play_series(positions, [Bot, "random"], 2, seed=1, starter=lambda game: 0).to_data()
    assert json.loads(json.dumps(data)) == data
    assert [player["player"] for player in data["players"]] == ["Bot", "random"]
    assert data["starter"] == "function"
    assert data["heading"] == "flood on square 6x6, seed 1"


def test_a_series_without_games_has_a_table_without_intervals():
    series = play_series(positions, ["greedy", "random"], 0, seed=1)
    assert str(series).splitlines()[0] == "flood on square 6x6, seed 1, 0 games"
    assert len(series.tables()) == 1
    assert series.sentence == "0 games: greedy wins 0, random wins 0."


def test_a_series_is_the_same_every_time():
    first, second = (play_series(positions, ["random", "random"], 10, seed=3) for _ in range(2))
    assert [tally.wins for tally in first.players] == [tally.wins for tally in second.players]
    assert first.plies == second.plies


def test_forfeits_are_counted_and_nobody_draws():
    def broken(position):
        raise ValueError

    class NoStart:
        def __init__(self):
            raise ValueError

    series = play_series(positions, ["greedy", broken], 4)
    assert sum(series.players[0].wins.values()) == 4
    assert series.players[1].forfeits == {"crash": 4}
    series = play_series(positions, [NoStart, NoStart], 2)
    assert [tally.draws for tally in series.players] == [0, 0]
    assert [tally.forfeits["no-start"] for tally in series.players] == [2, 2]


def test_several_processes_count_what_one_does():
    one, two = (play_series(positions, ["greedy", "random"], 6, seed=3, jobs=j) for j in (1, 2))
    for tally in (*one.players, *two.players):
        assert tally.seconds > 0
        tally.seconds = 0.0
    assert one == two


def test_boards_stay_in_their_process():
    with pytest.raises(InvalidInput, match="jobs must be 1"):
        play_series(positions, ["random", "random"], 2, jobs=2, on_game=lambda *_: None)


def test_the_record_of_a_game_knows_the_clock_of_players_files(tmp_path):
    bot, path = tmp_path / "bot.py", tmp_path / "game.jsonl"
    bot.write_text(
        "def choose(position, time_left):\n    print(time_left.move)\n    return 'pass'\n"
    )
    plan = Series(positions, [str(bot), "random"], MatchOptions.checked(foreign_clock="7s"))
    referee_plan(plan.plan(0, path))
    record = read_record(path)
    assert (record.header["clock"], record.header["foreign_clock"]) == (None, "7s")
    assert record.rematch().logs[0].startswith("7.0")
    plain = Series(positions, ["greedy", "random"])
    referee_plan(plain.plan(0, path.with_name("other.jsonl")))
    assert "foreign_clock" not in read_record(path.with_name("other.jsonl")).header
