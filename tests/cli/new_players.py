"""What the tests of ``ludograph player new`` share, whichever game the player is for."""

import shutil
import subprocess

import pytest

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")

STRICT = "CFLAGS=-std=c99 -Wall -Wextra -Wpedantic -Wshadow -Werror -O2 -fPIC"


def made(*arguments):
    """Run make, which must say nothing that is wrong; return what it prints."""
    done = subprocess.run(["make", *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
