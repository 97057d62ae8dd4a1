"""A live match: the referee plays it in a thread, and browsers receive its events."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ludograph.errors import HostFailure, LudographError
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.human import Quit, Turn
from ludograph.referee import Fault, MatchResult, PlayedMove
from ludograph.referee.clock import RunningClock
from ludograph.referee.match import referee_match
from ludograph.referee.options import MatchObserver, MatchOptions
from ludograph.referee.player_factory import labels
from ludograph.referee.sentences import drop_line, take_back_line
from ludograph.web.match.consent import Consent, Proposal
from ludograph.web.match.human_players import IDLE, BrowserFront
from ludograph.web.match.lobby import OpenSeats
from ludograph.web.match.rematch import NextMatch, Rematch
from ludograph.web.match.spectators import Spectator, Spectators
from ludograph.web.positions.display_names import display_names
from ludograph.web.positions.move_input import choices
from ludograph.web.positions.serializers import Data, SceneEncoder, frame, moved, view

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
    start
        The start of the game.
    keys
        By seat, the key with which a browser plays for it; None for a strategy.
    options
        The match options; of a suspended match with its earlier moves.
    pause
        Seconds between two moves, for spectators.
    form
        The fields of its form, without the seed, for a new game like it.
    people_names
        By seat, the name of the person; empty if unknown, and for a strategy.
    owner
        The key of the person who has begun it, if known: only then can it be listed.
    """

    number: str
    start: Position
    players: Sequence[PlayerSpec]
    keys: Sequence[str | None]
    options: MatchOptions
    pause: float = 0.0
    form: Mapping[str, str] = field(default_factory=dict)
    people_names: Sequence[str] = ()
    owner: str = ""


@dataclass
class MatchSnapshot:
    """The state of a match, sent whole to each page that connects: last frame, moves, status."""

    frame: Data = field(default_factory=dict)
    moves: list[Data] = field(default_factory=list)
    status: Data = field(default_factory=dict)
    view: Data | None = None
    ask: tuple[int, Data] | None = None
    proposal: Data | None = None


class LiveMatch:
    """Plays one match in a thread of its own and sends its events to the spectators."""

    def __init__(self, plan: LiveMatchPlan, on_end: Callable[[LiveMatch], None]) -> None:
        self.plan = plan
        self.on_end = on_end
        self.game = plan.start.game.name
        self.board = plan.start.board.name
        self.names = labels(plan.players)
        keys = dict.fromkeys(key for key in plan.keys if key)
        self.people = [self.seats_of(key) for key in keys]
        self.people_names = list(plan.people_names) or [""] * len(plan.players)
        self.consent = Consent(self, self.people)
        self.front = BrowserFront(self, self.consent)
        self.rematch = Rematch(self.consent, self.on_rematch)
        self.owner_seats = self.seats_of(plan.owner)
        listed = bool(self.owner_seats) and plan.form.get("listed") == "true"
        others = [person for person in self.people if person != self.owner_seats]
        self.open_seats = OpenSeats(others if listed else [])
        self.running = True
        self.begun = False
        self.spectators = Spectators()
        self.spectators.on_presence = self._on_presence
        self._snapshot = MatchSnapshot(status={"state": "waiting", "text": ""})
        self._sent_shapes = 0
        self._stop = threading.Event()
        start = plan.start
        self.encoder = SceneEncoder(start.scene())
        self._first = self.encoder.board(start)
        self._clocks = [RunningClock(plan.options.clock_of(player)) for player in plan.players]
        board = start.copy()
        for played in plan.options.earlier:
            board.play(played.move)
            self._count(played)
            self._snapshot.moves.append(moved(board, *played[:3]))
        for seat, seconds in plan.options.spent.items():
            self._clocks[seat].run(seconds)
        self._snapshot.frame = self._frame(board)
        self._thread = threading.Thread(target=self._run, name=f"match-{plan.number}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
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
        return frozenset(seat for seat, own in enumerate(self.plan.keys) if own and own == key)

    @property
    def listening(self) -> bool:
        """Whether pages stay connected: during the match, and afterwards for a rematch."""
        return self.running or self.rematch.open

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
        turn: int | None = self._snapshot.frame.get("turn")
        return turn

    @property
    def owner_name(self) -> str:
        """The name of the person who has begun it; empty if unknown."""
        return self.people_names[min(self.owner_seats)] if self.owner_seats else ""

    def say(self, text: str) -> None:
        """Send a text to all pages, such as the announcement of a compilation."""
        if self.listening and text:
            self.spectators.tell({"type": "said", "text": text})

    def _run(self) -> None:
        plan = self.plan
        try:
            observer = MatchObserver(
                on_ready=self._on_ready,
                on_move=self._on_move,
                on_fault=self._on_fault,
                on_take_back=self._on_take_back,
                on_clock=self._on_clock,
                front=self.front,
            )
            result = referee_match(plan.start, plan.players, plan.options, observer)
            self._end({"state": "over", "text": result.sentence, **self._ranks(result)})
        except (Quit, MatchSuspended):
            self._end(
                {"state": "suspended", "text": "The game was paused; you can continue it later."}
            )
        except (LudographError, HostFailure, OSError) as error:
            self._end({"state": "failed", "text": f"The game was stopped: {error}"})
        except Exception:
            log.exception("match %s", plan.number)
            self._end({"state": "failed", "text": "The game was stopped by a fault of the server."})

    def _ranks(self, result: MatchResult) -> Data:
        return {"ranks": list(result.outcome.ranks), "reason": result.reason}

    def _end(self, status: Data) -> None:
        with self.spectators.lock:
            self._snapshot.status = status
            self._snapshot.ask = None
            self.rematch.open = status["state"] == "over" and len(self.people) > 1
            self.running = False  # first: a page that gets the end does not wait for more
            self.spectators.tell({"type": "end", "status": status})
        self.on_end(self)

    def _on_ready(self) -> None:
        """Before clocks begin, wait until the page of every person is connected."""
        if self.plan.options.clock is not None and len(self.people) > 1:
            self._gather()
        with self.spectators.lock:
            self.begun = True
            self._snapshot.status = {"state": "playing"}
            self.spectators.tell({"type": "begun"})

    def _gather(self) -> None:
        until, announced = time.monotonic() + IDLE, ""
        with self.spectators.lock:
            while missing := self._missing():
                if self._stop.is_set():
                    raise MatchSuspended
                text = f"The clocks begin when everybody is there. Missing: {', '.join(missing)}."
                if text != announced:
                    self._snapshot.status = {"state": "waiting", "text": text}
                    self.say(text)
                    announced = text
                if not self.spectators.changed.wait(until - time.monotonic()):
                    raise Quit

    def _missing(self) -> list[str]:
        """Return the people without a connected page."""
        there = self.spectators.seats()
        absent = [person for person in self.people if not person <= there]
        return [self._person_text(seat) for seat in sorted(min(person) for person in absent)]

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

    def name_person(self, seats: Collection[int], name: str) -> None:
        """Change the name of the person on some seats on all pages."""
        with self.spectators.lock:
            for seat in seats:
                self.people_names[seat] = name
                self._snapshot.frame["seats"][seat]["called"] = name
            self.spectators.tell({"type": "names", "names": self.people_names})

    def names_beside(self, seats: Collection[int]) -> list[str]:
        """Return the names of the others in this match, and of all seats' colors."""
        colors = [str(seat["color"]) for seat in self._snapshot.frame["seats"]]
        players = [spec.text.partition(":")[0] for spec in self.plan.players]
        people = [name for seat, name in enumerate(self.people_names) if seat not in seats]
        return [*colors, *players, *people]

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
        self._count(played)
        with self.spectators.lock:
            move = moved(position, *played[:3])
            self._snapshot.moves.append(move)
            self._snapshot.view = self._view(position, played)
            move_event = move | {"view": self._snapshot.view}
            self._snapshot.status = {"state": "playing"}
            self._snapshot.frame = now = self._frame(position)
            self.spectators.tell(
                {"type": "move", "move": move_event, "now": now, **self._new_shapes()}
            )
        if played.seat is not None:
            self._stop.wait(self.plan.pause or self._watched(position, played.seat))

    def _watched(self, position: Position, seat: int) -> float:
        """Return the pause after the move of a seat, so that people see each move.

        There is also one before chance: the seat after chance is not known here.
        """
        kinds = [each.kind for each in self.plan.players]
        following = position.turn
        in_a_row = "human" not in (kinds[seat], "" if following is None else kinds[following])
        return WATCHED if in_a_row and "human" in kinds and not position.is_over else 0.0

    def _view(self, position: Position, played: PlayedMove) -> Data | None:
        """Return the thoughts of the last move's player, on the position before the move."""
        if played.thoughts is None:
            return None
        before = self.plan.start.copy()
        for move in position.history[:-1]:
            before.push(move)
        return view(played.thoughts, before)

    def _on_fault(self, position: Position, fault: Fault) -> None:
        self.front.out.add(fault.seat)
        text = drop_line(self.names[fault.seat], fault.seat, fault.reason)
        with self.spectators.lock:
            self._snapshot.frame = now = self._frame(position)
            self.spectators.tell({"type": "now", "now": now, "text": text, **self._new_shapes()})

    def _on_take_back(self, position: Position, seat: int) -> None:
        text = take_back_line(self.names[seat], seat)
        with self.spectators.lock:
            del self._snapshot.moves[position.ply :]
            self._snapshot.view = None
            self._snapshot.frame = now = self._frame(position)
            shapes = self._new_shapes()
            self.spectators.tell({"type": "back", "now": now, "text": text, **shapes})

    def _on_clock(self, seat: int, left: float) -> None:
        self._clocks[seat].game = left

    def on_ask(self, turn: Turn) -> None:
        """Send the legal moves to the person to move."""
        wanted = choices(turn.position, self.encoder)
        ask: Data = {"seat": turn.seat, "kept": turn.kept(), **wanted}
        with self.spectators.lock:
            self._snapshot.status = {"state": "playing"}
            self._snapshot.ask = (turn.seat, ask)
            shapes = self._new_shapes()
            if shapes:  # to all: the numbers of shapes are the same for all pages
                self.spectators.tell({"type": "shapes", **shapes})
            self.spectators.tell({"type": "ask", "ask": ask}, turn.seat)

    def on_answer(self) -> None:
        """Forget the legal moves that were sent."""
        with self.spectators.lock:
            self._snapshot.ask = None

    def last_mover(self, seats: Collection[int]) -> int | None:
        """Return the one of some seats that has moved last; None if none has."""
        movers = [move["seat"] for move in self._snapshot.moves if move["seat"] in seats]
        return movers[-1] if movers else None

    def on_proposal(self, proposal: Proposal) -> None:
        """Send a proposal to all pages, with the seats that have not answered yet."""
        data: Data = {
            "number": proposal.number,
            "kind": proposal.kind,
            "seat": proposal.seat,
            "missing": sorted(seat for person in proposal.missing for seat in person),
        }
        with self.spectators.lock:
            self._snapshot.proposal = data
            self.spectators.tell({"type": "proposal", "proposal": data})

    def on_settled(self, proposal: Proposal, how: str) -> None:
        """Send the end of a proposal to all pages."""
        event = {"type": "settled", "kind": proposal.kind, "seat": proposal.seat, "how": how}
        with self.spectators.lock:
            self._snapshot.proposal = None
            self.spectators.tell(event)

    def _frame(self, position: Position) -> Data:
        """Return a position with the present clocks."""
        specs = [spec.text for spec in self.plan.players]
        levels = [spec.level for spec in self.plan.players]
        now = frame(position, self.encoder, self.names, specs, levels)
        rows = zip(now["seats"], self._clocks, self.plan.players, self.people_names, strict=True)
        for seat, clock, spec, called in rows:
            seat["person"] = spec.kind == "human"
            seat["called"] = called
            allowed = clock.left().allowed
            seat["left"] = None if allowed is None else round(allowed, 3)
        return now

    def _count(self, played: PlayedMove) -> None:
        if played.seat is not None:
            self._clocks[played.seat].spend(played.seconds)

    def _new_shapes(self) -> Data:
        """Return the shapes that no page has been sent yet."""
        first, self._sent_shapes = self._sent_shapes, len(self.encoder.shapes)
        new = self.encoder.shapes[first:]
        return {"first": first, "shapes": new} if new else {}

    def since(self, number: int | None, listener: Spectator) -> list[tuple[int, bytes]]:
        """Return the new events for a page; see :meth:`Spectators.since`."""
        return self.spectators.since(number, listener, self._whole)

    def _whole(self, listener: Spectator) -> Data:
        snapshot, rematch = self._snapshot, self.rematch.begun
        is_own = snapshot.ask is not None and snapshot.ask[0] in listener.seats
        return {
            "type": "whole",
            "board": self._first,
            "shapes": self.encoder.shapes,
            "now": snapshot.frame,
            "moves": snapshot.moves,
            "view": snapshot.view,
            "status": snapshot.status,
            "own": sorted(listener.seats),
            "ask": snapshot.ask[1] if is_own and snapshot.ask else None,
            "proposal": snapshot.proposal,
            "away": self._away(self.spectators.seats()) if len(self.people) > 1 else [],
            "rematch": rematch.data_for(listener.seats) if rematch is not None else None,
        }
