"""A PostgreSQL server of the tests' own: in a folder in memory, reached by a Unix socket."""

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl

QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=16MB")
SMALL = ("max_connections=20", "autovacuum=off", "listen_addresses=", "max_wal_senders=0")
OWNER = "owner"
ROOM = 1 << 30


def program(name: str) -> str:
    """Return the path of one of the server's programs, which Debian keeps off the PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))
    found = shutil.which(name, path=os.pathsep.join(map(str, reversed(folders)))) or shutil.which(
        name
    )
    assert found is not None, "no PostgreSQL server: run scripts/system-packages test-all"
    return found


def user() -> dict[str, object]:
    """Return as whom the server runs: it refuses to be root."""
    if os.getuid():
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class Server:
    """A server with one database; each store has a schema of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"
        self._process: subprocess.Popen | None = None
        self._schemas = itertools.count(1)
        if who := user():
            os.chown(folder, who["user"], who["group"])
        self._run("initdb", "-D", self._data, "-U", OWNER, "-A", "trust", "-N", "-E", "UTF8")
        access = self._data / "pg_hba.conf"
        access.write_text(f"local all {OWNER} trust\nlocal all all scram-sha-256\n")
        self.start()

    def _run(self, name: str, *words: object) -> None:
        said = subprocess.run(
            [program(name), *map(str, words)],
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            **user(),
        )
        assert said.returncode == 0, said.stdout + said.stderr

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [f"unix_socket_directories={self.folder}", *QUICK, *SMALL]
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [program("postgres"), "-D", self._data, *(f"--{one}" for one in settings)],
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGQUIT),  # noqa: PLW1509
                **user(),
            )
        end = time.monotonic() + 120
        while not self.answers():
            assert self._process.poll() is None, "the server has ended"
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop it at once, as where a machine is switched off in order."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def answers(self) -> bool:
        """Tell whether it takes connections."""
        from psycopg.pq import PGconn, Ping

        return PGconn.ping(f"host={self.folder} user={OWNER} dbname=postgres".encode()) == Ping.OK

    def execute(self, statement: str) -> list[tuple]:
        """Run a statement as the owner, in a transaction of its own."""
        import psycopg

        with psycopg.connect(
            host=str(self.folder), user=OWNER, dbname="postgres", autocommit=True
        ) as connection:
            found = connection.execute(statement)
            return found.fetchall() if found.description else []

    def url(self, schema: str, user: str = OWNER, password: str = "") -> str:
        """Return the URL of the store in a schema."""
        options = quote(f"-csearch_path={schema}")
        credentials = f"{user}:{password}" if password else user
        return (
            f"postgresql://{credentials}@/postgres?host={quote(str(self.folder))}&options={options}"
        )

    def new_store(self) -> str:
        """Return the URL of a store that is not there yet."""
        schema = f"store{next(self._schemas)}"
        self.execute(f"CREATE SCHEMA {schema}")
        return self.url(schema)


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """Run a server; nothing is left of it behind."""
    memory = Path("/dev/shm")  # in containers it is often too small
    roomy = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    base = memory if roomy else None
    with tempfile.TemporaryDirectory(dir=base, prefix="ludograph-pg-") as name:
        os.chmod(name, 0o755)
        inside = Path(name) / "s"
        inside.mkdir(mode=0o700)
        server = Server(inside)
        try:
            yield server
        finally:
            server.stop()
