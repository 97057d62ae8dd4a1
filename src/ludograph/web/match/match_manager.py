"""The matches of a server: live ones, and the records of suspended and finished ones."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from ludograph.errors import InvalidInput, LudographError
from ludograph.games import Position
from ludograph.players import PlayerSpec, parse_player
from ludograph.players.isolation import Isolation
from ludograph.players.spec import FILE, program_kind
from ludograph.referee import Clock
from ludograph.referee.options import MatchOptions, series_clocks
from ludograph.referee.seed import Seed
from ludograph.rules.announcer import announcer
from ludograph.web.games.forms import pause_of
from ludograph.web.games.offered_players import OFFERED, OfferedPlayers
from ludograph.web.match.consent import NextMatch, RequestRefused, exchanged, exchanged_form
from ludograph.web.match.live_match import LiveMatch, LiveMatchPlan
from ludograph.web.match.match_records import MatchRecords, RecordSummary, write_beginning
from ludograph.web.positions.wording import checked_name, unique
from ludograph.web.server.limits import ANYBODY, Identity

FINISHED = 64
"""The most finished matches in memory, for pages that still show them."""

ALONE = 30.0
"""Seconds without a spectator after which a match may be suspended in favor of another."""


class ServerFull(LudographError):
    """There is no room for another match."""


class MatchManager:
    """The matches of a server, with their records as files in one folder.

    Parameters
    ----------
    most
        The most matches at a time; a third of them for one person, and two thirds for all people
        of one address without tokens.
    offered
        The players' files that may be chosen; None for none.
    reads_all
        Whether all visitors may read what authors of players wrote.
    """

    def __init__(
        self,
        folder: Path,
        most: int,
        offered: OfferedPlayers | None = None,
        *,
        reads_all: bool = False,
    ) -> None:
        self.records = MatchRecords(folder)
        self.most = most
        self.offered, self._reads_all = offered, reads_all
        self._lock = threading.Lock()
        self._going_on, self._naming = threading.Lock(), threading.Lock()
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._persons: dict[str, Identity] = {}
        self._leaving: set[LiveMatch] = set()

    @property
    def _each(self) -> int:
        """The most matches of one person."""
        return -(-self.most // 3)

    @property
    def _together(self) -> int:
        """The most matches of all people of one address without tokens."""
        return max(self.most - self._each, self._each)

    def begin(  # noqa: PLR0913  (keywords, each with a default)
        self,
        start: Position,
        players: Sequence[PlayerSpec],
        *,
        own: Sequence[int],
        moves: Sequence[int] = (),
        seed: Seed | None = None,
        clock: Clock | None = None,
        form: Mapping[str, str] | None = None,
        names: Sequence[str] = (),
        person: Identity = ANYBODY,
    ) -> LiveMatch:
        """Begin a match.

        Parameters
        ----------
        own
            The seats of the person who begins it; none for a spectator.
        moves
            The moves after which it goes on.
        form
            The fields of the form.
        names
            By seat, the names of people that are known already.
        person
            The person who begins it, for the limits of each person and address.

        Raises
        ------
        InvalidInput
            If the form has a fault.
        ServerFull
            If too many matches are running, each with a spectator.
        """
        form = form or {}
        number, seat_keys = self.records.new(players, own, form, names)
        path = self.records.path(number)
        clocks = series_clocks(None, players) if clock is None else (clock, None)
        try:
            options = MatchOptions.checked(
                clock=clocks[0],
                foreign_clock=clocks[1],
                seed=seed,
                isolation=self._isolation,
                thoughts=True,
                record=path,
            )
            if moves:
                earlier = write_beginning(path, start, moves, players, options)
                options = replace(options, earlier=earlier)
            listed = bool(own) and form.get("listed") == "true"
            plan = LiveMatchPlan(
                number, start, players, seat_keys, options, pause=pause_of(form), listed=listed
            )
            return self._seat(plan, person)
        except LudographError:
            self.records.forget(number)
            raise

    def challenges(self) -> list[LiveMatch]:
        """Return the matches in the lobby, the latest first."""
        return [match for match in self.running() if match.is_challenge]

    def join(self, number: str, person: Identity) -> str:
        """Give a visitor a free seat of a match in the lobby; return its key.

        Raises
        ------
        RequestRefused
            If it has no free seat.
        ServerFull
            If the visitor has taken seats in as many matches as one person may play.
        """
        with self._lock:
            match = self._matches.get(number)
            running = [other for other in self._matches.values() if other.running]
            takers = [other.open_seats.takers() for other in running]
            if sum(any(map(person.is_same, theirs)) for theirs in takers) >= self._each:
                raise self._busy()
            if sum(any(map(person.is_near, theirs)) for theirs in takers) >= self._together:
                raise self._crowded()
            seats = match.open_seats.take(person) if match is not None and match.running else None
            if match is None or seats is None:
                raise RequestRefused("this game has no free seat left")
            return str(match.plan.keys[min(seats)])

    def begin_rematch(self, match: LiveMatch, person: Identity = ANYBODY) -> NextMatch:
        """Begin the rematch of a match: the same start, each on the seat before its own.

        Raises
        ------
        ServerFull
            If there is no room for it.
        """
        old, seats = match.plan, len(match.plan.players)
        owner = old.seat_keys.owner
        following = self.begin(
            old.start,
            exchanged(old.players),
            own=[seat for seat, key in enumerate(exchanged(old.keys)) if owner and key == owner],
            clock=old.options.clock,
            form=exchanged_form(old.form, seats),
            names=exchanged(match.people_names),
            person=person,
        )
        keys = {(seat + 1) % seats: key for seat, key in enumerate(following.plan.keys) if key}
        return NextMatch(following.plan.number, keys)

    def name_person(self, number: str, key: str, text: str) -> str:
        """Give the person with a key a unique name in its match; return the name.

        Raises
        ------
        InvalidInput
            If there is no such match or key, or the text is not a valid name.
        """
        match, name = self.match(number), checked_name(text)
        seats = frozenset() if match is None else match.seats_of(key)
        if match is None or not seats:
            raise InvalidInput("there is no such seat here")
        with self._naming:  # pages do not wait for the disk
            name = unique(name, match.state.names_beside(seats)) if name else ""
            before = enumerate(match.people_names)
            names = [name if seat in seats else other for seat, other in before]
            seat_keys = msgspec.structs.replace(match.plan.seat_keys, names=names)
            self.records.write_keys(number, seat_keys)
            match.name_person(seats, name)
        return name

    def go_on(self, number: str, person: Identity = ANYBODY) -> LiveMatch:
        """Go on with a suspended match, perhaps of an earlier server process.

        Raises
        ------
        NotFound
            If there is no match of this number.
        RequestRefused
            If it has ended.
        """
        with self._going_on:  # two threads would write the same record
            match = self.match(number)
            return match if match is not None and match.running else self._gone_on(number, person)

    def _gone_on(self, number: str, person: Identity) -> LiveMatch:
        record, seat_keys = self.records.record(number), self.records.seat_keys(number)
        if record.end is not None:
            raise RequestRefused("this game has ended, so it cannot continue")
        options = record.options(
            record=self.records.path(number), isolation=self._isolation, thoughts=True
        )
        start = record.start
        levels = record.header.get("levels") or [0] * start.seats
        players = [
            replace(self._player(text, start), level=level)
            for text, level in zip(record.specs, levels, strict=True)
        ]
        pause = pause_of(seat_keys.settings)
        return self._seat(
            LiveMatchPlan(number, start, players, seat_keys, options, pause=pause), person
        )

    def _player(self, text: str, start: Position) -> PlayerSpec:
        """Return a player of a record; raise InvalidInput if these pages do not offer it."""
        if self.offered is not None and text.startswith(OFFERED):
            return self.offered.player(text, start.game)
        if FILE.fullmatch(text) or program_kind(text) is not None:
            raise InvalidInput(f"{text} is not played on pages")
        return parse_player(text, start.game, start.seats)

    @property
    def _isolation(self) -> Isolation | None:
        return None if self.offered is None else self.offered.isolation

    def _seat(self, plan: LiveMatchPlan, person: Identity) -> LiveMatch:
        match = LiveMatch(replace(plan, reads_all=self._reads_all), self._ended)
        with self._lock:
            self._make_room(person)
            self._matches[plan.number] = match
            self._matches.move_to_end(plan.number)
            self._persons[plan.number] = person
        match.start()
        return match

    def _make_room(self, person: Identity) -> None:
        """Make room for one more match by suspending one without spectators; else raise ServerFull.

        For a person at the limit of one person, only that person's matches count; and for people at
        the limit of their address, only the matches of that address.
        """
        playing = {
            number: match
            for number, match in self._matches.items()
            if match.running and match not in self._leaving
        }

        def make_room(group: Collection[str], most: int, full: ServerFull) -> None:
            if len(group) >= most:
                left = self._suspend_one([playing[number] for number in group])
                if left is None:
                    raise full
                del playing[left.plan.number]

        own = [number for number in playing if person.is_same(self._persons[number])]
        make_room(own, self._each, self._busy())
        near = [number for number in playing if person.is_near(self._persons[number])]
        make_room(near, self._together, self._crowded())
        full = f"{self.most} matches are played here already; one of them must end first"
        make_room(list(playing), self.most, ServerFull(full))

    def _busy(self) -> ServerFull:
        """Return the error for a person at the limit of one person."""
        return ServerFull(f"you play {self._each} matches here already; end one of them first")

    def _crowded(self) -> ServerFull:
        """Return the error for people at the limit of their address."""
        return ServerFull(
            f"{self._together} matches are played from your address already; one of them must end "
            "first"
        )

    def _suspend_one(self, matches: Sequence[LiveMatch]) -> LiveMatch | None:
        """Suspend the match that has been without spectators for longest; return it, or None."""
        since = [(match.spectators.alone_since, match) for match in matches]
        alone = [(then, match) for then, match in since if then is not None]
        then, match = min(alone, key=lambda each: each[0], default=(time.monotonic(), None))
        if match is None or time.monotonic() - then < ALONE:
            return None
        self._leaving.add(match)
        match.stop()
        return match

    def _ended(self, match: LiveMatch) -> None:
        """Forget the oldest finished matches."""
        with self._lock:
            self._leaving.discard(match)
            if self._matches.get(match.plan.number) is match:  # it has not gone on already
                self._persons.pop(match.plan.number, None)
            over = [number for number, each in self._matches.items() if not each.running]
            for number in over[:-FINISHED]:
                del self._matches[number]

    def match(self, number: str) -> LiveMatch | None:
        """Return a match that is running or has just ended."""
        return self._matches.get(number)

    def running(self) -> list[LiveMatch]:
        """Return the running matches, the latest first."""
        with self._lock:
            return [match for match in reversed(self._matches.values()) if match.running]

    def public(self) -> list[LiveMatch]:
        """Return the running public matches, the latest first."""
        return [each for each in self.running() if not each.plan.seat_keys.is_private]

    def wake(self) -> None:
        """Wake the spectators of all matches, when the server ends."""
        with self._lock:
            matches = list(self._matches.values())
        for match in matches:
            match.spectators.wake()

    def say_preparing(self, text: str) -> None:
        """Say on the pages of all running matches that something is compiled, unless it is done."""
        for match in self.running() if text else ():
            match.say(f"Getting the game ready, only this once: function {announcer.made} …")

    def close(self) -> None:
        """Suspend all matches."""
        running = self.running()
        for match in running:
            match.stop()
        until = time.monotonic() + 1.0
        for match in running:
            match.join(max(until - time.monotonic(), 0.0))

    def latest(self) -> list[RecordSummary]:
        """Return the latest records of matches that are not running, without private ones."""
        return self.records.latest({match.plan.number for match in self.running()})
