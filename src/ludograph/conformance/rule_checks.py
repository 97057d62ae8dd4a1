"""Checks of the rule contract on a Setup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import require
from ludograph.conformance.guards import CANARY, guarded
from ludograph.conformance.search_checks import check_searched
from ludograph.rules import CHANCE, OVER, PLY, TURN, Moves, State, batch
from ludograph.search.mcts.hints import amaf_playout


def check_rules(
    setup: Any,
    *,
    games: int = 5,
    seed: int = 0,
    interpreted: int = 1,
    search_setup: Any = None,
) -> None:
    """Check that the rules for a Setup keep the contract, on random games.

    Parameters
    ----------
    games
        How many games to play with compiled rules.
    interpreted
        How many of them to play again as plain Python, which must agree in every slot.
    search_setup
        What searches play on, from :meth:`ludograph.games.Game.search_setup`; by default the same.

    Raises
    ------
    ConformanceError
    """
    searched = setup if search_setup is None else search_setup
    for number in range(games):
        trail = play_checked(setup, seed + number)
        check_repeatable(setup, seed + number, trail)
        check_searched(setup, searched, trail, f"seed {seed + number}")
        check_playout(setup, seed + number, rules.playout)
        check_playout(searched, seed + number, amaf_playout)
        if number < interpreted:
            check_interpreted(setup, seed + number, trail)
    check_batch(setup, seed)
    if rules.seat_count(setup) > 2:
        for number in range(games):
            check_drop(setup, seed + number)


def play_checked(setup: Any, seed: int) -> list[State]:
    """Play a random game with checks at every ply; return its states."""
    where = f"seed {seed}"
    rng = rules.random_state(seed, 1)
    state, guard = guarded(rules.state_size(setup), np.int32)
    rules.start(setup, state)
    capacity = rules.move_capacity(setup)
    codes, code_guard = guarded(capacity, np.int32)
    bound = rules.ply_bound(setup)
    trail = [state.copy()]
    require(state[PLY] == 0, f"{where}: a fresh state has ply {state[PLY]}, not 0")
    while state[TURN] != OVER:
        at = f"{where}, ply {state[PLY]}"
        require(state[PLY] < bound, f"{at}: the game goes on beyond its bound of {bound} plies")
        check_turn(setup, state, at)
        before = state.copy()
        count = rules.legal_moves(setup, state, codes)
        moves = codes[:count].tolist()
        require(1 <= count <= capacity, f"{at}: {count} legal moves, the capacity is {capacity}")
        require(len(set(moves)) == count, f"{at}: a legal move is listed twice in {moves}")
        require(min(moves) >= 0, f"{at}: a move has the code {min(moves)}, below 0")
        if state[TURN] == CHANCE:
            check_weights(setup, state, codes[:count], at)
        rules.key(setup, state)
        evaluate(setup, state, at)
        require(np.array_equal(before, state), f"{at}: looking at the state has changed it")
        move = int(rules.sample_move(setup, state, rng))
        require(move in moves, f"{at}: sample_move gave {move}, the legal moves are {moves}")
        require(np.array_equal(before, state), f"{at}: sample_move has changed the state")
        twin = state.copy()
        rules.play(setup, state, move)
        rules.play(setup, twin, move)
        require(np.array_equal(state, twin), f"{at}: a copy that plays {move} ends elsewhere")
        require(
            rules.key(setup, state) == rules.key(setup, twin), f"{at}: equal states, unequal keys"
        )
        require(state[PLY] == before[PLY] + 1, f"{at}: playing {move} does not count one ply")
        require(guard() and code_guard(), f"{at}: a kernel wrote beyond the end of its array")
        trail.append(state.copy())
    require(rules.legal_moves(setup, state, codes) == 0, f"{where}: there are moves after the end")
    check_scores(setup, state, where)
    return trail


def check_turn(setup: Any, state: State, at: str) -> None:
    """Check that the turn is a seat's or chance's."""
    seats = rules.seat_count(setup)
    turn = int(state[TURN])
    require(turn == CHANCE or 0 <= turn < seats, f"{at}: the turn is {turn}, of {seats} seats")


def check_weights(setup: Any, state: State, outcomes: Moves, at: str) -> None:
    """Check that the outcomes' probabilities are some."""
    weights, stands = guarded(outcomes.size, np.float64)
    rules.weights(setup, state, outcomes, weights)
    require(stands(), f"{at}: weights wrote beyond the end of its array")
    require((weights > 0).all(), f"{at}: an outcome has no probability above 0")
    total = weights.sum()
    require(abs(total - 1.0) < 1e-9, f"{at}: the probabilities sum to {total}, not 1")


def evaluate(setup: Any, state: State, at: str) -> None:
    """Check that scores and estimates are finite at any time."""
    out, stands = guarded(rules.seat_count(setup), np.float64)
    rules.scores(setup, state, out)
    require(np.isfinite(out).all(), f"{at}: the scores are {out.tolist()}")
    rules.evaluate(setup, state, out)
    require(np.isfinite(out).all(), f"{at}: the estimates are {out.tolist()}")
    require(stands(), f"{at}: scores wrote beyond the end of its array")


def check_scores(setup: Any, state: State, where: str) -> None:
    """Check the final scores against their declared bounds."""
    bounds = np.zeros(2)
    rules.score_bounds(setup, bounds)
    out = np.zeros(rules.seat_count(setup))
    rules.scores(setup, state, out)
    low, high = bounds.tolist()
    require(
        (out >= low).all() and (out <= high).all(),
        f"{where}: final scores {out.tolist()} are not within {low:g} to {high:g}",
    )


def check_repeatable(setup: Any, seed: int, trail: list[State]) -> None:
    """Check that the same seed gives the same game."""
    rng = rules.random_state(seed, 1)
    state = np.empty(rules.state_size(setup), np.int32)
    rules.start(setup, state)
    for expected in trail[1:]:
        rules.play(setup, state, int(rules.sample_move(setup, state, rng)))
        require(np.array_equal(state, expected), f"seed {seed}: it gave two different games")


def check_playout(setup: Any, seed: int, playout: Callable[..., None]) -> None:
    """Check that a playout ends the game and writes its scores."""
    results = []
    for _ in range(2):
        state = np.empty(rules.state_size(setup), np.int32)
        rules.start(setup, state)
        out = np.full(rules.seat_count(setup), np.nan)
        playout(setup, state, rules.random_state(seed, 2), out)
        require(state[TURN] == OVER, f"seed {seed}: a playout does not end the game")
        check_scores(setup, state, f"seed {seed}, playout")
        again = np.zeros_like(out)
        rules.scores(setup, state, again)
        require(np.array_equal(out, again), f"seed {seed}: a playout writes other scores")
        results.append(out)
    require(
        np.array_equal(results[0], results[1]),
        f"seed {seed}: two playouts with one seed give different scores",
    )


def check_interpreted(setup: Any, seed: int, trail: list[State]) -> None:
    """Check that the rules as plain Python agree with the machine code in every slot."""
    capacity = rules.move_capacity(setup)
    for index, compiled_state in enumerate(trail):
        at = f"seed {seed}, ply {index}"
        compiled = observe(setup, compiled_state, capacity)
        with rules.interpreted():
            plain = observe(setup, compiled_state, capacity)
        for name, value in compiled.items():
            require(
                np.array_equal(value, plain[name]),
                f"{at}: {name} is {value} compiled and {plain[name]} as plain Python",
            )
    rng = rules.random_state(seed, 1)
    with rules.interpreted():
        state = np.empty(rules.state_size(setup), np.int32)
        rules.start(setup, state)
        for index, expected in enumerate(trail[1:]):
            rules.play(setup, state, int(rules.sample_move(setup, state, rng)))
            require(
                np.array_equal(state, expected),
                f"seed {seed}, ply {index}: plain Python plays another game than machine code",
            )


def observe(setup: Any, state: State, capacity: int) -> dict[str, Any]:
    """Return all that the contract says about a state."""
    seen: dict[str, Any] = {"key": int(rules.key(setup, state))}
    codes = np.zeros(capacity, np.int32)
    seen["legal_moves"] = codes[: rules.legal_moves(setup, state, codes)].copy()
    for name, function in (("scores", rules.scores), ("evaluate", rules.evaluate)):
        out = np.zeros(rules.seat_count(setup))
        function(setup, state, out)
        seen[name] = out
    return seen


def check_batch(setup: Any, seed: int, games: int = 4) -> None:
    """Check that many states in one array play as each would alone."""
    size = rules.state_size(setup)
    states = np.full((games, size), CANARY, np.int32)
    batch.start_all(setup, states)
    alone = [np.empty(size, np.int32) for _ in range(games)]
    for state in alone:
        rules.start(setup, state)
    rng = rules.random_state(seed, 3)
    moves = np.zeros(games, np.int32)
    seats = rules.seat_count(setup)
    totals = np.zeros((games, seats))
    for _ in range(rules.ply_bound(setup) + 1):
        batch.sample_all(setup, states, rng, moves)
        if (moves < 0).all():
            break
        batch.play_all(setup, states, moves)
        batch.score_all(setup, states, totals)
        for game, state in enumerate(alone):
            if moves[game] >= 0:
                rules.play(setup, state, int(moves[game]))
            require(
                np.array_equal(states[game], state),
                f"seed {seed}: game {game} of a batch differs from the same game alone",
            )
            own = np.zeros(seats)
            rules.scores(setup, state, own)
            require(np.array_equal(own, totals[game]), f"seed {seed}: a batch scores otherwise")
    require((moves < 0).all(), f"seed {seed}: a batch of games does not end within its bound")


def check_drop(setup: Any, seed: int) -> None:
    """Check that a seat which is dropped never moves again and that the game still ends."""
    rng = rules.random_state(seed, 4)
    state = np.empty(rules.state_size(setup), np.int32)
    rules.start(setup, state)
    seats = rules.seat_count(setup)
    gone = int(rules.random_below(rng, seats))
    when = int(rules.random_below(rng, 2 * seats))
    bound = rules.ply_bound(setup)
    dropped = False
    while state[TURN] != OVER:
        at = f"seed {seed}, ply {state[PLY]}"
        require(state[PLY] <= bound, f"{at}: without seat {gone} the game goes on forever")
        if not dropped and state[PLY] >= when:
            rules.drop(setup, state, gone)
            dropped = True
            continue
        require(not dropped or state[TURN] != gone, f"{at}: seat {gone} moves after it was dropped")
        rules.play(setup, state, int(rules.sample_move(setup, state, rng)))
