"""How strong the shipped networks are on boards on which they have not learned.

    python benchmarks/network_transfer.py [GAME...] [--pairs 20] [--player net:sims=0]

Each line is a match of the network against the same player of its game: on a board on which it
learned, on boards 1.5 times as wide as the widest of a family, and on families that are new to it.
A pair is two games from one start with the seats exchanged, as in `network_strength.py`. The
interval of 95 % is computed from pairs.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
from measure import chosen
from network_strength import make
from pairs import play_pair

AGAINST = {
    "hex": "connex",
    "flood": "greedy",
    "penguins": "line",
    "amazons": "minimax:depth=1",
}

LEARNED, WIDER, UNSEEN = "learned", "1.5 times as wide", "unseen family"

BOARDS = {
    "hex": {
        "hexagonal:7": LEARNED,
        "hexagonal:11": LEARNED,
        "hexagonal:16": WIDER,
        "square:7": UNSEEN,
        "square:11": UNSEEN,
        "triangular:5": UNSEEN,
    },
    "flood": {
        "square:14": LEARNED,
        "penrose:8": LEARNED,
        "square:21": WIDER,
        "penrose:12": WIDER,
        "donut:15": UNSEEN,
        "torus:12": UNSEEN,
        "full-hexa:12": UNSEEN,
        "octo-tetra:12": UNSEEN,
        "dodeca-hexa-tetra:12": UNSEEN,
    },
    "penguins": {
        "full-hexa:8": LEARNED,
        "penrose:8": LEARNED,
        "full-hexa:12": WIDER,
        "square:12": WIDER,
        "donut:9": UNSEEN,
        "hatched:9": UNSEEN,
    },
    "amazons": {
        "square:8": LEARNED,
        "square:10": LEARNED,
        "square:15": WIDER,
        "full-hexa:8": UNSEEN,
        "donut:9": UNSEEN,
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(BOARDS)}")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--player", default="net:sims=0")
    options = parser.parse_args()
    print(f"{'board':<28} {'':<18} share of points of {options.player}, {options.pairs} pairs")
    for game in chosen(parser, options.games, BOARDS):
        for board, kind in BOARDS[game].items():
            start = partial(make, board=f"{game}/{board}")
            pairs = [
                play_pair(start, options.player, AGAINST[game], number)
                for number in range(options.pairs)
            ]
            points, margins = (np.array([pair[n] for pair in pairs]) for n in (0, 1))
            spread = 50 * 1.96 * points.std(ddof=1) / len(pairs) ** 0.5
            print(
                f"{game + ' ' + board:<28} {kind:<18} "
                f"{50 * points.mean():5.1f} % ± {spread:4.1f} against {AGAINST[game]}; more points "
                f"in {(margins > 0).sum()}, as many in {(margins == 0).sum()}",
                flush=True,
            )


if __name__ == "__main__":
    main()
