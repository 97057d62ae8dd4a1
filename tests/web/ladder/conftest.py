"""Players' files for ladders on pages, and a ladder that has played."""

import pytest

from ludograph.web.app import application
from tests.arena.ladder.test_people import folder, listed  # noqa: F401
from tests.cli.run import succeed
from tests.web.conftest import ORIGIN

SHORT = "def choose(position):\n    return position.legal_moves()[0]\n"
FAULTY = "def choose(position):\n    raise ValueError('<b>no</b>')\n"


def play_ladder(path, games, **players):
    """Make a ladder in a folder, with players by their names, and play some games."""
    succeed("ladder", "init", path, "flood", "-m", 4, "--clock", "5s")
    for name, source in players.items():
        (path / "players" / f"{name}.py").write_text(source)
    succeed("ladder", "run", path, "--games", games, "-j", 1)


@pytest.fixture
def serving(tmp_path, opened):
    """A function that returns a client of a server with ladders."""

    def client(*ladders, tokens=None):
        app = application(tmp_path / "g", str(tmp_path / "s.db"), ladders=ladders, tokens=tokens)
        return opened(app, headers=ORIGIN)

    return client
