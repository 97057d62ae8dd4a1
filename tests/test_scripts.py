"""Scripts and benchmarks: each answers ``--help``, and every import of Ludograph in them works."""

import ast
import importlib
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = [path for path in sorted((ROOT / "scripts").iterdir()) if path.is_file()]
PYTHON = [path for path in SCRIPTS if "python" in path.read_text().partition("\n")[0]]
SHELL = [path for path in SCRIPTS if path not in PYTHON]
BENCHMARKS = sorted((ROOT / "benchmarks").glob("*.py"))
PROGRAMS = [path for path in BENCHMARKS if "\ndef main(" in path.read_text()]
SLOW = {"learn-hex-network", "self_play.py"}
"""They import JAX, or what takes as long."""


def each(paths):
    """Return the paths as parameters of a test."""
    return [
        pytest.param(path, marks=pytest.mark.slow if path.name in SLOW else (), id=path.name)
        for path in paths
    ]


def imported(source):
    """Yield the modules of Ludograph that a source imports anywhere, each with a name or None."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module, alias.name) for alias in node.names]
        else:
            continue
        yield from (pair for pair in names if pair[0].partition(".")[0] == "ludograph")


def exists(module, name):
    """Tell whether an import works; one that lacks an optional package counts as working."""
    try:
        found = importlib.import_module(module)
        if name is not None and not hasattr(found, name):
            importlib.import_module(f"{module}.{name}")
    except ModuleNotFoundError as error:
        return error.name.partition(".")[0] != "ludograph"
    return True


@pytest.mark.parametrize("path", each([*PYTHON, *BENCHMARKS]))
def test_what_is_imported_exists(path):
    pairs = imported(path.read_text())
    assert not [f"{module} {name}" for module, name in pairs if not exists(module, name)]


def test_an_import_of_what_does_not_exist_is_found():
    source = "def late():\n    from ludograph.hex import nowhere\nimport ludograph.hx\n"
    assert [exists(module, name) for module, name in imported(source)] == [False, False]


@pytest.fixture
def help_of(monkeypatch, capsys):
    """Return a function that returns what a Python program prints with ``--help``."""

    def run(path):
        monkeypatch.setattr(sys, "argv", [str(path), "--help"])
        monkeypatch.setattr(sys, "path", [str(path.parent), *sys.path])
        monkeypatch.setenv("COLUMNS", "500")
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(path), run_name="__main__")
        assert ended.value.code == 0
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("path", each([*PYTHON, *PROGRAMS]))
def test_help_has_the_first_line_of_the_docstring(path, help_of):
    assert ast.get_docstring(ast.parse(path.read_text())).partition("\n")[0] in help_of(path)


@pytest.mark.parametrize("path", each(PROGRAMS))
def test_benchmarks_run_without_arguments(path, help_of):
    required = help_of(path).partition("\n")[0].removeprefix(f"usage: {path.name}")
    while re.search(r"\[[^][]*\]", required):
        required = re.sub(r"\[[^][]*\]", "", required)
    assert not required.split()


@pytest.mark.parametrize("path", each(SHELL))
def test_help_of_shell_scripts(path):
    done = subprocess.run([path, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert f"scripts/{path.name}" in done.stdout
