"""Options and their types: of games, of strategies, of commands, each declared once.

Keyword arguments, command lines, files, records and forms are made from these declarations. A
mistake gives one sentence, which names the option and what it expects. Nothing
heavy is imported before a value needs it, so that ``--help`` comes at once.
"""

from __future__ import annotations

import operator
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

FEW = 64
"""A greatest number up to which all numbers are meant."""


class OptionType(ABC):
    """The type of an option's value: which texts it takes, which values in Python, how it is kept.

    Attributes
    ----------
    metavar
        How help texts call a value of this type.
    deferred
        Whether a text is better understood late: a file would be read.
    recorded
        Whether a value is written into records; a board is not, it has its own place there.
    """

    metavar: str = "TEXT"
    deferred: bool = False
    recorded: bool = True

    @property
    def missing(self) -> str:
        """What is said where a value is missing; empty: nothing beyond that."""
        return ""

    @property
    def trials(self) -> tuple[str, ...]:
        """Texts of values that a player should have met; none where a type has nothing to say.

        Those that do not go with the other options of a game are passed over.
        """
        return ()

    def reads(self, text: str) -> bool:  # noqa: ARG002
        """Tell whether understanding a text would read a file, which is not for strangers."""
        return self.deferred

    @property
    @abstractmethod
    def expected(self) -> str:
        """What a value must be, as in ``a whole number from 2 to 32``."""

    @abstractmethod
    def parse(self, text: str) -> Any:
        """Return the value that a text means.

        Raises
        ------
        Unexpected
            If it means none.
        """

    def check(self, value: Any) -> Any:
        """Return a value that was given in Python; raise Unexpected if it is not of this type."""
        if not isinstance(value, str):
            raise Unexpected(self.expected)
        return self.parse(value)

    def to_text(self, value: Any) -> str:
        """Return a text that means a value; :meth:`parse` takes it."""
        return str(value)

    def to_data(self, value: Any) -> Any:
        """Return a value as JSON-able data, for a record."""
        return value

    def from_data(self, data: Any) -> Any:
        """Return the value that :meth:`to_data` wrote; raise Unexpected if there is none."""
        return self.check(data)


class Unexpected(Exception):
    """A value is not of its type; the text says what was expected."""


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
        """The two lowest, and the highest if somebody can have thought of it."""
        found = {self.low, min(self.low + 1, self.high), min(self.low + 3, self.high)}
        return tuple(map(str, sorted(found | ({self.high} if self.high <= FEW else set()))))

    def parse(self, text: str) -> int:
        """Return the number that a text means."""
        if not re.fullmatch(r"-?[0-9]{1,20}", text, re.ASCII):
            raise Unexpected(self.expected)
        return self.check(int(text))

    def check(self, value: Any) -> int:
        """Return a number as an ``int``; floats, bools and texts are none."""
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
            return self.check(float(text))
        except ValueError:
            raise Unexpected(self.expected) from None

    def check(self, value: Any) -> float:
        """Return a number as a ``float``; bools and texts are none."""
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
        Those that are shown.
    synonyms
        Others that are understood, such as a course's letters, and what they mean.
    """

    words: tuple[str, ...]
    synonyms: Mapping[str, str] = field(default_factory=dict)

    @property
    def metavar(self) -> str:  # type: ignore[override]
        """How help texts call it."""
        return "|".join(self.words)

    @property
    def expected(self) -> str:
        """What a value must be: the words, each behind its letter or number if it has one."""
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
    """Yes or no; on the command line its presence says the opposite of the default.

    Attributes
    ----------
    both
        Whether the default can be said too: ``--discard`` and ``--no-discard``.
    """

    both: bool = False

    metavar = ""
    expected = "true or false"
    trials = ("true", "false")

    def parse(self, text: str) -> bool:
        """Return whether a text says yes."""
        found = {"yes": True, "true": True, "no": False, "false": False}
        if text.lower() not in found:
            raise Unexpected(self.expected)
        return found[text.lower()]

    def check(self, value: Any) -> bool:
        """Return a bool; nothing else is one."""
        if not isinstance(value, bool):
            raise Unexpected(self.expected)
        return value


@dataclass(frozen=True)
class Numbers(OptionType):
    """Whole numbers: ``3,5`` in a text, any sequence or array in Python."""

    what: str
    metavar = "N,N..."

    @property
    def expected(self) -> str:
        """What a value must be."""
        return f"whole numbers, {self.what}"

    def parse(self, text: str) -> list[int]:
        """Return the numbers that a text lists."""
        if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", text, re.ASCII):
            raise Unexpected(self.expected)
        return [int(number) for number in text.split(",")]

    def check(self, value: Any) -> Any:
        """Return what is no text as it is: the game knows how many there must be."""
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
    """The path of a file that a strategy reads; it travels with the strategy to other machines.

    Parameters
    ----------
    words
        Texts that name a file of the game itself, which is on every machine.
    """

    def __init__(self, words: tuple[str, ...] = ()) -> None:
        self.words = words

    @property
    def metavar(self) -> str:  # type: ignore[override]
        """``FILE`` and the words."""
        return "|".join(("FILE", *self.words))

    @property
    def expected(self) -> str:
        """A path or one of the words."""
        return " or ".join(("the path of a file", *self.words))

    def parse(self, text: str) -> str:
        """Return the path of a file that is there, or a word as it is."""
        if text not in self.words and not os.path.isfile(text):
            raise Unexpected(self.expected)
        return text


@dataclass(frozen=True)
class Form:
    """How an option is shown to who fills in a form rather than a command line.

    Attributes
    ----------
    label
        What is chosen: ``Pie rule``; empty: the option's name.
    summary
        What it means, for who looks at the form; empty: the option's own.
    words
        What texts of values are called; a choice among them, if the option takes others as well.
    others
        What stands in that choice for all other texts, which are then typed; empty: it is among the
        words alone.
    rare
        Whether few want to choose it.
    value
        The text of what the form shows at first; empty: the option's default.
    sizes
        Of a board: widths that people know, which the form offers.
    """

    label: str = ""
    summary: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    rare: bool = False
    value: str = ""
    others: str = ""
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen.

    Attributes
    ----------
    name
        One word in lower case: a keyword in Python, ``--name`` on the command line.
    default
        A value, or the text of one; None where leaving it out is a choice of its own.
    summary
        For the help, without the default.
    letter
        ``c`` for ``-c``.
    only_with
        The name and the value of another option, without which this one means nothing.
    form
        How a form shows it.
    """

    name: str
    type: OptionType
    default: Any
    summary: str
    letter: str = ""
    only_with: tuple[str, Any] | None = None
    form: Form = Form()

    @property
    def flags(self) -> tuple[str, ...]:
        """The ways to write it on the command line."""
        word = f"--no-{self.name}" if self.default is True else f"--{self.name}"
        if isinstance(self.type, Flag) and self.type.both:
            word = f"--{self.name}/--no-{self.name}"
        return (f"-{self.letter}", word) if self.letter else (word,)


@dataclass(frozen=True)
class Alias(Option):
    """Another way to say what options say, kept from a source; its default is None."""
