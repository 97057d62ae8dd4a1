"""What the tests of ``ludograph player new`` share, whichever game the player is for."""

import shutil
import subprocess

import pytest

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")


def run_watched(folder, harness, *others, libraries=(), arguments=()):
    """Compile bot.c and a harness with sanitizers, and run it: it must find and say nothing.

    ``others`` are arguments of the compiler with which bot.c is compiled once more.
    """
    (folder / "harness.c").write_text(harness)
    watched = ["gcc", "-std=c99", "-g", "-fsanitize=address,undefined"]
    again = [[*watched, *others, "-c", "bot.c", "-o", "other.o"]] if others else []
    objects = ["other.o"] if others else []
    linked = [*watched, "bot.c", *objects, "harness.c", "-o", "harness", *libraries]
    for step in [*again, linked]:
        built = subprocess.run(step, capture_output=True, text=True, check=False)
        if built.returncode:
            pytest.skip(f"no sanitizers, or a library is missing: {built.stderr[-200:]}")
    done = subprocess.run(["./harness", *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def made(*arguments):
    """Run make, which must say nothing that is wrong; return what it prints."""
    done = subprocess.run(["make", *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
