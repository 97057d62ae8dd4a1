"""Tournaments of a server: read from a form, played in a thread, continued after a stop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final, Literal, NamedTuple

import msgspec

from ludograph.arena.executor import Failure, InProcess, OnOutput
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.ladder.folder import write_whole
from ludograph.arena.openings import DRAWN, OpeningSuite, chosen_openings, is_fixed
from ludograph.arena.overtime import MOST, OVERTIME
from ludograph.arena.playing import GamePlan, play_plan
from ludograph.arena.store import KeptTournament, Store
from ludograph.arena.store.history import latest_games
from ludograph.arena.store.location import file_of
from ludograph.arena.tournament import Format, Tournament, enrolled, play_tournament
from ludograph.errors import HostFailure, InvalidInput, LudographError
from ludograph.formatting import without_folders
from ludograph.games import Declaration, Position
from ludograph.games.pictures import heading
from ludograph.games.registry import declaration, load
from ludograph.players import PlayerSpec
from ludograph.referee.options import MatchOptions, series_clocks
from ludograph.referee.result import PlayedMove
from ludograph.web.games import forms
from ludograph.web.games.offered_players import OfferedPlayers
from ludograph.web.games.opponent_levels import levels_of
from ludograph.web.match.match_manager import ServerFull
from ludograph.web.server import limits
from ludograph.web.tournament.tournament_tables import games_of, kept_tournament, state_of

FORMATS: tuple[Format, ...] = ("round-robin", "swiss", "knockout")

NO_OPENINGS: Final = "none"
"""The value of a form for games without openings, which begin with a player's move."""

STRONGEST_FIRST = "Seeds follow the measured strength of the players, the strongest first."

DRAWN_BY_LOT = "The order of the seeds is drawn by lot; another seed draws another order."

KNOWN_FIRST = (
    "Seeds follow the measured strength of the players, the strongest first; players of unknown "
    "strength come behind them, in an order drawn by lot."
)

ENTERS = "enters."
"""The beginning of the names of boxes that select players."""

CHECKED = "on"
"""The value of a checked box."""

log = logging.getLogger(__name__)


class TournamentStopped(Exception):
    """The tournament is stopped between two games; finished games are stored."""


class TournamentForm(msgspec.Struct):
    """The form of a tournament, stored so that the tournament can continue after a stop."""

    game: str
    given: dict[str, str]


class TournamentRunner:
    """Plays the tournaments of a server.

    Parameters
    ----------
    store
        The file of tournaments; None: the one of this user.
    folder
        The folder for the forms of the tournaments.
    offered
        The players' files that may take part; None for none.

    Attributes
    ----------
    running
        The number of the running tournament; None if there is none.
    now
        The players of its game under way, by seat, and the position; None before the first game.
    """

    def __init__(self, store: str | None, folder: Path, offered: OfferedPlayers | None) -> None:
        self._store, self._folder, self._offered = store, folder, offered
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.running: int | None = None
        self.now: tuple[tuple[str, ...], Position] | None = None
        self._trouble = (0, "")

    def begin(self, game: str, given: Mapping[str, str]) -> int:
        """Begin or continue the tournament of a form; return its number.

        Raises
        ------
        ServerFull
            If another tournament is running.
        InvalidInput
            If another process plays this one, or the form has a fault.
        """
        tournament = read(declaration(game), given, self._offered)
        with self._lock:
            if self.running is not None:
                raise ServerFull("a tournament is played here already; it must end first")
            with Store(self._store) as store:
                store.check_pages()
                number, tournament = enrolled(store, tournament)
                store.lock(number)
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(
                self._form(tournament.key), msgspec.json.encode(TournamentForm(game, dict(given)))
            )
            self._stop.clear()
            self.running, self.now, self._trouble = number, None, (0, "")
            self._thread = threading.Thread(
                target=self._run, args=(tournament, number), name="tournament", daemon=True
            )
            self._thread.start()
            return number

    def unfinished(self, number: int) -> TournamentForm | None:
        """Return the form with which a tournament can continue; None if it cannot.

        Raises
        ------
        NotFound
            If there is no tournament of that number.
        """
        if self.running == number:
            return None
        with Store(self._store, must_exist=True) as store:
            kept = kept_tournament(store, number)
            if not self._form(kept.key).is_file():
                return None
            data = self._form(kept.key).read_bytes()
            try:
                form = msgspec.json.decode(data, type=TournamentForm)
                tournament = read(declaration(form.game), form.given, self._offered)
            except (msgspec.MsgspecError, InvalidInput):
                return None  # it was cut off, or a level or a strategy in it no longer exists
            played = store.played(number)
        same = tournament.key == kept.key  # the same rules, players and levels as before
        return form if same and not tournament.is_over(played) else None

    def trouble(self, number: int) -> str:
        """Return why the last run of a tournament was stopped; empty if it was not."""
        troubled, text = self._trouble
        return text if troubled == number else ""

    def _form(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def stop(self) -> None:
        """Stop the tournament after the running game."""
        self._stop.set()

    def join(self, seconds: float) -> None:
        """Wait until no tournament is running, at most some seconds."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, tournament: Tournament, number: int) -> None:
        try:
            with Store(self._store) as store, InProcess(self._play) as here:
                store.lock(number)
                play_tournament(tournament, number, store, here, self._on_game)
            self._form(tournament.key).unlink(missing_ok=True)  # nothing is left to continue
        except TournamentStopped:
            pass
        except (LudographError, HostFailure, OSError) as error:
            told = without_folders(f"The tournament was stopped: {error}.")
            self._trouble = number, told
        except Exception:
            log.exception("tournament %s", number)
            self._trouble = number, "The tournament was stopped by a fault of the server."
        finally:
            self.running = None

    def _play(self, plan: GamePlan, on_output: OnOutput | None) -> FinishedGame | Failure:
        """Play a game, whose position pages show after each move."""
        players = plan.key.seating
        self.now = players, plan.start

        def show(position: Position, _: PlayedMove) -> None:
            self.now = players, position.copy()

        return play_plan(plan, on_output, show)

    def _on_game(self, game: FinishedGame) -> None:  # noqa: ARG002
        if self._stop.is_set():
            raise TournamentStopped


def read(
    declared: Declaration, given: Mapping[str, str], offered: OfferedPlayers | None = None
) -> Tournament:
    """Understand the form of a tournament.

    Parameters
    ----------
    offered
        The players' files that may take part; None for none.

    Raises
    ------
    InvalidInput
        With the fault, in a sentence.
    """
    seats = declared.seats[0] if declared.seats[0] > 1 else 2
    wanted = chosen_players(given)
    format_ = next((each for each in FORMATS if each == given.get("format", FORMATS[0])), None)
    if format_ is None:
        raise InvalidInput(f"format: choose {', '.join(FORMATS)}")
    given_seed = given.get("seed", "").strip()
    seed = forms.whole(given, "seed", 0, 0, 2**53) if given_seed else None
    seeding = ""
    if format_ == "knockout":
        wanted, seeding = seeded(declared, wanted, seed or 0)
    levels = {level.player: level.number for level in levels_of(declared)}
    specs = [forms.known_player(declared, name, given, "time", seats, offered) for name in wanted]
    players = [
        replace(spec, level=levels.get(name, spec.level))
        for name, spec in zip(wanted, specs, strict=True)
    ]
    clock, foreign_clock = series_clocks(None, players)
    games = forms.whole(given, "games", 2 * seats, seats, limits.GAMES)
    overtime = forms.whole(given, "overtime", OVERTIME, 0, MOST)
    own = forms.options(declared, given)
    rules = load(declared)

    def make_position(variant: int, seed: int) -> Position:  # noqa: ARG001
        return rules.position(seats=seats, seed=seed, **own)

    start = make_position(0, seed or 0)
    forms.check_size(start)
    openings = openings_of(given, start, players)
    tournament = Tournament(
        make_position,
        players,
        format=format_,
        games=games,
        seats=seats,
        seed=seed,
        match_options=MatchOptions.checked(
            clock=clock,
            foreign_clock=foreign_clock,
            isolation=None if offered is None else offered.isolation,
        ),
        overtime=overtime if format_ == "knockout" else OVERTIME,
        openings=openings,
        seeding=seeding,
        title=heading(start).removesuffix(", the start"),
    )
    if (tournament.total or 0) > limits.GAMES:
        raise InvalidInput(
            f"{tournament.total} games are too many for a page, which takes {limits.GAMES}"
        )
    return tournament


def chosen_players(given: Mapping[str, str]) -> list[str]:
    """Return the names of the players that are checked in the form; InvalidInput if too few are."""
    names = [name.removeprefix(ENTERS) for name in given if name.startswith(ENTERS)]
    for name in names:
        if given[ENTERS + name] != CHECKED:
            raise InvalidInput(f"{ENTERS}{name[:40]} must be {CHECKED}, or not be sent")
    if len(names) < 2:
        raise InvalidInput("a tournament needs two players at least")
    return names


def seeded(declared: Declaration, names: Sequence[str], seed: int) -> tuple[list[str], str]:
    """Return the players of a knockout, the first seed first, and a sentence on their order.

    Players whose strength was measured come first, the strongest first. The others are drawn by
    lot: the same players and the same seed give the same order, so that a tournament that was
    stopped can continue.
    """
    elo = {level.player: level.elo for level in levels_of(declared)}
    known = sorted((name for name in names if name in elo), key=elo.__getitem__, reverse=True)
    others = sorted(name for name in names if name not in elo)
    Random(f"{seed} {others}").shuffle(others)
    if not others:
        return known, STRONGEST_FIRST
    return [*known, *others], KNOWN_FIRST if known else DRAWN_BY_LOT


def openings_of(
    given: Mapping[str, str], start: Position, players: Sequence[PlayerSpec]
) -> OpeningSuite | Literal["drawn"] | None:
    """Return the openings of a form; none if it has no field for them. A form names no files.

    Raises
    ------
    InvalidInput
        If the form has an unknown value, or a player cannot begin after the openings.
    """
    asked = given.get("openings", NO_OPENINGS)
    if asked == NO_OPENINGS:
        return None
    offered = (DRAWN, *start.game.declaration.openings)
    if asked not in offered:
        raise InvalidInput(f"openings: choose {', '.join(offered)} or {NO_OPENINGS}")
    return chosen_openings(asked, [start], players)


def usual_openings(declared: Declaration) -> str:
    """Return the default openings of a form: drawn ones if the start is always the same."""
    seats, rules = max(2, declared.seats[0]), load(declared)
    same = is_fixed(lambda _, seed: rules.position(seats=seats, seed=seed), 0)
    return DRAWN if same and not rules.position(seats=seats, seed=0).is_chance else NO_OPENINGS


class ListedTournament(NamedTuple):
    """A tournament in a list; ``total`` is the number of its games, None if not known."""

    kept: KeptTournament
    state: str
    total: int | None


def tournaments(store: str | Path | None, running: int | None) -> list[ListedTournament]:
    """Return the tournaments of a store, the latest first; none if there is no store yet.

    Parameters
    ----------
    running
        The number of the tournament that this server plays; None if there is none.
    """
    file = file_of(store)
    if file is not None and not file.exists():
        return []
    with Store(store, must_exist=True) as opened:
        return [
            ListedTournament(
                one,
                state_of(opened, one, running=one.number == running),
                games_of(one.declaration),
            )
            for one in opened.tournaments()[::-1]
        ]


def latest_game(store: str | Path | None, number: int) -> int | None:
    """Return the number of the last finished game of a tournament; None if there is none.

    Raises
    ------
    NotFound
        If there is no tournament of that number.
    """
    with Store(store, must_exist=True) as opened:
        kept_tournament(opened, number)
        return next(iter(latest_games(opened, number, 1).numbers.tolist()), None)
