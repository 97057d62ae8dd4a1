"""The list of submissions: who handed in which file and when, and what became of it.

The list is a file of JSON lines, which only grows. A page adds a line for each upload, accepted or
refused, the ladder one for each version that somebody has copied into its folder.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Any

import msgspec

from ludograph.arena.ladder.folder import OPERATOR, LadderFolder, append_line, read_lines
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.people import Person
from ludograph.arena.ladder.state import State
from ludograph.views.table import Table


class EventKind(StrEnum):
    """The kinds of lines."""

    SUBMITTED = "submitted"
    REFUSED = "refused"
    """An upload that was not accepted."""
    FAILED = "failed"
    """A version that was accepted and does not compile, or cannot play the game."""
    WITHDRAWN = "withdrawn"


class SubmissionEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the list.

    Attributes
    ----------
    time
        Seconds since 1970.
    file
        The name of the player's file.
    version
        The digest of the file.
    owner
        Who has done it, as in the file of owners; empty if it was done in the folder.
    person
        The identifier of the person, if the ladder knows it.
    why
        Why it was refused; this may quote the file.
    form
        See :func:`~ludograph.arena.ladder.lookalikes.source_form`.
    """

    time: float
    file: str
    what: EventKind
    version: str = ""
    owner: str = ""
    person: str = ""
    why: str = ""
    form: str = ""


class SubmissionStatus(StrEnum):
    """What has become of a submission."""

    ACCEPTED = "accepted"
    PLAYING = "playing"
    SUSPENDED = "suspended"
    REPLACED = "replaced"
    WITHDRAWN = "withdrawn"
    REFUSED = "refused"


@dataclass(slots=True)
class Submitted:
    """A submission.

    Attributes
    ----------
    number
        The number of the version among those of its file, from 1; 0 if it was not accepted.
    why
        Why it is refused or suspended; the former may quote the file.
    counts
        Whether it is the version that counted at the deadline, which has passed.
    alike
        Files of others whose source is equal up to blanks, comments, names and texts.
    """

    event: SubmissionEvent
    status: SubmissionStatus = SubmissionStatus.ACCEPTED
    why: str = ""
    number: int = 0
    counts: bool = False
    alike: Sequence[str] = field(default=())

    @property
    def label(self) -> str:
        """The version as it is named in commands."""
        return f"{self.event.file}@{self.number}" if self.number else self.event.file


def add_event(folder: LadderFolder, event: SubmissionEvent) -> None:
    """Add a line to the list, which only the user that runs the ladder can read."""
    append_line(folder.submissions, event, mode=0o600)


def read_events(folder: LadderFolder) -> list[SubmissionEvent]:
    """Return the lines of the list."""
    return read_lines(folder.submissions, SubmissionEvent)


def present_versions(folder: LadderFolder) -> dict[str, str]:
    """Return the version that was submitted last, by file; without withdrawn files."""
    present: dict[str, str] = {}
    for event in read_events(folder):
        if event.what == EventKind.SUBMITTED:
            present[event.file] = event.version
        elif event.what == EventKind.WITHDRAWN:
            present.pop(event.file, None)
    return present


def events_today(ladder: Ladder, owner: str) -> list[SubmissionEvent]:
    """Return what an owner has done today; the day is that of the ladder's time zone."""
    today = datetime.now(ladder.zone).date()
    return [
        event
        for event in read_events(ladder.folder)
        if event.owner == owner and moment_of(event, ladder.zone).date() == today
    ]


def moment_of(event: SubmissionEvent, zone: tzinfo) -> datetime:
    """Return the time of an event in a time zone."""
    return datetime.fromtimestamp(event.time, zone)


def submissions(ladder: Ladder, state: State) -> list[Submitted]:
    """Return all submissions to a ladder, the first one first."""
    rows: list[Submitted] = []
    versions: defaultdict[str, list[str]] = defaultdict(list)
    present: defaultdict[str, list[Submitted]] = defaultdict(list)  # those since a withdrawal
    in_time: defaultdict[str, list[Submitted]] = defaultdict(list)
    deadline = ladder.uploads.deadline
    end = float("inf") if deadline is None else deadline.timestamp()
    for event in read_events(ladder.folder):
        earlier = present[event.file]
        if event.what == EventKind.REFUSED:
            rows.append(Submitted(event, SubmissionStatus.REFUSED, event.why))
        elif event.what == EventKind.SUBMITTED:
            known = versions[event.file]
            known += [event.version] if event.version not in known else []
            row = Submitted(event, number=known.index(event.version) + 1)
            _leave(earlier, SubmissionStatus.REPLACED)
            rows.append(row)
            earlier.append(row)
            if event.time <= end:
                in_time[event.file].append(row)
        elif event.what == EventKind.WITHDRAWN:
            _leave(earlier, SubmissionStatus.WITHDRAWN)
            earlier.clear()
            if event.time <= end:
                in_time[event.file].clear()
        elif earlier and earlier[-1].event.version == event.version:
            earlier[-1].status, earlier[-1].why = SubmissionStatus.REFUSED, event.why
    if time.time() >= end:
        for candidates in in_time.values():
            for row in [row for row in candidates if row.status != SubmissionStatus.REFUSED][-1:]:
                row.counts = True
    _take_part(state, present)
    _compare(rows, ladder.folder.read_owners())
    return rows


def _leave(earlier: Sequence[Submitted], status: SubmissionStatus) -> None:
    """Give the last submission of a file another status, unless it was refused."""
    if earlier and earlier[-1].status == SubmissionStatus.ACCEPTED:
        earlier[-1].status = status


def _take_part(state: State, present: Mapping[str, Sequence[Submitted]]) -> None:
    """Set the status of the versions that take part: the last one of a file may not be it."""
    for one in state.entrants:
        own = present.get(one.name, ())
        for row in [row for row in own if row.event.version == one.version][-1:]:
            row.why = state.suspended.get(one.label, "")
            row.status = SubmissionStatus.SUSPENDED if row.why else SubmissionStatus.PLAYING


def _compare(rows: Sequence[Submitted], owners: Mapping[str, str]) -> None:
    """Name the files of others with the same source in other words.

    A file that was copied into the folder, or has another owner since, is its owner's.
    """
    files: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in rows:
        event = row.event
        who = owners.get(event.file, event.owner or event.file) if row.number else event.owner
        files[event.form].add((who, event.file))
    for row in rows:
        whose = {who for who, file in files[row.event.form] if file == row.event.file}
        if row.event.form:
            row.alike = sorted({file for who, file in files[row.event.form] if who not in whose})


SHEET = (
    *("time", "id", "name", "team", "player", "version", "digest", "status", "why"),
    *("counts", "alike"),
)
"""The columns of the sheet of submissions."""


def submission_sheet(
    rows: Iterable[Submitted],
    people: Iterable[Person],
    owners: Mapping[str, str],
    zone: tzinfo,
) -> Table:
    """Return submissions as a table: a row for each, with the time to the second.

    Parameters
    ----------
    people, owners
        Those of the ladder: a file that was copied into its folder is that of its owners.
    """
    known = {person.id: person for person in people}
    table: list[list[Any]] = []
    for row in rows:
        event = row.event
        own = [known[event.person]] if event.person in known else []
        if not (own or event.owner):
            own = [person for person in known.values() if person.owns(event.file, owners)]
        ids = ", ".join(person.id for person in own) or event.person
        names = ", ".join(person.name for person in own) or _without_name(event.owner)
        teams = ", ".join(dict.fromkeys(person.team for person in own if person.team))
        when = moment_of(event, zone).isoformat(" ", "seconds")
        table.append(
            [
                *(when, ids, names, teams, event.file, row.number or None, event.version),
                *(str(row.status), row.why, "yes" if row.counts else "", ", ".join(row.alike)),
            ]
        )
    return Table(SHEET, table)


def _without_name(owner: str) -> str:
    """Return what stands for the name of an owner whom the ladder does not know."""
    if not owner or " " in owner:
        return ""
    return "an operator" if owner == OPERATOR else "a token"
