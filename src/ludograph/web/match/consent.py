"""Consent among the people of a match: one proposes, all others must accept.

A proposal is open until all others have accepted it, one has declined it, its proposer has
withdrawn it, or it has lapsed, for example by a move. There is one open proposal at a time. The
state is on the server, so a page that connects again finds it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

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
