"""Python in a process of its own, which reads its environment anew."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ludograph.hosting.sandbox.privileges import is_root

AS_ANOTHER = ["setpriv", "--reuid", "1000", "--regid", "1000", "--clear-groups"]
AS_ANOTHER += ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]
AS_USER = AS_ANOTHER if is_root() else []
"""Begins the command of an ordinary user, who can read root's Python; empty for such a user."""


def python(
    *words: object,
    before: Sequence[str] = (),
    folder: Path | None = None,
    status: int = 0,
    seconds: float = 200,
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    """Run Python, behind the words of another command; it must end with ``status``.

    ``variables`` are added to those of the environment.
    """
    done = subprocess.run(
        [*before, sys.executable, *map(str, words)],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done
