"""Boards of visitors: drawn on a page or brought as files, and played on."""

import json

import pytest
from starlette.testclient import TestClient

from ludograph import boards, make, play_match
from ludograph.errors import InvalidInput
from ludograph.web import limits
from ludograph.web.app import application
from ludograph.web.uploaded_boards import editable
from tests.amounts import slow_but
from tests.web.board import moves, play_on

ORIGIN = {"origin": "http://localhost"}
SQUARE = {"positions": [[0, 0], [1, 0], [1, 1], [0, 1]], "edges": [[0, 1], [1, 2], [2, 3], [3, 0]]}
GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"/><edge source="b" target="c"/>
</graph></graphml>"""


@pytest.fixture
def client(tmp_path):
    app = application(tmp_path / "games", str(tmp_path / "store.db"))
    with TestClient(app, base_url="http://localhost", headers=ORIGIN) as found:
        yield found


@pytest.mark.slow
def test_a_board_is_drawn_and_games_say_whether_they_take_it(page) -> None:
    page.goto("/boards/new")
    canvas = page.locator("#canvas")
    places = [(100, 100), (300, 100), (500, 100), (100, 300), (300, 300), (500, 300)]
    for x, y in places:
        canvas.click(position={"x": x, "y": y})
    for one, other in ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)):
        for end in (one, other):
            x, y = places[end]
            canvas.click(position={"x": x, "y": y})
    assert len(page.locator("#points").input_value().splitlines()) == 6
    assert len(page.locator("#lines").input_value().splitlines()) == 7
    page.get_by_label("Name of the board").fill("Old <b>town</b>")
    page.get_by_role("button", name="Play on it").click()
    assert "not on this one" in page.locator("li", has_text="Hex").inner_text()
    page.get_by_role("link", name="Play Flood").click()
    page.locator("#player1").select_option("greedy")
    page.locator("#colors").fill("3")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#board svg")
    play_on(page)
    assert moves(page)
    assert "Old <b>town</b>" in page.locator("#match").inner_text()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="change the board").click()
    editor = opened.value
    assert editor.get_by_label("Name of the board").input_value() == "Old <b>town</b>"
    assert len(editor.locator(".vertex").all()) == 6
    assert len(editor.locator(".edge").all()) == 7
    editor.get_by_label("Name of the board").fill("New town")
    editor.locator("#canvas").click(position={"x": 100, "y": 100})
    editor.locator("#canvas").click(position={"x": 100, "y": 200})  # a seventh one
    editor.get_by_role("button", name="Play on it").click()
    editor.get_by_text("7 vertices, 8 edges").wait_for()
    editor.get_by_role("link", name="Draw another one").click()
    editor.locator("#drawings").wait_for()
    assert editor.locator("#drawings button").all_inner_texts() == ["New town", "Old <b>town</b>"]
    editor.locator("#drawings button").nth(1).click()
    assert len(editor.locator(".vertex").all()) == 6


def test_files_are_brought(client) -> None:
    files = {
        "town.graphml": GRAPHML,
        "path.txt": "0 1\n1 2\n",
        "board.json": json.dumps(boards.to_data(make("hex", size=3).board)),
    }
    for name, text in files.items():
        answer = client.post(f"/boards?name={name}", content=text)
        shown = client.get(answer.json()["url"]).text
        assert "Play Flood" in shown
    assert "Play Hex" in shown
    picture = client.get(answer.json()["url"] + "/picture.svg")
    assert picture.text.startswith("<svg")


def test_boards_have_names_that_visitors_give(client) -> None:
    def shown(query: str, content: str) -> str:
        return client.get(client.post(f"/boards{query}", content=content).json()["url"]).text

    assert "<h1>drawing</h1>" in shown("", json.dumps(SQUARE))
    named = json.dumps(SQUARE | {"name": "  A  <i>square</i> "})
    assert "<h1>A &lt;i&gt;square&lt;/i&gt;</h1>" in shown("", named)
    assert "<h1>path</h1>" in shown("?name=path.txt", "0 1\n1 2\n")
    assert "<h1>My path</h1>" in shown("?name=path.txt&called=My+path", "0 1\n1 2\n")
    own = json.dumps(boards.to_data(boards.hatched(6)))
    assert "<h1>hatched 6x6</h1>" in shown("?name=x.json", own)
    assert "<h1>Mine</h1>" in shown("?name=x.json&called=Mine", own)


def test_a_board_comes_back_into_the_editor(client) -> None:
    marked = SQUARE | {"marks": {"black": [1, 2]}, "name": "Ring"}
    url = client.post("/boards", content=json.dumps(marked)).json()["url"]
    number = url.rpartition("/")[2]
    text = client.get(f"/boards/new?like={number}").text
    assert "0 0\n100 0 black\n100 100 black\n0 100</textarea>" in text
    assert "0 1\n0 3\n1 2\n2 3</textarea>" in text
    assert 'value="Ring"' in text
    assert client.get("/boards/new?like=none").status_code == 404


def test_a_board_from_elsewhere_fits_into_the_editor() -> None:
    for board in (boards.hatched(21), boards.from_edges(2, [(0, 1)])):
        text = editable(board)
        points = [[float(each) for each in row.split()] for row in text.points.split("\n")]
        assert all(0 <= x <= 1000 and 0 <= y <= 700 for x, y in points)
        assert len(set(map(tuple, points))) == board.n
    with pytest.raises(InvalidInput, match="too large for the editor"):
        editable(boards.square(40))


NO_BOARDS = [
    ("", b"{}", "no drawing"),
    ("x.py", b"print()", "ends with"),
    ("x.graphml", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "the file"),
]
MORE = [
    ("", json.dumps(SQUARE | {"edges": [[0, 9]]}), "9"),
    ("", json.dumps(SQUARE | {"edges": [[0, 1], [2, 3]]}), "connected"),
    ("", json.dumps(SQUARE | {"positions": [[1e300, 0]]}), "no drawing"),
    ("../../x.json", b"[]", "the file"),
    ("", json.dumps(SQUARE | {"name": "x" * 41}), "40 characters"),
    ("", json.dumps(SQUARE | {"name": "x\u202ey"}), "cannot be printed"),
    ("x.txt", "0 1\n" + "".join(f"{n} {n + 1}\n" for n in range(1, 10_002)), "too many"),
]


@pytest.mark.parametrize(("name", "content", "told"), slow_but(NO_BOARDS, NO_BOARDS + MORE))
def test_what_is_no_board_is_refused_with_a_sentence(client, name, content, told) -> None:
    answer = client.post(f"/boards?name={name}", content=content)
    assert answer.status_code == 400
    assert told in answer.json()["error"]
    assert "/tmp" not in answer.json()["error"]


def test_a_dense_graph_is_shown_and_so_is_a_record_on_one(client, tmp_path) -> None:
    edges = [(u, v) for v in range(80) for u in range(v)]
    text = "".join(f"{u} {v}\n" for u, v in edges)
    url = client.post("/boards?name=dense.txt", content=text).json()["url"]
    assert "80 vertices, 3160 edges" in client.get(url).text
    assert client.get(f"{url}/picture.svg").text.startswith("<svg")
    path = tmp_path / "dense.jsonl"
    play_match(make("flood", boards.from_edges(80, edges)), ["random", "random"], record=path)
    header, _, moves = path.read_text().partition("\n")
    bare = json.loads(header)
    for part in ("positions", "outlines"):
        del bare["board"][part]
    sent = f"{json.dumps(bare)}\n{moves}"
    opened = client.post("/open", content=sent).json()["url"]
    story = client.get(f"{opened}/story")
    assert story.status_code == 200  # within the deadline
    assert story.json()["board"]["cells"] == 80


def test_what_is_kept_is_bounded(client) -> None:
    url = client.post("/boards", content=json.dumps(SQUARE)).json()["url"]
    assert client.get(url).status_code == 200
    for size in range(3, 3 + limits.OPENED):
        line = "".join(f"{n} {n + 1}\n" for n in range(size))
        client.post("/boards?name=x.txt", content=line).raise_for_status()
    assert client.get(url).status_code == 404
    number = url.rpartition("/")[2]
    assert "not kept any more" in client.get(f"/games/flood?on={number}").text
    form = {"player1": "random", "board.own": number}
    assert client.post("/games/flood", data=form).status_code == 404
