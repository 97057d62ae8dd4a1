"""The home page and the files of pages, which are kept in memory: what changes is shown at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from ludograph import make, play_match
from ludograph.games.registry import OURS, declaration, load
from ludograph.web.app import application
from ludograph.web.games import home_page
from ludograph.web.games.game_pictures import animated, example, kept_picture, small_picture
from ludograph.web.server.prepared_answers import StaticFiles
from tests.processes import wait_until

ORIGIN = {"origin": "http://localhost"}


@pytest.fixture
def site(opened, tmp_path):
    """A client, the folder of records, and the number of times the page was rendered."""
    folder = tmp_path / "games"
    folder.mkdir()
    app = application(folder, str(tmp_path / "store.db"))
    context = app.state.context
    rendered = []
    latest = context.match_manager.latest
    context.match_manager.latest = lambda: rendered.append(1) or latest()
    client = opened(app, headers=ORIGIN)
    yield client, folder, rendered, context
    context.match_manager.close()


@pytest.mark.slow
def test_the_page_is_rendered_once_for_many_requests(site, monkeypatch):
    client, _, rendered, _ = site
    monkeypatch.setattr(home_page, "LONGEST", 1000.0)
    with ThreadPoolExecutor(8) as pool:
        texts = set(pool.map(lambda _: client.get("/").text, range(24)))
    assert len(texts) == 1
    assert len(rendered) == 1


@pytest.mark.slow
def test_the_page_shows_a_new_match_a_new_name_and_the_end_at_once(site, monkeypatch):
    client, _, _, context = site
    monkeypatch.setattr(home_page, "LONGEST", 1000.0)
    assert "Played now" not in client.get("/").text
    form = {"player0": "human", "player1": "random"}
    begun = client.post("/games/hex", data=form, follow_redirects=False).headers["location"]
    number = begun.partition("?")[0].rpartition("/")[2]
    assert "Played now" in client.get("/").text
    match = context.match_manager.match(number)
    match.name_person([0], "Quill")
    assert "Quill" in client.get("/").text
    match.stop()
    match.join(30)
    text = client.get("/").text
    assert "Played now" not in text
    assert number in text  # among the records


@pytest.mark.slow
def test_the_page_shows_records_of_other_programs(site, monkeypatch):
    client, folder, _, _ = site
    monkeypatch.setattr(home_page, "LONGEST", 1000.0)
    client.get("/")
    play_match(make("hex", size=4), ["random", "random"], seed=1, record=folder / "a-game.jsonl")
    assert "a-game" in client.get("/").text
    (folder / "a-game.jsonl").unlink()
    assert "a-game" not in client.get("/").text


@pytest.mark.slow
def test_a_record_that_another_program_writes_on_is_shown_later(site, monkeypatch):
    client, folder, _, _ = site
    monkeypatch.setattr(home_page, "LONGEST", 0.0)
    path = folder / "a-game.jsonl"
    play_match(make("hex", size=4), ["random", "random"], seed=1, record=path)
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    assert "Interrupted" in client.get("/").text
    path.write_text(whole)
    assert "Interrupted" in client.get("/").text  # nobody waits for it
    wait_until(lambda: "Interrupted" not in client.get("/").text)


def test_a_static_file_that_has_changed_is_read_again(tmp_path):
    style = tmp_path / "style.css"
    style.write_text("old " * 1000)
    (tmp_path / "secret.txt").write_text("not for pages")
    files = StaticFiles(tmp_path)
    with TestClient(Starlette(routes=[Route("/{name}", files.file)])) as client:
        first = client.get("/style.css", headers={"accept-encoding": "gzip"})
        assert first.headers["content-encoding"] == "gzip"
        assert first.text == style.read_text()
        known = {"if-none-match": f'"other", {first.headers["etag"]}'}
        same = client.get("/style.css", headers=known)
        assert (same.status_code, same.content) == (304, b"")
        style.write_text("new")
        changed = client.get("/style.css", headers=known)
        assert (changed.status_code, changed.text) == (200, "new")


def test_pictures_of_games_are_files_that_a_busy_server_sends_too(tmp_path, monkeypatch):
    app = application(tmp_path / "games", str(tmp_path / "store.db"))
    client = TestClient(app, base_url="http://localhost")  # whose pools have not been started
    monkeypatch.setattr(app.state.context.pools, "reading", None)
    for game in OURS:
        answer = client.get(f"/games/{game}/picture.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text.startswith("<svg")


@pytest.mark.every_case
@pytest.mark.parametrize("game", OURS)
def test_the_file_of_a_games_picture_is_what_is_drawn_today(game):
    kept = kept_picture(declaration(game).package)
    assert kept.body.decode() == small_picture(game), "scripts/draw-pictures draws it again"


@pytest.mark.parametrize("game", OURS)
def test_small_pictures_count_seats_from_one(game):
    pictures = [small_picture(game)]
    if record := example(declaration(game)):
        pictures.append(animated(record))
    start = load(declaration(game)).position(seed=3)
    scene = start.scene()
    if scene.groups is None or start.seats < 2:
        return
    for text in pictures:
        assert ">2</text>" in text
        assert ">0</text>" not in text
