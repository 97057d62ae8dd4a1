"""What a ladder tells of itself: table, page, plot, reasons."""

import csv
import io
import re
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import msgspec
import pytest

from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.ladder import Entrant, State, rating_history
from ludograph.arena.ladder.folder import append_line
from ludograph.arena.ladder.rating_history import (
    Snapshot,
    Snapshots,
    plot,
    ratings_chart,
    read_snapshots,
)
from ludograph.arena.ladder.reasons import reasons_of
from ludograph.arena.ladder.running import Journal
from ludograph.arena.ladder.table import (
    LadderLine,
    ladder_table,
    page,
    sheet_of,
    table_data,
    texts_of,
)
from ludograph.arena.ratings.rating import Rating
from ludograph.arena.results import Results
from tests.arena.games import game, match
from tests.arena.ladder.making import ladder_in

EVIL = '<script>alert("x")</script>.py'
A, B, E = (Entrant("a.py", "a" * 64), Entrant("b.py", "b" * 64), Entrant(EVIL, "e" * 64))


@pytest.fixture
def state():
    return State(
        1,
        [Entrant("greedy"), A, B, E],
        {B.label: "6 forfeits in a row, crash"},
        {"bad.c": "it is empty"},
    )


@pytest.fixture
def table(state):
    games = match(A.label, "greedy", 30, 2, 10) + match(B.label, "greedy", 2, 0, 5, first=50)
    games += [game(90 + n, (B.label, "greedy"), (2, 1), (0, "crash")) for n in range(6)]
    return ladder_table("a toy", Results.of(games), state, ["greedy"], 1000.0)


def test_players_are_ranked_and_built_in_ones_stand_between(table):
    lines = {line.player: line for line in table.lines}
    assert [line.player for line in table.lines] == ["a.py", "greedy", EVIL, "b.py", "bad.c"]
    assert lines["a.py"].rank == 1
    assert lines["greedy"].rank is None
    assert lines["greedy"].rating.elo == 1000
    assert lines["a.py"].rating.low < lines["a.py"].rating.elo < lines["a.py"].rating.high
    assert (lines["a.py"].wins, lines["a.py"].draws, lines["a.py"].losses) == (30, 2, 10)
    assert lines["b.py"].rank is None
    assert lines["b.py"].forfeits == {"crash": 6}
    assert lines["b.py"].note.startswith("suspended: 6 forfeits")
    assert lines["b.py"].games
    assert lines["b.py"].rating is None
    assert "yet" in lines[EVIL].note
    assert lines["bad.c"].note == "it is empty"


def test_games_of_an_earlier_version_are_not_those_of_this_one(state):
    old = Entrant("a.py", "0" * 64)
    games = match(old.label, "greedy", 9, 0, 1) + match(A.label, "greedy", 1, 0, 3, first=20)
    found = ladder_table("a toy", Results.of(games), state, ["greedy"], 1000.0)
    assert next(line.games for line in found.lines if line.player == "a.py") == 4


def test_a_repeated_game_counts_once_for_ratings(state):
    """Two deterministic players that have met 200 times know no more than after their 2 games."""
    others = match(A.label, "greedy", 6, 0, 6, first=1000)
    pair = [game(0, (A.label, B.label)), game(0, (B.label, A.label), (2, 1))]
    lines = [one._replace(line=7 + number) for number, one in enumerate(pair)]
    often = [one._replace(start=start) for start in range(100) for one in lines]
    once, again = (
        ladder_table("a toy", Results.of([*others, *games]), state, ["greedy"], 1000.0)
        for games in (lines, often)
    )
    for one, other in zip(once.lines, again.lines, strict=True):
        assert one.rating == other.rating or one.rating.elo == pytest.approx(other.rating.elo)
    assert (once.distinct, again.distinct) == (14, 14)
    assert (once.games, again.games) == (14, 212)
    assert next(line.games for line in again.lines if line.player == "a.py") == 212


def test_places_say_who_is_clearly_better_though_intervals_overlap():
    """Both are measured from an anchor that few games tie to them."""
    two = State(1, [Entrant("greedy"), A, B])
    games = match(A.label, B.label, 60, 0, 20) + match(A.label, "greedy", 3, 0, 2, first=100)
    found = ladder_table("a toy", Results.of(games), two, ["greedy"], 1000.0)
    lines = {line.player: line for line in found.lines}
    assert lines["a.py"].rating.low < lines["b.py"].rating.high
    assert (lines["a.py"].places, lines["b.py"].places) == ((1, 1), (2, 2))
    assert lines["greedy"].places is None
    games = match(A.label, B.label, 5, 0, 4) + match(A.label, "greedy", 3, 0, 2, first=100)
    found = ladder_table("a toy", Results.of(games), two, ["greedy"], 1000.0)
    assert {line.places_text for line in found.lines} == {"1-2", ""}
    rows = list(csv.DictReader(io.StringIO(sheet_of(found).csv())))
    assert {(row["best_rank"], row["worst_rank"]) for row in rows} == {("1", "2"), ("", "")}


def test_all_forms_tell_the_same(table):
    rows = list(csv.DictReader(io.StringIO(sheet_of(table).csv())))
    data = table_data(table)["players"]
    assert [row["player"] for row in rows] == [one["player"] for one in data]
    assert float(rows[0]["rating"]) == pytest.approx(data[0]["elo"])
    assert rows[3]["forfeits"] == "6"
    texts = texts_of(table)
    assert all(len(row) == len(texts.columns) for row in texts.rows)


def test_the_page_is_one_file_without_script_in_which_names_are_only_names(table):
    text = page(table, plot([], [], "Ratings"), "now")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "prefers-color-scheme:dark" in text


def snapshots(count, version=lambda n: "0" * 12):
    return [Snapshot(1e9 + 600 * n, 10, {f"a.py@{version(n)}": 1000.0 + n}) for n in range(count)]


def test_the_plot_has_a_line_per_player_and_a_ring_per_new_version():
    found = snapshots(9, lambda n: f"{n // 3:012}")
    tree = ElementTree.fromstring(plot(found, ["a.py"], "Ratings & times"))
    lines = [e for e in tree.iter() if e.tag.endswith("path") and e.get("class") is None]
    assert [line.get("d").count("L") for line in lines] == [8]
    assert len([e for e in tree.iter() if e.tag.endswith("circle")]) == 2
    assert "a.py" in [e.text for e in tree.iter()]
    ElementTree.fromstring(plot(snapshots(1), ["a.py"], "one"))


def test_the_plot_of_a_ladder_has_the_times_of_its_zone(tmp_path):
    ladder = ladder_in(tmp_path, zone=ZoneInfo("Asia/Tokyo"))
    for one in snapshots(12):
        append_line(ladder.folder.history, msgspec.structs.replace(one, ladder=1))
    texts = [e.text for e in ElementTree.fromstring(ratings_chart(ladder, 1, ())).iter()]
    assert "JST" not in texts  # nobody is drawn
    line = LadderLine("a.py", rating=Rating("a.py", 1000.0, None, None, None, 9, 0))
    texts = [e.text for e in ElementTree.fromstring(ratings_chart(ladder, 1, [line])).iter()]
    assert {"JST", "9 Sep 2001", "11:00"} <= set(texts)


def test_the_plot_has_bands_and_gray_narrow_times_without_games():
    days = 2 * 86_400.0
    found = [
        Snapshot(
            one.time + (days if number >= 6 else 0),
            one.games,
            one.elo,
            1,
            {label: (elo - 50, elo + 50) for label, elo in one.elo.items()},
            number == 6,
        )
        for number, one in enumerate(snapshots(12))
    ]
    tree = ElementTree.fromstring(plot(found, ["a.py"], "Ratings"))
    (band,) = [e for e in tree.iter() if e.get("class") == "band"]
    assert band.get("d").count("L") == 2 * 12 - 1
    (idle,) = [e for e in tree.iter() if e.get("class") == "idle"]
    assert 1 < float(idle.get("width")) < 30
    (label,) = found[0].bounds
    found[0] = msgspec.structs.replace(found[0], bounds={label: (500.0, 1500.0)})  # of few games
    tree = ElementTree.fromstring(plot(found, ["a.py"], "Ratings"))
    (band,) = [e for e in tree.iter() if e.get("class") == "band"]
    assert band.get("d").count("L") == 2 * 11 - 1
    plain = plot(snapshots(12), ["a.py"], "Ratings")
    assert 'class="band"' not in plain
    assert 'class="idle"' not in plain


def test_snapshots_are_thinned_and_a_line_that_was_cut_short_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr(rating_history, "MOST", 10)
    ladder = ladder_in(tmp_path)
    state = State(1, [Entrant("greedy"), A])
    games = Results.of(match(A.label, "greedy", 3, 0, 3))
    ladder.folder.history.write_bytes(b'{"time":1.0,"games":1,"el')
    keeper = Snapshots(ladder.folder)
    for _ in range(25):
        keeper.take(state, games, ladder)
    found = read_snapshots(ladder.folder)
    assert 5 <= len(found) <= 10
    assert found[-1].games == 6


def test_only_ratings_of_the_present_rules_are_shown(tmp_path):
    folder = ladder_in(tmp_path).folder
    without = snapshots(2)
    of_rules = [Snapshot(2e9 + n, 10, {A.label: 900.0}, 1 + n) for n in range(2)]
    lines = [msgspec.json.encode(one) + b"\n" for one in without + of_rules]
    folder.history.write_bytes(b"".join(lines))
    assert read_snapshots(folder, 1) == [of_rules[0]]
    assert read_snapshots(folder, 2) == [of_rules[1]]


def test_the_journal_stays_small(tmp_path):
    journal = Journal(tmp_path / "log", limit=2000)
    for number in range(500):
        journal.add(f"line {number}")
    kept = [(tmp_path / name).read_text() for name in ("log.1", "log")]
    assert all(len(text) < 2100 for text in kept)
    assert "line 499" in "".join(kept)


def kept(number, own, other, plies=9, forfeit=None):
    ranks = (1 + (other > own), 1 + (own > other)) if forfeit is None else (2, 1)
    seats = (
        SeatResult("a.py", ranks[0], own, plies // 2, 0.0, forfeit, forfeit and "no idea"),
        SeatResult("b.py", ranks[1], other, plies - plies // 2, 0.0),
    )
    return FinishedGame(
        number=number, tournament=1, start=number, seed=0, board="toy", reason="finished",
        plies=plies, sentence=f"game {number}", seats=seats, versions=("x", "y"),
    )  # fmt: skip


def test_the_worst_losses_are_the_largest_and_the_closest_the_smallest():
    found = reasons_of([kept(n, 10, 10 + n) for n in range(8)], "a.py", shown=2)
    assert [one.number for one in found.worst] == [7, 6]
    assert [one.number for one in found.closest] == [1, 2]
    assert found.losses == 7


def test_where_games_are_won_or_lost_only_their_length_decides():
    found = reasons_of([kept(n, 0, 1, plies=10 + n) for n in range(5)], "a.py", shown=1)
    assert [one.number for one in found.worst] == [0]
    assert [one.number for one in found.closest] == [4]


def test_the_latest_forfeits_of_each_reason_are_told():
    games = [kept(n, 1, 0, forfeit="crash" if n % 2 else "timeout") for n in range(10)]
    found = reasons_of(games, "a.py", shown=2)
    assert found.forfeits == {"crash": 5, "timeout": 5}
    assert [one.number for one in found.failed["crash"]] == [7, 9]
    assert found.told(found.failed["crash"][0]) == "no idea"
    assert found.numbers == [6, 7, 8, 9]


def test_a_player_keeps_its_color_and_first_ratings_do_not_set_the_axis() -> None:
    early = [Snapshot(0.0, 1, {"a.py": -3000.0, "b.py": 0.0})]
    later = [Snapshot(100.0 * n, 10 * n, {"a.py": 10.0, "b.py": 20.0}) for n in range(1, 4)]

    def color(picture, name):
        return re.search(rf'fill="(#\w+)"/><text [^>]*>{name}<', picture)[1]

    before = plot([*early, *later], ["a.py", "b.py"], "Ratings")
    grown = {"c.py": 30.0, "a.py": 10.0, "b.py": 20.0}
    after = plot([*early, *later, Snapshot(400.0, 50, grown)], ["c.py", "b.py", "a.py"], "Ratings")
    assert [color(before, name) for name in ("a.py", "b.py")] == [
        color(after, name) for name in ("a.py", "b.py")
    ]
    assert len({color(after, name) for name in ("a.py", "b.py", "c.py")}) == 3
    labels = re.findall(r'text-anchor="end">(-?\d+)<', after)
    assert all(-100 < int(label) < 100 for label in labels)
