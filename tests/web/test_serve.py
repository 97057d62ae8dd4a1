"""The command: it says where the pages are, and ends at once when it is told to."""

import json
import re
import signal
import threading

import httpx2 as httpx

from tests.cli.run import spawn


def test_ctrl_c_ends_it_while_people_look_and_play(tmp_path) -> None:
    process = spawn("serve", "--port", 0, "--records", tmp_path)
    address = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
    form = {"player1": "random", "board": "hexagonal", "board.width": "3"}
    begun = httpx.post(f"{address}/games/hex", data=form, headers={"origin": address}, timeout=100)
    number = httpx.URL(begun.headers["location"]).path.rpartition("/")[2]
    told = threading.Event()

    def look() -> None:
        with httpx.stream("GET", f"{address}/match/{number}/events", timeout=100) as events:
            for line in events.iter_lines():
                if line.startswith("data: ") and json.loads(line[6:])["type"] == "whole":
                    told.set()

    looking = threading.Thread(target=look)
    looking.start()
    assert told.wait(100)
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=100)
    looking.join(100)
    assert not looking.is_alive()
    assert process.returncode == 130
    assert "Traceback" not in complaints
    assert (tmp_path / f"{number}.jsonl").exists()


def test_a_game_goes_on_after_the_server_was_killed(tmp_path) -> None:
    """No signal is handled and nothing is written at the end: all stands in the record already."""
    form = {"player1": "random", "board": "hexagonal", "board.width": "3", "seed": "1"}

    def serve():
        process = spawn("serve", "--port", 0, "--records", tmp_path)
        address = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
        return process, httpx.Client(base_url=address, headers={"origin": address}, timeout=100)

    def asked(client, number, key):
        """Return what the page of the person to move is told."""
        path, moves = f"/match/{number}/events", []
        with client.stream("GET", path, params={"key": key}) as events:
            for line in events.iter_lines():
                if line.startswith("data: "):
                    told = json.loads(line[6:])
                    moves += told.get("moves", [])
                    if told.get("ask"):
                        return [move["text"] for move in moves], told["ask"]
        raise AssertionError("nobody was asked")

    process, client = serve()
    begun = httpx.URL(client.post("/games/hex", data=form).headers["location"])
    number, key = begun.path.rpartition("/")[2], begun.params["key"]
    asked(client, number, key)
    wish = {"kind": "type", "key": key, "ply": 0, "value": "b2"}
    assert client.post(f"/match/{number}/wish", json=wish).status_code == 200
    played = 0
    while played < 2:  # until the strategy has answered, too
        asked(client, number, key)
        played = len(client.get(f"/replay/here/{number}/story").json()["steps"]) - 1
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=100)
    client.close()

    process, client = serve()
    try:
        assert "laid aside" in client.get(f"/match/{number}", params={"key": key}).text
        assert client.post(f"/match/{number}/go-on", params={"key": "guess"}).status_code == 403
        client.post(f"/match/{number}/go-on", params={"key": key})
        moves, ask = asked(client, number, key)
        assert moves[0] == "b2"
        assert len(moves) == 2
        wish |= {"ply": 2, "value": ask["moves"][0][0], "kind": "move"}
        assert client.post(f"/match/{number}/wish", json=wish).status_code == 200
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=100)
        client.close()
