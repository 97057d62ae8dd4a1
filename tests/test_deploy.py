"""The files for a service: units, a backup, containers, and the page that a teacher follows."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.shell_completion import split_arg_string

from ludograph.arena.ladder import LadderFolder
from ludograph.arena.ladder.people import add_people
from tests.cli.run import invoke, succeed
from tests.postgresql import program

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "service.md").read_text()
UNITS = ("ludograph-serve.service", "ludograph-ladder@.service")
CLUSTER_UNITS = ("ludograph-scheduler.service", "ludograph-worker.service")
WEAKENING = (
    "RestrictNamespaces",
    "ProtectKernelTunables",
    "ProtectKernelLogs",
    "ProtectProc",
    "ProcSubset",
    "ProtectControlGroups",
    "PrivateUsers",
    "SystemCallFilter",
    "MemoryDenyWriteExecute",
)
"""Options of units with which players are less isolated, or games do not compile."""


@pytest.mark.parametrize("unit", UNITS + CLUSTER_UNITS)
def test_systemd_understands_the_units(unit, tmp_path) -> None:
    """With a program and a user that are here; before version 254 one option is not known."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze here")
    text = (DEPLOY / unit).read_text()
    program = shutil.which("true")
    text = re.sub(r"/opt/ludograph/bin/(ludograph|dask)", program, text)
    file = tmp_path / unit.replace("@", "@course")
    file.write_text(re.sub(r"(?m)^User=.*", "User=root", text))
    checked = subprocess.run(
        ["systemd-analyze", "verify", file], capture_output=True, text=True, timeout=60, check=False
    )
    if "Failed to initialize manager" in checked.stderr:
        pytest.skip(f"systemd-analyze cannot work here: {checked.stderr}")
    about_it = [line for line in checked.stderr.splitlines() if str(file) in line]
    assert [line for line in about_it if "DelegateSubgroup" not in line] == []
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_units_start_commands_that_there_are_and_weaken_no_isolation(unit) -> None:
    text = (DEPLOY / unit).read_text()
    given = dict(re.findall(r"(?m)^(\w+)=(.*)$", text))
    assert not set(given) & set(WEAKENING)
    for option in WEAKENING:
        assert option in text  # a comment says why it is not there
    assert given["Delegate"] == "yes"
    assert int(given["LimitNOFILE"]) > 100_000
    assert given["UMask"] == "0027"  # others read nothing of what is written
    program, *words = given["ExecStart"].split()
    assert program == "/opt/ludograph/bin/ludograph"
    command = words[: 1 if words[0] == "serve" else 2]
    usage = succeed(*command, "--help")
    assert all(word in usage for word in words if word.startswith("--"))


@pytest.mark.parametrize("unit", CLUSTER_UNITS)
def test_units_of_a_cluster_start_commands_that_there_are(unit) -> None:
    """And the page puts the addresses of the units into the ladder's own command."""
    text = (DEPLOY / unit).read_text()
    given = dict(re.findall(r"(?m)^(\w+)=(.*)$", text))
    program, command, *words = given["ExecStart"].split()
    assert program == "/opt/ludograph/bin/dask"
    shown = subprocess.run(
        [sys.executable, "-m", f"distributed.cli.dask_{command}", "--help"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    assert all(word in shown for word in words if word.startswith("--"))
    assert not set(given) & set(WEAKENING)
    assert "10.0.0.1" in given["ExecStart"]
    ladder = (DEPLOY / "ludograph-ladder@.service").read_text()
    (played,) = re.findall(r"(?m)^ExecStart=(\S.*)$", ladder)
    assert f"ExecStart=\nExecStart={played} --cluster tcp://10.0.0.1:8786\n" in PAGE


@pytest.mark.skipif(
    os.getuid() != 0 or None in map(shutil.which, ("unshare", "setpriv", "mount")),
    reason="unavoidable: only root can make what systemd makes of a unit",
)
@pytest.mark.parametrize(
    ("more", "level"),
    [("true", "strict"), ("mount --bind -o ro /proc/sys /proc/sys", "basic")],
)
def test_isolation_is_strict_with_what_the_units_set_and_weaker_with_more(
    more, level, tmp_path
) -> None:
    """As NoNewPrivileges and ProtectSystem=full do it, then as ProtectKernelTunables does."""
    tmp_path.chmod(0o777)
    script = (
        "mount --make-rprivate / && for d in /usr /etc; do mount --bind $d $d && "
        f"mount -o remount,bind,ro $d; done && {more} && cd {tmp_path} && exec setpriv "
        "--reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all "
        f"--inh-caps=-all {sys.executable} -m ludograph doctor"
    )
    told = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = re.search(r"(?m)^isolation +(\w+)", told.stdout)
    assert found, told.stderr
    if "strict" not in succeed("doctor") or "Permission denied" in told.stderr:
        pytest.skip("no strict isolation here at all")
    assert found[1] == level


@pytest.fixture
def mask_of_the_units():
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_a_backup_made_in_use_is_restored_elsewhere(tmp_path, mask_of_the_units) -> None:
    """Ratings, tokens, secrets and games are the same in the other folder."""
    data, backups, restored = (tmp_path / name for name in ("data", "backups", "restored"))
    for folder in (data, backups, restored):
        folder.mkdir()
    course = data / "my course"
    succeed("ladder", "init", course, "flood", "-m", 4)
    (course / "players" / "a.py").write_text(
        "def choose(position):\n    return position.legal_moves()[0]\n"
    )
    listed = tmp_path / "s.csv"
    listed.write_text("name\nAnna\n")
    add_people(LadderFolder(course), listed)
    assert invoke("ladder", "run", course, "--games", 4, "-j", 1).exit_code == 0
    written = [path for path in data.rglob("*") if path.is_file()]
    assert len(written) > 8
    assert [path for path in written if path.stat().st_mode & 0o007] == []
    (data / ".cache").mkdir()
    (data / ".cache" / "kernel").write_text("large")
    made = subprocess.run(
        [DEPLOY / "backup", data, backups],
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    file = Path(made.stdout.strip())
    assert list(backups.iterdir()) == [file]
    assert file.stat().st_mode & 0o77 == 0
    subprocess.run(["tar", "--extract", "--file", file, "--directory", restored], check=True)
    again = restored / "my course"
    assert not (restored / ".cache").exists()
    for kept in ("people.json", "secret", "state.json", "ladder.toml", "players/a.py"):
        assert (again / kept).read_bytes() == (course / kept).read_bytes()
    for command in ("table", "why"):
        words = (command, "{}", *(["a.py"] if command == "why" else []))
        before, after = (
            succeed("ladder", *(str(folder) if word == "{}" else word for word in words))
            for folder in (course, again)
        )
        assert after.replace(str(restored), str(data)) == before
    assert invoke("ladder", "run", again, "--games", 2, "-j", 1).exit_code == 0


def test_a_backup_of_a_ladder_on_a_server_is_restored_to_another_database(
    postgresql, tmp_path
) -> None:
    url = postgresql.new_store()
    course = tmp_path / "data" / "course"
    succeed("ladder", "init", course, "flood", "-m", 4)
    (course / "players" / "a.py").write_text(
        "def choose(position):\n    return position.legal_moves()[0]\n"
    )
    declared = course / "ladder.toml"
    told = declared.read_text()
    declared.write_text(f'store = "{url}"\n{told}')
    assert invoke("ladder", "run", course, "--games", 4, "-j", 1).exit_code == 0
    path = f"{Path(program('pg_dump')).parent}:{os.environ['PATH']}"
    made = subprocess.run(
        [DEPLOY / "backup", tmp_path / "data", tmp_path],
        env={**os.environ, "PYTHON": sys.executable, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    again = tmp_path / "restored"
    again.mkdir()
    subprocess.run(["tar", "--extract", "--file", made.stdout.strip(), "-C", again], check=True)
    postgresql.execute("CREATE DATABASE again")
    try:
        other = url.replace("/postgres?", "/again?")
        words = ("--dbname", other, again / "course" / "ladder.dump")
        subprocess.run([program("pg_restore"), *words], check=True, timeout=120)
        (again / "course" / "ladder.toml").write_text(f'store = "{other}"\n{told}')
        for folder in (course, again / "course"):
            assert json.loads(succeed("ladder", "table", folder, "--json"))["games"] == 4
        result = invoke("ladder", "run", again / "course", "--games", 2, "-j", 1)
        assert result.exit_code == 0, result.output
        assert json.loads(succeed("ladder", "table", again / "course", "--json"))["games"] == 6
    finally:
        postgresql.execute("DROP DATABASE again")


def test_a_backup_of_a_damaged_store_fails(tmp_path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games.db").write_bytes(b"no database " * 1000)
    (tmp_path / "out").mkdir()
    made = subprocess.run(
        [DEPLOY / "backup", tmp_path / "data", tmp_path / "out"],
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert made.returncode != 0
    assert "not a database" in made.stderr
    assert list((tmp_path / "out").iterdir()) == []


def test_the_services_of_containers_start_commands_that_there_are() -> None:
    """Nothing here can run them; the page says with what they were tried."""
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = composed["services"]
    assert set(services) == {"serve", "ladder", "database"}
    assert services["ladder"]["command"][:2] == ["ladder", "run"]
    usage = succeed("serve", "--help")
    for word in services["serve"]["command"][1:]:
        assert word.partition("=")[0] in usage
    for name in ("serve", "ladder"):
        assert (DEPLOY / services[name]["build"]["context"]).resolve() == ROOT
        assert (ROOT / services[name]["build"]["dockerfile"]).is_file()
    for volume in (each for service in services.values() for each in service["volumes"]):
        assert volume.partition(":")[0] in composed["volumes"]
    commands = re.findall(r"(?m)^docker compose (?:run|exec|cp) .*", PAGE)
    assert len(commands) > 5
    for command in commands:
        assert any(word.partition(":")[0] in services for word in command.split()), command
    recipe = (DEPLOY / "Containerfile").read_text()
    assert "COPY deploy/backup /usr/local/bin/ludograph-backup\n" in recipe
    assert "--entrypoint ludograph-backup" in PAGE
    kept_out = [(ROOT / name).read_text().splitlines() for name in (".gitignore", ".dockerignore")]
    assert all("deploy/.env" in lines for lines in kept_out)  # it has a password


def test_the_page_names_files_and_commands_that_there_are() -> None:
    for file in re.findall(r"\bdeploy/([\w@.-]*\w)", PAGE):
        assert (DEPLOY / file).exists(), file
    commands = re.findall(r"(?m)(?:^|[`|] ?|ludograph )(ludograph (?:ladder|store|doctor).*)", PAGE)
    assert len(commands) > 5
    for command in commands:
        words = split_arg_string(re.split(r"[`>;]|    ", command)[0])[1:]
        depth = 1 if words[0] == "doctor" else 2
        names = words[: depth + (words[1:2] == ["people"])]
        if words[1:2] == ["init"]:  # ladder init FOLDER GAME: its options are those of the game
            names = words[:4]
        usage = invoke(*names, "--help")
        assert usage.exit_code == 0, command
        assert all(word in usage.stdout for word in words if word.startswith("--")), command
