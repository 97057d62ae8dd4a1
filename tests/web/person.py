"""People at pages of a match without a browser: they hear its events, and send requests."""

from __future__ import annotations

import json
import re
import threading

import httpx2 as httpx

PATIENCE = 120

FORM = {"board": "hexagonal", "board.width": "3", "player0": "human", "player1": "guest"}


class Person:
    """A page of a match without a browser: it hears what happens, and sends wishes."""

    def __init__(self, address: str, number: str, key: str) -> None:
        self.match, self.key = f"{address}/match/{number}", key
        self.headers = {"origin": address}
        self.told: list[dict] = []
        self._news = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        self.until("whole")

    def _listen(self) -> None:
        url = f"{self.match}/events"
        with httpx.stream("GET", url, params={"key": self.key}, timeout=PATIENCE) as answer:
            for line in answer.iter_lines():
                if line.startswith("data: {"):
                    self._hear(json.loads(line.removeprefix("data: ")))

    def _hear(self, event: dict) -> None:
        with self._news:
            if event.get("type") == "whole" and event["ask"]:
                self.told.append({"type": "ask", "ask": event["ask"]})
            self.told.append(event)
            self._news.notify_all()

    def all(self, kind: str) -> list[dict]:
        """Return the events of a kind until now."""
        return [event for event in list(self.told) if event.get("type") == kind]

    def until(self, kind: str, which: int = 1) -> dict:
        """Wait for the first event of a kind, or the second, ..."""
        with self._news:
            heard = self._news.wait_for(lambda: len(self.all(kind)) >= which, PATIENCE)
        assert heard, (kind, which, [event.get("type") for event in self.told])
        return self.all(kind)[which - 1]

    def send(self, kind: str, value: object = None, ply: int = 0) -> httpx.Response:
        """Send a wish as a page does."""
        sent = {"kind": kind, "key": self.key, "ply": ply, "value": value}
        return httpx.post(f"{self.match}/wish", json=sent, headers=self.headers, timeout=PATIENCE)

    def play(self, text: str, ply: int) -> None:
        """Play a move when it is asked for, of a game in which this one plays every other time."""
        self.until("ask", 1 + ply // 2)
        assert self.send("type", text, ply).status_code == 200

    def moves(self) -> int:
        """Return how many moves a newcomer sees."""
        return len(Looker(self.match).whole["moves"])


def suspend(server, number: str) -> None:
    """Stop a match of a server, and wait for its end."""
    match = server[1].match_manager.match(number)
    match.stop()
    match.join(PATIENCE)


class Looker:
    """Somebody who looks once, without the key of a seat."""

    def __init__(self, match: str) -> None:
        with httpx.stream("GET", f"{match}/events", timeout=PATIENCE) as answer:
            lines = answer.iter_lines()
            line = next(line for line in lines if line.startswith("data: "))
        self.whole = json.loads(line.removeprefix("data: "))


def begun(address: str, **more: str) -> tuple[str, str, str]:
    """Begin a game by its form; return its number, the key of who does, and of the guest."""
    answer = httpx.post(
        f"{address}/games/hex", data={**FORM, **more}, headers={"origin": address}, timeout=PATIENCE
    )
    assert answer.status_code == 303, answer.text
    where = answer.headers["location"]
    number, key = re.fullmatch(r"/match/(.+)\?key=(.+)", where).groups()
    page = httpx.get(address + where, timeout=PATIENCE).text
    (guest,) = re.findall(rf'value="[^"]*/match/{number}/join\?key=([^"]+)"', page)
    return number, key, guest
