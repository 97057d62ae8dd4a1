"""The people of a ladder on its pages: their tokens, players, teams, limits and grade sheet."""

import csv
import html
import io
import os
import re
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ludograph import make, play_match
from ludograph.arena.ladder import LadderFolder, UploadLimits
from ludograph.arena.ladder.folder import Entrant, State, write_state
from ludograph.arena.ladder.orders import withdraw
from ludograph.arena.ladder.people import Role, add_people
from ludograph.arena.store import GameFilter, Store
from ludograph.cli.declared_files import read_ladder
from ludograph.players.isolation import Level
from ludograph.referee.record_reader import parse_record
from ludograph.web.ladder import uploads
from ludograph.web.ladder.ladders import FRESH, LadderPages
from ludograph.web.ladder.uploads import NotYours, may_read_output
from ludograph.web.match.match_records import MatchRecords
from ludograph.web.replay.replays import Replays
from ludograph.web.server.access import COOKIE
from ludograph.web.server.tokens import ALONE, OPEN, WRONG, Register, Visitor
from tests.arena.ladder.making import ladder_in, noon, put, run
from tests.cli.run import refuse, succeed
from tests.web.conftest import by_role
from tests.web.ladder.conftest import FAULTY, SHORT, play_ladder

PAGE = {"accept": "text/html"}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A ladder in which a player that always crashes has played."""
    path = tmp_path_factory.mktemp("people") / "course"
    play_ladder(path, 8, faulty=FAULTY)
    return LadderFolder(path)


@pytest.fixture
def client_of(serving):
    """A function that returns a client of a server with a ladder, as visitors from afar have."""

    def client(folder, tokens=OPEN, **limits):
        ladder = replace(read_ladder(folder), uploads=UploadLimits(**limits), zone=noon())
        return serving(LadderPages(ladder, Level.BASIC), tokens=tokens)

    return client


def tokens_of(folder, listed):
    return {new.person.id: new.token for new in add_people(folder, listed)}


def by(token):
    return {"authorization": f"Bearer {token}"}


def come_in(client, link):
    """Open a link with a token, and press the button of its page."""
    shown = client.get(link).text
    names = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', shown)
    return client.post("/enter", data={name: html.unescape(value) for name, value in names})


def bring(client, name, token, data=SHORT):
    return client.post(f"/ladders/course/players/{name}", content=data, headers=by(token))


@pytest.mark.slow
def test_a_token_is_replaced_and_revoked_while_the_server_runs(folder, listed, client_of) -> None:
    first = tokens_of(folder, listed)["s1"]
    client = client_of(folder)
    assert client.get("/ladders/course/me", headers=by(first)).status_code == 200
    shown = succeed("ladder", "people", "renew", folder.path, "Anna Alder")
    second = next(csv.DictReader(io.StringIO(shown)))["token"]
    assert client.get("/ladders/course/me", headers=by(first)).status_code == 403
    assert client.get("/ladders/course/me", headers=by(second)).status_code == 200
    succeed("ladder", "people", "revoke", folder.path, "s1")
    assert client.get("/ladders/course/me", headers=by(second)).status_code == 403
    for token in (second, "never given to anybody"):
        refused = bring(client, "anna.py", token)
        assert (refused.status_code, refused.json()["error"]) == (401, WRONG)
        assert WRONG in client.get("/ladders/course/me", headers=by(token)).text
    assert "A token is needed" in client.post("/ladders/course/players/a.py").json()["error"]
    listing = succeed("ladder", "people", "list", folder.path)
    assert re.search(r"s1 .*revoked +faulty.py", listing)
    assert re.search(r"s2 .*valid", listing)


def test_a_link_lets_nobody_in_without_a_click(folder, listed, client_of) -> None:
    """Somebody else may have sent it, so that its reader uploads players in the sender's name."""
    tokens = tokens_of(folder, listed)
    client = client_of(folder)
    link = f"/enter?token={tokens['s3']}&next=/ladders/course/me"
    for before in (None, tokens["s1"]):
        if before is not None:
            client.cookies.set(COOKIE, before)
        for method in ("GET", "HEAD"):
            answer = client.request(method, link, follow_redirects=False)
            assert answer.status_code == 200
            assert COOKIE not in answer.headers.get("set-cookie", "")
        assert "Cora &lt;i&gt;" in client.get(link).text
        assert client.cookies.get(COOKIE) == before
    elsewhere = {"origin": "http://elsewhere.example"}
    sent = {"token": tokens["s3"], "next": "/"}
    assert client.post("/enter", data=sent, headers=elsewhere).status_code == 403
    client.cookies.clear()
    entered = come_in(client, link)
    assert str(entered.url) == "http://localhost/ladders/course/me"
    assert client.cookies.get(COOKIE) == tokens["s3"]
    again = client.get(link, follow_redirects=False)  # the own link needs no further click
    assert (again.status_code, again.headers["location"]) == (303, "/ladders/course/me")


@pytest.mark.slow
def test_a_token_survives_neither_a_damaged_file_nor_its_removal(folder, listed, client_of) -> None:
    token = tokens_of(folder, listed)["s1"]
    client = client_of(folder)
    folder.people.write_text("[{")
    assert bring(client, "anna.py", token).status_code == 401
    assert "people.json" in client.get("/ladders/course").text
    assert "people.json" in refuse("serve", "--ladder", folder.path, "--port", 0)
    folder.people.unlink()
    assert bring(client, "anna.py", token).status_code == 401


@pytest.mark.slow
def test_a_team_shares_its_players_and_others_do_not(folder, listed, client_of) -> None:
    tokens = tokens_of(folder, listed)
    client = client_of(folder)
    assert bring(client, "red.py", tokens["s2"]).status_code == 200
    assert bring(client, "red.py", tokens["s3"], SHORT + "#\n").status_code == 200
    assert bring(client, "red.py", tokens["s1"]).status_code == 403
    assert folder.read_owners() == {"red.py": "team Red"}
    assert folder.author("red.py") == "team Red"
    # A player that was put there by hand is that of the person whom the operator has named.
    (folder.players / "faulty.py").write_text(FAULTY)
    assert bring(client, "faulty.py", tokens["s3"]).status_code == 403
    assert bring(client, "faulty.py", tokens["s1"]).status_code == 200
    # A new token changes nothing about that, and a name in a team of one's own gives nothing.
    shown = succeed("ladder", "people", "renew", folder.path, "s3")
    renewed = next(csv.DictReader(io.StringIO(shown)))["token"]
    assert bring(client, "red.py", renewed).status_code == 200
    listed.write_text("name,id,team\nEve,team Red,\nMal,s1,s2\n")
    new = tokens_of(folder, listed)
    assert bring(client, "red.py", new["team Red"]).status_code == 403


@pytest.mark.slow
def test_what_a_player_prints_is_for_its_author_the_team_and_operators(
    folder, listed, client_of
) -> None:
    tokens = tokens_of(folder, listed)
    bring(client_of(folder), "red.py", tokens["s2"])
    register = Register(folder)

    def readers(player, *visitors):
        return [may_read_output(register, player, visitor) for visitor in visitors]

    anna, bela, cora = (OPEN.visitor(token, [register]) for token in tokens.values())
    other = cora._replace(ladder="other")
    operator, stranger = Visitor(Role.OPERATE), Visitor(Role.UPLOAD, "wrong", is_known=True)
    anybody = Visitor(Role.LOOK)
    people = anna, bela, cora, other, operator, stranger, anybody
    assert readers("red.py", *people) == [False, True, True, False, True, False, False]
    assert readers("faulty.py", *people) == [True, False, False, False, True, False, False]
    assert readers("by-hand.py", *people) == [one is operator for one in people]
    folder.people.write_text("[{")
    assert readers("by-hand.py", *people) == [one is operator for one in people]


@pytest.mark.slow
def test_the_role_of_a_person_is_for_the_own_ladder(folder, listed, tmp_path, serving) -> None:
    other = LadderFolder(tmp_path / "other" / "second")
    succeed("ladder", "init", other.path, "flood", "-m", 4)
    tokens_of(folder, listed)
    listed.write_text("name,id,role\nTeacher,t,operate\n")
    own, elsewhere = (tokens_of(each, listed)["t"] for each in (folder, other))
    write_state(folder, State(entrants=[Entrant("faulty.py", 64 * "0")]))
    both = [LadderPages(read_ladder(each), Level.BASIC) for each in (folder, other)]
    client = serving(*both, tokens=OPEN)
    assert "Anna Alder" in client.get("/ladders/course", headers=by(own)).text
    visited = client.get("/ladders/course", headers=by(elsewhere)).text
    assert "Anna Alder" not in visited
    assert '<a href="/enter">a token</a>' in visited


def test_pages_do_not_wait_for_the_disk_while_a_player_is_uploaded(tmp_path, monkeypatch) -> None:
    pages, fresh = LadderPages(ladder_in(tmp_path), Level.BASIC), []
    monkeypatch.setattr(pages.uploads, "checked", lambda *_: ("", b""))

    def slow(*_, **__):
        reader = threading.Thread(target=lambda: fresh.append(pages.age < FRESH), daemon=True)
        reader.start()
        reader.join(10)

    monkeypatch.setattr(uploads, "write_whole", slow)
    pages.uploads.take(pages.ladder, "ann.py", SHORT.encode(), Visitor(Role.UPLOAD, "an owner"))
    assert fresh == [False, False]


def test_a_ladder_may_be_called_as_another_source_of_records(tmp_path) -> None:
    (tmp_path / "here").mkdir()
    pages = LadderPages(ladder_in(tmp_path / "here"))
    replays = Replays(MatchRecords(tmp_path / "g"), None, {"here": pages})
    (tmp_path / "g").mkdir()
    play_match(make("flood", board="square:3"), ["random"] * 2, record=tmp_path / "g" / "1.jsonl")
    assert replays.data("here", "1", Visitor(Role.LOOK)).startswith(b"{")


@pytest.mark.slow
def test_records_and_reports_show_source_lines_to_the_author_only(
    played, listed, client_of
) -> None:
    tokens = tokens_of(played, listed)
    played.write_report("faulty.py", "this line of the source\n")
    client = client_of(played)
    try:
        with Store(played.store) as store:
            number = next(store.games(GameFilter(player="faulty.py"))).number

        def seen(token):
            record = client.get(f"/replay/ladder-course/{number}/record.jsonl", headers=by(token))
            page = client.get("/ladders/course/players/faulty.py", headers=by(token))
            assert record.status_code == page.status_code == 200
            assert parse_record(record.content).end is not None
            assert str(played.path) not in record.text or "raise ValueError" in record.text
            return "raise ValueError" in record.text, "line of the source" in page.text

        assert seen(tokens["s1"]) == (True, True)
        assert seen(tokens["s2"]) == seen("") == (False, False)
        game = f"/replay/ladder-course/{number}"
        for path in (
            *(game, f"{game}/story", f"{game}/frames?count=9", f"/embed/ladder-course/{number}"),
            *("/ladders/course", "/ladders/course/games?player=faulty.py&opponent=greedy"),
            "/ladders/course/me",
        ):
            answer = client.get(path, headers=by(tokens["s2"]))
            assert answer.status_code == 200, path
            assert not re.search("raise ValueError|line of the source", answer.text), path
    finally:
        played.people.unlink()
        played.write_report("faulty.py", "")


def test_a_name_that_has_played_is_nobody_elses(tmp_path) -> None:
    """Who has it would read what the earlier player wrote, in all its games."""
    (tmp_path / "course").mkdir()
    ladder, listed = ladder_in(tmp_path / "course"), tmp_path / "people.csv"
    put(ladder, "old.py", "fault")
    put(ladder, "broken.c", "no C")
    run(ladder, 4)
    for name in ("old.py", "broken.c"):
        withdraw(ladder.folder, name)
    listed.write_text("name,team,role,players\neve,,upload,\nann,,upload,old.py\n")
    tokens = tokens_of(ladder.folder, listed)
    pages = LadderPages(ladder, Level.BASIC)
    eve = OPEN.visitor(tokens["eve"], [pages.register])
    for name in ("old.py", "broken.c"):
        with pytest.raises(NotYours):
            pages.uploads.take(pages.ladder, name, SHORT.encode(), eve)
        assert not may_read_output(pages.register, name, eve)
    listed.write_text("name,team,role,players\neve,,upload,\n")
    ladder.folder.people.unlink()
    eve = OPEN.visitor(tokens_of(ladder.folder, listed)["eve"], [pages.register])
    with pytest.raises(NotYours):
        pages.uploads.take(pages.ladder, "old.py", SHORT.encode(), eve)


@pytest.mark.slow
def test_names_stand_beside_players_for_operators_and_for_all_if_the_ladder_says_so(
    played, listed, client_of
) -> None:
    add_people(played, listed)
    paths = ("/ladders/course", "/ladders/course/players/faulty.py")
    for path in paths:
        assert "Anna Alder" not in client_of(played).get(path).text
        assert "Anna Alder" in client_of(played, ALONE).get(path).text
    text = played.declaration.read_text()
    played.declaration.write_text(text.replace("show_names = false", "show_names = true"))
    try:
        client = client_of(played)
        assert all("Anna Alder" in client.get(path).text for path in paths)
    finally:
        played.declaration.write_text(text)
        played.people.unlink()


@pytest.mark.slow
def test_a_player_of_a_token_of_the_server_becomes_a_persons(
    folder, listed, tokens, client_of
) -> None:
    """As in the middle of a term, when people get tokens of their own."""
    shared, client = by_role(tokens, "upload"), client_of(folder, tokens)
    assert bring(client, "faulty.py", shared).status_code == 200
    own = tokens_of(folder, listed)["s1"]
    assert bring(client, "faulty.py", shared).status_code == 403
    assert bring(client, "faulty.py", own).status_code == 200
    assert folder.read_owners() == {"faulty.py": "person s1"}


@pytest.mark.slow
def test_a_deadline_closes_the_ladder_for_all_but_operators(
    folder, listed, tokens, client_of
) -> None:
    anna = tokens_of(folder, listed)["s1"]
    now = datetime.now(UTC)
    client = client_of(folder, tokens, deadline=now - timedelta(seconds=1))
    answer = bring(client, "anna.py", anna)
    assert answer.status_code == 400
    assert "the deadline was 20" in answer.json()["error"]
    for path in ("/ladders/course", "/ladders/course/me"):
        shown = client.get(path, headers=by(anna)).text
        assert "the deadline was" in shown
        assert "can be uploaded until" not in shown
        assert '#bring">' not in shown
    (folder.players / "faulty.py").write_text(SHORT)  # of Anna, by the list of people
    gone = client.request("DELETE", "/ladders/course/players/faulty.py", headers=by(anna))
    assert (gone.status_code, "the deadline was" in gone.text) == (400, True)
    assert bring(client, "late.py", by_role(tokens, "operate")).status_code == 200
    client = client_of(folder, tokens, deadline=now + timedelta(days=1))
    assert bring(client, "anna.py", anna).status_code == 200


@pytest.mark.slow
def test_files_of_a_day_and_players_are_counted_for_a_team_together(
    folder, listed, client_of
) -> None:
    tokens = tokens_of(folder, listed)
    client = client_of(folder, each_day=3, players=1)
    assert bring(client, "red.py", tokens["s2"]).status_code == 200
    second = bring(client, "blue.py", tokens["s3"])
    assert second.status_code == 429
    assert "you have 1 player of 1 already" in second.json()["error"]
    assert bring(client, "red.py", tokens["s3"], "def x(:").status_code == 400  # is not counted
    for _ in range(2):
        assert bring(client, "red.py", tokens["s3"]).status_code == 200
    client = client_of(folder, each_day=3, players=1)  # the server was started anew
    last = bring(client, "red.py", tokens["s2"])
    assert last.status_code == 429
    assert "3 files a day" in last.json()["error"]
    assert bring(client, "anna.py", tokens["s1"]).status_code == 200


@pytest.mark.slow
def test_a_deadline_that_was_moved_holds_at_once(folder, listed, serving) -> None:
    token = tokens_of(folder, listed)["s1"]
    text = folder.declaration.read_text()
    pages = LadderPages(read_ladder(folder), Level.BASIC, reread=read_ladder)
    client = serving(pages, tokens=OPEN)
    for day, status in (("2020-01-31", 400), ("2120-01-31", 200)):
        folder.declaration.write_text(f"{text}\n[uploads]\ndeadline = {day}T23:59:00+01:00\n")
        os.utime(folder.declaration, (status, status))
        assert bring(client, "anna.py", token).status_code == status
    folder.declaration.write_text(f"{text}\n[uploads]\ndeadline = 2020-01-31T23:59:00\n")
    refused = bring(client, "anna.py", token)
    assert refused.status_code == 400
    assert "wait until an operator has mended" in refused.json()["error"]


@pytest.mark.slow
def test_a_token_has_its_role_where_others_operate(folder, listed, client_of) -> None:
    tokens = tokens_of(folder, listed)
    client = client_of(folder, ALONE)
    assert bring(client, "anna.py", tokens["s1"]).status_code == 200
    assert bring(client, "anna.py", tokens["s3"]).status_code == 403
    assert client.post("/ladders/course/players/anna.py", content=SHORT).status_code == 200


@pytest.mark.slow
def test_the_page_of_a_participant_has_own_players_faults_and_what_helps(
    played, listed, client_of
) -> None:
    tokens = tokens_of(played, listed)
    client = client_of(played, each_day=5)
    entered = come_in(client, f"/enter?token={tokens['s1']}")
    assert str(entered.url) == "http://localhost/ladders/course/me"
    shown = entered.text
    for part in ("Anna Alder", "faulty.py", "It crashes", "the place named above", "5 files"):
        assert part in shown
    assert "<b>no" not in shown
    assert shown.count("greedy, fixed at 1000,") == 1
    assert re.search(r'href="/replay/ladder-course/\d+#\d+">replay from the fault</a>', shown)
    assert "ludograph player debug faulty.py flood --record game.jsonl --seat" in shown
    assert "Birk" not in shown
    client.cookies.clear()
    others = client.get("/ladders/course/me", headers=by(tokens["s2"])).text
    assert re.search("Team Red.*Cora &lt;i&gt;", others)
    assert "/players/" not in others
    assert client.get("/ladders/course/me").status_code == 403
    assert client.get("/ladders/none/me", headers=by(tokens["s2"])).status_code == 404
    # Names of people stand on their own pages alone.
    assert "Anna Alder" not in client.get("/ladders/course", headers=by(tokens["s2"])).text
    sheet = csv.DictReader(io.StringIO(succeed("ladder", "people", "grades", played.path)))
    rows = {row["id"]: row for row in sheet}
    assert rows["s1"]["player"] == "faulty.py"
    assert int(rows["s1"]["forfeits"]) > 0
    assert (rows["s2"]["player"], rows["s2"]["rating"]) == ("", "")
