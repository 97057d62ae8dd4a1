"""A rematch: it begins when all want it, on exchanged seats, and each person gets its own key."""

from __future__ import annotations

import re

import httpx2 as httpx
import pytest

from tests.web.person import PATIENCE, Looker, Person, begun, suspend

pytestmark = pytest.mark.slow


@pytest.fixture
def over(server):
    """Two people, and a spectator's page, after a game that the first has resigned."""
    address = server[0]
    number, key, guest = begun(address)
    first, second = Person(address, number, key), Person(address, number, guest)
    spectator = Person(address, number, "")
    first.until("ask")
    assert first.send("resign").status_code == 200
    for each in (first, second, spectator):
        assert each.until("end")["status"]["state"] == "over"
    yield first, second, spectator
    for match in server[1].match_manager.running():
        match.stop()
        match.join(PATIENCE)


def test_both_want_it_and_exchange_their_seats(over, server) -> None:
    first, second, spectator = over
    number = second.send("rematch").json()["proposal"]
    assert first.until("proposal")["proposal"]["kind"] == "rematch"
    assert Looker(first.match).whole["proposal"]["number"] == number  # who comes back sees it
    assert first.send("accept", number).status_code == 200
    found = [each.until("rematch") for each in over]
    assert len({each["number"] for each in found}) == 1
    keys = [each["key"] for each in found]
    assert keys[2] == ""  # a spectator has no seat
    assert not {first.key, second.key} & set(keys)
    again = server[1].match_manager.match(found[0]["number"])
    assert [again.seats_of(key) for key in keys[:2]] == [{1}, {0}]
    assert server[1].match_manager.records.seat_keys(again.plan.number).owner == keys[0]
    assert first.send("rematch").status_code == 409  # there is one already
    assert Looker(first.match).whole["rematch"] == {"number": again.plan.number, "key": ""}
    address = first.match.partition("/match/")[0]
    both = [Person(address, again.plan.number, key) for key in keys[:2]]
    both[1].play("a1", 0)
    assert both[0].until("move")["move"]["seat"] == 0
    assert spectator.all("rematch")[0]["number"] == again.plan.number


def test_nobody_gets_it_alone(over) -> None:
    first, second, spectator = over
    assert spectator.send("rematch").status_code == 403
    number = first.send("rematch").json()["proposal"]
    for forged in (number, number + 1, number - 1, 0):
        assert first.send("accept", forged).status_code == 409
    assert second.send("accept", number - 1).status_code == 409
    assert spectator.send("accept", number).status_code == 403
    for kind in ("undo", "hint", "resign"):
        assert second.send(kind).status_code == 409  # the game is over
    assert second.send("decline", number).status_code == 200
    assert first.until("settled")["how"] == "declined"
    assert first.send("rematch").status_code == 409
    assert second.send("rematch").status_code == 200  # the other one may want it after all
    assert not any(each.all("rematch") for each in over)


def test_without_room_it_does_not_begin_and_can_be_proposed_again(over, server) -> None:
    first, second, _ = over
    manager = server[1].match_manager
    most, manager.most = manager.most, 0
    try:
        number = second.send("rematch").json()["proposal"]
        assert first.send("accept", number).status_code == 429
        assert "no rematch" in second.until("said")["text"]
    finally:
        manager.most = most
    number = second.send("rematch").json()["proposal"]
    assert first.send("accept", number).status_code == 200
    first.until("rematch")


def test_the_page_offers_it_to_people_and_another_game_to_others(server) -> None:
    address = server[0]
    number, key, guest = begun(address)
    for own in (key, guest):
        page = httpx.get(f"{address}/match/{number}?key={own}", timeout=PATIENCE).text
        assert re.search(r'id="rematch"', page)
        assert "Play again" not in page
    assert 'id="rematch"' not in httpx.get(f"{address}/match/{number}", timeout=PATIENCE).text
    suspend(server, number)
