"""Behind a real nginx and a real Caddy with TLS: what pages send arrives."""

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
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx
import pytest

from ludograph import make, play_match
from ludograph.hosting.sandbox.sandbox import strongest
from ludograph.web.server import limits
from ludograph.web.server.tokens import read_tokens, write_tokens
from tests.cli.forked import Forked
from tests.cli.run import refuse, spawn, succeed

pytestmark = pytest.mark.slow

NAME = "games.example"
DEPLOY = Path(__file__).parents[3] / "deploy"

AROUND_NGINX = """
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
PASS_HOST = f"proxy_set_header Host $http_host; {FORWARDED}"

AROUND_CADDY = """
{{
    admin off
    default_bind 127.0.0.1
    http_port {plain_port}
    https_port {port}
    local_certs
    skip_install_trust
}}
{recipe}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of the proxies, with a certificate that signs itself once nginx needs it."""
    return tmp_path_factory.mktemp("proxy")


def program(name: str) -> str:
    """Return the path of a program, or skip the test."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        pytest.skip(f"no {name} here; scripts/system-packages test-all installs it")
    return found


def replaced(recipe: str, instead: dict[str, str]) -> str:
    """Return the recipe with ports, files and an address that are free here."""
    for old, new in instead.items():
        assert recipe.count(old) == 1, old
        recipe = recipe.replace(old, new)
    return recipe


class Proxy(NamedTuple):
    """A command that runs a proxy, and the certificate with which those of the proxy are signed."""

    command: list[object]
    authority: Path


def nginx(folder, server: str, port: int, plain_port: int, passed: str = FORWARDED) -> Proxy:
    """Return nginx with its recipe; what it passes on stands in place of one line."""
    key, certificate, file = (folder / name for name in ("key.pem", "cert.pem", "nginx.conf"))
    if not certificate.exists():
        subprocess.run(
            [
                *(program("openssl"), "req", "-x509", "-newkey", "ec", "-nodes"),
                *("-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", key, "-out", certificate),
                *("-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            ],
            check=True,
            capture_output=True,
        )
    recipe = replaced(
        (DEPLOY / "nginx.conf").read_text(),
        {
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
            "listen 80;": f"listen 127.0.0.1:{plain_port};",
            f"https://{NAME}$": f"https://{NAME}:{port}$",
            f"/etc/ssl/{NAME}.pem": str(certificate),
            f"/etc/ssl/{NAME}.key": str(key),
            "http://127.0.0.1:8000": server,
            FORWARDED: passed,
        },
    )
    file.write_text(AROUND_NGINX.format(folder=folder, recipe=recipe))
    return Proxy([program("nginx"), "-p", folder, "-c", file], certificate)


def caddy(folder, server: str, port: int, plain_port: int) -> Proxy:
    """Return Caddy with its recipe, and with an authority of its own for certificates."""
    found, file = program("caddy"), folder / "Caddyfile"
    recipe = (DEPLOY / "Caddyfile").read_text()
    recipe = replaced(recipe, {"127.0.0.1:8000": server.removeprefix("http://")})
    file.write_text(AROUND_CADDY.format(port=port, plain_port=plain_port, recipe=recipe))
    command = ["env", f"XDG_DATA_HOME={folder}", f"XDG_CONFIG_HOME={folder}", found, "run"]
    authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    return Proxy([*command, "--config", file, "--adapter", "caddyfile"], authority)


RECIPES = {"nginx": nginx, "caddy": caddy}
"""The proxies that the documentation shows."""

OTHERS = {
    "nothing": partial(nginx, passed=""),
    "forwarded": partial(nginx, passed=f"{APPENDED} proxy_set_header X-Forwarded-Proto $scheme;"),
    "host": partial(nginx, passed=PASS_HOST),
    "host without port": partial(nginx, passed="proxy_set_header Host $host;"),
    "host and scheme": partial(
        nginx,
        passed="proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme;",
    ),
}
"""What else people let a proxy pass on."""

SLOW = pytest.mark.slow
EACH_RECIPE = [
    pytest.param(proxy, id=name, marks=() if name == "nginx" else SLOW)
    for name, proxy in RECIPES.items()
]

with_each_recipe = pytest.mark.parametrize("proxy", EACH_RECIPE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as line:
        return int(line.getsockname()[1])


def trusting(authority: Path, port: int, process: subprocess.Popen) -> ssl.SSLContext:
    """Return what trusts a proxy that is starting, as soon as it has its certificate."""
    until = time.monotonic() + 200  # Caddy tries for a certificate once a minute
    while True:
        try:
            trust = ssl.create_default_context(cafile=str(authority))
            with (
                socket.create_connection(("127.0.0.1", port), 10) as line,
                trust.wrap_socket(line, server_hostname=NAME),
            ):
                return trust
        except OSError:
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)


class Served(NamedTuple):
    """A server behind a proxy: who visits it there, its public address and those of both alone."""

    visitor: Visitor
    public: str
    server: str
    plain: str
    tokens: dict[str, str]
    process: Forked


@contextmanager
def served(folder, games, proxy=nginx, public=True, options=()):
    """A server behind a proxy.

    Parameters
    ----------
    public
        Whether the server knows the address of the proxy.
    """
    port, plain_port = free_port(), free_port()
    address = f"https://{NAME}:{port}"
    tokens = games / "tokens.toml"
    if not tokens.exists():
        write_tokens(tokens)
    process = spawn(
        *("serve", "--port", 0, "--records", games, "--store", games / "s.db"),
        *("--tokens", tokens, *(("--public-url", address) if public else ()), *options),
    )
    server = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
    proxied = None
    try:
        command, authority = proxy(folder, server, port, plain_port)
        proxied = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        trust = trusting(authority, port, proxied)
        roles = {role.name: token for token, role in read_tokens(tokens).roles.items()}
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}",
            headers={"host": f"{NAME}:{port}", "origin": address, "accept": "text/html"},
            verify=trust,
            timeout=100,
        ) as client:
            plain = f"http://127.0.0.1:{plain_port}"
            yield Served(Visitor(client), address, server, plain, roles, process)
    finally:
        for each in filter(None, (proxied, process)):
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
    "proxy",
    [
        *EACH_RECIPE,
        *(pytest.param(proxy, id=name, marks=SLOW) for name, proxy in OTHERS.items()),
    ],
)
def test_what_pages_send_arrives_behind_a_proxy(folder, tmp_path, proxy) -> None:
    """The recipes, and what else people let a proxy pass on."""
    record = tmp_path / "mine.jsonl"
    play_match(make("hex", size=3, pie=False), ["random", "random"], record=record)
    with served(folder, tmp_path, proxy) as (visitor, public, _, _, tokens, _):
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
        assert f"{public}/match/{number}/join?key=" in shown  # the link for the other person
        visitor.plays_a_move()


@with_each_recipe
def test_a_participant_enters_by_a_link_and_brings_a_player(folder, tmp_path, proxy) -> None:
    """On a ladder, whose player then waits for ``ladder run``."""
    if strongest()[0] is None:
        pytest.skip("players cannot be isolated here, so that no page takes one")
    course, listed = tmp_path / "course", tmp_path / "students.csv"
    succeed("ladder", "init", course, "flood", "-m", 4)
    listed.write_text("name,id\nAnna,s1\n")
    address = f"https://{NAME}"
    made = succeed("ladder", "people", "add", course, listed, "--url", address)
    link = next(csv.DictReader(io.StringIO(made)))["link"]
    with served(folder, tmp_path, proxy, options=("--ladder", course)) as (visitor, *_):
        token = link.partition("token=")[2].partition("&")[0]
        assert f'value="{token}"' in visitor.ask("GET", link.removeprefix(address)).text
        entered = visitor.ask("POST", "/enter", data={"token": token, "next": "/ladders/course/me"})
        assert (entered.status_code, entered.headers["location"]) == (303, "/ladders/course/me")
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


@with_each_recipe
def test_a_visitor_cannot_forge_an_address_nor_pages_elsewhere_use_the_server(
    folder, tmp_path, proxy
) -> None:
    with served(folder, tmp_path, proxy) as (visitor, public, server, plain, tokens, _):
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
        assert answer.status_code in (301, 308)
        # Caddy takes it that visitors come by port 443, from where they are passed on to its own.
        located = answer.headers["location"].replace(public, f"https://{NAME}")
        assert located == f"https://{NAME}/ladders?a=b"
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
    with served(folder, tmp_path, public=False) as (visitor, public, *_, tokens, _):
        visitor.client.headers["authorization"] = f"Bearer {tokens['OPERATE']}"
        answer = visitor.ask("POST", "/boards?name=path.txt", content="0 1\n1 2\n")
        assert answer.status_code == 403
        for named in (public, "http://127", "--public-url"):
            assert named in answer.text


def test_a_server_that_is_passed_a_name_which_it_does_not_know_says_so(folder, tmp_path) -> None:
    with served(folder, tmp_path, OTHERS["host"], public=False) as (visitor, *_):
        answer = visitor.ask("GET", "/")
        assert answer.status_code == 421
        assert f"'{NAME}'" in answer.text
        assert "--public-url" in answer.text


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
    assert "--public-url" in refuse("serve", "--public-url", text)
