"""Tournaments that are started from pages: one at a time, in a thread of the server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from ludograph.arena.executor.local import InProcess
from ludograph.arena.finished import FinishedGame
from ludograph.arena.store import Store
from ludograph.arena.tournament import Tournament, enrolled, play_tournament
from ludograph.arena.tournament.declaration import Format
from ludograph.arena.tournament.playing import play_game
from ludograph.errors import HostFailure, InvalidInput, LudographError
from ludograph.games import Declaration, Position
from ludograph.games.pictures import heading
from ludograph.games.registry import declaration
from ludograph.web import forms, limits
from ludograph.web.hall import Full

FORMATS: tuple[Format, ...] = ("round-robin", "swiss", "knockout")
ENTERS = "enters."
"""What the name of a box begins with that has a player take part."""

CHECKED = "on"
"""What a box sends that is checked."""

log = logging.getLogger(__name__)


class Stopped(Exception):
    """The tournament is stopped between two games; what has ended is kept."""


class Asked(msgspec.Struct):
    """A form that has begun a tournament, kept so that it can be gone on with."""

    game: str
    given: dict[str, str]


class Competitions:
    """Plays the tournaments of a server.

    Parameters
    ----------
    store
        The file of tournaments; None: that of this user.
    folder
        Where the forms are kept that have begun them.

    Attributes
    ----------
    running
        The number of the one that is played now; None if none is.
    """

    def __init__(self, store: str | None, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.running: int | None = None
        self.trouble = ""

    def begin(self, game: str, given: Mapping[str, str]) -> int:
        """Begin the tournament that a form asks for, or go on with it; return its number.

        Raises
        ------
        Full
            If another one is played.
        InvalidInput
            If another process plays this one, or something is wrong in the form.
        """
        tournament = read(declaration(game), given)
        with self._lock:
            if self.running is not None:
                raise Full("a tournament is played here already; it must end first")
            with Store(self._store) as store:
                store.check_whole()
                number, tournament = enrolled(store, tournament)
                store.lock(number)
            self._folder.mkdir(parents=True, exist_ok=True)
            self._form(tournament.key).write_bytes(msgspec.json.encode(Asked(game, dict(given))))
            self._stop.clear()
            self.running, self.trouble = number, ""
            self._thread = threading.Thread(
                target=self._run, args=(tournament, number), name="tournament", daemon=True
            )
            self._thread.start()
            return number

    def unfinished(self, number: int) -> Asked | None:
        """Return the form by which a tournament can be gone on with; None if it cannot."""
        if self.running == number:
            return None
        with Store(self._store, must_exist=True) as store:
            kept = next((one for one in store.tournaments() if one.number == number), None)
            if kept is None or not self._form(kept.key).is_file():
                return None
            asked = msgspec.json.decode(self._form(kept.key).read_bytes(), type=Asked)
            try:
                tournament = read(declaration(asked.game), asked.given)
            except InvalidInput:  # what it asked for is not there any more: a level, a strategy
                return None
            played, _ = store.played(number)
        same = tournament.key == kept.key  # the same rules, players and levels as then
        return asked if same and not tournament.is_over(played) else None

    def _form(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def stop(self) -> None:
        """Stop the tournament after the game that is played now."""
        self._stop.set()

    def join(self, seconds: float) -> None:
        """Wait until nothing is played, so long at most."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, tournament: Tournament, number: int) -> None:
        try:
            with Store(self._store) as store, InProcess(partial(play_game, tournament)) as here:
                store.lock(number)
                play_tournament(tournament, number, store, here, self._on_game)
        except Stopped:
            pass
        except (LudographError, HostFailure, OSError) as error:
            self.trouble = f"The tournament was stopped: {error}."
        except Exception:
            log.exception("tournament %s", number)
            self.trouble = "The tournament was stopped by a fault of the server."
        finally:
            self.running = None

    def _on_game(self, game: FinishedGame) -> None:  # noqa: ARG002
        if self._stop.is_set():
            raise Stopped


def read(declared: Declaration, given: Mapping[str, str]) -> Tournament:
    """Understand the form of a tournament.

    Raises
    ------
    InvalidInput
        With what is wrong, in a sentence.
    """
    seats = declared.seats[0] if declared.seats[0] > 1 else 2
    wanted = [name.removeprefix(ENTERS) for name in given if name.startswith(ENTERS)]
    for name in wanted:
        if given[ENTERS + name] != CHECKED:
            raise InvalidInput(f"{ENTERS}{name[:40]} must be {CHECKED}, or not be sent")
    if len(wanted) < 2:
        raise InvalidInput("a tournament needs two players at least: choose who takes part")
    players = [forms.strategy(declared, name, given, "time", seats) for name in wanted]
    format_ = next((each for each in FORMATS if each == given.get("format", FORMATS[0])), None)
    if format_ is None:
        raise InvalidInput(f"format: choose {', '.join(FORMATS)}")
    games = forms.whole(given, "games", 2 * seats, seats, limits.GAMES)
    given_seed = given.get("seed", "").strip()
    seed = forms.whole(given, "seed", 0, 0, 2**53) if given_seed else None
    own = forms.options(declared, given)
    rules = declared.game()

    def make_position(variant: int, seed: int) -> Position:  # noqa: ARG001
        return rules.position(seats=seats, seed=seed, **own)

    start = make_position(0, seed or 0)
    forms.check_size(start)
    found = Tournament(
        make_position,
        players,
        format=format_,
        games=games,
        seats=seats,
        seed=seed,
        title=heading(start).removesuffix(", the start"),
    )
    if (found.total or 0) > limits.GAMES:
        raise InvalidInput(
            f"{found.total} games are too many for a page, which takes {limits.GAMES}"
        )
    return found
