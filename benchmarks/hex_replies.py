"""Answers to first moves of Hex: what a search thinks of them, and who wins the games after them.

    python benchmarks/hex_replies.py --size 11 --lines a11-a10,a11,i2-k2,i2

A line has a first move and an answer. One without an answer takes that of the longest search. For
each line are printed, without the pie rule:

- for each number of ``--sims``: the value that a search of the first move gives this answer, for
  the answering color, the share of its visits, and its rank by visits;
- the share of ``--games`` that the answering color wins, played by ``mcts`` against itself with
  ``--game-sims`` a move until the winner is proven, and the number of different games after eight
  more plies. The first ``VARIED`` plies after the answer are drawn by visits, so that games differ.

If the value is far from the share, the search misjudges the answer.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

from ludograph import hex
from ludograph.games.from_search import value_of
from ludograph.games.hex import HexPosition
from ludograph.games.hex.strategies import HexMcts

VARIED = 6
"""The plies after the answer that are drawn by visits."""

COMPARED = 8
"""The plies after the answer by which games are told apart."""


class Thought(NamedTuple):
    """What a search thinks of an answer."""

    value: float | None
    share: float
    rank: int


def thoughts(position: HexPosition, sims: int) -> dict[int, Thought]:
    """Return what a search of a position thinks of its moves, the most visited first."""
    player = HexMcts(1, sims=sims, openings="off")
    player.choose(position.copy())
    found = player.found
    assert found is not None
    order = np.argsort(-found.visits, kind="stable")
    total = found.visits.sum()
    return {
        int(found.moves[place]): Thought(
            value_of(found, int(place)), float(found.visits[place] / total), rank
        )
        for rank, place in enumerate(order, 1)
    }


def winner(position: HexPosition, seed: int, sims: int) -> tuple[int, tuple[int, ...]]:
    """Play the search against itself; return the winning seat and the first plies of the game."""
    player, rng = HexMcts(seed, sims=sims, openings="off"), np.random.default_rng(seed)
    begun, won_by = position.ply, None
    while won_by is None:
        move, found = player.choose(position), player.found
        assert found is not None
        info = player.thoughts()
        if info is not None and info.proven:
            won_by = position.turn if info.value == 1 else 1 - position.turn
        elif position.ply < begun + VARIED:
            move = int(rng.choice(found.moves, p=found.visits / found.visits.sum()))
        position.push(move)
        won_by = won_by if not position.is_over else position.outcome().winner
    return won_by, tuple(position.history[: begun + COMPARED])


def look_at(line: str, options: argparse.Namespace) -> None:
    """Print what is thought of an answer, and who wins after it."""
    start = hex.position(options.size, pie=False)
    first, *answers = map(start.parse, line.split("-"))
    after = start.copy()
    after.push(first)
    searches = {sims: thoughts(after, sims) for sims in options.sims}
    answer = answers[0] if answers else next(iter(searches[max(options.sims)]))
    parts = []
    for sims, found in searches.items():
        value, share, rank = found[answer]
        shown = "none" if value is None else f"{value:.2f}"
        parts.append(f"{sims} simulations: {shown}, {100 * share:.2f} % of visits, rank {rank}")
    print(f"{start.text(first)}-{start.text(answer)}: " + "; ".join(parts), flush=True)
    wins, games = 0, set()
    for seed in range(options.games):
        position = after.copy()
        position.push(answer)
        won_by, plies = winner(position, seed, options.game_sims)
        wins += won_by == after.turn
        games.add(plies)
    print(
        f"  won {wins} of {options.games} games with {options.game_sims} simulations a move, "
        f"{len(games)} different",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--lines", default="a11-a10,a11,i2-k2,i2")
    parser.add_argument(
        "--sims", type=lambda text: list(map(int, text.split(","))), default="3000,30000,300000"
    )
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--game-sims", type=int, default=1500)
    options = parser.parse_args()
    for line in options.lines.split(","):
        look_at(line, options)


if __name__ == "__main__":
    main()
