"""Types of options that belong to no game: clocks, seeds, files, memory; all types for click."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from ludograph.cli.texts import wrong_value
from ludograph.errors import InvalidInput
from ludograph.games.options import (
    OptionType,
    Unexpected,
    Whole,
    Word,
)

if TYPE_CHECKING:
    from ludograph.arena.ladder import LadderFolder
    from ludograph.referee.seed import Seed

    ParamType = click.ParamType[Any]
else:  # generic since click 8.4
    ParamType = click.ParamType


USUAL_PORTS = {"http": 80, "https": 443}
"""The ports that browsers omit from addresses."""

HOST = re.compile(r"[0-9a-z:._-]+", re.ASCII)

UNITS = {"M": 1 << 20, "G": 1 << 30}


class ClickType(ParamType):
    """The adapter of an option type for click; a wrong value is an error of one sentence."""

    def __init__(self, of: OptionType) -> None:
        self.of, self.name = of, of.metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> Any:  # noqa: ARG002
        """Return the value of a text; a default that is not a text is returned unchanged."""
        if not isinstance(value, str) or self.of.deferred:
            return value
        try:
            return self.of.parse(value)
        except Unexpected as error:
            raise wrong_value(param, error, value) from None

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """Return the placeholder of a value in the help."""
        return self.of.metavar

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str | None:  # noqa: ARG002
        """Return the advice of the type for a missing value, or None."""
        return self.of.missing or None


class ClockText(OptionType):
    """The text of a clock that the referee accepts, or ``none``."""

    metavar = "CLOCK|none"
    expected = "a clock, as in 1s, 60s+1s and start=20s, or none"

    def parse(self, text: str) -> str:
        """Return the text; raise InvalidInput if it is not a clock."""
        from ludograph.referee import Clock
        from ludograph.referee.options import NO_CLOCK

        if text != NO_CLOCK:
            Clock.parse(text)
        return text


class PlaceOr(OptionType):
    """A place, counted from 0, or a word.

    Parameters
    ----------
    place
        The name of a place in the help.
    """

    expected = ""

    def __init__(self, place: str, word: str, expected: str) -> None:
        self.metavar, self.word, self.expected = f"{place}|{word}", word, f"{expected}, or {word}"

    def parse(self, text: str) -> int | str:
        """Return the place, below 64, or the word; raise Unexpected if a text is neither."""
        if text.lower() == self.word:
            return self.word
        if text.isdecimal() and text.isascii() and int(text) < 64:
            return int(text)
        raise Unexpected(self.expected)


class OutputFile(OptionType):
    """A file to write; its suffix gives the format.

    Parameters
    ----------
    suffixes
        The suffixes that the file may have.
    goes_on
        Whether an existing file is read and continued. If not, an existing file is overwritten only
        with ``--force``.
    """

    metavar = "FILE"

    def __init__(self, *suffixes: str, goes_on: bool = False) -> None:
        self.suffixes, self.goes_on = suffixes, goes_on

    @property
    def expected(self) -> str:
        """The valid values."""
        return f"a file called ...{' or ...'.join(self.suffixes)}"

    def parse(self, text: str) -> Path:
        """Return the path of a file that has one of the suffixes."""
        path = Path(text)
        if path.suffix not in self.suffixes:
            raise Unexpected(self.expected)
        if path.is_dir() or not path.parent.is_dir():
            raise Unexpected("a file in a folder that exists")
        return path


class Folder(OptionType):
    """A folder to write to; it may not exist yet."""

    metavar = "FOLDER"
    expected = "a folder, or the name of a new one in a folder"

    def parse(self, text: str) -> Path:
        """Return the path; the folder above it exists."""
        path = Path(text)
        if (path.exists() and not path.is_dir()) or not path.absolute().parent.is_dir():
            raise Unexpected(self.expected)
        return path


class OutputFolder(Folder):
    """A folder to write files into; only with ``--force`` it may hold others."""


class PublicAddress(OptionType):
    """Scheme and host of an address, as browsers send them."""

    metavar = "URL"

    expected = "an address such as https://games.example, without a path"

    def parse(self, text: str) -> str:
        """Return scheme and host; an empty text stays empty."""
        if not text:
            return ""
        try:
            parts = urlsplit(text)
            name, port = (parts.hostname or "").encode("idna").decode("ascii"), parts.port
        except ValueError:  # UnicodeError is a ValueError
            parts, name, port = urlsplit(""), "", None
        rest = parts.path.strip("/") or parts.query or parts.fragment or parts.username
        if rest or parts.scheme not in USUAL_PORTS or not HOST.fullmatch(name):
            raise Unexpected(self.expected)
        host = f"[{name}]" if ":" in name else name
        shown = "" if port in (None, USUAL_PORTS[parts.scheme]) else f":{port}"
        return f"{parts.scheme}://{host}{shown}"


class LadderPath(OptionType):
    """The folder of a ladder."""

    metavar = "FOLDER"
    expected = "the folder of a ladder"

    def parse(self, text: str) -> LadderFolder:
        """Return the folder; its content is checked later."""
        from ludograph.arena.ladder import LadderFolder

        return LadderFolder(Path(text))


class SeedText(OptionType):
    """A seed: a whole number, or a key that an earlier game has shown."""

    metavar = "N|KEY"
    expected = f"a whole number from 0 to {2**63 - 1}, or a key of 32 hexadecimal digits"

    def parse(self, text: str) -> Seed:
        """Return the seed; its number has at most 63 bits."""
        from ludograph.referee.seed import Seed

        try:
            seed = Seed.parse(text)
        except InvalidInput:
            raise Unexpected(self.expected) from None
        if seed.number is not None and not 0 <= seed.number < 2**63:
            raise Unexpected(self.expected)
        return seed


class MemoryText(OptionType):
    """An amount of memory, as in ``512M`` and ``2G``."""

    metavar = "SIZE"
    expected = "an amount of memory, as in 512M or 2G"

    def parse(self, text: str) -> int:
        """Return the number of bytes."""
        size = text.upper().removesuffix("B").removesuffix("I")
        number, unit = size[:-1], UNITS.get(size[-1:], 0)
        if not (number.isascii() and number.isdecimal() and unit and len(number) < 6):
            raise Unexpected(self.expected)
        if not 16 << 20 <= int(number) * unit <= 1 << 44:
            raise Unexpected("from 16M to 16384G")
        return int(number) * unit


RECORD_FILE = OutputFile(".jsonl", ".json")
PICTURE_FILE = OutputFile(".svg")
PNG_FILE = OutputFile(".png")


LEVEL = Word(("strict", "basic", "none"))
SEED = Whole(0, 2**63 - 1)
GAMES = Whole(1, 1_000_000)
GAMES_IF_NOT_GIVEN = 20
JOBS = Whole(1, 256)
