"""Damaged stores: a sentence, or a sound answer in which no game is counted twice.

Rows have no checksums, so a changed value of a game may be in an answer; a game may be in it once.
"""

from __future__ import annotations

import contextlib
import io
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludograph.arena.executor import InProcess
from ludograph.arena.ladder.table import ladder_now
from ludograph.arena.playing import play_plan
from ludograph.arena.solved import SolvedStore
from ludograph.arena.store import Store
from ludograph.arena.store.history import games_of
from ludograph.arena.tournament import play_tournament
from ludograph.cli.main import cli
from ludograph.cli.program import NoResult
from ludograph.errors import HostFailure
from ludograph.games.solution import SolvedMove
from tests.arena.ladder import making
from tests.arena.test_store import finished
from tests.arena.tournaments import small

UNCHANGED = (1, 7)
"""The commands whose answers depend on no value of a game: the list, and the check."""

Made = tuple[bytes, Callable[[bytes], None]]
"""A sound file, and what is done with a damaged one."""


def put(path: Path, data: bytes) -> None:
    """Put a store in the place of another one, of which nothing stays."""
    for end in ("-wal", "-shm", ".lock"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    path.write_bytes(data)


def said(*words: object) -> str:
    """Return what a command writes; a damaged store is no failure of the machine."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        try:
            cli.main([str(word) for word in words], "ludograph", standalone_mode=False)
        except NoResult as error:
            raise AssertionError(f"no word of damage: {error}") from None
    return output.getvalue()


def of_tournament(folder: Path) -> Made:
    """Return the store of a tournament of 90 games."""
    path, out = folder / "games.db", folder / "out.jsonl"
    tournament = small(games=30)
    with InProcess(play_plan) as executor, Store(path) as store:
        number = store.enroll(tournament.key, tournament.game, tournament.declaration)
        play_tournament(tournament, number, store, executor)
    good = path.read_bytes()
    at = ("--store", path)
    commands = [
        ("results", "--json", *at),
        ("results", "--list", "--json", *at),
        ("results", "rate", "--json", *at),
        ("results", "games", "--json", *at),
        ("results", "games", "--json", "--player", "greedy", "--opponent", "random", *at),
        ("results", "games", "--export", out, *at),
        ("results", "games", "--game", 7, "--record", out, *at),
        ("results", "check", path),
    ]

    def run(words: tuple[object, ...]) -> str:
        out.unlink(missing_ok=True)
        return said(*words) + (out.read_text() if out.exists() else "")

    def go_on() -> int:
        with Store(path) as store:
            store.check_pages()
            assert store.enroll(tournament.key, tournament.game, tournament.declaration) == number
            store.add(number, finished(start=5000))
            return len(store.played(number))

    right = [run(words) for words in commands]
    games = len(right[3].splitlines())

    def enter(data: bytes) -> None:
        put(path, data)
        kind = zlib.crc32(data) % (len(commands) + 1)
        if kind == len(commands):
            try:
                assert go_on() == games + 1
            except HostFailure as error:
                raise AssertionError(f"no word of damage: {error}") from None
            return
        answer = run(commands[kind])
        if kind == 0:
            assert json.loads(answer)["games"] == games, answer[:300]
        elif kind == 3:
            assert len({json.loads(line)["number"] for line in answer.splitlines()}) == games
        elif kind in UNCHANGED:
            assert answer == right[kind]

    return good, enter


def of_ladder(folder: Path) -> Made:
    """Return the store of a ladder of 60 games."""
    place = folder / "ladder"
    place.mkdir(exist_ok=True)
    ladder = making.ladder_in(place)
    making.put(ladder, "one.py", "1")
    making.put(ladder, "two.py", "2")
    state = making.run(ladder, 60)[1].state
    good = ladder.folder.store.read_bytes()
    known = state.named("two.py")
    assert known is not None

    def looked_at() -> tuple[Any, ...]:
        now = ladder_now(ladder)
        with Store(ladder.folder.store, must_exist=True) as store:
            games = games_of(store, state.number, known.name, known.version)
        return now.games, now.table, now.start, games

    right = looked_at()

    def enter(data: bytes) -> None:
        put(ladder.folder.store, data)
        try:
            if zlib.crc32(data) % 2:
                assert len(looked_at()[0]) == len(right[0])
            else:
                making.run(ladder, 4)
                assert len(looked_at()[0]) == len(right[0]) + 4
        except HostFailure as error:
            raise AssertionError(f"no word of damage: {error}") from None

    return good, enter


def of_proofs(folder: Path) -> Made:
    """Return a store of solved moves."""
    path = folder / "proofs.jsonl"
    path.unlink(missing_ok=True)
    with SolvedStore(path, "letters") as store:
        for number in range(200):
            store.keep(
                SolvedMove(f"a{number}", {f"a{number}": "W", f"b{number}": "L"}, number, 1.0)
            )
    good = path.read_bytes()

    def enter(data: bytes) -> None:
        put(path, data)
        try:
            with SolvedStore(path, "letters") as store:
                store.keep(SolvedMove("c", {"c": "W"}, 1, 1.0))
                known = store.known()
            with SolvedStore(path, "letters") as store:
                assert store.known() == known
        except HostFailure as error:
            raise AssertionError(f"no word of damage: {error}") from None

    return good, enter
