"""How often a player beats others, in games from the same starts on every seat.

    python benchmarks/strength.py
    python benchmarks/strength.py flood mcts:time=0.05 minimax:time=0.05 --starts 50 --jobs 2
    python benchmarks/strength.py hex mcts:time=0.1 mcts:time=0.1 --older ../older
    python benchmarks/strength.py hex mcts:sims=1000 benchmarks/players/openspiel_hex.py:time=1
    python benchmarks/strength.py penguins mcts:time=0.1 minimax:time=0.1 \\
        --start "penguins.position(seats=3, penguins=2, seed=seed)"

Without arguments a search of each game plays against another player. Each strategy plays in a
process of its own. Its searches read the clock of that process, so `time` is processor time, and a
busy machine slows all alike. With `--older` the second player is that of another checkout (`git
worktree add ../older <commit>`). The second player has all seats but one.

Games of a start differ only in their seating. A start is an expression of Python in which `seed` is
its number. Where that changes nothing, the game's own openings follow (near-even first stones in
Hex), or else two random moves.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from ludograph import Position, amazons, boards, carcassonne, flood, hex, penguins, play_match
from ludograph.arena.intervals import of_points, of_starts

NAMES = {
    "amazons": amazons,
    "boards": boards,
    "carcassonne": carcassonne,
    "flood": flood,
    "hex": hex,
    "penguins": penguins,
}
"""What the expression of a start may name."""

STARTS = {
    "amazons": "amazons.position(8, queens=4)",
    "carcassonne": "carcassonne.position()",
    "flood": "flood.position(boards.square(12), colors=6, seed=seed)",
    "hex": "hex.position(11, pie=False)",
    "penguins": "penguins.position(penguins.board('full-hexa', 8), penguins=2, seed=seed)",
}

DUELS = {
    "amazons": ("mcts:time=0.1", "minimax:time=0.1"),
    "carcassonne": ("mcts:time=0.05", "greedy"),
    "flood": ("mcts:time=0.05", "minimax:time=0.05"),
    "hex": ("mcts:time=0.1", "connex"),
    "penguins": ("mcts:time=0.1", "line"),
}

OPENINGS = {"hex": "near-even"}

RANDOM_MOVES = 2

HERE = Path(__file__).resolve().parent.parent

WORKER = """
import sys, time
time.perf_counter = time.process_time
from ludograph import amazons, boards, carcassonne, flood, hex, penguins
name, _, options = sys.argv[1].partition(":")
values = dict(part.split("=") for part in options.split(",") if part)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "start":
        number, _, start = rest.partition(" ")
        position = eval(start, {**globals(), "seed": int(number)})
        player = position.game.strategy(name).create(values, int(number))
        continue
    for move in rest.split()[position.ply :]:
        position.play(int(move))
    print(player.choose(position.copy()), flush=True)
"""


class Version:
    """A strategy as a checkout has it, in a process of its own.

    Attributes
    ----------
    start
        The number of the next game's start, and its expression.
    """

    def __init__(self, text: str, checkout: Path) -> None:
        self.start = ""
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER, text],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout.resolve() / "src")},
        )

    def prepare(self, _: Position) -> None:
        """Begin a game with a fresh player."""
        print("start", self.start, file=self._process.stdin, flush=True)

    def choose(self, position: Position) -> int:
        """Return the move of the other process."""
        print("moves", *position.history, file=self._process.stdin, flush=True)
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())


@cache
def player_of(text: str, checkout: Path, place: int) -> str | Version:  # noqa: ARG001
    """Return a player of this process; those at two places share nothing."""
    is_file = Path(text.partition(":")[0]).is_file()
    return text if is_file else Version(text, checkout)


def started(game: str, start: str, number: int) -> Position:
    """Return a start by its number."""
    position: Position = eval(start, NAMES, {"seed": number})
    if "seed" in start or position.is_chance:
        return position
    if game in OPENINGS and not position.is_variant:
        lines = position.game.solving.openings(OPENINGS[game], position)
        for text in lines[number % len(lines)].split():
            position.play(position.parse(text))
        return position
    rng = random.Random(number)
    for _ in range(RANDOM_MOVES):
        position.play(rng.choice(sorted(position.legal_moves())))
    return position


class Round(NamedTuple):
    """The games of one start; in each the first player has another seat.

    Attributes
    ----------
    points
        The share of opponents behind it; those level with it count half.
    leads
        Its score less the mean of the others'.
    """

    points: list[float]
    leads: list[float]


def play_round(game: str, start: str, one: str, other: str, older: Path, number: int) -> Round:
    """Play all games of a start."""
    position = started(game, start, number)
    points, leads = [], []
    for seat in range(position.seats):
        players = [
            player_of(one, HERE, 0) if place == seat else player_of(other, older, 1 + place)
            for place in range(position.seats)
        ]
        for player in players:
            if isinstance(player, Version):
                player.start = f"{number} {start}"
        match = play_match(position, players, seed=number, chance_seed=number)
        if match.faults:
            raise SystemExit(f"start {number}: {match.sentence}")
        scores, ranks = list(match.outcome.scores), list(match.outcome.ranks)
        own, rank = scores.pop(seat), ranks.pop(seat)
        behind = sum((each > rank) + 0.5 * (each == rank) for each in ranks)
        points.append(behind / len(ranks))
        leads.append(own - sum(scores) / len(scores))
    return Round(points, leads)


def play_starts(game: str, one: str, other: str, options: argparse.Namespace) -> None:
    """Play all starts of a game, and print the result."""
    start = options.start or STARTS[game]
    older = options.older.resolve()
    play = partial(play_round, game, start, one, other, older)
    rounds: list[Round] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for found in pool.map(play, range(options.first, options.first + options.starts)):
            rounds.append(found)
            print(f"\r{len(rounds)} of {options.starts} starts", end="", file=sys.stderr)
    print(file=sys.stderr)
    points = of_points([found.points for found in rounds])
    lead = of_starts([found.leads for found in rounds]).mean
    leads = [sum(found.leads) for found in rounds]
    print(
        f"{one} against {other}{' of the older checkout' if older != HERE else ''}: {start}, "
        f"{len(rounds)} starts, {sum(len(found.points) for found in rounds)} games\n"
        f"  points {100 * points.mean:.1f} % ({100 * points.low:.1f} to {100 * points.high:.1f})\n"
        f"  scores {lead:+.2f} a game, more in {sum(each > 0 for each in leads)} starts, "
        f"fewer in {sum(each < 0 for each in leads)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", choices=sorted(STARTS))
    parser.add_argument("one", nargs="?", help="a strategy, or a player's file")
    parser.add_argument("other", nargs="?", help="the player of all other seats")
    parser.add_argument("--older", type=Path, default=HERE, help="the other player's checkout")
    parser.add_argument("--start", help="an expression of Python")
    parser.add_argument("--starts", type=int, default=20, help="how many")
    parser.add_argument("--first", type=int, default=0, help="number of the first start")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if bool(options.one) != bool(options.other):
        parser.error("there are two players")
    for game in [options.game] if options.game else sorted(STARTS):
        one, other = (options.one, options.other) if options.other else DUELS[game]
        play_starts(game, one, other, options)


if __name__ == "__main__":
    main()
