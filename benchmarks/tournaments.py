"""What tournaments and ladders cost beside their games: processor time, tables, memory.

    python benchmarks/tournaments.py [overhead] [tables] [memory] [--games N]

- overhead: games of `play_match` alone, and the same games in a tournament of one process, whose
  records are compressed and whose results are written to a store, one transaction per game; at most
  3 ms of processor time more for a game.
- tables: a ladder with 300 players and 100,000 simulated games: the latest games read and all
  players rated (the work of ``ladder table`` and of each new page), the plan of the next games, the
  pages. The peer of the reading is the simple way of ``results games``: all games one by one.
  Threads of linear algebra wait for each other on a busy machine, which counts as processor time:
  OPENBLAS_NUM_THREADS=1 limits it to one.
- memory: a ladder of two files and the built-in players of a game plays in one process. Its
  resident memory is measured after a third of the games and at the end, when players have had many
  new versions; the window of games for ratings is full at the first measurement.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import chosen, in_turns, machine, resident
from benchmarks.ratings import SimulatedPlayers, named
from ludograph import boards, flood, play_match
from ludograph.arena import GameKey
from ludograph.arena.executor import InProcess, local_executor
from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.ladder import Entrant, Ladder, LadderFolder, LadderRun, RunLimits, State
from ludograph.arena.ladder.folder import write_state
from ludograph.arena.ladder.people import Role
from ludograph.arena.ladder.table import ladder_now, schedule
from ludograph.arena.playing import play_plan
from ludograph.arena.store import GameFilter, Store
from ludograph.arena.store.history import GameWindow, latest_games, next_start
from ludograph.arena.tournament import Tournament, play_tournament
from ludograph.cli.declared_files import file_text, read_ladder
from ludograph.games.registry import declaration, game
from ludograph.players.spec import parse_player
from ludograph.web.ladder import shown_ladders
from ludograph.web.ladder.ladders import LadderPages
from ludograph.web.ladder.shown_ladders import player_games, shown_ladder
from ludograph.web.server.tokens import Visitor

OVERHEAD_LIMIT, TABLE_LIMIT, MEMORY_LIMIT = 3e-3, 0.5, 10.0
"""Seconds of a processor for a game and for a table; MiB that a ladder may grow by."""

NEAR = 30
"""Players play against others of similar strength, at most this number of ranks away."""

CHANGES = 100
"""Games after which a player of the ladder has a new version."""


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    began = time.process_time()
    work()
    return time.process_time() - began


def measure_overhead(options: argparse.Namespace, folder: Path) -> bool:
    """Print what a tournament adds to a game."""
    games = options.games or 400
    tournament = Tournament(
        lambda _, seed: flood.position(boards.square(12), colors=6, seed=seed),
        [parse_player(name, game("flood"), 2) for name in ("greedy", "random")],
        games=games,
    )

    def alone() -> None:
        for key in tournament.schedule.remaining(()):
            play_match(
                tournament.start(key.start),
                [tournament.specs[name] for name in key.seating],
                seed=tournament.game_seed(key),
                chance_seed=tournament.chance_seed(key),
            )

    def whole() -> None:
        executor = local_executor(play_plan, 1, tournament.prepare)
        with executor, Store(folder / f"{time.monotonic_ns()}.db") as store:
            number = store.enroll(tournament.key, tournament.game, tournament.declaration)
            store.lock(number)
            play_tournament(tournament, number, store, executor)

    kinds = {"alone": alone, "whole": whole}
    in_turns(kinds, 1)
    spent = in_turns({name: partial(processor_seconds, work) for name, work in kinds.items()}, 3)
    bare, stored = (statistics.median(seconds) / games for seconds in spent.values())
    print(
        f"{1e3 * bare:.2f} ms a game alone, {1e3 * stored:.2f} ms in a tournament: overhead ",
        end="",
    )
    print(f"{1e3 * (stored - bare):.2f} ms (limit {1e3 * OVERHEAD_LIMIT:g} ms)", flush=True)
    return stored - bare <= OVERHEAD_LIMIT


def new_ladder(folder: Path) -> Ladder:
    """Return a ladder of Flood on a small board."""
    place = LadderFolder(folder)
    place.players.mkdir()
    options = {"board": "5"}
    text = file_text(
        place.path, declaration("flood"), options, store="", clock="5s", seats=2, seed=0
    )
    place.declaration.write_text(text)
    return read_ladder(place)


def simulated(ladder: Ladder, players: int, games: int) -> State:
    """Write the games of simulated players into a ladder's store; return its state."""
    random = np.random.default_rng(1)
    elo = named(np.sort(random.normal(1000, 300, players)))
    files = {f"{name}.py": hashlib.sha256(name.encode()).hexdigest() for name in elo}
    anchors = {
        spec.text: float(value)
        for spec, value in zip(ladder.anchors, (1000, 700, 200), strict=False)
    }
    strengths = {**{f"{name}.py": value for name, value in elo.items()}, **anchors}
    names = sorted(strengths, key=strengths.__getitem__)
    world = SimulatedPlayers(strengths)
    with Store(ladder.folder.store) as store:
        number = store.enroll(ladder.key, ladder.game.name, ladder.declaration)
        for start in range(games // 2):
            one = int(random.integers(len(names)))
            near = [place for place in range(one - NEAR, one + NEAR + 1) if place != one]
            other = int(random.choice([place for place in near if 0 <= place < len(names)]))
            pair = (names[one], names[other])
            for _, seating, ranks in world.play([GameKey(start, pair), GameKey(start, pair[::-1])]):
                store.add(number, finished(start, seating, ranks), files)
    entrants = [Entrant(name, digest) for name, digest in files.items()]
    return State(number, [*entrants, *(Entrant(name) for name in anchors)])


def finished(start: int, seating: tuple[str, ...], ranks: tuple[int, ...]) -> FinishedGame:
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
        line=2 * start + (seating[0] < seating[1]),
    )


def measure_tables(options: argparse.Namespace, folder: Path) -> bool:
    """Print the times of a ladder's table, plan and pages."""
    ladder, games = new_ladder(folder), options.games or 100_000
    write_state(ladder.folder, simulated(ladder, options.players, games))
    pages, visitor = LadderPages(ladder), Visitor(Role.LOOK)
    now = ladder_now(ladder)
    rated = sum(line.rating is not None for line in now.table.lines)
    print(f"{machine()}, {games} games, {rated} players rated; seconds of processor time")
    player = now.table.lines[0].player
    pages.now = shown_ladder(ladder)
    window = GameWindow(ladder.rated_games)
    ladder_now(ladder, window=window)
    number, pair = now.state.number, now.state.entrants[:2]

    def again() -> None:
        played = finished(next_start(writer, number), tuple(one.name for one in pair), (1, 2))
        writer.add(number, played, {one.name: one.version for one in pair})
        ladder_now(ladder, window=window).table  # noqa: B018

    def anew() -> None:
        shown_ladders.kept_ladder.cache_clear()
        shown_ladder(ladder)

    works: dict[str, Callable[[], object]] = {
        f"the table, from the latest {now.table.games} games": lambda: ladder_now(ladder).table,
        "the table in a process that has read it before, with new games": again,
        "the plan of the next games": lambda: schedule(now),
        "all that the server's pages show, by a process that begins": anew,
        "the page of the ladder, from that": pages.overview,
        "the page of a player, from that": lambda: pages.player(
            player, visitor, player_games(ladder, pages.now.state, player, True, False)
        ),
    }
    runs = {what: partial(processor_seconds, work) for what, work in works.items()}
    with Store(ladder.folder.store) as writer:
        found = in_turns(runs, options.repeat)
        wanted = GameFilter(tournaments=(number,))
        read = processor_seconds(lambda: latest_games(writer, number, ladder.rated_games))
        plain = processor_seconds(lambda: list(writer.games(wanted)))
    spent = {what: statistics.median(seconds) for what, seconds in found.items()}
    for what, seconds in spent.items():
        print(f"{seconds:7.3f}  {what}")
    faster = (plain / games) / (read / now.table.games)
    print(f"a game is read {faster:.1f} times as fast as one by one", flush=True)
    return next(iter(spent.values())) <= TABLE_LIMIT


def measure_memory(options: argparse.Namespace, folder: Path) -> bool:
    """Print how much the memory of a ladder's process grows."""
    games = options.games or 1500
    early, counts, found = games // 3, [0], {}

    def written(name: str, place: int) -> None:
        """Write a player, or another version of it."""
        (players / name).write_text(
            f"# {counts[0]}\ndef choose(position):\n    return position.legal_moves()[{place}]\n"
        )

    def ended(_: FinishedGame) -> None:
        counts[0] += 1
        if counts[0] % CHANGES == 0:
            written("first.py", 0)
        if counts[0] in (early, games):
            gc.collect()
            found[counts[0]] = resident()
            print(f"{counts[0]:6} games: {found[counts[0]]:7.1f} MiB", flush=True)

    ladder = replace(new_ladder(folder), rated_games=early // 2, records=early // 2)
    players = ladder.folder.players
    written("first.py", 0)
    written("last.py", -1)
    LadderRun(ladder, lambda _: InProcess(play_plan), on_game=ended).run(RunLimits(games=games))
    store = ladder.folder.store.stat().st_size / 2**20
    print(f"{found[games] - found[early]:+.1f} MiB in {games - early} games, store {store:.2f} MiB")
    return found[games] - found[early] <= MEMORY_LIMIT


MEASURES = {"overhead": measure_overhead, "tables": measure_tables, "memory": measure_memory}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=", ".join(MEASURES))
    parser.add_argument(
        "--games", type=int, default=0, help="in place of each measure's usual number"
    )
    parser.add_argument("--players", type=int, default=300, help="of the measure tables")
    parser.add_argument("--repeat", type=int, default=3, help="of the measure tables")
    options = parser.parse_args()
    right = []
    for name in chosen(parser, options.measures, MEASURES):
        with tempfile.TemporaryDirectory() as folder:
            right.append(MEASURES[name](options, Path(folder)))
    return int(not all(right))


if __name__ == "__main__":
    sys.exit(main())
