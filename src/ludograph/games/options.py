"""Options and their types: of games, of strategies, of commands, each declared once.

Keyword arguments, command lines, files, records and forms are made from these declarations. A
mistake gives one sentence, which names the option and what it expects. Nothing
heavy is imported before a value needs it, so that ``--help`` comes at once.
"""

from __future__ import annotations

import keyword
import math
import operator
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ludograph.formatting import described

RESERVED = frozenset(
    (
        *("against", "anchor", "anchors", "as_csv", "as_json", "asan", "batch"),
        *("channels", "chunk", "clock", "cluster", "count", "csv", "delay", "device", "elo"),
        *("autoreset_mode", "folder", "force", "illegal"),
        *("format", "format_", "games", "help", "isolation", "jobs"),
        *("json", "layers", "limit", "markdown"),
        *("match_games", "match_sims", "memory", "minutes", "names", "numbers", "opening"),
        *("openings", "out", "outputs", "overtime", "pairs", "players", "ply"),
        *("quiet", "rate", "record", "records", "repeat", "resume", "rounds"),
        *("sample", "scale_clocks", "seat", "seats", "seed", "short_sims", "show_output", "sims"),
        *("start", "starter", "store", "teacher", "thoughts", "threads"),
        *("time", "tool", "touches", "uniform", "valgrind", "version", "window", "words", "game"),
        *("name", "num_envs", "opponent", "render_mode", "self", "listed", "next", "pause"),
        *("player", "token", "id", "max_episode_steps", "disable_env_checker"),
        *("vectorization_mode", "vector_kwargs", "wrappers"),
    )
)
"""Names that no option of a game can have: those of commands, of functions with a game's options as
keywords, and of fields of pages."""

RESERVED_LETTERS = frozenset("hjqr")
"""The letters of options that commands of all games have."""

FEW = 64
"""A greatest number that stands for no upper limit."""


class OptionType(ABC):
    """The type of an option's value: its texts, its Python values, its form in records.

    Attributes
    ----------
    metavar
        The name of a value of this type in help texts.
    deferred
        Whether a text should be parsed late, because that reads a file.
    recorded
        Whether a value is written into records; a board has its own place there.
    is_board
        Whether values are boards.
    """

    metavar: str = "TEXT"
    deferred: bool = False
    recorded: bool = True
    is_board: bool = False

    @property
    def missing(self) -> str:
        """The further text of an error for a missing value; empty: none."""
        return ""

    @property
    def trials(self) -> tuple[str, ...]:
        """Texts of values for the tests of a player; by default none.

        Those that do not fit the other options of a game are skipped.
        """
        return ()

    def reads(self, text: str) -> bool:  # noqa: ARG002
        """Tell whether parsing a text would read a file, which is forbidden for untrusted texts."""
        return self.deferred

    @property
    @abstractmethod
    def expected(self) -> str:
        """The valid values, as in ``a whole number from 2 to 32``."""

    @abstractmethod
    def parse(self, text: str) -> Any:
        """Return the value that a text means.

        Raises
        ------
        Unexpected
            If the text is not valid.
        """

    def check(self, value: Any) -> Any:
        """Return a value given in Python; raise Unexpected if it is not of this type."""
        if not isinstance(value, str):
            raise Unexpected(self.expected)
        return self.parse(value)

    def to_text(self, value: Any) -> str:
        """Return the text of a value for :meth:`parse`."""
        return str(value)

    def to_data(self, value: Any) -> Any:
        """Return a value as JSON-able data, for a record."""
        return value

    def from_data(self, data: Any) -> Any:
        """Return the value of data from :meth:`to_data`; raise Unexpected if it is not valid."""
        return self.check(data)


class Unexpected(Exception):
    """A value is not of its type; the text describes the valid values."""


@dataclass(frozen=True)
class Whole(OptionType):
    """A whole number from ``low`` to ``high``, both included."""

    low: int
    high: int
    metavar = "N"

    @property
    def expected(self) -> str:
        """What a value must be."""
        return f"a whole number from {self.low} to {self.high}"

    @property
    def trials(self) -> tuple[str, ...]:
        """The two lowest, and the highest if it is a deliberate limit."""
        found = {self.low, min(self.low + 1, self.high), min(self.low + 3, self.high)}
        return tuple(map(str, sorted(found | ({self.high} if self.high <= FEW else set()))))

    def parse(self, text: str) -> int:
        """Return the number that a text means."""
        if not re.fullmatch(r"-?[0-9]{1,20}", text, re.ASCII):
            raise Unexpected(self.expected)
        return self.check(int(text))

    def check(self, value: Any) -> int:
        """Return a number as an ``int``; floats, bools and texts are not valid."""
        try:
            number = operator.index(value)
        except TypeError:
            raise Unexpected(self.expected) from None
        if isinstance(value, bool) or not self.low <= number <= self.high:
            raise Unexpected(self.expected)
        return number


@dataclass(frozen=True)
class Number(OptionType):
    """A number from ``low`` to ``high``, both included."""

    low: float
    high: float
    metavar: str = "X"
    called: ClassVar[str] = "a number"

    @property
    def expected(self) -> str:
        """What a value must be."""
        return f"{self.called} from {_decimal(self.low)} to {_decimal(self.high)}"

    def parse(self, text: str) -> float:
        """Return the number that a text means."""
        try:
            return self.check(decimal_number(text))
        except ValueError:
            raise Unexpected(self.expected) from None

    def check(self, value: Any) -> float:
        """Return a number as a ``float``; bools and texts are not valid."""
        if isinstance(value, bool | str):
            raise Unexpected(self.expected)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise Unexpected(self.expected) from None
        if not self.low <= number <= self.high:
            raise Unexpected(self.expected)
        return number


@dataclass(frozen=True)
class Seconds(Number):
    """A number of seconds, as in ``0.5`` and ``10s``."""

    metavar: str = "SECONDS"
    called: ClassVar[str] = "a number of seconds"

    def parse(self, text: str) -> float:
        """Return the number that a text means."""
        return super().parse(text.removesuffix("s"))


def _decimal(number: float) -> str:
    return f"{number:.0f}" if number == int(number) else f"{number:g}"


@dataclass(frozen=True)
class Word(OptionType):
    """One of a few words.

    Attributes
    ----------
    words
        The words in help texts and forms.
    synonyms
        Other accepted words, such as a course's letters, and their meanings.
    """

    words: tuple[str, ...]
    synonyms: Mapping[str, str] = field(default_factory=dict)

    @property
    def metavar(self) -> str:  # type: ignore[override]
        """The words, for help texts."""
        return "|".join(self.words)

    @property
    def expected(self) -> str:
        """The valid values: the words, each after its letter or number if it has one."""
        short = {word: f"{text} {word}" for text, word in self.synonyms.items() if len(text) == 1}
        *first, last = (short.get(word, word) for word in self.words)
        return f"{', '.join(first)} or {last}" if first else last

    @property
    def trials(self) -> tuple[str, ...]:
        """All words."""
        return self.words

    def parse(self, text: str) -> str:
        """Return the word that a text means, in upper or lower case."""
        found = {word.lower(): word for word in self.words} | dict(self.synonyms)
        if text.lower() not in found:
            raise Unexpected(self.expected)
        return found[text.lower()]

    def check(self, value: Any) -> str:
        """Return the word; a synonym may be a number."""
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise Unexpected(self.expected)
        return self.parse(str(value))


@dataclass(frozen=True)
class Flag(OptionType):
    """Yes or no; on the command line its presence means the opposite of the default.

    Attributes
    ----------
    both
        Whether the default can also be given: ``--discard`` and ``--no-discard``.
    """

    both: bool = False

    metavar = ""
    expected = "true or false"
    trials = ("true", "false")

    def parse(self, text: str) -> bool:
        """Return whether a text means yes."""
        found = {"yes": True, "true": True, "no": False, "false": False}
        if text.lower() not in found:
            raise Unexpected(self.expected)
        return found[text.lower()]

    def check(self, value: Any) -> bool:
        """Return a bool; other values are not valid."""
        if not isinstance(value, bool):
            raise Unexpected(self.expected)
        return value


@dataclass(frozen=True)
class Numbers(OptionType):
    """Whole numbers: ``3,5`` in a text, any sequence or array in Python.

    Attributes
    ----------
    what
        What they are, for messages: ``a vertex for every player``.
    """

    what: str
    metavar = "N,N..."

    @property
    def expected(self) -> str:
        """What a value must be."""
        return f"whole numbers, {self.what}"

    def parse(self, text: str) -> list[int]:
        """Return the numbers of a text."""
        if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", text, re.ASCII):
            raise Unexpected(self.expected)
        return [int(number) for number in text.split(",")]

    def check(self, value: Any) -> Any:
        """Return other values than texts unchanged: the game checks the number of numbers."""
        return self.parse(value) if isinstance(value, str) else value

    def to_text(self, value: Any) -> str:
        """Return the numbers with commas between them."""
        return ",".join(map(str, self.to_data(value)))

    def to_data(self, value: Any) -> list[int]:
        """Return the numbers as a list."""
        return [operator.index(number) for number in value]

    def from_data(self, data: Any) -> list[int]:
        """Return the numbers of a list, each of which fits into 64 bits."""
        if not isinstance(data, list) or any(
            type(number) is not int or number.bit_length() > 63 for number in data
        ):
            raise Unexpected(self.expected)
        return data


class DataFile(OptionType):
    """The path of a file that a strategy reads; it is sent with the strategy to other machines."""

    metavar = "FILE"
    expected = "the path of a file"

    def parse(self, text: str) -> str:
        """Return the path of an existing file."""
        if not os.path.isfile(text):
            raise Unexpected(self.expected)
        return text


@dataclass(frozen=True)
class Form:
    """The presentation of an option in a form.

    Attributes
    ----------
    label
        The name of the choice: ``Pie rule``; empty: the option's name.
    summary
        Its meaning, for readers of the form; empty: the option's own summary.
    words
        The names of texts of values; one of the choices, if the option has other values too.
    others
        The choice for all other texts, which are then typed; empty: only the words can be chosen.
    rare
        Whether the choice is rarely used.
    value
        The text that the form shows at first; empty: the option's default.
    sizes
        Common widths of a board, which the form offers.
    phone
        The width of a board that the form shows at first on a phone; 0: as elsewhere.
    """

    label: str = ""
    summary: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    rare: bool = False
    value: str = ""
    others: str = ""
    sizes: tuple[int, ...] = ()
    phone: int = 0


@dataclass(frozen=True)
class Option:
    """One option with its type.

    Attributes
    ----------
    name
        One word in lower case: a keyword in Python, ``--name`` on the command line.
    default
        A value, or the text of one; None if an omitted value has its own meaning.
    summary
        The text for the help, without the default.
    letter
        ``c`` for ``-c``.
    only_with
        The name and the value of another option that this one depends on.
    form
        Its presentation in a form.
    """

    name: str
    type: OptionType
    default: Any
    summary: str
    letter: str = ""
    only_with: tuple[str, Any] | None = None
    form: Form = Form()

    def misnamed(self) -> str:
        """Return why nothing can have an option of this name; empty: its name can be written."""
        name = self.name
        if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name, re.ASCII):
            return f"the name of an option is one word in lower case, not {described(name)}"
        if keyword.iskeyword(name):
            return f"no option can be called {name!r}, a keyword of Python"
        return ""

    def refusal(self) -> str:
        """Return why a game cannot have an option of this name or letter; empty: it can."""
        name = self.name
        if misnamed := self.misnamed():
            return misnamed
        if name in RESERVED or re.fullmatch(r"(player|time)[0-9]+", name):
            return (
                f"no option can be called {name!r}, which commands, pages or environments use for "
                "all games; choose another name"
            )
        letter = self.letter
        if letter and (not re.fullmatch(r"[A-Za-z]", letter) or letter in RESERVED_LETTERS):
            return (
                f"the letter of {name!r} must be one letter, not one of "
                f"{', '.join(sorted(RESERVED_LETTERS))}, got {described(letter)}"
            )
        return ""

    @property
    def flags(self) -> tuple[str, ...]:
        """The ways to write it on the command line."""
        word = f"--no-{self.name}" if self.default is True else f"--{self.name}"
        if isinstance(self.type, Flag) and self.type.both:
            word = f"--{self.name}/--no-{self.name}"
        return (f"-{self.letter}", word) if self.letter else (word,)


@dataclass(frozen=True)
class Alias(Option):
    """Another spelling for other options, fixed by a source; its default is None."""


_DECIMAL = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})(e[+-]?[0-9]{1,3})?", re.I)


def decimal_number(text: str) -> float:
    """Return the number that a text means, as in ``0.5``, ``-3`` and ``1e-4``.

    Python's ``float`` also takes ``1_0``, digits of other scripts, ``nan``, ``inf`` and blanks.

    Raises
    ------
    ValueError
        If it is not a finite number in ASCII digits.

    Examples
    --------
    >>> decimal_number(".5"), decimal_number("2e3")
    (0.5, 2000.0)
    """
    number = float(text) if text.isascii() and _DECIMAL.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise ValueError(f"not a number: {text[:40]!r}")
    return number
