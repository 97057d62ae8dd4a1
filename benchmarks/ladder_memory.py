"""A ladder that runs for a long time needs no more memory than a new one.

    python benchmarks/ladder_memory.py [--games 1500] [--limit 10]

A ladder of two files and the built-in players of a game plays in one process, on a small board. Its
resident memory is measured after a third of the games and at the end, when players have had many
new versions. The window of games for ratings is full at the first measurement. Printed are both
figures, their difference, and the size of the store with a limit of records.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from ludograph.arena.executor import InProcess
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.ladder import LadderFolder, LadderRun, RunLimits
from ludograph.arena.playing import play_plan
from ludograph.cli.declared_files import file_text, read_ladder
from ludograph.games.registry import declaration

CHANGES = 100
"""Games after which a player has a new version."""


def resident() -> float:
    """Return the resident memory of this process, in MiB."""
    gc.collect()
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument(
        "--limit", type=float, default=10.0, help="the largest growth that passes, in MiB"
    )
    arguments = parser.parse_args()
    early = arguments.games // 3
    with tempfile.TemporaryDirectory() as path:
        folder = LadderFolder(Path(path))
        folder.players.mkdir()
        folder.declaration.write_text(
            file_text(
                folder.path,
                declaration("flood"),
                {"board": "5"},
                store="",
                clock="5s",
                seats=2,
                seed=0,
            )
        )
        for name in ("first.py", "last.py"):
            written(folder, name, 0)
        ladder = replace(read_ladder(folder), rated_games=early // 2, records=early // 2)
        count, found = 0, {}

        def ended(_: FinishedGame) -> None:
            nonlocal count
            count += 1
            if count % CHANGES == 0:
                written(folder, "first.py", count)
            if count in (early, arguments.games):
                found[count] = resident(), folder.store.stat().st_size / 2**20

        run = LadderRun(ladder, lambda _: InProcess(play_plan), on_game=ended)
        run.run(RunLimits(games=arguments.games))
        versions = sum(1 for _ in folder.versions.glob("*/*"))
    for games, (memory, store) in found.items():
        print(f"{games:6} games: {memory:7.1f} MiB resident, store {store:6.2f} MiB")
    grown = found[arguments.games][0] - found[early][0]
    print(f"{grown:+.1f} MiB in {arguments.games - early} games, {versions} copies of files")
    return int(grown > arguments.limit)


def written(folder: LadderFolder, name: str, version: int) -> None:
    """Write a player, or another version of it."""
    which = 0 if name == "first.py" else -1
    (folder.players / name).write_text(
        f"# {version}\ndef choose(position):\n    return position.legal_moves()[{which}]\n"
    )


if __name__ == "__main__":
    sys.exit(main())
