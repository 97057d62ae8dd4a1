"""How pages feel: their weight, their first paint, a click's answer, spectators' lag, frames.

A server and the system's Chromium run side by side on this machine. Printed are

- weight: bytes that the page of a match takes, without pictures;
- first paint: of that page, by the browser's own clock, median of several loads;
- click: from a click on a cell until the answer of `random` is drawn, median and 90th percentile;
- lag: from a move of a match until spectators have it, median and worst over all of them;
- frames: drawn per second while a board of 10,000 vertices is zoomed and dragged, and how long it
  takes to draw it anew when it rests.

    python benchmarks/web.py [MEASURE...] [--loads 5] [--spectators 200]
"""

from __future__ import annotations

import argparse
import json
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ludograph import make
from ludograph.cli.serve import listen
from ludograph.players import parse_player
from ludograph.web.app import Server, application
from tests.web.board import ASKED_OR_OVER, TARGETS, begin, is_over
from tests.web.conftest import BROWSERS

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

FRAMES = """() => new Promise((done) => {
  const { board } = document.querySelector("#board svg");
  const times = [];
  const frame = (now) => {
    times.push(now);
    if (times.length > 90) { done(times); return; }
    if (times.length < 45) board.scale(1.03);
    else {
      board.middle = [board.middle[0] + 40, board.middle[1] + 25];
      board.view({ moving: true });
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""

REDRAW = """() => new Promise((done) => {
  const { board } = document.querySelector("#board svg");
  const began = performance.now();
  board.view();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
})"""


def weight_and_paint(page: Page, loads: int) -> tuple[int, float]:
    """Return the bytes of the page of a match, and the seconds to its first paint."""
    begin(page, "hex", board_width="7", player1="random")
    sizes = page.evaluate(
        "[...performance.getEntriesByType('resource'), performance.getEntriesByType('navigation')"
        "[0]].filter((each) => !each.name.includes('/events')).map((each) => each.decodedBodySize)"
    )
    paints = []
    for _ in range(loads):
        page.reload()
        page.wait_for_function(ASKED_OR_OVER)
        paints.append(
            page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
    return sum(sizes), statistics.median(paints) / 1000


def clicks(page: Page, wanted: int) -> list[float]:
    """Return the seconds from clicks to the drawn answers of a random opponent."""
    found: list[float] = []
    while len(found) < wanted:
        begin(page, "hex", board_width="7", player1="random")
        while len(found) < wanted:
            page.wait_for_function(ASKED_OR_OVER)
            targets = page.evaluate(TARGETS)
            if is_over(page) or len(targets) < 16:
                break
            found.append(page.evaluate(CLICK, targets[len(targets) // 3]) / 1000)
    return found


def lags(site: Any, port: int, spectators: int) -> list[float]:
    """Return the seconds from each move of a match until each spectator has it."""
    start = make("flood", "square:12", seed=1)
    specs = [parse_player(name, start.game, 2) for name in ("greedy", "random")]
    match = site.match_manager.begin(start, specs, own=(), seed=1, pause=0.5)
    # What is measured is the time from the moment that is written into the event to its arrival.
    arrived: list[float] = []
    stop = threading.Event()
    lock = threading.Lock()
    original: Any = match.spectators.tell

    def stamped(data: dict[str, Any], seat: int | None = None) -> None:
        original(data | {"stamp": time.perf_counter()}, seat)

    match.spectators.tell = stamped

    def look() -> None:
        with socket.create_connection(("127.0.0.1", port)) as line, line.makefile("rb") as lines:
            path = f"/match/{match.plan.number}/events"
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            for text in lines:
                if stop.is_set():
                    return
                if text.startswith(b"data: ") and b'"type":"move"' in text[:40]:
                    now = time.perf_counter()
                    stamp = json.loads(text[6:]).get("stamp")
                    if stamp is not None:
                        with lock:
                            arrived.append(now - stamp)

    threads = [threading.Thread(target=look, daemon=True) for _ in range(spectators)]
    for thread in threads:
        thread.start()
    time.sleep(4)
    with lock:
        arrived.clear()  # those of the time in which they came
    time.sleep(6)
    stop.set()
    match.stop()
    with lock:
        return list(arrived)


def frames(page: Page) -> tuple[float, float]:
    """Return how many frames a second are drawn of 10,000 vertices, and the seconds of a redraw."""
    begin(page, "flood", board_width="100", player1="random")
    times = page.evaluate(FRAMES)
    gaps = [after - before for before, after in pairwise(times)]
    return 1000 / statistics.median(gaps), page.evaluate(REDRAW) / 1000


def tell_weight(bench: Bench) -> None:
    weight, paint = bench.on_page(lambda page: weight_and_paint(page, bench.options.loads))
    print(f"weight       {weight / 1000:.1f} kB, scripts, styles and page")
    print(f"first paint  {1000 * paint:.0f} ms")


def tell_clicks(bench: Bench) -> None:
    times = sorted(bench.on_page(lambda page: clicks(page, bench.options.clicks)))
    middle, tenth = 1000 * statistics.median(times), 1000 * times[int(0.9 * len(times))]
    print(f"click        {middle:.0f} ms, of ten nine in {tenth:.0f} ms")


def tell_frames(bench: Bench) -> None:
    fluid, rest = bench.on_page(frames)
    print(f"frames       {fluid:.0f} a second on 10,000 vertices, redrawn in {1000 * rest:.0f} ms")


def tell_lags(bench: Bench) -> None:
    late = lags(bench.site, bench.port, bench.options.spectators)
    middle, most = 1000 * statistics.median(late), 1000 * max(late)
    print(
        f"lag          {middle:.0f} ms for {bench.options.spectators} spectators, {most:.0f} ms at "
        f"worst, {len(late)} events"
    )


MEASURES = {"weight": tell_weight, "click": tell_clicks, "frames": tell_frames, "lag": tell_lags}


@dataclass
class Bench:
    """A server, a browser, and what the command line says."""

    options: argparse.Namespace
    site: Any
    port: int
    chromium: Browser

    def on_page(self, measure: Callable[[Page], Any]) -> Any:
        page = self.chromium.new_page(base_url=f"http://127.0.0.1:{self.port}")
        page.set_default_timeout(120_000)
        try:
            return measure(page)
        finally:
            page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=f"{', '.join(MEASURES)}")
    parser.add_argument("--loads", type=int, default=5)
    parser.add_argument("--clicks", type=int, default=40)
    parser.add_argument("--spectators", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as browsers:
        listening = listen("127.0.0.1", 0)
        app = application(folder, str(Path(folder) / "store.db"))
        server = Server(app)
        threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
        program = next(filter(None, map(shutil.which, BROWSERS)))
        chromium = browsers.chromium.launch(executable_path=program, args=["--no-sandbox"])
        bench = Bench(options, app.state.context, listening.getsockname()[1], chromium)
        for name in options.measures or MEASURES:
            MEASURES[name](bench)
        chromium.close()
        server.should_exit = True


if __name__ == "__main__":
    main()
