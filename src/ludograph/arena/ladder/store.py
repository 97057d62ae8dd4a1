"""The store of a ladder: the file in its folder, or a database on a server that it names.

All that reads or writes the games of a ladder opens its store here. A folder holds the file of one
ladder only, and its lock keeps other processes away. On a server, each tournament of a ladder has
the ladder's mark, which is also in its state, and the number of the tournament is locked.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import msgspec

from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.state import State
from ludograph.arena.store import Store
from ludograph.arena.store.integrity import NoStore
from ludograph.errors import InvalidInput


def open_for_games(ladder: Ladder, state: State) -> Store:
    """Open the store to play the ladder; a new one is made if there is none.

    Raises
    ------
    InvalidInput
        If it cannot be opened, or is the store of another ladder.
    HostFailure
        If a server cannot be reached.
    """
    return _checked(Store(ladder.store), state)


def check_new_store(ladder: Ladder) -> None:
    """Check the database of a new ladder on a server; make nothing in it.

    Raises
    ------
    InvalidInput
        If the server refuses, or the database has games in it.
    HostFailure
        If the server cannot be reached.
    """
    if ladder.store_url:
        with suppress(NoStore):
            _checked(Store(ladder.store, must_exist=True), State()).close()


@contextmanager
def kept_store(ladder: Ladder, state: State) -> Iterator[Store | None]:
    """Open the store to read it; None if the ladder has not been played with it.

    Raises
    ------
    InvalidInput
        If it cannot be opened, or is the store of another ladder.
    HostFailure
        If a server cannot be reached.
    """
    with ExitStack() as stack:
        store = None
        if not ladder.store_url or state.mark:
            try:
                store = Store(ladder.store, must_exist=True)
            except NoStore:
                pass
            else:
                stack.enter_context(_checked(store, state))
        yield store


def _checked(store: Store, state: State) -> Store:
    """Return a store; close it and raise InvalidInput if another ladder's games are in it."""
    with ExitStack() as stack:
        stack.enter_context(store)
        if store.path is None and any(
            one.declaration.get("mark") != state.mark for one in store.tournaments()
        ):
            raise InvalidInput(
                f"{store.name}: it is the store of another ladder or of tournaments; give each "
                "ladder a database or a schema of its own"
            )
        stack.pop_all()
    return store


def adopt_store(ladder: Ladder, state: State) -> bool:
    """Adapt the state if the ladder has moved from its file to a server, or back.

    Return whether it has moved. Then the numbers of earlier games mean nothing any more.
    """
    if bool(ladder.store_url) == bool(state.mark):
        return False
    state.mark = secrets.token_hex(16) if ladder.store_url else ""
    state.entrants = [msgspec.structs.replace(one, joined=0) for one in state.entrants]
    return True


def lock_games(store: Store, number: int) -> None:
    """Keep other processes from playing a ladder, until the store is closed.

    The folder's lock does it for a file. On a server it could be run from a copy of the folder on
    another machine.

    Raises
    ------
    InvalidInput
        If another process plays it already.
    """
    if store.path is None:
        store.lock(number)
