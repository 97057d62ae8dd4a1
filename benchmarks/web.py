"""How fast the pages are: for one person, for many at once, for spectators, and in the browser.

    python benchmarks/web.py [MEASURE...] [--repeats 5] [--people 50] [--connections 20]

A server, its clients and the system's Chromium run together on this machine. Each figure has the
time of the clock, which depends on other processes, and the processor time of the server or of the
browser. Figures are medians of repeats. Printed are

- first-load: the bytes, as sent, that a browser without a cache gets for the first page and for
  that of a match; first paint by the browser's clock;
- click: the time from a click on a cell until the answer of `random` is drawn;
- frames: frames per second while a board of 10,000 vertices is zoomed and dragged, and the time to
  draw it again when it rests;
- home: loads of the first page on 20 connections at once, of a server with 200 records;
- moves: 50 people play against `random` at once, 10 in each game, on its usual board;
- lag: the time from a person's move until 200 spectators have received it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import chosen
from benchmarks.web_clients import (
    Games,
    ServedFolder,
    lags,
    loads,
    people,
    processor_seconds,
    served,
)
from ludograph.games.registry import names
from tests.web.board import ASKED_OR_OVER, TARGETS, begin, is_over
from tests.web.conftest import BROWSERS
from tests.web.load import write_records

CLICK = """([x, y]) => new Promise((done) => {
  const svg = document.querySelector("#board svg");
  const moves = document.getElementById("moves").children;
  const before = moves.length;
  const began = performance.now();
  new MutationObserver((_, observer) => {
    if (moves.length < before + 2) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  }).observe(document.getElementById("moves"), { childList: true });
  const at = { clientX: x, clientY: y, bubbles: true, pointerId: 1 };
  svg.dispatchEvent(new PointerEvent("pointerdown", at));
  svg.dispatchEvent(new PointerEvent("pointerup", at));
  svg.dispatchEvent(new MouseEvent("click", at));
})"""

FRAMES = """() => new Promise((done, failed) => {
  const { camera } = document.querySelector("#board svg").board;
  const times = [];
  const frame = (now) => {
    times.push(now);
    if (times.length > 90) { done(times); return; }
    try {
      if (times.length < 45) camera.scale(1.03);
      else camera.drag(-4, -2);
    } catch (error) { failed(error); return; }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""

REDRAW = """() => new Promise((done) => {
  const { camera } = document.querySelector("#board svg").board;
  const began = performance.now();
  camera.view();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
})"""

SENT = """[
  ...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation"),
].reduce((sum, each) => sum + each.transferSize, 0)"""

PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"

T = TypeVar("T")


class Measured(NamedTuple):
    """The result of some work, its wall time and the server's processor time, in seconds."""

    result: Any
    clock: float
    processor: float


class Bench(NamedTuple):
    """A server, the options of the command line, and a browser for the measures that need one."""

    options: argparse.Namespace
    server: ServedFolder

    def measured(self, work: Callable[[], Any]) -> Measured:
        """Do some work and measure it."""
        began, busy = time.perf_counter(), self.server.processor_seconds()
        result = work()
        return Measured(result, time.perf_counter() - began, self.server.processor_seconds() - busy)

    def repeated(self, work: Callable[[], Coroutine[Any, Any, T]]) -> list[Measured]:
        """Repeat the work of some clients; the first time does not count."""
        asyncio.run(work())
        return [self.measured(lambda: asyncio.run(work())) for _ in range(self.options.repeats)]

    @contextmanager
    def browser(self) -> Iterator[Browser]:
        """Open a browser for a time."""
        program = next(filter(None, map(shutil.which, BROWSERS)), None)
        if program is None:
            raise SystemExit("no Chromium here; scripts/system-packages test-all installs it")
        with sync_playwright() as browsers:
            chromium = browsers.chromium.launch(executable_path=program, args=["--no-sandbox"])
            yield chromium
            chromium.close()

    @contextmanager
    def page(self, browser: Browser) -> Iterator[Page]:
        """Open a page of a browser without a cache, with the setting for reduced motion."""
        address = f"http://127.0.0.1:{self.server.port}"
        context = browser.new_context(base_url=address, reduced_motion="reduce")
        context.set_default_timeout(120_000)
        yield context.new_page()
        context.close()

    def browser_seconds(self) -> float:
        """Return the processor time of the browser and of this program so far."""
        return processor_seconds(os.getpid()) - self.server.processor_seconds()


def percentile(values: Sequence[float], part: float) -> float:
    """Return a quantile: this share of the values is not larger."""
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def milliseconds(values: Sequence[float]) -> str:
    """Return the median of times, given in seconds, in milliseconds."""
    return f"{1000 * statistics.median(values):.1f} ms"


def tell(name: str, *figures: str) -> None:
    """Print a line."""
    print(f"{name:<12} {', '.join(figures)}", flush=True)


def sent(page: Page, address: str) -> int:
    """Load a page with its files; return the bytes as sent, with 300 for each response header."""
    page.goto(address)
    if address == "/":
        page.wait_for_load_state("networkidle")
    else:
        page.wait_for_function(ASKED_OR_OVER)  # a match's stream of events never ends
    return int(page.evaluate(SENT))


def measure_first_load(bench: Bench) -> None:
    with bench.browser() as browser:
        with bench.page(browser) as page:
            begin(page, "hex", board_width="7", player1="random")
            match = page.url
        for name, address in (("first page", "/"), ("match", match)):
            weights, paints, server, chromium = [], [], [], []
            for _ in range(bench.options.repeats + 1):
                with bench.page(browser) as page:
                    busy = bench.browser_seconds()
                    found = bench.measured(partial(sent, page, address))
                    chromium.append(bench.browser_seconds() - busy)
                    weights.append(found.result)
                    paints.append(page.evaluate(PAINT) / 1000)
                    server.append(found.processor)
            tell(
                name,
                f"{statistics.median(weights[1:]) / 1000:.1f} kB as sent",
                f"first paint {milliseconds(paints[1:])}",
                f"processor: server {milliseconds(server[1:])}",
                f"browser {milliseconds(chromium[1:])}",
            )


def measure_clicks(bench: Bench) -> None:
    found: list[float] = []
    with bench.browser() as browser, bench.page(browser) as page:
        begin(page, "hex", board_width="7", player1="random")
        busy = bench.browser_seconds()

        def click() -> None:
            while len(found) < bench.options.clicks:
                page.wait_for_function(ASKED_OR_OVER)
                targets = page.evaluate(TARGETS)
                if is_over(page) or len(targets) < 16:
                    begin(page, "hex", board_width="7", player1="random")
                    continue
                found.append(page.evaluate(CLICK, targets[len(targets) // 3]) / 1000)

        all_of_it = bench.measured(click)
        chromium = bench.browser_seconds() - busy
    tell(
        "click",
        f"{milliseconds(found)}",
        f"of ten nine in {1000 * percentile(found, 0.9):.1f} ms",
        f"processor each: server {1000 * all_of_it.processor / len(found):.1f} ms",
        f"browser {1000 * chromium / len(found):.1f} ms",
    )


def measure_frames(bench: Bench) -> None:
    with bench.browser() as browser, bench.page(browser) as page:
        begin(page, "flood", board_width="100", player1="random")
        busy = bench.browser_seconds()
        times = page.evaluate(FRAMES)
        each = (bench.browser_seconds() - busy) / len(times)
        redrawn = [page.evaluate(REDRAW) / 1000 for _ in range(bench.options.repeats)]
    gaps = [after - before for before, after in pairwise(times)]
    tell(
        "frames",
        f"{1000 / statistics.median(gaps):.0f} a second on 10,000 vertices",
        f"redrawn in {milliseconds(redrawn)}",
        f"processor each: browser {1000 * each:.1f} ms",
    )


def measure_home(bench: Bench) -> None:
    connections, each = bench.options.connections, bench.options.loads
    runs = bench.repeated(lambda: loads(bench.server.port, "/", connections, each))
    count = connections * (each + 1)
    tell(
        "home",
        f"{connections} connections: median {milliseconds([s for r in runs for s in r.result])}",
        f"of a hundred 99 in {milliseconds([percentile(r.result, 0.99) for r in runs])}",
        f"{statistics.median(count / r.clock for r in runs):.0f} pages a second",
        f"processor each: server {milliseconds([r.processor / count for r in runs])}",
    )


def measure_moves(bench: Bench) -> None:
    every = names()
    wanted = bench.options.games or every
    games = [wanted[place % len(wanted)] for place in range(bench.options.people)]
    runs = bench.repeated(lambda: people(bench.server.port, games, bench.options.moves))
    played: list[Games] = [run.result for run in runs]
    rates = [games.moves / run.clock for games, run in zip(played, runs, strict=True)]
    busy = [run.processor / games.moves for games, run in zip(played, runs, strict=True)]
    tell(
        "moves",
        f"{len(games)} games at once: {statistics.median(rates):.0f} a second",
        f"answer {milliseconds([s for games in played for s in games.answers])}",
        f"of a hundred 99 in {milliseconds([percentile(g.answers, 0.99) for g in played])}",
        f"processor each: server {milliseconds(busy)}",
    )


def measure_lags(bench: Bench) -> None:
    spectators = bench.options.spectators
    found = bench.measured(lambda: asyncio.run(lags(bench.server.port, spectators, 10)))
    late = found.result
    tell(
        "lag",
        f"{spectators} spectators: {milliseconds(late)}, at worst {1000 * max(late):.1f} ms",
        f"{len(late)} events",
        f"processor each: server {1000 * found.processor / len(late):.2f} ms",
    )


MEASURES: dict[str, Callable[[Bench], None]] = {
    "first-load": measure_first_load,
    "click": measure_clicks,
    "frames": measure_frames,
    "home": measure_home,
    "moves": measure_moves,
    "lag": measure_lags,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=f"{', '.join(MEASURES)}")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--clicks", type=int, default=40)
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument(
        "--loads", type=int, default=20, help="loads of the first page on each connection"
    )
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument(
        "--moves", type=int, default=16, help="moves of each game of the measure moves"
    )
    parser.add_argument("--games", nargs="+", metavar="GAME", help="games of the measure moves")
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument(
        "--records", type=int, default=200, help="records of earlier games on the server"
    )
    options = parser.parse_args()
    measures = chosen(parser, options.measures, MEASURES)
    with tempfile.TemporaryDirectory() as folder:
        write_records(Path(folder), options.records)
        with served(Path(folder), options.people + 10) as server:
            bench = Bench(options, server)
            asyncio.run(people(server.port, names(), 4))  # loads all that later measures need
            for name in measures:
                MEASURES[name](bench)


if __name__ == "__main__":
    main()
