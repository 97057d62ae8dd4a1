"""Games that only people with a link find: no list shows them, and their people find them again."""

import pytest

from tests.web.board import ASKED_OR_OVER, begin, choose

pytestmark = pytest.mark.slow

BETWEEN_PEOPLE = {
    "player0": "human",
    "player1": "guest",
    "board": "hexagonal",
    "board.width": "3",
}


@pytest.fixture
def site(client):
    """A client, and the manager of its matches."""
    manager = client.app.state.context.match_manager
    yield client, manager
    manager.close()


def begun(client, **more):
    """Begin a game of Hex; return its number and the key of the first seat."""
    answer = client.post("/games/hex", data=BETWEEN_PEOPLE | more, follow_redirects=False)
    number, _, key = answer.headers["location"].removeprefix("/match/").partition("?key=")
    return number, key


def test_a_game_between_people_is_found_by_their_keys_only(site) -> None:
    client, manager = site
    number, key = begun(client)
    other = manager.match(number).plan.keys[1]
    manager.match(number).name_person([0], "Quill")

    def mine(*keys):
        return client.post("/mine", json=[[number, each] for each in keys]).text

    assert number not in client.get("/").text
    assert f"/match/{number}?key={key}" in mine("wrong", key)
    assert "3 × 3 hexagons" in mine(key)
    assert 'data-own="1"' in mine(other)
    assert number not in mine("wrong", "")
    assert " hidden" in mine("wrong")
    manager.match(number).stop()
    manager.match(number).join(30)
    assert number not in client.get("/").text
    assert f"/match/{number}?key={key}" in mine(key)
    assert number not in client.get("/puzzles").text


def test_a_listed_game_is_on_the_first_page(site) -> None:
    client, manager = site
    number, key = begun(client, listed="true")
    assert number in client.get("/").text  # its owner is not here yet: it is played, no challenge
    assert key not in client.get("/").text
    manager.match(number).stop()
    manager.match(number).join(30)
    assert number in client.get("/").text


@pytest.mark.parametrize("sent", [b"", b"{}", b'[["a"]]', b'[["a", 3]]', b"[" * 5000])
def test_what_is_no_list_of_keys_is_refused(site, sent) -> None:
    client, _ = site
    answer = client.post("/mine", content=sent)
    assert answer.status_code == 400
    assert answer.json().keys() == {"error"}


def test_numbers_from_outside_lead_to_no_file(site, tmp_path) -> None:
    client, _ = site
    (tmp_path / "secret.keys.json").write_text('{"keys": ["k"], "form": {}}')
    assert "secret" not in client.post("/mine", json=[["../secret", "k"]]).text


def test_the_first_page_shows_own_games_above_all_others(page) -> None:
    begin(page, "hex", board_width="3", player1="random", seed="1")
    choose(page)
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    page.goto("/")
    page.get_by_role("heading", name="Your games").wait_for()
    item = page.locator("#mine li")
    assert item.locator("strong").inner_text() == "You – random"
    assert item.locator(".end").inner_text() == "Your move"
    assert page.get_by_role("heading", name="Played now").count() == 0
    item.locator("a").click()
    page.wait_for_function(ASKED_OR_OVER, polling=100)
