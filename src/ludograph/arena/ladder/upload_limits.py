"""Limits of uploads to a ladder: a deadline, files on each day, players of each owner."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from datetime import datetime

from ludograph.arena.ladder.ladder import Ladder, UploadLimits
from ludograph.arena.ladder.submission_list import EventKind, SubmissionEvent, events_today
from ludograph.errors import InvalidInput
from ludograph.formatting import counted

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
