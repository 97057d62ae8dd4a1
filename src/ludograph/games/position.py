"""A position: a game in progress as a Python object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from ludograph import rules
from ludograph.boards import Board
from ludograph.errors import IllegalMove, InvalidInput, is_whole
from ludograph.formatting import described
from ludograph.games.outcome import Outcome
from ludograph.rules import CHANCE, OVER, PLY, TURN, Rng, Setup, State
from ludograph.rules.direct import (
    ILLEGAL,
    LIST,
    UNCHECKED,
    DirectRules,
    empty_list,
    replay,
    take_turn,
)
from ludograph.rules.observer import Arrays, Observer, look
from ludograph.rules.strict import is_of_the_package

if TYPE_CHECKING:
    from ludograph.games.game import AnyGame
    from ludograph.games.shown_result import SearchResult
    from ludograph.views import Scene

LEGAL_SHOWN = 12
"""The most legal moves in the text of a refusal."""

HIGHEST_CODE = 2**31 - 1
"""Codes of moves are stored as ``int32``."""

MADE = ("_codes", "_direct", "_seats")
"""Fields that follow from a setup, and that each process makes for itself."""


class Position:
    """A game, its fixed data, and its state.

    :meth:`play` checks a move; :meth:`push`, and the kernels of :mod:`ludograph.rules` on ``setup``
    and ``state``, do not. One thread at a time uses a position, also for :meth:`legal_moves`, whose
    memory is the position's; give each thread a copy.

    Attributes
    ----------
    game, board, setup
        Shared by all copies, never changed.
    state
        ``int32[info(setup).state_size]``; another state of that size can be assigned.
    history
        The codes of the moves played through this object, including those of chance. Moves by
        kernels are not in it, and an assigned state has no history.
    """

    __slots__ = (
        *("_chance_plies", "_codes", "_direct", "_first", "_seats", "_setup", "_state"),
        *("board", "game", "history"),
    )

    _further: ClassVar[tuple[str, ...]] = ()
    """The slots of derived classes."""

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        own = cls.__dict__.get("__slots__", ())
        cls._further += (own,) if isinstance(own, str) else tuple(own)

    def __init__(
        self, game: AnyGame, board: Board, setup: Setup, state: State | None = None
    ) -> None:
        self.game = game
        self.board = board
        if not is_of_the_package(type(setup)):
            from ludograph.search.plain_games import check_own_rules
            from ludograph.search.searched import KINDS

            if check_own_rules(setup):
                self._take(setup)
                for kind in KINDS:
                    check_own_rules(game.search_view(self, kind).setup)
        self._take(setup)
        if state is None:
            state = np.zeros(rules.info(setup).state_size, np.int32)
            rules.start(setup, state)
        self.state = state

    def _take(self, setup: Setup) -> None:
        """Make what is of one Setup and of this process."""
        self._setup, self._direct, self._seats = setup, DirectRules(), rules.info(setup).seats
        self._codes = empty_list(setup)

    @property
    def setup(self) -> Setup:
        """The fixed data of the game."""
        return self._setup

    @setup.setter
    def setup(self, setup: Setup) -> None:
        """Assign another setup; raise InvalidInput if this state is not one of its states."""
        checked_state(setup, self._state)
        self._take(setup)

    @property
    def state(self) -> State:
        """The data that changes during the game; kernels do not check what is written into it."""
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        """Assign another state of this game; raise InvalidInput if its size or type is wrong."""
        self._state = checked_state(self.setup, state)
        self._first = state.copy()
        self.history: tuple[int, ...] = ()
        self._chance_plies = 0

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._seats

    @property
    def turn(self) -> int | None:
        """The seat to move; None at a chance node and when the game is over."""
        turn: int = self._state.item(TURN)
        return turn if turn >= 0 else None

    @property
    def ply(self) -> int:
        """The number of moves played, chance included."""
        ply: int = self._state.item(PLY)
        return ply

    @property
    def move_count(self) -> int:
        """The number of moves that seats have played: the plies without those of chance.

        If some plies are not in `history`, all plies count: which were those of chance is unknown.
        """
        known = len(self.history) == self.ply
        return self.ply - self._chance_plies if known else self.ply

    def ply_text(self, *, coming: bool = False) -> str:
        """Return the number of the last ply, played by a seat, or of the coming one.

        It is ``ply 4``; in a game of chance, it has the number of the seat's move, too: ``ply 4
        (move 2)``. Plies and moves count from 1.
        """
        ply, move = self.ply + coming, self.move_count + coming
        return f"ply {ply}" if ply == move else f"ply {ply} (move {move})"

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.item(TURN) == OVER

    @property
    def is_chance(self) -> bool:
        """Whether chance moves next."""
        return self._state.item(TURN) == CHANCE

    def legal_moves(self) -> list[int]:
        """Return the codes of the legal moves; of the outcomes at a chance node."""
        code = self._direct.take_turn or self._direct.first(take_turn)
        count = code(self._setup, self._state, LIST, self._codes)
        codes: list[int] = self._codes[:count].tolist()
        return codes

    def is_legal(self, move: int) -> bool:
        """Tell whether a code is among the legal moves."""
        return move in self.legal_moves()

    def play(self, move: int | str) -> None:
        """Play a move, given by its code or its text, in place.

        Raises
        ------
        IllegalMove
            If it is not legal here; the position is unchanged then.
        """
        if type(move) is not int or not 0 <= move <= HIGHEST_CODE:
            move = self.parse(move) if isinstance(move, str) else checked_code(move)
        code = self._direct.take_turn or self._direct.first(take_turn)
        turn = code(self._setup, self._state, move, self._codes)
        if turn == ILLEGAL:
            raise IllegalMove(self.why_not(move))
        self._chance_plies += turn == CHANCE
        self.history += (move,)

    def push(self, move: int) -> None:
        """Play a move that is known to be legal, in place, without a check.

        This is for searches and for moves of a referee: :meth:`play` takes longer, because it
        searches for the move among the legal ones. Values that cannot be codes are refused. A code
        that is not legal here leads to an invalid position, and may end the process.

        Raises
        ------
        IllegalMove
            If it is not a whole number of 31 bits, as codes are.
        """
        if type(move) is not int or not 0 <= move <= HIGHEST_CODE:
            move = checked_code(move)
            if move < 0:
                raise IllegalMove(f"{move} is not a move: codes begin at 0")
        code = self._direct.take_turn or self._direct.first(take_turn)
        self._chance_plies += code(self._setup, self._state, move, UNCHECKED) == CHANCE
        self.history += (move,)

    def undo(self) -> int:
        """Take back the last ply, of a seat or of chance; return its move.

        The moves before it are played again, so this takes longer than to play on a :meth:`copy`.

        Raises
        ------
        InvalidInput
            If there is none, or those in `history` do not lead here: kernels have played others,
            or a seat has dropped out.
        """
        before, after = self._first.copy(), self._state.copy()
        moves = np.array(self.history, np.int32)
        known = bool(self.history) and replay(self._setup, before, moves, after, self._codes)
        if not known or not np.array_equal(after, self._state):
            raise InvalidInput(f"undo: the move that led to {self.ply_text()} is not known")
        self._state[:] = before
        self._chance_plies -= before.item(TURN) == CHANCE
        move, self.history = self.history[-1], self.history[:-1]
        return move

    def why_not(self, move: int) -> str:
        """Return the sentence on why a move is not legal.

        Its ply counts from 1, as in all texts: it is the one that the move would have had.
        """
        if self.is_over:
            return f"the game is over after {self.move_count} moves, so nothing can be played"
        who = (
            f"chance at ply {self.ply + 1}"
            if self.is_chance
            else f"seat {self.turn} at {self.ply_text(coming=True)}"
        )
        words = self.game.interaction
        reason = "" if self.is_chance else words.why_not_move(self, move)
        return (
            f"{words.called(self, move)} is not legal for {who}"
            f"{': ' if reason else ''}{reason}; {self.legal_text()}"
        )

    def legal_text(self) -> str:
        """Return the first legal moves in the order of their codes, as in ``legal: red, pass``."""
        codes = sorted(self.legal_moves())
        shown = ", ".join(self.text(code) for code in codes[:LEGAL_SHOWN])
        more = f" and {len(codes) - LEGAL_SHOWN} more" if len(codes) > LEGAL_SHOWN else ""
        return f"legal: {shown}{more}"

    def play_random(self, rng: Rng) -> int:
        """Play a random legal move, or an outcome by its probability; return its code.

        Parameters
        ----------
        rng
            A generator of :func:`ludograph.rules.random_state`; it changes.

        Raises
        ------
        IllegalMove
            If the game is over.
        """
        check_random(rng)
        if self.is_over:
            raise IllegalMove(self.why_not(0))
        move = int(rules.sample_move(self.setup, self.state, rng))
        self.push(move)
        return move

    def playout(self, rng: Rng) -> tuple[float, ...]:
        """Return the scores of all seats after random moves from here to the end.

        The position is not changed. Moves are those of the game's playouts, which may differ from
        the random moves of :meth:`play_random`. For many playouts see :func:`ludograph.playouts`.

        Parameters
        ----------
        rng
            A generator of :func:`ludograph.rules.random_state`; it changes.
        """
        check_random(rng)
        if self.is_over:
            return self.scores()
        out = np.zeros(self.seats, np.float64)
        rules.playout(self.setup, self.state.copy(), rng, out)
        return tuple(out.tolist())

    def drop(self, seat: int) -> None:
        """Remove a seat from the game; it never moves again. After the end nothing changes.

        Raises
        ------
        InvalidInput
            If there is no such seat.
        """
        self._check_seat(seat)
        if not self.is_over:
            rules.drop(self.setup, self.state, seat)

    def _check_seat(self, seat: int) -> None:
        if not is_whole(seat) or not 0 <= seat < self.seats:
            raise InvalidInput(f"the seats are 0 to {self.seats - 1}, got {described(seat)}")

    def observe(self, seat: int | None = None) -> Arrays:
        """Return what a seat sees, as learners do.

        Parameters
        ----------
        seat
            By default the seat to move; at a chance node and after the end seat 0.

        Returns
        -------
        New arrays, those of :class:`~ludograph.rules.observer.Observer` without the first axis. A
        seat that is not to move has no moves and no actions.

        Raises
        ------
        InvalidInput
            If there is no such seat.
        """
        if seat is None:
            seat = max(self._state.item(TURN), 0)
        self._check_seat(seat)
        direct = self._direct
        blank = direct.blank = direct.blank or Observer(self._setup, 1)
        seen = {name: array[0].copy() for name, array in blank.arrays.items()}
        code = direct.look or direct.first(look)
        code(self._setup, self._state, int(seat), *seen.values(), blank.by_code)
        return seen

    def text(self, move: int) -> str:
        """Return the text of a move: the exact inverse of :meth:`parse`.

        Raises
        ------
        IllegalMove
            If the code is no move of this game.
        """
        return self.game.move_text(self.setup, checked_code(move))

    def parse(self, text: str) -> int:
        """Return the code of a move from its text.

        Raises
        ------
        IllegalMove
            If the text is no move of this game; whether it is legal here is not checked.
        """
        if not isinstance(text, str):
            raise IllegalMove(f"{described(text)} is not the text of a move")
        return self.game.parse_move(self.setup, text)

    def copy(self) -> Self:
        """Return an independent copy; the setup is shared."""
        twin = object.__new__(type(self))  # a copy by the interpreter takes five times as long
        twin.game, twin.board, twin.history = self.game, self.board, self.history
        twin._first = self._first
        twin._setup, twin._direct, twin._seats = self._setup, self._direct, self._seats
        twin._state, twin._codes = self._state.copy(), self._codes.copy()
        twin._chance_plies = self._chance_plies
        for name in self._further:
            if hasattr(self, name):
                setattr(twin, name, getattr(self, name))
        if own := getattr(self, "__dict__", None):
            twin.__dict__.update(own)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        fields = set(Position.__slots__).union(self._further).difference(MADE)
        kept = {name: getattr(self, name) for name in fields if hasattr(self, name)}
        return kept | getattr(self, "__dict__", {})

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._take(self._setup)

    def key(self) -> int:
        """Return the number of the position for sets and dictionaries, of 64 bits.

        Positions of one setup with equal keys have the same future: who moves, which moves are
        legal, and how the game can end. Their plies may differ.
        """
        code = self._direct.key or self._direct.first(rules.key)
        return int(code(self._setup, self._state))

    def scores(self) -> tuple[float, ...]:
        """Return the score of every seat now."""
        out = np.zeros(self.seats, np.float64)
        rules.scores(self.setup, self.state, out)
        return tuple(out.tolist())

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game, or None while it goes on."""
        return Outcome.from_scores(self.scores()) if self.is_over else None

    def scene(self, *, numbers: bool = False, names: bool = False) -> Scene:
        """Return the picture of the position, for the views to draw.

        Parameters
        ----------
        numbers
            With the ply at which each piece came to its cell: see :meth:`svg`.
        names
            With the name of each cell in moves.
        """
        from ludograph.games.pictures import written

        return written(self, self.game.presentation.scene(self), numbers=numbers, names=names)

    def title(self, details: Sequence[str] = ()) -> str:
        """Return game and board with some details, as in ``flood on square 12x12, 6 colors``.

        A board of one vertex, as of games without a fixed board, need not be named.
        """
        where = f" on {self.board.name}" if self.board.n > 1 else ""
        return ", ".join([self.game.name + where, *details])

    def svg(
        self, size: int = 600, *, title: bool = True, numbers: bool = False, names: bool = False
    ) -> str:
        """Return a picture of the board as a standalone SVG document.

        Parameters
        ----------
        size
            Its width in pixels.
        title
            Write the game above the board, and below it the seat to move and the holdings.
        numbers
            Write on stones, tiles and all other pieces the ply at which they came there, counted
            from 1.
        names
            Write on every cell its name in moves.

        Raises
        ------
        InvalidInput
            If numbers are needed and some moves are not known: see `history`.
        """
        from ludograph.games.pictures import titled
        from ludograph.views import svg

        draw = titled if title else type(self).scene
        return svg.render(draw(self, numbers=numbers, names=names), size=size)

    def png(
        self, size: int = 600, *, title: bool = True, numbers: bool = False, names: bool = False
    ) -> bytes:
        """Return the picture of :meth:`svg` as a PNG file, twice as many pixels wide.

        Raises
        ------
        InvalidInput
            As in :meth:`svg`; or if the extra ``png``, which draws it, is not installed.
        """
        from ludograph.views import bitmaps

        return bitmaps.png_from_svg(self.svg(size, title=title, numbers=numbers, names=names))

    def _repr_svg_(self) -> str:
        """Return the picture for a notebook."""
        return self.svg()

    def result_text(self, result: SearchResult) -> str:
        """Return the result of a search of this position in a line, with the names of moves."""
        from ludograph.games import shown_result

        return shown_result.text(result, self)

    def result_html(self, result: SearchResult) -> str:
        """Return the same for a notebook: the board with visits and line, and a table."""
        from ludograph.games import shown_result

        return shown_result.html(result, self)

    def __str__(self) -> str:
        """Return the board as plain text."""
        from ludograph.views import plain

        return plain.text(self.scene())

    def __repr__(self) -> str:
        turn = "over" if self.is_over else "chance" if self.is_chance else f"seat {self.turn}"
        return f"<{self.game.name} on {self.board.name}, ply {self.ply}, {turn}>"

    def __eq__(self, other: Any) -> bool:
        """Positions are equal if game, setup and state are equal, also between processes."""
        if not isinstance(other, Position):
            return NotImplemented
        return (
            (self.game is other.game or type(self.game) is type(other.game))
            and type(self.setup) is type(other.setup)
            and holds_the_same(self.setup, other.setup)
            and np.array_equal(self.state, other.state)
        )

    __hash__ = None  # type: ignore[assignment]  # positions change


def holds_the_same(one: Any, other: Any) -> bool:
    """Tell whether two Setups, or two of their fields, are equal."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(holds_the_same, one, other))
    return bool(np.array_equal(one, other))


def checked_code(move: object) -> int:
    """Return the code of a move, a whole number; raise IllegalMove if it is not one."""
    if not is_whole(move):
        raise IllegalMove(f"{described(move)} is not a move: a move is a whole number or a text")
    code = int(move)
    if not -(2**31) <= code < 2**31:
        raise IllegalMove(f"{described(code)} is not a move: codes have 32 bits")
    return code


def checked_state(setup: Setup, state: State) -> State:
    """Return a state; raise InvalidInput if its size or type is not that of this game."""
    size = rules.info(setup).state_size
    if not (
        isinstance(state, np.ndarray)
        and state.dtype == np.int32
        and state.shape == (size,)
        and state.flags.carray  # contiguous and writable: the machine code of rules trusts it
    ):
        got = (
            f"{state.dtype}{list(state.shape)}"
            if isinstance(state, np.ndarray)
            else described(state)
        )
        raise InvalidInput(f"state: expected a writable, contiguous array int32[{size}], got {got}")
    return state


def check_random(rng: Rng) -> None:
    """Raise InvalidInput unless a generator is one of :func:`ludograph.rules.random_state`."""
    if not (isinstance(rng, np.ndarray) and rng.dtype == np.uint64 and rng.shape == (1,)):
        raise InvalidInput(
            f"rng must come from ludograph.rules.random_state(seed), got {described(rng)}"
        )
