"""First moves that are solved one by one and kept: whoever stops a run loses one proof at most."""

import errno
import multiprocessing
import re
import time

import pytest

from ludograph.arena.solved import Known, SolvedStore, solve_moves
from ludograph.arena.store import Store
from ludograph.errors import HostFailure, InvalidInput
from ludograph.games.hex.solving import HexSolver, Openings, solve_openings
from ludograph.games.solution import SolvedMove
from tests.cli.run import refuse, succeed


class Letters:
    """A game whose first moves are letters; a capital leads to the same as its small letter."""

    title = "letters"
    moves = tuple("aAbBcCdD")

    def __init__(self, outside=None):
        self.outside = outside or {}
        self.asked = []

    def prepare(self):
        pass

    def same(self, move):
        return {move, move.swapcase()}

    def solve(self, move, deadline):
        if deadline is not None and time.perf_counter() > deadline:
            return None
        self.asked.append(move)
        values = dict.fromkeys(self.same(move) | set(self.outside.get(move, "")), "W")
        return SolvedMove(move, values, 10, 0.5)


def test_each_move_is_solved_once():
    first, known = Letters(), Known()
    assert [solved.move for solved in solve_moves(first, known)] == list("abcd")
    assert set(known.values) == set(Letters.moves)
    assert (known.nodes, known.seconds) == (40, 2.0)


def test_what_another_proof_has_told_is_not_solved():
    first, known = Letters({"a": "cC"}), Known()
    assert [solved.move for solved in solve_moves(first, known)] == list("abd")
    assert set(known.values) == set(Letters.moves)


def test_a_run_that_was_stopped_goes_on(tmp_path):
    file = tmp_path / "letters.db"
    proofs = solve_moves(Letters(), Known(), store=file)
    assert [next(proofs).move for _ in range(2)] == ["a", "b"]
    proofs.close()
    with SolvedStore(file, "letters") as store:
        known = store.known()
    assert known == Known(dict.fromkeys("aAbB", "W"), 20, 1.0)
    again = Letters()
    assert len(list(solve_moves(again, known, store=file))) == 2
    assert again.asked == ["c", "d"]
    with SolvedStore(file, "letters") as store:
        assert store.known() == Known(dict.fromkeys(Letters.moves, "W"), 40, 2.0)


def test_what_was_known_before_stays(tmp_path):
    with SolvedStore(tmp_path / "letters.db", "letters") as store:
        store.keep(SolvedMove("a", {"a": "W"}, 1, 1.0))
        store.keep(SolvedMove("b", {"a": "L", "b": "L"}, 2, 2.0))
        assert store.known() == Known({"a": "W", "b": "L"}, 3, 3.0)


def test_when_the_time_is_over():
    known = Known()
    assert not list(solve_moves(Letters(), known, deadline=time.perf_counter()))
    assert not list(solve_moves(Letters(), known, jobs=2, deadline=time.perf_counter()))
    assert known == Known()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("n", [1, 3, 4])
def test_openings_of_hex_are_those_of_one_search(n, jobs):
    first, known = Openings(n), Known()
    for solved in solve_moves(first, known, jobs=jobs):
        assert set(first.same(solved.move)) <= set(solved.values)
    assert first.found(known.values, 0, 0.0).rows == solve_openings(HexSolver(n)).rows


def kept_elsewhere(file, held, release):
    with SolvedStore(file, "letters"):
        held.set()
        release.wait(60)


def test_one_process_at_a_time(tmp_path):
    file = tmp_path / "letters.db"
    context = multiprocessing.get_context("fork")
    held, release = context.Event(), context.Event()
    other = context.Process(target=kept_elsewhere, args=(file, held, release))
    other.start()
    try:
        assert held.wait(60)
        with pytest.raises(InvalidInput, match=re.escape(str(file))):
            SolvedStore(file, "letters")
    finally:
        release.set()
        other.join()
    with SolvedStore(file, "letters") as store:
        assert store.known() == Known()


def test_what_is_no_such_store(tmp_path):
    file = tmp_path / "letters.db"
    with SolvedStore(file, "letters"):
        pass
    with pytest.raises(InvalidInput, match=r"\bletters\b.*\bdigits\b"):
        SolvedStore(file, "digits")
    file.write_text('{"ludograph_solved":9,"title":"letters"}\n')
    with pytest.raises(InvalidInput, match=r"\b9\b"):
        SolvedStore(file, "letters")
    text = tmp_path / "text.db"
    for content in ("a1 wins\n" * 200, "a1 wins"):
        text.write_text(content)
        with pytest.raises(InvalidInput, match=re.escape(str(text))):
            SolvedStore(text, "letters")
        assert text.read_text() == content
    Store(tmp_path / "tournaments.db").close()
    with pytest.raises(InvalidInput, match=r"tournaments\.db"):
        SolvedStore(tmp_path / "tournaments.db", "letters")
    with pytest.raises(InvalidInput, match=re.escape(str(tmp_path))):
        SolvedStore(tmp_path, "letters")
    with pytest.raises(InvalidInput, match="cannot be opened"):
        SolvedStore(tmp_path / "nowhere" / "letters.db", "letters")


def test_a_run_that_was_killed_while_it_wrote_loses_one_proof_at_most(tmp_path):
    """Wherever it was killed: the file goes on after the last whole line."""
    file = tmp_path / "letters.jsonl"
    with SolvedStore(file, "letters") as store:
        for move in "abc":
            store.keep(SolvedMove(move, {move: "W"}, 1, 1.0))
    data = file.read_bytes()
    for size in range(len(data) + 1):
        file.write_bytes(data[:size])
        whole = "abc"[: max(0, data[:size].count(b"\n") - 1)]
        with SolvedStore(file, "letters") as store:
            assert store.known().values == dict.fromkeys(whole, "W")
            store.keep(SolvedMove("d", {"d": "L"}, 1, 1.0))
        with SolvedStore(file, None) as store:
            assert store.title == "letters"
            assert store.known().values == {**dict.fromkeys(whole, "W"), "d": "L"}


def test_each_proof_is_on_the_disk_at_once(tmp_path, monkeypatch):
    synced = []
    with SolvedStore(tmp_path / "letters.jsonl", "letters") as store:
        monkeypatch.setattr("os.fsync", synced.append)
        store.keep(SolvedMove("a", {"a": "W"}, 1, 1.0))
    assert len(synced) == 1


def test_a_full_disk_is_told(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    file = tmp_path / "letters.jsonl"
    with SolvedStore(file, "letters") as store:
        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(HostFailure, match="space left"):
            store.keep(SolvedMove("a", {"a": "W"}, 1, 1.0))
        assert store.known() == Known()


@pytest.mark.parametrize(
    ("line", "change"), [(5, b'{"move":"x","values":{"x":7},"nodes":1,"seconds":1.0}'), (2, b"{")]
)
def test_a_damaged_store_of_proofs_is_told(tmp_path, line, change):
    file = tmp_path / "letters.jsonl"
    list(solve_moves(Letters(), Known(), store=file))
    assert "no damage found: letters, 8 solved moves" in succeed("results", "check", file)
    lines = file.read_bytes().splitlines()
    lines[line - 1] = change
    file.write_bytes(b"\n".join([*lines, b""]))
    for title in ("letters", None):
        with pytest.raises(InvalidInput, match=f"line {line} is damaged"):
            SolvedStore(file, title)
    assert f"{file}: line {line} is damaged" in refuse("results", "check", file)
