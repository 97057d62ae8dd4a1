"""People at browsers: the front through which a match asks them, and by which they answer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from ludograph.errors import IllegalMove, LudographError
from ludograph.players.fault import PlayerFault, Reason
from ludograph.players.human import Quit, TakeBack, Turn
from ludograph.players.human.words import understand, wished
from ludograph.web.choosing import reason, reason_at, refusal

IDLE = 1800.0
"""Seconds without a move after which a game is laid aside; it can go on later."""


class Refused(LudographError):
    """What a page has sent cannot be done; the sentence is for the person at it."""


@dataclass
class Wish:
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


class WebFront:
    """Asks the people of one match; :meth:`send` is called from other threads.

    Parameters
    ----------
    on_ask
        Called with the turn when somebody is to move.
    on_answer
        Called when that is over.
    """

    def __init__(self, on_ask: Callable[[Turn], None], on_answer: Callable[[], None]) -> None:
        self.on_ask, self.on_answer = on_ask, on_answer
        self.wishes: queue.SimpleQueue[Wish | None] = queue.SimpleQueue()
        self.resigned: set[int] = set()
        self.asked: Turn | None = None
        self._lock = threading.Lock()

    def send(self, wish: Wish) -> None:
        """Hand a wish on, to be answered in time."""
        with self._lock:
            if wish.kind == "resign" and self.asked is None:
                self.resigned.update(wish.seats)
                wish.answer.set_result({})
            elif self.asked is None:
                wish.answer.set_exception(Refused("it is not your turn"))
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
        self.on_ask(turn)
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
            self.on_answer()

    def _next(self, turn: Turn) -> Wish:
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

    def _granted(self, turn: Turn, wish: Wish) -> int | None:
        """Do what is wished; return the move if it is one."""
        try:
            if turn.seat not in wish.seats:
                raise Refused("it is not your turn")
            if wish.ply != turn.position.ply:
                raise Refused("the position has changed since; look again")
            move, told = self._done(turn, wish)
        except LudographError as error:
            wish.answer.set_exception(Refused(str(error)))
            return None
        except (TakeBack, PlayerFault, Quit):
            wish.answer.set_result({})
            raise
        wish.answer.set_result(told)
        return move

    def _done(self, turn: Turn, wish: Wish) -> tuple[int | None, dict[str, Any]]:
        if wish.kind == "move":
            if wish.value not in turn.moves.values():
                raise IllegalMove(turn.position.why_not(wish.value))
            return int(wish.value), {}
        if wish.kind == "hint":
            code = turn.advice()
            return None, {"move": code, "text": turn.position.game.hint(turn.position, code)}
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
        raise Refused(told or "nothing was typed")

    def _refuse_the_rest(self) -> None:
        while not self.wishes.empty():
            wish = self.wishes.get_nowait()
            if wish is not None:
                wish.answer.set_exception(Refused("the position has changed since; look again"))
