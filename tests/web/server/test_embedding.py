"""Games within the pages of other sites: only where the operator allows it, on a slim page."""

import pytest
from starlette.testclient import TestClient

from ludograph import make, play_match
from ludograph.web.app import application
from tests.web.conftest import NUMBER, record_path

pytestmark = pytest.mark.slow

SITE = "https://course.example"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("embedded")
    play_match(
        make("hex", size=3, pie=False), ["random", "random"], record=made / f"{NUMBER}.jsonl"
    )
    return made


def headers_of(folder, path, **options):
    with TestClient(application(folder, **options), base_url="http://localhost") as client:
        answer = client.get(path, headers={"accept": "text/html"})
    assert answer.status_code == 200
    policy = dict(
        part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
    )
    return policy, answer


def test_only_slim_pages_are_shown_by_the_sites_that_are_named(folder) -> None:
    allowed = {"embedders": (SITE, "http://other.example:8080")}
    policy, answer = headers_of(folder, f"/embed/here/{NUMBER}", **allowed)
    assert policy["frame-ancestors"] == f"{SITE} http://other.example:8080"
    assert policy["script-src"] == "'self'"
    assert "x-frame-options" not in answer.headers
    assert "<nav" not in answer.text
    policy, answer = headers_of(folder, f"/replay/here/{NUMBER}", **allowed)
    assert policy["frame-ancestors"] == "'none'"
    assert answer.headers["x-frame-options"] == "DENY"
    assert "<nav" in answer.text


def test_without_the_option_no_site_shows_any_page(folder) -> None:
    policy, answer = headers_of(folder, f"/embed/here/{NUMBER}")
    assert policy["frame-ancestors"] == "'none'"
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_game_within_a_page_is_stepped_through_and_leads_to_its_own_page(page, server, folder):
    record_path(server).write_bytes((folder / f"{NUMBER}.jsonl").read_bytes())
    page.goto(f"/embed/here/{NUMBER}#1")
    page.wait_for_selector("#replay[data-shown='1']")
    assert (
        page.locator("header, #ask:visible, #variations:visible, #evaluation:visible").count() == 0
    )
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#replay[data-shown='2']")
    whole = page.get_by_role("link", name="Analyze it")
    assert whole.get_attribute("href") == f"/replay/here/{NUMBER}#2"
