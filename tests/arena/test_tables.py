"""Tables add up, and their texts can be read by machines and people."""

import csv
import io
import random

import pytest

from ludograph.arena import Knockout, Results, RoundRobin, cross_table, rate, standings
from ludograph.arena.rendering import (
    NOT_COMPARABLE,
    cross_table_texts,
    standings_sheet,
    standings_table,
)
from ludograph.arena.report import TournamentReport
from tests.arena.games import DRAWN, LOST, WON, Row, by_name, game, match, rows


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_sums():
    games = match("ann", "bob", 6, 3, 2) + match("bob", "cid", 4, 1, 4, first=20)
    lines = {line.player: line for line in standings(games, ["dan"])}
    assert sum(line.points for line in lines.values()) == len(games)
    ann = lines["ann"]
    assert (ann.games, ann.wins, ann.draws, ann.losses, ann.points) == (11, 6, 3, 2, 7.5)
    assert lines["dan"].games == 0
    assert lines["dan"].score == 0
    for line in lines.values():
        assert line.games == line.wins + line.draws + line.losses


def test_a_report_says_how_many_games_repeat_earlier_ones():
    again = [Row(start, ("ann", "bob"), (1, 2), line=7) for start in range(3)]
    other = Row(3, ("bob", "ann"), (2, 1), line=7)
    report = TournamentReport("t", Results.of([*again, other]), ["ann", "bob"])
    (said,) = report.remarks
    assert said.startswith("2 games ")
    assert report.notes == [said]
    assert not TournamentReport("t", Results.of([again[0], other]), ["ann", "bob"]).remarks
    unknown = [Row(start, ("ann", "bob"), (1, 2)) for start in range(3)]
    assert not TournamentReport(
        "t", Results.of(unknown), ["ann", "bob"]
    ).notes  # older stores keep no lines


def test_a_swiss_tournament_is_ordered_by_points_with_byes_then_by_those_of_the_opponents():
    meetings = [("a", "b"), ("c", "d"), ("e", "a"), ("b", "c"), ("a", "c"), ("d", "e")]
    games = [
        Row(number // 2, seating, (1, 2) if seating[0] == winner else (2, 1))
        for number, (winner, loser) in enumerate(meetings)
        for seating in ((winner, loser), (loser, winner))
    ]
    data = {"format": "swiss", "seats": 2}
    report = TournamentReport("t", Results.of(games), "edcba", data, rate(games, "abcde"))
    lines = {line.player: line for line in report.standings}
    points = {"a": 4, "e": 4, "b": 4, "d": 4, "c": 2}  # e, d and b had no opponent once
    assert {player: line.points for player, line in lines.items()} == points
    assert [line.byes for line in map(lines.get, "abcde")] == [0, 2, 0, 2, 2]
    opponents = {"a": "bec", "b": "ac", "c": "dba", "d": "ce", "e": "ad"}
    for player, met in opponents.items():
        assert lines[player].buchholz == sum(points[other] for other in met)
        assert 0 <= lines[player].score <= 1
    order = [line.player for line in report.standings]
    assert (order[0], order[-1]) == ("a", "c")
    assert any("Buchholz" in note for note in report.notes)
    under_way = Results.of(games[:-2])  # who rests in a round is known when it is over
    lines = TournamentReport("t", under_way, "abcde", data).standings
    assert {line.player: line.byes for line in lines} == dict.fromkeys("abc", 0) | {"d": 2, "e": 2}


def of_chance(count, seed):
    """Games of three seats, many of which are alike."""
    rng = random.Random(seed)
    return [
        Row(
            start,
            tuple(rng.sample("abcd", 3)),
            rng.choice([(1, 2, 3), (1, 1, 3), (3, 1, 2)]),
            forfeits=rng.choice([(), (), ("", "crash", "")]),
            line=rng.choice([0, 0, rng.randrange(6)]),
        )
        for start in range(count)
    ]


def test_counting_by_result_finds_what_counting_one_by_one_does():
    games = of_chance(400, 1)
    for line in standings(games):
        own = [one for one in games if line.player in one.seating]
        seat = {one.start: one.seating.index(line.player) for one in own}
        points = sum(one.points[seat[one.start]] for one in own)
        first = [one for one in own if one.ranks[seat[one.start]] == 1]
        alone = [one for one in first if one.ranks.count(1) == 1]
        assert (line.games, line.points, line.wins) == (len(own), points, len(alone))
        assert (line.draws, line.losses) == (len(first) - len(alone), len(own) - len(first))
        assert line.forfeits["crash"] == sum(
            bool(one.forfeits and one.forfeits[seat[one.start]]) for one in own
        )


def test_a_game_stays_if_no_earlier_one_has_its_moves_seating_and_result():
    for seed in range(20):
        games = of_chance(60, seed)
        games += games[:5]
        kept = []
        for number, one in enumerate(games):
            earlier = [(old.line, *old[1:3], old.forfeits) for old in games[:number]]
            if not one.line or (one.line, *one[1:3], one.forfeits) not in earlier:
                kept.append(one)
        found = rows(Results.of(games).without_repeats())
        assert [one._replace(scores=()) for one in found] == kept


def test_points_of_three_seats():
    games = [game(0, "abc", (1, 2, 3)), game(1, "abc", (1, 1, 3)), game(2, "abc", (3, 2, 1))]
    found = {line.player: line for line in standings(games)}
    assert [found[name].points for name in "abc"] == [1.75, 1.75, 1.0]
    assert [found[name].wins for name in "abc"] == [1, 0, 1]
    assert [found[name].draws for name in "abc"] == [1, 1, 0]


def test_forfeits_are_counted_by_reason_and_void_games_bring_nobody_points():
    games = [
        game(0, "ab", WON, (1, "timeout")),
        game(1, "ab", WON, (1, "crash")),
        game(2, "ab", WON, (1, "timeout")),
        game(3, "ab", (2, 2), (0, "crash"), (1, "crash")),
    ]
    a, b = standings(games)
    assert (a.points, a.forfeits) == (3, {"crash": 1})
    assert (b.points, b.losses, b.forfeits) == (0, 4, {"timeout": 2, "crash": 2})
    table = cross_table(games)
    assert (table["a"]["b"].wins, table["a"]["b"].losses) == (3, 1)
    assert table["b"]["a"].losses == 4
    text = read(standings_sheet([a, b]).csv())[1]
    assert (text["forfeits"], text["forfeits_crash"], text["forfeits_timeout"]) == ("4", "2", "2")


def test_a_cross_table_is_its_own_mirror():
    games = by_name(RoundRobin(tuple("abcd"), 2, seats=3).remaining(()))
    table = cross_table(games, "dcba")
    assert list(table) == list("dcba")
    for one in "abcd":
        assert one not in table[one]
        for other in set("abcd") - {one}:
            mine, theirs = table[one][other], table[other][one]
            assert (mine.wins, mine.draws, mine.losses) == (
                theirs.losses,
                theirs.draws,
                theirs.wins,
            )
            assert mine.points + theirs.points == mine.games


def test_the_order_is_that_of_the_ratings():
    games = match("ann", "bob", 6, 0, 14) + match("bob", "cid", 5, 0, 15, first=50)
    ratings = rate(games, ["zoe"])
    lines = standings(games, ["zoe"], ratings)
    assert [line.player for line in lines] == ["cid", "bob", "ann", "zoe"]
    assert lines[0].rating is ratings.of("cid")
    found = read(standings_sheet(lines).csv())
    assert float(found[0]["elo"]) == pytest.approx(ratings.of("cid").elo, abs=1e-5)
    assert float(found[0]["low"]) < float(found[0]["elo"]) < float(found[0]["high"])
    assert found[3]["elo"] == found[3]["low"] == ""
    zoe = standings_table(lines, ratings).plain()[4]
    assert "zoe" in zoe
    assert NOT_COMPARABLE in zoe
    assert (
        "2 groups" in TournamentReport("t", Results.of(games), ["zoe"], ratings=ratings).markdown()
    )


def test_columns_of_a_markdown_table_line_up():
    games = match("ann", "bob", 6, 0, 14) + match("bob", "cid", 20, 0, 0, first=50)
    ratings = rate(games, anchor="bob")
    lines = standings(games, (), ratings)
    names = [line.player for line in lines]
    report = TournamentReport("t", Results.of(games), names, ratings=ratings)
    table, cross, *said = report.markdown().split("\n\n")
    for one, mark in ((table, "below -"), (cross, "20/20")):
        assert len({len(line) for line in one.splitlines()}) == 1
        assert len(one.splitlines()) == 5
        assert mark in one
    assert any("bob" in sentence and "+0" in sentence for sentence in said)
    assert "inf" not in table


def test_names_from_outside_are_harmless():
    evil = ("=HYPERLINK(1)", "a|b\n<b>x</b>`*")
    games = [game(0, evil, WON), game(0, evil[::-1], LOST), game(1, evil, DRAWN)]
    lines = standings(games)
    tables = (standings_table(lines), cross_table_texts(cross_table(games)))
    text = "".join(table.markdown() for table in tables)
    assert "<b>" not in text
    assert all(line.startswith("|") for line in text.strip().splitlines())
    found = {row["player"] for row in read(standings_sheet(lines).csv())}
    assert found == {"'=HYPERLINK(1)", evil[1]}  # no formula, and all else as it is


def test_a_note_names_a_player_as_it_is_and_without_markup_in_markdown():
    games = match("a*b*", "ann", 3, 0, 3)
    report = TournamentReport("t", Results.of(games), ["ann"], ratings=rate(games, anchor="a*b*"))
    assert any("a*b*" in note for note in report.notes)
    assert "a*b*" not in report.markdown()
    assert r"a\*b\*" in report.markdown()


def test_a_knockout_and_a_test_are_told_in_markdown_as_on_a_terminal():
    """Below the tables are the same sentences, whatever the format."""
    games = match("ann", "bob", 3, 0, 3)
    cup = Knockout(("ann", "bob"), 3, overtime=0)
    report = TournamentReport("t", Results.of(games), ["ann", "bob"], knockout=cup)
    assert report.champion in report.notes
    text = report.markdown()
    assert text.count("| ann") == 2  # the standings, and the only match
    assert text.rstrip("\n").split("\n\n")[-len(report.notes) :] == report.notes


def test_empty_tables():
    assert standings([]) == []
    assert len(standings_table([]).markdown().splitlines()) == 2
    assert read(standings_sheet([]).csv()) == []
    assert cross_table([]) == {}
