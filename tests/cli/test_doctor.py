"""``ludograph doctor``, and the options that say how players' files are isolated."""

import json
import re

import pytest

from ludograph.cli.doctor import obstacles
from ludograph.hosting.sandbox import control_group, sandbox
from tests.cli.run import invoke, refuse, succeed

BOT = "def choose(position):\n    return position.legal_moves()[0]\n"


@pytest.fixture
def bot(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return str(path)


def test_it_tells_what_there_is():
    said = succeed("doctor")
    assert "isolation       strict\n" in said
    assert "GSL             2." in said
    found = json.loads(succeed("doctor", "--json"))
    assert found["isolation"] == {"found": True, "state": "strict", "advice": ""}
    assert list(found) == [
        *("ludograph", "isolation", "control groups", "memory", "shared limits"),
        *("C compiler", "GSL", "compiled rules"),
    ]


@pytest.mark.parametrize(
    ("folder", "limits", "state", "advised"),
    [
        ("", False, "", True),
        ("/groups", False, "measured, in /groups", True),
        ("/groups", True, "limited, in /groups", False),
    ],
)
def test_control_groups_are_told_of(folder, limits, state, advised, monkeypatch):
    monkeypatch.setattr(control_group, "place", lambda: folder)
    monkeypatch.setattr(control_group, "hands_memory_on", lambda _: limits)
    found = json.loads(succeed("doctor", "--json"))["control groups"]
    assert found["found"] is bool(folder)
    assert found["state"].endswith(state)
    assert ("Delegate=yes" in found["advice"]) is advised


def test_what_is_not_bounded_is_said(monkeypatch):
    monkeypatch.setattr(control_group, "hands_memory_on", lambda _: False)
    found = json.loads(succeed("doctor", "--json"))["memory"]
    assert "page tables" in found["state"]
    assert "pipes" in found["advice"]
    assert "sockets" in found["state"]


def test_what_players_of_one_user_share_is_said():
    found = json.loads(succeed("doctor", "--json"))["shared limits"]
    for what in ("epoll", "pipes"):
        assert what in found["state"]


def test_where_the_kernel_limits_memory_all_is_bounded(monkeypatch):
    monkeypatch.setattr(control_group, "place", lambda: "/groups")
    monkeypatch.setattr(control_group, "hands_memory_on", lambda _: True)
    found = json.loads(succeed("doctor", "--json"))["memory"]
    assert (found["found"], found["advice"]) == (True, "")


def test_it_tells_what_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sandbox, "why_not", lambda level: f"no {level} today")
    found = json.loads(succeed("doctor", "--json"))
    assert not found["isolation"]["found"]
    assert "no strict: no strict today; no basic: no basic today" in found["isolation"]["advice"]
    assert re.search("apt-get install gcc .*libc6-dev$", found["C compiler"]["advice"])


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("kernel/unprivileged_userns_clone", 0, "kernel.unprivileged_userns_clone=1"),
        (
            "kernel/apparmor_restrict_unprivileged_userns",
            1,
            "kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        ("user/max_user_namespaces", 0, "user.max_user_namespaces=10000"),
    ],
)
def test_settings_that_forbid_namespaces_are_known(name, value, advice, tmp_path):
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text(f"{value}\n")
    assert obstacles(tmp_path) == [f"sudo sysctl {advice}"]
    path.write_text("1000\n" if value == 0 else "0\n")
    assert obstacles(tmp_path) == []


@pytest.mark.slow
def test_a_level_is_chosen(bot):
    for level in ("strict", "basic", "none"):
        said = json.loads(succeed("flood", "-m", 4, bot, "greedy", "--json", "--isolation", level))
        (own,) = [player for player in said["players"] if "isolation" in player]
        assert own["isolation"] == level
        assert own["cpu"] > 0


@pytest.mark.slow
def test_what_is_weaker_than_strict_is_said_once(bot, monkeypatch):
    real = sandbox.why_not
    monkeypatch.setattr(
        sandbox, "why_not", lambda level: "no" if level == "strict" else real(level)
    )
    command = ("flood", "-m", 4, bot, "greedy", "-r", 3)
    said = invoke(*command).stderr
    assert len(re.findall("isolation basic; .*'ludograph doctor'\n", said)) == 1
    assert "isolation" not in invoke(*command, "-q").stderr
    assert "isolation" not in invoke(*command, "--isolation", "basic").stderr
    assert "isolation" not in invoke("flood", "-m", 4, "greedy", "greedy").stderr


def test_nothing_is_played_where_nothing_holds(bot, monkeypatch):
    monkeypatch.setattr(sandbox, "why_not", lambda level: "not here")
    said = refuse("flood", "-m", 4, bot, "greedy")
    assert re.search(r"strict: not here; basic: not here.*'ludograph doctor'", said)
    assert invoke("flood", "-m", 4, "greedy", "greedy").exit_code == 0


def test_memory_of_the_command_line(tmp_path):
    path = tmp_path / "bomb.py"
    path.write_text("held = []\ndef choose(position):\n    while True: held.append(b'x' * 2**20)\n")
    said = succeed("flood", "-m", 4, path, "greedy", "--memory", "200M", "-q")
    assert re.search("forfeits: memory, .* 200 MiB", said)
