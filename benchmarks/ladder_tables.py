"""The time of the table of a ladder with 300 players and 100,000 games, and of its pages.

    python benchmarks/ladder_tables.py [--players 300] [--games 100000] [--repeat 3] [--folder F]

The results are simulated, with players of known strengths, and written into the store of a ladder.
Measured are, each as the median of some runs: the latest games read and all players rated (the work
of ``ladder table`` and of each new page), the texts of the ladder's page, the plan of the next
games, and the page of one player. The peer of the reading is the simple way of ``store games``: all
games one by one.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.simulated_games import SimulatedPlayers, named
from ludograph.arena import GameKey
from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.ladder import Entrant, Ladder, LadderFolder, State
from ludograph.arena.ladder.people import Role
from ludograph.arena.ladder.state import write_state
from ludograph.arena.ladder.table import ladder_now, schedule
from ludograph.arena.store import GameFilter, Store
from ludograph.arena.store.game_window import GameWindow
from ludograph.arena.store.history import latest_games, next_start
from ludograph.cli.declared_files import file_text, read_ladder
from ludograph.games.registry import declaration
from ludograph.web.ladder import shown_ladders
from ludograph.web.ladder.ladders import LadderPages
from ludograph.web.ladder.shown_ladders import player_games, shown_ladder
from ludograph.web.server.tokens import Visitor

LIMIT = 0.5
"""Seconds of a processor for a table."""

NEAR = 30
"""Players play against others of similar strength, at most this number of ranks away."""


def simulated(ladder: Ladder, players: int, games: int) -> State:
    """Write the games of simulated players into a ladder's store; return its state."""
    random = np.random.default_rng(1)
    elo = named(np.sort(random.normal(1000, 300, players)))
    files = {name: hashlib.sha256(name.encode()).hexdigest() for name in elo}
    anchors = {
        spec.text: float(value)
        for spec, value in zip(ladder.anchors, (1000, 700, 200), strict=False)
    }
    strengths = {**{f"{name}.py": value for name, value in elo.items()}, **anchors}
    names = sorted(strengths, key=strengths.__getitem__)
    world = SimulatedPlayers(strengths)
    with Store(ladder.folder.store) as store:
        number = store.enroll(ladder.key, ladder.game.name, ladder.declaration)
        versions = {f"{name}.py": digest for name, digest in files.items()}
        for start in range(games // 2):
            one = int(random.integers(len(names)))
            near = [place for place in range(one - NEAR, one + NEAR + 1) if place != one]
            other = int(random.choice([place for place in near if 0 <= place < len(names)]))
            pair = (names[one], names[other])
            for _, seating, ranks in world.play([GameKey(start, pair), GameKey(start, pair[::-1])]):
                store.add(number, finished(start, seating, ranks, start), versions)
    entrants = [Entrant(f"{name}.py", digest) for name, digest in files.items()]
    return State(number, [*entrants, *(Entrant(name) for name in anchors)])


def finished(
    start: int, seating: tuple[str, ...], ranks: tuple[int, ...], line: int
) -> FinishedGame:
    """Return a simulated game as a referee writes it; its line of moves is unique."""
    seats = tuple(
        SeatResult(name, rank, float(2 - rank), 10, 0.1)
        for name, rank in zip(seating, ranks, strict=True)
    )
    return FinishedGame(
        start=start,
        seed=0,
        board="square 5x5",
        reason="finished",
        plies=20,
        sentence=f"{seating[0]} has played.",
        seats=seats,
        record=b"",
        line=2 * line + (seating[0] < seating[1]),
    )


def seconds(work: Callable[[], object], repeat: int) -> tuple[float, float]:
    """Return the medians of wall time and processor time of some runs."""
    took = []
    for _ in range(repeat):
        start, used = time.perf_counter(), time.process_time()
        work()
        took.append((time.perf_counter() - start, time.process_time() - used))
    return statistics.median(wall for wall, _ in took), statistics.median(used for _, used in took)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", help="the folder of the temporary store")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as path:
        folder = LadderFolder(Path(path))
        folder.players.mkdir()
        text = file_text(
            folder.path, declaration("flood"), {"board": "5"}, store="", clock="5s", seats=2
        )
        folder.declaration.write_text(text)
        ladder = read_ladder(folder)
        began = time.perf_counter()
        write_state(folder, simulated(ladder, arguments.players, arguments.games))
        print(f"{arguments.games} games written in {time.perf_counter() - began:.0f} s")
        pages, visitor = LadderPages(ladder), Visitor(Role.LOOK)
        now = ladder_now(ladder)
        rated = sum(line.rating is not None for line in now.table.lines)
        print(
            f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {rated} players rated"
        )
        print("   wall  processor")
        player = now.table.lines[0].player
        pages.now = shown_ladder(ladder)
        window = GameWindow(ladder.rated_games)
        ladder_now(ladder, window=window)

        def again() -> None:
            with Store(folder.store) as store:
                number = store.number_of(ladder.key)
                first = next_start(store, number)
                pair = now.state.entrants[:2]
                game = finished(first, tuple(one.name for one in pair), (1, 2), first)
                store.add(number, game, {one.name: one.version for one in pair})
            ladder_now(ladder, window=window)

        def anew() -> None:
            shown_ladders.kept_ladders.clear()
            shown_ladder(ladder)

        took = {}
        for what, work in {
            f"the table, from the latest {now.table.games} games": lambda: ladder_now(ladder),
            "the plan of the next games": lambda: schedule(ladder, now),
            "the table in a process that has read it before, with new games": again,
            "all that the server's pages show, by a process that begins": anew,
            "the page of the ladder, from that": pages.overview,
            "the page of a player, from that": lambda: pages.player(
                player, visitor, player_games(ladder, pages.now.state, player, True)
            ),
        }.items():
            took[what] = seconds(work, arguments.repeat)
            print("{:7.3f} {:7.3f} s  {}".format(*took[what], what), flush=True)
        with Store(folder.store) as store:
            number = now.state.number
            read = seconds(lambda: latest_games(store, number, ladder.rated_games), 3)[1]
            wanted = GameFilter(tournaments=(number,))
            count = sum(1 for _ in store.games(wanted))
            plain = seconds(lambda: list(store.games(wanted)), 1)[1]
        faster = (plain / count) / (read / now.table.games)
        print(f"processor, a game: read {faster:.1f} times as fast as one by one")
    return int(next(iter(took.values()))[1] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
