"""No folder in which Python or the loader searches is shown to a player for that reason alone.

Fault row 42: ``PYTHONPATH=$PYTHONPATH:/foo`` puts the current folder there, and in it are stores
and the files of other players.
"""

import os
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from ludograph.errors import InvalidInput
from ludograph.hosting.sandbox import readable_paths
from ludograph.hosting.sandbox.readable_paths import kernel_folder, modules_of, system, withheld
from ludograph.players.spec import PlayerSpec
from ludograph.rules import cache  # noqa: F401  (players see its folder)
from tests.amounts import slow_but
from tests.cli.installed import EXAMPLES
from tests.interpreter import python

LEVELS = ["strict", "basic"]
LOOKER = """
import os

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)

def choose(position):
    for folder, _, names in os.walk(TOP):
        for path in [os.path.join(folder, name) for name in names]:
            look(path)
    for path in ("own/looker.py", "other/bot.py", "lib/secret.txt", "code.zip"):
        look(os.path.join(TOP, path))
    for path in ("store.sqlite", "link/store.sqlite"):
        look(os.path.join(TOP, path))
    return position.legal_moves()[0]

def look(path):
    try:
        open(path).close()
    except OSError:
        return
    print("read", os.path.relpath(path, TOP))
"""


@pytest.fixture
def home(tmp_path):
    """Return a folder with two players, a store, and what else search paths may lead to."""
    for name in ("own", "other", "lib"):
        (tmp_path / name).mkdir()
    (tmp_path / "own" / "looker.py").write_text(LOOKER)
    (tmp_path / "other" / "bot.py").write_text("")
    (tmp_path / "store.sqlite").write_text("the secret of all chance")
    (tmp_path / "lib" / "secret.txt").write_text("another one")
    (tmp_path / "link").symlink_to(tmp_path)
    with zipfile.ZipFile(tmp_path / "code.zip", "w") as archive:
        archive.writestr("module.py", "")
    return tmp_path


def reads(folder, level, **variables):
    """Let a player look around that is started in a folder; return the files that it has read."""
    command = ("-m", "ludograph", "flood", "-m", 4, "-q", "--show-output", "all")
    players = ("own/looker.py", "random")
    done = python(*command, "--isolation", level, *players, folder=folder, **variables)
    lines = (done.stdout + done.stderr).splitlines()
    return {line.rpartition(" read ")[2] for line in lines if " read " in line}


@pytest.mark.parametrize("level", slow_but(["strict"], LEVELS))
def test_a_player_reads_only_its_own_folder(level, home):
    places = ["", ".", "..", "other", home, home.parent, home / "link", home / "code.zip"]
    found = os.pathsep.join(map(str, [*places, os.environ.get("PYTHONPATH", "")]))
    libraries = f":.:{home}:{home / 'other'}"
    assert reads(home, level, PYTHONPATH=found, LD_LIBRARY_PATH=libraries) == {"own/looker.py"}


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("path", ["", ":/foo", ".", "ABSOLUTE"])
def test_each_way_to_the_current_folder(path, level, home):
    paths = [path.replace("ABSOLUTE", str(home)), os.environ.get("PYTHONPATH", "")]
    assert reads(home, level, PYTHONPATH=os.pathsep.join(paths)) == {"own/looker.py"}


@pytest.mark.slow
def test_without_isolation_it_reads_all(home):
    """Else the attempts would prove nothing."""
    assert {"store.sqlite", "other/bot.py"} < reads(home, "none")


@pytest.mark.parametrize("folder", ["", "lib/.."])
def test_the_folder_of_compiled_rules_is_not_that_of_the_players(folder, home, monkeypatch):
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(home / folder))
    monkeypatch.chdir(home / "own")
    with pytest.raises(InvalidInput, match=f"LUDOGRAPH_CACHE={home}: "):
        kernel_folder()
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(home / "lib"))
    assert kernel_folder() == str(home / "lib")


def test_what_an_installer_has_put_into_a_folder_is_shown_alone(home, monkeypatch):
    """As ``pip install --target`` does, even into the current folder."""
    (home / "numbers-1.0.dist-info").mkdir()
    (home / "numbers-1.0.dist-info" / "RECORD").write_text(
        "numbers/__init__.py,,\nnumbers.libs/libx.so,,\none.py,sha256=x,1\n/etc/passwd,,\n"
        '../../bin/numbers,,\nnumbers-1.0.dist-info/RECORD,,\n"odd, name.py",,\n'
    )
    for name in ("numbers", "numbers.libs"):
        (home / name).mkdir()
    for name in ("one.py", "two.py", "odd, name.py"):
        (home / name).touch()
    before = system()
    monkeypatch.setattr(sys, "path", [*sys.path, str(home / "link")])
    readable_paths.installed.cache_clear()
    names = ("numbers", "numbers-1.0.dist-info", "numbers.libs", "odd, name.py", "one.py")
    shown = {str(home / name) for name in names}
    assert set(system()) - set(before) == {f"{home}/", *shown}
    whole = home / "packages"
    (whole / "one-1.0.dist-info").mkdir(parents=True)
    (whole / "one-1.0.dist-info" / "RECORD").write_text("one.py,,\none-1.0.dist-info/RECORD,,\n")
    (whole / "one.py").touch()
    monkeypatch.setattr(sys, "path", [*sys.path[:-1], str(whole)])
    assert set(system()) - set(before) == {str(whole)}


def test_of_a_folder_of_libraries_the_libraries_are_shown(home, monkeypatch):
    before = set(system())
    for name in ("libone.so", "libone.so.1", "player.py"):
        (home / name).touch()
    (home / "libtwo.source").mkdir()
    monkeypatch.setenv("LD_LIBRARY_PATH", f"::.:{home}:lib")
    assert set(system()) - before == {str(home / name) for name in ("libone.so", "libone.so.1")}
    for number in range(readable_paths.FEW_LIBRARIES):
        (home / "lib" / f"lib{number}.so.1").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(home / "lib"))
    assert set(system()) == before | {str(home / "lib" / f"lib{n}.so.1") for n in range(16)}
    (home / "lib" / "libmore.so").touch()
    libraries = {str(path) for path in (home / "lib").glob("lib*.so*")}
    assert set(system()) == before | libraries  # beside a secret
    for other in {*(home / "lib").iterdir()} - {Path(path) for path in libraries}:
        other.unlink()
    assert set(system()) == before | {str(home / "lib")}


def test_an_interpreter_in_a_folder_with_other_files(home, monkeypatch):
    """As ``python -m venv .`` makes it."""
    for name in ("bin", "include", "lib64-of-python"):
        (home / name).mkdir()
    (home / "lib64").symlink_to("lib64-of-python")
    (home / "pyvenv.cfg").touch()
    before = set(system())
    monkeypatch.setattr(sys, "prefix", str(home))
    names = ("bin", "include", "lib", "lib64", "lib64-of-python", "pyvenv.cfg")
    assert set(system()) - before >= {str(home / name) for name in names}
    assert not any(str(home / name) in system() for name in ("", "own", "other", "store.sqlite"))


def test_withheld_files_are_hidden_wherever_they_lie(home, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(home))
    spec = PlayerSpec("", "python", str(home / "own" / "looker.py"))
    with withheld(home / "lib" / "secret.txt"):
        (home / "lib" / "code.py").touch()
        found = readable_paths.readable_paths(spec, system())
    assert {f"{home}/lib/", f"{home}/lib/code.py"} < set(found)
    assert {f"{home}/lib", f"{home}/lib/secret.txt"}.isdisjoint(found)


def test_a_game_of_ones_own_is_shown_without_what_lies_beside_it(home, monkeypatch):
    (home / "solo.py").write_text("import solo_rules")
    (home / "solo_rules.py").touch()
    (home / "pair").mkdir()
    (home / "pair" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(home))
    for name in ("solo", "solo_rules", "pair"):
        monkeypatch.setitem(sys.modules, name, None)  # so that it is forgotten afterwards
        del sys.modules[name]
    __import__("solo")
    assert sorted(modules_of("solo")) == [f"{home}/solo.py", f"{home}/solo_rules.py"]
    __import__("pair")
    assert f"{home}/pair" in modules_of("pair.options")
    assert modules_of("") == modules_of("never_imported") == []


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_a_player_of_a_game_that_is_installed_in_place(level, home):
    """A game's package is found by ``PYTHONPATH``, and no installer has put it there."""
    shutil.copytree(EXAMPLES / "snort" / "snort", home / "snort")
    (home / "snort-1.0.dist-info").mkdir()
    (home / "snort-1.0.dist-info" / "METADATA").write_text("Name: snort\nVersion: 1.0\n")
    (home / "snort-1.0.dist-info" / "entry_points.txt").write_text(
        "[ludograph.games]\nsnort = snort:DECLARATION\n"
    )
    code = (home / "own" / "looker.py").read_text()
    modules = [path.stem for path in (home / "snort").glob("[a-z]*.py")]
    imports = "".join(f"    import snort.{name}\n" for name in modules)
    (home / "own" / "looker.py").write_text(
        code.replace("    return position", f"{imports}    return position")
    )
    paths = os.pathsep.join([str(home), os.environ.get("PYTHONPATH", "")])
    command = ("-m", "ludograph", "snort", "own/looker.py", "random", "--json")
    done = python(*command, "--isolation", level, folder=home / "own" / "..", PYTHONPATH=paths)
    assert '"faults": []' in done.stdout
