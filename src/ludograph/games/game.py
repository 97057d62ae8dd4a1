"""A game under its name: options, setup, rules, notation, scene and strategies together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration
from ludograph.games.options import Option, Whole
from ludograph.games.solution import Progress, Solution, nobody
from ludograph.games.strategy import Strategy
from ludograph.games.wording import P, Wording
from ludograph.rules import Setup
from ludograph.views import Region, Scene, Spot

if TYPE_CHECKING:
    from ludograph.games.dialogue import ProgramInterface
    from ludograph.games.first_moves import FirstMoves
    from ludograph.games.library import LibraryInterface


class Game(Wording[P]):
    """What the rest of the system asks of a game beyond its rules.

    Attributes
    ----------
    declaration
        What it is called and what can be chosen about it.
    version
        Rises when the same setup and moves lead elsewhere than before.
    setup_type
        The ``NamedTuple`` for which the rule contract is implemented.
    written_as
        How a move is written, for people who type one: ``a cell, such as c5``.
    """

    declaration: ClassVar[Declaration]
    version: ClassVar[int]
    setup_type: ClassVar[type]
    written_as: ClassVar[str] = ""

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
        """
        given = dict(options) if board is None else {"board": board, **options}
        low, high = self.declaration.seats
        if seats is None:
            seats = min(max(2, low), high)
        checked = self.declaration.checked
        seats = checked(Option("seats", Whole(low, high), seats, ""), seats)
        seed = checked(Option("seed", Whole(-(2**63), 2**64), 0, ""), seed)
        return self.begin(self.declaration.values(given), seats, seed)

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

        What compiles apart from others is among them, and they are played to their ends quickly.
        """

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
    def parse_move(self, setup: Setup, text: str) -> int:
        """Return the code of a move text; raise IllegalMove if no move has this text."""

    @abstractmethod
    def scene(self, position: P) -> Scene:
        """Return the picture of a position."""

    def cell_names(self, position: P) -> Mapping[int, str]:
        """Return what moves call each cell of the picture; by default the numbers of vertices."""
        return {vertex: str(vertex) for vertex in range(position.board.n)}

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

    def pointed(self, position: P, move: int) -> Sequence[Collection[int]]:  # noqa: ARG002
        """Return how people point at a legal move on the picture: part by part, by which cells.

        A move from one cell to another has two parts of one cell each; a color has one part, any
        cell of that color. Without parts, as by default, a move is typed or picked from a list.
        """
        return ()

    def spots(self, position: P, move: int) -> Sequence[Spot]:  # noqa: ARG002
        """Return how people point at a legal move beside the cells, part by part.

        For games whose moves put something where the picture has no cells yet, on pages that can
        show it. Of the parts that come next, those with equal corners are ways to do something at
        one place: who points there goes through them. By default there are none, and ``pointed``
        tells.
        """
        return ()

    def regions(self, position: P) -> Sequence[Region]:  # noqa: ARG002
        """Return what may be asked about on a picture of sketches: who holds it, what it is worth.

        Of regions that cover each other, the last is meant. Often nothing.
        """
        return ()

    def pieces(self, position: P) -> Sequence[int]:  # noqa: ARG002
        """Return what people may put on cells to set a position up, as numbers of the palette.

        Cells whose fill is none of them stay as they are. Often nothing: positions of the game
        are not set up piece by piece.
        """
        return ()

    def arranged(self, position: P, fills: Sequence[int]) -> P:  # noqa: ARG002
        """Return the position whose picture has these fills, reached by legal moves from a start.

        Parameters
        ----------
        position
            The start of a game on the same board with the same options.
        fills
            For each cell the number of a color of :attr:`Scene.in_cells`; those that may be chosen
            are `pieces`.

        Raises
        ------
        InvalidInput
            If no game comes to this, with the reason in a sentence for a person.
        """
        raise InvalidInput("positions of this game are not set up piece by piece")

    def ways(self, position: P) -> Iterator[Sequence[int]]:
        """Yield for each move of the position's history the cells of the picture that it went over.

        The last cell is the one where the move has put something, by whose ply it can be found;
        what was on the cells before has gone. Nothing for a move that puts nothing anywhere, as
        by default.
        """
        return (() for _ in position.history)

    def adviser(self, seats: int) -> str:
        """Return the player that is asked for a hint, as it is written on the command line.

        It is the first of the declaration's `advisers` that can play with this number of seats. If
        none can, it is the first strategy that can.
        """
        able = [name for name, s in self.strategies.items() if s.seats[0] <= seats <= s.seats[1]]
        advisers = (each for each in self.declaration.advisers if each.partition(":")[0] in able)
        return next(advisers, able[0])

    def openings(self, suite: str, position: P) -> Sequence[str]:  # noqa: ARG002
        """Return the openings of a suite for the game that begins here: texts of moves each.

        Raises
        ------
        InvalidInput
            If it has none for this game.
        """
        raise InvalidInput(f"{self.name}: there are no openings called {suite}")

    def library_interface(self) -> LibraryInterface | None:
        """Return how C libraries play this game, or None where no interface is defined."""
        return None

    def program_interface(self, protocol: str) -> ProgramInterface | None:  # noqa: ARG002
        """Return how programs that speak a protocol play this game; None where none do.

        Parameters
        ----------
        protocol
            One of those that the declaration names in ``speaks``.
        """
        return None

    def solve(self, position: P, seconds: float, progress: Progress = nobody) -> Solution:  # noqa: ARG002
        """Tell what best play leads to; by default for two seats, by proof-number search.

        Parameters
        ----------
        seconds
            The time to spend at most.
        progress
            Told how far it is, where there are parts that can be counted.

        Raises
        ------
        InvalidInput
            If positions like this one cannot be solved.
        """
        from ludograph.games.solving import solve

        if position.seats != 2:
            raise InvalidInput(f"{self.name}: only games of two can be solved")
        return solve(position, seconds)

    def solver(self) -> Callable[[P, float], Solution]:
        """Return what solves one position of a board after another, each in so many seconds.

        It may remember what helps with the next one, and need not find best moves. By default
        :meth:`solve`, which raises the same.
        """
        return self.solve

    def first_moves(self, position: P) -> FirstMoves | None:  # noqa: ARG002
        """Return the first moves of a start, each to be solved by itself; by default None.

        Raises
        ------
        InvalidInput
            If positions like this one cannot be solved.
        """
        return None

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
