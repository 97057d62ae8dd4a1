"""Random games in bulk as arrays, on all cores: the same seed gives the same games."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.blocks import in_blocks, usable_cores
from ludograph.games.position import Position
from ludograph.rules import batch, random_state
from ludograph.views.table import Column, Columns, Table, left

MOST_GAMES = 10**9
MOST_THREADS = 1024
BLOCK_MOVES = 2**20
"""The most numbers in one block's table of moves, unless a single game has more."""

Progress = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Playouts:
    """The results of many games from a position.

    Attributes
    ----------
    scores
        ``float64[count, seats]``: a row for each game.
    seconds
        The time of all games; a first call may also wait for the compiler.
    threads
        The number of threads.
    """

    scores: npt.NDArray[np.float64]
    seconds: float
    threads: int

    def __repr__(self) -> str:
        wins = ", ".join(map(str, self.wins.tolist()))
        return f"<{type(self).__name__} of {self.count} games: wins {wins}, draws {self.draws}>"

    def table(self) -> Table:
        """Return a table with a row for each seat, and the draws."""
        columns: Columns = [
            left(""),
            "wins",
            Column("%", lambda wins: f"{100 * wins / self.count:.2f}"),
            Column("mean score", "{:z.4f}".format),
            Column("error", "{:.4f}".format),
        ]
        rows = []
        for seat, (wins, mean) in enumerate(zip(self.wins, self.mean, strict=True)):
            error = None if self.count == 1 else self.standard_error[seat]
            rows.append([f"seat {seat}", wins, wins, mean, error])
        if len(rows) > 1:
            rows.append(["draws", self.draws, self.draws, None, None])
        return Table(columns, rows)

    def __str__(self) -> str:
        """Return the table as text."""
        return "\n".join(self.table().plain())

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        return self.table().html(counted(self.count, "game"))

    @property
    def count(self) -> int:
        """The number of games."""
        return int(self.scores.shape[0])

    @functools.cached_property
    def wins(self) -> npt.NDArray[np.int64]:
        """``int64[seats]``: games in which this seat alone had the best score."""
        return (self._best & (self._sharers == 1)[:, None]).sum(axis=0)

    @functools.cached_property
    def draws(self) -> int:
        """The number of games in which the best score was shared."""
        return int((self._sharers > 1).sum())

    @functools.cached_property
    def shares(self) -> npt.NDArray[np.float64]:
        """``float64[seats]``: the share of the wins, a draw counting for each of its winners."""
        return (self._best / self._sharers[:, None]).mean(axis=0)

    @functools.cached_property
    def mean(self) -> npt.NDArray[np.float64]:
        """``float64[seats]``: the mean score."""
        return self.scores.mean(axis=0)

    @functools.cached_property
    def standard_error(self) -> npt.NDArray[np.float64]:
        """``float64[seats]``: the standard error of the mean score; nan for a single game."""
        if self.count == 1:
            return np.full(self.scores.shape[1], np.nan)
        return self.scores.std(axis=0, ddof=1) / np.sqrt(self.count)

    def distribution(self, seat: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Return the scores of a seat, ascending, and the number of games with each."""
        values, counts = np.unique(self.scores[:, seat], return_counts=True)
        return values, counts

    @functools.cached_property
    def _best(self) -> npt.NDArray[np.bool_]:
        return self.scores == self.scores.max(axis=1, keepdims=True)

    @functools.cached_property
    def _sharers(self) -> npt.NDArray[np.int64]:
        return self._best.sum(axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class RandomGames(Playouts):
    """The results of many games, with every move.

    Attributes
    ----------
    moves
        ``int32[count, longest]``: the codes of the moves, outcomes of chance included, and -1
        behind the last.
    plies
        ``int32[count]``: the number of moves of each game.
    starts
        ``int32[count]``: the index of each game's first position.
    """

    moves: npt.NDArray[np.int32]
    plies: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int32]


def playouts(
    position: Position,
    count: int = 10_000,
    *,
    seed: int = 0,
    threads: int | None = None,
    uniform: bool = False,
    progress: Progress | None = None,
) -> Playouts:
    """Play many games from a position to the end, and return the scores.

    The games are those of Monte Carlo search: a game may have a faster or more realistic playout of
    its own. The position is unchanged.

    Parameters
    ----------
    count
        The number of games: 1 to 10^9. Each takes 8 bytes for every seat.
    seed
        Game ``i`` draws its random numbers from ``random_state(seed, i)``: the same seed gives the
        same games on any number of threads, and more games begin with the same ones.
    threads
        The number of threads; by default one for each core.
    uniform
        Play uniformly random legal moves instead, as :func:`random_games` does.
    progress
        Called from time to time, from any thread, with the number of finished games.

    Raises
    ------
    InvalidInput
        If the count or the number of threads is out of range.

    Examples
    --------
    >>> import ludograph
    >>> result = ludograph.playouts(ludograph.make("hex", size=5), 1000, seed=1)
    >>> int(result.wins.sum()), result.draws
    (1000, 0)
    """
    threads = _checked(count, threads)
    scores = np.empty((count, position.seats), np.float64)
    setup, state, word = position.setup, position.state.copy(), random_state(seed)[0]
    no_moves = np.empty((count, 0), np.int32)
    plies = np.empty(count if uniform else 0, np.int32)

    def work(first: int, stop: int) -> None:
        rng, scratch, out = np.zeros(1, np.uint64), np.empty_like(state), scores[first:stop]
        if uniform:
            moves, lengths = no_moves[first:stop], plies[first:stop]
            batch.random_game_all(setup, state, word, first, rng, scratch, moves, lengths, out)
        else:
            batch.playout_all(setup, state, word, first, rng, scratch, out)

    _prepare(work)
    began = time.perf_counter()
    in_blocks(count, work, threads, progress)
    return Playouts(scores, time.perf_counter() - began, threads)


def random_games(
    starts: Position | Iterable[Position],
    count: int = 10_000,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> RandomGames:
    """Play games of uniformly random legal moves, and return every move.

    Outcomes of chance come by their probabilities. The positions are unchanged.

    Parameters
    ----------
    starts
        One or several positions, of one game and one number of seats. Each begins the same number
        of games, one after the other: with 10 starts and 1000 games, the first 100 are of the first
        start.
    count, seed, threads, progress
        As in :func:`playouts`. The moves take 4 bytes each, up to the longest game.

    Raises
    ------
    InvalidInput
        If there is no start, if they do not fit together, or if a number is out of range.

    Examples
    --------
    >>> import ludograph
    >>> games = ludograph.random_games([ludograph.make("flood", seed=s) for s in range(10)], 1000)
    >>> games.scores.shape, int(games.starts[-1])
    ((1000, 2), 9)
    """
    positions = [starts] if isinstance(starts, Position) else list(starts)
    _check_starts(positions)
    threads = _checked(count, threads)
    word = random_state(seed)[0]
    whose = (np.arange(count, dtype=np.int64) * len(positions) // count).astype(np.int32)
    ends = np.searchsorted(whose, np.arange(len(positions)), side="right")
    states = [position.state.copy() for position in positions]
    bounds = [_plies_left(position) for position in positions]
    scores = np.empty((count, positions[0].seats), np.float64)
    plies = np.empty(count, np.int32)
    pieces: dict[int, npt.NDArray[np.int32]] = {}

    def work(first: int, stop: int) -> None:
        while first < stop:
            start = int(whose[first])
            until = min(
                stop, int(ends[start]), first + max(1, BLOCK_MOVES // max(bounds[start], 1))
            )
            rng, scratch = np.zeros(1, np.uint64), np.empty_like(states[start])
            moves = np.empty((until - first, bounds[start]), np.int32)
            lengths, out = plies[first:until], scores[first:until]
            setup, state = positions[start].setup, states[start]
            batch.random_game_all(setup, state, word, first, rng, scratch, moves, lengths, out)
            pieces[first] = moves[:, : int(lengths.max())].copy()
            first = until

    _prepare(work)
    pieces.clear()
    began = time.perf_counter()
    in_blocks(count, work, threads, progress)
    seconds = time.perf_counter() - began
    moves = np.full((count, int(plies.max())), -1, np.int32)
    for first, piece in pieces.items():
        moves[first : first + len(piece), : piece.shape[1]] = piece
    return RandomGames(scores, seconds, threads, moves, plies, whose)


def _prepare(work: Callable[[int, int], None]) -> None:
    """Play the first game, so that threads and measured times do not wait for the compiler."""
    work(0, 1)


def _plies_left(position: Position) -> int:
    return max(0, rules.info(position.setup).ply_bound - position.ply)


def _checked(count: int, threads: int | None) -> int:
    """Return the number of threads."""
    for name, number, most in (("count", count, MOST_GAMES), ("threads", threads, MOST_THREADS)):
        if name == "threads" and number is None:
            continue
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
            raise InvalidInput(f"{name} must be a whole number from 1 to {most}, got {number!r}")
    return min(usable_cores() if threads is None else threads, count)


def _check_starts(positions: list[Position]) -> None:
    if not positions:
        raise InvalidInput("random_games: no start is given")
    for position in positions:
        if not isinstance(position, Position):
            raise InvalidInput(f"random_games: {position!r:.40} is not a position")
        first = positions[0]
        if position.game is not first.game or position.seats != first.seats:
            raise InvalidInput(
                f"random_games: the starts must be of one game and as many seats, got {first!r} "
                f"with {first.seats} and {position!r} with {position.seats}"
            )
