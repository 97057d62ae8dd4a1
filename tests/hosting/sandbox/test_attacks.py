"""What each level keeps out, tried by players in C, in Python and as a shell script."""

import shlex
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from ludograph import boards, flood, hex, play_match
from ludograph.rules import cache

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ATTACKS = (
    "read",
    "look",
    "write_own",
    "write_cache",
    "connect",
    "signal",
    "trace",
    "environment",
    "namespace",
)


@pytest.fixture(scope="module")
def victim():
    """Return a process of the same user, which nobody waits for."""
    with subprocess.Popen(
        ["sh", "-c", "trap 'echo hit' USR1; echo; while :; do sleep 0.05; done"],
        stdout=subprocess.PIPE,
    ) as process:
        process.stdout.readline()
        yield process
        process.kill()


@pytest.fixture(scope="module")
def targets(victim, tmp_path_factory):
    """Return what there is to attack, as variables of the environment."""
    outside = tmp_path_factory.mktemp("others") / "secret"
    outside.write_text("the opponent's code")
    outside.parent.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield {
            "LUDOGRAPH_PLAYER_OUTSIDE": str(outside),
            "LUDOGRAPH_PLAYER_VICTIM": str(victim.pid),
            "LUDOGRAPH_PLAYER_PORT": str(server.getsockname()[1]),
            "LUDOGRAPH_TEST_SECRET": "token",
        }


@pytest.fixture(scope="module")
def intruders(tmp_path_factory):
    """Return the same player in three forms, by form."""
    folder = tmp_path_factory.mktemp("intruder")
    for name in ("intruder.py", "intruder.sh"):
        shutil.copy(HERE / name, folder)
    subprocess.run(
        ["gcc", "-shared", "-fPIC", HERE / "intruder.c", "-o", folder / "intruder.so"], check=True
    )
    return {
        "python": str(folder / "intruder.py"),
        "c": str(folder / "intruder.so"),
        "shell": f"htp: bash {shlex.quote(str(folder / 'intruder.sh'))}",
    }


@pytest.fixture
def attack(intruders, targets, monkeypatch, tmp_path):
    """Return a function that lets an intruder play; it returns what came of each attack."""

    def play(form, level):
        for name, value in targets.items():
            monkeypatch.setenv(name, value)
        folder = Path(intruders["python"]).parent
        monkeypatch.setenv("LUDOGRAPH_PLAYER_OWN", str(folder))
        attacked = cache.folder() if level != "none" else tmp_path
        monkeypatch.setenv("LUDOGRAPH_PLAYER_CACHE", str(attacked))
        small = flood.position(boards.square(4), colors=4, seed=3)
        start = hex.position(3) if form == "shell" else small
        result = play_match(start, ["random", intruders[form]], isolation=level, clock="20s")
        for written in folder.glob("written.*"):
            written.unlink()
        lines = [line.split() for line in result.logs[1].splitlines()]
        assert result.faults == [] or form == "shell", result.sentence
        return dict(lines)

    return play


@pytest.mark.parametrize("form", ["c", "python", "shell"])
@pytest.mark.parametrize("level", ["strict", "basic"])
def test_nothing_outside_is_reached(level, form, attack):
    assert attack(form, level) == dict.fromkeys(ATTACKS, "held")


@pytest.mark.parametrize("form", ["c", "python", "shell"])
def test_without_isolation_all_of_it_is_reached(form, attack):
    """Else the attacks would prove nothing."""
    assert attack(form, "none") == dict.fromkeys(ATTACKS, "broken")
