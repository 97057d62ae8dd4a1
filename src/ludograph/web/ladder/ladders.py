"""A ladder for its pages: the table, each player's games and forfeits, uploads of players."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from ludograph.arena.ladder import Ladder, LadderFolder
from ludograph.arena.ladder.folder import OPERATOR, read_state
from ludograph.arena.ladder.ladder import kept_store
from ludograph.arena.ladder.people import Person, Role
from ludograph.arena.ladder.rating_history import ratings_chart
from ludograph.arena.ladder.submission_list import submission_sheet, submissions
from ludograph.arena.ladder.table import FIXED, VERSION_SHOWN, LadderLine
from ludograph.arena.ladder.trials import kept_versions
from ludograph.arena.rendering import elo_text, forfeits_text
from ludograph.arena.store import GameFilter, Store
from ludograph.arena.store.history import games_between, latest_ends, names_there, records_there
from ludograph.conformance.player_report import LOOK, TITLES
from ludograph.errors import LudographError, NotFound
from ludograph.formatting import counted, duration, without_folders
from ludograph.games import Position
from ludograph.players.isolation import Level
from ludograph.referee import Clock
from ludograph.views.table import Table
from ludograph.web.ladder.shown_ladders import PlayerGames, ShownLadder
from ludograph.web.ladder.uploads import Uploads, may_read_output
from ludograph.web.server.tokens import Register, Visitor
from ludograph.web.tournament.tournament_tables import GAMES_SHOWN, interval_on_pages

FRESH = 3.0
"""Seconds for which a table is valid: ratings take time to compute."""

CROSSED = 40
"""The most players in a cross table."""

PACED = 1000
"""The most games for the measurement of a ladder's pace."""

PACE_MINUTES = 10.0
"""The time for the measurement of the pace; without a game in it there is none."""


@dataclass
class LadderPages:
    """A ladder whose folder is on this machine.

    Attributes
    ----------
    granted, missing
        As in :class:`Uploads`.
    register
        The people of the ladder.
    reread
        Reads the file of the ladder again when it has changed; None: the file is read only once.
    """

    ladder: Ladder
    granted: Level | None = None
    missing: str = "players' files cannot be isolated here"
    reread: Callable[[LadderFolder], Ladder] | None = field(default=None, repr=False)
    register: Register = field(init=False, repr=False)
    uploads: Uploads = field(init=False, repr=False)
    _stamp: object = field(default=None, init=False, repr=False)
    _now: tuple[float, ShownLadder] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.register = Register(self.ladder.folder)
        self.uploads = Uploads(self.register, self.granted, self.missing)

    def read_again(self) -> Ladder:
        """Read the file of the ladder again if it has changed; return the ladder."""
        if self.reread is None:
            return self.ladder
        try:
            status = self.ladder.folder.declaration.stat()
        except OSError:  # it is being replaced
            return self.ladder
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp == self._stamp:
            return self.ladder
        try:
            self.ladder, self.uploads.trouble = self.reread(self.ladder.folder), ""
        except LudographError as error:
            self.uploads.trouble = without_folders(str(error))
        self._stamp = stamp
        return self.ladder

    @property
    def name(self) -> str:
        """Its name in addresses."""
        return self.ladder.folder.name

    @property
    def age(self) -> float:
        """Seconds since the last reading; infinite before the first."""
        return math.inf if self._now is None else time.monotonic() - self._now[0]

    @property
    def now(self) -> ShownLadder:
        """The ladder at the last reading; there was one before a page asks for it."""
        assert self._now is not None
        return self._now[1]

    @now.setter
    def now(self, now: ShownLadder) -> None:
        self._now = time.monotonic(), now

    def store(self) -> AbstractContextManager[Store | None]:
        """Open the ladder's store; None if no game has been played."""
        return kept_store(self.ladder, read_state(self.ladder.folder))

    def authors(self, role: Role) -> dict[str, str]:
        """Return the people of each player, for a page with this role.

        Operators see all names; others see them if the ladder shows names.
        """
        if role < Role.OPERATE and not self.ladder.show_names:
            return {}
        owners = self.ladder.folder.read_owners()
        by_operator = [file for file, owner in owners.items() if owner == OPERATOR]
        texts = {file: people_text(own) for file, own in self._people(owners).items()}
        return dict.fromkeys(by_operator, "an operator") | texts

    def _people(self, owners: Mapping[str, str]) -> dict[str, list[Person]]:
        """Return the people of each file."""
        people: dict[str, list[Person]] = {}
        for person in self.register.people:
            for file in person.owned(owners):
                people.setdefault(file, []).append(person)
        return people

    def names(self) -> dict[str, str]:
        """Return the person or team of each player's file, if everybody may see them.

        Who has several files has their names behind it, so that no two names are the same.
        """
        if not self.ladder.show_names:
            return {}
        people = self._people(self.ladder.folder.read_owners())
        found = {file: own[0].team or own[0].name for file, own in people.items()}
        count = Counter(found.values())
        return {
            file: name if count[name] == 1 else f"{name} ({file})" for file, name in found.items()
        }

    def overview(self, role: Role = Role.LOOK) -> dict[str, Any]:
        """Return the values of the ladder's page for a visitor with a role."""
        now = self.now
        lines = now.table.lines
        order = [line.player for line in lines if line.games][:CROSSED]
        return {
            "ladder": self,
            "table": now.table,
            "age": duration(self.age) if self.age > FRESH else "",  # the server is too busy
            "rows": [row(line) for line in lines],
            "authors": self.authors(role),
            "called": self.names(),
            "order": order,
            "cross": now.meetings,
            "next": Counter(now.next),
            "waiting": self.waiting(),
            "pace": self.pace(),
            "facts": facts(self.ladder, now.state.workers),
        }

    def waiting(self) -> str:
        """Return the sentence on missing players for the next game; empty if there are enough."""
        state = self.now.state
        if not state.number:
            return (
                "The ladder has not been started yet: "
                f"'ludograph ladder run {self.ladder.folder.path.name}' plays its games."
            )
        return state.waits_for(self.ladder.seats)

    def pace(self) -> str:
        """Return the pace of the games in sentences; empty before the first game."""
        with self.store() as store:
            ends = [] if store is None else latest_ends(store, self.now.state.number, PACED)
        is_running = self.ladder.folder.is_running
        times = [datetime.fromisoformat(end) for end in ends]
        return pace_text(times, datetime.now(self.ladder.zone), is_running=is_running)

    def plot(self) -> str:
        """Return the ratings over time as SVG."""
        return ratings_chart(self.ladder, self.now.state.number, self.now.table.lines)

    def player(self, name: str, visitor: Visitor, games: PlayerGames) -> dict[str, Any]:
        """Return the values of a player's page for a visitor."""
        now, folder = self.now, self.ladder.folder
        line = next((one for one in now.table.lines if one.player == name), None)
        has_report = may_read_output(self.register, name, visitor)
        role = visitor.role_in(self.name)
        there = has_report and (folder.players / name).exists()
        listed = submissions(self.ladder, now.state) if has_report else []
        is_late = bool(self.uploads.closed(self.ladder, role)) and role < Role.OPERATE
        return {
            **games._asdict(),
            "ladder": self,
            "name": name,
            "author": self.authors(role).get(name, ""),
            "version": games.version[:VERSION_SHOWN],
            "line": None if line is None else row(line),
            "ranked": ranked(now.table.lines),
            "versions": games.versions[::-1],
            "shown": VERSION_SHOWN,
            "against": sorted(now.meetings.get(name, {}).items()),
            "titles": TITLES,
            "look": LOOK,
            "report": folder.read_report(name) if has_report else "",
            "is_own": has_report,
            "comparable": kept_versions(self.ladder, listed, name),
            "may_withdraw": there and not is_late,
            "operates": there and role >= Role.OPERATE,
        }

    def open_seats(self, game: int, visitor: Visitor) -> list[int]:
        """Return the seats of a game whose output a visitor may read."""
        with self.store() as store:
            found = [] if store is None else list(store.games(GameFilter(game=game)))
        return [
            seat
            for one in found
            for seat, result in enumerate(one.seats)
            if may_read_output(self.register, result.player, visitor)
        ]

    def pairing(self, player: str, opponent: str) -> dict[str, Any]:
        """Return the values of the page with the latest games of two players.

        Raises
        ------
        NotFound
            If there is no player of one of the names.
        """
        number = self.now.state.number
        with self.store() as store:
            if store is None:
                raise NotFound("no game has been played yet")
            if not names_there(store).issuperset({player, opponent}):
                raise NotFound("there are no such players")
            found = games_between(store, number, player, opponent, GAMES_SHOWN)[::-1]
            games = [game.read_by() for game in found]
            kept = records_there(store, [game.number for game in games])
        base = f"/ladders/{quote(self.name)}"
        return {
            "names": (player, opponent),
            "games": games,
            "above": base,
            "above_title": self.name,
            "record": f"/replay/ladder-{quote(self.name)}",
            "kept": kept,
            "shown_at_most": GAMES_SHOWN,
        }

    def submissions(self, visitor: Visitor) -> Table:
        """Return a visitor's submissions, for operators those of all, the last one first.

        A refused upload is its sender's, even if the name has become that of another player. Only
        operators see sources that are alike.
        """
        folder, role = self.ladder.folder, visitor.role_in(self.name)
        owners, all_rows = folder.read_owners(), submissions(self.ladder, read_state(folder))
        rows = [
            row
            for row in reversed(all_rows)
            if role >= Role.OPERATE
            or row.event.owner in visitor.owners
            or (row.number and may_read_output(self.register, row.event.file, visitor))
        ]
        sheet = submission_sheet(rows, self.register.people, owners, self.ladder.zone)
        return sheet if role >= Role.OPERATE else sheet.without("alike")


def facts(ladder: Ladder, workers: int) -> list[tuple[str, str]]:
    """Return the settings of the games of a ladder: names, each with its value.

    Parameters
    ----------
    workers
        The number of games at a time; 0 if it is not known.
    """
    openings = "none"
    if ladder.openings is not None:
        counts = [len(own) for own in ladder.openings.variants]
        openings = f"each game begins with one of {counted(max(counts), 'first move')}"
    return [
        ("Clock", Clock.parse(ladder.clock).in_words if ladder.clock else "none"),
        ("Openings", openings),
        *([("Kinds of starts", str(ladder.variants))] if ladder.variants > 1 else []),
        ("Seats", f"{ladder.seats}; from each start, every player plays once on each"),
        *([("Games at a time", str(workers))] if workers else []),
        ("Ratings from", f"the latest {ladder.rated_games:,} games".replace(",", " ")),
    ]


def pace_text(ends: Sequence[datetime], now: datetime, *, is_running: bool) -> str:
    """Return the pace of a ladder's games in a sentence; empty without a game.

    Parameters
    ----------
    ends
        The times when the last games ended, the latest first.
    now
        In the time zone of the ladder.
    is_running
        Whether a process runs the ladder.

    Examples
    --------
    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 2, 12, tzinfo=UTC)
    >>> pace_text([noon - timedelta(seconds=after) for after in (20, 50, 80)], noon,
    ...           is_running=True)
    'Running: 1.5 games per minute; the last one ended at 11:59:40 UTC.'
    >>> pace_text([noon], noon, is_running=False)
    'The ladder is not running; the last game ended on 2 Jan 2026 at 12:00:00 UTC.'
    >>> pace_text([noon], noon + timedelta(hours=2), is_running=True)
    'No game has ended for 2 h 0 min; the last one ended on 2 Jan 2026 at 12:00:00 UTC.'
    """
    if not ends:
        return ""
    last = ends[0].astimezone(now.tzinfo)
    when = f"{last.day} {last:%b %Y} at {last:%H:%M:%S %Z}"
    if not is_running:
        return f"The ladder is not running; the last game ended on {when}."
    minutes = (now - last).total_seconds() / 60
    if minutes > PACE_MINUTES:
        return f"No game has ended for {duration(60 * minutes)}; the last one ended on {when}."
    recent = [end for end in ends if now - end <= timedelta(minutes=PACE_MINUTES)]
    since_first = max((now - recent[-1]).total_seconds() / 60, 1 / 60)
    # A run that has just begun has played for less than the whole time.
    rate = max(len(recent) / PACE_MINUTES, (len(recent) - 1) / since_first)
    return f"Running: {rate:.1f} games per minute; the last one ended at {last:%H:%M:%S %Z}."


def without_start(ladder: Ladder) -> Ladder:
    """Return a ladder for another process: with all data for a table, without starts of games."""
    return replace(ladder, make_position=no_position)


def no_position(variant: int, seed: int) -> Position:
    """Raise: a placeholder for the function that makes starts."""
    raise NotImplementedError(f"no game begins here: {variant}, {seed}")


def row(line: LadderLine) -> Mapping[str, Any]:
    """Return a line of the table as texts."""
    rating, fixed = line.rating, line.note == FIXED
    return {
        "line": line,
        "version": line.version[:VERSION_SHOWN],
        "forfeits": forfeits_text(line.forfeits),
        "elo": "" if rating is None else elo_text(rating).lstrip("+"),
        "interval": ("" if rating is None or fixed else interval_on_pages(rating).replace("+", "")),
    }


def people_text(people: Sequence[Person]) -> str:
    """Return the people of a player: one name, or the names of a team.

    Examples
    --------
    >>> people_text([Person("s1", "Anna Alder")])
    'Anna Alder'
    >>> people_text([Person("s2", "Bela Birk", team="Red"), Person("s3", "Cora Cole", team="Red")])
    'team Red: Bela Birk, Cora Cole'
    """
    names = ", ".join(person.name for person in people)
    team = next((person.team for person in people if person.team), "")
    return f"team {team}: {names}" if team else names


def ranked(lines: Sequence[LadderLine]) -> int:
    """Return the number of players with a rank: built-in ones have none."""
    return sum(line.rank is not None for line in lines)
