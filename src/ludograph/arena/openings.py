"""Starts of a tournament or a ladder by their numbers, and openings: first moves of their games."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Final, Literal, NamedTuple

from ludograph.boards import to_data
from ludograph.documents import read_text
from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games import Position
from ludograph.games.interaction import swap_of
from ludograph.players import PlayerSpec
from ludograph.referee.match import opening_codes
from ludograph.referee.player_factory import check_seating
from ludograph.referee.seed import Seed
from ludograph.rules import Rng

MakePosition = Callable[[int, int], Position]
"""Called with the number of a variant and a whole number to draw by; returns a start."""


def starts_by_number(
    make_position: MakePosition, variants: int, seed_of: Callable[[int], int]
) -> Callable[[int], Position]:
    """Return a function that returns a start by its number; the latest ones are stored.

    Parameters
    ----------
    variants
        The number of variants of the game, which starts take in turn.
    seed_of
        Returns the whole number by which a start is drawn.
    """
    return lru_cache(variants + 1)(lambda n: make_position(n % variants, seed_of(n)))


def is_fixed(make_position: MakePosition, variant: int) -> bool:
    """Tell whether a variant has the same start for every seed."""
    one, other = (make_position(variant, seed) for seed in range(2))
    same_game = one.game.describe(one) == other.game.describe(other)
    return same_game and to_data(one.board) == to_data(other.board)


SIZE_LIMIT = 1 << 20

DRAWN: Final = "drawn"
"""The openings that no suite has: a tournament draws them by its seed."""

Moves = tuple[int, ...]


class OpeningSuite(NamedTuple):
    """A suite of openings.

    Attributes
    ----------
    name
        The name of the suite.
    variants
        The openings of each variant of the game, in the order in which starts take them.
    """

    name: str
    variants: tuple[tuple[Moves, ...], ...]

    def of(self, start: int) -> Moves:
        """Return the opening of a start."""
        own = self.variants[start % len(self.variants)]
        return own[start // len(self.variants) % len(own)]


CANDIDATES = 8
"""The number of random openings from which the most even one is chosen."""

PLAYOUTS = 32
"""The number of playouts that measure the evenness of an opening."""


class DrawnOpenings:
    """Openings of one start, drawn by a seed.

    The even openings that the game has for this start come first, in a drawn order. Then come a few
    random moves: the candidate after which the seats win playouts most equally often. No opening
    comes twice while there are others.

    Parameters
    ----------
    players
        The players; all of them must be able to begin after each opening.
    """

    def __init__(self, start: Position, seed: Seed, players: Sequence[PlayerSpec]) -> None:
        self._start, self._seed, self._players = start, seed, players
        even = [moves for moves in _even(start) if self._is_playable(moves)]
        Random(seed.whole("even")).shuffle(even)
        self._found = list(dict.fromkeys(even))

    def of(self, number: int) -> Moves:
        """Return an opening by its number; no moves if the game or a player allows none."""
        while len(self._found) <= number:
            moves = self._random(len(self._found))
            if moves is None:
                break
            self._found.append(moves)
        return self._found[number % len(self._found)] if self._found else ()

    def _random(self, number: int) -> Moves | None:
        """Return a new opening of random moves; None if hardly any are left."""
        if self._start.is_chance:
            return None
        rng = self._seed.rng("random", number)
        for length in self._lengths:
            drawn = (self._played(length, rng) for _ in range(4 * CANDIDATES))
            new = [moves for moves in dict.fromkeys(drawn) if moves and moves not in self._found]
            playable = [moves for moves in new if self._is_playable(moves)][:CANDIDATES]
            if playable:
                return min(playable, key=lambda moves: self._unevenness(moves, rng))
        return None

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        """Numbers of random moves, in the order of trial: one move if a swap may follow."""
        board = self._start.copy()
        board.push(board.legal_moves()[0])
        return (1, 3, 5) if not board.is_over and swap_of(board) is not None else (2, 1, 4)

    def _played(self, length: int, rng: Rng) -> Moves:
        """Return random moves from the start; none if they meet chance, a swap or the end."""
        board = self._start.copy()
        moves: list[int] = []
        for _ in range(length):
            if board.is_chance or board.is_over:
                return ()
            swap = swap_of(board)
            moves.append(board.play_random(rng))
            if moves[-1] == swap:
                return ()
        return () if board.is_over else tuple(moves)

    def _is_playable(self, moves: Moves) -> bool:
        try:
            check_seating(self._players, self._start, moves)
        except InvalidInput:
            return False
        return True

    def _unevenness(self, moves: Moves, rng: Rng) -> float:
        """Return the greatest difference of the seats' shares of won playouts, from 0 to 1."""
        board = self._start.copy()
        for move in moves:
            board.push(move)
        shares = [0.0] * board.seats
        for _ in range(PLAYOUTS):
            scores = board.playout(rng)
            best = [seat for seat, score in enumerate(scores) if score == max(scores)]
            for seat in best:
                shares[seat] += 1 / len(best) / PLAYOUTS
        return max(shares) - min(shares)


def chosen_openings(
    text: str, starts: Sequence[Position], players: Sequence[PlayerSpec]
) -> OpeningSuite | Literal["drawn"]:
    """Return the openings of a text that all players can play.

    Parameters
    ----------
    text
        ``drawn``, the name of a suite of the game, or a file with an opening in each line.
    starts
        One start of each variant of the game.

    Raises
    ------
    InvalidInput
        If there are no such openings, one of them cannot be played, or a player cannot begin after
        it.
    """
    game, known = starts[0].game, starts[0].game.declaration.openings
    if text == DRAWN:
        for start in starts:
            if start.is_chance:
                raise InvalidInput(f"openings: {game.name} begins with chance, so none are drawn")
            check_seating(players, start, start.legal_moves()[:1])
        return DRAWN
    if text in known:
        lists = [[(text, line) for line in game.solving.openings(text, start)] for start in starts]
    elif os.path.isfile(text):
        lists = [_lines(Path(text))] * len(starts)
    else:
        choice = " or ".join((*known, DRAWN, "a file with an opening in each line"))
        raise InvalidInput(f"openings of {game.name} are {choice}, got {text[:80]!r}")
    variants = []
    for own, start in zip(lists, starts, strict=True):
        variants.append(tuple(_parsed(where, line, start) for where, line in own))
        for moves in variants[-1]:
            check_seating(players, start, moves)
    return OpeningSuite(text if text in known else Path(text).name, tuple(variants))


MOST_OPENINGS = 1000


def first_moves(start: Position) -> tuple[Moves, ...]:
    """Return the game's own suites of one move by turns with all other first moves.

    Nothing if the game has C players that cannot begin after a move, or begins with chance.
    """
    game = start.game
    if start.is_chance or start.is_over:
        return ()
    swap = swap_of(start)
    others = [move for move in start.legal_moves() if move != swap]
    programs = game.interop.library
    if programs is not None:
        try:
            programs.check_opening(start, others[:1])
        except InvalidInput:
            return ()
    Random("first moves").shuffle(others)
    even = [moves[0] for moves in _even(start) if len(moves) == 1]
    rest = [move for move in others if move not in even][:MOST_OPENINGS]
    if not even:
        return tuple((move,) for move in rest)
    return tuple((move,) for pair in zip(cycle(even), rest, strict=False) for move in pair)


def _even(start: Position) -> list[Moves]:
    """Return the openings of all suites that the game has for this start."""
    found: list[Moves] = []
    for suite in start.game.declaration.openings:
        with suppress(InvalidInput):  # none for this board
            found += [
                _parsed(suite, line, start) for line in start.game.solving.openings(suite, start)
            ]
    return found


def _lines(path: Path) -> list[tuple[str, str]]:
    """Return the openings of a file, each with its place."""
    text = read_text(path, "file of openings", SIZE_LIMIT)
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    found = [(f"{path}, line {n}", line) for n, line in enumerate(lines, 1) if line]
    if not found:
        raise InvalidInput(f"{path}: there are no openings in it")
    return found


def _parsed(where: str, line: str, start: Position) -> Moves:
    board, moves = start.copy(), []
    try:
        for word in line.split():
            moves.append(board.parse(word))
            opening_codes(board, moves[-1:])
            board.push(moves[-1])
    except (IllegalMove, InvalidInput) as error:
        raise InvalidInput(f"{where}: {error}") from None
    if board.is_over:
        raise InvalidInput(f"{where}: the game is over after this opening")
    return tuple(moves)
