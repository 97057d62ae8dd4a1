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
