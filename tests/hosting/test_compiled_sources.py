"""A C source is a player: compiled before the match, kept, and refused if it does not compile."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from ludograph import InvalidInput, amazons, boards, flood, play_match, read_record
from ludograph.hosting import compiler
from ludograph.hosting.compiler import with_library
from ludograph.hosting.player_kernels import LOCK, remove_oldest, size_of
from ludograph.players.c_sources import included
from ludograph.players.isolation import Isolation
from ludograph.players.spec import parse_player
from ludograph.referee.player_factory import labels
from tests.cli.run import invoke, refuse, run, succeed

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")

PASSES = """
#include <stdlib.h>
#include <stdio.h>
HEAD
struct move { int c; };
const char *get_player_name(void) { return NAME; }
void initialize(size_t id, void *g, int *c, void *f) { BEGIN }
struct move play(struct move m) { return (struct move){-1}; }
void finalize(void) { }
"""


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """Return the folder in which the libraries of the test are kept."""
    folder = tmp_path / "kept"
    monkeypatch.setattr(compiler, "all_folders", lambda: folder)
    return folder


@pytest.fixture
def source(tmp_path):
    """Return a function that writes a source that passes always, and returns its path."""
    (tmp_path / "own").mkdir()

    def write(name="bot.c", head="", begin="", title='"passes"'):
        path = tmp_path / "own" / name
        code = PASSES.replace("HEAD", head).replace("BEGIN", begin).replace("NAME", title)
        path.write_text(code)
        return path

    return write


def start():
    return flood.position(boards.square(4), colors=4, seed=1)


def names(path, seat=0):
    """Return what a source calls itself in a game, and its faults."""
    players = [str(path), "random"] if seat == 0 else ["random", str(path)]
    result = play_match(start(), players, seed=1)
    return result.names[seat], [fault.message for fault in result.faults]


@pytest.mark.slow
def test_a_source_plays_and_nothing_is_written_beside_it(source, kept):
    path = source()
    assert names(path) == ("bot.c “passes”", [])
    assert names(path, seat=1) == ("bot.c “passes”", [])
    assert os.listdir(path.parent) == ["bot.c"]
    (folder,) = kept.iterdir()
    assert (folder / "bot.so").is_file()


def test_what_the_loader_says_names_the_source_and_not_the_kept_library(source, kept):
    path = source(head="extern int nowhere;", begin='printf("%d", nowhere);')
    ((fault,),) = names(path)[1:]
    assert fault == f"{path}: undefined symbol: nowhere"


@pytest.mark.slow
def test_an_unchanged_source_is_compiled_once(source, kept, monkeypatch):
    path = source()
    names(path)

    def fail(*arguments):
        raise AssertionError("compiled")

    monkeypatch.setattr(compiler, "Build", fail)
    assert names(path) == ("bot.c “passes”", [])
    elsewhere = path.parent.parent / "copy"
    elsewhere.mkdir()
    shutil.copy(path, elsewhere / "bot.c")
    assert names(elsewhere / "bot.c") == ("bot.c “passes”", [])
    source(title='"another"')
    with pytest.raises(AssertionError, match=r"^compiled$"):
        names(path)


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["empty", "short", "flipped"])
def test_a_damaged_library_is_compiled_anew(damage, source, kept):
    """A power cut or a disk did it, not the player."""
    path = source()
    assert play_match(start(), [str(path), "greedy"]).faults == []
    (library,) = kept.glob("*/*.so")
    whole = library.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    library.write_bytes({"empty": b"", "short": whole[:-1], "flipped": flipped}[damage])
    assert play_match(start(), [str(path), "greedy"]).faults == []
    assert compiler.is_undamaged(library)


def test_a_changed_header_is_compiled_anew(source):
    path = source(head='#include "parts/title.h"', title="TITLE")
    parts = path.parent / "parts"
    parts.mkdir()
    (parts / "title.h").write_text('#include "text.h"\n')
    (parts / "text.h").write_text('#define TITLE "one"\n')
    assert names(path)[0] == "bot.c “one”"
    (parts / "text.h").write_text('#define TITLE "two"\n')
    assert names(path)[0] == "bot.c “two”"


def test_the_header_of_the_game_is_there(source):
    path = source()
    path.write_text(
        '#include "player.h"\n'
        'char const *get_player_name() { return "typed"; }\n'
        "void initialize(size_t id, struct graph_t *g, enum color_t *c,\n"
        "                struct color_set_t f[]) {}\n"
        "struct move_t play(struct move_t m) { m.c = NO_COLOR; return m; }\n"
        "void finalize() {}\n"
    )
    if shutil.which("gsl-config") is None:
        pytest.skip("unavoidable: no libgsl")
    assert names(path)[0] == "bot.c “typed”"


@pytest.mark.parametrize("name", [b"a\0b.h", b"a/" * 5000 + b"b.h", b"\xff.h", b"."])
def test_what_is_included_by_no_name_of_a_file_is_left_to_the_compiler(name, tmp_path):
    path = tmp_path / "bot.c"
    path.write_bytes(b'#include "' + name + b'"\n')
    assert list(included(path)) == ["bot.c"]


def test_a_header_that_includes_itself_over_a_loop_of_links_is_read(tmp_path):
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "x.h").write_text('#include "loop/x.h"\n')
    (tmp_path / "bot.c").write_text('#include "x.h"\n')
    assert {"bot.c", "x.h", "loop/x.h"} <= set(included(tmp_path / "bot.c"))


@pytest.mark.slow
def test_a_source_includes_nothing_from_outside_of_its_folder(source, tmp_path):
    (tmp_path / "secret.h").write_text("#define SECRET 1\n")
    path = source(head='#include "../secret.h"')
    with pytest.raises(InvalidInput, match=r"bot\.c:4:10: fatal error: \.\./secret\.h: No such"):
        names(path)
    absolute = source(head=f'#include "{tmp_path}/secret.h"')
    with pytest.raises(InvalidInput, match=r"secret\.h: No such"):
        names(absolute)
    path = source(head='#include "linked.h"')
    (path.parent / "linked.h").symlink_to(tmp_path / "secret.h")
    with pytest.raises(InvalidInput, match=r"linked\.h: No such"):
        names(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "levels"),
    [
        ("../own/title.h", ["strict", "none"]),
        ("../../{0}/own/title.h", ["strict", "none"]),
        ("../linked/title.h", ["strict", "none"]),
        ("../../../../../../../../../../../..{1}/title.h", ["none"]),
        ("{1}/title.h", ["none"]),
    ],
)
def test_a_header_that_is_named_over_other_folders_is_read_and_never_written(
    source, kept, tmp_path, word, levels
):
    """By a whole path only without isolation: a sandbox shows copies of the files."""
    path = source(head=f'#include "{word.format(tmp_path.name, tmp_path / "own")}"', title="TITLE")
    header = path.parent / "title.h"
    (tmp_path / "linked").symlink_to(path.parent)
    game = start().game
    for level in levels:
        libraries = set()
        for title in ("one", "two"):
            header.write_text(f'#define TITLE "{title}"\n')
            before, there = header.stat(), set(tmp_path.rglob("*"))
            isolation = Isolation.chosen(level)
            library = with_library(parse_player(str(path), game), game, isolation).library
            assert title.encode() in Path(library).read_bytes()
            after, folder = header.stat(), Path(library).parent
            assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
            made = set(tmp_path.rglob("*")) - there
            assert made <= {kept, folder, folder / "bot.so", folder / LOCK}
            libraries.add(library)
        assert len(libraries) == 2
        shutil.rmtree(kept)


@pytest.mark.slow
def test_a_player_reads_what_lies_beside_its_source(source):
    path = source(begin='fclose(fopen(PLACE "/book.txt", "r"));')
    path.write_text(f'#define PLACE "{path.parent}"\n{path.read_text()}')
    (path.parent / "book.txt").write_text("e4\n")
    assert names(path) == ("bot.c “passes”", [])


@pytest.mark.slow
def test_what_does_not_compile_is_refused_before_the_match(source, tmp_path):
    path = source(head="int x = one;\nint y = two;")
    record = tmp_path / "game.jsonl"
    with pytest.raises(InvalidInput) as caught:
        play_match(start(), [str(path), "random"], record=record)
    message = str(caught.value)
    assert message.startswith(f"player '{path}': ")
    assert ": bot.c:4:9: error: 'one' " in message
    assert "; bot.c:5:9: error: 'two' " in message
    assert "\n" not in message
    assert not record.exists()
    assert "bot.c:4:9: error" in refuse("flood", "-m", 4, "-q", path, "random")


@pytest.mark.slow
def test_warnings_are_not_shown(source):
    done = run("flood", "-m", 4, "--seed", 1, "-q", source(head="#warning loud"), "random")
    assert done.returncode == 0
    assert "loud" not in done.stderr


def test_without_a_compiler_it_is_said(source, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(InvalidInput, match=r"bot\.c': no-such-compiler "):
        names(source())


def test_where_the_library_cannot_be_kept_it_is_said(source, kept):
    kept.write_text("no folder")
    with pytest.raises(InvalidInput, match=r"bot\.c': .*kept"):
        names(source())


@pytest.mark.parametrize(
    ("text", "game", "problem"),
    [
        ("bot.c:x=1", flood, "options"),
        ("none.c", flood, r"none\.c "),
        ("bot.c", amazons, "amazons"),
    ],
)
def test_wrong_names(source, monkeypatch, text, game, problem):
    monkeypatch.chdir(source().parent)
    with pytest.raises(InvalidInput, match=problem):
        parse_player(text, game.position().game)


@pytest.mark.slow
def test_records_and_stored_series_know_the_source(source, tmp_path):
    path, record = source(), tmp_path / "game.jsonl"
    play_match(start(), [str(path), "random"], seed=1, record=record)
    assert read_record(record).header["specs"] == [str(path), "random"]
    spec = parse_player(str(path), start().game)
    assert spec.files == [str(path)]
    assert labels([spec, "random"]) == ["bot.c", "random"]

    store = tmp_path / "games.db"
    series = ("flood", "-m", 4, "--seed", 1, "-j", 2, "--store", store)
    done = invoke(*series, "-r", 4, path, "random")
    assert done.exit_code == 0
    games = succeed("results", "games", "--store", store, "--json")
    seats = [seat for line in games.splitlines() for seat in json.loads(line)["seats"]]
    assert {seat["version"] for seat in seats if seat["player"] == "bot.c"} == {
        hashlib.sha256(path.read_bytes()).hexdigest()
    }
    source(title='"changed"')
    assert "bot.c changed" in invoke(*series, "-r", 6, path, "random").stderr


@pytest.mark.slow
def test_tournaments_and_comparisons_take_sources(source, tmp_path):
    path, store = source(), tmp_path / "games.db"
    done = invoke("compare", "flood", "-m", 4, "-r", 4, "--seed", 1, path, "random")
    assert done.exit_code == 0
    cup = ("tournament", "flood", "-m", 4, "-q", "--games", 2, "--store", store)
    assert "bot.c" in invoke(*cup, path, "random").stdout
    source(head="int x = ;")
    store.unlink()
    assert "bot.c:4:9: error" in refuse(*cup, path, "random")


@pytest.mark.slow
def test_a_header_beside_a_source_tells_versions_apart(source, tmp_path):
    """In the key of a series and in that of a tournament; one of the system does not count."""
    path, store = source(head='#include "own.h"'), tmp_path / "games.db"
    header = path.parent / "own.h"
    header.write_text("#include <math.h>\n")
    assert parse_player(str(path), start().game).files == [str(path), str(header)]
    series = ("flood", "-m", 4, "--seed", 1, "-r", 2, "--store", tmp_path / "s.db", path, "random")
    cup = ("tournament", "flood", "-m", 4, "--games", 2, "--store", store, "--json", path, "random")
    assert invoke(*series).exit_code == 0
    for _ in range(2):
        assert json.loads(succeed(*cup))["tournament"] == 1
    header.write_text("#include <math.h>\nextern int other;\n")
    assert "bot.c changed" in invoke(*series).stderr
    assert json.loads(succeed(*cup))["tournament"] == 2


def test_old_libraries_are_removed(kept):
    for age in range(4):
        folder = kept / str(age)
        folder.mkdir(parents=True)
        (folder / "bot.so").write_bytes(bytes(1000))
        os.utime(folder / "bot.so", (1e9 - age, 1e9 - age))
    remove_oldest(kept / "3", 2500)  # the oldest is the one that was just made
    assert sorted(os.listdir(kept)) == ["0", "3"]
    assert sum(map(size_of, kept.iterdir())) == 2000
