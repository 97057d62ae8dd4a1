"""Behind a real nginx with TLS: what pages send arrives, whatever of the usual it passes on."""

from __future__ import annotations

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

import httpx2 as httpx
import pytest

from ludograph import make, play_match
from ludograph.web.access_tokens import read_tokens, write_tokens
from tests.cli.run import refuse, spawn

NAME = "games.example"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
CONFIGURATION = """
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
    server {{
        listen 127.0.0.1:{port} ssl;
        server_name {name};
        ssl_certificate {folder}/certificate.pem;
        ssl_certificate_key {folder}/key.pem;
        client_max_body_size 5m;
        location / {{
            proxy_pass {server};
            {passed}
        }}
    }}
}}
"""
FORWARDED = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"
PASSED = {
    "nothing": "",
    "forwarded": f"{FORWARDED} proxy_set_header X-Forwarded-Proto $scheme;",
    "host": f"proxy_set_header Host $http_host; {FORWARDED}",
    "host without port": "proxy_set_header Host $host;",
    "host and scheme": "proxy_set_header Host $http_host; "
    "proxy_set_header X-Forwarded-Proto $scheme;",
}


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


@contextmanager
def served(folder, games, passed):
    """A server behind nginx; yield who visits it there, and the address of the server itself."""
    port = free_port()
    public = f"https://{NAME}:{port}"
    write_tokens(games / "tokens.toml")
    process = spawn(
        *("serve", "--port", 0, "--records", games, "--store", games / "s.db"),
        *("--public-url", public, "--tokens", games / "tokens.toml"),
    )
    server = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
    text = CONFIGURATION.format(folder=folder, port=port, name=NAME, server=server, passed=passed)
    (folder / "nginx.conf").write_text(text)
    nginx = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"], text=True)
    try:
        until = time.monotonic() + 30
        while socket.socket().connect_ex(("127.0.0.1", port)):
            assert nginx.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)
        token = next(
            token
            for token, role in read_tokens(games / "tokens.toml").roles.items()
            if role.name == "OPERATE"
        )
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}",
            headers={"host": f"{NAME}:{port}", "origin": public, "accept": "text/html"},
            verify=ssl.create_default_context(cafile=str(folder / "certificate.pem")),
            timeout=100,
        ) as client:
            yield Visitor(client), public, server, token
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


@pytest.mark.parametrize(
    "passed",
    [
        one if one in ("forwarded", "nothing") else pytest.param(one, marks=pytest.mark.slow)
        for one in PASSED
    ],
)
def test_what_pages_send_arrives_behind_a_proxy(folder, tmp_path, passed) -> None:
    record = tmp_path / "mine.jsonl"
    play_match(make("hex", size=3, pie=False), ["random", "random"], record=record)
    with served(folder, tmp_path, PASSED[passed]) as (visitor, public, _, token):
        entered = visitor.ask("POST", "/enter", data={"token": token})
        assert entered.status_code == 303
        cookie = next(each for each in entered.headers.get_list("set-cookie") if "-token=" in each)
        assert "Secure" in cookie
        visitor.client.headers["authorization"] = f"Bearer {token}"
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
        number, key = re.fullmatch(r"/match/(\S+)\?key=(\S+)", match).groups()
        shown = visitor.ask("GET", match).text
        assert f"{public}/match/{number}?key=" in shown  # the link for the other person
        told = visitor.client.stream(
            "GET", f"/match/{number}/events?key={key}", extensions={"sni_hostname": NAME}
        )
        with told as events:
            first = next(line for line in events.iter_lines() if line.startswith("data: "))
            assert json.loads(first[6:])["type"] == "whole"


def test_pages_of_others_and_other_names_are_refused_all_the_same(folder, tmp_path) -> None:
    with served(folder, tmp_path, PASSED["host and scheme"]) as (visitor, public, server, token):
        own = {"authorization": f"Bearer {token}"}
        for origin in ("https://evil.example", f"https://{NAME}", f"http://{NAME}", "null"):
            answer = visitor.ask("POST", "/boards?name=x.txt", headers=own | {"origin": origin})
            assert answer.status_code == 403
        answer = httpx.get(server, headers={"host": "evil.example"}, timeout=60)
        assert answer.status_code == 421
        # Who reaches a server with a public address from this machine may be anybody.
        answer = httpx.get(server, headers={"accept": "text/html"}, timeout=60)
        assert answer.status_code == 401
        assert public.startswith("https://")


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
