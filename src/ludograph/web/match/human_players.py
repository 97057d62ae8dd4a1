"""Human players in browsers: their moves and their requests."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Collection
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludograph.errors import IllegalMove, LudographError
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.human import (
    MOVES,
    Quit,
    Resignation,
    TakeBack,
    Turn,
    listed_moves,
    understand,
    wished,
)
from ludograph.web.match.consent import NOT_ASKED, Consent, ProposalObserver, RequestRefused
from ludograph.web.positions.move_input import (
    cell_explanation,
    illegal_move_text,
    point_explanation,
)

log = logging.getLogger(__name__)

IDLE = 1800.0
"""Seconds without a move after which a match is suspended; it can go on later."""

TYPED = ("hint", "undo", "quit")
"""Typed words that are requests of these kinds."""

ALONE = {
    "hint": "there are no hints in a game between people",
    "quit": "a game between people is not paused",
}
"""Requests that are refused in a game between people, and the reasons."""


@dataclass
class PlayerRequest:
    """A request of a person at a page.

    Attributes
    ----------
    seats
        The seats for which that browser plays.
    ply
        The number of moves when it was sent.
    answer
        The data for the page, or :class:`RequestRefused`.
    """

    kind: str
    value: Any
    seats: Collection[int]
    ply: int
    answer: Future[dict[str, Any]] = field(default_factory=Future)

    def __post_init__(self) -> None:
        """Keep a page that waits no longer from canceling the answer, which the match sets."""
        self.answer.set_running_or_notify_cancel()


class Asking(ProposalObserver, Protocol):
    """The callbacks of a match for its front; the match shows these events on all pages."""

    def on_ask(self, turn: Turn) -> None:
        """A person is to move."""

    def on_answer(self) -> None:
        """The person's turn is over."""

    def last_mover(self, seats: Collection[int]) -> int | None:
        """Return the one of some seats that has moved last; None if none has."""


class BrowserFront:
    """Asks the people of one match; :meth:`send` is called from other threads.

    Parameters
    ----------
    consent
        The consent of the people. If there are several, to take a move back is proposed to the
        others, and happens only when all of them agree.

    Attributes
    ----------
    out
        Seats that have dropped out of the game.
    """

    def __init__(self, match: Asking, consent: Consent) -> None:
        self.match, self.consent = match, consent
        self.wishes: queue.SimpleQueue[PlayerRequest | None] = queue.SimpleQueue()
        self.resigned: set[int] = set()
        self.out: set[int] = set()
        self.turn: Turn | None = None
        self._lock = threading.Lock()
        self._stopped = False

    def send(self, wish: PlayerRequest) -> None:
        """Queue a request of a page; its answer is a future."""
        with self._lock:
            if wish.kind == "resign" and self.turn is None:
                self.resigned.update(wish.seats)
                wish.answer.set_result({})
            elif self.turn is None and wish.kind in ("accept", "decline"):
                wish.answer.set_exception(RequestRefused(NOT_ASKED))
            elif self.turn is None:
                wish.answer.set_exception(RequestRefused("it is not your turn"))
            else:
                self.wishes.put(wish)

    def stop(self) -> None:
        """Suspend the match."""
        self._stopped = True  # the end of a turn drops what waits in the queue
        self.wishes.put(None)

    def ask(self, turn: Turn) -> int:
        """Return the move of the person whose turn it is."""
        if self._stopped:
            raise Quit
        if turn.seat in self.resigned:
            raise PlayerFault(Reason.RESIGN, "")
        self.turn = turn
        self.match.on_ask(turn)
        try:
            while True:
                wish = self._next(turn)
                move = self._granted(turn, wish)
                if move is not None:
                    return move
        finally:
            with self._lock:
                self.turn = None
                self._refuse_the_rest()
            self.consent.lapse()
            self.match.on_answer()

    def _next(self, turn: Turn) -> PlayerRequest:
        """Wait for a request, at most until the clock's end."""
        left = turn.seconds_left()
        try:
            wish = self.wishes.get(timeout=IDLE if left is None else min(left, IDLE))
        except queue.Empty:
            turn.seconds_left()  # raises if the clock has ended
            raise Quit from None
        if wish is None:
            raise Quit
        return wish

    def _granted(self, turn: Turn, wish: PlayerRequest) -> int | None:
        """Grant or refuse a request; return its move, if any."""
        try:
            if wish.kind in ("accept", "decline"):
                move, answer = None, self._settled(wish)
            elif turn.seat not in wish.seats and wish.kind == "resign":
                raise self._resignation(wish)
            elif turn.seat not in wish.seats and self._kind(wish) != "undo":
                raise RequestRefused("it is not your turn")
            elif wish.ply != turn.position.ply:
                raise RequestRefused("the position has changed since; look again")
            elif turn.seat not in wish.seats:
                move, answer = None, self._propose(turn, wish)
            else:
                move, answer = self._done(turn, wish)
        except LudographError as error:
            wish.answer.set_exception(RequestRefused(str(error)))
            return None
        except (TakeBack, Resignation, PlayerFault, Quit):
            wish.answer.set_result({})
            raise
        except Exception:  # a request must not end the match of other people
            log.exception("the request %s", wish.kind)
            wish.answer.set_exception(RequestRefused("the server has failed at this request"))
            return None
        wish.answer.set_result(answer)
        return move

    def _done(self, turn: Turn, wish: PlayerRequest) -> tuple[int | None, dict[str, Any]]:
        if wish.kind == "move":
            if not turn.position.is_legal(wish.value):
                raise IllegalMove(turn.position.why_not(wish.value))
            return int(wish.value), {}
        kind, game = self._kind(wish), turn.position.game
        if len(self.consent.people) > 1:
            if kind in ALONE:
                raise RequestRefused(ALONE[kind])
            if kind == "undo":
                return None, self._propose(turn, wish)
        if kind == "hint":
            code = turn.advice()
            return None, {"move": code, "text": game.interaction.hint(turn.position, code)}
        if wish.kind == "why":
            *chosen, cell = wish.value
            return None, {"why": cell_explanation(turn.position, chosen, cell)}
        if wish.kind == "where":
            return None, {"why": point_explanation(turn.position, wish.value)}
        text = wish.value if wish.kind == "type" else wish.kind
        if text.strip().lower() == MOVES:
            return None, {"lines": listed_moves(turn)}
        answer = understand(turn, text, illegal_move_text)
        if isinstance(answer, int):
            return answer, {}
        if wished(text) and kind not in TYPED:
            return None, {"lines": answer}
        explanation = " ".join(answer).removeprefix(f"{game.name}: ")
        raise RequestRefused(explanation or "nothing was typed")

    def _resignation(self, wish: PlayerRequest) -> Resignation:
        """Return the resignation of a person who is not to move; other seats resign at their turns.

        Raises
        ------
        RequestRefused
            If that person has dropped out already.
        """
        seats = set(wish.seats) - self.out
        if not seats:
            raise RequestRefused("you have dropped out of the game")
        self.resigned.update(seats)
        return Resignation(min(seats))

    def _kind(self, wish: PlayerRequest) -> str:
        """Return the kind of a request, which may be typed."""
        typed = str(wish.value).strip().lower() if wish.kind == "type" else ""
        return typed if typed in TYPED else wish.kind

    def _propose(self, turn: Turn, wish: PlayerRequest) -> dict[str, Any]:
        """Ask the other people whether a person may take the last move back."""
        seat = turn.seat
        if seat not in wish.seats:
            last = self.match.last_mover(wish.seats)
            seat = min(wish.seats) if last is None else last
        if reason := turn.kept(seat):
            raise RequestRefused(reason)
        return {"proposal": self.consent.propose("undo", seat)}

    def _settled(self, wish: PlayerRequest) -> dict[str, Any]:
        """Note one person's answer to a proposal; take the move back when all have agreed.

        Raises
        ------
        RequestRefused
            If the proposal is over, or that person is not asked.
        TakeBack
            If all have agreed.
        """
        if wish.kind == "decline":
            self.consent.decline(wish.value, wish.seats)
            return {}
        agreed = self.consent.accept(wish.value, wish.seats)
        if agreed is not None:
            raise TakeBack(agreed.seat)
        return {}

    def _refuse_the_rest(self) -> None:
        while not self.wishes.empty():
            wish = self.wishes.get_nowait()
            if wish is not None:
                wish.answer.set_exception(
                    RequestRefused("the position has changed since; look again")
                )
