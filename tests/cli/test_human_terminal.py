"""People play whole games in a terminal of 80 x 24: by keys, by typing, with undo and clocks."""

import os
import re
import signal
from functools import partial

import pytest

from ludograph import read_record
from tests.cli.run import succeed
from tests.cli.terminal import (
    BACKSPACE,
    CTRL_C,
    CTRL_D,
    CTRL_Z,
    DOWN,
    END,
    ENTER,
    LEFT,
    RIGHT,
    TAB,
    UP,
    Terminal,
)

FAST = ("--delay", 0, "--seed", 3, "--starter", 0)
SMALL = {
    "flood": ("flood", "--board", "square:5", "-c", 4),
    "hex": ("hex", "--size", 3),
    "penguins": ("penguins", "--board", "full-hexa:4", "--penguins", 1),
    "carcassonne": ("carcassonne", "--deck", "course:8", "-m", "finite"),
    "amazons": ("amazons", "--board", "square:4", "--queens", 1),
}


def play(terminal, turn):
    """Play until the game is over: ``turn`` presses the keys of one move, when it is asked."""

    def ended():
        return terminal.process.poll() is not None

    def moved(ply, asks):
        return ended() or (terminal.ply > ply and (terminal.is_asking or not asks))

    ply = -1
    while True:
        terminal.wait(partial(moved, ply, asks=True), what="a turn")
        if ended():
            break
        ply = terminal.ply
        turn()
        terminal.wait(partial(moved, ply, asks=False), what="a move")
    assert terminal.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_whole_games_with_keys(name, tmp_path):
    record = tmp_path / "game.jsonl"
    with Terminal(*SMALL[name], "human", "random", *FAST, "--record", record) as terminal:

        def turn():
            """Choose what the cursor is on, then the next target, and so on."""
            ply, parts = terminal.ply, 0
            if name == "carcassonne":
                terminal.wait_for("place 1 of")
            while terminal.ply == ply and terminal.process.poll() is None:
                before = terminal.screen
                if "nothing to choose" in before:
                    terminal.press(TAB)
                elif not re.search(r"\(.*\)\n.*Enter", before):  # only a word is left to play
                    terminal.press("pass" + ENTER)
                else:
                    terminal.press(ENTER)
                    parts += 1
                terminal.wait(
                    lambda before=before: (
                        terminal.screen != before or terminal.process.poll() is not None
                    ),
                    what="something new",
                )
            assert parts <= 3

        play(terminal, turn)
    kept = read_record(record)
    assert kept.end["end"] == "finished"
    assert kept.plies > 1
    assert kept.header["specs"] == ["human", "random"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_whole_games_with_typed_moves(name, tmp_path):
    record, second = tmp_path / "game.jsonl", tmp_path / "second.jsonl"
    succeed(*SMALL[name], "random", "random", *FAST, "--record", record)
    kept = read_record(record)
    moves = [kept.start.text(e.move) for e in kept.events if e.seat is not None]
    with Terminal(*SMALL[name], "human", "human", *FAST, "--record", second) as terminal:
        play(terminal, lambda: terminal.press(moves.pop(0), ENTER))
    assert not moves
    assert [e.move for e in read_record(second).events] == [e.move for e in kept.events]


@pytest.mark.slow
def test_arrows_go_to_the_nearest_cell_and_marks_tell_where():
    options = (*SMALL["amazons"], "human", "random", *FAST)
    with Terminal(*options, NO_COLOR="1") as terminal:
        terminal.asked(0)
        assert "\x1b[48;" not in terminal.text
        assert "\x1b[1m" not in terminal.text
        found = re.search(
            r"^Pick one of your queens: (\w\d)-.*\(white\)$", terminal.screen, re.MULTILINE
        )
        assert found
        assert terminal.screen.count("[O]") == 1
        terminal.press(ENTER, sees="nothing to choose")
        targets = terminal.screen.count("+")
        assert targets > 3
        terminal.press(TAB, sees="(free)")
        terminal.press(BACKSPACE)
        terminal.wait(lambda: "+" not in terminal.screen)
        column, row = found[1]
        terminal.press(LEFT if column > "a" else RIGHT)
        terminal.wait(lambda: "[.]" in terminal.screen)
        terminal.press(RIGHT if column > "a" else LEFT, sees="[O]")
        terminal.press(UP if row == "1" else DOWN, sees="[.]")
        terminal.press(CTRL_C)
        assert terminal.end() == 130


@pytest.mark.slow
def test_a_line_completes_and_goes_through_what_begins_so():
    with Terminal(*SMALL["hex"], "human", "random", *FAST) as terminal:
        terminal.asked(0)
        terminal.press("b", sees="> b")
        terminal.press(TAB, sees="b1  b2  b3")
        terminal.press(DOWN, sees="> b1")
        terminal.press(DOWN, sees="> b2")
        terminal.press(UP, sees="> b1")
        terminal.press(UP, sees="> b3")
        terminal.press(BACKSPACE + "x3", sees="> bx3")
        terminal.press(ENTER, sees="no cell 'bx3' to play on; they are called a1 to c3")
        terminal.wait(lambda: terminal.prompt.endswith("> "))
        terminal.press("res" + TAB, sees="> resign")
        terminal.press(ENTER)
        assert terminal.end() == 0
        assert "human (seat 0) resigned." in terminal.after


@pytest.mark.slow
def test_help_moves_hint_undo_quit(tmp_path):
    record = tmp_path / "game.jsonl"
    with Terminal(*SMALL["hex"], "human", "random", *FAST, "--record", record) as terminal:
        terminal.asked(0)
        terminal.press("?", sees="A move is written as a free cell")
        terminal.press(" ")
        terminal.asked(0)
        terminal.press("moves" + ENTER, sees="#9 c3")
        terminal.press("hint" + ENTER, sees="hint: ")
        terminal.press("undo" + ENTER, sees="undo: you have made no move yet")
        terminal.press("#5" + ENTER)
        terminal.asked(2)
        terminal.press("undo" + ENTER, sees="takes back, to ply 0")
        terminal.asked(0)
        terminal.press("a1" + ENTER)
        terminal.asked(2)
        terminal.press("quit" + ENTER)
        assert terminal.end() == 0
        said = f" 2 moves; --resume {record}"
        assert said in terminal.after.replace("\n", "")
        assert "--seed 3 --starter 0 " in terminal.after
    kept = read_record(record)
    assert kept.start.text(kept.events[0].move) == "a1"
    assert kept.plies == 2


@pytest.mark.slow
def test_a_refused_line_goes_and_ctrl_d_leaves():
    with Terminal("flood", "-m", 4, "human", "random", *FAST) as terminal:
        terminal.asked(0)
        terminal.press("xyz", ENTER, sees="no move is called 'xyz'")
        assert terminal.prompt.endswith("> ")
        terminal.press("moves", ENTER, sees="#1 ")  # and not "xyzmoves"
    with Terminal("flood", "-m", 4, "human", "random", *FAST) as terminal:
        terminal.asked(0)
        terminal.press("xyz", ENTER, sees="no move is called 'xyz'")
        terminal.press("\x04")
        assert terminal.process.wait(timeout=60) == 0


@pytest.mark.slow
def test_the_key_that_closes_help_acts_unless_it_would_play():
    with Terminal(*SMALL["hex"], "human", "random", *FAST) as terminal:
        terminal.asked(0)
        for key, then in (("b", "> b"), (ENTER, "> "), (" ", "> ")):
            terminal.press("?", sees="A move is written as a free cell")
            terminal.press(key)
            terminal.wait(lambda then=then: terminal.prompt.endswith(then), what=then)
            if key == "b":
                terminal.press(BACKSPACE)
        assert terminal.ply == 0
        terminal.press("?", sees="A move is written as a free cell")
        terminal.press(CTRL_D)
        assert terminal.end() == 0


@pytest.mark.slow
def test_who_plays_from_a_file_takes_nothing_back(tmp_path):
    (tmp_path / "bot.py").write_text(
        "def choose(position):\n    return position.legal_moves()[0]\n"
    )
    with Terminal(*SMALL["hex"], "human", tmp_path / "bot.py", *FAST) as terminal:
        terminal.asked(0)
        terminal.press("c3" + ENTER)
        terminal.asked(2)
        terminal.press("undo" + ENTER, sees="bot.py (seat 1) keeps a board of its own")
        terminal.press(CTRL_D)
        assert terminal.end() == 0


@pytest.mark.slow
def test_a_clock_is_shown_and_obeyed():
    with Terminal(*SMALL["hex"], "human", "random", *FAST, "--clock", "3s") as terminal:
        assert terminal.end() == 0
        assert len(set(re.findall(r"seat 0, black, (\d\.\d) s left> ", terminal.text))) > 1
        assert "human (seat 0) forfeits: timeout" in terminal.after


@pytest.mark.parametrize(
    ("name", "color"), [*((name, "") for name in SMALL), ("flood", "1"), ("carcassonne", "1")]
)
def test_every_picture_fits(name, color):
    with Terminal(name, "human", "random", *FAST, NO_COLOR=color) as terminal:
        terminal.wait(lambda: terminal.is_asking)
        for size in ((80, 24), (70, 21), (120, 40)):
            terminal.resize(*size)
            drawn = terminal.text.count(END)
            terminal.press(RIGHT)
            terminal.wait(lambda drawn=drawn: terminal.text.count(END) > drawn, what=f"{size}")
            shown = terminal.screen.split("\n")
            assert len(shown) <= size[1]
            assert max(map(len, shown)) <= size[0]
            assert ("\x1b[48;" in terminal.drawing) == (not color)
            assert "arrows go" in shown[-2]
        terminal.press(CTRL_C)
        assert terminal.end() == 130


def test_a_dumb_terminal_is_asked_by_lines():
    with Terminal(*SMALL["hex"], "human", "random", *FAST, TERM="dumb") as terminal:
        terminal.wait(lambda: "seat 0, black> " in terminal.text, what="a question")
        terminal.press("zz\n")
        terminal.wait(lambda: "they are called a1 to c3" in terminal.text, what="a refusal")
        terminal.press("b2\n")
        terminal.wait(lambda: "ply 2: random" in terminal.text, what="a move")
        terminal.press(CTRL_D)
        assert terminal.end() == 0
        assert "\x1b" not in terminal.text
        assert "No result after 2 moves" in terminal.text


def test_ctrl_d_after_blanks_leaves_and_after_a_move_plays_it():
    with Terminal(*SMALL["hex"], "human", "random", *FAST, TERM="dumb") as terminal:
        terminal.wait(lambda: "seat 0, black> " in terminal.text, what="a question")
        terminal.press("b2" + CTRL_D)
        terminal.wait(lambda: "ply 2: random" in terminal.text, what="a move")
        terminal.press("  " + CTRL_D)
        assert terminal.end() == 0
        assert "No result after 2 moves" in terminal.text


def test_a_terminal_without_room_is_asked_by_lines_below_the_board():
    options = (*SMALL["hex"], "human", "random", *FAST)
    with Terminal(*options, columns=25, lines=10) as terminal:
        terminal.wait(lambda: "seat 0, black> " in terminal.text, what="a question")
        assert "O . . . O" in terminal.text.split("seat 0, black> ")[0]
        terminal.press("resign\n")
        assert terminal.end() == 0
        assert "\x1b" not in terminal.text


@pytest.mark.slow
def test_ctrl_z_gives_the_terminal_back_and_takes_it_again():
    options = (*SMALL["hex"], "human", "random", *FAST)
    with Terminal(*options, shell=True) as terminal:
        terminal.asked(0)
        terminal.press(CTRL_Z)
        terminal.wait(lambda: "stopped 148" in terminal.text, what="the shell")
        until = terminal.text[: terminal.text.index("stopped 148")]
        assert until.count("\x1b[?1049h") == until.count("\x1b[?1049l") == 1
        terminal.wait(lambda: terminal.text.count("\x1b[?1049h") == 2, what="the program again")
        terminal.asked(0)
        terminal.press("a1" + ENTER)
        terminal.asked(2)
        terminal.press("resign" + ENTER)
        terminal.wait(lambda: "ended 0" in terminal.text, what="the end")
        terminal.end()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_give_the_terminal_back(number):
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, and so by all that is started from here")
    with Terminal(*SMALL["hex"], "human", "random", *FAST) as terminal:
        terminal.asked(0)
        terminal.press("b")
        os.kill(terminal.process.pid, number)
        assert terminal.end() == 128 + number
        assert "interrupted after 0 moves" in terminal.after.replace("\n", "")


@pytest.mark.parametrize("kind", ["xterm-256color", "dumb"])
def test_a_terminal_that_is_closed_ends_the_match(kind):
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        pytest.skip("SIGHUP is ignored here, and so by all that is started from here")
    with Terminal(*SMALL["hex"], "human", "random", *FAST, TERM=kind) as terminal:
        terminal.wait(lambda: "seat 0, black> " in terminal.text, what="a question")
        os.close(terminal.ours)
        terminal.ours = os.open(os.devnull, os.O_RDWR)
        assert terminal.process.wait(timeout=120) == 128 + signal.SIGHUP


def test_a_crash_gives_the_terminal_back(tmp_path):
    (tmp_path / "full.jsonl").symlink_to("/dev/full")
    options = (*SMALL["hex"], "human", "random", *FAST, "--record", tmp_path / "full.jsonl")
    with Terminal(*options, "--force") as terminal:
        assert terminal.end() == 3
        assert "No space left" in terminal.after
