"""Tournaments that are started from pages, and levels of opponents."""

import errno
import re

import pytest
from starlette.testclient import TestClient

from ludograph.games.registry import declaration, load, names
from ludograph.players import parse_player
from ludograph.web.app import application
from ludograph.web.games.opponent_levels import levels_of
from ludograph.web.positions.wording import worded
from ludograph.web.server import limits
from ludograph.web.tournament import tournaments
from ludograph.web.tournament.tournament_tables import ShownPlayers
from ludograph.web.tournament.tournaments import (
    DRAWN_BY_LOT,
    KNOWN_FIRST,
    STRONGEST_FIRST,
    TournamentRunner,
    read,
    seeded,
)
from tests.cli.run import succeed

ORIGIN = {"origin": "http://localhost"}
SMALL = {"board": "hexagonal", "board.width": "3"}


@pytest.fixture
def site(client):
    return client, client.app.state.context.tournament_runner


def test_a_tournament_is_started_from_its_form_and_has_its_table(site) -> None:
    client, run = site
    assert 'name="enters.random"' in client.get("/tournaments/new/hex").text
    form = SMALL | {"enters.random": "on", "enters.connex": "on", "games": "4"}
    answer = client.post("/tournaments/new/hex", data=form, follow_redirects=False)
    assert answer.headers["location"] == "/tournaments/1"
    run.join(300)
    assert run.running is None
    shown = client.get("/tournaments/1").text
    assert "4 games" in shown
    assert "Stop it" not in shown
    assert client.get("/tournaments/1/latest").json() == {"game": 4}
    answer = client.get("/tournaments/1/follow", follow_redirects=False)
    assert answer.headers["location"] == "/replay/store/4?follow=1"
    assert client.get("/tournaments/2/latest").status_code == 404
    assert client.get("/tournaments/2/follow").status_code == 404


@pytest.mark.slow
def test_a_fault_and_a_damaged_form_concern_one_tournament_only(site, monkeypatch) -> None:
    client, run = site
    form = SMALL | {"enters.random": "on", "enters.connex": "on"}
    run.begin("hex", form | {"games": "2"})
    run.join(300)
    assert not list(run._folder.iterdir())  # a form is kept as long as it can be continued with
    shown = client.get("/tournaments/1").text
    assert "connex" in shown
    assert client.post("/tournaments/1/go-on").status_code == 409

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tournaments, "play_tournament", full)
    run.begin("hex", form | {"games": "2", "openings": "drawn"})
    run.join(300)
    sentence = "The tournament was stopped: [Errno 28] No space left on device."
    assert sentence in client.get("/tournaments/2").text
    assert sentence not in client.get("/tournaments/1").text
    (kept,) = run._folder.iterdir()
    assert "/go-on" in client.get("/tournaments/2").text
    kept.write_bytes(kept.read_bytes()[:-1])
    shown = client.get("/tournaments/2")
    assert shown.status_code == 200
    assert "/go-on" not in shown.text
    assert client.post("/tournaments/2/go-on").status_code == 409


@pytest.mark.slow
def test_a_player_that_was_chosen_as_a_level_is_named_as_the_level(site) -> None:
    client, run = site
    (first, player), (second, opponent) = [
        (f"{level.name.capitalize()} bot", level.player)
        for level in levels_of(declaration("hex"))[:2]
    ]
    form = SMALL | {f"enters.{player}": "on", f"enters.{opponent}": "on"}
    client.post("/tournaments/new/hex", data=form | {"games": "2", "format": "knockout"})
    run.join(300)
    shown = client.get("/tournaments/1").text
    assert "Hex on 3 × 3 hexagons</h1>" in shown
    assert f"<strong>{first}</strong>" in shown
    assert f"{first} is {worded(player)}" in shown
    assert f"{second} is {worded(opponent)}" in shown
    for name in (player, opponent):
        assert f"{name} (" not in shown  # nor in the results of games
        assert f">{name}<" not in shown
    assert first in client.get("/tournaments/1/screen").text
    path = re.search(r'href="(/tournaments/1/games\?[^"]*bot[^"]*)"', shown)[1]
    games = client.get(path.replace("&amp;", "&")).text
    assert "with both players" in games
    assert " bot" in games.partition("<ul")[2]
    assert client.get("/tournaments/1/games?player=Silly+bot&opponent=Easy+bot").status_code == 404
    assert first in client.get("/replay/store/1").text
    assert "3 × 3 hexagons, knockout" in client.get("/tournaments").text


@pytest.mark.slow
def test_a_tournament_is_followed_from_one_ended_game_to_the_latest(page, server) -> None:
    form = SMALL | {"enters.random": "on", "enters.connex": "on", "games": "4"}
    runner = server[1].tournament_runner
    number = runner.begin("hex", form)
    runner.join(300)
    last = page.request.get(f"/tournaments/{number}/latest").json()["game"]
    page.goto(f"/replay/store/{last - 1}?follow={number}")
    page.locator("#speed").select_option("100")
    page.wait_for_url(f"**/replay/store/{last}?follow={number}*")
    page.locator("#replay[data-shown='2']").wait_for()  # it plays by itself


def test_a_file_that_is_called_as_a_level_keeps_its_name_and_so_does_the_level() -> None:
    players = ShownPlayers.of({"names": ["random", "connex"], "levels": [1, 0]})
    assert players.by_name == {"random": "Easy bot", "connex": "connex"}
    assert players.meanings == "Easy bot is random."
    alike = ShownPlayers.of({"names": ["random", "Easy bot"], "levels": [1, 0]})
    assert list(alike.by_name.values()) == ["random", "Easy bot"]
    assert ShownPlayers.of({"names": ["random"]}).meanings == ""


def test_players_of_a_ladder_that_shows_names_have_those_of_people() -> None:
    people = (("ann.py", "Anna Alder"), ("bob.py", "random"), ("cy.c", "Red"), ("dora.py", "Red"))
    names = ["players/ann.py", "course/players/bob.py", "random", "cy.c", "dora.py", "else.py"]
    shown = ShownPlayers.of({"names": names}, people)
    assert list(shown.by_name.values()) == ["Anna Alder", *names[1:]]  # the others are not unique
    assert shown.name_of("Anna Alder") == "players/ann.py"


@pytest.mark.slow
def test_a_busy_server_shows_the_last_tables_with_their_age(opened, tmp_path, monkeypatch) -> None:
    store = tmp_path / "s.db"
    succeed("tournament", "flood", "-m", 4, "--games", 2, "--store", store, "greedy", "random")
    client = opened(application(tmp_path / "games", str(store)))
    context = client.app.state.context
    pool = context.pools.reading
    shown, busy = pool.kind, pool.kind._replace(processes=0, queue=0)
    monkeypatch.setattr(pool, "kind", busy)
    assert client.get("/tournaments/1").status_code == 503  # there is no table yet
    monkeypatch.setattr(pool, "kind", shown)
    assert " old." not in client.get("/tournaments/1").text
    values, when = context.tables[1]
    context.tables[1] = values, when - 300
    monkeypatch.setattr(pool, "kind", busy)
    for path in ("/tournaments/1", "/tournaments/1/screen"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "greedy" in answer.text
        assert "This one is 5 min old." in answer.text
    monkeypatch.setattr(pool, "kind", shown)


@pytest.mark.slow
def test_one_is_played_at_a_time_and_can_be_stopped_and_gone_on_with(site) -> None:
    client, run = site
    form = {"board": "hexagonal", "board.width": "4", "seed": "1", "games": "1000"}
    best = levels_of(declaration("hex"))[-1].player
    form |= {"enters.random": "on", f"enters.{best}": "on"}
    client.post("/tournaments/new/hex", data=form)
    assert client.post("/tournaments/new/hex", data=form).status_code == 429
    assert "Stop it" in client.get("/tournaments/1").text
    client.post("/tournaments/1/stop")
    run.join(300)
    assert run.running is None
    again = client.post("/tournaments/new/hex", data=form, follow_redirects=False)
    assert again.headers["location"] == "/tournaments/1"


@pytest.mark.slow
def test_a_restarted_server_goes_on_with_a_tournament(tmp_path) -> None:
    form = {**SMALL, "enters.random": "on", "enters.connex": "on", "games": "40"}

    def served():
        app = application(tmp_path / "games", str(tmp_path / "store.db"))
        return TestClient(app, base_url="http://localhost", headers=ORIGIN)

    with served() as client:
        first, played = client.app.state.context.tournament_runner, []

        def on_game(game) -> None:
            played.append(game)
            if len(played) == 3:
                first.stop()
            TournamentRunner._on_game(first, game)

        first._on_game = on_game
        client.post("/tournaments/new/hex", data=form)
        first.join(300)
        assert client.post("/tournaments/7/go-on").status_code == 404
    with served() as client:
        run = client.app.state.context.tournament_runner
        shown = client.get("/tournaments/1").text
        assert 'action="/tournaments/1/go-on"' in shown
        assert "3 of 40 games" in shown
        assert "data-running" not in shown
        client.post("/tournaments/1/go-on")
        run.join(300)
        shown = client.get("/tournaments/1").text
        assert "40 games" in shown
        assert "/go-on" not in shown
        assert client.post("/tournaments/1/go-on").status_code == 409
        assert "Tournament 2" not in client.get("/tournaments").text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "complaint"),
    [
        ({}, "two players"),
        ({"enters.random": "on"}, "two players"),
        ({"enters.random": "on", "enters.connex": "off"}, "enters.connex must"),
        ({"enters.random": "on", "enters.connex": "on", "pie": "maybe"}, "pie must"),
        ({"enters.random": "on", "enters./bin/sh": "on"}, "there is no strategy"),
        ({"enters.random": "on", "enters.connex": "on", "games": "3"}, "multiple of 2"),
        ({"enters.random": "on", "enters.connex": "on", "format": "x"}, "choose"),
        ({"enters.random": "on", "enters.mcts": "on", "time": "99"}, "from 0.01 to"),
        ({"enters.random": "on", "enters.connex": "on", "games": "99999"}, str(limits.GAMES)),
    ],
)
def test_a_form_is_refused_with_a_sentence(site, form, complaint) -> None:
    client, run = site
    answer = client.post("/tournaments/new/hex", data=SMALL | form)
    assert answer.status_code == 400
    assert complaint.lower() in answer.text.lower()
    assert run.running is None


def test_a_knockout_seeds_players_by_measured_strength_and_draws_the_others_by_lot() -> None:
    declared = declaration("hex")
    levels = [level.player for level in levels_of(declared)]
    assert seeded(declared, levels, 0) == (levels[::-1], STRONGEST_FIRST)
    files = [f"players/{letter}.py" for letter in "abcdefgh"]
    order, sentence = seeded(declared, [*files, *levels], 3)
    assert order[: len(levels)] == levels[::-1]
    assert sorted(order[len(levels) :]) == files
    assert sentence == KNOWN_FIRST
    drawn, sentence = seeded(declared, files, 3)
    assert sentence == DRAWN_BY_LOT
    assert seeded(declared, files[::-1], 3)[0] == drawn  # not the order of the boxes
    assert len({tuple(seeded(declared, files, seed)[0]) for seed in range(9)}) > 1


@pytest.mark.slow
def test_byes_of_a_knockout_from_the_page_are_those_of_the_strongest_and_the_page_says_so(
    site,
) -> None:
    client, run = site
    weakest = [level.player for level in levels_of(declaration("penguins"))][:3]
    form = {f"enters.{name}": "on" for name in weakest}
    form |= {"board": "full-hexa", "board.width": "4", "penguins": "1"}
    form |= {"format": "knockout", "seed": "1"}
    knockout = read(declaration("penguins"), form).schedule
    assert knockout.bracket([])[0][0].players == (weakest[-1], None)
    client.post("/tournaments/new/penguins", data=form)
    run.join(300)
    assert STRONGEST_FIRST in client.get("/tournaments/1").text


@pytest.mark.slow
def test_drawn_openings_are_proposed_where_starts_are_always_the_same(site) -> None:
    client, _ = site
    assert '<option value="drawn" selected>' in client.get("/tournaments/new/hex").text
    assert '<option value="none" selected>' in client.get("/tournaments/new/flood").text
    form = SMALL | {"enters.connex": "on", "enters.mcts": "on", "time": "0.01", "seed": "2"}
    assert read(declaration("hex"), form).openings is None
    assert read(declaration("hex"), form | {"openings": "drawn"}).openings == "drawn"
    form |= {"openings": "even"}
    assert "choose drawn, near-even or none" in client.post("/tournaments/new/hex", data=form).text


@pytest.mark.slow
def test_a_list_of_openings_of_the_game_is_chosen_in_the_form(site, tmp_path) -> None:
    client, _ = site
    assert '<option value="near-even">' in client.get("/tournaments/new/hex").text
    assert "near-even" not in client.get("/tournaments/new/penguins").text
    form = SMALL | {"enters.connex": "on", "enters.random": "on", "openings": "near-even"}
    suite = read(declaration("hex"), form | {"board": "hexagonal", "board.width": "6"}).openings
    assert suite.name == "near-even"
    assert len(suite.variants[0]) > 1
    (tmp_path / "openings.txt").write_text("a1\n")
    form |= {"openings": str(tmp_path / "openings.txt")}
    assert "openings: choose drawn, " in client.post("/tournaments/new/hex", data=form).text


@pytest.mark.parametrize("game", names())
def test_levels_rise_and_are_players_of_their_game(game) -> None:
    rules = load(declaration(game))
    levels = levels_of(declaration(game))
    assert levels
    assert [level.elo for level in levels] == sorted(level.elo for level in levels)
    for level in levels:
        assert parse_player(level.player, rules, 2).kind == "strategy"


@pytest.mark.slow
def test_names_in_the_form_do_not_run_over_each_other_and_rows_without_use_are_hidden(page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto("/tournaments/new/hex")
    wide = "labels => labels.filter((each) => each.scrollWidth > each.clientWidth).length"
    assert page.locator(".boxes label").count() > 4
    assert page.locator(".boxes label").evaluate_all(wide) == 0
    assert not page.get_by_label("Overtime").is_visible()
    page.get_by_label("Format").select_option("knockout")
    assert page.get_by_label("Overtime").is_visible()
