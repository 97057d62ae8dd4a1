"""Submissions on pages: who sees the list and the sources, trials, comparisons, bounds."""

import csv
import errno
import hashlib
import io
import json
import os
import re
import threading
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest

from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.ladder import LadderFolder, UploadLimits, read_state, submission_list
from ludograph.arena.ladder.folder import Entrant, State, write_state
from ludograph.arena.ladder.leaving import remove_person
from ludograph.arena.ladder.orders import reinstate, suspend, withdraw
from ludograph.arena.ladder.people import Role, add_people
from ludograph.arena.ladder.submission_list import (
    EventKind,
    SubmissionEvent,
    add_event,
    read_events,
    submissions,
)
from ludograph.cli.declared_files import read_ladder
from ludograph.errors import HostFailure, InvalidInput, NotFound
from ludograph.players.isolation import Level
from ludograph.web.ladder import ladder_pages, uploads
from ludograph.web.ladder.ladders import LadderPages
from ludograph.web.ladder.shown_ladders import shown_ladder
from ludograph.web.server.tokens import Tokens, Visitor
from ludograph.web.server.work_pools import Overloaded
from tests.arena.ladder.making import ladder_in, noon, put, run
from tests.cli.run import succeed
from tests.web.ladder.conftest import FAULTY, SHORT, play_ladder

ANN, BOB = (Visitor(Role.UPLOAD, f"person {name}", is_known=True) for name in ("ann", "bob"))


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """A ladder on pages whose files are not compiled."""
    found = LadderPages(ladder_in(tmp_path, zone=noon()), Level.BASIC)
    monkeypatch.setattr(found.uploads, "checked", lambda _, __, data, ___: ("", data))
    return found


def games(*results, own="ann.py"):
    """Return a function that plays: each result of a player is a rank, a fault, or an error."""
    waiting = list(results)

    def play(plan):
        result, names = waiting.pop(0), plan.key.seating
        if isinstance(result, Exception):
            if isinstance(result, HostFailure):
                return result
            raise result
        fault = ("crash", result) if isinstance(result, str) else ()
        rank = 2 if fault else result
        seats = tuple(
            SeatResult(name, rank, 0.0, 1, 0.0, *fault)
            if name == own
            else SeatResult(name, 3 - rank, 0.0, 1, 0.0)
            for name in names
        )
        return FinishedGame(
            start=0, seed=1, board="toy", reason="finished", plies=1, sentence="so", seats=seats
        )

    return play


def why(pages):
    """What the list has of submissions: the status, and why."""
    rows = submissions(pages.ladder, read_state(pages.ladder.folder))
    return [(str(row.status), row.why) for row in rows]


def test_a_player_that_fails_its_trial_does_not_join_unless_it_is_asked_to(pages) -> None:
    text, file = SHORT.encode(), pages.ladder.folder.players / "ann.py"
    said = pages.uploads.take(pages.ladder, "ann.py", text, ANN, games(1, 2))
    assert "It plays: it won 1 of 2 games of its trial against greedy" in said
    crash = "IndexError: list index out of range (ann.py, line 3)"
    for trial, number in ((games(crash), 1), (games(1, crash), 2)):
        with pytest.raises(InvalidInput, match=r"failed its trial: crash, IndexError.*line 3\)"):
            pages.uploads.take(pages.ladder, "ann.py", text + b"#" * number, ANN, trial)
        assert file.read_bytes() == text
    assert [status for status, _ in why(pages)] == ["accepted", "refused", "refused"]
    assert crash in why(pages)[1][1]
    said = pages.uploads.take(pages.ladder, "ann.py", text + b"#", ANN, games(crash), anyway=True)
    assert f"It failed its trial: crash, {crash}" in said
    assert file.read_bytes() == text + b"#"


def test_the_next_version_of_a_suspended_player_stays_suspended(pages) -> None:
    state = State(entrants=[Entrant("ann.py", 64 * "0")])
    write_state(pages.ladder.folder, state)
    suspend(pages.ladder.folder, "ann.py", "a copy")
    said = pages.uploads.take(pages.ladder, "ann.py", b"x", ANN, games(1, 2))
    assert said.endswith("It stays suspended until an operator reinstates it.")
    reinstate(pages.ladder.folder, "ann.py")
    said = pages.uploads.take(pages.ladder, "ann.py", b"y", ANN, games(1, 2))
    assert said.endswith("it takes part within seconds.")


@pytest.mark.parametrize("error", [Overloaded("much to do"), HostFailure("no memory")])
def test_a_trial_that_the_server_cannot_play_refuses_nobody(pages, error) -> None:
    said = pages.uploads.take(pages.ladder, "ann.py", SHORT.encode(), ANN, games(1, error))
    assert "trial could not be played to its end" in said
    assert why(pages) == [("accepted", "")]


def test_what_is_refused_is_listed_with_its_time(tmp_path, monkeypatch) -> None:
    limits = UploadLimits(datetime.now(UTC) + timedelta(hours=1), players=1)
    ladder = ladder_in(tmp_path, uploads=limits)
    pages = LadderPages(ladder, Level.BASIC)
    found = iter([("ann.py:1: SyntaxError", b""), ("", b"x")])
    monkeypatch.setattr(pages.uploads, "checked", lambda *_: next(found))
    with pytest.raises(InvalidInput):
        pages.uploads.take(pages.ladder, "ann.py", b"x", ANN)
    pages.uploads.take(pages.ladder, "ann.py", b"x", ANN)
    for error, file, data, visitor in (
        (submission_list.LimitReached, "more.py", b"x", ANN),
        (uploads.NotYours, "ann.py", b"x", BOB),
        (InvalidInput, "Ann.py", b"x", BOB),
        (InvalidInput, f"\n{'bob' * 99}.txt", b"x", BOB),
        (InvalidInput, "bob.py", b"", BOB),
    ):
        with pytest.raises(error):
            pages.uploads.take(pages.ladder, file, data, visitor)
    pages.ladder = replace(ladder, uploads=UploadLimits(datetime.now(UTC)))
    with pytest.raises(InvalidInput, match="the deadline was"):
        pages.uploads.take(pages.ladder, "ann.py", b"x", ANN)
    told = ("SyntaxError", "", "1 player of 1", "somebody else", "looks like", "ASCII letters")
    for (_, reason), part in zip(why(pages), (*told, "is empty", "the deadline"), strict=True):
        assert part in reason
    events = read_events(ladder.folder)
    who = ["ann", "ann", "ann", "bob", "bob", "bob", "bob", "ann"]
    assert [event.owner for event in events] == [f"person {name}" for name in who]
    assert max(len(event.file) for event in events) <= 60


def test_names_and_uploads_of_a_person_have_bounds(pages, monkeypatch) -> None:
    """Otherwise somebody who uploads and withdraws in a loop fills the disk."""
    monkeypatch.setattr(submission_list, "NAMES", 2)
    monkeypatch.setattr(submission_list, "ATTEMPTS", 6)
    for name in ("a.py", "b.py"):
        pages.uploads.take(pages.ladder, name, b"x", ANN)
        pages.uploads.withdraw(pages.ladder, name, ANN)
    with pytest.raises(submission_list.LimitReached, match="used 2 names"):
        pages.uploads.take(pages.ladder, "c.py", b"x", ANN)
    pages.uploads.take(pages.ladder, "c.py", b"x", BOB)
    pages.uploads.take(pages.ladder, "a.py", b"x", ANN)
    for _ in range(2):  # what goes beyond is not listed
        with pytest.raises(submission_list.LimitReached, match="6 uploads and withdrawals a day"):
            pages.uploads.take(pages.ladder, "a.py", b"x", ANN)
    assert sum(event.owner == ANN.owner for event in read_events(pages.ladder.folder)) == 6


def test_an_upload_that_waits_for_others_counts_from_its_arrival(tmp_path, monkeypatch) -> None:
    now = datetime.now(UTC)
    pages = LadderPages(ladder_in(tmp_path, uploads=UploadLimits(now)), Level.BASIC)
    monkeypatch.setattr(pages.uploads, "checked", lambda _, __, data, ___: ("", data))
    arrived = now.timestamp() - 1
    pages.uploads.take(pages.ladder, "ann.py", b"x", ANN, arrived=arrived)
    with pytest.raises(InvalidInput, match="the deadline was"):
        pages.uploads.take(pages.ladder, "ann.py", b"y", ANN, arrived=now.timestamp())
    first, last = submissions(pages.ladder, read_state(pages.ladder.folder))
    assert (first.event.time, first.counts, last.counts) == (arrived, True, False)


def test_nobody_takes_all_threads_of_uploads_and_comparisons(pages) -> None:
    turn, threads = pages.uploads.turn, pages.uploads.threads.total_tokens
    assert threads > uploads.CHECKS
    with ExitStack() as stack:
        for _ in range(uploads.CHECKS):
            stack.enter_context(turn("person ann"))
        with pytest.raises(submission_list.LimitReached, match="are under way"), turn("person ann"):
            pass
        stack.enter_context(turn("person bob"))
    with turn("person ann"):
        pass


def test_an_upload_that_could_not_be_written_is_not_listed_as_accepted(pages, monkeypatch) -> None:
    pages.uploads.take(pages.ladder, "ann.py", b"x", ANN)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(uploads, "write_whole", full)
    with pytest.raises(OSError, match="No space"):
        pages.uploads.take(pages.ladder, "ann.py", b"y", ANN)
    assert why(pages) == [("replaced", ""), ("refused", "it was lost: No space left on device")]
    monkeypatch.setattr(uploads, "keep", full)
    with pytest.raises(OSError, match="No space"):
        pages.uploads.take(pages.ladder, "ann.py", b"z", ANN)
    assert len(why(pages)) == 2


def test_nobody_takes_the_name_of_a_file_that_was_withdrawn_before_it_played(pages) -> None:
    (pages.ladder.folder.players / "old.run").write_text("no program")
    withdraw(pages.ladder.folder, "old.run")
    with pytest.raises(uploads.NotYours):
        pages.uploads.take(pages.ladder, "old.run", b"x", ANN)


def test_a_withdrawal_waits_for_an_upload_that_is_being_written(pages) -> None:
    folder = pages.ladder.folder
    pages.uploads.take(pages.ladder, "ann.py", b"x", ANN)
    leaving = threading.Thread(target=withdraw, args=(folder, "ann.py"))
    with folder.people_locked():
        leaving.start()
        leaving.join(0.2)
        assert (folder.players / "ann.py").exists()
    leaving.join()
    assert why(pages) == [("withdrawn", "")]


@pytest.fixture
def course(tmp_path):
    """A ladder with a player of a person, one of a team and one of an operator."""
    (tmp_path / "course").mkdir()
    ladder = ladder_in(tmp_path / "course")
    listed = tmp_path / "people.csv"
    listed.write_text(
        "id,name,team,role,players\nann,Ann,,upload,ann.py\nmia,Mia,Red,upload,red.py\n"
        "max,Max,Red,upload,red.py\neve,Eve,,upload,\ntom,Tom,,operate,\nlou,Lou,,look,\n"
    )
    tokens = {new.person.id: new.token for new in add_people(ladder.folder, listed)}
    for name, text in {"ann.py": SHORT, "red.py": SHORT.replace("position", "p")}.items():
        put(ladder, name, text)
    put(ladder, "own.py", "x = 1")
    run(ladder, 0)
    return ladder, tokens


OWN, TEAMS, OPERATORS = "ann.py", "red.py", "own.py"

MAY = {
    "nobody": set(),
    "lou": set(),
    "eve": set(),
    "ann": {OWN},
    "mia": {TEAMS},
    "max": {TEAMS},
    "tom": {OWN, TEAMS, OPERATORS},
    "operator": {OWN, TEAMS, OPERATORS},
}
"""Whose submissions each visitor sees, reads and compares."""


@pytest.mark.parametrize("visitor", MAY)
def test_who_sees_submissions_reads_sources_and_compares_versions(course, serving, visitor) -> None:
    ladder, tokens = course
    pages = LadderPages(ladder, Level.BASIC)
    given = Tokens(Role.LOOK, {"a token that may operate": Role.OPERATE})
    client = serving(pages, tokens=given)
    pages.now = shown_ladder(ladder)
    token = {"operator": "a token that may operate", **tokens}.get(visitor)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    base = "/ladders/course"
    shown = client.get(f"{base}/submissions", headers=headers)
    is_token = visitor not in ("nobody", "lou")
    assert shown.status_code == (200 if is_token else 401)
    versions = {row.event.file: row.event.version for row in submissions(ladder, pages.now.state)}
    refused = 403 if is_token else 401
    for file, version in versions.items():
        may, player = file in MAY[visitor], f"{base}/players/{file}"
        assert (f"/players/{file}/versions/" in shown.text) == may
        source = client.get(f"{player}/versions/{version}", headers=headers)
        assert source.status_code == (200 if may else refused)
        asked = client.post(f"{player}/compare?first=1&second=9", headers=headers)
        assert asked.status_code == (404 if may else refused)
        if may:
            assert source.content == (ladder.folder.players / file).read_bytes()
            assert source.headers["content-type"].startswith("text/plain")
    alike = {OWN, TEAMS} <= MAY[visitor]
    assert ("Same as" in shown.text) == alike
    assert (f"<td>{TEAMS}</td>" in shown.text) == alike  # beside ann.py


def test_a_page_has_the_last_submissions_and_a_link_to_all(course, serving, monkeypatch) -> None:
    ladder, tokens = course
    monkeypatch.setattr(ladder_pages, "SUBMISSIONS", 2)
    for number in range(5):
        own = SubmissionEvent(
            number, f"{number}.py", EventKind.REFUSED, "12ab", "person ann", "ann", f"=no {number}"
        )
        add_event(ladder.folder, own)
    client = serving(LadderPages(ladder, Level.BASIC), tokens=Tokens(Role.LOOK, {}))
    for visitor, count in (("ann", 6), ("mia", 1), ("tom", 8)):
        headers = {"authorization": f"Bearer {tokens[visitor]}"}
        shown = client.get("/ladders/course/submissions", headers=headers).text
        assert shown.count("<tr><td>") == min(count, 2)
        assert (f"the last 2 of {count}" in shown) == (count > 2)
        assert 'href="?csv"' in shown
        written = client.get("/ladders/course/submissions?csv", headers=headers)
        rows = list(csv.DictReader(io.StringIO(written.text)))
        assert len(rows) == count
        assert ("alike" in rows[0]) == (visitor == "tom")
        assert "=no 4" in written.text or visitor == "mia"
        assert ",=no" not in written.text  # no formula of a spreadsheet
        assert written.headers["content-type"].startswith("text/csv")
    assert client.get("/ladders/course/submissions?csv").status_code == 401


def test_an_upload_of_somebody_who_leaves_meanwhile_is_lost(course, monkeypatch) -> None:
    ladder, tokens = course
    pages = LadderPages(ladder, Level.BASIC)
    monkeypatch.setattr(pages.uploads, "checked", lambda _, __, data, ___: ("", data))
    eve = Tokens().visitor(tokens["eve"], [pages.register])

    def play(_):
        remove_person(ladder, "eve")
        raise Overloaded

    with pytest.raises(uploads.NotYours, match="not valid"):
        pages.uploads.take(ladder, "eve.py", b"x", eve, play)
    assert not (ladder.folder.players / "eve.py").exists()
    assert "eve.py" not in ladder.folder.read_owners()
    with pytest.raises(uploads.NotYours, match="not valid"):
        pages.uploads.take(ladder, "eve.py", b"x", eve)
    assert "eve" not in ladder.folder.submissions.read_text()


def test_pages_offer_nothing_of_a_removed_player(course, serving) -> None:
    ladder, tokens = course
    for name, text in {"ann.py": "fault", "red.py": 1, "own.py": 2}.items():
        put(ladder, name, text)
    run(ladder, 8)
    client = serving(LadderPages(ladder, Level.BASIC), tokens=Tokens(Role.LOOK, {}))
    headers = {"authorization": f"Bearer {tokens['tom']}"}

    def shown(path):
        return client.get(f"/ladders/course/{path}", headers=headers).text

    assert "ludograph player debug ann.py" in shown("players/ann.py")
    assert "/players/ann.py/versions/" in shown("submissions")
    (name,) = remove_person(ladder, "ann").players.values()
    page = shown(f"players/{name}")
    assert "It has left the ladder" in page
    assert "Forfeits by crash" in page
    assert "player debug" not in page
    assert "record.jsonl" not in page
    assert f'<td class="name"><a href="/ladders/course/players/{quote(name)}">' in shown(
        "submissions"
    )
    assert f"/players/{quote(name)}/versions/" not in shown("submissions")


def test_sources_are_files_alone(course) -> None:
    ladder, _ = course
    uploads, operator = LadderPages(ladder, Level.BASIC).uploads, Visitor(Role.OPERATE, "operator")
    secret = ladder.folder.path / "secret"
    secret.write_text("hidden")
    digest = hashlib.sha256(b"hidden").hexdigest()
    file = ladder.folder.players / "ann.py"
    for make in (lambda: file.symlink_to(secret), lambda: os.mkfifo(file)):
        file.unlink()
        make()
        with pytest.raises(NotFound):  # and it waits for no writer
            uploads.source(ladder, "ann.py", digest, operator)


def test_no_version_leads_out_of_the_folder(course, serving) -> None:
    ladder, _ = course
    pages = LadderPages(ladder, Level.BASIC)
    client = serving(pages)
    (ladder.folder.path / "secret").write_text("the secret")
    for player, version in {
        "ann.py": "../../../secret",
        "..": "0123456789ab",
        "secret": "0123456789ab",
        "%2e%2e%2fsecret": "0123456789ab",
        "ann.py%00": "0123456789ab",
    }.items():
        answer = client.get(f"/ladders/course/players/{player}/versions/{version}")
        assert answer.status_code in (404, 405), player
        assert "the secret" not in answer.text
    assert client.get("/ladders/course/players/ann.py/versions/ffffffff").status_code == 404


def test_errors_name_files_without_folders(course, serving) -> None:
    ladder, _ = course
    client = serving(LadderPages(ladder, Level.BASIC))
    ladder.folder.owners.write_text("[{")
    answer = client.post("/ladders/course/players/new.py", content=SHORT)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(".owners.json: ")
    ladder.folder.owners.unlink()
    ladder.folder.people.write_text("[{")
    answer = client.post("/ladders/course/players/new.py", content=SHORT)
    assert answer.json()["error"].startswith("people.json: ")


def test_the_page_about_crashes_comes_with_the_server(client) -> None:
    answer = client.get("/static/my-player-crashes.md")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.startswith("# My player crashes\n")
    assert "AddressSanitizer" in answer.text


@pytest.mark.slow
def test_a_player_is_tried_and_its_versions_are_compared_by_real_games(tmp_path, serving) -> None:
    path = tmp_path / "course"
    play_ladder(path, 2, short=SHORT)
    text = path.joinpath("ladder.toml").read_text()
    path.joinpath("ladder.toml").write_text(text.replace("# zone", "zone"))
    pages = LadderPages(read_ladder(LadderFolder(path)), Level.BASIC)
    client = serving(pages)
    pool = client.app.state.context.pools.playing
    pool.kind = pool.kind._replace(seconds=600.0)
    player = "/ladders/course/players/short.py"
    failed = client.post(player, content=FAULTY)
    assert failed.status_code == 400
    told = r"failed its trial: crash, ValueError: <b>no</b> \(short\.py, line 2\); at ply"
    assert re.search(told, failed.json()["error"])
    better = SHORT.replace("[0]", "[-1]")
    taken = client.post(player, content=better)
    assert re.search(r"It plays: it won \d of 2 games of its trial", taken.json()["message"])
    forced = client.post(f"{player}?anyway", content=FAULTY)
    assert "failed its trial" in forced.json()["message"]
    succeed("ladder", "run", path, "--games", 2, "-j", 1)
    shown = client.get("/ladders/course/submissions").text
    assert "Times are CE" in shown
    assert "&lt;b&gt;no" in shown
    assert '<option value="1">short.py@1</option>' in client.get(player).text
    for version in re.findall(r"/versions/([0-9a-f]{64})\"><code>", shown):
        assert client.get(f"{player}/versions/{version}").status_code == 200
    compared = client.post(f"{player}/compare?first=3&second=1")
    assert "short.py@1 is better than short.py@3" in compared.json()["message"]
    shown = succeed("ladder", "compare", path, "short.py@1", "short.py@3", "--json")
    assert json.loads(shown)["better"] == "short.py@1"
    rows = list(csv.DictReader(io.StringIO(succeed("ladder", "submissions", path, "--csv"))))
    assert [row["status"] for row in rows] == ["replaced", "refused", "replaced", "playing"]
    assert {row["time"][-6:] for row in rows} <= {"+01:00", "+02:00"}
    written = succeed("ladder", "submissions", path, "--json")
    assert json.loads(written)["submissions"] == [
        {**row, "version": int(row["version"]) if row["version"] else None} for row in rows
    ]
    assert "short.py" in succeed("ladder", "submissions", path)
