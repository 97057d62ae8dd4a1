"""What is said of faults of C players leads to the fault: their memory, sources, answers, times."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from ludograph.conformance.memory_checks import first_finding
from ludograph.games.registry import game
from tests.cli.run import run, succeed
from tests.cli.test_debug import needs, needs_asan

PLAYER = """
#include "player.h"
#include <stdlib.h>
#include <string.h>
int *helper(size_t n);
static struct graph_t *graph;
static enum color_t *colors;
static int *mine, *next;
char const *get_player_name() { return "two"; }
void initialize(size_t id, struct graph_t *g, enum color_t *c,
                struct color_set_t forbidden[NUM_PLAYERS]) {
  (void)id; (void)forbidden; graph = g; colors = c; mine = helper(4); INITIALIZE;
}
struct move_t play(struct move_t m) { (void)m; PLAY; return (struct move_t){NO_COLOR}; }
void finalize() {
  gsl_spmatrix_uint_free(graph->t); free(graph); free(colors); FINALIZE;
}
"""
LIST = "#include <stdlib.h>\nint *helper(size_t n) { return malloc(n * sizeof(int)); }\n"


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Return a function that writes the two sources of a player where the test runs."""
    monkeypatch.chdir(tmp_path)

    def write(initialize="", play="", finalize="free(mine)"):
        code = PLAYER.replace("INITIALIZE", initialize).replace("PLAY;", f"{play};")
        (tmp_path / "player.c").write_text(code.replace("FINALIZE", finalize))
        (tmp_path / "list.c").write_text(LIST)
        return "player.c", "list.c"

    return write


GAME = ("flood", "-m", 4, "--seed", 1)


@pytest.mark.slow
def test_a_player_may_have_several_sources(sources) -> None:
    files = sources()
    played = run("player", "debug", *files, *GAME, "-q")
    assert played.returncode == 0, played.stderr
    said = run("player", "debug", files[0], *GAME, "-q")
    assert said.returncode == 2
    assert re.search(r"player\.c .*\bhelper,", said.stderr)
    files = sources(play="int unused")
    checked = run("player", "check", *files, "--only", "itself", "--games", 1)
    assert checked.returncode == 0
    assert checked.stdout.startswith("player.c list.c, flood: ")
    assert checked.stderr.count("variable 'unused'") == 1


@pytest.mark.slow
@needs_asan
def test_sanitizers_see_all_sources(sources) -> None:
    files = sources(play="mine[4] = 1")
    said = run("player", "debug", *files, *GAME, "--asan", "-q")
    assert said.returncode == 1
    assert "heap-buffer-overflow" in said.stderr
    assert "list.c:2" in said.stderr


@pytest.mark.slow
@needs_asan
def test_a_heap_that_was_spoiled_before_sends_to_the_sanitizer(sources) -> None:
    files = sources(
        # Of many blocks in a row the last two lie side by side, whatever else was free before.
        initialize="for (int i = 0; i < 300; i++) { mine = next; next = helper(500); }",
        play="memset(mine, 65, 2100)",
        finalize="free(next)",
    )
    said = run("player", "check", *files, "flood", "--only", "itself", "--games", 1, "--json")
    problem = json.loads(said.stdout)["problems"][0]
    assert re.search(r"free|malloc|corrupted", problem["message"])
    asked = re.search(r"'ludograph (player debug player.c list.c .* --asan)'", problem["look"])
    assert asked is not None, problem["look"]
    named = run(*shlex.split(asked[1]), "-q")
    assert "heap-buffer-overflow" in named.stderr
    assert re.search(r"in play .*player\.c:\d+", named.stderr)


@pytest.mark.slow
def test_no_source_is_named_that_is_not_there(sources) -> None:
    files = sources()
    Path("player.h").write_text(game("flood").interop.library.header)
    subprocess.run(["gcc", "-shared", "-fPIC", *files, "-o", "built.so"], check=True)
    said = run("player", "check", "./built.so", "flood", "--only", "memory", "--time", 2, "--json")
    notes = json.loads(said.stdout)["notes"]
    assert any("AddressSanitizer" in note and ".c files" in note for note in notes)
    assert not any("built.c" in note for note in notes)


LOSS = """
==7== 40 bytes in 1 blocks are definitely lost in loss record 1 of 2
==7==    at 0x48: malloc (vg_replace_malloc.c:381)
==7==    by 0x52: PyObject_Malloc (obmalloc.c:12)
==7==    by 0x53: helper (list.c:2)
==7==    by 0x54: initialize (player.c:12)
==7==
"""
HANDED = """
==7== 16 bytes in 1 blocks are definitely lost in loss record 1 of 2
==7==    at 0x48: malloc (vg_replace_malloc.c:381)
==7==    by 0x52: _call (_cffi_backend.c:3142)
==7==
"""
DEAD = """
==7== Process terminating with default action of signal 11 (SIGSEGV)
==7==    at 0x53: finalize (player.c:17)
==7==
"""


def test_a_loss_is_told_with_the_players_own_allocation() -> None:
    own = {"player.c", "list.c", "player.so"}
    assert first_finding(LOSS, own).endswith("helper (list.c:2)")
    assert re.match("16 bytes .*: .*free", first_finding(HANDED, own))
    assert first_finding(HANDED + LOSS, own).endswith("helper (list.c:2)")


def test_what_is_held_where_the_process_dies_is_no_loss() -> None:
    own = {"player.c", "list.c", "player.so"}
    assert first_finding(DEAD + LOSS, own) == ""
    bad = "==7== Invalid read\n==7==    at 0x53: finalize (player.c:17)\n==7==\n"
    assert first_finding(bad + DEAD + LOSS, own).startswith("Invalid read ")


@needs("valgrind")
@pytest.mark.slow
def test_valgrind_names_the_players_allocation(sources) -> None:
    files = sources(finalize="")
    command = ("player", "check", *files, "flood", "--only", "memory", "--time", 300, "--json")
    problem = json.loads(run(*command).stdout)["problems"][-1]
    assert "16 bytes in 1 blocks" in problem["message"]
    assert "helper (list.c:2)" in problem["message"]


@pytest.mark.slow
def test_a_recorded_game_keeps_its_names(sources, tmp_path) -> None:
    files = sources()
    record = str(tmp_path / "game.jsonl")
    bot = tmp_path / "player.py"
    bot.write_text("def choose(position):\n    return position.legal_moves()[0]\n")
    succeed(*GAME, "--starter", 0, "-q", "--record", record, str(bot), "greedy")
    again = run("player", "debug", *files, "flood", "--record", record)
    assert again.returncode == 0, again.stderr
    assert "against greedy" in again.stderr
    assert "greedy (seat 1) wins" in again.stdout
    assert "RecordedPlayer" not in again.stdout + again.stderr


def test_minus_one_of_type_size_t_is_called_so(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "below.c").write_text(
        """
#include "player.h"
#include <stdlib.h>
char const *get_player_name() { return "below"; }
void initialize_graph(struct graph_t *graph) { (void)graph; }
struct move_t propose_opening() { return (struct move_t){(size_t)-1, BLACK}; }
int accept_opening(const struct move_t opening) { (void)opening; return 1; }
void initialize_color(enum color_t id) { (void)id; }
struct move_t play(struct move_t m) { (void)m; return (struct move_t){(size_t)-1, BLACK}; }
void finalize() { }
"""
    )
    said = run("player", "debug", "below.c", "hex", "--board", 5, "-q")
    assert "vertex -1," in said.stdout + said.stderr


@pytest.mark.slow
def test_a_function_that_is_missing_is_named(sources) -> None:
    sources()
    Path("player.h").write_text(game("flood").interop.library.header)
    subprocess.run(["gcc", "-shared", "-fPIC", "player.c", "-o", "half.so"], check=True)
    said = run("player", "debug", "./half.so", *GAME, "-q")
    assert re.search(r"half\.so .* helper,", said.stderr)
    checked = run("player", "check", "./half.so", "flood", "--games", 1, "--only", "games")
    assert "helper in initialize," in checked.stdout
    assert "code 127" not in checked.stdout
