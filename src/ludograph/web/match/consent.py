"""Consent among the people of a match: one proposes, all others must accept.

A proposal is open until all others have accepted it, one has declined it, its proposer has
withdrawn it, or it has lapsed, for example by a move. There is one open proposal at a time. The
state is on the server, so a page that connects again finds it. After the end of a game, people can
agree on a rematch: they play the same start again, each on the seat before its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from ludograph.errors import LudographError

NOT_ASKED = "the question is settled already"


class RequestRefused(LudographError):
    """A request that cannot be granted; the sentence is for the person who sent it."""


@dataclass
class Proposal:
    """A request of one person that the other people must accept.

    Attributes
    ----------
    number
        The proposal's number in its match: an answer names it, so that it cannot count for another.
    kind
        The kind of request: ``undo`` or ``rematch``.
    seat
        The seat for which it is proposed.
    person
        The seats of the proposer.
    missing
        The people who have not accepted yet, each as a set of seats.
    """

    number: int
    kind: str
    seat: int
    person: frozenset[int]
    missing: Sequence[frozenset[int]]


class ProposalObserver(Protocol):
    """The events of proposals, which a match shows on all pages."""

    def on_proposal(self, proposal: Proposal) -> None:
        """A person has made a proposal, or another one has accepted it."""

    def on_settled(self, proposal: Proposal, how: str) -> None:
        """A proposal was ``accepted`` by all, ``declined``, ``withdrawn``, or has ``lapsed``."""


class Consent:
    """The proposals of one match.

    It has no lock: only one thread at a time may call it.

    Parameters
    ----------
    observer
        Receives each change.
    people
        The seats of each person.
    """

    def __init__(self, observer: ProposalObserver, people: Sequence[frozenset[int]]) -> None:
        self.observer, self.people = observer, people
        self._open: Proposal | None = None
        self._number = 0
        self._refused: set[tuple[str, frozenset[int]]] = set()

    def propose(self, kind: str, seat: int) -> int:
        """Propose something for a seat; return the number of the proposal.

        Raises
        ------
        RequestRefused
            If a proposal is open, or the same one of this person was declined or withdrawn since
            the last call of :meth:`lapse`.
        """
        person = next(each for each in self.people if seat in each)
        if self._open is not None:
            if self._open.person == person:
                raise RequestRefused("you have asked already, and the answer has not come yet")
            raise RequestRefused("answer the question of the other person first")
        if (kind, person) in self._refused:
            raise RequestRefused("that was declined already; a move must come first")
        self._number += 1
        others = [each for each in self.people if each != person]
        self._open = Proposal(self._number, kind, seat, person, others)
        self.observer.on_proposal(self._open)
        return self._number

    def accept(self, number: object, seats: Collection[int]) -> Proposal | None:
        """Note one person's agreement; return the proposal if all have agreed now, else None.

        Raises
        ------
        RequestRefused
            If the proposal is over, or that person is not asked.
        """
        proposal = self._asked(number)
        missing = [person for person in proposal.missing if not person & set(seats)]
        if len(missing) == len(proposal.missing):
            raise RequestRefused("only the others can answer that")
        proposal.missing = missing
        if missing:
            self.observer.on_proposal(proposal)
            return None
        self._end("accepted")
        return proposal

    def decline(self, number: object, seats: Collection[int]) -> None:
        """End a proposal: its proposer withdraws it, one of the others declines it.

        Raises
        ------
        RequestRefused
            If the proposal is over, or that person is not asked.
        """
        proposal = self._asked(number)
        is_own = bool(proposal.person & set(seats))
        if not is_own and not any(person & set(seats) for person in proposal.missing):
            raise RequestRefused("only the others can answer that")
        self._refused.add((proposal.kind, proposal.person))
        self._end("withdrawn" if is_own else "declined")

    def lapse(self) -> None:
        """End the open proposal after a move; declined requests can be proposed again."""
        self._refused.clear()
        if self._open is not None:
            self._end("lapsed")

    def _asked(self, number: object) -> Proposal:
        if self._open is None or number != self._open.number:
            raise RequestRefused(NOT_ASKED)
        return self._open

    def _end(self, how: str) -> None:
        assert self._open is not None
        proposal, self._open = self._open, None
        self.observer.on_settled(proposal, how)


REMATCH = "rematch"

Each = TypeVar("Each")


@dataclass(frozen=True)
class NextMatch:
    """The match that is a rematch: its number, and the new keys by the seats of the old match."""

    number: str
    keys: Mapping[int, str]

    def data_for(self, seats: Collection[int]) -> dict[str, Any]:
        """Return the data for a page that plays these seats of the old match."""
        key = next((self.keys[seat] for seat in sorted(seats) if seat in self.keys), "")
        return {"number": self.number, "key": key}


@dataclass
class Rematch:
    """The agreement of the people of one match on a rematch.

    Parameters
    ----------
    on_begun
        Called with the rematch when it has begun.

    Attributes
    ----------
    open
        Whether they can agree: the game is over, and no rematch has begun.
    begun
        The rematch; None before.
    """

    consent: Consent
    on_begun: Callable[[NextMatch], None]
    open: bool = False
    begun: NextMatch | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def request(
        self, kind: str, value: object, seats: frozenset[int], begin: Callable[[], NextMatch]
    ) -> dict[str, Any]:
        """Handle a proposal or an answer of one person; ``begin`` the rematch when all agree.

        Raises
        ------
        RequestRefused
            If the request cannot be granted.
        ServerFull
            If there is no room for the rematch.
        """
        with self._lock:
            if not self.open:
                raise RequestRefused("the game is over")
            if kind == REMATCH:
                return {"proposal": self.consent.propose(REMATCH, min(seats))}
            if kind == "decline":
                self.consent.decline(value, seats)
            elif kind != "accept":
                raise RequestRefused("the game is over")
            elif self.consent.accept(value, seats) is not None:
                self.begun = begin()
                self.on_begun(self.begun)
                self.open = False  # last, because pages stay connected until then
            return {}


def exchanged(each: Sequence[Each]) -> list[Each]:
    """Return the values of each seat, moved to the seats of the rematch.

    Examples
    --------
    >>> exchanged(["ann", "bob", "eve"])
    ['bob', 'eve', 'ann']
    """
    return [*each[1:], *each[:1]]


def exchanged_form(form: Mapping[str, str], seats: int) -> dict[str, str]:
    """Return the form of a match as that of its rematch, which is not open to others.

    Examples
    --------
    >>> exchanged_form({"player0": "human", "player1": "guest", "size": "5", "listed": "true"}, 2)
    {'player1': 'human', 'player0': 'guest', 'size': '5'}
    """
    moved = {
        f"{name}{seat}": f"{name}{(seat - 1) % seats}"
        for name in ("player", "time")
        for seat in range(seats)
    }
    return {moved.get(name, name): value for name, value in form.items() if name != "listed"}
