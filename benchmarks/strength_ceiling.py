"""On how many boards of Flood greedy can be beaten from both seats: proven, not sampled.

    python benchmarks/strength_ceiling.py [--pairs 100] [--family torus]

Greedy is deterministic, so the best reply to it is a solo game: a depth-first search tries every
line of moves against it, passes included, and prunes only where greedy already has too many
vertices. If no line wins, no strategy wins. So this is an upper bound of the pairs that
`strength.py` counts, on the same boards.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from ludograph import boards, flood, rules
from ludograph.games.flood.zones import SIZE, gains_at, zone_at
from ludograph.rules import OVER, TURN, compiled

SEEN = 1 << 24
"""Slots for the keys of visited positions: a power of two."""

UNKNOWN, NO, YES = -1, 0, 1


@compiled
def greedy_reply(setup, state, codes):
    """Return the move of the strategy greedy."""
    first = gains_at(setup, state[TURN])
    best, gain = np.int64(setup.color_count), -1
    for index in range(rules.legal_moves(setup, state, codes)):
        color = codes[index]
        if color < setup.color_count and state[first + color] > gain:
            best, gain = np.int64(color), state[first + color]
    return best


@compiled
def answer_all(setup, state, codes, seat):
    """Play greedy's moves until it is this seat's turn."""
    while state[TURN] != OVER and state[TURN] != seat:
        rules.play(setup, state, greedy_reply(setup, state, codes))


@compiled
def can_reach(setup, line, codes, left, seen, seat, lead):
    """Tell whether a seat can end a game against greedy with this lead: YES, NO or UNKNOWN.

    ``line[0]`` is the state to start from, the other arrays are scratch. A lead of 1 is a win, a
    lead of 0 a draw or better. The answer is UNKNOWN if ``seen`` gets half full.
    """
    slots = seen.size - 1
    stored = depth = 0
    answer_all(setup, line[0], codes[0], seat)
    left[0] = rules.legal_moves(setup, line[0], codes[0])
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        state = line[depth + 1]
        rules.copy(line[depth], state)
        rules.play(setup, state, np.int64(codes[depth, left[depth]]))
        answer_all(setup, state, codes[depth + 1], seat)
        theirs = state[zone_at(1 - seat) + SIZE]
        if state[TURN] == OVER:
            if state[zone_at(seat) + SIZE] - theirs >= lead:
                return YES
            continue
        if setup.region_of.size - 2 * theirs < lead:
            continue
        key = rules.key(setup, state)
        slot = np.int64(key) & slots
        while seen[slot] != 0 and seen[slot] != key:
            slot = (slot + 1) & slots
        if seen[slot] == 0:
            seen[slot] = key
            stored += 1
            if 2 * stored > slots:
                return UNKNOWN
            depth += 1
            left[depth] = rules.legal_moves(setup, state, codes[depth])
    return NO


def best_points(family: str, seed: int) -> list[float]:
    """Return the points that each seat can win against greedy: 1, 0.5 or 0; nan if unknown."""
    position = flood.position(boards.family(family)(12), colors=6, seed=seed)
    setup = position.setup
    depth = rules.info(setup).ply_bound + 2
    line = np.zeros((depth, position.state.size), np.int32)
    codes = np.zeros((depth, setup.color_count + 1), np.int32)
    points = []
    for seat in (0, 1):
        answers = []
        for lead in (1, 0):
            line[0] = position.state
            scratch = np.zeros(depth, np.int64), np.zeros(SEEN, np.uint64)
            answers.append(can_reach(setup, line, codes, *scratch, seat, lead))
            if answers[-1] == YES:
                break
        known = UNKNOWN not in answers
        points.append((3 - len(answers)) / 2 * (answers[-1] == YES) if known else np.nan)
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--family", choices=("square", "donut", "hatched", "torus"), default="square"
    )
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        points = np.array(
            list(pool.map(partial(best_points, options.family), range(options.pairs)))
        )
    total = points.sum(axis=1)
    print(
        f"best play against greedy, {options.pairs} pairs on {options.family} 12 x 12 with "
        f"6 colors\n"
        f"  both games can be won                  {(total == 2).sum()} boards\n"
        f"  one can be won and one drawn           {(total == 1.5).sum()}\n"
        f"  greedy wins at least one               {(total <= 1).sum()}\n"
        f"  unknown                                {np.isnan(total).sum()}\n"
        f"  points at most                         {50 * np.nanmean(total):.1f} %"
    )


if __name__ == "__main__":
    main()
