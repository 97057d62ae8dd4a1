"""Series: fair seats on every board, and sums that add up."""

import json
import zlib
from dataclasses import replace

import pytest

from ludograph import InvalidInput, boards, flood, hex, play_series, read_record
from ludograph.arena.openings import DRAWN
from ludograph.arena.playing import finished_game, play_plan, referee_plan
from ludograph.arena.series import empty_result, series_of
from ludograph.players.spec import parse_player
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
    options = MatchOptions(seed=Seed(7))
    second = series_of(lambda seed: positions(seed, 3), ["a", "b", "c"], 2, options, starter=1)
    assert [key.seating for key in second.schedule.remaining(())] == [("b", "c", "a")] * 2
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
    names, options = ["greedy", "random"], MatchOptions(seed=Seed(7))
    drawn = [series_of(positions, names, 20, options, starter="random") for _ in "ab"]
    first, again = ([key.seating[0] for key in one.schedule.remaining(())] for one in drawn)
    assert first == again
    assert set(first) == set(names)
    with pytest.raises(InvalidInput, match=r"starter .*'random'"):
        play_series(positions, names, 2, starter="rnadom")


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

    def recorded(players, **options):
        series = series_of(positions, players, 1, MatchOptions.checked(**options))
        game = play_plan(series.plan(series.game_key(0)))
        path.write_bytes(zlib.decompress(game.record))
        return read_record(path)

    record = recorded([str(bot), "random"], foreign_clock="7s")
    assert (record.header["clock"], record.header["foreign_clock"]) == (None, "7s")
    assert record.rematch().logs[0].startswith("7.0")
    assert "foreign_clock" not in recorded(["greedy", "random"]).header


def finished(players, games, **options):
    """Return a series, and its games with the results of their matches."""
    series = series_of(positions, players, games, MatchOptions.checked(seed=1, **options))
    plans = map(series.plan, series.schedule.remaining(()))
    results = [(plan, referee_plan(plan, objects=players)) for plan in plans]
    return series, [(finished_game(plan, result), result) for plan, result in results]


def test_counts_are_by_player_whoever_sits_where():
    series, games = finished(["greedy", "random"], 6)
    result = empty_result(series)
    scores = {name: [] for name in series.names}
    for game, match in games:
        result.add(game)
        for seat, name in enumerate(game.key.seating):
            scores[name].append(match.outcome.scores[seat])
    for tally, found in zip(result.players, result.scores(), strict=True):
        assert found.mean == pytest.approx(sum(scores[tally.name]) / 6)
        assert tally.moves == sum(
            played.seat == game.key.seating.index(tally.name)
            for game, match in games
            for played in match.moves
        )


class NoStart:
    def __init__(self):
        raise ValueError


def test_the_order_in_which_games_are_counted_does_not_matter():
    def broken(position):
        raise ValueError(position.ply)

    series, games = finished([broken, "greedy"], 6)
    data = []
    for order in (games, games[::-1]):
        result = empty_result(series)
        for game, _ in order:
            result.add(game)
        data.append(json.dumps(result.to_data()))
        assert result.first_faults[0, "crash"].turn == (0, 0)
    assert data[0] == data[1]


def test_if_all_forfeit_nobody_has_points():
    result = play_series(positions, [NoStart, NoStart], 2)
    assert [share.mean for share in result.points()] == [0, 0]
    assert result.sentence.startswith("2 games: NoStart#1 wins 0, NoStart#2 wins 0, 2 without")


def test_a_player_that_is_there_twice_has_two_names_and_other_seeds_everywhere():
    series = series_of(positions, ["random", "random"], 4, MatchOptions(seed=Seed(1)))
    plans = [series.plan(key) for key in series.schedule.remaining(())]
    assert plans[0].key.seating == ("random#1", "random#2")
    assert len({plan.options.seed.data for plan in plans}) == 4
    chances = [plan.options.chance_seed.data for plan in plans]
    assert chances[0] == chances[1] != chances[2] == chances[3]


def test_a_last_start_may_be_incomplete():
    keys = series_of(positions, ["greedy", "random"], 3, MatchOptions()).schedule.remaining(())
    assert [key.start for key in keys] == [0, 0, 1]


def test_a_fixed_start_of_a_series_may_have_drawn_openings():
    """One for each start, with which all its seatings begin."""
    options = MatchOptions(seed=Seed(1))
    players = [parse_player("random", hex)] * 2
    series = series_of(lambda _: hex.position(3, pie=False), players, 6, options)
    series = replace(series, openings=DRAWN)
    plans = [series.plan(key) for key in series.schedule.remaining(())]
    openings = [tuple(plan.options.opening) for plan in plans]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) == 3
    assert all(openings)
