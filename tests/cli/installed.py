"""Packages with games of strangers: installed by pip, and the program where they are."""

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


def install(folder, *examples):
    """Install examples into a folder of packages; return the folder."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    paths = [EXAMPLES / example for example in examples]
    subprocess.run([*pip, "--no-index", "--target", folder, *paths], check=True, timeout=300)
    return folder


def with_packages(installed):
    """Return the environment in which Python finds what is installed in a folder, too."""
    paths = [str(installed), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def program(installed, folder):
    """Return a function that runs the program in a folder, and returns what it prints."""

    def run(*arguments, code=0):
        done = subprocess.run(
            [sys.executable, "-m", "ludograph", *map(str, arguments)],
            cwd=folder,
            env=with_packages(installed),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    return run
