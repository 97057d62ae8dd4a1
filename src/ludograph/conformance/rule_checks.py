"""Checks of the rule contract on a Setup."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ludograph import rules
from ludograph.conformance.draw_checks import check_draws, check_weights
from ludograph.conformance.fault import require
from ludograph.conformance.hint_checks import check_bounds, check_ends, check_hints, check_prospects
from ludograph.conformance.key_checks import check_keys
from ludograph.conformance.observation_checks import check_observation, check_observation_sizes
from ludograph.conformance.plain_python import check_plain
from ludograph.rules import CHANCE, HEADER, OVER, PLY, TURN, GameInfo, Scores, Setup, State
from ludograph.rules.answers import fresh_state, moves_at, scores_at
from ludograph.rules.strict import FILLING, guarded
from ludograph.search.plain_games import UNWRITTEN, digest_of


def check_rules(setup: Setup, *, games: int = 5, seed: int = 0, interpreted: int = 1) -> None:
    """Check the rules of a Setup against the contract, on random games.

    Parameters
    ----------
    games
        The number of games to play with compiled rules.
    interpreted
        The number of these to play again as plain Python, which must agree in every slot.

    Raises
    ------
    ConformanceError
    """
    check_sizes(setup)
    check_observation_sizes(setup)
    fault = check_plain(setup, seed) if interpreted else None
    kept = digest_of(setup)
    for number in range(games):
        where = f"seed {seed + number}"
        trail = play_checked(setup, seed + number)
        if fault is not None:  # the compiler has not refused it
            raise fault
        check_kept(setup, kept, where)
        check_again(setup, seed + number, trail, "the same seed gives two different games")
        for state in trail[:-1]:
            check_hints(setup, state, where)
            check_observation(setup, state, where)
        check_draws(setup, trail, seed + number)
        check_keys(setup, trail, seed + number)
        check_prospects(setup, trail, where)
        check_ends(setup, trail, where)
        for state in (trail[0], trail[len(trail) // 2]):
            check_playout(setup, state, seed + number)
        check_kept(setup, kept, where)
        if number < interpreted:
            check_interpreted(setup, seed + number, trail)
    check_together(setup, seed)
    if rules.info(setup).seats > 2:
        for number in range(games):
            check_drop(setup, seed + number)


def check_sizes(setup: Setup) -> None:
    """Check the sizes and bounds of a Setup's games."""
    info = rules.info(setup)
    require(
        isinstance(info, GameInfo),
        f"info must return rules.GameInfo(...), not {type(info).__name__}",
    )
    seats, size, low, high = info.seats, info.state_size, info.lowest_score, info.highest_score
    require(seats >= 1, f"there are {seats} seats")
    require(size >= HEADER, f"a state has {size} slots, turn and ply alone are {HEADER}")
    finite = np.isfinite(low) and np.isfinite(high)
    require(finite and low <= high, f"the score bounds are {low:g} to {high:g}")


def check_kept(setup: Setup, kept: bytes, where: str) -> None:
    """Check that the Setup, which all copies of a game share, is unchanged."""
    require(digest_of(setup) == kept, f"{where}: the rules have changed the setup")


def play_checked(setup: Setup, seed: int) -> list[State]:
    """Play a random game with checks at every ply; return its states."""
    where = f"seed {seed}"
    rng = rules.random_state(seed, 1)
    state, guard = guarded(np.full(rules.info(setup).state_size, UNWRITTEN, np.int32))
    twin, _ = guarded(~state, filling=FILLING + 1)  # otherwise equal if play reads beyond them
    rules.start(setup, state)
    rules.start(setup, twin)
    require(np.array_equal(state, twin), f"{where}: start leaves slots of the state as they were")
    capacity = rules.info(setup).move_capacity
    codes, code_guard = guarded(np.full(capacity, UNWRITTEN, np.int32))
    bound = rules.info(setup).ply_bound
    trail = [state.copy()]
    require(state[PLY] == 0, f"{where}: a fresh state has ply {state[PLY]}, not 0")
    while state[TURN] != OVER:
        at = f"{where}, ply {state[PLY]}"
        require(state[PLY] < bound, f"{at}: the game goes on beyond its bound of {bound} plies")
        turn, seats = int(state[TURN]), rules.info(setup).seats
        require(turn == CHANCE or 0 <= turn < seats, f"{at}: the turn is {turn}, of {seats} seats")
        before = state.copy()
        untouched = functools.partial(check_untouched, state, before, (guard, code_guard), at)
        count = rules.legal_moves(setup, state, codes)
        untouched("legal_moves")
        moves = codes[:count].tolist()
        require(1 <= count <= capacity, f"{at}: {count} legal moves, the capacity is {capacity}")
        require(len(set(moves)) == count, f"{at}: a legal move is listed twice in {moves}")
        require(min(moves) >= 0, f"{at}: a move has the code {min(moves)}, below 0")
        if state[TURN] == CHANCE:
            check_weights(setup, state, codes[:count], at)
            untouched("weights")
        rules.key(setup, state)
        untouched("key")
        for rule in (rules.scores, rules.evaluate):
            check_numbers(setup, state, rule, at)
            untouched(rule.__name__)
        move = int(rules.sample_move(setup, state, rng))
        require(move in moves, f"{at}: sample_move gave {move}, the legal moves are {moves}")
        untouched("sample_move")
        twin[:] = state
        rules.play(setup, state, move)
        rules.play(setup, twin, move)
        require(
            np.array_equal(state, twin),
            f"{at}: play makes two states of one state and the move {move}: it must depend on "
            "nothing else; chance is drawn at a state with the turn CHANCE",
        )
        require(
            rules.key(setup, state) == rules.key(setup, twin), f"{at}: equal states, unequal keys"
        )
        require(state[PLY] == before[PLY] + 1, f"{at}: playing {move} does not count one ply")
        require(guard(), f"{at}: play wrote beyond the end of the state")
        trail.append(state.copy())
    require(rules.legal_moves(setup, state, codes) == 0, f"{where}: there are moves after the end")
    check_bounds(setup, scores_at(setup, state), f"{where}: final scores")
    return trail


def check_untouched(
    state: State, before: State, guards: Iterable[Callable[[], bool]], at: str, name: str
) -> None:
    """Check that a rule that only looks at a state has not changed it, nor the memory beside."""
    require(np.array_equal(before, state), f"{at}: {name} has changed the state")
    require(all(guard() for guard in guards), f"{at}: {name} wrote beyond the end of its array")


def check_numbers(setup: Setup, state: State, rule: Callable[..., None], at: str) -> None:
    """Check that scores or estimates are written for each seat, and finite, at any time."""
    out, stands = guarded(np.full(rules.info(setup).seats, np.nan))
    rule(setup, state, out)
    require(
        np.isfinite(out).all(),
        f"{at}: {rule.__name__} gives {out.tolist()}: it must write a finite number for each seat",
    )
    require(stands(), f"{at}: {rule.__name__} wrote beyond the end of its array")
    if rule is rules.evaluate:
        check_bounds(setup, out, f"{at}: estimates of evaluate", estimated=True)


def check_again(setup: Setup, seed: int, trail: list[State], fault: str) -> None:
    """Check that the same seed gives the same game."""
    rng, state = rules.random_state(seed, 1), fresh_state(setup)
    for ply, expected in enumerate(trail[1:]):
        rules.play(setup, state, int(rules.sample_move(setup, state, rng)))
        require(np.array_equal(state, expected), f"seed {seed}, ply {ply}: {fault}")


def check_playout(setup: Setup, begin: State, seed: int) -> None:
    """Check that a playout ends the game and writes its scores."""
    results = []
    for _ in range(2):
        state = begin.copy()
        out = np.full(rules.info(setup).seats, np.nan)
        rules.playout(setup, state, rules.random_state(seed, 2), out)
        require(state[TURN] == OVER, f"seed {seed}: a playout does not end the game")
        check_bounds(setup, scores_at(setup, state), f"seed {seed}, playout: final scores")
        same = np.array_equal(out, scores_at(setup, state))
        require(same, f"seed {seed}: a playout writes other scores")
        results.append(out)
    require(
        np.array_equal(results[0], results[1]),
        f"seed {seed}: two playouts with one seed give different scores",
    )


TOGETHER, ENOUGH = 40, 30
"""The number of random games that are seen together, and the least number of those in which one
seat is estimated to be ahead for a judgement on the estimates."""


def check_together(setup: Setup, seed: int) -> None:
    """Check what no single game shows: turns of all seats, and estimates that favor who wins."""
    rng, info = rules.random_state(seed, 9), rules.info(setup)
    seats, bound = info.seats, info.ply_bound
    where = f"seed {seed}, {TOGETHER} random games"
    turns, told, longest = set[int](), list[list[int]](), 0
    for _ in range(TOGETHER):
        state, estimates = fresh_state(setup), list[Scores]()
        while state[TURN] != OVER:
            require(state[PLY] < bound, f"{where}: one goes on beyond its bound of {bound} plies")
            if state[TURN] != CHANCE:
                turns.add(int(state[TURN]))
                estimates.append(np.zeros(seats))
                rules.evaluate(setup, state, estimates[-1])
            rules.play(setup, state, int(rules.sample_move(setup, state, rng)))
        final, longest = scores_at(setup, state), max(longest, len(estimates))
        told.append([agreement(each, final) for each in estimates[-seats:]])
    idle = sorted(set(range(seats)) - turns)
    require(
        not idle or longest < 2 * seats,
        f"{where}: seat {idle and idle[0]} never has the turn: play must give it to each seat, by "
        f"state[TURN] from 0 to {seats - 1}",
    )
    wins, losses = (sum(game.count(one) for game in told) for one in (1, -1))
    require(
        wins * 4 >= losses or sum(map(any, told)) < ENOUGH,
        f"{where}: the seat that evaluate sees ahead at last wins {wins} times and loses {losses}: "
        "write the greatest number to out for the seat with the best prospects",
    )


def agreement(estimate: Scores, final: Scores) -> int:
    """Return 1 if the seat that is estimated to be ahead wins, -1 if it is last, else 0."""
    ahead = final[estimate.argmax()]
    return 0 if np.ptp(estimate) == 0 else int(ahead == final.max()) - int(ahead == final.min())


def check_interpreted(setup: Setup, seed: int, trail: list[State]) -> None:
    """Check that the rules as plain Python agree with the machine code in every slot."""
    for index, compiled_state in enumerate(trail):
        at = f"seed {seed}, ply {index}"
        compiled = observe(setup, compiled_state)
        with rules.interpreted():
            plain = observe(setup, compiled_state)
        for name, value in compiled.items():
            require(
                np.array_equal(value, plain[name]),
                f"{at}: {name} is {value} compiled and {plain[name]} as plain Python",
            )
    with rules.interpreted():
        check_again(setup, seed, trail, "plain Python plays another game than machine code")


def observe(setup: Setup, state: State) -> dict[str, Any]:
    """Return the results of all functions of the contract for a state."""
    estimate = np.zeros(rules.info(setup).seats)
    rules.evaluate(setup, state, estimate)
    return {
        "key": int(rules.key(setup, state)),
        "legal_moves": moves_at(setup, state),
        "scores": scores_at(setup, state),
        "evaluate": estimate,
    }


def check_drop(setup: Setup, seed: int) -> None:
    """Check that a dropped seat never moves again, and that the game still ends."""
    rng, state = rules.random_state(seed, 4), fresh_state(setup)
    seats = rules.info(setup).seats
    gone = int(rules.random_below(rng, seats))
    when = int(rules.random_below(rng, 2 * seats))
    bound = rules.info(setup).ply_bound
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
