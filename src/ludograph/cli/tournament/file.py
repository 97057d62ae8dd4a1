"""The file of a tournament, read and checked; errors name the wrong line."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from ludograph.arena.overtime import OVERTIME, as_overtime
from ludograph.arena.tournament.openings import DRAWN
from ludograph.cli.option_types import GAMES, SEED
from ludograph.cli.tournament.command import GAMES_IF_NOT_GIVEN, SprtType
from ludograph.documents import read_text, toml
from ludograph.errors import InvalidInput, LudographError, did_you_mean
from ludograph.formatting import described
from ludograph.games.declaration import Declaration
from ludograph.games.options import OptionType, Unexpected, Whole
from ludograph.games.registry import declaration
from ludograph.players.spec import FILE
from ludograph.referee import Clock

SIZE_LIMIT = 1 << 20
SEATS = Whole(1, 64)

File = TypeVar("File", bound=msgspec.Struct)


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
    sprt: str | None = None
    overtime: int | str = OVERTIME
    openings: str | None = None
    settings: dict[str, Any] = {}
    starts: list[dict[str, Any]] = []


def read_file(path: Path) -> dict[str, Any]:
    """Return what a file gives of the arguments of :func:`ludograph.cli.tournament.running.run`.

    Paths of players are relative to the file's folder.

    Raises
    ------
    InvalidInput
        If the file is wrong; the error names file, line and field.
    """
    found, lines = parsed(path, TournamentFile)
    return _arguments(found, path, lines)


def parsed(path: Path, kind: type[File]) -> tuple[File, FileLines]:
    """Return the content of a file as a struct, and its lines; errors as in :func:`read_file`."""
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
    """The lines of a file, to name the wrong one in errors."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._lines = path, text.splitlines()

    def at(self, name: str, nth: int = 0) -> str:
        """Return the file and the line that sets a field for the nth time (from 0), for errors."""
        heads = re.compile(rf"\s*(\[+\s*)?[\"']?{re.escape(name)}[\"']?\s*[=\]]")
        found = [number for number, line in enumerate(self._lines, 1) if heads.match(line)]
        if not name or not found:
            return str(self._path)
        return f"{self._path}, line {found[min(nth, len(found) - 1)]}"


def _arguments(found: TournamentFile, path: Path, lines: FileLines) -> dict[str, Any]:
    def checked(name: str, make: Any, value: Any) -> Any:
        try:
            return make(value)
        except LudographError as error:
            raise InvalidInput(f"{lines.at(name)}: {error}") from None

    game = checked("game", declaration, found.game)
    if found.clock is not None and found.clock != "none":
        checked("clock", Clock.parse, found.clock)
    for name, of in (("games", GAMES), ("seats", SEATS), ("seed", SEED)):
        if getattr(found, name) is not None:
            typed(lines, name, of, getattr(found, name))
    variants = [{**found.settings, **start} for start in found.starts] or [found.settings]
    return {
        "game": game,
        "players": [_beside(path, player) for player in found.players],
        "variants": [
            {name: setting(game, name, value, path, lines.at(name, n)) for name, value in v.items()}
            for n, v in enumerate(variants)
        ],
        "format": found.format,
        "games": found.games,
        "seats": found.seats,
        "sample": found.sample,
        "seed": found.seed,
        "clock": found.clock,
        "sprt": None if found.sprt is None else checked("sprt", SprtType().parse, found.sprt),
        "overtime": checked("overtime", as_overtime, found.overtime),
        "openings": _openings(path, found.openings, game, lines),
    }


def typed(lines: FileLines, name: str, of: OptionType, value: Any) -> Any:
    """Return a value of a file, converted by its type; raise InvalidInput if it is wrong."""
    try:
        return of.check(value)
    except Unexpected as error:
        raise InvalidInput(
            f"{lines.at(name)}: {name} must be {error}, got {described(value)}"
        ) from None


def setting(game: Declaration, name: str, value: Any, path: Path, where: str) -> Any:
    """Return the value of a game's option; a file is looked up in the tournament's folder.

    Raises
    ------
    InvalidInput
        If there is no such option or its value has the wrong type; the error names the line.
    """
    if isinstance(value, str) and value and os.path.isfile(path.parent / value):
        value = str(path.parent / value)
    try:
        known = {option.name: option for option in (*game.options, *game.aliases)}
        if name not in known:
            game.values({name: value})
        return game.checked(known[name], value)
    except LudographError as error:
        raise InvalidInput(f"{where}: {error}") from None


def _openings(path: Path, text: str | None, game: Declaration, lines: FileLines) -> str | None:
    """Return a suite's name, or the path of its file in the tournament's folder."""
    if text is None or text in (*game.openings, DRAWN):
        return text
    if not os.path.isfile(path.parent / text):
        known = " or ".join((*game.openings, DRAWN, "a file"))
        raise InvalidInput(f"{lines.at('openings')}: openings must be {known}, got {text[:80]!r}")
    return str(path.parent / text)


def _beside(path: Path, player: str) -> str:
    """Return a player's name, with a relative path taken from the tournament's folder."""
    found = FILE.fullmatch(player)
    if found is None or Path(found["path"]).is_absolute():
        return player
    return str(path.parent / player)
