"""Limits of uploads to a ladder: a deadline, files on each day, players of each owner."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime

import msgspec

from ludograph.arena.ladder.folder import LadderFolder, read_json, write_whole
from ludograph.arena.ladder.ladder import UploadLimits
from ludograph.arena.ladder.state import Spent
from ludograph.errors import InvalidInput
from ludograph.formatting import counted


class LimitReached(InvalidInput):
    """A player is refused because its owner has submitted as many as the ladder allows."""


def deadline_passed(limits: UploadLimits) -> str:
    """Return the sentence on a passed deadline; an empty text before the deadline."""
    if limits.deadline is None or datetime.now(UTC) < limits.deadline:
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
        could = "could" if deadline_passed(limits) else "can"
        said.append(f"Players {could} be uploaded until {moment(limits.deadline)}.")
    if parts:
        said.append(f"Each person or team may upload {' and '.join(parts)}.")
    return " ".join(said)


def check_limits(
    folder: LadderFolder, limits: UploadLimits, owner: str, name: str, players: Collection[str]
) -> None:
    """Raise LimitReached if an owner may not submit a player now.

    Parameters
    ----------
    players
        The owner's players that are in the ladder.
    """
    most = limits.players
    if most is not None and name not in players and len(players) >= most:
        raise LimitReached(
            f"{name} was not accepted: you have {counted(len(players), 'player')} of {most} "
            "already; upload it under the name of one of them"
        )
    if limits.each_day is not None and read_uploads(folder).today(owner) >= limits.each_day:
        raise LimitReached(
            f"{name} was not accepted: {counted(limits.each_day, 'file')} a day are accepted from "
            "each person or team; a new day begins at midnight (UTC)"
        )


def count_upload(folder: LadderFolder, owner: str) -> None:
    """Count an accepted player."""
    spent = read_uploads(folder)
    spent.add(owner, 1)
    write_whole(folder.uploads, msgspec.json.encode(spent))


def read_uploads(folder: LadderFolder) -> Spent:
    """Return the number of files that each owner has submitted today.

    Raises
    ------
    InvalidInput
        If the file is not what was written.
    """
    return read_json(folder.uploads, Spent) or Spent()
