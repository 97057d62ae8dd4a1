"""What a player's author wrote, and who reads it: each door of the server with each visitor."""

from __future__ import annotations

import itertools
import re
import shutil
import time
from dataclasses import replace
from typing import NamedTuple

import pytest
from starlette.testclient import TestClient

from ludograph import flood, play_match
from ludograph.arena.executor import InProcess
from ludograph.arena.ladder import Ladder, LadderRun, RunLimits
from ludograph.arena.ladder.people import Role, add_people
from ludograph.arena.ladder.submission_list import submissions
from ludograph.arena.playing import play_plan
from ludograph.arena.store import GameFilter, Store
from ludograph.arena.tournament import play_tournament
from ludograph.boards import square
from ludograph.cli import ladder_report
from ludograph.cli.ladder_report import write_reasons
from ludograph.players.isolation import Isolation, Level
from ludograph.referee.options import MatchOptions
from ludograph.referee.record_reader import parse_record
from ludograph.web.app import application, routes
from ludograph.web.games.offered_players import OfferedPlayers
from ludograph.web.ladder import ladders as ladder_service
from ludograph.web.ladder.ladders import LadderPages
from ludograph.web.ladder.shown_ladders import shown_ladder
from ludograph.web.server.limits import UNLIMITED
from ludograph.web.server.tokens import Tokens
from tests.arena.ladder.making import ladder_in, put
from tests.arena.tournaments import small
from tests.web.conftest import NUMBER, ORIGIN

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")

SECRET = re.compile(rb"SECRET_(\w+?)_|(QZtagQ)")

THINKING = """
    def thoughts(self):
        marks = [{"name": "SECRET_overlay_", "cells": [0], "texts": ["QZtagQ"]}]
        return {"note": "SECRET_note_", "measure": "SECRET_measure_", "value": 1.0,
                "overlays": marks}
"""

SPY = f"""
import sys
class Spy:
    def choose(self, position):
        print("SECRET_stdout_", flush=True)
        print("SECRET_stderr_", file=sys.stderr, flush=True)
        if position.ply > 2:
            raise ValueError("SECRET_exception_")
        return position.legal_moves()[0]
{THINKING}
"""

LATE = f"""
class Late:
    def start(self, position, seat):
        self.position = position.copy()
    def play(self, moves, clock):
        for move in moves:
            self.position.push(move)
        move = self.position.legal_moves()[0]
        self.position.push(move)
        return move
    def finish(self, outcome):
        raise ValueError("SECRET_finish_")
{THINKING}
"""

ODD = "def choose(position):\n    return 'SECRET_answer_'\n"

NO_START = "raise RuntimeError('SECRET_start_')\n"

WRONG = "int choose(void) { return SECRET_compiler_; }\n"

PLAYERS = {
    "spy.py": SPY,
    "late.py": LATE,
    "odd.py": ODD,
    "start.py": NO_START,
    "wrong.c": WRONG,
}

TEXTS = {
    *("stdout", "stderr", "exception", "answer", "start", "compiler", "finish"),
    *("overlay", "QZtagQ", "note", "measure"),
}
"""All that the authors of these players wrote, by its kind."""

NAMES = {"name", "team"}
"""The names of people and of their team: this ladder shows them to operators alone."""

READERS = {"owner", "mate", "teacher", "operator"}
"""Those who read it in the ladder."""

OPERATORS = {"operator"}
"""Those who read it on the rest of the server; a teacher of a ladder operates there, too."""

SOURCES = ("here", "store", "ladder-course")

GAMES = 8


class Site(NamedTuple):
    """A server that shows a ladder, a tournament and a match to everybody.

    Attributes
    ----------
    tokens
        By visitor; None for one without a token.
    numbers
        By source, the games with records.
    """

    client: TestClient
    tokens: dict[str, str | None]
    numbers: dict[str, list[str]]
    pages: LadderPages


def played_ladder(folder):
    """Return a ladder in which all players have played, and what its run has said."""
    folder.mkdir()
    ladder = ladder_in(folder, patience=2)
    for name, text in PLAYERS.items():
        put(ladder, name, text)
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        options = MatchOptions.checked(thoughts=True, hide_chance=True)
        patch.setattr(Ladder, "match_options", options)
        run = LadderRun(ladder, lambda _: InProcess(play_plan), said.append)
        run.run(RunLimits(GAMES))
        deadline = time.monotonic() + 300
        while "wrong.c" not in run.state.troubles or len(run.state.suspended) < 3:
            assert time.monotonic() < deadline, run.state
            run = LadderRun(ladder, lambda _: InProcess(play_plan), said.append)
            run.run(RunLimits(GAMES))
    return ladder, "\n".join(said)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("private")
    ladder, said = played_ladder(folder / "course")
    assert "SECRET_exception_" in said
    assert "SECRET_compiler_" in said
    listed = folder / "people.csv"
    listed.write_text(
        "id,name,team,role,players\n"
        f"owner,SECRET_name_1,SECRET_team_,upload,{' '.join(PLAYERS)}\n"
        f"mate,SECRET_name_2,SECRET_team_,upload,{' '.join(PLAYERS)}\n"
        "other,Other,,upload,\nteacher,Teacher,,operate,\n"
    )
    known = {new.person.id: new.token for new in add_people(ladder.folder, listed)}
    given = {f"a token that may {role.name.lower()}": role for role in Role if role}
    known |= {name: f"a token that may {name}" for name in ("play", "upload")}
    known["operator"] = "a token that may operate"
    players = [str(ladder.folder.players / name) for name in ("spy.py", "late.py", "odd.py")]
    options = MatchOptions.checked(thoughts=True)
    tournament = replace(small(*players, games=2), match_options=options)
    with Store(folder / "s.db") as store:
        number = store.enroll(tournament.key, "flood", tournament.declaration)
        play_tournament(tournament, number, store, InProcess(play_plan))
        in_store = [str(game.number) for game in store.games()]
    with Store(ladder.folder.store) as store:
        in_ladder = [str(game.number) for game in store.games(GameFilter(player="spy.py"))][:1]
        in_ladder += [str(game.number) for game in store.games(GameFilter(player="late.py"))][-1:]
        in_ladder += [str(game.number) for game in store.games(GameFilter(player="odd.py"))][:1]
    (folder / "games").mkdir()
    play_match(
        flood.position(square(5), colors=4),
        [players[0], "greedy"],
        record=folder / "games" / f"{NUMBER}.jsonl",
        thoughts=True,
    )
    pages = LadderPages(ladder, Level.BASIC)
    offered = OfferedPlayers(ladder.folder.players, Isolation(Level.BASIC))
    app = application(
        folder / "games",
        str(folder / "s.db"),
        ladders=[pages],
        tokens=Tokens(Role.LOOK, given),
        rates=UNLIMITED,
        offered=offered,
    )
    for pool in (app.state.context.pools.reading, app.state.context.pools.evaluating):
        pool.kind = pool.kind._replace(seconds=600.0)
    pages.now = shown_ladder(ladder)
    with (
        pytest.MonkeyPatch.context() as patch,
        TestClient(app, base_url="http://localhost", headers=ORIGIN) as client,
    ):
        patch.setattr(ladder_service, "FRESH", 1e9)
        numbers = {"here": [NUMBER], "store": in_store, "ladder-course": in_ladder}
        yield Site(client, {"nobody": None, **known}, numbers, pages)
    offered.close()


DOORS = [route.path for route in routes() if "GET" in (route.methods or {"GET"})]
DOORS = [path for path in DOORS if not path.endswith((".png", ".gif"))]
"""All paths of pages and data. Pictures with pixels are made from the same records as SVG."""

SLOW = ("evaluation", "found", "value", "animation.svg")
"""The ends of paths for which a search is made, or much is drawn."""


def filled(site: Site, path: str) -> list[str]:
    """Return the paths with all parameters that lead to something."""
    base = {"game": ["flood"], "ladder": ["course"], "player": [*PLAYERS, "greedy"]}
    base |= {"ply:number": ["0"], "name": ["style.css"], "number:number": ["1"]}
    rows = submissions(site.pages.ladder, site.pages.now.state)
    base["version"] = sorted({row.event.version for row in rows})
    found = []
    for source in SOURCES if "{source}" in path else ("",):
        numbers = site.numbers.get(source, [NUMBER])
        values = {**base, "source": [source], "number": numbers}
        names = re.findall(r"{([\w:]+)}", path)
        for chosen in itertools.product(*(values[name] for name in names)):
            made = path
            for name, value in zip(names, chosen, strict=True):
                made = made.replace(f"{{{name}}}", value)
            found.append(made)
    return [f"{each}{QUERIES.get(path, '')}" for each in found]


QUERIES = {
    "/replay/{source}/{number}/frames": "?first=0&count=64",
    "/ladders/{ladder}/games": "?player=spy.py&opponent=greedy",
    "/tournaments/{number:number}/games": "?player=spy.py&opponent=late.py",
}


def texts(site: Site, visitor: str, path: str) -> set[str]:
    """Return the kinds of secrets that a visitor finds behind a door."""
    token = site.tokens[visitor]
    found: set[str] = set()
    for accept in ("text/html", "*/*"):
        headers = {"accept": accept, **({"authorization": f"Bearer {token}"} if token else {})}
        answer = site.client.get(path, headers=headers)
        assert answer.status_code != 500, path
        found |= {"".join(map(bytes.decode, kinds)) for kinds in SECRET.findall(answer.content)}
    return found


def may_read(visitor: str, path: str) -> bool:
    """Tell whether a visitor may read what the authors wrote, behind a door."""
    ladders = ("/ladders/course", "/replay/ladder-course", "/embed/ladder-course")
    own = path.startswith((*ladders, "/puzzles/ladder-course"))
    return visitor in (READERS if own else OPERATORS) or visitor == "teacher"


@pytest.mark.parametrize(
    "door",
    [pytest.param(door, marks=pytest.mark.slow) if door.endswith(SLOW) else door for door in DOORS],
)
def test_only_who_may_reads_what_authors_wrote_and_who_they_are(site, door) -> None:
    for path in filled(site, door):
        for visitor in site.tokens:
            if not may_read(visitor, path):
                assert texts(site, visitor, path) == set(), (visitor, path)


@pytest.mark.parametrize("visitor", sorted(READERS))
def test_who_may_finds_all_of_it_in_the_ladder(site, visitor) -> None:
    doors = [f"/ladders/course/players/{name}" for name in PLAYERS]
    for number in site.numbers["ladder-course"]:
        game = f"/replay/ladder-course/{number}"
        doors += [f"{game}/record.jsonl", f"{game}/story"]
    read = set().union(*(texts(site, visitor, door) for door in doors))
    assert read == TEXTS | (NAMES if visitor in ("teacher", "operator") else set())
    assert "compiler" in texts(site, visitor, "/ladders/course/submissions")
    assert "note" in set().union(
        *(
            texts(site, visitor, path)
            for path in filled(site, "/ladders/{ladder}/players/{player}/versions/{version}")
        )
    )


@pytest.mark.parametrize("source", ["here", "store"])
def test_an_operator_finds_it_in_all_records(site, source) -> None:
    record = f"/replay/{source}/{site.numbers[source][0]}/record.jsonl"
    assert {"stdout", "exception", "QZtagQ"} <= texts(site, "operator", record)


@pytest.mark.parametrize("source", SOURCES)
def test_a_record_for_others_can_be_read_and_names_the_faults(site, source) -> None:
    for number in site.numbers[source]:
        found = site.client.get(f"/replay/{source}/{number}/record.jsonl").content
        whole = site.client.get(
            f"/replay/{source}/{number}/record.jsonl",
            headers={"authorization": f"Bearer {site.tokens['operator']}"},
        ).content
        cut, full = parse_record(found), parse_record(whole)
        assert [move[:3] for move in cut.moves] == [move[:3] for move in full.moves]
        built_in = [seat for seat, name in enumerate(cut.header["specs"]) if "." not in name]
        thinking = {move.seat for move in cut.moves if move.thoughts is not None}
        assert thinking <= set(built_in)
        for own, seen in zip(full.events, cut.events, strict=True):
            assert (own.drop, own.reason) == (seen.drop, seen.reason)
            assert seen.message == seen.log == seen.answer == ""
        assert cut.end["ranks"] == full.end["ranks"]


@pytest.mark.parametrize("source", SOURCES)
def test_a_game_that_is_not_there_names_no_path_of_the_server(site, source) -> None:
    answer = site.client.get(f"/replay/{source}/99999")
    assert answer.status_code == 404
    assert str(site.pages.ladder.folder.path.parent) not in answer.text


def test_names_of_files_digests_and_reasons_are_public(site) -> None:
    shown = site.client.get("/ladders/course").text
    state = site.pages.now.state
    for one in state.entrants:
        assert one.name in shown
        assert one.version[:8] in shown
    page = site.client.get("/ladders/course/players/spy.py").text
    assert "forfeits in a row, crash" in page
    assert "it does not compile" in site.client.get("/ladders/course/players/wrong.c").text


def test_what_is_printed_and_written_for_others_has_none_of_it(site, tmp_path, capsys) -> None:
    ladder = site.pages.ladder
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladder_report, "read_ladder", lambda _: ladder)
        for form in ("text", "csv", "json"):
            ladder_report.write_table(ladder.folder, None, None, form)
        ladder_report.write_table(ladder.folder, tmp_path / "t.html", tmp_path / "t.svg", "text")
        shown = capsys.readouterr().out + (tmp_path / "t.html").read_text()
        assert "spy.py" in shown
        assert "SECRET" not in shown + (tmp_path / "t.svg").read_text()
        assert "SECRET" not in ladder.folder.state.read_text()
        write_reasons(ladder.folder, "late.py", tmp_path / "late")
        write_reasons(ladder.folder, "spy.py", tmp_path / "spy")
    assert "SECRET_exception_" in capsys.readouterr().out  # for the author of this player
    for name, others in (("late", b"SECRET_exception_"), ("spy", b"SECRET_finish_")):
        records = [file.read_bytes() for file in (tmp_path / name).iterdir()]
        assert records
        assert not any(others in record for record in records)
    assert any(b"SECRET_stderr_" in file.read_bytes() for file in (tmp_path / "spy").iterdir())


def test_a_live_match_and_a_form_show_none_of_it(site) -> None:
    manager = site.client.app.state.context.match_manager
    form = {"board": "square", "board.width": "4", "player0": "players/spy.py", "pause": "0"}
    for visitor, alone in (("play", False), ("operator", True)):
        manager._reads_all = alone  # as on a server that only one machine can reach
        headers = {"authorization": f"Bearer {site.tokens[visitor]}"}
        answer = site.client.post(
            "/games/flood",
            data={**form, "player1": "greedy"},
            headers=headers,
            follow_redirects=False,
        )
        assert answer.status_code == 303, answer.text
        number = answer.headers["location"].rpartition("/")[2]
        manager.match(number).join(300)
        events = site.client.get(f"/match/{number}/events", headers=headers).text
        assert "forfeits: crash" in events
        assert ("SECRET" in events) is alone
    for path in ("/games/flood", "/tournaments/new/flood"):
        chosen = {**form, "player0": "players/wrong.c", "player1": "greedy"}
        chosen |= {"enters.players/wrong.c": "on", "enters.greedy": "on"}
        headers = {"authorization": f"Bearer {site.tokens['operator']}"}
        answer = site.client.post(path, data=chosen, headers=headers)
        assert (answer.status_code, "SECRET_compiler_" in answer.text) == (400, True)
    headers = {"authorization": f"Bearer {site.tokens['play']}"}
    answer = site.client.post("/games/flood", data=chosen, headers=headers)
    assert (answer.status_code, "SECRET" in answer.text) == (400, False)
    assert "wrong.c does not compile" in answer.text
