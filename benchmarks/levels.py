"""How strong the opponents are that the forms of pages offer: a rated round robin of each game.

    python benchmarks/levels.py [--pairs 6] [--write] [GAME...]

The players are each game's quick built-in ones, `mcts` with some numbers of simulations, and the
those of `RIVALS`. They meet on the game's usual start after two
random moves, each pairing with exchanged seats. The game's first anchor has a rating of 1000.
Players that are less than a step apart count as one level, and the one with most simulations
represents it. The levels, from beginner to best, are printed; with `--write` they are saved for the
pages in `levels.json` of the game.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

from measure import chosen

from ludograph import play_match
from ludograph.arena import rate
from ludograph.arena.rendering import elo_text, interval_text
from ludograph.arena.results import Results
from ludograph.games.position import Position
from ludograph.games.registry import declaration, load, names
from ludograph.web.games.opponent_levels import FILE

SIMULATIONS = (30, 200, 1000)
ANCHOR_ELO = 1000.0
STEP = 60.0
OPENING = 2
RIVALS = {"hex": ("mcts:sims=300,network=off", "mcts:sims=2000,network=off")}
"""Further players, by game."""


def candidates(name: str) -> list[str]:
    """Return the players that may be a level: those whose play does not depend on a clock."""
    game = load(declaration(name))
    quick = [each for each, own in game.strategies.items() if not own.options]
    searching = [f"mcts:sims={sims}" for sims in SIMULATIONS] if "mcts" in game.strategies else []
    return list(
        dict.fromkeys(
            [*declaration(name).anchors, *sorted(quick), *searching, *RIVALS.get(name, ())]
        )
    )


def opened(position: Position, rng: random.Random) -> Position:
    """Return a start after some random moves: players without dice would repeat their games."""
    for _ in range(OPENING):
        if position.turn is not None and not position.is_over:
            position.push(rng.choice(sorted(position.legal_moves())))
    return position


def played(name: str, players: list[str], pairs: int) -> Results:
    """Play all pairings; return the games."""
    found = []
    starts = [
        opened(load(declaration(name)).position(seed=seed), random.Random(seed))
        for seed in range(pairs)
    ]
    for one, other in combinations(players, 2):
        for seed, start in enumerate(starts):
            for seating in ((one, other), (other, one)):
                result = play_match(start, list(seating), seed=seed, chance_seed=seed)
                ranks = tuple(result.outcome.ranks)
                found.append((seed, seating, ranks))
    return Results.of(found)


def simulations(player: str) -> int:
    """Return how many simulations a player makes for a move; 0 if it makes none."""
    found = re.search(r"\bsims=(\d+)", player)
    return int(found[1]) if found else 0


def levels(name: str, pairs: int) -> list[dict[str, Any]]:
    """Return the levels of a game, the weakest first."""
    players = candidates(name)
    anchor = declaration(name).anchors[0]
    games = played(name, players, pairs).sorted()
    rated = rate(games, players, anchor=anchor, anchor_elo=ANCHOR_ELO, prior=1.0)
    apart: list[dict[str, Any]] = []
    for one in rated.table:  # the best first
        print(f"  {elo_text(one).lstrip('+'):>6}  {one.player:16} {interval_text(one)}")
        if one.elo is None:  # nothing ties it to the anchor
            continue
        level = {"player": one.player, "elo": round(one.elo)}
        if not apart or one.elo <= apart[-1]["elo"] - STEP:
            apart.append(level)
        elif simulations(one.player) > simulations(apart[-1]["player"]):
            apart[-1] = level
    return apart[::-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--pairs", type=int, default=6, help="of games with exchanged seats")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for name in chosen(parser, options.games, names()):
        began = time.perf_counter()
        print(name)
        found = levels(name, options.pairs)
        print(f"  {len(found)} levels, {time.perf_counter() - began:.0f} s")
        if options.write:
            path = Path(str(files(declaration(name).package) / FILE))
            path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
