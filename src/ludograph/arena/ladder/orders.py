"""Orders about players of a ladder: withdraw, suspend, reinstate.

A player is withdrawn by moving its file out of the players' folder. The other orders wait in a file
for the process that runs the ladder, which obeys them within a second or two.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from ludograph.arena.ladder.folder import LadderFolder, read_json, read_state, unusable, write_whole
from ludograph.arena.ladder.submission_list import EventKind, SubmissionEvent, add_event
from ludograph.errors import InvalidInput, NotFound, did_you_mean
from ludograph.formatting import one_line

REASON_LIMIT = 100
"""The most characters of a reason for a suspension."""


class PlayerOrders(msgspec.Struct):
    """The orders of operators, by players' names.

    Attributes
    ----------
    suspend
        The reason of each player that stays suspended, in all versions, until it is reinstated.
    reinstate
        The players that are to play again; the process that runs the ladder removes them.
    """

    suspend: dict[str, str] = {}
    reinstate: list[str] = []


def read_orders(folder: LadderFolder) -> PlayerOrders:
    """Return the orders; raise InvalidInput if their file is damaged."""
    return read_json(folder.orders, PlayerOrders) or PlayerOrders()


@contextmanager
def changed_orders(folder: LadderFolder) -> Iterator[PlayerOrders]:
    """Yield the orders, which others cannot change meanwhile; at the end they are written."""
    with folder.people_locked():
        orders = read_orders(folder)
        yield orders
        write_whole(folder.orders, msgspec.json.encode(orders))


IN_SECONDS = "the ladder does so within seconds while it runs"
"""What becomes of an order."""


def withdraw(folder: LadderFolder, file: str, owner: str = "", person: str = "") -> None:
    """Move a player's file to the folder of withdrawn ones, where the last one stays.

    Parameters
    ----------
    owner, person
        Who withdraws it, as in :class:`~ludograph.arena.ladder.submission_list.SubmissionEvent`.

    Raises
    ------
    NotFound
        If no such file is there.
    InvalidInput
        If it cannot be moved.
    """
    place = folder.players / file
    event = SubmissionEvent(time.time(), file, EventKind.WITHDRAWN, owner=owner, person=person)
    with folder.people_locked():  # an upload of the same name comes before or after
        if unusable(file) or file.startswith(".") or not place.exists():
            raise NotFound(f"there is no player {one_line(file, 60)!r}")
        try:
            folder.withdrawn.mkdir(exist_ok=True)
            shutil.move(place, folder.withdrawn / file)  # the folder may be on another disk
        except OSError as error:
            raise InvalidInput(f"{file} cannot be withdrawn: {error.strerror}") from None
        add_event(folder, event)


def suspend(folder: LadderFolder, player: str, reason: str) -> None:
    """Order that a player plays no games; everybody may read the reason.

    Raises
    ------
    NotFound
        If no player of this name takes part.
    """
    _check(folder, player)
    with changed_orders(folder) as orders:
        orders.suspend[player] = one_line(reason, REASON_LIMIT)
        orders.reinstate = [name for name in orders.reinstate if name != player]


def reinstate(folder: LadderFolder, player: str) -> None:
    """Order that a player plays again, also if the ladder itself has suspended it.

    Raises
    ------
    NotFound
        If no player of this name takes part.
    """
    _check(folder, player)
    with changed_orders(folder) as orders:
        orders.suspend.pop(player, None)
        orders.reinstate = sorted({*orders.reinstate, player})


def _check(folder: LadderFolder, player: str) -> None:
    known = [one.name for one in read_state(folder).entrants if one.version]
    if player not in known:
        raise NotFound(f"there is no player {player[:60]!r}{did_you_mean(player, known)}")
