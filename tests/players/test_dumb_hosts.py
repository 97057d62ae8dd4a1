"""The host of a library or a program knows no game: what it imports, and a game of a stranger."""

import subprocess
import sys

import pytest

HOSTS = ["library_host", "program_host"]


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_imports_no_game_and_no_numpy(host):
    code = (
        f"import sys, ludograph.players.{host}, ludograph.players.nursery\n"
        "print([m for m in sys.modules if m.startswith(('numpy', 'ludograph.games', "
        "'ludograph.boards', 'ludograph.rules'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"
