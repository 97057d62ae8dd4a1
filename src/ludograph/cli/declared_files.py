"""The files of tournaments and ladders, read and checked; errors name the wrong line."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
import msgspec

from ludograph.arena.ladder import Ladder, UploadLimits
from ludograph.arena.openings import DRAWN, OpeningSuite, first_moves, is_fixed
from ludograph.arena.overtime import MOST, OVERTIME
from ludograph.arena.store.postgresql import PostgreSQL, has_password
from ludograph.cli.game_options import chosen
from ludograph.cli.option_types import (
    GAMES,
    GAMES_IF_NOT_GIVEN,
    LEVEL,
    SEED,
    ClockText,
    MemoryText,
)
from ludograph.documents import read_text, toml
from ludograph.errors import InvalidInput, LudographError, did_you_mean
from ludograph.formatting import described
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Number, OptionType, Unexpected, Whole
from ludograph.games.registry import declaration, load
from ludograph.players.isolation import Isolation
from ludograph.players.spec import FILE, parse_player
from ludograph.referee import Clock

if TYPE_CHECKING:
    from ludograph.arena.ladder import LadderFolder
    from ludograph.games import Position

SIZE_LIMIT = 1 << 20

File = TypeVar("File", bound=msgspec.Struct)


def parsed(path: Path, kind: type[File]) -> tuple[File, FileLines]:
    """Return the content of a file as a struct, and its lines; errors name file, line and field."""
    text = read_text(path, "tournament or ladder", SIZE_LIMIT)
    data = toml(path, text)
    lines = FileLines(path, text)
    known = kind.__struct_fields__
    for name in data:
        if name not in known:
            meant = did_you_mean(name, known)
            raise InvalidInput(f"{lines.at(name)}: there is no {name!r}{meant}")
    try:
        found = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at `$")
        field = re.split(r"[.\[`]", where.lstrip("."))[0]
        raise InvalidInput(f"{lines.at(field)}: {field or 'the file'}: {said}") from None
    return found, lines


class FileLines:
    """The lines of a file, to name the wrong one in errors; all values are checked here."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self._lines = path, text.splitlines()

    def at(self, name: str, nth: int = 0) -> str:
        """Return the file and the line that sets a field for the nth time (from 0), for errors."""
        heads = re.compile(rf"\s*(\[+\s*)?[\"']?{re.escape(name)}[\"']?\s*[=\]]")
        found = [number for number, line in enumerate(self._lines, 1) if heads.match(line)]
        if not name or not found:
            return str(self.path)
        return f"{self.path}, line {found[min(nth, len(found) - 1)]}"

    def checked(self, name: str, of: OptionType | Callable[[Any], Any], value: Any) -> Any:
        """Return the value of a field as a type or a function makes it.

        Raises
        ------
        InvalidInput
            If it is wrong.
        """
        try:
            return of.check(value) if isinstance(of, OptionType) else of(value)
        except Unexpected as error:
            wrong = f"{name} must be {error}, got {described(value)}"
            raise InvalidInput(f"{self.at(name)}: {wrong}") from None
        except (LudographError, click.UsageError) as error:
            raise InvalidInput(f"{self.at(name)}: {error}") from None

    def fields(self, found: Any, types: Mapping[str, Any]) -> dict[str, Any]:
        """Return fields of a struct by name, each checked by its type; None is always right."""
        given = {name: getattr(found, name) for name in types}
        return {
            name: None if value is None else self.checked(name, types[name], value)
            for name, value in given.items()
        }

    def variants(self, game: Declaration, found: TournamentFile | LadderFile) -> list[Values]:
        """Return the game's options for each kind of start; files are looked up beside this one."""
        each = [{**found.settings, **start} for start in found.starts] or [found.settings]
        return [
            {name: self._setting(game, name, value, n) for name, value in given.items()}
            for n, given in enumerate(each)
        ]

    def _setting(self, game: Declaration, name: str, value: Any, nth: int) -> Any:
        if isinstance(value, str) and value and os.path.isfile(self.path.parent / value):
            value = str(self.path.parent / value)
        known = {option.name: option for option in (*game.options, *game.aliases)}
        try:
            if name not in known:
                game.values({name: value})
            return game.checked(known[name], value)
        except LudographError as error:
            raise InvalidInput(f"{self.at(name, nth)}: {error}") from None


class TournamentFile(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of the file.

    Attributes
    ----------
    settings
        The game's options, by their names on the command line.
    starts
        The settings in which starts differ, for example several boards; the starts take turns.
    """

    game: str
    players: list[str]
    format: Literal["round-robin", "gauntlet", "swiss", "knockout"] = "round-robin"
    games: int = GAMES_IF_NOT_GIVEN
    seats: int | None = None
    sample: bool = False
    seed: int | None = None
    clock: str | None = None
    overtime: int = OVERTIME
    openings: str | None = None
    settings: dict[str, Any] = {}
    starts: list[dict[str, Any]] = []


def read_tournament(path: Path) -> dict[str, Any]:
    """Return what a file gives of the arguments of :func:`ludograph.cli.tournament.run`.

    Paths of players are relative to the file's folder.

    Raises
    ------
    InvalidInput
        If the file is wrong; the error names file, line and field.
    """
    found, lines = parsed(path, TournamentFile)
    game = lines.checked("game", declaration, found.game)

    def openings(text: str) -> str:
        if text in (*game.openings, DRAWN):
            return text
        if not os.path.isfile(path.parent / text):
            known = " or ".join((*game.openings, DRAWN, "a file"))
            raise InvalidInput(f"openings must be {known}, got {text[:80]!r}")
        return str(path.parent / text)

    types = {
        "clock": ClockText().parse,
        "games": GAMES,
        "seats": Whole(1, 64),
        "seed": SEED,
        "overtime": Whole(0, MOST),
        "openings": openings,
    }
    return {
        "game": game,
        "players": [_beside(path, player) for player in found.players],
        "variants": lines.variants(game, found),
        "format": found.format,
        "sample": found.sample,
        **lines.fields(found, types),
    }


def _beside(path: Path, player: str) -> str:
    """Return a player's name, with a relative path taken from the tournament's folder."""
    found = FILE.fullmatch(player)
    if found is None or Path(found["path"]).is_absolute():
        return player
    return str(path.parent / player)


NO_STORE = '# store = "postgresql://USER@HOST/DATABASE"'
"""The line in the file of a new ladder whose games are in its folder."""

CLOCK = "2s"
"""The default clock of a new ladder."""

START = "start=10s"
"""The default time for the start of a player, in each game."""

ANCHOR_ELO = 1000

TEXT = """\
# A ladder of Ludograph. 'ludograph ladder run {folder}' plays it; players are files in players/.

game = {game}
clock = {clock}  # "2s" for each move, "60s+1s" for a game and more for each move
seats = {seats}

# Built-in players that always take part, so that ratings mean the same all year. The first one has
# a fixed rating, from which all others are measured; the others go from weak to strong.
anchors = {anchors}
anchor_elo = {anchor_elo}

# Time zone of the course, in which pages, lists and the log give times (default: UTC).
# zone = "Europe/Berlin"

first_games = 20  # new versions with fewer games are played first
patience = 6  # forfeits in a row that suspend a player until it has a new version
rated_games = 50000  # number of the latest games from which ratings are computed
compile_seconds = 120  # for the C sources of each author on each day
records = 20000  # number of the latest games whose records are kept; results are kept always
openings = "drawn"  # first moves are drawn where the start is always the same; "none": they are not

# Isolation of players' files: strict, basic or none (default: the strongest that works here).
# isolation = "strict"
memory = "2G"  # of each player

# Whether the pages show everybody the names and teams of people ('ludograph ladder people') beside
# their players. Operators always see them.
show_names = false

# Games are kept in games.db in this folder, or in a database of a PostgreSQL server. Put
# the password into PGPASSWORD or ~/.pgpass.
{store}

[settings]  # of the game, as on the command line; after a change, ratings start again
{settings}
# Limits of uploads by each person, or each team, on pages ('ludograph serve').
# [uploads]
# deadline = 2027-01-31T23:59:00+01:00
# each_day = 20  # files, new versions included
# players = 3

# Grades by the lower limit of the 95 % interval ('ludograph ladder people grades').
# [grades]
# "A" = 1300
# "B" = 1100
"""


class LadderFile(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of the file; see :class:`~ludograph.arena.ladder.Ladder`."""

    game: str
    clock: str = CLOCK
    seats: int = 2
    anchors: list[str] = []
    anchor_elo: float = ANCHOR_ELO
    openings: Literal["drawn", "none"] = "drawn"
    first_games: int = 20
    patience: int = 6
    rated_games: int = 50_000
    compile_seconds: int = 120
    isolation: str | None = None
    memory: str = "2G"
    store: str = ""
    show_names: bool = False
    zone: str = ""
    settings: dict[str, Any] = {}
    starts: list[dict[str, Any]] = []
    records: int = 20_000
    uploads: UploadLimits = UploadLimits()
    grades: dict[str, float] = {}


NUMBERS = {
    "seats": Whole(2, 64),
    "anchor_elo": Number(-100_000, 100_000),
    "first_games": Whole(0, 100_000),
    "patience": Whole(1, 100_000),
    "rated_games": Whole(100, 1_000_000),
    "compile_seconds": Whole(1, 86_400),
    "records": Whole(0, 10**9),
}
LIMIT = Number(-100_000, 100_000)
"""A rating that gives a grade."""

UPLOAD_NUMBERS = {"each_day": Whole(1, 100_000), "players": Whole(1, 100_000)}


def file_text(
    folder: Path, game: Declaration, settings: Mapping[str, Any], *, store: str, **own: Any
) -> str:
    """Return the text of a new file.

    Parameters
    ----------
    settings
        The given options of the game.
    own
        The values of ``clock`` and ``seats``.
    store
        The URL of a store on a server; empty for the file in the folder.

    Raises
    ------
    InvalidInput
        If the URL is wrong, or has a password, which others could read in the file.
    """
    if _store(store) and has_password(store):
        raise InvalidInput(
            "--store: leave the password out, as it would be written to ladder.toml; put it into "
            "PGPASSWORD or ~/.pgpass"
        )
    if Clock.parse(own["clock"]).start is None:
        own["clock"] += f",{START}"
    lines = [f"{name} = {literal(value)}\n" for name, value in settings.items()]
    return TEXT.format(
        folder=folder,
        game=literal(game.name),
        anchors=literal(default_anchors(game, own["seats"])),
        anchor_elo=ANCHOR_ELO,
        settings="".join(lines),
        store=f"store = {literal(store)}" if store else NO_STORE,
        **{name: literal(value) for name, value in own.items()},
    )


def literal(value: Any) -> str:
    """Return a value in TOML; raise UsageError if TOML has no such value."""
    if isinstance(value, str) and os.path.isfile(value):
        value = os.path.abspath(value)
    try:
        return json.dumps(value, ensure_ascii=False)  # TOML writes these values alike
    except TypeError:
        raise click.UsageError(f"{value!r:.80} cannot stand in a file") from None


def read_ladder(folder: LadderFolder) -> Ladder:
    """Return the ladder of a folder.

    Raises
    ------
    InvalidInput
        If its file is wrong; the error names file, line and field.
    """
    folder.check()
    declared, lines = parsed(folder.declaration, LadderFile)
    game = lines.checked("game", declaration, declared.game)
    numbers = lines.fields(declared, NUMBERS)
    seats = declared.seats
    if not game.seats[0] <= seats <= game.seats[1]:
        raise InvalidInput(
            f"{lines.at('seats')}: {game.name} has {game.seats[0]} to {game.seats[1]} seats"
        )
    values = [
        lines.checked("settings", partial(chosen, game), own)
        for own in lines.variants(game, declared)
    ]
    rules = load(game)

    def make_position(variant: int, seed: int) -> Any:
        return rules.position(seats=seats, seed=seed, **values[variant])

    start = lines.checked("settings", lambda seed: make_position(0, seed), 0)
    more = f" and {len(values) - 1} more" if len(values) > 1 else ""
    held = lines.fields(declared, {"isolation": LEVEL, "memory": MemoryText()})
    zone = lines.checked("zone", _zone, declared.zone)
    return Ladder(
        folder,
        rules,
        make_position,
        anchors=_anchors(game, declared, lines),
        variants=len(values),
        isolation=Isolation.chosen(held["isolation"], held["memory"]),
        title=f"{start.title(game.title(values[0]))}{more}",
        openings=_openings(make_position, len(values)) if declared.openings == DRAWN else None,
        uploads=_uploads(declared.uploads, lines, zone),
        zone=zone or UTC,
        grades={
            grade: lines.checked("grades", LIMIT, limit) for grade, limit in declared.grades.items()
        },
        show_names=declared.show_names,
        store_url=lines.checked("store", _store, declared.store),
        clock=lines.checked("clock", Clock.parse, declared.clock).text,
        **numbers,
    )


SHARES = (0.75, 0.5, 0.25)
"""Shares of random moves in the weaker forms of an anchor, where a game declares no steps."""


def default_anchors(game: Declaration, seats: int) -> list[str]:
    """Return built-in players: the reference of the ratings, then the other steps of the game."""
    first, rules = game.anchors[0], load(game)
    weaker = [f"{first}{',' if ':' in first else ':'}random={share}" for share in SHARES]
    steps = game.steps or ("random", *(weaker if first != "random" else ()))
    allowed = {text: rules.strategies[parse_player(text, rules).target].seats for text in steps}
    others = [text for text, (least, most) in allowed.items() if least <= seats <= most]
    return list(dict.fromkeys([first, *others]))


def _zone(name: str) -> tzinfo | None:
    """Return a time zone by its name, None without one; raise InvalidInput if it is not known."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(
            f"zone: this machine knows no time zone {described(name)}; a name is Europe/Berlin"
        ) from None


def _uploads(given: UploadLimits, lines: FileLines, zone: tzinfo | None) -> UploadLimits:
    """Return the limits of uploads, with the deadline in the zone of the course.

    Raises
    ------
    InvalidInput
        If a limit is wrong, or nothing gives the zone of the deadline.
    """
    deadline = given.deadline
    if deadline is not None and deadline.tzinfo is None:
        if zone is None:
            raise InvalidInput(
                f"{lines.at('deadline')}: give the zone of the time, too, as in "
                f"{deadline.isoformat()}+01:00, or the zone of the course by 'zone'"
            )
        deadline = deadline.replace(tzinfo=zone)
    if deadline is not None and zone is not None:
        deadline = deadline.astimezone(zone)
    return UploadLimits(deadline, **lines.fields(given, UPLOAD_NUMBERS))


def _store(url: str) -> str:
    """Return the URL of a store on a server, empty for the file; raise InvalidInput if it is wrong.

    Errors do not quote the URL, because it may contain a password.
    """
    if not url:
        return ""
    if url.partition("://")[0] not in ("postgresql", "postgres"):
        raise InvalidInput(
            "store: it must be postgresql://USER@HOST/DATABASE; without the setting the store is "
            "games.db in the folder"
        )
    PostgreSQL(url)
    return url


def _openings(make_position: Callable[[int, int], Position], variants: int) -> OpeningSuite | None:
    """Return drawn openings for the variants whose start is the same for every seed, or None."""
    drawn = []
    for variant in range(variants):
        fixed = is_fixed(make_position, variant)
        drawn.append((fixed and first_moves(make_position(variant, 0))) or ((),))
    return OpeningSuite(DRAWN, tuple(drawn)) if any(len(own) > 1 for own in drawn) else None


def _anchors(game: Declaration, declared: LadderFile, lines: FileLines) -> tuple[Any, ...]:
    """Return the built-in players that always take part."""
    texts = declared.anchors or default_anchors(game, declared.seats)
    rules = load(game)
    specs = [
        lines.checked("anchors", lambda text: parse_player(text, rules, declared.seats), text)
        for text in texts
    ]
    for spec in specs:
        if spec.kind != "strategy":
            raise InvalidInput(f"{lines.at('anchors')}: {spec.text} is not a built-in player")
    if len(set(texts)) < len(texts):
        raise InvalidInput(f"{lines.at('anchors')}: a player is listed twice")
    return tuple(specs)
