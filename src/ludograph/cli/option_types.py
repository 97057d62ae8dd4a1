"""Kinds of option values: each turns a text into a value or says what it should be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:  # generic since click 8.4
    ParamType = click.ParamType


NO_CLOCK = "none"


class Kind(ParamType):
    """A kind of value whose complaints are one sentence."""

    def complain(
        self, expected: str, text: Any, param: click.Parameter | str | None
    ) -> click.UsageError:
        """Return the error for a value that is none of this kind, of a parameter or so called."""
        if isinstance(param, click.Parameter):
            name = max(param.opts, key=len)
        else:
            name = param or "the value"
        return click.UsageError(f"{name} must be {expected}, got {str(text)[:80]!r}")


class Whole(Kind):
    """A whole number within bounds."""

    name = "N"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> int:  # noqa: ARG002
        """Return the number."""
        try:
            number = int(value)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise self.complain(f"a whole number from {self.low} to {self.high}", value, param)
        return number


class Seconds(Kind):
    """A number of seconds."""

    name = "SECONDS"

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> float:  # noqa: ARG002
        """Return the number."""
        try:
            number = float(str(value).removesuffix("s"))
        except ValueError:
            number = -1.0
        if not self.low <= number <= self.high:
            expected = f"a number of seconds from {self.low:g} to {self.high:.0f}"
            raise self.complain(expected, value, param)
        return number


class Fraction(Kind):
    """A number from 0 to 1."""

    name = "0..1"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:  # noqa: ARG002
        """Return the number."""
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0.0 <= number <= 1.0:
            raise self.complain("a number from 0 to 1", value, param)
        return number


class Delay(Seconds):
    """A number of seconds, or ``step``: a key."""

    name = "SECONDS|step"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number, or the word."""
        return value if value == "step" else super().convert(value, param, ctx)


class Word(Kind):
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.name = "|".join(words)

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002
        """Return the word."""
        word = str(value).lower()
        if word not in self.words:
            raise self.complain(" or ".join(self.words), value, param)
        return word


class Clock(Kind):
    """A clock as the referee understands it, or ``none``; the text is kept."""

    name = "CLOCK|none"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002
        """Return the text."""
        from ludograph.referee import Clock

        if value != NO_CLOCK:
            Clock.parse(str(value))
        return str(value)


class Starter(Kind):
    """Which of the players starts: its place among them, or ``random``."""

    name = "N|random"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | str:  # noqa: ARG002
        """Return the place, or ``random``."""
        text = str(value).lower()
        if text == "random":
            return text
        if text.isdecimal() and text.isascii() and int(text) < 64:
            return int(text)
        raise self.complain("the place of a player, counted from 0, or random", value, param)


class OutputFile(Kind):
    """A file to write: its suffix says what it holds.

    Parameters
    ----------
    suffixes
        Those that it may have.
    goes_on
        What is there already is read, and added to; any other file is overwritten by force only.
    """

    name = "FILE"

    def __init__(self, *suffixes: str, goes_on: bool = False) -> None:
        self.suffixes, self.goes_on = suffixes, goes_on

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:  # noqa: ARG002
        """Return the path."""
        path = Path(str(value))
        if path.suffix not in self.suffixes:
            raise self.complain(f"a file called ...{' or ...'.join(self.suffixes)}", value, param)
        if path.is_dir() or not path.parent.is_dir():
            raise self.complain("a file in a folder that exists", value, param)
        return path


class Folder(Kind):
    """A folder to write to; it need not be there yet."""

    name = "FOLDER"

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:  # noqa: ARG002
        """Return the path."""
        path = Path(str(value))
        if (path.exists() and not path.is_dir()) or not path.absolute().parent.is_dir():
            raise self.complain("a folder, or the name of a new one in a folder", value, param)
        return path


class SeedText(Kind):
    """A seed: a whole number, or a key that an earlier game has told."""

    name = "N|KEY"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002
        """Return the seed."""
        from ludograph.errors import InvalidInput
        from ludograph.referee.seed import Seed

        try:
            seed = value if isinstance(value, Seed) else Seed.parse(str(value))
        except InvalidInput:
            seed = None
        if seed is None or (seed.number is not None and not 0 <= seed.number < 2**63):
            expected = f"a whole number from 0 to {2**63 - 1}, or a key of 32 hexadecimal digits"
            raise self.complain(expected, value, param)
        return seed


GAMES_FILE = OutputFile(".csv", ".jsonl", goes_on=True)
RECORD_FILE = OutputFile(".jsonl", ".json")
PICTURE_FILE = OutputFile(".svg")
PNG_FILE = OutputFile(".png")


SEED = Whole(0, 2**63 - 1)
GAMES = Whole(1, 1_000_000)
JOBS = Whole(1, 256)
