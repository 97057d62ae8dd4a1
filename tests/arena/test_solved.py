"""First moves that are solved one by one and kept: whoever stops a run loses one proof at most."""

import multiprocessing
import sqlite3
import time

import pytest

from ludograph.arena.solved import Known, SolvedStore, solve_moves
from ludograph.arena.store import Store
from ludograph.arena.store.integrity import DamagedStore
from ludograph.errors import InvalidInput
from ludograph.games.first_moves import SolvedMove
from ludograph.games.hex.solving import HexSolver, Openings, solve_openings
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
        with pytest.raises(InvalidInput, match="another process is solving for this store"):
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
    with pytest.raises(InvalidInput, match="this store is of letters, not of digits"):
        SolvedStore(file, "digits")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE ludograph_solved SET version = 9")
    connection.close()
    with pytest.raises(InvalidInput, match="a store of version 9"):
        SolvedStore(file, "letters")
    text = tmp_path / "text.db"
    text.write_text("a1 wins\n" * 200)
    with pytest.raises(InvalidInput, match="this is not a store of solved moves"):
        SolvedStore(text, "letters")
    Store(tmp_path / "tournaments.db").close()
    with pytest.raises(InvalidInput, match="a database, but no store of solved moves"):
        SolvedStore(tmp_path / "tournaments.db", "letters")
    with pytest.raises(InvalidInput, match="a store is a file"):
        SolvedStore(tmp_path, "letters")
    with pytest.raises(InvalidInput, match="cannot be opened"):
        SolvedStore(tmp_path / "nowhere" / "letters.db", "letters")


def test_a_damaged_store_of_proofs_is_told_and_repaired(tmp_path):
    file = tmp_path / "letters.db"
    list(solve_moves(Letters(), Known(), store=file))
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE \"values\" SET value = 'L' WHERE move = 'B'")
    connection.close()
    with SolvedStore(file, "letters") as store, pytest.raises(DamagedStore) as raised:
        store.known()
    lost = "1 of 8 solved moves lost"
    assert f"{file}: the store is damaged (B is not what was written): {lost}" in str(raised.value)
    assert lost in refuse("store", "check", file)
    before = file.read_bytes()
    assert f"letters, 7 solved moves; {lost}" in succeed("store", "repair", file)
    assert file.read_bytes() == before
    copy = tmp_path / "letters.repaired.db"
    assert "no damage found: letters, 7 solved moves" in succeed("store", "check", copy)
    with SolvedStore(copy, "letters") as store:
        known = store.known()
    assert set(known.values) == set(Letters.moves) - {"B"}
    list(solve_moves(Letters(), known, store=copy))
    with SolvedStore(copy, "letters") as store:
        assert set(store.known().values) == set(Letters.moves)


def test_proofs_of_the_first_version_are_read_and_go_on(tmp_path):
    file = tmp_path / "letters.db"
    with SolvedStore(file, "letters") as store:
        store.keep(SolvedMove("a", {"a": "W", "A": "W"}, 1, 1.0))
    with sqlite3.connect(file) as connection:
        connection.execute('ALTER TABLE "values" DROP COLUMN checksum')
        connection.execute("ALTER TABLE proofs DROP COLUMN checksum")
        connection.execute("UPDATE ludograph_solved SET version = 1")
    connection.close()
    with SolvedStore(file, "letters") as store:
        store.keep(SolvedMove("b", {"b": "L"}, 2, 2.0))
        assert store.known() == Known({"a": "W", "A": "W", "b": "L"}, 3, 3.0)
