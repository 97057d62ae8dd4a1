"""Two checkouts, each in a process of its own: the common part of the benchmarks of versions."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent

WORKER = """
import sys, time
time.perf_counter = time.process_time
from ludograph import amazons, boards, carcassonne, flood, hex, penguins
name, _, options = sys.argv[1].partition(":")
values = dict(part.split("=") for part in options.split(",") if part)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "game":
        seed, _, start = rest.partition(" ")
        position = eval(start)
        players = {}
        continue
    for move in rest.split()[position.ply :]:
        position.play(int(move))
    if position.turn not in players:  # seats share no memory
        players[position.turn] = position.game.strategy(name).create(values, int(seed))
    print(players[position.turn].choose(position.copy()), flush=True)
"""


class Version:
    """A checkout's player; its searches read the processor's clock."""

    def __init__(self, checkout: Path, player: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER, player],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        )

    def begin(self, start: str, seed: int) -> None:
        """Begin a game with a fresh player; the start is an expression of Python."""
        self._write(f"game {seed} {start}")

    def move(self, moves: list[int]) -> int:
        """Return the move after some others."""
        self._write(f"moves {' '.join(map(str, moves))}")
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()


def parser_of(doc: str, player: str, rounds: str = "pairs") -> argparse.ArgumentParser:
    """Return a parser of the options of all benchmarks of versions.

    Parameters
    ----------
    player
        The default player of both checkouts.
    rounds
        The unit of the number of games: the name of an option.
    """
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("older", type=Path)
    parser.add_argument(f"--{rounds}", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--player", default=player)
    parser.add_argument("--other", help="the older checkout's player; by default the same")
    return parser


@contextmanager
def versions_of(options: argparse.Namespace) -> Iterator[tuple[Version, Version]]:
    """Start this checkout's player and the older one's; end them after the block."""
    options.other = options.other or options.player
    this, older = Version(HERE, options.player), Version(options.older, options.other)
    yield this, older
    this.close()
    older.close()


def play(players: Sequence[Version], position: Any, start: str, moves: list[int], seed: int) -> Any:
    """Play a game after its first moves, a version on each seat; return the final position."""
    for move in moves:
        position.play(move)
    for version in set(players):
        version.begin(start, seed)
    while not position.is_over:
        moves.append(players[position.turn or 0].move(moves))
        position.play(moves[-1])
    return position


def add_older(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--older`` to a benchmark of rates, see :func:`tell_rates`."""
    parser.add_argument("--older", type=Path, help="a checkout to compare with")
    parser.add_argument("--rates", action="store_true", help=argparse.SUPPRESS)


def tell_rates(
    options: argparse.Namespace,
    rates: Callable[[], dict[str, float]],
    script: str,
    arguments: list[str],
) -> bool:
    """Print the rates as JSON, or a comparison with ``--older``; return whether one was wanted.

    Parameters
    ----------
    rates
        Returns the rates by name.
    script, arguments
        The path of the benchmark, and its arguments for each checkout.
    """
    if options.rates:
        print(json.dumps(rates()))
    elif options.older:
        compare_rates(script, options.older, arguments)
    return bool(options.rates or options.older)


def compare_rates(script: str, older: Path, arguments: list[str], repeats: int = 5) -> None:
    """Print the rates of an older checkout and of this one, which take turns: medians.

    Parameters
    ----------
    script
        A benchmark of this checkout, which prints its rates by name as JSON with ``--rates``.
    """
    found: dict[Path, list[dict[str, float]]] = {older: [], HERE: []}
    for _ in range(repeats):
        for checkout, rates in found.items():
            output = subprocess.run(
                [sys.executable, script, "--rates", *arguments],
                env={**os.environ, "PYTHONPATH": str(checkout.resolve() / "src")},
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            ).stdout
            rates.append(json.loads(output))
    for name in found[HERE][0]:
        before, now = (statistics.median(each[name] for each in found[at]) for at in (older, HERE))
        print(f"{name}: {before:,.0f}/s before, {now:,.0f}/s now, ratio {now / before:.2f}")
