"""Who may do what: each route with each kind of visitor."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from starlette.testclient import TestClient

from ludograph import make, play_match
from ludograph.arena.ladder.people import Role, add_people, revoke_token
from ludograph.players.isolation import Level
from ludograph.web.app import application, routes
from ludograph.web.ladder import ladders as ladder_service
from ludograph.web.ladder.ladders import LadderPages
from ludograph.web.ladder.shown_ladders import shown_ladder
from ludograph.web.server.limits import UNLIMITED
from ludograph.web.server.tokens import Tokens
from tests.arena.ladder.making import ladder_in, put, run
from tests.web.match.test_match_people import challenge

NOTHING, LOOK, PLAY, UPLOAD, OPERATE = "nothing", "look", "play", "upload", "operate"
SEAT, PARTICIPANT = "seat", "participant"

PAGE = (Path(__file__).parents[3] / "docs" / "pages.md").read_text()

RECORD = "/replay/{source}/{number}"

NEEDED = {
    (NOTHING,): ["GET /static/{name}", "GET /enter", "POST /enter"],
    (LOOK,): [
        "GET /",
        "GET /lobby",
        "POST /mine",
        "GET /games/{game}",
        "GET /games/{game}/picture.svg",
        "GET /games/{game}/my_player.py",
        "GET /games/{game}/my_player.c",
        "GET /games/{game}/player.h",
        "GET /games/{game}/example.svg",
        "GET /games/{game}/set-up",
        "GET /games/{game}/set-up/board",
        "GET /match/{number}",
        "GET /match/{number}/join",
        "GET /match/{number}/events",
        "GET /match/{number}/state",
        "GET " + RECORD,
        "GET /embed/{source}/{number}",
        *(f"GET {RECORD}/{part}" for part in ("story", "frames", "record.jsonl", "evaluation")),
        *(f"GET {RECORD}/picture.{kind}" for kind in ("svg", "png")),
        *(f"GET {RECORD}/animation.{kind}" for kind in ("svg", "gif")),
        *(f"GET {RECORD}/variation{part}" for part in ("", "/value")),
        "GET /puzzles",
        "GET /puzzles/{source}/{number}",
        "GET /puzzles/{source}/{number}/found",
        "GET /boards/new",
        "GET /boards/pattern",
        "GET /boards/{number}",
        "GET /boards/{number}/picture.svg",
        "GET /ladders",
        *(f"GET /ladders/{{ladder}}{part}" for part in ("", "/games", "/ratings.svg")),
        "GET /ladders/{ladder}/players/{player}",
        "GET /tournaments",
        "GET /tournaments/new/{game}",
        "GET /tournaments/{number:number}",
        *(
            f"GET /tournaments/{{number:number}}/{part}"
            for part in ("screen", "games", "latest", "follow")
        ),
    ],
    (LOOK, SEAT): ["POST /match/{number}/wish"],
    (LOOK, PARTICIPANT): ["GET /ladders/{ladder}/me"],
    (PLAY,): [
        "POST /games/{game}",
        "POST /games/{game}/set-up",
        "POST /match/{number}/join",
        "POST /open",
        "POST " + RECORD + "/thoughts",
        "POST /boards",
    ],
    (PLAY, SEAT): ["POST /match/{number}/go-on"],
    (UPLOAD,): [
        "POST /ladders/{ladder}/players/{player:path}",
        "DELETE /ladders/{ladder}/players/{player}",
        "POST /ladders/{ladder}/players/{player}/compare",
        "GET /ladders/{ladder}/players/{player}/versions/{version}",
        "GET /ladders/{ladder}/submissions",
    ],
    (OPERATE, UPLOAD): [
        "POST /ladders/{ladder}/players/{player}/suspend",
        "POST /ladders/{ladder}/players/{player}/reinstate",
    ],
    (OPERATE,): [
        "POST /tournaments/new/{game}",
        "POST /tournaments/{number:number}/stop",
        "POST /tournaments/{number:number}/go-on",
    ],
}
"""The rights that each route needs."""

ROWS = [(route, rights) for rights, routes in NEEDED.items() for route in routes]

HAVE = {
    "nobody": (NOTHING,),
    "revoked": (NOTHING,),
    "spectator": (NOTHING, LOOK),
    "seat": (NOTHING, LOOK, SEAT),
    "player": (NOTHING, LOOK, PLAY),
    "owner of a match": (NOTHING, LOOK, PLAY, SEAT),
    "uploader": (NOTHING, LOOK, PLAY, UPLOAD),
    "participant": (NOTHING, LOOK, PLAY, UPLOAD, PARTICIPANT),
    "participant of another ladder": (NOTHING, LOOK, PLAY),
    "teacher": (NOTHING, LOOK, PLAY, UPLOAD, OPERATE, PARTICIPANT),
    "teacher of another ladder": (NOTHING, LOOK, PLAY, OPERATE),
    "operator": (NOTHING, LOOK, PLAY, UPLOAD, OPERATE),
}
"""The rights that each visitor has; what is not for a visitor's ladder is refused with 403."""

FILLED = {
    "{name}": "style.css",
    "{game}": "none",
    "{source}": "none",
    "{ladder}": "course",
    "{player}": "greedy",
    "{player:path}": "a.txt",
    "{version}": "0123456789ab",
    "{number:number}": "1",
}
"""Parameters of paths. What is not there is answered with 404 or 400, not refused."""


class Site(NamedTuple):
    """A server that nobody may look at without a token."""

    client: TestClient
    tokens: dict[str, str]
    running: str
    suspended: str
    keys: dict[str, str]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server with two ladders, a running match and a suspended one."""
    folder = tmp_path_factory.mktemp("rights")
    tokens = {f"a token that may {role.name.lower()}": role for role in Role if role}
    known = {
        "spectator": "a token that may look",
        "seat": "a token that may look",
        "player": "a token that may play",
        "owner of a match": "a token that may play",
        "uploader": "a token that may upload",
        "operator": "a token that may operate",
    }
    listed, ladders = folder / "s.csv", []
    listed.write_text("name,role\nAnn,upload\nEve,upload\nTom,operate\n")
    for name, of in (("course", ""), ("other", " of another ladder")):
        (folder / name).mkdir()
        ladders.append(LadderPages(ladder_in(folder / name), Level.BASIC))
        made = {new.person.name: new.token for new in add_people(ladders[-1].ladder.folder, listed)}
        known |= {f"participant{of}": made["Ann"], f"teacher{of}": made["Tom"]}
        if not of:
            known["revoked"] = made["Eve"]
            revoke_token(ladders[-1].ladder.folder, "Eve")
    app = application(
        folder / "games",
        str(folder / "s.db"),
        ladders=ladders,
        tokens=Tokens(Role.NOTHING, tokens),
        rates=UNLIMITED,
    )
    headers = {"origin": "http://localhost"}
    for pages in ladders:
        pages.now = shown_ladder(pages.ladder)
    with (
        pytest.MonkeyPatch.context() as patch,
        TestClient(
            app, base_url="http://localhost", headers=headers, follow_redirects=False
        ) as client,
    ):
        patch.setattr(ladder_service, "FRESH", 1e9)  # no page waits for a table
        manager = app.state.context.match_manager
        running, suspended = (challenge(manager).plan.number for _ in range(2))
        manager.match(suspended).stop()
        manager.match(suspended).join(100)
        keys = {number: manager.records.seat_keys(number).owner for number in (running, suspended)}
        yield Site(client, known, running, suspended, keys)
        manager.close()


def status(site: Site, visitor: str, route: str) -> int:
    """Return the status of the answer to a visitor's request."""
    method, path = route.split()
    number = {"wish": site.running, "go-on": site.suspended}.get(path.rpartition("/")[2], "1")
    for name, value in {**FILLED, "{number}": number}.items():
        path = path.replace(name, value)
    key = site.keys.get(number, "") if SEAT in HAVE[visitor] else ""
    sent: dict = {"params": {"key": key} if key else {}}
    if path.endswith("/wish"):
        sent = {"json": {"kind": "name", "value": "Ann", "key": key}}
    elif path == "/mine":
        sent = {"json": []}
    token = site.tokens.get(visitor)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return site.client.request(method, path, headers=headers, **sent).status_code


def expected(visitor: str, rights: tuple[str, ...]) -> int | None:
    """Return the status of a refusal; None if the visitor has the rights."""
    have = HAVE[visitor]
    if set(rights) <= set(have):
        return None
    is_elsewhere = UPLOAD in rights and "another ladder" in visitor and rights[0] in (*have, UPLOAD)
    return 403 if rights[0] in have or is_elsewhere else 401


@pytest.mark.every_case
@pytest.mark.parametrize(("route", "rights"), ROWS)
def test_a_route_is_open_to_those_who_have_its_rights(site, route, rights) -> None:
    found = {visitor: status(site, visitor, route) for visitor in HAVE}
    assert 500 not in found.values()
    refused = {one: code if code in (401, 403) else None for one, code in found.items()}
    assert refused == {visitor: expected(visitor, rights) for visitor in HAVE}


QUESTION = {"step": 0, "player": None}


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("method", "path", "sent", "code"),
    [
        ("POST", "/match/20260101-0123456789/go-on", None, 404),
        ("POST", "/match/none/go-on", None, 404),
        ("POST", "/replay/here/none/thoughts", QUESTION, 404),
        ("POST", "/replay/file/none/thoughts", QUESTION, 404),
        ("POST", "/replay/store/1/thoughts", QUESTION, 404),
        ("POST", "/replay/ladder-none/1/thoughts", QUESTION, 404),
        ("POST", "/ladders/none/players/x.py", None, 404),
        ("POST", "/tournaments/9/stop", None, 404),
        ("POST", "/tournaments/9/go-on", None, 404),
        ("GET", "/tournaments/9", None, 404),
        ("GET", "/boards/none", None, 404),
        ("GET", "/games/hex/set-up/board?board.own=none", None, 404),
        ("GET", "/games/hex/picture.svg?board.own=none", None, 404),
        ("POST", "/open", None, 400),
        ("GET", "/boards/pattern?family=square&width=x", None, 400),
        ("GET", "/games/hex/picture.svg?seed=x", None, 400),
    ],
)
def test_what_does_not_exist_is_404_and_what_is_wrong_400(site, method, path, sent, code) -> None:
    headers = {"authorization": f"Bearer {site.tokens['operator']}"}
    assert site.client.request(method, path, headers=headers, json=sent).status_code == code


def test_a_match_that_has_ended_is_409_and_a_damaged_record_500(site) -> None:
    """The request is right; what is wrong is the time, or a file of the server."""
    manager = site.client.app.state.context.match_manager
    number, keys = manager.records.new([], [], {})
    path = manager.records.path(number)
    play_match(make("flood", board="square:3"), ["random", "random"], record=path)
    headers = {"authorization": f"Bearer {site.tokens['operator']}"}

    def answers():
        go_on = site.client.post(f"/match/{number}/go-on?key={keys.owner}", headers=headers)
        story = site.client.get(f"/replay/here/{number}/story", headers=headers)
        return go_on.status_code, story.status_code

    assert answers() == (409, 200)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b'{"ply":0,"seat":0,"move":"no color"}\n', *lines[1:]]))
    assert answers() == (500, 500)
    path.unlink()


def test_each_route_has_its_rights() -> None:
    known = {
        f"{method} {route.path}"
        for route in routes()
        for method in (route.methods or {"GET"}) - {"HEAD"}
    }
    entered = {"GET /enter", "POST /enter"}  # which no handler answers
    assert known | entered == {route for route, _ in ROWS}
    assert len(ROWS) == len(known | entered)


YES, NO = "yes", ""

BY_ROLE = {
    "see matches, records, tournaments, ladders": "GET /ladders",
    "begin games, go on with them, open records": "POST /boards",
    "upload players to ladders": "POST /ladders/{ladder}/players/{player:path}",
    "start, stop and continue tournaments": "POST /tournaments/{number:number}/stop",
}
"""What roles may do, each with a request for it."""

ROLES = {
    "no token": "nobody",
    "`look`": "spectator",
    "`play`": "player",
    "`upload`": "uploader",
    "`operate`": "operator",
}

OWN, TEAM, OTHERS = "your own", "your team's", "others'"


def table(heads, rows) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] + [":---:"] * (len(heads) - 1), *rows]
    cells = ["".join(f" {cell} |" if cell else " |" for cell in line) for line in lines]
    return "".join(f"|{line}\n" for line in cells)


def test_the_documentation_has_the_table_of_roles(site) -> None:
    """Each cell is the answer to a request."""
    rows = [
        [what, *(NO if status(site, who, route) in (401, 403) else YES for who in ROLES.values())]
        for what, route in BY_ROLE.items()
    ]
    assert table(["with", *ROLES], rows) in PAGE


def test_the_documentation_has_the_table_of_what_people_do_with_players(tmp_path) -> None:
    """Each cell is the answer to a request, by role and by whose player it is."""
    ladder = ladder_in(tmp_path)
    for name in ("ann.py", "red.py", "eve.py"):
        put(ladder, name, 1)
    run(ladder, 6)
    listed = tmp_path / "s.csv"
    listed.write_text(
        "name,role,team,players\nAnn,upload,Red,ann.py\nBob,upload,Red,\n"
        "Eve,upload,,eve.py\nTom,operate,,\nLo,look,Red,\n"
    )
    tokens = {new.person.name: new.token for new in add_people(ladder.folder, listed)}
    ladder.folder.owners.write_text('{"red.py": "team Red"}')
    for name in ("ann.py", "red.py", "eve.py"):
        ladder.folder.write_report(name, "SECRET")
    pages = LadderPages(ladder, Level.BASIC)
    app = application(
        tmp_path / "games",
        str(tmp_path / "s.db"),
        ladders=[pages],
        tokens=Tokens(Role.NOTHING),
        rates=UNLIMITED,
    )
    columns = {
        f"`upload`, {OWN}": ("Ann", "ann.py"),
        f"`upload`, {TEAM}": ("Ann", "red.py"),
        f"`upload`, {OTHERS}": ("Ann", "eve.py"),
        f"`look`, {TEAM}": ("Lo", "red.py"),
        "`operate`, any": ("Tom", "eve.py"),
    }
    actions = {
        "see its rank, games and replays": ("GET", "", b""),
        "read what its author wrote": ("GET", "", b""),
        "upload its next version": ("POST", "?anyway=1", b"def choose(position):\n    return 0\n"),
        "suspend and reinstate it": ("POST", "/suspend", b"why"),
        "withdraw it": ("DELETE", "", b""),
    }
    with TestClient(app, base_url="http://localhost", headers={"origin": "http://localhost"}) as c:

        def may(what, who, player):
            method, path, data = actions[what]
            if method == "DELETE":
                put(ladder, player, 1)  # it may be withdrawn already
            headers = {"authorization": f"Bearer {tokens[who]}"}
            url = f"/ladders/{ladder.folder.name}/players/{player}{path}"
            answer = c.request(method, url, headers=headers, content=data or None)
            assert answer.status_code in (200, 401, 403), answer.text
            is_private = what.startswith("read")
            return answer.status_code == 200 and (not is_private or "SECRET" in answer.text)

        rows = [
            [what, *(YES if may(what, *column) else NO for column in columns.values())]
            for what in actions
        ]
    assert table(["a player", *columns], rows) in PAGE
