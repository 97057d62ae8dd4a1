"""Positions that visitors set up, without a browser: they are analyzed, or played on."""

import re

import pytest

from ludograph import make
from ludograph.web.boards.position_editor import editable
from tests.web.board import TARGETS

pytestmark = pytest.mark.slow

SMALL = {"board": "hexagonal", "board.width": "3", "player0": "human", "player1": "random"}


def put(client, *stones, play, fields=SMALL):
    """Set stones up by the names of their cells, black and white in turn."""
    told = client.get("/games/hex/set-up/board", params=fields).json()
    cells = {name: cell for cell, name in told["cells"]}
    fills = list(told["picture"]["fills"])
    for number, name in enumerate(stones):
        fills[cells[name]] = told["pieces"][1 + number % 2]
    sent = {"fields": fields, "fills": fills, "play": play}
    return client.post("/games/hex/set-up", json=sent)


def test_a_position_is_set_up_and_analyzed(client) -> None:
    assert 'formaction="/games/hex/set-up"' in client.get("/games/hex").text
    assert client.get("/games/hex/set-up", params=SMALL).status_code == 200
    url = put(client, "b2", "a1", play=False).json()["url"]
    number = re.fullmatch(r"/replay/file/(\S+)#2", url)[1]
    asked = {"step": 2, "player": None}
    told = client.post(f"/replay/file/{number}/thoughts", json=asked).json()
    assert re.fullmatch("Seat 0, .*to move, wins .*", told["text"])


def test_a_position_is_set_up_and_played_on(client) -> None:
    url = put(client, "b2", "a1", play=True).json()["url"]
    number, key = re.fullmatch(r"/match/(\S+)\?key=(\S+)", url).groups()
    match = client.app.state.context.match_manager.match(number)
    assert match.seats_of(key) == {0}
    assert match.plan.start.ply == 0
    assert [match.plan.start.text(played.move) for played in match.plan.options.earlier] == [
        "b2",
        "a1",
    ]


def test_where_no_match_can_be_begun_nothing_is_left_behind(client) -> None:
    match_manager = client.app.state.context.match_manager
    match_manager.most = 0
    assert put(client, "b2", play=True).status_code == 429
    assert list(match_manager.records.folder.iterdir()) == []


def test_what_is_no_position_is_refused(client) -> None:
    answer = put(client, "b2", "b2", play=False)  # a white stone in the place of the black one
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Black begins")
    for fills in ([], [0] * 25, [9] * 25, [-1] * 25):
        sent = {"fields": SMALL, "fills": fills, "play": False}
        assert client.post("/games/hex/set-up", json=sent).status_code == 400
    assert client.post("/games/hex/set-up", content=b"no").status_code == 400
    assert client.get("/games/amazons/set-up").status_code == 404
    assert "Set up" not in client.get("/games/amazons").text
    assert client.get("/games/hex/set-up", params={"board": "x"}).status_code == 400


FILLS = "() => document.querySelector('#board svg').board.state.picture.fills"


def test_the_address_keeps_what_is_put_on_the_board(page) -> None:
    form = "/games/hex/set-up?board=hexagonal&board.width=3"

    def fills_at(address):
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("#arrange[data-ready]")
        return page.evaluate(FILLS)

    begun = fills_at(form)
    page.mouse.click(*page.evaluate(TARGETS)[4])
    page.wait_for_function("() => location.hash")
    changed = page.evaluate(FILLS)
    assert sum(one != other for one, other in zip(begun, changed, strict=True)) == 1
    address = page.url
    assert fills_at(address) == changed
    page.get_by_role("button", name="Start again").click()
    page.wait_for_function("() => !location.hash")
    assert page.evaluate(FILLS) == begun
    assert fills_at(f"{form}#zzz") == begun  # no position of this board


def test_colors_are_those_of_pictures() -> None:
    start = make("flood", width=3, colors=4)
    shown = editable(start)["picture"]["palette"]
    assert [each[1] for each in shown] == [each.rgb for each in start.scene().palette]
