"""Games on a cluster: real scheduler, real workers; the same games, whichever worker dies."""

import contextlib
import json
import os
import pickle
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import CancelledError
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ludograph import flood, make
from ludograph.arena import GameKey
from ludograph.arena.cluster import process, worker
from ludograph.arena.cluster.executor import ClusterExecutor, read_files
from ludograph.arena.cluster.process import places_of
from ludograph.arena.ladder import LadderFolder, enrolment
from ludograph.arena.playing import GamePlan, play_plan
from ludograph.arena.series import series_of
from ludograph.arena.store import Store
from ludograph.arena.tournament import play_tournament
from ludograph.boards import square
from ludograph.cli.declared_files import read_ladder
from ludograph.cli.progress import LiveStanding
from ludograph.cli.selfplay import PlaySelf
from ludograph.errors import HostFailure, InvalidInput
from ludograph.games.registry import game
from ludograph.players.isolation import Isolation
from ludograph.players.spec import parse_player
from ludograph.referee.options import MatchOptions
from ludograph.version import VERSION
from tests.arena.dask import running
from tests.arena.test_tournament import play as play_here
from tests.arena.tournaments import kept, small
from tests.cli.run import invoke, refuse, succeed
from tests.processes import descendants, gone, wait_until

pytestmark = pytest.mark.slow

NO_ISOLATION = Isolation.chosen("none")
LAST = "def choose(position):\n    return position.legal_moves()[-1]\n"


@pytest.fixture(scope="module")
def cluster():
    with running(workers=2) as found:
        yield found


def play(tournament, path, address, on_game=lambda _: None, tell=lambda _: None):
    """Play what is left on a cluster; return all that is kept."""
    settings = {"check_files": tournament.check_files, "tell": tell}
    with ClusterExecutor(play_plan, address, **settings) as executor, Store(path) as store:
        number = store.enroll(tournament.key, tournament.game, tournament.declaration)
        store.lock(number)
        play_tournament(tournament, number, store, executor, on_game)
        return kept(store, number)


def players_of(cluster):
    """The processes that play for the workers."""
    return [child for one in cluster.workers for child in descendants(one.pid) if plays(child)]


def plays(number):
    try:
        with open(f"/proc/{number}/cmdline", "rb") as file:
            return b"cluster.process" in file.read()
    except OSError:
        return False


def records(path):
    """All records of a store, without what differs between two runs of a game."""
    found = []
    with Store(path) as store:
        for one in list(store.games()):
            lines = [json.loads(line) for line in store.record(one.number).splitlines()]
            for line in lines:
                for name in ("created", "time", "usage", "clock", "foreign_clock"):
                    line.pop(name, None)
            found.append(json.dumps(lines))
    return sorted(found)


def test_files_travel_and_games_are_those_of_one_machine(cluster, tmp_path, monkeypatch):
    """Players' files of one name too, and a program by a path from where the tournament began.

    A process that plays for a worker is killed, which costs nothing.
    """
    bots = [tmp_path / team / "bot.py" for team in "ab"]
    for bot, text in zip(bots, (LAST, LAST.replace("-1", "0")), strict=True):
        bot.parent.mkdir()
        bot.write_text(text)
    succeed("player", "new", "flood", tmp_path / "engine.py", "--program")
    monkeypatch.chdir(tmp_path)
    names = ("cmd: python3 engine.py", *map(str, bots))
    settings = {"format": "gauntlet", "games": 2, "clock": "20s"}
    tournament = small(*names, isolation=NO_ISOLATION, **settings)
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    killed = []

    def kill(_):
        if not killed:
            killed.append(players_of(cluster)[0])
            os.kill(killed[0], signal.SIGKILL)

    assert play(tournament, there, cluster.address, kill) == play_here(tournament, here)
    assert records(there) == records(here)
    with Store(there) as store:
        assert not any(seat.forfeit for one in store.games() for seat in one.seats)


SETTINGS = """
class First:
    def __init__(self, place=0):
        self.place = int(place)

    def choose(self, position):
        moves = position.legal_moves()
        return moves[self.place % len(moves)]
"""
COMPILED = """
#include <stdlib.h>
#include "parts/pass.h"
struct move { int c; };
char const *get_player_name(void) { return "header"; }
void initialize(size_t id, void *g, int *c, void *f) {}
struct move play(struct move m) { return (struct move){PASS}; }
void finalize(void) {}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
def test_settings_of_a_file_share_it_and_a_source_brings_its_headers(cluster, tmp_path):
    bot, compiled = tmp_path / "bot.py", tmp_path / "own" / "bot.c"
    bot.write_text(SETTINGS)
    (compiled.parent / "parts").mkdir(parents=True)
    compiled.write_text(f"// {tmp_path}, never compiled before\n{COMPILED}")
    (compiled.parent / "parts" / "pass.h").write_text("#define PASS -1\n")
    names = (str(bot), f"{bot}:place=-1", f"{bot}:First:place=1", str(compiled))
    tournament = small(*names, isolation=NO_ISOLATION, format="gauntlet", games=2, clock="20s")
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    with ClusterExecutor(play_plan, cluster.address) as executor:
        for key in tournament.schedule.remaining(()):
            executor.submit(tournament.plan(key))
        assert len(executor._contents) == 3  # the file once, the source and its header
    games = play(tournament, there, cluster.address)
    assert games == play_here(tournament, here)
    assert {name for *_, seats in games for name in seats} == {
        "bot.py",
        "bot.py:place=-1",
        "bot.py:First:place=1",
        "bot.c",
    }
    with Store(there) as store:
        assert not [seat for one in store.games() for seat in one.seats if seat.forfeit]


def test_a_worker_that_is_killed_in_the_middle_costs_nothing(cluster, tmp_path):
    tournament = small("greedy", "random", "mcts:sims=50", games=20)
    count, told, children = 0, [], set()

    def kill(_):
        nonlocal count
        count += 1
        if count == 5:
            children.update(descendants(cluster.workers[0].pid))
            cluster.workers[0].kill()

    games = play(tournament, tmp_path / "there.db", cluster.address, kill, told.append)
    assert count == len(games) == 3 * 20
    assert cluster.workers[0].wait(120) == -signal.SIGKILL
    assert gone(children)
    assert games == play_here(tournament, tmp_path / "here.db")
    (line,) = told
    assert line.startswith("1 worker lost (tcp://127.0.0.1:")


def test_after_a_loss_no_game_is_submitted_until_the_workers_left_need_some():
    """A ladder plans games as long as one can be submitted: it would never end."""
    executor = ClusterExecutor(play_plan, "tcp://127.0.0.1:1")
    free = []
    for threads in (2, 1, 0):
        executor._workers = {"tcp://127.0.0.1:2": threads}
        executor.under_way = dict.fromkeys("012")
        free.append(executor.free)
        while executor.free:
            executor.under_way[str(len(executor.under_way))] = None
            assert len(executor.under_way) <= 4
    assert free == [1, 0, 0]
    executor.under_way = {}
    assert executor.free == 1  # a game that waits for the first worker


def test_lost_workers_are_one_line_and_so_is_a_cluster_without_any(monkeypatch):
    monkeypatch.setattr("ludograph.arena.cluster.executor.LOOK_SECONDS", -1.0)
    told = []
    executor = ClusterExecutor(play_plan, "tcp://127.0.0.1:1", tell=told.append)
    for threads, lines in (
        ({}, ["no workers"]),
        ({}, []),
        ({"a": 1, "b": 2, "c": 4}, []),
        ({"c": 4}, ["2 workers lost (a, b)"]),
        ({"c": 4, "d": 1}, []),
        ({}, ["2 workers lost (c, d)", "no workers"]),
        ({}, []),
    ):
        executor.client = SimpleNamespace(status="running", nthreads=threads.copy)
        executor._watch()
        assert executor.threads == sum(threads.values())
        assert [one in line for one, line in zip(lines, told, strict=True)] == [True] * len(lines)
        told.clear()


def test_a_worker_that_is_killed_with_a_result_costs_nothing(tmp_path, monkeypatch):
    """The task is done, and the worker dies before its result is fetched."""
    tournament = small("greedy", "mcts:sims=50", games=10)
    real, killed = ClusterExecutor._fetched, []
    with running(workers=2) as cluster:

        def kill_and_fetch(self, future):
            if not killed:
                (address,) = self.client.who_has([future])[future.key]
                (number,) = self.client.run(os.getpid, workers=[address]).values()
                (one,) = [one for one in cluster.workers if one.pid == number]
                one.kill()
                assert one.wait(120) == -signal.SIGKILL
                killed.append(address)
                monkeypatch.setattr(f"{ClusterExecutor.__module__}.CONNECT_SECONDS", 0.5)
            return real(self, future)

        monkeypatch.setattr(ClusterExecutor, "_fetched", kill_and_fetch)
        games = play(tournament, tmp_path / "there.db", cluster.address)
    assert killed
    assert games == play_here(tournament, tmp_path / "here.db")


def test_a_game_whose_process_dies_again_and_again_ends_the_tournament(cluster, tmp_path):
    """The scheduler has it played twice."""
    tournament = small("mcts:sims=20000", "mcts:sims=30000", games=2)
    killed, over = set(), threading.Event()

    def kill():
        while not over.wait(0.2):
            for child in players_of(cluster):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                    killed.add(child)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with pytest.raises(HostFailure, match=r"signal 9\b"):
            play(tournament, tmp_path / "there.db", cluster.address)
    finally:
        over.set()
        killer.join()
    assert len(killed) >= 2


def test_who_interrupts_it_leaves_no_games_behind(cluster, tmp_path):
    tournament = small("greedy", "mcts:sims=100", games=200)
    children = []

    def stop(_):
        children.extend(players_of(cluster))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(tournament, tmp_path / "there.db", cluster.address, stop)
    assert children
    assert gone(children)
    with Store(tmp_path / "there.db") as store:
        assert len(store.played(1)) == 1


def test_a_scheduler_that_goes_away_is_told_and_it_goes_on_elsewhere(
    cluster, tmp_path, monkeypatch
):
    """The last test with this cluster."""
    real, count = LiveStanding.add, 0

    def add(self, one):
        nonlocal count
        real(self, one)
        count += 1
        if count == 5:
            cluster.scheduler.kill()

    monkeypatch.setattr(LiveStanding, "add", add)
    store = tmp_path / "store.db"
    command = ("tournament", "flood", "-m", 5, "--games", 40, "--store", store, "--json")
    result = invoke(*command, "--cluster", cluster.address, "greedy", "mcts:sims=50")
    assert result.exit_code == 3
    (line,) = [one for one in result.stderr.splitlines() if one.startswith("ludograph: ")]
    assert cluster.address in line
    assert re.search(r"\b[0-9]+ of 40 games\b", line)
    assert json.loads(succeed(*command, "-j", 1, "greedy", "mcts:sims=50"))["games"] == 40


def test_orders_that_a_restarted_scheduler_has_forgotten_end_the_command():
    def forgotten(timeout):
        raise CancelledError

    future = SimpleNamespace(result=forgotten, status="cancelled", cancelled=lambda: True)
    executor = ClusterExecutor(play_plan, "tcp://127.0.0.1:1")
    executor.client = SimpleNamespace(status="running")
    with pytest.raises(HostFailure, match=r"tcp://127\.0\.0\.1:1"):
        executor._fetched(future)


def test_a_scheduler_that_is_not_there_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("ludograph.arena.cluster.executor.CONNECT_SECONDS", 0.2)
    command = ("tournament", "flood", "-m", 5, "--store", tmp_path / "store.db", "--games", 2)
    result = invoke(*command, "--cluster", "tcp://127.0.0.1:1", "greedy", "random")
    assert result.exit_code == 3
    (line,) = result.stderr.splitlines()
    assert "tcp://127.0.0.1:1 " in line
    assert "0.2 s" in line


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--cluster", "somewhere"), "'somewhere'"),
        (("--cluster", "somewhere:1"), "'somewhere:1'"),
        (("--cluster", "http://x:1"), "'http://x:1'"),
        (("--cluster", "tcp://x"), "'tcp://x'"),
        (("--cluster", "tcp://x:1", "-j", 2), "-j "),
    ],
)
@pytest.mark.parametrize(
    ("command", "out"), [("tournament", ("--store",)), ("selfplay", ("-r", 2, "--out"))]
)
def test_what_does_not_go_together_is_refused(tmp_path, command, out, words, named):
    said = refuse(command, "flood", *out, tmp_path / "out", *words, "greedy", "random")
    assert named in said
    assert "--cluster" in said
    assert not (tmp_path / "out").exists()


def test_without_dask_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed.comm", None)
    words = ("--store", tmp_path / "store.db", "--cluster", "tcp://x:1")
    said = refuse("tournament", "flood", *words, "greedy", "random")
    assert "pip install 'ludograph[cluster]'" in said


def order_between(*names, clock="2s", options=None):
    """The order of a game between players, whose files are where a worker would write them."""
    specs = [parse_player(str(name), game("flood"), 2) for name in names]
    files = []
    for spec in specs:
        contents = read_files(spec)
        files.append(places_of(spec, contents))
        placed = {files[-1][file]: content for file, content in contents.items()}
        worker.put_down(placed, worker.folder())
    options = options or MatchOptions.checked(clock=clock, isolation=NO_ISOLATION, seed=1)
    plan = GamePlan(
        key=GameKey(0, tuple(spec.label for spec in specs)),
        start=flood.position(square(5), colors=4, seed=1),
        start_seed=1,
        players=specs,
        options=options,
    )
    return process.order_of(plan.start.game, process.play_here, play_plan, plan, files)


def answer(data):
    """The outcome, as it comes back from a worker."""
    return pickle.loads(pickle.dumps(process.answer(data)))


def test_what_a_machine_cannot_play_is_said():
    machine = socket.gethostname()
    data = order_between("greedy", "random")
    rules, version, *call = pickle.loads(data)
    for refused, named in (
        (pickle.dumps((rules, 99, *call)), rf"flood: .*\b{version}\b.*\b99\b"),
        (data.replace(b"ludograph.games", b"ludograph.gamez"), r"ludograph\.gamez"),
    ):
        with pytest.raises(InvalidInput, match=f"^{machine}: .*{named}"):
            raise answer(refused)
    with pytest.raises(InvalidInput, match=rf"^{machine}: .*{re.escape(VERSION)}.*9\.9"):
        worker.play("9.9", "session", b"", {})


def test_a_file_that_was_damaged_is_written_again(tmp_path):
    for _ in range(2):
        worker.put_down({"0123/bot.py": b"player"}, tmp_path)
        there = tmp_path / "0123" / "bot.py"
        assert there.read_bytes() == b"player"
        assert os.access(there, os.X_OK)
        there.write_bytes(b"damaged")


@pytest.mark.parametrize(
    "place",
    [
        *("/ABOVE/x.py", "../x.py", "a/../../x.py", "a/../x.py", "a//x.py", "./x.py", "a\0b", "."),
        *("link/x.py", "link", "away/new/x.py", "away", "folder", "file/x.py", "file/a/x.py"),
    ],
)
def test_a_place_that_is_none_in_the_folder_is_refused_and_nothing_is_written(tmp_path, place):
    """A symbolic link is followed neither to the folder nor out of it."""
    folder, away = tmp_path / "players", tmp_path / "away"
    (folder / "folder").mkdir(parents=True)
    (folder / "file").write_text("own")
    (tmp_path / "x.py").write_text("theirs")
    away.mkdir()
    (folder / "link").symlink_to(tmp_path / "x.py")
    (folder / "away").symlink_to(away)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(InvalidInput, match="place"):
        worker.put_down({place.replace("/ABOVE", str(tmp_path)): b"theirs"}, folder)
    found = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == before
    assert (folder / "link").is_symlink()


@pytest.mark.parametrize("word", ["x.h", "parts/y.h", "../own/x.h", "../../{0}/own/x.h", "{1}/x.h"])
def test_a_source_and_what_it_includes_stay_together_in_their_folder(tmp_path, monkeypatch, word):
    """Whether the player is named from its folder, by its whole path or over a symbolic link."""
    own = tmp_path / "own"
    (own / "parts").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(own)
    for name in ("x.h", "parts/y.h"):
        (own / name).write_text("#define PASS -1\n")
    named = word.format(tmp_path.name, own)
    (own / "bot.c").write_text(COMPILED.replace("parts/pass.h", named))
    for folder, name in ((own, "bot.c"), (own, str(own / "bot.c")), (tmp_path, "linked/bot.c")):
        monkeypatch.chdir(folder)
        spec = parse_player(name, game("flood"))
        contents = read_files(spec)
        places = places_of(spec, contents)
        there = tmp_path / "there"
        worker.put_down({place: contents[file] for file, place in places.items()}, there)
        assert len(list(there.iterdir())) == 1
        brought = there / places[spec.target]
        assert brought.read_bytes() == contents[spec.target]
        if named == word or ".." in word:
            assert (brought.parent / named).read_text() == "#define PASS -1\n"
        shutil.rmtree(there)


def test_a_process_that_dies_is_told_from_a_game(monkeypatch):
    monkeypatch.setattr(worker, "PROGRAM", (sys.executable, "-c", "import sys; sys.exit(9)"))
    with pytest.raises(HostFailure, match="exited, 9"):
        worker.play(VERSION, "session", b"", {})


STARTER = """
import sys, time
from ludograph.arena.cluster.worker import GameProcess
player = GameProcess("session")
print(player._process.pid, flush=True)
player._line.send_bytes(sys.stdin.buffer.read())
time.sleep(float(sys.argv[1]))
"""


@pytest.mark.parametrize("when", ["idle", "it plays", "it has not begun"])
def test_a_process_ends_with_what_has_started_it(tmp_path, monkeypatch, when):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    bot = tmp_path / "slow.py"
    bot.write_text("import time\ndef choose(position):\n    time.sleep(1000)\n")
    data = b"" if when == "idle" else order_between(bot, "random", clock="1000s")
    stays = "0" if when == "it has not begun" else "1000"
    command = [sys.executable, "-c", STARTER, stays]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as starter:
        starter.stdin.write(data)
        starter.stdin.close()
        number = int(starter.stdout.readline())
        wait_until(lambda: when != "it plays" or descendants(number))
        children = {number, *descendants(number)}
        if stays != "0":
            starter.kill()
    assert gone(children)


def test_an_idle_process_plays_the_next_game():
    """Each connection has its own, which end with it."""
    data, players = order_between("greedy", "random"), []
    try:
        for session in ("own", "own", "other"):
            assert pickle.loads(worker.play(VERSION, session, data, {}))[0].reason == "finished"
            players.append(worker.own_process(session))
        first, again, other = players
        assert again is first
        assert not first.runs
        os.kill(other._process.pid, signal.SIGKILL)
        assert other._process.wait(120) == -signal.SIGKILL
        worker.play(VERSION, "other", data, {})
        players.append(worker.own_process("other"))
        worker.end("own")
        assert players[-1].runs
    finally:
        worker.end("other")
    assert not any(player.runs for player in players)


def test_a_ladder_is_played_by_a_cluster(tmp_path, monkeypatch):
    """What workers say of a file bears its author's name, and no record tells what chance deals."""
    monkeypatch.setattr(enrolment, "SETTLE", 0.0)
    course = tmp_path / "course"
    succeed("ladder", "init", course, "flood", "-m", 5, "--clock", "20s,start=60s")
    declared = course / "ladder.toml"
    told = declared.read_text().replace("patience = 6", "patience = 2")
    declared.write_text(told)
    (course / "players" / "set.py").write_text(SETTINGS)
    (course / "players" / "last.py").write_text(LAST)
    (course / "players" / "bad.py").write_text("def choose(position):\n    exit('no idea')\n")
    played, said = 0, ""
    with running(workers=2) as own:
        while "bad.py is suspended" not in said:  # its first game may end after many of others
            assert played < 240
            ran = invoke("ladder", "run", course, "--games", 24, "--cluster", own.address)
            assert ran.exit_code == 0, ran.output
            played, said = played + 24, said + ran.stderr
    with Store(course / "games.db") as store:
        games = list(store.games())
        assert len(games) == played
        seats = [seat for one in games for seat in one.seats]
        assert not any(seat.forfeit for seat in seats if seat.player != "bad.py")
        assert "set.py" in {seat.player for seat in seats}
        told = {seat.message for seat in seats if seat.player == "bad.py"}
        assert told
        assert not any("/" in message for message in told)
        for one in games:
            header = json.loads(store.record(one.number).splitlines()[0])
            assert "chance_seed" not in header
    assert "last.py" in succeed("ladder", "table", course)


def test_a_ladder_goes_on_where_a_copy_of_a_player_is_gone(tmp_path):
    succeed("ladder", "init", tmp_path / "course", "flood", "-m", 5)
    ladder = read_ladder(LadderFolder(tmp_path / "course"))
    with pytest.raises(InvalidInput, match=r"gone\.py"):
        ladder.plan(GameKey(0, ("gone.py@0123456789ab", "greedy")))
    plan = ladder.plan(GameKey(0, ("greedy", "random")))
    (tmp_path / "lost.py").touch()
    lost = parse_player(str(tmp_path / "lost.py"), ladder.game)
    (tmp_path / "lost.py").unlink()
    executor = ClusterExecutor(play_plan, "tcp://127.0.0.1:1")
    executor.submit(replace(plan, players=[lost, plan.players[1]]))  # it is never sent
    ((_, error),) = executor.ended()
    assert isinstance(error, HostFailure)
    assert "lost.py" in str(error)


def test_a_ladder_goes_on_where_one_player_does_not_fit_a_machine(tmp_path, monkeypatch):
    """And ends where a machine fits none of its games."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    bot = tmp_path / "bot.py"
    bot.write_text(LAST)
    no_move = MatchOptions.checked(opening=[99], isolation=NO_ISOLATION)
    (unfit,) = answer(order_between("greedy", bot, options=no_move))
    assert isinstance(unfit, InvalidInput)

    def none_holds(level):
        raise InvalidInput(f"no {level}")

    monkeypatch.setattr(process, "isolated", none_holds)
    with pytest.raises(InvalidInput, match=f"^{socket.gethostname()}: no none"):
        raise answer(order_between("greedy", bot))


def test_selfplay_on_a_cluster_writes_the_same_arrays(tmp_path):
    """A worker is killed, then the command is interrupted; the same command plays the others."""
    bot = tmp_path / "bot.py"
    bot.write_text(LAST)
    command = ("selfplay", "hex", "--board", 4, "--seed", 1, "-r", 20, "--chunk", 5, "--thoughts")
    command += ("--isolation", "none", "--clock", "60s", bot, "mcts:sims=100")
    here, there = tmp_path / "here", tmp_path / "there"
    succeed(*command, "-j", 1, "--out", here)
    ended, count, children = ClusterExecutor.ended, 0, []
    with running(workers=2) as cluster, pytest.MonkeyPatch.context() as patched:

        def interrupted(executor):
            nonlocal count
            for one in ended(executor):
                count += 1
                if count == 4:
                    cluster.workers[0].kill()
                if count == 14:
                    children.extend(players_of(cluster))
                    raise KeyboardInterrupt
                yield one

        patched.setattr(ClusterExecutor, "ended", interrupted)
        result = invoke(*command, "--cluster", cluster.address, "--out", there)
        assert result.exit_code == 130, result.output
        kept = len(list(there.glob("chunk-*.npz")))
        assert f" {5 * kept} of 20 games" in result.stderr
        assert children
        assert gone(children)
        patched.setattr(ClusterExecutor, "ended", ended)
        succeed(*command, "--cluster", cluster.address, "--out", there)
    for file in sorted(here.iterdir()):
        assert (there / file.name).read_bytes() == file.read_bytes()


def test_rows_of_a_game_elsewhere_are_those_of_one_here():
    """Thoughts and a player twice among them."""
    specs = [parse_player("mcts:sims=50", game("hex"), 2)] * 2
    options = MatchOptions.checked(seed=1, thoughts=True)
    series = series_of(lambda _: make("hex", board=3), specs, 2, options)
    play_self = PlaySelf(series.names, touches=True, thoughts=True)
    for number in range(2):
        plan = series.plan(series.game_key(number))
        call = (process.play_here, play_self, plan, [{}, {}])
        one, other = answer(process.order_of(plan.start.game, *call))[0], play_self(plan)
        assert one.sentence == other.sentence
        assert one.arrays["visits"].any()
        for name, array in other.arrays.items():
            np.testing.assert_array_equal(one.arrays[name], array, err_msg=name)


def test_a_file_that_was_changed_since_the_folder_declared_it_is_refused(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(LAST)
    spec = parse_player(str(bot), game("hex"), 2)
    options = MatchOptions.checked(seed=1)
    series = series_of(lambda _: make("hex", board=3), [spec, spec], 2, options)
    assert series.versions.keys() == {"bot.py#1", "bot.py#2"}
    bot.write_text(LAST.replace("-1", "0"))
    settings = {"check_files": series.check_files}
    executor = ClusterExecutor(play_plan, "tcp://127.0.0.1:1", **settings)
    with pytest.raises(InvalidInput, match=r"bot\.py"):
        executor.submit(series.plan(series.game_key(0)))
