"""What players print is shown when it is asked for, kept in every record, told after a fault."""

import json
import re
import subprocess

import pytest

from ludograph import boards, flood, play_match, read_record
from tests.cli.run import invoke, refuse, succeed
from tests.hosting.fixtures import SMALL

SMALL_GAME = ("flood", "-m", 4, "-c", 3, "--seed", 1, "--starter", 0, "-q")
LOUD = """
print("loaded")
class Loud:
    def choose(self, position):
        print(f"thinking at\\t{position.ply} \\x1b[31m")
        return position.legal_moves()[0]
"""


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Return a function that compiles a C player of Flood, in the folder where the test runs."""
    monkeypatch.chdir(tmp_path)

    def compiled(play, finalize="", *flags):
        source = SMALL.replace("PLAY", play).replace("FINALIZE", finalize)
        (tmp_path / "small.c").write_text(source.replace("FUNCTIONS", ""))
        command = ["gcc", "-g", *flags, "-shared", "-fPIC", "small.c", "-o", "small.so"]
        subprocess.run(command, check=True)
        return "./small.so"

    return compiled


@pytest.fixture
def loud(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loud.py").write_text(LOUD)
    return "loud.py"


@pytest.mark.parametrize("seat", ["0", "all"])
def test_what_a_player_prints_is_shown_live_with_its_seat(loud, seat):
    result = invoke(*SMALL_GAME, "--show-output", seat, loud, "greedy")
    lines = result.stderr.splitlines()
    assert lines[:2] == ["loud.py (seat 0): loaded", "loud.py (seat 0): thinking at     0 ?[31m"]
    assert all(line.startswith("loud.py (seat 0): ") for line in lines)
    assert len(result.stdout.splitlines()) == 1


@pytest.mark.slow
def test_only_the_seats_that_are_asked_for_are_shown(loud):
    assert invoke(*SMALL_GAME, "--show-output", 1, loud, "greedy").stderr == ""
    both = invoke(*SMALL_GAME, "--show-output", 0, "--show-output", 1, loud, loud).stderr
    assert "loud.py (seat 0): " in both
    assert "loud.py (seat 1): " in both


def test_a_series_shows_it_too(loud):
    text = invoke(*SMALL_GAME[:-3], "-q", "-r", 2, "--show-output", "all", loud, "greedy").stderr
    assert text.count(": loaded") == 2


def test_a_seat_that_is_not_there_cannot_be_shown(loud):
    message = refuse(*SMALL_GAME, "--show-output", 2, loud, "greedy")
    assert re.match("--show-output .* 0 to 1 or all, got 2", message)


def test_the_record_keeps_what_every_seat_has_printed(loud):
    succeed(*SMALL_GAME, "--record", "game.jsonl", loud, "random")
    log = read_record("game.jsonl").logs[0]
    assert log.startswith("loaded\nthinking at\t0 \\x1b[31m\n")
    text = succeed("replay", "game.jsonl", "--log")
    assert text.startswith("--- loud.py (seat 0) wrote:\nloaded\nthinking at")
    assert "seat 1" not in text


def test_the_record_of_an_interrupted_game_keeps_it_too(loud):
    def interrupt(position, played):
        if position.ply == 3:
            raise KeyboardInterrupt

    start = flood.position(boards.square(4), colors=3, seed=1)
    with pytest.raises(KeyboardInterrupt):
        play_match(start, [loud, "greedy"], record="game.jsonl", on_move=interrupt)
    record = read_record("game.jsonl")
    assert record.end is None
    assert record.logs[0].startswith("loaded\nthinking at\t0")


@pytest.mark.slow
def test_gigabytes_are_bounded_in_record_and_terminal(loud, tmp_path):
    (tmp_path / "flood.py").write_text(
        "def choose(p):\n    for k in range(60000): print('x' * 99, k)\n"
        "    return p.legal_moves()[0]\n"
    )
    options = ("--record", "game.jsonl", "--show-output", "all")
    result = invoke(*SMALL_GAME, *options, "flood.py", "greedy")
    assert len(result.stderr) < 2_000_000
    assert re.search(r"\n.*\[\.\.\. .* \d+ bytes", result.stderr)
    log = read_record("game.jsonl").logs[0]
    assert len(log) < 10_000
    assert re.search(r"\n\[\.\.\. \d+ bytes", log)
    assert log.startswith("x" * 99 + " 0\n")


@pytest.mark.slow
def test_a_quiet_forfeit_is_told_with_its_log(small):
    result = invoke(*SMALL_GAME, small('printf("so far\\n"); abort()'), "greedy")
    assert re.search("forfeits: crash, .*SIGABRT", result.stdout)
    assert "--- small.so “small” (seat 0) wrote:\nso far\n" in result.stderr


@pytest.mark.slow
def test_a_series_of_forfeits_is_told_as_such(small):
    result = invoke(*SMALL_GAME, "-r", 3, small('printf("so far\\n"); abort()'), "greedy")
    assert "all 3 games were forfeited" in result.stderr
    assert re.search("small.so “small”, the first crash: .*SIGABRT", result.stderr)
    assert result.stderr.count("\nso far\n") == 1


FINISHES = {
    "char *p = malloc(9); free(p); free(p)": ("crash", "SIGABRT", "double free"),
    "abort()": ("crash", "SIGABRT", ""),
    "for (;;) ;": ("timeout", "1 s", ""),
    "_exit(4)": ("crash", "code 4", ""),
}


@pytest.mark.parametrize("body", FINISHES)
def test_a_fault_in_finalize_is_told_and_changes_nothing(small, body):
    reason, named, printed = FINISHES[body]
    player = small("", body)
    result = invoke(*SMALL_GAME, "--record", "game.jsonl", player, "greedy")
    assert result.exit_code == 0
    assert "greedy (seat 1) wins, " in result.stdout
    told = rf"small\.so “small” \(seat 0\), at the end .*: {reason}, .*{named}.*stands\n"
    assert re.search(told, result.stderr)
    assert printed in result.stderr
    record = read_record("game.jsonl")
    assert [(event.seat, named in event.message) for event in record.finish_faults] == [(0, True)]
    assert record.end["end"] == "finished"
    replayed = invoke("replay", "game.jsonl")
    assert re.search(told, replayed.stderr)
    assert replayed.exit_code == 0


@pytest.mark.slow
def test_a_fault_in_finalize_is_counted_in_a_series(small):
    player = small("", "abort()")
    result = invoke(*SMALL_GAME, "-r", 2, player, "greedy")
    assert re.search("crash at the end of 2 games, .*SIGABRT", result.stderr)
    data = json.loads(invoke(*SMALL_GAME, "-r", 2, "--json", player, "greedy").stdout)
    assert data["players"][0]["finish_faults"] == {"crash": 2}
    assert data["players"][0]["forfeits"] == {}


def test_json_has_logs_and_faults_at_the_end(small):
    player = small('printf("hello\\n")', "abort()")
    data = json.loads(invoke(*SMALL_GAME, "--json", player, "greedy").stdout)
    (fault,) = data["finish_faults"]
    assert fault["log"].startswith("hello\n")
    assert data["faults"] == []


def test_an_exception_in_finish_of_a_python_player(loud, tmp_path):
    code = LOUD + "    def finish(self, outcome):\n        raise KeyError('late')\n"
    code += "    def start(self, position, seat):\n        self.board = position\n"
    code += (
        "    def play(self, moves, time_left):\n        for move in moves: self.board.play(move)\n"
    )
    code += "        move = self.board.legal_moves()[0]\n"
    code += "        self.board.play(move)\n        return move\n"
    (tmp_path / "late.py").write_text(code)
    result = invoke(*SMALL_GAME, "late.py", "greedy")
    assert re.search(r"late\.py \(seat 0\), at the end .*: crash, KeyError: 'late'", result.stderr)
    assert "raise KeyError('late')" in result.stderr
