"""Requests that no page of ours sends get 4xx, and nothing else happens."""

from __future__ import annotations

import json
import string

import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from ludograph import make, play_match
from ludograph.players import parse_player
from ludograph.web.app import application
from ludograph.web.server import limits
from ludograph.web.server.limits import UNLIMITED
from tests.amounts import amount

ORIGIN = {"origin": "http://localhost"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server in this process, with a record of a game, and its application."""
    folder = tmp_path_factory.mktemp("guarded")
    play_match(make("hex", size=3), ["random", "random"], record=folder / f"{NUMBER}.jsonl")
    app = application(folder, str(folder / "store.db"), matches=3, rates=UNLIMITED)
    with TestClient(app, base_url="http://localhost", follow_redirects=False) as client:
        yield client, app.state.context


NUMBER = "20260101-0123456789"

PATHS = (
    "/",
    "/games/hex",
    "/games/flood/picture.svg",
    "/games/none",
    "/match/x",
    f"/match/{NUMBER}",
    f"/match/{NUMBER}/events",
    f"/match/{NUMBER}/wish",
    f"/match/{NUMBER}/go-on",
    "/open",
    f"/replay/here/{NUMBER}",
    f"/replay/here/{NUMBER}/frames",
    f"/replay/here/{NUMBER}/story",
    f"/replay/here/{NUMBER}/picture.svg",
    f"/replay/here/{NUMBER}/record.jsonl",
    "/replay/store/1",
    "/replay/file/0/story",
    "/tournaments",
    "/tournaments/1",
    "/ladders",
    "/ladders/x",
    "/ladders/x/ratings.svg",
    "/ladders/x/players/a.py",
    "/enter",
    "/boards",
    "/boards/new",
    "/boards/0/picture.svg",
    "/tournaments/new/hex",
    "/tournaments/1/stop",
    f"/replay/here/{NUMBER}/thoughts",
    "/static/board.js",
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    f"/replay/here/..%2f{NUMBER}/record.jsonl",
)

ODD = st.text(alphabet=string.printable + "é\x00<>", max_size=30)
FORM = st.dictionaries(
    st.sampled_from(
        ["player0", "player1", "seats", "seed", "clock", "pause", "time0", "time1", "size"]
        + [f"board{side}" for side in ("", ".width", ".height")]
    ),
    ODD | st.sampled_from(["human", "guest", "random", "hexagonal", "3", "-1", "1e9", "nan"]),
)
WISH = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(
            ["move", "type", "hint", "undo", "resign", "why", "where", "stop", "accept", "decline"]
        )
        | ODD,
        "key": ODD,
        "ply": st.integers() | ODD,
        "value": st.integers() | ODD | st.lists(st.integers(), max_size=4) | st.none(),
        "more": ODD,
    },
)


@settings(
    max_examples=amount(240),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]),
    path=st.sampled_from(PATHS) | ODD.map("/".__add__),
    query=st.dictionaries(
        st.sampled_from(["key", "ply", "first", "count", "token", "next"]), ODD, max_size=2
    ),
    body=st.binary(max_size=80) | WISH.map(json.dumps).map(str.encode),
)
def test_whatever_is_asked_the_answer_is_no_fault_of_the_server(
    site, method, path, query, body
) -> None:
    client, served = site
    try:
        answer = client.request(method, path, params=query, content=body, headers=ORIGIN)
    except (httpx.InvalidURL, httpx.UnsupportedProtocol):
        return  # what cannot be sent
    assert answer.status_code < 500
    if method not in ("GET", "HEAD"):
        assert answer.status_code >= 400
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert served.match_manager.running() == []


@pytest.mark.slow
@settings(
    max_examples=amount(120),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(form=FORM)
def test_a_form_begins_a_match_or_is_refused_with_a_sentence(site, form) -> None:
    client, served = site
    answer = client.post("/games/hex", data=form, headers=ORIGIN)
    if answer.status_code == 303:
        for match in served.match_manager.running():
            match.stop()
            match.join(600)  # its search may have to be compiled
    else:
        assert answer.status_code == 400
        assert 'class="complaint"' in answer.text
        assert "<>" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://elsewhere.example"},
        {"origin": "null"},
        {"origin": "https://localhost"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_pages_of_others_cannot_post(site, headers) -> None:
    client, served = site
    answer = client.post("/games/hex", data={"player1": "random"}, headers=headers)
    assert answer.status_code == 403
    assert served.match_manager.running() == []


def test_a_program_without_an_origin_learns_what_to_send(site) -> None:
    client, _ = site
    answer = client.post("/games/hex", data={"player1": "random"})
    assert '"Origin: http://localhost"' in answer.text


def test_a_name_that_was_made_to_point_here_is_refused(site) -> None:
    client, _ = site
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/", headers={"host": "localhost:8000"}).status_code == 200


@pytest.mark.parametrize("path", ["/tournaments/{}", "/tournaments/{}/games"])
def test_a_number_of_thousands_of_digits_is_no_page(site, path) -> None:
    client, _ = site
    assert client.get(path.format("9" * 5000)).status_code == 404


@pytest.mark.slow
def test_bodies_have_a_size(site) -> None:
    client, _ = site
    large = b"x" * (limits.BODY + 1)
    assert client.post("/games/hex", content=large, headers=ORIGIN).status_code == 413
    assert client.post("/games/hex", content=iter([large]), headers=ORIGIN).status_code == 413
    assert client.post("/open", content=large, headers=ORIGIN).status_code == 400
    huge = b"x" * (limits.RECORD + 1)
    assert client.post("/open", content=huge, headers=ORIGIN).status_code == 413


@pytest.mark.parametrize(
    ("game", "form", "complaint"),
    [
        ("hex", {"player1": "./bot.py"}, "no strategy"),
        ("hex", {"player1": "cmd: sh -c true"}, "no strategy"),
        ("hex", {"player1": "mcts:sims=100000000"}, "no strategy"),
        ("hex", {"player1": "mcts", "time1": "1000"}, "time must"),
        ("hex", {"board": "/etc/passwd", "board.width": "3"}, "no family"),
        ("hex", {"board": "hexagonal", "board.width": "201"}, "from 1 to 200"),
        ("flood", {"board": "square", "board.width": "150"}, "22500 cells"),
        ("flood", {"seats": "64"}, "seats must"),
        ("carcassonne", {"deck": "/etc/passwd"}, "no file here"),
        ("carcassonne", {"deck": "course:99999999"}, "must be"),
        ("penguins", {"clock": "soon"}, "clock"),
        ("hex", {"pie": "maybe"}, "pie must"),
        ("hex", {"player1": "mcts", "time1": "1_0"}, "time must"),
        ("hex", {"player0": "guest", "player1": "guest"}, "you get the links"),
    ],
)
def test_a_form_reads_no_file_starts_no_program_and_searches_no_longer(
    site, game, form, complaint
) -> None:
    client, served = site
    answer = client.post(f"/games/{game}", data={"player1": "random"} | form, headers=ORIGIN)
    assert answer.status_code == 400
    assert complaint in answer.text
    assert served.match_manager.running() == []


def test_names_from_records_are_texts_and_no_html(site) -> None:
    client, served = site
    text = served.match_manager.records.path(NUMBER).read_bytes()
    spoiled = text.replace(b'"players":["random",', b'"players":["<script>alert(1)</script>",')
    cut = spoiled[: spoiled.index(b'{"end"')]
    url = client.post("/open", content=cut, headers=ORIGIN).json()["url"]
    shown = client.get(url).text
    assert "&lt;script&gt;" in shown
    assert "<script>alert" not in shown


HIDDEN = "".join(map(chr, [0x202E, 0x2066, 0x200F, 0x61C, 0x9B, 0x7F, 0x1B, 0x2028, 0xFEFF]))


@pytest.mark.slow
@pytest.mark.parametrize("cut", [False, True])
def test_no_page_has_characters_that_turn_what_is_around_them(site, cut) -> None:
    """In all texts of a record: of players, people, programs, and in remarks."""
    client, served = site

    def spoiled(data):
        if isinstance(data, list):
            return [spoiled(each) for each in data]
        return data + HIDDEN + "gpj" if isinstance(data, str) else data

    text = served.match_manager.records.path(NUMBER).read_text()
    first, *events = map(json.loads, text.splitlines())
    texts = ("players", "specs", "created", "python", "ludograph", "names", "sentence")
    log = {"remark": "a", "seat": 0, "reason": "crash", "message": "b", "log": "c"}
    events[0]["thoughts"] = {"note": "d" + HIDDEN, "measure": "e" + HIDDEN, "value": 0.5}
    lines = [first, *events, {key: spoiled(value) for key, value in log.items()}]
    for line in lines:
        line |= {name: spoiled(line[name]) for name in texts if name in line}
    kept = lines[:3] if cut else lines
    record = b"".join(json.dumps(line).encode() + b"\n" for line in kept)
    answer = client.post("/open", content=record, headers=ORIGIN)
    assert answer.status_code == 200
    path = served.match_manager.records.path(NUMBER.replace("9", "8"))
    path.write_bytes(record)  # of somebody who may write into the folder
    pages = ["/", "/puzzles"]
    for base in (answer.json()["url"], f"/replay/here/{path.stem}"):
        pages += [base, base.replace("/replay/", "/embed/"), base.replace("/replay/", "/puzzles/")]
        pages += [base + part for part in ("/story", "/frames?count=4", "/picture.svg")]
        pages += [base + "/animation.svg", base + "/evaluation"]
    for page in pages:
        answer = client.get(page, headers={"accept": "text/html"})
        assert answer.status_code == 200, page
        shown = answer.text
        if "json" in answer.headers["content-type"]:
            shown = json.dumps(answer.json(), ensure_ascii=False)
        assert not set(HIDDEN) & set(shown), page
    assert "gpj" in client.get(base).text
    path.unlink()


@pytest.mark.parametrize(
    "path", ["/ladders%0a", "/%0a", "/tournaments%0A", "/games/hex%0a", "/games/hex%E2%80%AE"]
)
def test_a_path_with_a_character_that_cannot_be_seen_is_no_page(site, path) -> None:
    client, _ = site
    assert client.get(path).status_code == 404


def test_records_are_told_moment_by_moment_and_drawn(site) -> None:
    client, served = site
    base = f"/replay/here/{NUMBER}"
    story = client.get(f"{base}/story").json()
    record = served.match_manager.records.record(NUMBER)
    assert len(story["steps"]) == record.plies + 1
    frames = client.get(f"{base}/frames?first=1&count=2").json()
    assert [frame["ply"] for frame in frames["frames"]] == [1, 2]
    picture = client.get(f"{base}/picture.svg?ply=2").text
    assert "after 2 moves" in picture
    assert "(seat" not in picture
    assert client.get(f"{base}/picture.png").content.startswith(b"\x89PNG")
    assert client.get(f"{base}/animation.svg").headers["content-disposition"].startswith("attach")
    assert client.get(f"{base}/animation.gif").content.startswith(b"GIF8")
    kept = served.match_manager.records.path(NUMBER).read_bytes()
    assert client.get(f"{base}/record.jsonl").content == kept


@pytest.mark.slow
def test_a_lost_connection_goes_on_where_it_broke_off(server) -> None:
    address, site = server
    start = make("hex", size=3, pie=False)
    specs = [parse_player(each, start.game, 2) for each in ("human", "random")]
    match = site.match_manager.begin(start, specs, own=(0,))
    url = f"{address}/match/{match.plan.number}/events?key={match.plan.keys[0]}"

    def first(last=None):
        headers = {} if last is None else {"last-event-id": last}
        with httpx.stream("GET", url, headers=headers, timeout=60) as told:
            number = ""
            for line in told.iter_lines():
                if line.startswith("id: "):
                    number = line[4:]
                elif line.startswith("data: "):
                    event = json.loads(line[6:])
                    if last is not None or event["type"] == "ask" or event.get("ask"):
                        return number, event
        raise AssertionError("nothing was told")

    number, _ = first()
    move = {"kind": "type", "value": "b2", "key": match.plan.keys[0], "ply": 0}
    wish = url.partition("/events")[0] + "/wish"
    assert httpx.post(wish, json=move, headers={"origin": address}).status_code == 200
    _, event = first(number)
    assert event["type"] == "move"
    assert event["move"]["text"] == "b2"
    match.stop()


@pytest.mark.slow
def test_large_answers_are_compressed_for_who_asks_and_pages_with_keys_are_not(site) -> None:
    client, context = site
    for path in (
        "/",
        "/static/style.css",
        "/games/hex/picture.svg",
        f"/replay/here/{NUMBER}/story",
    ):
        answer = client.get(path, headers={"accept-encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip", path
        assert "content-security-policy" in answer.headers
        plain = client.get(path, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content
        assert len(plain.content) > 1.5 * int(answer.headers["content-length"])
    form = {"player0": "human", "player1": "random"}
    begun = client.post("/games/hex", data=form, headers=ORIGIN)
    played = client.get(begun.headers["location"], headers={"accept-encoding": "gzip"})
    assert played.status_code == 200
    assert "content-encoding" not in played.headers
    context.match_manager.close()
