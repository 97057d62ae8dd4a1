"""A ladder that runs: players come and go, nothing finished is lost, memory stays bounded."""

import dataclasses
import errno
import gc
import re
import subprocess
import sys
import time
from collections import Counter

import pytest

from ludograph.arena.ladder import Ladder, LadderRun, RunLimits, enrolment, read_state, running
from ludograph.arena.ladder.folder import Entrant, parted
from ludograph.arena.ladder.rating_history import read_snapshots
from ludograph.arena.ladder.table import ladder_now
from ludograph.arena.store import GameFilter, Store
from ludograph.arena.store.history import latest_games
from ludograph.errors import HostFailure
from tests.arena.ladder.making import Pretended, ladder_in, put, run


@pytest.fixture
def ladder(tmp_path):
    made = ladder_in(tmp_path, first_games=6, patience=4)
    for name, strength in (("ann.py", 2), ("bob.py", 1)):
        put(made, name, strength)
    return made


def games(ladder):
    with Store(ladder.folder.store) as store:
        return list(store.games(GameFilter()))


def names(key):
    return {parted(label)[0] for label in key.seating}


def test_starts_are_played_from_all_seats(ladder):
    executor, going, told = run(ladder, 24)
    assert going.played == len(executor.played) == len(games(ladder)) == 24
    starts = {}
    for key in executor.played:
        starts.setdefault(key.start, []).append(key.seating)
    assert all(one == other[::-1] for one, other in starts.values())
    assert any("ann.py" in line and "joined" in line for line in told)


@pytest.mark.slow
def test_forfeits_before_a_player_was_put_back_do_not_count_after_a_restart(tmp_path, monkeypatch):
    """Also where the store has games by other rules, whose numbers come first."""
    monkeypatch.setattr(running, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(enrolment, "SETTLE", 0.0)
    ladder = ladder_in(tmp_path, first_games=2, patience=4)
    for name, text in (("ann.py", 2), ("bob.py", 1)):
        put(ladder, name, text)
    run(ladder, 20)
    other = dataclasses.replace(ladder, clock="7s")
    put(other, "bad.py", "fault")

    def before(number):
        if number == 24:
            assert read_state(other.folder).suspended
            (other.folder.players / "bad.py").unlink()
        if number == 26:
            put(other, "bad.py", "fault")

    _, going, _ = run(other, 28, before)
    joined = going.state.named("bad.py").joined
    assert joined > 40
    assert not going.state.suspended
    run(other, 40)
    again = [game for game in games(other) if "bad.py" in {seat.player for seat in game.seats}]
    assert sum(game.number > joined for game in again) == other.patience


def test_copies_stay_while_they_are_compiled_or_play(ladder, monkeypatch):
    monkeypatch.setattr(running, "VERSIONS", 1)
    versions = {name: 64 * name for name in ("0", "1", "2", "3")}
    for version in versions.values():
        ladder.folder.place("my.c", version).mkdir(parents=True)
    going = LadderRun(ladder, Pretended)
    going.state.entrants = [Entrant("my.c", versions["1"])]
    going._versions = {0: {"my.c": versions["2"]}}
    going._enrolment.compiling.add("my.c", versions["3"])
    with Store(ladder.folder.store) as store:
        going._tidy(store)
    left = (ladder.folder.versions / "my.c").iterdir()
    assert {place.name[0] for place in left} == {"1", "2", "3"}


RUNNING = """
import sys
from pathlib import Path
from ludograph.arena.ladder.folder import LadderFolder
with LadderFolder(Path(sys.argv[1])).locked():
    print("locked", flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_a_ladder_is_running_as_long_as_the_process_with_its_lock(ladder):
    assert not ladder.folder.is_running
    command = [sys.executable, "-c", RUNNING, str(ladder.folder.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"locked\n"
        assert ladder.folder.is_running
        process.kill()
    assert not ladder.folder.is_running


def test_a_run_goes_on_with_the_half_of_a_pair(ladder):
    first, _, _ = run(ladder, 7)
    second, _, _ = run(ladder, 5)
    assert second.played[0].start == first.played[-1].start
    assert second.played[0].seating == first.played[-1].seating[::-1]
    assert len({(one.start, one.seats[0].player) for one in games(ladder)}) == 12


def test_a_new_version_gets_games_first(ladder):
    def change(number):
        if number == 24:
            put(ladder, "bob.py", 3)

    executor, _, told = run(ladder, 36, change)
    after = executor.played[26:32]
    assert all("bob.py" in names(key) for key in after)
    assert len({key.seating for key in executor.played if "bob.py" in names(key)}) > 2
    assert any("bob.py" in line and "new version" in line for line in told)
    versions = {v for one in games(ladder) for s, v in zip(one.seats, one.versions, strict=True)
                if s.player == "bob.py"}  # fmt: skip
    assert len(versions) == 2


def test_a_game_counts_for_the_version_that_played_it(ladder):
    """Though the file was changed while it was under way."""
    labels = []

    def change(number):
        if number == 10:
            put(ladder, "ann.py", 9)

    executor, _, _ = run(ladder, 30, change)
    for key, one in zip(executor.played, games(ladder), strict=True):
        labels.append([parted(label)[1] for label in key.seating])
        assert [version[:12] for version in one.versions] == labels[-1]


def test_who_leaves_plays_no_more_and_stays_in_history(ladder):
    def leave(number):
        if number == 10:
            (ladder.folder.players / "bob.py").unlink()

    executor, _, told = run(ladder, 40, leave)
    assert "bob.py has left" in told
    assert any("bob.py" in names(key) for key in executor.played[:10])
    assert not any("bob.py" in names(key) for key in executor.played[12:])
    assert read_state(ladder.folder).named("bob.py") is None
    assert any(seat.player == "bob.py" for one in games(ladder) for seat in one.seats)


@pytest.mark.parametrize("name", ["аnn.py", "ａｎｎ.py"])
def test_a_player_whose_name_looks_like_that_of_another_is_not_taken(ladder, name):
    put(ladder, name, 3)

    def leave(number):
        if number == 10:
            (ladder.folder.players / "ann.py").unlink()

    executor, going, told = run(ladder, 20, leave)
    assert any(line.startswith(name) and "ann.py" in line for line in told)
    assert not any(name in names(key) for key in executor.played[:10])
    assert going.state.named(name)
    assert name not in going.state.troubles
    put(ladder, "ann.py", 2)
    _, going, told = run(ladder, 40)
    assert any(line.startswith("ann.py") and name in line for line in told)
    assert going.state.named("ann.py") is None


@pytest.mark.slow
def test_who_always_forfeits_is_set_aside_until_there_is_a_new_version(ladder):
    put(ladder, "bad.py", "fault")
    executor, going, _ = run(ladder, 40)
    count = Counter(name for key in executor.played for name in names(key))
    assert count["bad.py"] == 4
    (reason,) = going.state.suspended.values()
    assert reason.startswith("4 ")
    assert reason.endswith(", crash")
    assert reason in ladder.folder.read_report("bad.py")
    again, _, _ = run(ladder, 10)  # nor after a restart
    assert not any("bad.py" in names(key) for key in again.played)
    put(ladder, "bad.py", 5)
    mended, going, _ = run(ladder, 10)
    assert any("bad.py" in names(key) for key in mended.played)
    assert going.state.suspended == {}
    assert ladder.folder.read_report("bad.py") == ""


def test_who_wins_by_the_forfeits_of_others_that_fail_is_set_aside_all_the_same(tmp_path):
    ladder = ladder_in(tmp_path, first_games=6, patience=8)
    for number in range(4):
        put(ladder, f"bad{number}.py", f"fault {number}")
    _, going, _ = run(ladder, 120)
    assert len(going.state.suspended) == 4
    failed = Counter(s.player for one in games(ladder) for s in one.seats if s.forfeit)
    assert set(failed.values()) == {8}


class Crowd(Pretended):
    """Plays several games at once, and counts those of one player."""

    def __init__(self, ladder, name):
        super().__init__(ladder, threads=4)
        self.name, self.at_once = name, []

    def submit(self, key):
        super().submit(key)
        self.at_once.append(sum(self.name in names(waiting.key) for waiting in self.waiting))


@pytest.mark.parametrize("seconds", [200, 0.5])
def test_who_starts_slowly_plays_one_game_at_a_time(ladder, seconds):
    """So its starts hold one worker at most, though a new version goes first; others play on."""
    put(ladder, "slow.py", f"3 {seconds}")
    executor = Crowd(ladder, "slow.py")
    assert LadderRun(ladder, lambda _: executor).run(RunLimits(60)) == 60
    count = Counter(name for key in executor.played for name in names(key))
    assert 5 < count["slow.py"] < 55
    assert (max(executor.at_once) == 1) == (seconds > 1)


def test_who_starts_slowly_and_alone_plays_on(tmp_path):
    """Meanwhile there are no games of built-in players alone, which would tell nothing."""
    ladder = ladder_in(tmp_path, first_games=0)
    put(ladder, "slow.py", "3 200")
    executor = Crowd(ladder, "slow.py")
    assert LadderRun(ladder, lambda _: executor).run(RunLimits(40)) == 40
    assert max(executor.at_once) == 1
    assert sum("slow.py" in names(key) for key in executor.played) >= 26


@pytest.mark.slow
def test_who_was_taken_out_and_put_in_again_has_another_chance(ladder):
    put(ladder, "bad.py", "fault")
    run(ladder, 30)
    (ladder.folder.players / "bad.py").unlink()
    run(ladder, 2)
    put(ladder, "bad.py", "fault")
    executor, _, _ = run(ladder, 30)
    assert sum("bad.py" in names(key) for key in executor.played) == 4


def test_a_version_that_cannot_be_taken_leaves_the_one_before_in_play(ladder):
    run(ladder, 4)
    (ladder.folder.players / "ann.py").write_text("")
    executor, going, _ = run(ladder, 20)
    assert any("ann.py" in names(key) for key in executor.played)
    assert "it is empty" in going.state.troubles["ann.py"]


def test_a_game_without_a_result_is_played_again(ladder, monkeypatch):
    """After others, and only once."""
    whole = Pretended.result
    fresh = 3

    def result(self, key):
        found = whole(self, key)
        return HostFailure("so it went") if len(self.played) <= fresh else found

    monkeypatch.setattr(Pretended, "result", result)
    executor, going, _ = run(ladder, 30)
    assert going.played == 30
    void, later = executor.played[:fresh], executor.played[fresh:]
    assert later[0] not in void
    assert [later.count(key) for key in void] == [1, 1, 1]
    assert len(set(later)) == len(later)
    assert going.state.suspended == {}


def test_a_game_that_is_void_again_is_dropped(ladder, monkeypatch):
    whole = Pretended.result

    def result(self, key):
        found = whole(self, key)
        return HostFailure("so it went") if key.start == 1 else found

    monkeypatch.setattr(Pretended, "result", result)
    executor, going, _ = run(ladder, 30)
    assert going.played == 30
    assert {executor.played.count(key) for key in executor.played if key.start == 1} == {2}


def test_who_cannot_be_played_on_this_machine_is_set_aside_and_nobody_else(ladder):
    put(ladder, "odd.py", "odd")
    _, going, said = run(ladder, 20)
    assert going.played == 20
    assert [parted(label)[0] for label in going.state.suspended] == ["odd.py"]
    assert going.state.suspended.popitem()[1] == "cannot be played here"
    assert "odd.py is suspended: cannot be played here: so it went" in said


def test_a_machine_on_which_no_game_comes_to_a_result_ends_the_run(ladder, monkeypatch):
    monkeypatch.setattr(Pretended, "word", lambda self, label: "void")
    with pytest.raises(HostFailure, match=r"^30 games .*: so it went$"):
        run(ladder, 100)


class Dying(Pretended):
    """Loses its process now and then."""

    def ended(self):
        if len(self.played) % 5 == 2:
            self.played.append(None)
            raise HostFailure("a process was killed")
        yield from super().ended()


@pytest.mark.slow
def test_a_process_that_is_lost_is_replaced_and_its_games_are_played_again(ladder):
    executor = Dying(ladder)
    going = LadderRun(ladder, lambda _: executor)
    going.run(RunLimits(20))
    assert executor.played.count(None) > 2
    found = games(ladder)
    assert len(found) == 20
    assert len({(one.start, tuple(s.player for s in one.seats)) for one in found}) == 20


def test_built_in_players_alone_do_not_play(tmp_path):
    ladder = ladder_in(tmp_path)
    executor, _, _ = run(ladder, 10)
    assert executor.played == []


@pytest.mark.slow
def test_a_ladder_says_once_that_it_waits_for_its_first_player(tmp_path):
    ladder, said = ladder_in(tmp_path), []
    LadderRun(ladder, Pretended, said.append).run(RunLimits(until=time.monotonic() + 1))
    assert sum("waits" in line for line in said) == 1
    LadderRun(ladder, Pretended, said.append).run(RunLimits(games=2))
    assert sum("waits" in line for line in said) == 2
    assert read_state(ladder.folder).waits_for(2)
    put(ladder, "anna.py", "7")
    run(ladder, 4)
    assert not read_state(ladder.folder).waits_for(2)


def test_one_round_and_no_more(ladder):
    run(ladder, 24)
    executor, _, _ = run(ladder, once=True)
    assert 0 < len(executor.played) < 10


def test_a_folder_that_vanishes_is_nobodys_leaving(ladder):
    def vanish(number):
        if number == 5:
            ladder.folder.players.rename(ladder.folder.path / "elsewhere")

    with pytest.raises(HostFailure, match=re.escape(str(ladder.folder.path))):
        run(ladder, 20, vanish)
    assert len(games(ladder)) == 6
    assert read_state(ladder.folder).named("ann.py") is not None


@pytest.mark.slow
def test_old_records_are_dropped_and_results_kept(tmp_path):
    ladder = ladder_in(tmp_path, patience=1000, records=10)
    put(ladder, "ann.py", 1)
    put(ladder, "bad.py", "fault")
    run(ladder, 60)
    run(ladder, 1)  # which tidies at its beginning
    with Store(ladder.folder.store) as store:
        found = list(store.games(GameFilter()))
        kept = [one for one in found if store._connection is not None and _has(store, one.number)]
    assert len(found) == 61
    assert {one.number for one in kept} == set(range(51, 62))


def _has(store, number):
    from ludograph.arena.store.history import records_there

    return number in records_there(store, [number])


@pytest.mark.slow
def test_what_is_held_in_memory_does_not_grow(tmp_path, monkeypatch):
    """Counted: objects after some hundred games, and after twice as many."""
    monkeypatch.setattr(running, "KEEPING_GAMES", 50)
    monkeypatch.setattr(running, "RENEW_GAMES", 40)
    ladder = ladder_in(tmp_path, rated_games=100, first_games=0)
    put(ladder, "ann.py", 1)
    put(ladder, "bob.py", 2)
    counts = {}

    def count(number):
        if number in (300, 600):
            gc.collect()
            counts[number] = len(gc.get_objects())
        if number % 50 == 0:
            put(ladder, "bob.py", number)
        executor.played = [None] * len(executor.played)

    executor = Pretended(ladder, count)
    going = LadderRun(ladder, lambda _: executor)
    going.run(RunLimits(610))
    assert counts[600] - counts[300] < 500
    assert len(going._queue.games) == 100


def test_another_game_in_the_file_begins_ratings_anew(ladder, tmp_path):
    run(ladder, 4)
    other = ladder_in(tmp_path, first_games=6, variants=2)
    _, going, told = run(other, 4)
    assert any("ratings start again" in line for line in told)
    with Store(ladder.folder.store) as store:
        assert len(latest_games(store, going.state.number, 100)) == 4


@pytest.mark.slow
def test_another_clock_is_told_once_and_the_table_follows(ladder):
    """While nobody comes or goes; going back, the games of then count again, and it is said so."""
    run(ladder, 6)
    other = dataclasses.replace(ladder, clock="9s")
    _, _, told = run(other, 3)
    (line,) = [line for line in told if "ratings" in line]
    assert line.endswith("start again")
    assert ladder_now(other).table.games == 3
    _, _, told = run(other, 1)
    assert not any("ratings" in line for line in told)
    _, _, told = run(ladder, 1)
    (line,) = [line for line in told if "ratings" in line]
    assert line.endswith("continue from 6 games")
    assert ladder_now(ladder).table.games == 7


@pytest.mark.slow
def test_a_table_says_that_its_file_asks_for_other_rules(ladder):
    """The ratings over time are those of the same rules, too."""
    run(ladder, 80)
    before = read_snapshots(ladder.folder)
    other = dataclasses.replace(ladder, clock="9s", title="another clock")
    assert ladder_now(ladder).table.remark == ""
    waiting = ladder_now(other).table
    assert (waiting.title, waiting.games) == ("a toy", 80)
    assert "'ludograph ladder run'" in waiting.remark
    _, going, _ = run(other, 3)
    assert ladder_now(other).table.remark == ""
    assert ladder_now(other).table.title == "another clock"
    drawn = read_snapshots(ladder.folder, going.state.number)
    assert drawn
    assert len(drawn) == len(read_snapshots(ladder.folder)) - len(before)


@pytest.mark.slow
def test_ratings_are_written_down_now_and_then(ladder):
    run(ladder, 80)
    found = read_snapshots(ladder.folder)
    assert 3 < len(found) < 20
    assert all(one.elo["greedy"] == 1000 for one in found)
    assert all(one.bounds.keys() == one.elo.keys() for one in found)
    assert not any(one.idle for one in found[1:])
    ladder.folder.history.write_bytes(ladder.folder.history.read_bytes()[:-10])
    run(ladder, 10)
    later = read_snapshots(ladder.folder)
    assert len(later) >= len(found)
    assert [one.idle for one in later[len(found) - 1 :]] == [True, False]  # a pause, then games


def test_a_job_that_cannot_begin_for_a_moment_is_played_whole(ladder, monkeypatch):
    plan, calls = Ladder.plan, iter(range(10**6))

    def lacking(self, key):
        if next(calls) == 4:
            raise OSError(errno.EMFILE, "Too many open files")
        return plan(self, key)

    monkeypatch.setattr(Ladder, "plan", lacking)
    executor, going, _ = run(ladder, 20)
    assert going.played == 20
    assert set(Counter(key.start for key in executor.played).values()) == {2}
