"""The declaration of a game: its name, options, players, help, and the modules with the rest.

A declaration is light: it is read for every ``--help``, so the game itself is imported only when it
is played.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ludograph.errors import InvalidInput, did_you_mean
from ludograph.games.options import Alias, Option, Unexpected, Whole
from ludograph.quoting import described

if TYPE_CHECKING:
    from ludograph.games.game import AnyGame

Values = dict[str, Any]


class Help(NamedTuple):
    """Texts of a game for people.

    Attributes
    ----------
    text
        What ``--help`` begins with, after the summary.
    examples
        Command lines, each with what it does.
    rules
        How it is played, in a few sentences, for somebody who has never seen it.
    own_boards
        What it needs of a board that a person draws, in a few sentences; empty: nothing.
    """

    text: str
    examples: str
    rules: tuple[str, ...] = ()
    own_boards: str = ""


def nothing_more(given: Values) -> Values:
    """Return the options as they are: a game without aliases."""
    return given


def no_words(words: Sequence[str], given: Values) -> tuple[Values, Sequence[str]]:
    """Return all words: a game whose command line has nothing before the players."""
    return given, words


def nothing_to_tell(values: Values) -> list[str]:  # noqa: ARG001
    """Return nothing for a title."""
    return []


@dataclass(frozen=True)
class Declaration:
    """A game as the rest of the system first meets it.

    Attributes
    ----------
    name
        One lower-case word, as on the command line and in records.
    summary
        Half a sentence that begins in lower case.
    home
        ``package.module:name`` of the :class:`~ludograph.games.game.Game`.
    seats
        The least and the greatest number of seats.
    options
        All that can be chosen, beside the seats and the seed.
    aliases
        Other spellings that sources have fixed; ``resolve`` turns what was given of them into
        options, and refuses what does not go together.
    leading
        Takes what stands before the players on the command line; returns the options given with
        it, and the players. ``leading_metavar`` is how the help calls that.
    title
        What a title says of the options, beside the board's name.
    strategies
        The names of its strategies, so that a wrong one is refused before anything is loaded; if
        they are not told here, it is refused then.
    speaks
        The protocols of other programs that play this game, such as ``htp``.
    solving
        Options whose defaults are others where a game is solved, since only small ones can be.
    openings
        Names of suites of openings, see :meth:`~ludograph.games.solving.Solving.openings`.
    with_libraries
        The same where a C player takes part on the command line: what its course has laid down.
    with_people
        The same where a person takes part: the whole game.
    anchors
        Built-in players, named as on the command line, from which the ratings of a ladder are
        measured: quick ones of known, modest strength, which no clock changes. The first has a
        fixed rating; the others are steps between it and stronger players.
    steps
        Built-in players of different strengths, the weakest first, the anchors among them: a
        ladder lets those take part too that close the intervals of ratings. Neighbors should win
        at least one of ten games against each other. If not given, weaker forms of the first
        anchor.
    trials
        Starts that courses play from, as texts by the option's name, ``seats`` among them:
        ``player check`` plays them beside those that try each option by itself.
    advisers
        Built-in players that people ask for a hint, each good within a second; the first that
        plays with the number of seats is asked.
    marks
        Names of the marks that it reads on a board, such as those of borders.
    rivals
        Others that are measured as opponents for people, beside the anchors, strategies without
        options and `mcts` with some simulations: see ``benchmarks/levels.py``.
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
    solving: Mapping[str, Any] | None = None
    openings: tuple[str, ...] = ()
    with_libraries: Mapping[str, Any] | None = None
    with_people: Mapping[str, Any] | None = None
    anchors: tuple[str, ...] = ("random",)
    steps: tuple[str, ...] = ()
    trials: tuple[Mapping[str, str], ...] = ()
    advisers: tuple[str, ...] = ("mcts:time=1", "minimax:time=1")
    rivals: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()

    def variant(
        self, name: str, *, summary: str, home: str, help: Help, **changes: Any
    ) -> Declaration:
        """Return the declaration of a game that has the same options and other rules.

        The names of strategies and openings, the players of ladders, hints and levels, and the
        protocols of programs are left out: they are those of this game's rules.

        Parameters
        ----------
        changes
            Further attributes that the variant has by itself, such as ``solving``.
        """
        same = ("seats", "options", "aliases", "resolve", "leading", "leading_metavar", "title")
        starts = ("solving", "with_libraries", "with_people", "trials")
        kept = {each: getattr(self, each) for each in (*same, *starts)}
        said: dict[str, Any] = {"name": name, "summary": summary, "home": home, "help": help}
        return Declaration(**{**kept, **said, **changes})

    @property
    def package(self) -> str:
        """The package that the game's files stand in."""
        return self.home.partition(":")[0].rpartition(".")[0]

    def game(self) -> AnyGame:
        """Return the game itself.

        Raises
        ------
        InvalidInput
            If its module cannot be imported, as where a rule is missing.
        CannotCompile
            If a rule is refused when the module is imported.
        """
        module, _, name = self.home.partition(":")
        try:
            found: AnyGame = getattr(importlib.import_module(module), name)
        except Exception as error:
            from ludograph.rules.compile_errors import CannotCompile

            if isinstance(error, CannotCompile):  # it names file, line and rule
                raise
            raise InvalidInput(
                f"game {self.name}: its home {self.home!r} raises {type(error).__name__}: {error}"
            ) from error
        return found

    def check_strategy(
        self, name: str, known: Collection[str], others: Collection[str] = ()
    ) -> None:
        """Raise InvalidInput if a name is none of the strategies known.

        Parameters
        ----------
        others
            Names of other players that may have been meant.
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
            On a name that the game does not know, or a value that is not of its type.
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
        """Return a value as its type has it; raise InvalidInput with the option's name if not."""
        if value is None and option.default is None:
            return None
        return self._understood(option, option.type.check, value)

    def parsed(self, option: Option, text: str) -> Any:
        """Return the value that a text means; raise InvalidInput with the option's name if none."""
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
        """What is written into records beside the board: seats that can be chosen, and options."""
        low, high = self.seats
        seats = (Option("seats", Whole(low, high), low, "how many"),) if low < high else ()
        return (*seats, *(option for option in self.options if option.type.recorded))

    def to_data(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values of the recorded options as JSON-able data.

        Options may be left out that mean nothing beside the others, see ``only_with``.

        Raises
        ------
        InvalidInput
            If another one is left out, or one is not recorded.
        """
        given = {option.name: option for option in self.recorded if option.name in values}
        if strangers := [name for name in values if name not in given]:
            raise InvalidInput(
                f"{self.name}: values_of gives {strangers[0]!r}, no option that records hold"
            )
        for option in self.recorded:
            if option.name not in given and matters(option, values):
                raise InvalidInput(
                    f"{self.name}: the value of {option.name!r} is missing: values_of of the game "
                    "must return it for records, as it was given to begin"
                )
        return {name: option.type.to_data(values[name]) for name, option in given.items()}

    def from_data(self, data: Mapping[str, Any], more: tuple[Option, ...] = ()) -> Values:
        """Return the values that :meth:`to_data` wrote; what else there is is not looked at.

        Parameters
        ----------
        more
            What else the game has written by itself.

        Raises
        ------
        InvalidInput
            If one is missing, or is not of its type.
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
    """Tell whether an option means something beside the values of others."""
    if option.only_with is None:
        return True
    name, value = option.only_with
    return values.get(name) == value
