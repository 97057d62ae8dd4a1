"""The command: it says where the pages are, and ends at once when it is told to."""

import html
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.cli.run import PROGRAM, spawn, succeed


@contextmanager
def serving(folder):
    """A server as a process of its own, which is killed, and a client that asks like a browser."""
    process = spawn("serve", "--port", 0, "--records", folder)
    address = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
    headers = {"origin": address, "accept": "text/html,*/*;q=0.8"}
    try:
        with httpx.Client(base_url=address, headers=headers, timeout=100) as client:
            yield client
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=100)


NAMES = ("g", "final game", "50%", "a#b?c", "é", "x.y", 'quo"te')


@pytest.mark.slow
def test_each_record_of_the_folder_is_listed_and_its_link_leads_to_it(tmp_path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for name in NAMES:
        record = games / f"{name}.jsonl"
        succeed("hex", "--board", "hexagonal:3", "-q", "random", "connex", "--record", record)
    data = (games / "g.jsonl").read_bytes()
    (games / "cut.jsonl").write_bytes(data[: data.index(b'{"end"')])
    (games / "notes.jsonl").write_text('{"secret": 1}\n')
    (tmp_path / "outside.jsonl").write_bytes(data)
    (games / "folder.jsonl").mkdir()
    with serving(games) as client:
        listed = client.get("/").text
        assert "Paused" not in listed  # nobody here can go on with them
        assert "Interrupted." in listed
        links = [html.unescape(link) for link in re.findall(r'href="(/replay/here/[^"]*)"', listed)]
        assert len(links) == len(NAMES) + 1
        for link in links:
            shown = client.get(link)
            assert shown.status_code == 200, link
            base = html.unescape(re.search(r'data-base="([^"]*)"', shown.text)[1])
            assert client.get(f"{base}/story").json()["steps"]
            assert client.get(f"{base}/record.jsonl").content.startswith(data[:10])
        for wrong in (
            "notes",
            "folder",
            "none",
            "..%2Foutside",
            "%2e%2e%2foutside",
            "%00",
            "a" * 300,
        ):
            assert client.get(f"/replay/here/{wrong}/record.jsonl").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/match/20260101-0123456789/go-on?key=x"),
        ("GET", "/replay/here/none/animation.gif"),
        ("GET", "/replay/here/none/picture.png"),
        ("GET", "/replay/here/none/record.jsonl"),
        ("GET", "/replay/here/long/animation.gif"),
        ("POST", "/match/20260101-9876543210/go-on?key=x"),
        ("GET", "/no-such-page"),
    ],
)
def test_who_reads_pages_gets_a_page_and_a_script_gets_data(folder_of_records, method, path):
    client = folder_of_records
    page = client.request(method, path)
    assert 400 <= page.status_code < 500
    assert page.headers["content-type"].startswith("text/html")
    assert '{"error"' not in page.text
    assert "<h1>" in page.text
    data = client.request(method, path, headers={"accept": "*/*"})
    assert data.status_code == page.status_code
    assert list(data.json()) == ["error"]


@pytest.fixture(scope="module")
def folder_of_records(tmp_path_factory):
    """A server with a record of a game too long for a picture, and one of a game that goes on."""
    games = tmp_path_factory.mktemp("games")
    record = ("-q", "random", "random", "--record")
    succeed(
        "hex", "--board", "hexagonal:25", "--no-pie", "--seed", 1, *record, games / "long.jsonl"
    )
    aside = games / "20260101-9876543210.jsonl"
    succeed("hex", "--board", "hexagonal:3", *record, aside)
    keys = {"keys": ["own", None], "own": 0, "form": {}}
    aside.with_suffix(".keys.json").write_text(json.dumps(keys))
    with serving(games) as client:
        yield client


@pytest.mark.slow
def test_it_needs_nothing_that_the_kernel_counts_for_all_players_of_a_user(tmp_path) -> None:
    """And it may have as many open files as its user allows."""
    command = shlex.join([*PROGRAM, "serve", "--port", "0", "--records", str(tmp_path)])
    with subprocess.Popen(
        ["sh", "-c", f"ulimit -Sn 256; exec {command}"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            address = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
            assert httpx.get(address, timeout=100).status_code == 200
            soft, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
            opened = set()
            for file in Path(f"/proc/{process.pid}/fd").iterdir():
                with suppress(FileNotFoundError):  # closed meanwhile, as a connection may be
                    opened.add(os.readlink(file))
        finally:
            process.kill()
    assert soft == hard
    assert "anon_inode:[eventpoll]" not in opened


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


@pytest.mark.slow
def test_a_game_goes_on_after_the_server_was_killed(tmp_path) -> None:
    """No signal is handled and nothing is written at the end: all stands in the record already."""
    form = {"player1": "random", "board": "hexagonal", "board.width": "3", "seed": "1"}

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

    with serving(tmp_path) as client:
        begun = httpx.URL(client.post("/games/hex", data=form).headers["location"])
        number, key = begun.path.rpartition("/")[2], begun.params["key"]
        asked(client, number, key)
        wish = {"kind": "type", "key": key, "ply": 0, "value": "b2"}
        assert client.post(f"/match/{number}/wish", json=wish).status_code == 200
        played = 0
        while played < 2:  # until the strategy has answered, too
            asked(client, number, key)
            played = len(client.get(f"/replay/here/{number}/story").json()["steps"]) - 1
    with serving(tmp_path) as client:
        assert "was paused" in client.get(f"/match/{number}", params={"key": key}).text
        assert client.post(f"/match/{number}/go-on", params={"key": "guess"}).status_code == 403
        client.post(f"/match/{number}/go-on", params={"key": key})
        moves, ask = asked(client, number, key)
        assert moves[0] == "b2"
        assert len(moves) == 2
        wish |= {"ply": 2, "value": ask["moves"][0][0], "kind": "move"}
        assert client.post(f"/match/{number}/wish", json=wish).status_code == 200
