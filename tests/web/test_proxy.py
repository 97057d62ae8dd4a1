"""Behind a real nginx with TLS: what pages send arrives, whatever of the usual it passes on."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx
import pytest

from ludograph import make, play_match
from ludograph.hosting.sandbox.self_test import strongest
from ludograph.web import limits
from ludograph.web.access_tokens import read_tokens, write_tokens
from tests.cli.run import refuse, spawn, succeed

NAME = "games.example"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
RECIPE = (Path(__file__).parents[2] / "deploy" / "nginx.conf").read_text()
"""The configuration that the documentation shows."""

AROUND = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{recipe}
}}
"""
FORWARDED = "proxy_set_header X-Forwarded-For $remote_addr;"
APPENDED = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"
PASSED = {
    "recipe": FORWARDED,
    "nothing": "",
    "forwarded": f"{APPENDED} proxy_set_header X-Forwarded-Proto $scheme;",
    "host": f"proxy_set_header Host $http_host; {FORWARDED}",
    "host without port": "proxy_set_header Host $host;",
    "host and scheme": "proxy_set_header Host $http_host; "
    "proxy_set_header X-Forwarded-Proto $scheme;",
}
"""What a proxy passes on, in place of the line of the recipe."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a certificate that signs itself."""
    if NGINX is None or shutil.which("openssl") is None:
        pytest.skip("no nginx or no openssl here; scripts/system-packages installs them")
    found = tmp_path_factory.mktemp("nginx")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-keyout", found / "key.pem", "-out", found / "certificate.pem"),
            *("-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
        ],
        check=True,
        capture_output=True,
    )
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as line:
        return int(line.getsockname()[1])


def configuration(folder, server: str, port: int, plain_port: int, passed: str = FORWARDED) -> str:
    """The recipe with ports, files and an address that are free here; nothing else differs."""
    instead = {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "listen 80;": f"listen 127.0.0.1:{plain_port};",
        "https://games.example$": f"https://games.example:{port}$",
        "/etc/ssl/games.example.pem": f"{folder}/certificate.pem",
        "/etc/ssl/games.example.key": f"{folder}/key.pem",
        "http://127.0.0.1:8000": server,
        FORWARDED: passed,
    }
    recipe = RECIPE
    for old, new in instead.items():
        assert recipe.count(old) == 1, old
        recipe = recipe.replace(old, new)
    return AROUND.format(folder=folder, recipe=recipe)


class Served(NamedTuple):
    """A server behind nginx: who visits it there, its public address and those of both alone."""

    visitor: Visitor
    public: str
    server: str
    plain: str
    tokens: dict[str, str]


@contextmanager
def served(folder, games, passed=FORWARDED, public=True, options=()):
    """A server behind nginx.

    Parameters
    ----------
    public
        Whether the server knows the address of the proxy.
    """
    port, plain_port = free_port(), free_port()
    address = f"https://{NAME}:{port}"
    tokens = games / "tokens.toml"
    write_tokens(tokens)
    process = spawn(
        *("serve", "--port", 0, "--records", games, "--store", games / "s.db"),
        *("--tokens", tokens, *(("--public-url", address) if public else ()), *options),
    )
    server = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
    text = configuration(folder, server, port, plain_port, passed)
    (folder / "nginx.conf").write_text(text)
    nginx = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"], text=True)
    try:
        until = time.monotonic() + 30
        while socket.socket().connect_ex(("127.0.0.1", port)):
            assert nginx.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)
        roles = {role.name: token for token, role in read_tokens(tokens).roles.items()}
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}",
            headers={"host": f"{NAME}:{port}", "origin": address, "accept": "text/html"},
            verify=ssl.create_default_context(cafile=str(folder / "certificate.pem")),
            timeout=100,
        ) as client:
            plain = f"http://127.0.0.1:{plain_port}"
            yield Served(Visitor(client), address, server, plain, roles)
    finally:
        for each in (nginx, process):
            each.send_signal(signal.SIGTERM)
            each.wait(60)


class Visitor:
    """A browser that finds the name at this machine."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def ask(self, method: str, path: str, **more) -> httpx.Response:
        return self.client.request(method, path, extensions={"sni_hostname": NAME}, **more)

    def plays_a_move(self) -> None:
        """Begin a game, play the first move, and hear of it on the live connection."""
        form = {"player0": "human", "player1": "random", "board": "hexagonal", "board.width": "3"}
        begun = self.ask("POST", "/games/hex", data=form).headers["location"]
        match, _, key = begun.partition("?key=")
        path, names = f"{match}/events?key={key}", {"sni_hostname": NAME}
        until = time.monotonic() + 100
        sent = False
        with self.client.stream("GET", path, extensions=names) as events:
            for line in events.iter_lines():
                assert time.monotonic() < until
                event = json.loads(line[6:]) if line.startswith("data: {") else {}
                if not sent and event.get("ask"):
                    wish = {"kind": "type", "key": key, "ply": 0, "value": "a1"}
                    assert self.ask("POST", f"{match}/wish", json=wish).status_code == 200
                    sent = True
                if event.get("type") == "move":
                    assert sent
                    return
        raise AssertionError("the live connection has ended")


@pytest.mark.parametrize(
    "passed",
    [one if one == "recipe" else pytest.param(one, marks=pytest.mark.slow) for one in PASSED],
)
def test_what_pages_send_arrives_behind_a_proxy(folder, tmp_path, passed) -> None:
    """The recipe, and what else people let a proxy pass on."""
    record = tmp_path / "mine.jsonl"
    play_match(make("hex", size=3, pie=False), ["random", "random"], record=record)
    with served(folder, tmp_path, PASSED[passed]) as (visitor, public, _, _, tokens):
        token = tokens["OPERATE"]
        assert visitor.ask("GET", "/").status_code == 401
        entered = visitor.ask("POST", "/enter", data={"token": token})
        assert entered.status_code == 303
        cookie = next(each for each in entered.headers.get_list("set-cookie") if "-token=" in each)
        assert {"Secure", "HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))
        visitor.client.headers["authorization"] = f"Bearer {token}"
        assert "Hex" in visitor.ask("GET", "/").text
        brought = visitor.ask("POST", "/boards?name=path.txt", content="0 1\n1 2\n")
        assert brought.status_code == 200
        assert visitor.ask("GET", brought.json()["url"]).status_code == 200
        opened = visitor.ask("POST", "/open", content=record.read_bytes() + b"\n" * (2 << 20))
        assert opened.status_code == 200
        form = {"player0": "human", "player1": "guest", "board": "hexagonal", "board.width": "3"}
        begun = visitor.ask("POST", "/games/hex", data=form)
        assert begun.status_code == 303
        match = begun.headers["location"]
        assert match.startswith("/match/")
        number = re.fullmatch(r"/match/(\S+)\?key=\S+", match)[1]
        shown = visitor.ask("GET", match).text
        assert f"{public}/match/{number}?key=" in shown  # the link for the other person
        visitor.plays_a_move()


def test_a_participant_enters_by_a_link_and_brings_a_player(folder, tmp_path) -> None:
    """On a ladder, whose player then waits for ``ladder run``."""
    if strongest()[0] is None:
        pytest.skip("players cannot be isolated here, so that no page takes one")
    course, listed = tmp_path / "course", tmp_path / "students.csv"
    succeed("ladder", "init", course, "flood", "-m", 4)
    listed.write_text("name,id\nAnna,s1\n")
    address = f"https://{NAME}"
    made = succeed("ladder", "people", "add", course, listed, "--url", address)
    link = next(csv.DictReader(io.StringIO(made)))["link"]
    with served(folder, tmp_path, options=("--ladder", course)) as (visitor, *_):
        entered = visitor.ask("GET", link.removeprefix(address))
        assert (entered.status_code, entered.headers["location"]) == (303, "/ladders/course/me")
        token = link.partition("token=")[2].partition("&")[0]
        visitor.client.headers["authorization"] = f"Bearer {token}"
        player = b"def choose(position):\n    return position.legal_moves()[0]\n"
        large = player + b"#" * (4 << 20)
        for name, content, status in (("a.py", player, 200), ("b.py", large, 413)):
            answer = visitor.ask("POST", f"/ladders/course/players/{name}", content=content)
            assert answer.status_code == status, answer.text
        refused = visitor.ask(
            *("POST", "/ladders/course/players/a.py"),
            content=large[: 3 << 20],
            headers={"authorization": "Bearer a token that is none"},
        )
        assert refused.status_code == 401  # of the server: the proxy has sent all of it
        assert (course / "players" / "a.py").read_bytes() == player
        assert "a.py" in visitor.ask("GET", "/ladders/course/me").text


def test_a_visitor_cannot_forge_an_address_nor_pages_elsewhere_use_the_server(
    folder, tmp_path
) -> None:
    with served(folder, tmp_path) as (visitor, public, server, plain, tokens):
        own = {"authorization": f"Bearer {tokens['OPERATE']}"}
        for origin in ("https://evil.example", f"https://{NAME}", f"http://{NAME}", "null"):
            answer = visitor.ask("POST", "/boards?name=x.txt", headers=own | {"origin": origin})
            assert answer.status_code == 403
        answer = httpx.get(server, headers={"host": "evil.example"}, timeout=60)
        assert answer.status_code == 421
        # Who reaches a server with a public address from this machine may be anybody.
        answer = httpx.get(server, headers={"accept": "text/html"}, timeout=60)
        assert answer.status_code == 401
        answer = httpx.get(f"{plain}/ladders?a=b", headers={"host": NAME}, timeout=60)
        assert (answer.status_code, answer.headers["location"]) == (301, f"{public}/ladders?a=b")
        # Wrong tokens are counted by address, and the proxy alone says which that is.
        found = [
            visitor.ask(
                *("POST", "/enter"),
                data={"token": f"guess {number}"},
                headers={"x-forwarded-for": f"203.0.113.{number}", "forwarded": "for=203.0.113.9"},
            ).status_code
            for number in range(limits.TRIES + 5)
        ]
        assert found[0] == 403
        assert found[-1] == 429


def test_a_server_that_does_not_know_its_proxy_says_what_to_change(folder, tmp_path) -> None:
    with served(folder, tmp_path, public=False) as (visitor, public, *_, tokens):
        visitor.client.headers["authorization"] = f"Bearer {tokens['OPERATE']}"
        answer = visitor.ask("POST", "/boards?name=path.txt", content="0 1\n1 2\n")
        assert answer.status_code == 403
        assert f"came from {public}, and the address of the server is http://127" in answer.text
        assert "start it with --public-url" in answer.text


@pytest.mark.slow
def test_a_server_that_is_passed_a_name_which_it_does_not_know_says_so(folder, tmp_path) -> None:
    with served(folder, tmp_path, PASSED["host"], public=False) as (visitor, *_):
        answer = visitor.ask("GET", "/")
        assert answer.status_code == 421
        assert f"not known by the name '{NAME}'" in answer.text
        assert "start it with --public-url" in answer.text


def test_the_documentation_shows_the_configuration() -> None:
    page = (Path(__file__).parents[2] / "docs" / "service.md").read_text()
    assert f"```nginx\n{RECIPE}```" in page


@pytest.mark.parametrize(
    "text",
    [
        "games.example",
        "ftp://games.example",
        "https://games.example/pages",
        "https://",
        "https://[:",
    ],
)
def test_a_public_address_is_scheme_and_host(text) -> None:
    assert "--public-url must be an address" in refuse("serve", "--public-url", text)
