"""People at pages as players: their moves and requests, and what needs the others' consent."""

from __future__ import annotations

import queue
import threading
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludograph.errors import IllegalMove, LudographError
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.human import Quit, TakeBack, Turn
from ludograph.players.human.words import understand, wished
from ludograph.web.move_input import reason, reason_at, refusal

IDLE = 1800.0
"""Seconds without a move after which a game is laid aside; it can go on later."""

BY_CONSENT = ("hint", "undo", "stop")
"""What one of several people gets only if the others agree; ``stop`` lays the game aside."""

TYPED = {"hint": "hint", "undo": "undo", "quit": "stop"}
"""The same, as it is typed."""

NOT_ASKED = "nobody waits for that answer any more"


class RequestRefused(LudographError):
    """What a page has sent cannot be done; the sentence is for the person at it."""


@dataclass
class PlayerRequest:
    """What somebody at a page wants.

    Attributes
    ----------
    seats
        For whom that browser may speak.
    ply
        After how many moves it was wished.
    answer
        Gets what the page is told: data, or Refused.
    """

    kind: str
    value: Any
    seats: Collection[int]
    ply: int
    answer: Future[dict[str, Any]] = field(default_factory=Future)


@dataclass
class Proposal:
    """What the person to move proposes to the other people.

    Attributes
    ----------
    number
        Of this match's proposals: an answer names it, so that it never counts for a later one.
    missing
        The people who have not agreed yet, each as the seats that are theirs.
    """

    number: int
    kind: str
    seat: int
    missing: Sequence[frozenset[int]]


class Asking(Protocol):
    """The match whose people are asked: it shows to all pages what happens between them."""

    def on_ask(self, turn: Turn) -> None:
        """Somebody is to move."""

    def on_answer(self) -> None:
        """That is over."""

    def on_proposal(self, proposal: Proposal) -> None:
        """Somebody proposes something, or one more has agreed to it."""

    def on_settled(self, proposal: Proposal, how: str) -> None:
        """A proposal was ``accepted`` by all, ``declined`` by one, or has ``lapsed``."""

    def on_hint(self, turn: Turn, move: int, text: str) -> None:
        """All people have agreed to a hint."""


class BrowserFront:
    """Asks the people of one match; :meth:`send` is called from other threads.

    Parameters
    ----------
    people
        The seats of each person. If there are several, a hint, a move taken back and laying the
        game aside are proposed to the others, and happen only when all of them agree.

    Attributes
    ----------
    out
        Seats that have dropped out of the game: nobody waits for their consent.
    """

    def __init__(self, match: Asking, people: Sequence[frozenset[int]] = ()) -> None:
        self.match, self.people = match, people
        self.wishes: queue.SimpleQueue[PlayerRequest | None] = queue.SimpleQueue()
        self.resigned: set[int] = set()
        self.out: set[int] = set()
        self.asked: Turn | None = None
        self._lock = threading.Lock()
        self._proposal: Proposal | None = None
        self._proposals = 0
        self._declined: set[str] = set()

    def send(self, wish: PlayerRequest) -> None:
        """Hand a wish on, to be answered in time."""
        with self._lock:
            if wish.kind == "resign" and self.asked is None:
                self.resigned.update(wish.seats)
                wish.answer.set_result({})
            elif self.asked is None and wish.kind in ("accept", "decline"):
                wish.answer.set_exception(RequestRefused(NOT_ASKED))
            elif self.asked is None:
                wish.answer.set_exception(RequestRefused("it is not your turn"))
            else:
                self.wishes.put(wish)

    def stop(self) -> None:
        """Lay the game aside."""
        self.wishes.put(None)

    def ask(self, turn: Turn) -> int:
        """Return a legal move."""
        if turn.seat in self.resigned:
            raise PlayerFault(Reason.RESIGN, "")
        self.asked = turn
        self.match.on_ask(turn)
        try:
            while True:
                wish = self._next(turn)
                move = self._granted(turn, wish)
                if move is not None:
                    return move
        finally:
            with self._lock:
                self.asked = None
                self._refuse_the_rest()
            self._lapse()
            self.match.on_answer()

    def _next(self, turn: Turn) -> PlayerRequest:
        """Wait for a wish, no longer than the clock allows."""
        left = turn.seconds_left()
        try:
            wish = self.wishes.get(timeout=IDLE if left is None else min(left, IDLE))
        except queue.Empty:
            turn.seconds_left()  # raises if it was the clock
            raise Quit from None
        if wish is None:
            raise Quit
        return wish

    def _granted(self, turn: Turn, wish: PlayerRequest) -> int | None:
        """Do what is wished; return the move if it is one."""
        try:
            if wish.kind in ("accept", "decline"):
                move, told = None, self._settled(turn, wish)
            elif turn.seat not in wish.seats:
                raise RequestRefused("it is not your turn")
            elif wish.ply != turn.position.ply:
                raise RequestRefused("the position has changed since; look again")
            else:
                move, told = self._done(turn, wish)
        except LudographError as error:
            wish.answer.set_exception(RequestRefused(str(error)))
            return None
        except (TakeBack, PlayerFault, Quit):
            wish.answer.set_result({})
            raise
        wish.answer.set_result(told)
        return move

    def _done(self, turn: Turn, wish: PlayerRequest) -> tuple[int | None, dict[str, Any]]:
        if wish.kind == "move":
            if wish.value not in turn.moves.values():
                raise IllegalMove(turn.position.why_not(wish.value))
            return int(wish.value), {}
        typed = str(wish.value).strip().lower() if wish.kind == "type" else ""
        kind = TYPED.get(typed, wish.kind)
        others = self._others(wish.seats)
        if kind in BY_CONSENT and others:
            return None, self._propose(turn, kind, others)
        if wish.kind == "hint":
            code, text = advised(turn)
            return None, {"move": code, "text": text}
        if wish.kind == "why":
            *chosen, cell = wish.value
            return None, {"why": reason(turn.position, chosen, cell)}
        if wish.kind == "where":
            return None, {"why": reason_at(turn.position, wish.value)}
        text = wish.value if wish.kind == "type" else wish.kind
        answer = understand(turn, text, refusal)
        if isinstance(answer, int):
            return answer, {}
        if wished(text) and len(answer) > 1:
            return None, {"lines": answer}
        told = " ".join(answer).removeprefix(f"{turn.position.game.name}: ")
        raise RequestRefused(told or "nothing was typed")

    def _others(self, own: Collection[int]) -> list[frozenset[int]]:
        """Return the other people who still play, each as the seats that are theirs."""
        return [each for each in self.people if not each & set(own) and not each <= self.out]

    def _propose(self, turn: Turn, kind: str, others: Sequence[frozenset[int]]) -> dict[str, Any]:
        """Ask the other people whether they agree."""
        if self._proposal is not None:
            raise RequestRefused("you have asked already, and the answer has not come yet")
        if kind in self._declined:
            raise RequestRefused("that was declined; you can ask again at your next move")
        if kind == "undo" and (reason_against := turn.kept()):
            raise RequestRefused(reason_against)
        self._proposals += 1
        self._proposal = Proposal(self._proposals, kind, turn.seat, others)
        self.match.on_proposal(self._proposal)
        return {"proposal": self._proposals}

    def _settled(self, turn: Turn, wish: PlayerRequest) -> dict[str, Any]:
        """Take one person's answer to a proposal; do what is proposed when all have agreed.

        Raises
        ------
        Refused
            If the proposal is over, or that person is not asked.
        TakeBack, Quit
            If that is what all have agreed to.
        """
        proposal = self._proposal
        if proposal is None or wish.value != proposal.number:
            raise RequestRefused(NOT_ASKED)
        waiting = [person for person in proposal.missing if not person & set(wish.seats)]
        if len(waiting) == len(proposal.missing):
            raise RequestRefused("only the others can answer that")
        if wish.kind == "decline":
            self._proposal = None
            self._declined.add(proposal.kind)
            self.match.on_settled(proposal, "declined")
            return {}
        proposal.missing = waiting
        if waiting:
            self.match.on_proposal(proposal)
            return {}
        self._proposal = None
        self.match.on_settled(proposal, "accepted")
        if proposal.kind == "undo":
            raise TakeBack
        if proposal.kind == "stop":
            raise Quit
        self.match.on_hint(turn, *advised(turn))
        return {}

    def _lapse(self) -> None:
        """End a proposal that nobody has settled: the turn in which it was made is over."""
        self._declined.clear()
        if self._proposal is not None:
            lapsed, self._proposal = self._proposal, None
            self.match.on_settled(lapsed, "lapsed")

    def _refuse_the_rest(self) -> None:
        while not self.wishes.empty():
            wish = self.wishes.get_nowait()
            if wish is not None:
                wish.answer.set_exception(
                    RequestRefused("the position has changed since; look again")
                )


def advised(turn: Turn) -> tuple[int, str]:
    """Return the move of the game's adviser, and a sentence about it."""
    code = turn.advice()
    return code, turn.position.game.hint(turn.position, code)
