"""The list of submissions: who handed in which file and when, and what became of it.

The list is a file of JSON lines, which only grows. A page adds a line for each upload, accepted or
refused, the ladder one for each version that somebody has copied into its folder.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Any

import msgspec

from ludograph.arena.ladder.folder import OPERATOR, LadderFolder, State, append_line, read_lines
from ludograph.arena.ladder.ladder import Ladder, UploadLimits
from ludograph.arena.ladder.people import Person
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
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


ATTEMPTS = 200
"""Uploads, refused ones included, and withdrawals of an owner on a day, at most."""

NAMES = 50
"""Names of players that an owner has used, at most: some versions of each are kept."""


class LimitReached(InvalidInput):
    """A player is refused because its owner has submitted as many as the ladder allows."""


def deadline_passed(limits: UploadLimits, when: float) -> str:
    """Return the sentence on a deadline that was before a time; an empty text without one.

    Parameters
    ----------
    when
        Seconds since 1970.
    """
    if limits.deadline is None or when < limits.deadline.timestamp():
        return ""
    return f"the deadline was {moment(limits.deadline)}"


def moment(when: datetime) -> str:
    """Return a time as text.

    Examples
    --------
    >>> moment(datetime.fromisoformat("2027-01-31T23:59:00+01:00"))
    '2027-01-31 23:59 (UTC+01:00)'
    """
    return f"{when:%Y-%m-%d %H:%M} ({when.tzname()})"


def limits_text(limits: UploadLimits) -> str:
    """Return the limits in a sentence; an empty text if there are none.

    Examples
    --------
    >>> limits_text(UploadLimits(each_day=20, players=1))
    'Each person or team may upload 20 files a day and 1 player at most.'
    """
    parts = []
    if limits.each_day is not None:
        parts.append(f"{counted(limits.each_day, 'file')} a day")
    if limits.players is not None:
        parts.append(f"{counted(limits.players, 'player')} at most")
    said = []
    if limits.deadline is not None:
        could = "could" if deadline_passed(limits, time.time()) else "can"
        said.append(f"Players {could} be uploaded until {moment(limits.deadline)}.")
    if parts:
        said.append(f"Each person or team may upload {' and '.join(parts)}.")
    return " ".join(said)


def check_limits(
    ladder: Ladder, owner: str, name: str, own: Collection[str], players: Collection[str]
) -> None:
    """Raise LimitReached if an owner may not submit a player now.

    Parameters
    ----------
    own, players
        All names of the owner's players, and those that are in the ladder.
    """
    limits, events = ladder.uploads, events_today(ladder, owner)
    if name not in own and len(own) >= NAMES:
        raise LimitReached(
            f"{name} was not accepted: you have used {NAMES} names of players; upload it under one "
            "of them"
        )
    most = limits.players
    if most is not None and name not in players and len(players) >= most:
        raise LimitReached(
            f"{name} was not accepted: you have {counted(len(players), 'player')} of {most} "
            "already; upload it under the name of one of them"
        )
    for limit, count, what in (
        (limits.each_day, accepted(events), counted(limits.each_day or 0, "file")),
        (ATTEMPTS, len(events), f"{ATTEMPTS} uploads and withdrawals"),
    ):
        if limit is not None and count >= limit:
            raise LimitReached(
                f"{name} was not accepted: {what} a day are accepted from each person or team; a "
                f"new day begins at midnight ({datetime.now(ladder.zone):%Z})"
            )


def has_attempts(ladder: Ladder, owner: str) -> bool:
    """Tell whether refused uploads of an owner are still listed today: the list stays short."""
    return len(events_today(ladder, owner)) < ATTEMPTS


def accepted(events: Iterable[SubmissionEvent]) -> int:
    """Return the number of accepted files."""
    return sum(event.what == EventKind.SUBMITTED for event in events)
