"""Boards of visitors: drawn on a page or brought as files, and played on."""

import html
import json
import re

import pytest

from ludograph import boards, make, play_match
from ludograph.errors import InvalidInput
from ludograph.games.registry import declaration, names
from ludograph.web.boards.uploaded_boards import editable
from ludograph.web.server import limits
from tests.amounts import slow_but
from tests.web.board import ASKED_OR_OVER, choose, moves, open_menu, play_on

pytestmark = pytest.mark.slow

SQUARE = {"positions": [[0, 0], [1, 0], [1, 1], [0, 1]], "edges": [[0, 1], [1, 2], [2, 3], [3, 0]]}
GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"/><edge source="b" target="c"/>
</graph></graphml>"""


def test_a_board_is_drawn_and_games_say_whether_they_take_it(page) -> None:
    page.goto("/boards/new")
    page.get_by_role("button", name="Clear").click()
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
    refused = page.locator("li", has_text="Hex")
    refused.wait_for()
    assert refused.get_by_role("link").count() == 0
    page.get_by_role("link", name="Play Flood").click()
    page.locator("#player1").select_option("greedy")
    page.locator("#colors").fill("3")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#board svg")
    play_on(page)
    assert moves(page)
    open_menu(page)
    assert "Old <b>town</b>" in page.locator("#match").inner_text()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="change the board").click()
    editor = opened.value
    name = editor.get_by_label("Name of the board")
    assert name.input_value() == "Old <b>town</b>"
    editor.locator(".vertex").first.wait_for()
    assert drawn_in(editor) == (6, 7)
    name.fill("New town")
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
    with pytest.raises(InvalidInput, match=f" {limits.EDITED_VERTICES} "):
        editable(boards.square(40))


def test_a_pattern_comes_into_the_middle_of_the_editor(client) -> None:
    def pattern(**asked):
        return client.get("/boards/pattern", params=asked)

    drawn = pattern(family="square", width="2", height="3").json()
    points, lines = drawn["points"], drawn["lines"]
    assert len(lines.split("\n")) == 7
    places = [[float(each) for each in row.split()] for row in points.split("\n")]
    assert [sum(each) / 6 for each in zip(*places, strict=True)] == pytest.approx([500, 350])
    for wrong in ({"width": "0"}, {"width": "x"}, {"width": "200"}, {"family": "moon"}):
        assert pattern(**{"family": "square", "width": "3"} | wrong).status_code == 400


def test_pages_say_what_marks_mean(client) -> None:
    editor = client.get("/boards/new").text
    assert '<button type="button" data-mark="white" aria-label="Mark as white">' in editor
    for name in names():
        needs = declaration(name).help.own_boards
        assert not needs or html.escape(needs, quote=False) in html.unescape(editor)
    marked = SQUARE | {"marks": {"black": [0, 2], "white": [1, 2]}}
    url = client.post("/boards", content=json.dumps(marked)).json()["url"]
    shown = client.get(url).text
    assert re.search(r'fill="#2a2a31"/></svg>marked black: 2', shown)
    assert re.search(r'fill="#ffffff"/></svg>marked white: 2', shown)
    assert re.search("vertex 2 .*black and white", shown)
    assert "#2a2a31" in client.get(f"{url}/picture.svg").text


def drawn_in(page):
    return len(page.locator(".vertex").all()), len(page.locator(".edge").all())


def test_a_drawing_is_undone_kept_and_offered_again(page) -> None:
    page.goto("/boards/new")
    assert drawn_in(page)[0] > 5  # an example
    page.get_by_label("Width", exact=True).fill("3")
    page.get_by_role("button", name="Draw them").click()
    page.wait_for_function("() => document.querySelectorAll('.vertex').length === 9")
    page.get_by_role("button", name="Undo").click()
    assert drawn_in(page)[0] != 9
    page.get_by_role("button", name="Clear").click()
    canvas = page.locator("#canvas")
    page.get_by_role("button", name="Grid").click()
    page.get_by_role("button", name="Chain").click()
    for x, y in ((100, 100), (203, 101), (300, 100), (100, 100)):
        canvas.click(position={"x": x, "y": y})
    assert drawn_in(page) == (3, 3)
    spots = [line.split() for line in page.locator("#points").input_value().splitlines()]
    assert all(float(each) % 50 == 0 for spot in spots for each in spot)
    page.get_by_role("button", name="Mark as white").click()
    canvas.click(position={"x": 100, "y": 100})
    assert page.locator(".vertex.marked").count() == 1
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert drawn_in(page) == (3, 2)
    page.get_by_role("button", name="Clear").click()
    assert drawn_in(page) == (0, 0)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Undo").click()
    assert drawn_in(page) == (3, 2)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto("/boards/new")
    assert asked == ["beforeunload"]
    assert drawn_in(page) == (3, 2)  # what was not finished
    page.get_by_role("button", name="Play on it").click()
    page.get_by_text("3 vertices, 2 edges").wait_for()
    page.go_back()
    page.locator(".vertex").first.wait_for()
    assert drawn_in(page) == (3, 2)
    assert asked == ["beforeunload"]


def test_a_game_on_a_drawn_board_has_signs_and_names(page) -> None:
    page.goto("/boards/new")
    page.get_by_label("Begin with").select_option("square")
    page.get_by_label("Width", exact=True).fill("4")
    page.get_by_role("button", name="Draw them").click()
    page.wait_for_function("() => document.querySelectorAll('.vertex').length === 16")
    rows = page.locator("#points").input_value().splitlines()
    marks = ["black" if n < 4 or n > 11 else "white" if n % 4 in (0, 3) else "" for n in range(16)]
    page.locator("#points").fill("\n".join(map("{} {}".format, rows, marks)))
    page.get_by_role("button", name="Play on it").click()
    page.get_by_role("link", name="Play Hex").click()
    page.get_by_text("Mark the vertices of black's two borders").wait_for()
    page.get_by_label("White").select_option("human")
    page.get_by_role("button", name="Start").click()
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    choose(page)
    page.wait_for_selector("#moves li")
    open_menu(page)
    page.get_by_role("button", name="Signs").click()
    signs = page.locator(".labels text").all_text_contents()
    assert {sign: signs.count(sign) for sign in set(signs)} == {"X": 8, "O": 4, "x": 1, ".": 3}
    page.get_by_role("button", name="Names").click()
    assert "v5" in page.locator(".labels .name").all_text_contents()


NO_BOARDS = [
    ("", b"{}", "drawing"),
    ("x.py", b"print()", "ends with"),
    ("x.graphml", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "the file"),
]
MORE = [
    ("", json.dumps(SQUARE | {"edges": [[0, 9]]}), "9"),
    ("", json.dumps(SQUARE | {"edges": [[0, 1], [2, 3]]}), "connected"),
    ("", json.dumps(SQUARE | {"positions": [[1e300, 0]]}), "drawing"),
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
    assert "not kept" in client.get(f"/games/flood?on={number}").text
    form = {"player1": "random", "board.own": number}
    assert client.post("/games/flood", data=form).status_code == 404
