"""Games of a network against itself, in lockstep, as samples to learn from.

Most moves are chosen by a short search, some by a long one. Only long searches give targets for the
policy; all positions give targets for values: so the same work gives many more results of games
(playout cap randomization: Wu, "Accelerating self-play learning in Go", 2019). Searches are those
of Gumbel AlphaZero, whose policies are good targets even after few simulations. The first moves are
partly random, so that games differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from ludograph.games import Position
from ludograph.learning.samples import Samples, joined, narrowest, spans
from ludograph.rules import TURN, Moves, Setup, compiled, random_state
from ludograph.rules.batch import States
from ludograph.rules.features import Features, observe
from ludograph.rules.observer import Observer, sizes_of
from ludograph.search.batched import BatchedSearch, Evaluate, Gumbel
from ludograph.search.batched.searches import shared_setups
from ludograph.search.values import reward_ranks

ROWS = 256
"""The most positions observed at once, because of the memory for their moves."""

SIZES = 16
"""The numbers of positions searched at once while the last games end."""

RANDOM_SHARE = 0.3
"""The share of random legal moves among the first moves; the others are drawn from the policy."""


@dataclass(frozen=True)
class SelfPlayOptions:
    """The options of self-play.

    Attributes
    ----------
    sims, short_sims
        Simulations of a long and of a short search.
    long_share
        The probability that a move is chosen by a long search.
    opening
        The mean number of first moves of a game that are drawn by the policy, or at random; None:
        by the length of random games.
    root_share
        The share of a search's value in the target of a position; the rest is the result.
    """

    sims: int = 32
    short_sims: int = 8
    long_share: float = 0.25
    opening: float | None = None
    root_share: float = 0.25


@dataclass(eq=False)
class SelfPlayGame:
    """A running game.

    Attributes
    ----------
    opening
        The number of moves still drawn by the policy; their positions are not samples.
    states, turns, roots, shares, policies
        For each sampled position: its state ``int32[state_size]``, the seat to move, the value of
        its search for that seat (from -1, lost, to 1, won), the share of this value in the target
        (0 to 1), and the policy over actions of a long search; None for a short one.
    """

    position: Position
    opening: int
    states: list[npt.NDArray[np.int32]] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    roots: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    policies: list[npt.NDArray[np.float32] | None] = field(default_factory=list)


def play_games(
    starts: Sequence[Position],
    evaluate: Evaluate,
    options: SelfPlayOptions,
    seed: Sequence[int],
    *,
    threads: int = 1,
    stop: Event | None = None,
) -> Samples:
    """Play games to their end, and return their positions.

    Parameters
    ----------
    starts
        A start for each game, of one setup or of several on one board.
    evaluate
        Of :class:`~ludograph.search.batched.searches.BatchedSearch`, with ``touches=True``.
    seed
        The seeds of all random draws.
    stop
        When it is set, the games end.

    Raises
    ------
    Stopped
        If the games ended early.
    """
    rng = np.random.default_rng(seed)
    games = begun_games(starts, options, rng)
    dice = random_state(int(rng.integers(1 << 62)))
    step = max(1, len(games) // SIZES)

    def search_of(simulations: int) -> BatchedSearch:
        chosen = Gumbel(considered=min(16, max(2, simulations)))
        return BatchedSearch(
            evaluate, simulations=simulations, selection=chosen, touches=True, threads=threads
        )

    long, short = search_of(options.sims), search_of(options.short_sims)
    while True:
        check_stop(stop)
        for game in games:
            while game.position.is_chance:
                game.position.play_random(dice)
        running = [game for game in games if not game.position.is_over]
        if not running:
            break
        order = rng.permutation(len(running)).tolist()
        thorough = int(options.long_share * len(running) + rng.random())
        for rows, search in ((order[:thorough], long), (order[thorough:], short)):
            if rows:
                chosen = [running[row] for row in rows]
                is_long, share = search is long, options.root_share
                play_moves(search, chosen, rng, is_long=is_long, root_share=share, step=step)
    return joined(list(samples_of(games)))


class Stopped(Exception):
    """Games have ended early, because nobody waits for them any more."""


def check_stop(stop: Event | None) -> None:
    """Raise Stopped if games are to end early."""
    if stop is not None and stop.is_set():
        raise Stopped


def begun_games(
    starts: Sequence[Position], options: SelfPlayOptions, rng: np.random.Generator
) -> list[SelfPlayGame]:
    """Return a game from each start, with a drawn number of moves in its opening."""
    counts = np.floor(rng.exponential(options.opening or 0.0, len(starts)))
    return [
        SelfPlayGame(start.copy(), int(count)) for start, count in zip(starts, counts, strict=True)
    ]


def add_sample(
    game: SelfPlayGame, root: float, share: float, policy: npt.NDArray[np.float32] | None
) -> None:
    """Add the present position of a game to its samples, see :class:`SelfPlayGame`."""
    game.states.append(game.position.state.copy())
    game.turns.append(int(game.position.state[TURN]))
    game.roots.append(root)
    game.shares.append(share)
    game.policies.append(policy)


def play_moves(
    search: BatchedSearch,
    games: Sequence[SelfPlayGame],
    rng: np.random.Generator,
    *,
    is_long: bool,
    root_share: float,
    step: int,
) -> None:
    """Choose a move for each game by a search, and play it.

    Parameters
    ----------
    is_long
        Whether the search's policy is a target.
    root_share
        The share of the search's value in the target.
    step
        Positions are padded to a multiple of this number, because a search reuses its memory for
        equally many positions.
    """
    searched = [game.position for game in games]
    searched += searched[:1] * (-len(games) % step)
    found = search.search(searched, seeds=rng.integers(1 << 62, size=len(searched)).tolist())
    by_code = search.observer is not None and search.observer.by_code
    for row, game in enumerate(games):
        move = int(found.moves[row])
        if game.opening:
            game.opening -= 1
            legal = np.array(game.position.legal_moves())
            odds = found.policy[row][legal if by_code else slice(len(legal))].astype(np.float64)
            if rng.random() < RANDOM_SHARE:
                odds = np.ones(len(legal))
            move = int(rng.choice(legal, p=odds / odds.sum()))
        else:
            policy = found.policy[row].copy() if is_long else None
            add_sample(game, float(found.values[row]), root_share, policy)
        game.position.push(move)


def samples_of(games: Sequence[SelfPlayGame]) -> Iterator[Samples]:
    """Yield the positions of finished games, some at a time."""
    setups, numbers = shared_setups([game.position.setup for game in games])
    for number, setup in enumerate(setups):
        own = [game for game, other in zip(games, numbers, strict=True) if other == number]
        yield from samples_of_setup(setup, own)


def samples_of_setup(setup: Setup, games: Sequence[SelfPlayGame]) -> Iterator[Samples]:
    """Yield the positions of finished games of one setup."""
    seats = games[0].position.seats
    ends = np.array([game.position.state for game in games], np.int32)
    finals = final_views(setup, ends, seats)
    values = np.concatenate([values_of(game, seats) for game in games])
    states = [state for game in games for state in game.states]
    policies = [policy for game in games for policy in game.policies]
    final = [seats * row + turn for row, game in enumerate(games) for turn in game.turns]
    for first in range(0, len(states), ROWS):
        part = slice(first, first + ROWS)
        rows = np.array(final[part])
        kept, places = np.unique(rows, return_inverse=True)
        yield observed(
            setup,
            np.array(states[part]),
            policies[part],
            values[part],
            places.astype(np.int32),
            narrowest(finals[kept]),
        )


def values_of(game: SelfPlayGame, seats: int) -> Features:
    """Return the targets of a game's positions: ``float32[positions, values]``."""
    results = np.zeros(seats, np.float32)
    reward_ranks(np.array(game.position.scores()), results)
    turns = np.array(game.turns, np.int64)[:, None]
    values = results[(turns + np.arange(1 if seats == 2 else seats)) % seats]
    roots, shares = (np.array(each, np.float32) for each in (game.roots, game.shares))
    values[:, 0] += shares * (roots - values[:, 0])
    return values


def final_views(setup: Setup, ends: States, seats: int) -> Features:
    """Return each seat's view of the ends of games: ``float32[games * seats, n, features]``."""
    sizes = sizes_of(setup)
    vertices = np.zeros((len(ends) * seats, sizes.vertices, sizes.vertex_features), np.float32)
    observe_ends(setup, ends, vertices, np.zeros(sizes.game_features, np.float32))
    return vertices


def observed(
    setup: Setup,
    states: States,
    policies: Sequence[npt.NDArray[np.float32] | None],
    values: Features,
    final: Moves,
    finals: npt.NDArray[Any],
) -> Samples:
    """Return positions as samples."""
    observer = Observer(setup, len(states), touches=True)
    observer.observe(setup, states, 0)
    seen, counts = observer.arrays, observer.counts.copy()
    capacity = seen["moves"].shape[1]
    rows = np.repeat(np.arange(len(states)), counts)
    places = spans(np.zeros(len(states), np.int64), counts)
    ends = seen["ends"][rows, places]
    sizes = np.diff(ends, prepend=0)
    begins = places == 0
    sizes[begins] = ends[begins]
    totals = np.bincount(rows, sizes, len(states)).astype(np.int64)
    touched = seen["touched"][
        np.repeat(np.arange(len(states)), totals), spans(np.zeros(len(states), np.int64), totals)
    ]
    policy = np.zeros((len(states), capacity), np.float32)
    for row, found in enumerate(policies):
        if found is not None:
            own = seen["moves"][row, : counts[row]] if observer.by_code else slice(counts[row])
            policy[row, : counts[row]] = found[own]
    return Samples(
        vertices=narrowest(seen["vertices"]),
        game=seen["game"].copy(),
        counts=counts,
        kinds=seen["kinds"][rows, places],
        sizes=sizes.astype(np.int32),
        touched=touched,
        policy=policy[rows, places],
        weights=np.array([found is not None for found in policies], np.float32),
        values=values,
        final=final,
        finals=finals,
    )


@compiled
def observe_ends(setup: Setup, ends: States, vertices: Features, game: Features) -> None:
    """Write the observations of the ends of games, seat by seat."""
    seats = vertices.shape[0] // ends.shape[0]
    for row in range(ends.shape[0]):
        for seat in range(seats):
            observe(setup, ends[row], seat, vertices[row * seats + seat], game)


def touched_at_most(start: Position, seed: int) -> tuple[int, float]:
    """Return the most vertices of a move, and the mean plies, in three random games."""
    observer = Observer(start.setup, 1, touches=True)
    dice, most, plies = random_state(seed), 0, 0
    for _ in range(3):
        position = start.copy()
        while not position.is_over:
            if not position.is_chance:
                observer.observe(position.setup, position.state[None], 0)
                ends = observer.arrays["ends"][0, : observer.counts[0]]
                most = max(most, int(np.diff(ends, prepend=0).max(initial=0)))
                plies += 1
            position.play_random(dice)
    return most, plies / 3
