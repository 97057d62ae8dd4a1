"""For all tests: a skip is never silent, and fails in CI unless no set-up could prevent it."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from tests import amounts
from tests.postgresql import Server, running

UNAVOIDABLE = "unavoidable: "
"""How the reason of a skip begins that depends on the machine and not on the set-up."""

ALL_SLOW = re.compile(rb"(?m)^pytestmark = .*pytest\.mark\.slow")
"""How a file says that all its tests are slow."""

MANY_FILES = 50
"""From so many on the order of files matters more than that people can follow it."""

skipped: list[tuple[str, str]] = []

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is for all that a shell starts in the background, many runners of CI included; programs
    # that the tests start would inherit it, and could not be stopped by Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the slow tests too")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # the million objects of collected tests stay: to look at them took 40 % of it
    config.addinivalue_line("markers", "slow: run by 'make test-all' only")
    config.addinivalue_line("markers", "every_case: 'make test' runs more than the first case")
    amounts.everything = config.getoption("--all")
    settings.register_profile(
        "share",
        max_examples=amounts.amount(settings().max_examples),
        deadline=None,  # on a busy machine an example takes as long as it takes
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("share")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Let no garbage collection look at the collected tests again."""
    gc.freeze()
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file for ``make test`` all of whose tests are slow."""
    if config.getoption("--all") or not collection_path.is_file():
        return None
    return True if ALL_SLOW.search(collection_path.read_bytes()) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests and further cases to ``make test-all``, and mix files of different kinds.

    The closing line counts what is left as deselected. By name, all that play in the terminal and
    in browsers would wait side by side, and all that compile had waited for each other before.
    """
    if not config.getoption("--all"):
        chosen = first_cases(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen
    if len({item.path for item in items}) > MANY_FILES:
        items.sort(key=lambda item: zlib.crc32(item.nodeid.partition("::")[0].encode()))


def first_cases(items: list[pytest.Item]) -> dict[pytest.Item, None]:
    """Return what ``make test`` runs, in order: the first case of each test that is not slow.

    Of a test that is marked ``every_case`` all cases are run: of those that bring each game or each
    kind of player, for example.
    """
    chosen: dict[pytest.Item, None] = {}
    seen: set[str] = set()
    for item in items:
        test = item.nodeid.partition("[")[0]
        further = test in seen and not item.get_closest_marker("every_case")
        if not further and not item.get_closest_marker("slow"):
            seen.add(test)
            chosen[item] = None
    return chosen


@pytest.fixture(autouse=True)
def _same_luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same secrets each time a test is run, in this process."""
    random = Random(request.node.nodeid)
    drawn = classmethod(lambda cls: cls.parse(random.randbytes(16).hex()))
    monkeypatch.setattr("ludograph.referee.seed.Seed.drawn", drawn)


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup() -> None:
    """Take a variable away that differs from test to test.

    Players' processes are forked from one that is started anew when the environment has changed.
    """
    os.environ.pop("PYTEST_CURRENT_TEST", None)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call() -> None:
    os.environ.pop("PYTEST_CURRENT_TEST", None)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A module may be skipped as a whole."""
    if report.skipped:
        keep(report)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        keep(report)


def keep(report: pytest.CollectReport | pytest.TestReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    skipped.append((report.nodeid, reason.removeprefix("Skipped: ")))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if os.environ.get("CI") == "true" and hasattr(session.config, "workerinput") is False:
        avoidable = [item for item in skipped if not item[1].startswith(UNAVOIDABLE)]
        if avoidable and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name, reason in skipped:
        allowed = reason.startswith(UNAVOIDABLE) or os.environ.get("CI") != "true"
        word = "skipped" if allowed else "FAILED, skipped"
        terminalreporter.write_line(f"{word} {name}: {reason}")


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """No test leaves those after it in a process that says nothing of compiling."""
    from ludograph.rules.announcer import announcer

    yield
    said, announcer.enabled = announcer.enabled, True
    assert said


@pytest.fixture(autouse=True)
def _compiled_as_usual() -> Iterator[None]:
    """No kernel makes this process fall back to stock Numba, in which most tests pass, too."""
    yield
    insides = sys.modules.get("ludograph.rules._numba.insides")
    assert insides is None or insides.are_usable()


@pytest.fixture
def plain_in_make_test() -> Iterator[None]:
    """Test kernels as plain Python in ``make test``, as machine code in ``make test-all``."""
    with amounts.plain_in_make_test():
        yield


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A real PostgreSQL server, started when the first test asks for it."""
    with running() as server:
        yield server
