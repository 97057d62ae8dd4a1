"""A live match: the referee plays it in a thread, and browsers receive its events."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from ludograph.errors import HostFailure, LudographError
from ludograph.formatting import without_folders
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.human import Quit, Turn
from ludograph.referee import Fault, PlayedMove
from ludograph.referee.match import referee_match
from ludograph.referee.options import MatchObserver, MatchOptions
from ludograph.referee.result import FINISHED
from ludograph.referee.sentences import drop_line, sentence_of, take_back_line
from ludograph.web.match.consent import Consent, NextMatch, Proposal, Rematch
from ludograph.web.match.human_players import IDLE, BrowserFront
from ludograph.web.match.match_state import MatchState
from ludograph.web.match.seats import OpenSeats, SeatKeys
from ludograph.web.match.spectators import Spectator, Spectators
from ludograph.web.positions.serializers import Data
from ludograph.web.positions.wording import display_names

WATCHED = 0.4
"""Seconds between two moves of strategies, for spectators."""

log = logging.getLogger(__name__)


class MatchSuspended(Exception):
    """The match is suspended between two moves."""


@dataclass
class LiveMatchPlan:
    """A match before it begins: start, players, seat keys, options.

    Attributes
    ----------
    options
        The match options; of a suspended match with its earlier moves.
    pause
        Seconds between two moves, for spectators of strategies.
    listed
        Whether the seats of other people are offered to visitors.
    reads_all
        Whether everybody may read what authors of players wrote, as on a server of one person.
    """

    number: str
    start: Position
    players: Sequence[PlayerSpec]
    seat_keys: SeatKeys
    options: MatchOptions
    pause: float = 0.0
    listed: bool = False
    reads_all: bool = False

    @property
    def keys(self) -> Sequence[str | None]:
        """By seat, the key with which a browser plays for it; None for a strategy."""
        return self.seat_keys.keys or [None] * len(self.players)

    @property
    def form(self) -> Mapping[str, str]:
        """The fields of its form, for a new game like it."""
        return self.seat_keys.settings


class LiveMatch:
    """Plays one match in a thread of its own and sends its events to the spectators."""

    def __init__(self, plan: LiveMatchPlan, on_end: Callable[[LiveMatch], None]) -> None:
        self.plan, self.on_end = plan, on_end
        self.game = plan.start.game.name
        self.board = plan.start.board.name
        people_names = plan.seat_keys.names_of(len(plan.players))
        self.state = MatchState(
            plan.start, plan.players, plan.options, people_names, reads_all=plan.reads_all
        )
        self.names = self.state.names
        self.people = [self.seats_of(key) for key in dict.fromkeys(filter(None, plan.keys))]
        self.consent = Consent(self, self.people)
        self.front = BrowserFront(self, self.consent)
        self.rematch = Rematch(self.consent, self.on_rematch)
        self.owner_seats = self.seats_of(plan.seat_keys.owner)
        others = [person for person in self.people if person != self.owner_seats]
        self.open_seats = OpenSeats(others if plan.listed else [])
        self.running, self.begun = True, False
        self.spectators = Spectators()
        self.spectators.on_presence = self._on_presence
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"match-{plan.number}", daemon=True)

    def start(self) -> None:
        """Start the thread in which the referee plays the match."""
        self._thread.start()

    def stop(self) -> None:
        """Suspend the match: its record stays, and it can go on later."""
        self._stop.set()
        self.front.stop()
        self.spectators.wake()

    def join(self, seconds: float) -> None:
        """Wait for the end of the match, at most for some seconds."""
        self._thread.join(seconds)

    def seats_of(self, key: str) -> frozenset[int]:
        """Return the seats that a key opens."""
        return self.plan.seat_keys.seats_of(key)

    @property
    def address(self) -> str:
        """The path of its page, with the key of the person who has begun it."""
        owner = self.plan.seat_keys.owner
        return f"/match/{self.plan.number}" + (f"?key={owner}" if owner else "")

    @property
    def listening(self) -> bool:
        """Whether pages stay connected: during the match, and afterwards for a rematch."""
        return self.running or self.rematch.open

    @property
    def people_names(self) -> list[str]:
        """By seat, the name of the person; empty if unknown, and for a strategy."""
        return self.state.people_names

    @property
    def shown_names(self) -> list[str]:
        """The names of the players on pages."""
        levels = [spec.level for spec in self.plan.players]
        return display_names(self.names, levels, self.people_names)

    @property
    def is_challenge(self) -> bool:
        """Whether it waits for visitors: it has free seats, and its owner's page is connected."""
        there = self.spectators.seats()
        return self.running and bool(self.open_seats.free()) and self.owner_seats <= there

    @property
    def turn(self) -> int | None:
        """The seat to move; None if there is none."""
        turn: int | None = self.state.frame.get("turn")
        return turn

    @property
    def owner_name(self) -> str:
        """The name of the person who has begun it; empty if unknown."""
        return self.people_names[min(self.owner_seats)] if self.owner_seats else ""

    def say(self, text: str) -> None:
        """Send a text to all pages, such as the announcement of a compilation."""
        if self.listening and text:
            self.spectators.tell({"type": "said", "text": text})

    def _show(self, change: Callable[..., Data], *given: object) -> None:
        """Change the state, and send the event of that to all pages."""
        with self.spectators.lock:
            self.spectators.tell(change(*given))

    def name_person(self, seats: Collection[int], name: str) -> None:
        """Change the name of the person on some seats on all pages."""
        self._show(self.state.rename, seats, name)

    def since(self, number: int | None, listener: Spectator) -> list[tuple[int, bytes]]:
        """Return the new events for a page; see :meth:`Spectators.since`."""
        return self.spectators.since(number, listener, self._whole)

    def _whole(self, listener: Spectator) -> Data:
        rematch = self.rematch.begun
        return self.state.whole(listener.seats) | {
            "away": self._away(self.spectators.seats()) if len(self.people) > 1 else [],
            "rematch": rematch.data_for(listener.seats) if rematch is not None else None,
        }

    def _run(self) -> None:
        plan = self.plan
        observer = MatchObserver(
            on_ready=self._on_ready,
            on_move=self._on_move,
            on_fault=self._on_fault,
            on_take_back=self._on_take_back,
            on_clock=self.state.set_clock,
            front=self.front,
        )
        try:
            result = referee_match(plan.start, plan.players, plan.options, observer)
            over = {"ranks": list(result.outcome.ranks), "reason": result.reason}
            if result.reason == FINISHED:
                over["why"] = result.position.game.presentation.ending(result.position)
            self._end("over", sentence_of(result, private=plan.reads_all), **over)
        except (Quit, MatchSuspended):
            self._end("suspended", "The game was paused; you can continue it later.")
        except (LudographError, HostFailure, OSError) as error:
            self._end("failed", without_folders(f"The game was stopped: {error}"))
        except Exception:
            log.exception("match %s", plan.number)
            self._end("failed", "The game was stopped by a fault of the server.")

    def _end(self, state: str, text: str, **more: object) -> None:
        with self.spectators.lock:
            event = self.state.end({"state": state, "text": text, **more})
            self.rematch.open = state == "over" and len(self.people) > 1
            self.running = False  # first: a page that gets the end does not wait for more
            self.spectators.tell(event)
        self.on_end(self)

    def _on_ready(self) -> None:
        """Before clocks begin, wait until the page of every person is connected."""
        if self.plan.options.clock is not None and len(self.people) > 1:
            self._gather()
        with self.spectators.lock:
            self.begun = True
            self.spectators.tell(self.state.begin())

    def _gather(self) -> None:
        until, announced = time.monotonic() + IDLE, ""
        with self.spectators.lock:
            while missing := self._away(self.spectators.seats()):
                if self._stop.is_set():
                    raise MatchSuspended
                absent = [min(person) for person in self.people if min(person) in missing]
                names = ", ".join(map(self._person_text, sorted(absent)))
                text = f"The clocks begin when everybody is there. Missing: {names}."
                if text != announced:
                    self.state.status = {"state": "waiting", "text": text}
                    self.say(text)
                    announced = text
                if not self.spectators.changed.wait(until - time.monotonic()):
                    raise Quit

    def _person_text(self, seat: int) -> str:
        name = self.people_names[seat]
        return f"{name} (player {seat + 1})" if name else f"player {seat + 1}"

    def _away(self, there: Collection[int]) -> list[int]:
        """Return the seats of people without a connected page."""
        return sorted(seat for person in self.people if not person <= set(there) for seat in person)

    def _on_presence(self, there: frozenset[int]) -> None:
        """Send the people without a connected page to all pages."""
        self.open_seats.see(there)
        if len(self.people) > 1:
            self.spectators.tell({"type": "presence", "away": self._away(there)})

    def on_rematch(self, rematch: NextMatch) -> None:
        """Send each person the key of its seat in the rematch, and everybody else its number."""
        with self.spectators.lock:
            for person in self.people:
                data = rematch.data_for(person)
                self.spectators.tell({"type": "rematch", **data}, min(person))
            self.spectators.tell({"type": "rematch", **rematch.data_for(())})

    def _on_move(self, position: Position, played: PlayedMove) -> None:
        if self._stop.is_set():
            raise MatchSuspended
        self._show(self.state.move, position, played)
        if played.seat is not None:
            self._stop.wait(self._watched(position, played.seat))

    def _watched(self, position: Position, seat: int) -> float:
        """Return the pause after the move of a seat, so that people see each move.

        There is also one before chance: the seat after chance is not known here.
        """
        if not self.people:
            return self.plan.pause
        kinds = [each.kind for each in self.plan.players]
        following = position.turn
        in_a_row = "human" not in (kinds[seat], "" if following is None else kinds[following])
        return WATCHED if in_a_row and not position.is_over else 0.0

    def _on_fault(self, position: Position, fault: Fault) -> None:
        self.front.out.add(fault.seat)
        text = drop_line(self.names[fault.seat], fault.seat, fault.reason)
        self._show(self.state.drop, position, text)

    def _on_take_back(self, position: Position, seat: int) -> None:
        text = take_back_line(self.names[seat], seat)
        self._show(self.state.take_back, position, text)

    def on_ask(self, turn: Turn) -> None:
        """Send the legal moves to the person to move."""
        question = self.state.question(turn)
        with self.spectators.lock:
            *shapes, ask = self.state.ask_for(question)
            for event in shapes:
                self.spectators.tell(event)
            self.spectators.tell(ask, turn.seat)

    def on_answer(self) -> None:
        """Forget the legal moves that were sent."""
        with self.spectators.lock:
            self.state.ask = None

    def last_mover(self, seats: Collection[int]) -> int | None:
        """Return the one of some seats that has moved last; None if none has."""
        return self.state.last_mover(seats)

    def on_proposal(self, proposal: Proposal) -> None:
        """Send a proposal to all pages, with the seats that have not answered yet."""
        self._show(self.state.propose, proposal)

    def on_settled(self, proposal: Proposal, how: str) -> None:
        """Send the end of a proposal to all pages."""
        self._show(self.state.settle, proposal, how)
