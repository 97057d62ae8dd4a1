"""The declaration of a game: its name, options, players, help, and the modules with the rest.

A declaration is small: it is read for every ``--help``, and the game itself is imported only when
it is played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ludograph.errors import InvalidInput, did_you_mean, is_whole
from ludograph.formatting import described
from ludograph.games.options import Alias, Option, Unexpected, Whole

Values = dict[str, Any]


class Help(NamedTuple):
    """Texts of a game for people.

    Attributes
    ----------
    text
        The beginning of ``--help``, after the summary.
    examples
        Command lines, each with its effect.
    rules
        The rules in a few sentences, for beginners.
    own_boards
        The requirements for a board that a person draws, in a few sentences; empty: none.
    """

    text: str
    examples: str
    rules: tuple[str, ...] = ()
    own_boards: str = ""


def nothing_more(given: Values) -> Values:
    """Return the options unchanged: a game without aliases."""
    return given


def no_words(words: Sequence[str], given: Values) -> tuple[Values, Sequence[str]]:
    """Return all words: a game whose command line has nothing before the players."""
    return given, words


def nothing_to_tell(values: Values) -> list[str]:  # noqa: ARG001
    """Return nothing for a title."""
    return []


COMMANDS = frozenset(
    (
        *("boards", "check-game", "compare", "doctor", "games"),
        *("header", "htp", "ladder", "learn", "player", "playouts", "puzzles"),
        *("replay", "results", "selfplay", "serve", "solve", "strategies", "tournament"),
        *("warm-up", "why"),
    )
)
"""The names of the program's commands, which no game can have."""

LISTS: Mapping[str, type] = {
    "options": Option,
    "aliases": Alias,
    "speaks": str,
    "formats": str,
    "openings": str,
    "anchors": str,
    "steps": str,
    "advisers": str,
    "marks": str,
}
"""The fields of a declaration that hold several values, and the kind of these."""


@dataclass(frozen=True)
class Declaration:
    """The declaration of a game, read before the game is imported.

    Attributes
    ----------
    name
        One lower-case word, as on the command line and in records.
    summary
        A short description that begins in lower case, without a full stop.
    home
        ``package.module:name`` of the :class:`~ludograph.games.game.Game`.
    seats
        The least and the greatest number of seats.
    options
        All options, except the seats and the seed.
    aliases
        Other spellings that sources have fixed; ``resolve`` turns given ones into options, and
        refuses contradictions.
    leading
        Parses the words before the players on the command line; returns the options, and the
        players. ``leading_metavar`` is the name of these words in the help.
    title
        The description of the options in a title, after the board's name.
    strategies
        The names of its strategies, so that a wrong one is refused before the game is loaded; if
        empty, it is refused afterwards.
    speaks
        The protocols of programs that play this game, such as ``htp``.
    formats
        The suffixes of other programs' files with games, such as ``sgf``.
    solving
        Defaults of options for solving, because only small games can be solved.
    openings
        Names of suites of openings, see :meth:`~ludograph.games.solving.Solving.openings`.
    with_libraries
        Defaults with a C player on the command line: those of its course.
    with_people
        Defaults with a person: the whole game.
    anchors
        Built-in players, named as on the command line, as references for the ratings of a ladder:
        quick players of modest strength, which does not depend on a clock. The first has a fixed
        rating.
    steps
        Built-in players of different strengths, the weakest first, the anchors among them: those
        that take part in a ladder. Neighbors should win at least one of ten games against each
        other, so that all ratings are known. By default weaker forms of the first anchor.
    trials
        Starts of courses, as texts by the option's name, including ``seats``: ``player check``
        plays them in addition to those for each single option.
    advisers
        Built-in players for hints, each good within a second; the first one that can play with the
        number of seats is used.
    marks
        Names of the marks on a board that the game uses, such as those of borders.
    order
        Its place in lists on pages: games with smaller numbers come first, those with the same one
        by name.
    """

    name: str
    summary: str
    home: str
    help: Help
    seats: tuple[int, int] = (2, 2)
    options: tuple[Option, ...] = ()
    aliases: tuple[Alias, ...] = ()
    resolve: Callable[[Values], Values] = nothing_more
    leading: Callable[[Sequence[str], Values], tuple[Values, Sequence[str]]] = no_words
    leading_metavar: str = ""
    title: Callable[[Values], list[str]] = nothing_to_tell
    strategies: tuple[str, ...] | None = None
    speaks: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    solving: Mapping[str, Any] | None = None
    openings: tuple[str, ...] = ()
    with_libraries: Mapping[str, Any] | None = None
    with_people: Mapping[str, Any] | None = None
    anchors: tuple[str, ...] = ("random",)
    steps: tuple[str, ...] = ()
    trials: tuple[Mapping[str, str], ...] = ()
    advisers: tuple[str, ...] = ("mcts:time=1", "minimax:time=1")
    marks: tuple[str, ...] = ()
    order: int = 100

    def __post_init__(self) -> None:
        """Refuse fields of the wrong kind, with the name of the field; raise InvalidInput."""
        at, seats = f"declaration of {self.name}", self.seats
        pair = isinstance(seats, tuple | list) and len(seats) == 2 and all(map(is_whole, seats))
        if not pair or not 1 <= seats[0] <= seats[1]:
            raise InvalidInput(
                f"{at}: seats must be the least and the greatest number of seats, as in (2, 4), "
                f"got {described(seats)}"
            )
        if not is_whole(self.order):
            raise InvalidInput(f"{at}: order must be a whole number, got {described(self.order)}")
        if not isinstance(self.help, Help):
            raise InvalidInput(
                f"{at}: help must be Help(text, examples), got {described(self.help)}"
            )
        for name, kind in LISTS.items():
            values = getattr(self, name)
            if not isinstance(values, tuple | list) or not all(
                isinstance(each, kind) for each in values
            ):
                raise InvalidInput(
                    f"{at}: {name} must be a tuple of {kind.__name__}, with a comma even after a "
                    f"single one, got {described(values)}"
                )
        self._check_names(at)

    def _check_names(self, at: str) -> None:
        """Refuse names that are no words, are used by Ludograph itself, or stand there twice."""
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", str(self.name), re.ASCII):
            raise InvalidInput(f"{at}: the name of a game is one word in lower case")
        if self.name in COMMANDS:
            raise InvalidInput(
                f"{at}: no game can be called {self.name!r}, which is the name of a command"
            )
        declared = [*self.options, *self.aliases]
        for option in declared:
            if refused := option.refusal():
                raise InvalidInput(f"{at}: {refused}")
            if (option.name == "board") is not option.type.is_board:
                raise InvalidInput(
                    f"{at}: the option 'board', and no other, is of the type BoardType, got "
                    f"{option.name!r} of the type {type(option.type).__name__}"
                )
            if not option.type.deferred:  # a board or a file is read late
                self.checked(option, option.default)
        for what, words in (
            ("are called", [each.name for each in declared]),
            ("have the letter", [each.letter for each in declared if each.letter]),
        ):
            twice = next((word for word in words if words.count(word) > 1), None)
            if twice is not None:
                raise InvalidInput(f"{at}: two options {what} {twice!r}")

    def variant(
        self, name: str, *, summary: str, home: str, help: Help, **changes: Any
    ) -> Declaration:
        """Return the declaration of a game with the same options and other rules.

        The names of strategies and openings, the players of ladders, hints and levels, and the
        protocols of programs are left out: they depend on this game's rules.

        Parameters
        ----------
        changes
            Further attributes of the variant itself, such as ``solving``.
        """
        same = ("seats", "options", "aliases", "resolve", "leading", "leading_metavar", "title")
        starts = ("solving", "with_libraries", "with_people", "trials")
        kept = {each: getattr(self, each) for each in (*same, *starts)}
        said: dict[str, Any] = {"name": name, "summary": summary, "home": home, "help": help}
        return Declaration(**{**kept, **said, **changes})

    @property
    def package(self) -> str:
        """The package with the game's files."""
        return self.home.partition(":")[0].rpartition(".")[0]

    def check_strategy(
        self, name: str, known: Collection[str], others: Collection[str] = ()
    ) -> None:
        """Raise InvalidInput if a name is not one of the known strategies.

        Parameters
        ----------
        others
            Names of other players for suggestions.
        """
        if name not in known:
            raise InvalidInput(
                f"{self.name} has no strategy {name!r}; it has {', '.join(sorted(known))}"
                f"{did_you_mean(name, [*known, *others])}"
            )

    def values(self, given: Mapping[str, Any]) -> Values:
        """Return the values of all options: the given ones checked, the others their defaults.

        Raises
        ------
        InvalidInput
            If a name is unknown, or a value is not of its type.
        """
        known = {option.name: option for option in (*self.options, *self.aliases)}
        for name in given:
            if name not in known:
                options = ", ".join(option.name for option in self.options)
                raise InvalidInput(
                    f"{self.name}: no option {str(name)[:40]!r}; it has {options or 'none'}"
                    f"{did_you_mean(str(name), known)}"
                )
        found = dict(given)
        for alias in self.aliases:
            if alias.name in found:
                found[alias.name] = self.checked(alias, found[alias.name])
            if found.get(alias.name, "") is None:
                del found[alias.name]
        found = self.resolve(found)
        return {
            option.name: self.checked(option, found.get(option.name, option.default))
            for option in self.options
        }

    def checked(self, option: Option, value: Any) -> Any:
        """Return a value converted to its type; raise InvalidInput if that fails."""
        if value is None and option.default is None:
            return None
        return self._understood(option, option.type.check, value)

    def parsed(self, option: Option, text: str) -> Any:
        """Return the value of a text; raise InvalidInput with the option's name if invalid."""
        return self._understood(option, option.type.parse, text)

    def _understood(self, option: Option, read: Callable[[Any], Any], value: Any) -> Any:
        try:
            return read(value)
        except Unexpected as error:
            raise InvalidInput(
                f"{self.name}: {option.name} must be {error}, got {described(value)}"
            ) from None

    @property
    def recorded(self) -> tuple[Option, ...]:
        """The options in records, beside the board; including seats if they can be chosen."""
        low, high = self.seats
        seats = (Option("seats", Whole(low, high), low, "how many"),) if low < high else ()
        return (*seats, *(option for option in self.options if option.type.recorded))

    def to_data(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values of the recorded options as JSON-able data.

        Options that the others make meaningless may be left out, see ``only_with``.

        Raises
        ------
        InvalidInput
            If another option is left out, or one is not recorded.
        """
        given = {option.name: option for option in self.recorded if option.name in values}
        if strangers := [name for name in values if name not in given]:
            raise InvalidInput(
                f"{self.name}: values_of gives {strangers[0]!r}, which is no option that records "
                "hold; what begin draws is an option, too, with the default None"
            )
        for option in self.recorded:
            if option.name not in given and matters(option, values):
                raise InvalidInput(
                    f"{self.name}: the value of {option.name!r} is missing: values_of of the game "
                    "must return it for records, as it was given to begin"
                )
        return {name: option.type.to_data(values[name]) for name, option in given.items()}

    def from_data(self, data: Mapping[str, Any], more: tuple[Option, ...] = ()) -> Values:
        """Return the values of :meth:`to_data`; other data is ignored.

        Parameters
        ----------
        more
            Further options that the game itself has written.

        Raises
        ------
        InvalidInput
            If a value is missing, or is not of its type.
        """
        found = {
            option.name: self._understood(option, option.type.from_data, data[option.name])
            for option in (*self.recorded, *more)
            if option.name in data
        }
        for option in (*self.recorded, *more):
            if option.name not in found and matters(option, found):
                raise InvalidInput(f"{self.name}: the setup has no {option.name!r}")
        return found


def matters(option: Option, values: Mapping[str, Any]) -> bool:
    """Tell whether an option has an effect with these values of the others."""
    if option.only_with is None:
        return True
    name, value = option.only_with
    return values.get(name) == value
