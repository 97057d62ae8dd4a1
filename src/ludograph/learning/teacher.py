"""Games of a strategy against itself, as samples to learn from.

The strategy is the teacher: its moves, or the visits of its search, are the targets for the policy.
Its games are better than those of a network that has learned nothing, so a network learns faster
from them. Later it improves by self-play (as the first networks for Go did: Silver et al.,
"Mastering the game of Go with deep neural networks and tree search", 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from ludograph.analysis.measure import is_mostly_points
from ludograph.errors import InvalidInput
from ludograph.games import AnyGame, Position
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.from_search import WIN
from ludograph.games.search_players import MctsPlayer
from ludograph.learning.samples import Samples, joined
from ludograph.learning.selfplay import (
    RANDOM_SHARE,
    SelfPlayGame,
    SelfPlayOptions,
    add_sample,
    begun_games,
    check_stop,
    samples_of,
)
from ludograph.players.spec import parse_player
from ludograph.rules import random_state
from ludograph.rules.observer import sizes_of

REFUSED = ("resign", "random")
"""Options of strategies that a teacher may not have: its games go to their end, and every move that
is not drawn here is a target."""

STRAY_SHARE = 0.03
"""The share of random moves after the opening, so that answers to weak moves are learned, too."""


@dataclass(frozen=True)
class Teacher:
    """A strategy of the game, with its options as texts."""

    strategy: str
    options: dict[str, str]


def teacher_of(text: str, game: AnyGame, seats: int) -> Teacher:
    """Return the teacher of a name such as ``mcts:sims=500``.

    Raises
    ------
    InvalidInput
        If it is not a strategy of the game for this number of seats, an option is wrong, or it
        resigns or plays random moves.
    """
    spec = parse_player(text, game, seats)
    if spec.kind != "strategy":
        raise InvalidInput(
            f"--teacher takes a strategy of {game.name}, as in mcts:sims=500, got {text!r}"
        )
    refused = [name for name in REFUSED if name in spec.options]
    if refused:
        raise InvalidInput(
            f"a teacher plays all its games to the end by its own moves: leave out {refused[0]}="
        )
    return Teacher(spec.target, spec.options)


def play_taught_games(
    starts: Sequence[Position],
    teacher: Teacher,
    options: SelfPlayOptions,
    seed: Sequence[int],
    *,
    stop: Event | None = None,
) -> Samples:
    """Play games of a teacher against itself to their end, and return their positions.

    Parameters
    ----------
    starts
        A start for each game, of one setup or of several on one board.
    options
        Those of self-play; only ``opening`` and ``root_share`` matter.
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
    for game in games:
        play_taught_game(game, teacher, options.root_share, rng, stop)
    return joined(list(samples_of(games)))


def play_taught_game(
    game: SelfPlayGame,
    teacher: Teacher,
    root_share: float,
    rng: np.random.Generator,
    stop: Event | None,
) -> None:
    """Play a game to its end; each seat has a player of its own."""
    position = game.position
    strategy = position.game.strategy(teacher.strategy)
    seeds = rng.integers(1 << 62, size=position.seats + 1).tolist()
    players: list[Any] = [strategy.create(teacher.options, seed) for seed in seeds[1:]]
    dice = random_state(seeds[0])
    codes = sizes_of(position.setup).codes
    if isinstance(players[0], MctsPlayer):
        search = players[0].prepare(position)
        if is_mostly_points(search.options, search.setup):
            root_share = 0.0
    analyses: list[AnalysisInfo | None] = []
    is_certain = position.seats == 2
    while not position.is_over:
        check_stop(stop)
        if position.is_chance:
            is_certain = False
            position.play_random(dice)
            continue
        legal = np.array(position.legal_moves())
        is_opening, draw = game.opening > 0, rng.random()
        if draw < (RANDOM_SHARE if is_opening else STRAY_SHARE):
            move = int(rng.choice(legal))
        else:
            assert position.turn is not None
            player = players[position.turn]
            move = int(player.choose(position))
            thoughts = getattr(player, "thoughts", lambda: None)()
            if is_opening:
                move = int(rng.choice(legal, p=odds_of(legal, move, thoughts)))
            else:
                policy = np.zeros(codes or legal.size, np.float32)
                policy[legal if codes else slice(None)] = target_of(legal, move, thoughts)
                add_sample(game, 0.0, 0.0, policy)
                analyses.append(thoughts)
        game.opening -= is_opening
        position.push(move)
    values = [value_of(each, root_share, is_certain=is_certain) for each in analyses]
    game.roots, game.shares = [root for root, _ in values], [share for _, share in values]


def target_of(
    legal: npt.NDArray[np.int64], move: int, thoughts: AnalysisInfo | None
) -> npt.NDArray[np.float64]:
    """Return the target for the policy: the odds of the moves.

    If the value is proven, the move that the teacher chose has all: a search ends with a proof,
    maybe after few visits, and of other moves.
    """
    is_proven = thoughts is not None and thoughts.proven
    return odds_of(legal, move, None if is_proven else thoughts)


def odds_of(
    legal: npt.NDArray[np.int64], move: int, thoughts: AnalysisInfo | None
) -> npt.NDArray[np.float64]:
    """Return the share of each legal move in the visits of a search.

    Without visits, the move that the teacher chose has all.
    """
    visits = {
        each.move: each.visits for each in (thoughts.moves if thoughts else ()) if each.visits
    }
    odds = np.array([visits.get(each, 0) for each in legal.tolist()], float)
    if not odds.any():
        odds = (legal == move).astype(float)
    return odds / odds.sum()


def value_of(
    thoughts: AnalysisInfo | None, root_share: float, *, is_certain: bool
) -> tuple[float, float]:
    """Return a teacher's value of a position from -1, lost, to 1, won, and its share in the target.

    Values that are not chances to win do not count.

    Parameters
    ----------
    root_share
        The share of a value that is not a certain result.
    is_certain
        Whether a proven value is a certain result, as in games of two without chance. It is the
        whole target: a win if it is above the middle, also if wins by more points are worth more.
    """
    if thoughts is None or thoughts.value is None or thoughts.measure != WIN:
        return 0.0, 0.0
    value = 2.0 * thoughts.value - 1.0
    if thoughts.proven and is_certain:
        return float(np.sign(value)), 1.0
    return value, root_share
