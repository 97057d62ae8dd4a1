"""A server with pages, and a browser in which they are opened: one of each for a file."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from starlette.testclient import TestClient

from ludograph.cli.serve import listen
from ludograph.web.app import Server, application
from ludograph.web.server.tokens import read_tokens, write_tokens

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

ORIGIN = {"origin": "http://localhost"}

NUMBER = "20260101-0123456789"
"""The number of a recorded match."""


def record_path(server):
    """Return the path of the record of that number; its folder is there."""
    path = server[1].match_manager.records.path(NUMBER)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def served(app, port: int = 0) -> Iterator[str]:
    """Serve an application, and say where."""
    listening = listen("127.0.0.1", port)
    running = Server(app)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    running.should_exit = True
    thread.join(20)


@pytest.fixture
def opened():
    """A function that starts an application and returns a client; all end with the test."""
    with ExitStack() as started:

        def client(app, **options):
            pools = app.state.context.pools
            for pool in (pools.reading, pools.boards, pools.playing):  # on a busy machine
                pool.kind = pool.kind._replace(seconds=600.0)
            return started.enter_context(TestClient(app, base_url="http://localhost", **options))

        yield client


@pytest.fixture
def tokens(tmp_path):
    """New tokens of a server, one for each role."""
    path = tmp_path / "tokens.toml"
    write_tokens(path)
    assert path.stat().st_mode & 0o77 == 0
    return read_tokens(path)


def by_role(tokens, name):
    """Return the token of a role."""
    return next(token for token, role in tokens.roles.items() if role.name == name.upper())


@pytest.fixture
def client(opened, tmp_path):
    """A client of a server without games."""
    return opened(application(tmp_path / "games", str(tmp_path / "store.db")), headers=ORIGIN)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server with games and a store of its own, and the application behind it."""
    folder = tmp_path_factory.mktemp("served")
    app = application(folder / "games", str(folder / "store.db"))
    with served(app) as address:
        yield address, app.state.context


@pytest.fixture(scope="module")
def chromium():
    """The system's browser; while it is open, no other event loop can run in this thread."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium here; scripts/system-packages test-all installs it")
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def page(server, chromium):
    """A fresh page; errors of its scripts, and what its policy forbids, fail the test."""
    context = chromium.new_context(base_url=server[0], viewport={"width": 1000, "height": 700})
    context.set_default_timeout(300_000)  # a search may have to be compiled
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on(
        "console",
        lambda told: wrong.append(told.text) if "Content Security" in told.text else None,
    )
    yield opened
    context.close()
    assert wrong == []
