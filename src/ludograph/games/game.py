"""A game: its name, options, setup, rules, notation, scene and strategies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias

from ludograph.boards import Board
from ludograph.errors import GameFault
from ludograph.formatting import described
from ludograph.games.declaration import Declaration
from ludograph.games.interaction import Interaction
from ludograph.games.interop import Interop
from ludograph.games.options import Option, Whole
from ludograph.games.played import P, PlayedPosition
from ludograph.games.presentation import Presentation
from ludograph.games.search_view import SearchView
from ludograph.games.strategy import Strategy
from ludograph.rules import Setup
from ludograph.rules.dispatch import check_registered

if TYPE_CHECKING:
    from ludograph.games.solving import Solving


class Game(ABC, Generic[P]):
    """A game for the rest of the system, beyond its rules.

    The game itself defines its starts, the texts of its moves and its strategies. Its other parts
    are :attr:`presentation`, :attr:`interaction`, :attr:`interop` and :attr:`solving`.

    Attributes
    ----------
    declaration
        Its name and its options.
    version
        A number that rises when the same setup and moves lead to another position than before.
    setup_type
        The ``NamedTuple`` for which the rule contract is implemented; :meth:`begin` makes one. A
        variant has its own Setup type.
    """

    declaration: ClassVar[Declaration]
    version: ClassVar[int]
    setup_type: ClassVar[type]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.summary}>"

    @property
    @abstractmethod
    def presentation(self) -> Presentation[P]:
        """The game for spectators: its picture, and its events in words."""

    @property
    def interaction(self) -> Interaction[P]:
        """The game for human players: instructions, and move input, by default by typing."""
        return Interaction()

    @property
    def interop(self) -> Interop:
        """The game for programs in other languages: by default there is no interface."""
        return Interop()

    @property
    def solving(self) -> Solving[P]:
        """The solver: by default proof-number search, for two seats."""
        from ludograph.games.solving import Solving

        return Solving()

    def feature_range(self, setup: Setup) -> tuple[float, float]:  # noqa: ARG002
        """Return the least and the greatest number of a learner's view: by default of any slot."""
        return -(2.0**31), 2.0**31

    @property
    def name(self) -> str:
        """One lower-case word, as on the command line and in records."""
        return self.declaration.name

    @property
    def summary(self) -> str:
        """A short description of the game."""
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
            A board, a text such as ``hatched:12`` or the path of a file, or a size of the game's
            preferred family. None for games without boards.
        seats
            The number of seats; by default two if the game allows it.
        seed
            The seed of all that is drawn before the game begins.
        options
            The options of the game, by name; values may be texts as on the command line.

        Raises
        ------
        InvalidInput
            If an option is unknown, out of range, or does not fit the others.
        GameFault
            If `begin` returns no position, or one for another number of seats, or if the rules of
            the game are not registered.
        """
        given = dict(options) if board is None else {"board": board, **options}
        low, high = self.declaration.seats
        if seats is None:
            seats = min(max(2, low), high)
        checked = self.declaration.checked
        seats = checked(Option("seats", Whole(low, high), seats, ""), seats)
        seed = checked(Option("seed", Whole(-(2**63), 2**64), 0, ""), seed)
        start = self.begin(self.declaration.values(given), seats, seed)
        if not isinstance(start, PlayedPosition):
            raise GameFault(f"{self.name}: begin must return a Position, not {described(start)}")
        check_registered(type(start.setup))
        if start.seats != seats:
            raise GameFault(
                f"{self.name}: begin must make a game for {seats} seats, but info of its Setup has "
                f"{start.seats}"
            )
        return start

    @abstractmethod
    def begin(self, values: dict[str, Any], seats: int, seed: int) -> P:
        """Return the start of a game.

        Parameters
        ----------
        values
            The values of all options of the game, each of its type.

        Raises
        ------
        InvalidInput
            If they do not fit together.
        """

    def samples(self) -> Iterator[P]:
        """Yield small starts: all kinds that the strategies play, but not all boards and options.

        Games from them are short. By default the start that the declaration gives for solving, or
        the usual one.
        """
        yield self.position(**(self.declaration.solving or {}))

    def warm_up_starts(self) -> Iterator[P]:
        """Yield starts that together need all kernels of the game.

        By default these are the samples. More are needed, for example, by games with kernels for
        each size of a board.
        """
        yield from self.samples()

    def values_of(self, position: P) -> dict[str, Any]:  # noqa: ARG002
        """Return the values of :meth:`begin` for records: by default nothing.

        The board and the seats are left out; drawn values are given explicitly. Records are made
        from them: :meth:`begin` must return the same position from these values.
        """
        return {}

    def describe(self, position: P) -> dict[str, Any]:
        """Return the fixed data of the position, beside its board, as JSON-able data."""
        low, high = self.declaration.seats
        seats = {"seats": position.seats} if low < high else {}
        return self.declaration.to_data({**seats, **self.values_of(position)})

    def restore(self, board: Board, data: Mapping[str, Any]) -> P:
        """Return the start of the game from the data of :meth:`describe`.

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

    def search_view(self, position: P, kind: str) -> SearchView:  # noqa: ARG002
        """Return what the game hands to one search: by default its own Setup and states.

        A game with more knowledge for searches returns a Setup of another type, or other states. It
        reads the position's Setup and board alone, as the view is for all positions of the game.

        Parameters
        ----------
        kind
            ``"tree"``, ``"depth"``, ``"proof"`` or ``"own"``. A view of the last kind has the
            states and moves of the game's own Setup.
        """
        return SearchView(position.setup)

    @property
    @abstractmethod
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""

    def adviser(self, seats: int) -> str:
        """Return the player for hints, as written on the command line.

        It is the first of the declaration's `advisers` that can play with this number of seats, or
        else the first such strategy.
        """
        able = [name for name, s in self.strategies.items() if s.seats[0] <= seats <= s.seats[1]]
        advisers = (each for each in self.declaration.advisers if each.partition(":")[0] in able)
        return next(advisers, able[0])

    def strategy(self, name: str) -> Strategy:
        """Return a built-in strategy by name.

        Raises
        ------
        InvalidInput
            If the game has no strategy of that name.
        """
        self.declaration.check_strategy(name, self.strategies)
        return self.strategies[name]


AnyGame: TypeAlias = Game[Any]
"""Any game."""
