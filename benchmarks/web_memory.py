"""Whether the memory of a server stays constant while many games are played on it in turn.

    python benchmarks/web_memory.py [--games 1000]

Each game is begun by its form, watched to its end by a client, and replayed. Printed is the
resident memory after each tenth of the games. The others are compared with the first tenth, after
which everything is loaded and the list of the latest matches is full.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from measure import resident
from starlette.testclient import TestClient

from ludograph.web.app import application
from ludograph.web.server.limits import UNLIMITED

GAMES = {
    "flood": {"board": "hatched", "board.width": "9"},
    "hex": {"board": "hexagonal", "board.width": "5"},
    "penguins": {"board.width": "5", "penguins": "2"},
}


def play(client: TestClient, game: str, seed: int) -> None:
    """Play a game, watch and replay it."""
    form = {"player0": "random", "player1": "random", "pause": "0", "seed": str(seed)}
    begun = client.post(f"/games/{game}", data=form | GAMES[game], follow_redirects=False)
    if begun.status_code != 303:
        raise SystemExit(begun.text)
    number = begun.headers["location"].rpartition("/")[2]
    client.get(f"/match/{number}/events").raise_for_status()  # which ends with the match
    match = client.app.state.context.match_manager.match(number)
    if match is not None:
        match.join(60)
    client.get(f"/replay/here/{number}/story").raise_for_status()
    client.get(f"/replay/here/{number}/frames?count=24").raise_for_status()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    names = list(GAMES)
    with tempfile.TemporaryDirectory() as folder:
        app = application(folder, str(Path(folder) / "store.db"), rates=UNLIMITED)
        origin = {"origin": "http://localhost"}
        with TestClient(app, base_url="http://localhost", headers=origin) as client:
            began = time.perf_counter()
            sizes = []
            for number in range(options.games):
                play(client, names[number % len(names)], number)
                if (number + 1) % max(1, options.games // 10) == 0:
                    sizes.append(resident())
                    print(f"{number + 1:6} games  {sizes[-1]:7.1f} MiB", flush=True)
            took = time.perf_counter() - began
    grown = sizes[-1] - sizes[0]
    print(f"grown by {grown:.1f} MiB, {100 * grown / sizes[0]:.1f} %, in {took:.0f} s")


if __name__ == "__main__":
    main()
