"""The list of submissions: by hand and on pages, their status, what counted, sources alike."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from ludograph.arena.ladder import UploadLimits, read_state, running
from ludograph.arena.ladder.lookalikes import source_form
from ludograph.arena.ladder.orders import suspend, withdraw
from ludograph.arena.ladder.people import Person
from ludograph.arena.ladder.submission_list import (
    EventKind,
    SubmissionEvent,
    add_event,
    events_today,
    read_events,
    submission_sheet,
    submissions,
)
from ludograph.arena.ladder.trials import version_called
from ludograph.errors import NotFound
from tests.arena.ladder.making import ladder_in, put, run


@pytest.fixture
def ladder(tmp_path):
    return ladder_in(tmp_path)


def listed(ladder):
    """The label, the status and the reason of each submission."""
    rows = submissions(ladder, read_state(ladder.folder))
    return [(row.label, str(row.status), row.why) for row in rows]


def test_files_that_are_copied_into_the_folder_are_listed_with_what_becomes_of_them(ladder):
    put(ladder, "ann.py", 1)
    put(ladder, "bob.py", 2)
    put(ladder, "odd.run", "no program")
    before = time.time()
    run(ladder, 2)
    put(ladder, "ann.py", 3)
    suspend(ladder.folder, "bob.py", "a copy")
    run(ladder, 2)
    run(ladder, 2)  # a later run adds no line
    first, *_ = submissions(ladder, read_state(ladder.folder))
    assert abs(first.event.time - before) < 600
    (why,) = {why for label, _, why in listed(ladder) if label == "odd.run@1"}
    assert why.startswith("it cannot play here: ")
    assert listed(ladder) == [
        ("ann.py@1", "replaced", ""),
        ("bob.py@1", "suspended", "by an operator: a copy"),
        ("odd.run@1", "refused", why),
        ("ann.py@2", "playing", ""),
    ]
    withdraw(ladder.folder, "ann.py")
    (ladder.folder.players / "bob.py").unlink()
    assert listed(ladder)[3] == ("ann.py@2", "withdrawn", "")
    run(ladder, 0)
    assert [status for _, status, _ in listed(ladder)][1] == "withdrawn"
    put(ladder, "ann.py", 1)  # the first version again
    run(ladder, 2)
    assert listed(ladder)[4:] == [("ann.py@1", "playing", "")]


def test_a_version_before_one_that_cannot_play_still_plays(ladder):
    put(ladder, "bob.py", 2)
    (ladder.folder.players / "ann.run").write_text("#!/bin/sh\n")
    run(ladder, 0)
    (ladder.folder.players / "ann.run").write_text("no program\n")
    run(ladder, 0)
    assert [status for _, status, _ in listed(ladder)] == ["playing", "playing", "refused"]


def events(ladder, *given):
    """Write lines into the list: seconds after the deadline, a file, what, and a version."""
    for seconds, file, what, version in given:
        when = ladder.uploads.deadline.timestamp() + seconds
        add_event(
            ladder.folder, SubmissionEvent(when, file, EventKind(what), version, "person s1", "s1")
        )


def counted(ladder):
    return [
        row.event.version for row in submissions(ladder, read_state(ladder.folder)) if row.counts
    ]


def test_a_file_that_is_copied_after_the_deadline_is_named_by_the_run(tmp_path):
    """It plays, because only operators copy files; a restart does not name it again."""
    hour = timedelta(hours=1)
    ladder = ladder_in(tmp_path, uploads=UploadLimits(datetime.now(UTC) - hour))
    put(ladder, "ann.py", 1)
    (_, _, told), (_, _, again) = run(ladder, 0), run(ladder, 0)
    (line,) = [line for line in told if "the deadline was " in line]
    assert line.startswith("ann.py, version ")
    assert any(line.startswith("ann.py has joined") for line in told)
    soon = dataclasses.replace(ladder, uploads=UploadLimits(datetime.now(UTC) + hour))
    put(soon, "bob.py", 1)
    _, _, told = run(soon, 0)
    assert any(line.startswith("bob.py has joined") for line in told)
    assert not any("deadline" in line for line in (*again, *told))


def test_the_last_version_before_the_deadline_counts_unless_it_failed_or_was_withdrawn(tmp_path):
    past = UploadLimits(datetime.now(UTC) - timedelta(hours=1))
    ladder = ladder_in(tmp_path, uploads=past)
    events(
        ladder,
        (-90, "ann.py", "submitted", "a1"),
        (-80, "ann.py", "submitted", "a2"),
        (-70, "ann.py", "refused", "a3"),
        (60, "ann.py", "submitted", "a4"),
        (-90, "bob.c", "submitted", "b1"),
        (-1, "bob.c", "submitted", "b2"),
        (5, "bob.c", "failed", "b2"),
        (-90, "eve.py", "submitted", "e1"),
        (-50, "eve.py", "withdrawn", ""),
        (-90, "lea.py", "submitted", "l1"),
        (50, "lea.py", "withdrawn", ""),
        (0, "zoe.py", "submitted", "z1"),
    )
    assert counted(ladder) == ["a2", "b1", "l1", "z1"]
    later = dataclasses.replace(
        ladder, uploads=UploadLimits(datetime.now(UTC) + timedelta(hours=1))
    )
    assert counted(later) == []


def test_the_file_that_counted_is_kept_whatever_comes_later(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "VERSIONS", 2)
    soon = datetime.now(UTC) + timedelta(days=1)
    ladder = ladder_in(tmp_path, uploads=UploadLimits(soon))
    put(ladder, "bob.py", 2)
    put(ladder, "ann.py", 100)
    run(ladder, 0)
    ladder = dataclasses.replace(ladder, uploads=UploadLimits(datetime.now(UTC)))
    for number in range(101, 106):
        put(ladder, "ann.py", number)
        run(ladder, 0)
    run(ladder, 0)
    kept = {file.read_text() for file in ladder.folder.versions.glob("ann.py/*/ann.py")}
    assert {"100\n", "105\n"} <= kept
    assert len(kept) <= 3


def test_a_line_that_was_cut_short_is_skipped_and_stays_alone(ladder):
    add_event(ladder.folder, SubmissionEvent(1.0, "a.py", EventKind.SUBMITTED, "1"))
    with ladder.folder.submissions.open("ab") as file:
        file.write(b'{"time": 2, "fi')
    add_event(ladder.folder, SubmissionEvent(3.0, "b.py", EventKind.SUBMITTED, "2"))
    assert [label for label, *_ in listed(ladder)] == ["a.py@1", "b.py@1"]
    assert ladder.folder.submissions.stat().st_mode & 0o077 == 0


APPENDS = """
import resource, signal, sys
from pathlib import Path
from ludograph.arena.ladder import LadderFolder
from ludograph.arena.ladder.submission_list import EventKind, SubmissionEvent, add_event
folder, name, count = LadderFolder(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
for number in range(count):
    add_event(folder, SubmissionEvent(number, name, EventKind.SUBMITTED, f"{number}"))
if len(sys.argv) > 4:  # the kernel kills this process when a part of the line is written
    size = folder.submissions.stat().st_size
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, size + 20))
    add_event(folder, SubmissionEvent(0, name, EventKind.SUBMITTED, "lost"))
"""


def appending(ladder, name, count, *killed):
    """Start a process that appends lines, and may be killed by the kernel within the last one."""
    given = [str(ladder.folder.path), name, str(count), *killed]
    return subprocess.Popen([sys.executable, "-c", APPENDS, *given])


def test_a_process_that_is_killed_within_its_line_loses_no_line_of_others(ladder):
    killed = appending(ladder, "k.py", 1, "killed")
    assert killed.wait(60) == -signal.SIGXFSZ
    text = ladder.folder.submissions.read_bytes()
    assert len(text.splitlines()) == 2
    assert not text.endswith(b"\n")
    writers = {name: appending(ladder, name, 60) for name in ("a.py", "b.py")}
    killed = [appending(ladder, "k.py", 1, "killed") for _ in range(2)]
    assert [one.wait(60) for one in writers.values()] == [0, 0]
    assert {one.wait(60) for one in killed} == {-signal.SIGXFSZ}
    found = read_events(ladder.folder)
    for name in writers:
        own = [event.version for event in found if event.file == name]
        assert own == [str(number) for number in range(60)]
    assert [event.version for event in found if event.file == "k.py"] == ["0"] * 3


def test_the_day_is_that_of_the_zone_of_the_ladder(ladder):
    now = datetime.now(UTC)
    east = timezone(timedelta(hours=23 - now.hour, minutes=58 - now.minute))  # just before midnight
    add_event(
        ladder.folder,
        SubmissionEvent(now.timestamp() + 150, "a.py", EventKind.SUBMITTED, "1", "person s1"),
    )
    add_event(
        ladder.folder,
        SubmissionEvent(now.timestamp(), "a.py", EventKind.SUBMITTED, "1", "person s1"),
    )
    found = events_today(dataclasses.replace(ladder, zone=east), "person s1")
    assert [event.time for event in found] == [now.timestamp()]


SOURCES = {
    "ann.py": "def best(x):\n    '''Mine.'''\n    return x + 1  # good\n",
    "bob.py": 'def top(move): # "\n\treturn move+1\n',
    "cat.py": "def top(move):\n    return move+2\n",
    "ann.c": "int f(int a) { return a; } // one\n",
    "bob.c": "/* * two */ int\ng(int b)\n{ return b; } /* not ended",
    "cat.c": "int g(int b) { return g; }\n",
}


def test_sources_are_alike_up_to_blanks_comments_names_and_texts():
    forms = {name: source_form(name, text.encode()) for name, text in SOURCES.items()}
    assert forms["ann.c"] == forms["bob.c"] != forms["cat.c"]
    assert forms["cat.py"] != forms["bob.py"]
    one, other = (source_form("a.py", f"x = {text}\n".encode()) for text in ("'a\\''", '"""b"c"""'))
    assert one == other != source_form("a.py", b"x = 1\n")
    assert source_form("a.py", b"x" * (1 << 20)) == source_form("a.run", b"#!/bin/sh\n") == ""
    for text in (b"/*" * 100_000, b'"\\' * 100_000, b"'''" * 80_000):  # takes linear time
        assert source_form("a.c", text)
        assert source_form("a.py", text)


def test_the_sheet_names_people_and_sources_of_others_that_are_alike(ladder):
    form = source_form("ann.c", SOURCES["ann.c"].encode())
    for number, owner in enumerate(("person s1", "person s1", "person s2", "operator", "")):
        person = owner.removeprefix("person ") if owner.startswith("person") else ""
        event = SubmissionEvent(
            number, f"{number}.c", EventKind.SUBMITTED, f"{number}", owner, person, form=form
        )
        add_event(ladder.folder, event)
    people = [Person("s1", "Anna", team="Red"), Person("s3", "Cora", players=("4.c",))]
    rows = submissions(ladder, read_state(ladder.folder))
    sheet = submission_sheet(rows, people, {}, timezone(timedelta(hours=1)))
    assert [row[:5] for row in sheet.rows] == [
        ["1970-01-01 01:00:00+01:00", "s1", "Anna", "Red", "0.c"],
        ["1970-01-01 01:00:01+01:00", "s1", "Anna", "Red", "1.c"],
        ["1970-01-01 01:00:02+01:00", "s2", "", "", "2.c"],
        ["1970-01-01 01:00:03+01:00", "", "an operator", "", "3.c"],
        ["1970-01-01 01:00:04+01:00", "s3", "Cora", "", "4.c"],
    ]
    assert [row[-1] for row in sheet.rows[:3]] == ["2.c, 3.c, 4.c"] * 2 + ["0.c, 1.c, 3.c, 4.c"]


def test_a_version_is_found_by_its_number_by_its_digest_and_as_the_last_one(ladder):
    put(ladder, "bob.py", 2)
    for number in (1, 3):
        put(ladder, "ann.py", number)
        run(ladder, 0)
    state = read_state(ladder.folder)
    first, last = (row.event.version for row in submissions(ladder, state) if "ann" in row.label)
    for name, version in {
        "ann.py@1": first,
        f"ann.py@{first[:8]}": first,
        "ann.py@2": last,
        "ann.py": last,
    }.items():
        spec = version_called(ladder, state, name)
        assert version[:12] in spec.target
        assert spec.label == ("ann.py@1" if version == first else "ann.py@2")
    assert version_called(ladder, state, "greedy").kind == "strategy"
    for name in ("ann.py@3", "ann.py@ffffffff", "eve.py@1", "../people.json@1"):
        with pytest.raises(NotFound):
            version_called(ladder, state, name)
    copy = ladder.folder.played_file("ann.py", first[:12])
    os.unlink(copy)
    with pytest.raises(NotFound, match=r"1 of ann\.py is not kept here; kept are: ann\.py@2"):
        version_called(ladder, state, "ann.py@1")
