"""A game: its name, options, setup, rules, notation, scene and strategies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias

from ludograph.boards import Board
from ludograph.games.declaration import Declaration
from ludograph.games.interaction import Interaction
from ludograph.games.interop import Interop
from ludograph.games.options import Option, Whole
from ludograph.games.position import P
from ludograph.games.presentation import Presentation
from ludograph.games.strategy import Strategy
from ludograph.rules import Setup
from ludograph.rules.dispatch import check_registered

if TYPE_CHECKING:
    from ludograph.games.solving import Solving


class Game(ABC, Generic[P]):
    """What the rest of the system asks of a game beyond its rules.

    The game itself says how it begins, how its moves are written and who plays it. The rest are
    its parts, by who asks: :attr:`presentation`, :attr:`interaction`, :attr:`interop` and
    :attr:`solving`.

    Attributes
    ----------
    declaration
        What it is called and what can be chosen about it.
    version
        Rises when the same setup and moves lead elsewhere than before.
    setup_type
        The ``NamedTuple`` for which the rule contract is implemented; :meth:`begin` makes one. A
        variant has a Setup type of its own.
    """

    declaration: ClassVar[Declaration]
    version: ClassVar[int]
    setup_type: ClassVar[type]

    @property
    @abstractmethod
    def presentation(self) -> Presentation[P]:
        """How people see it: its picture, and what has happened, in words."""

    @property
    def interaction(self) -> Interaction[P]:
        """How people play it: what they read, and how they choose a move. By default they type."""
        return Interaction()

    @property
    def interop(self) -> Interop:
        """How programs in other languages play it: by default none do."""
        return Interop()

    @property
    def solving(self) -> Solving[P]:
        """What best play leads to: by default what proof-number search finds, for two seats."""
        from ludograph.games.solving import Solving

        return Solving()

    @property
    def name(self) -> str:
        """One lower-case word, as on the command line and in records."""
        return self.declaration.name

    @property
    def summary(self) -> str:
        """What one does in it, in half a sentence."""
        return self.declaration.summary

    def position(
        self,
        board: Board | str | int | None = None,
        *,
        seats: int | None = None,
        seed: int = 0,
        **options: Any,
    ) -> P:
        """Return the start of a game.

        Parameters
        ----------
        board
            A board, a text such as ``hatched:12`` or the path of a file, or a size of the family
            that the game prefers. Games without boards take none.
        seats
            How many; two where the game allows it.
        seed
            For all that is drawn before the game begins.
        options
            Those that the game declares, by name; values may be texts as on the command line.

        Raises
        ------
        InvalidInput
            If an option is unknown, out of range, or does not fit the others.
        TypeError
            If the rules of the game are not registered.
        """
        given = dict(options) if board is None else {"board": board, **options}
        low, high = self.declaration.seats
        if seats is None:
            seats = min(max(2, low), high)
        checked = self.declaration.checked
        seats = checked(Option("seats", Whole(low, high), seats, ""), seats)
        seed = checked(Option("seed", Whole(-(2**63), 2**64), 0, ""), seed)
        start = self.begin(self.declaration.values(given), seats, seed)
        check_registered(type(start.setup))
        return start

    @abstractmethod
    def begin(self, values: dict[str, Any], seats: int, seed: int) -> P:
        """Return the start of a game.

        Parameters
        ----------
        values
            Of all options that the game declares, each as its kind has it.

        Raises
        ------
        InvalidInput
            If they do not fit each other.
        """

    @abstractmethod
    def samples(self) -> Iterator[P]:
        """Yield small starts: all that its strategies play on, if not all its boards and options.

        They are played to their ends quickly.
        """

    def warm_up_starts(self) -> Iterator[P]:
        """Yield starts that together need all kernels that any start can need.

        By default these are the samples. Further ones are for games whose kernels are compiled for
        each size of a board, say.
        """
        yield from self.samples()

    def values_of(self, position: P) -> dict[str, Any]:  # noqa: ARG002
        """Return what :meth:`begin` was given, as far as records hold it: by default nothing.

        Without the board and the seats; what was drawn is given as it was drawn. Records are made
        from it: :meth:`begin` must lead from these values to the same position.
        """
        return {}

    def describe(self, position: P) -> dict[str, Any]:
        """Return all that is fixed in the position, beside its board, as JSON-able data."""
        low, high = self.declaration.seats
        seats = {"seats": position.seats} if low < high else {}
        return self.declaration.to_data({**seats, **self.values_of(position)})

    def restore(self, board: Board, data: Mapping[str, Any]) -> P:
        """Return the start of the game that :meth:`describe` wrote down.

        Raises
        ------
        InvalidInput
            If the data does not describe a game on this board.
        """
        values = self.declaration.from_data(data)
        has_board = any(option.name == "board" for option in self.declaration.options)
        return self.position(board if has_board else None, **values)

    @abstractmethod
    def move_text(self, setup: Setup, move: int) -> str:
        """Return the text of a move code; raise IllegalMove if no move has this code."""

    @abstractmethod
    def parse_move(self, setup: Setup, text: str) -> int:
        """Return the code of a move text; raise IllegalMove if no move has this text."""

    def search_setup(self, setup: Setup) -> Setup:
        """Return the Setup that a search plays on: by default the same.

        A game that can tell a search more with room of its own returns a Setup of another type,
        with the same states; every search asks for one of its own.
        """
        return setup

    @property
    @abstractmethod
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""

    def adviser(self, seats: int) -> str:
        """Return the player that is asked for a hint, as it is written on the command line.

        It is the first of the declaration's `advisers` that can play with this number of seats. If
        none can, it is the first strategy that can.
        """
        able = [name for name, s in self.strategies.items() if s.seats[0] <= seats <= s.seats[1]]
        advisers = (each for each in self.declaration.advisers if each.partition(":")[0] in able)
        return next(advisers, able[0])

    def strategy(self, name: str) -> Strategy:
        """Return a built-in strategy by name.

        Raises
        ------
        InvalidInput
            If the game has none of that name.
        """
        self.declaration.check_strategy(name, self.strategies)
        return self.strategies[name]


AnyGame: TypeAlias = Game[Any]
"""A game that is not known beforehand."""
