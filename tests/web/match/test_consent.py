"""Games between people over HTTP: what one of them gets only if the others agree, and clocks."""

from __future__ import annotations

import time

import httpx2 as httpx
import pytest

from tests.web.person import PATIENCE, Looker, Person, begun, suspend

pytestmark = pytest.mark.slow


@pytest.fixture
def two(server):
    """Two people at their pages, after three moves of Hex: the second one is to move."""
    address = server[0]
    number, key, guest = begun(address)
    first, second = Person(address, number, key), Person(address, number, guest)
    for ply, text in enumerate(("a1", "b2", "c3")):
        (first, second)[ply % 2].play(text, ply)
    second.until("ask", 2)
    yield first, second
    suspend(server, number)


@pytest.mark.parametrize(("kind", "value"), [("undo", None), ("type", " undo")])
def test_one_side_gets_nothing_without_the_other(two, kind, value) -> None:
    first, second = two
    asked = second.send(kind, value, 3)
    assert asked.status_code == 200
    assert list(asked.json()) == ["proposal"]  # neither a move nor anything else
    number = asked.json()["proposal"]
    shown = first.until("proposal")["proposal"]
    assert shown == {"number": number, "kind": "undo", "seat": 1, "missing": [0]}
    for forged in (number, number + 1, 0, -1):
        assert second.send("accept", forged, 3).status_code == 409
    assert first.send("accept", number + 1, 3).status_code == 409
    keyless = {"kind": "accept", "value": number}
    answer = httpx.post(f"{first.match}/wish", json=keyless, headers=first.headers)
    assert answer.status_code == 403
    assert second.send(kind, value, 3).status_code == 409  # it waits for the answer
    assert first.send("decline", number, 3).status_code == 200
    told = {"type": "settled", "kind": "undo", "seat": 1, "how": "declined"}
    assert second.until("settled") == first.until("settled") == told
    again = second.send(kind, value, 3)
    assert again.status_code == 409
    assert "declined" in again.json()["error"]
    assert first.moves() == 3
    for each in two:
        assert not any(each.all(wrong) for wrong in ("back", "end"))
    assert second.send("type", "a2", 3).status_code == 200  # and the game goes on


@pytest.mark.parametrize("typed", ["Hint", " quit"])
def test_there_are_neither_hints_nor_pauses_in_a_game_between_people(two, typed) -> None:
    kind = {"Hint": "hint", " quit": "stop"}[typed]
    for each in two:
        for refused in (each.send("type", typed, 3), each.send(kind, None, 3)):
            assert (refused.status_code, list(refused.json())) == (409, ["error"])
        assert not each.all("proposal")
    assert two[1].send("type", "a2", 3).status_code == 200  # and the game goes on


def test_a_move_is_taken_back_when_the_other_agrees_and_each_time_anew(two) -> None:
    first, second = two
    number = second.send("undo", None, 3).json()["proposal"]
    assert first.send("accept", number).status_code == 200
    second.until("back")
    second.until("ask", 3)
    assert first.moves() == 1
    assert first.send("accept", number).status_code == 409
    assert second.send("undo", None, 1).status_code == 409  # it has no move left to take back
    second.send("type", "c1", 1)
    first.until("ask", 3)
    assert first.send("undo", None, 2).json() == {"proposal": number + 1}
    assert first.moves() == 2


def test_a_person_resigns_while_the_other_is_to_move(two) -> None:
    first, _ = two
    assert first.send("resign", None, 3).json() == {}
    for each in two:
        status = each.until("end")["status"]
        assert status["state"] == "over"
        assert status["ranks"] == [2, 1]
    assert first.send("resign", None, 3).status_code == 409


def test_a_proposal_lapses_with_the_move_and_its_answer_counts_for_no_other(two) -> None:
    first, second = two
    old = second.send("undo", None, 3).json()["proposal"]
    assert second.send("type", "a2", 3).status_code == 200
    lapsed = {"type": "settled", "kind": "undo", "seat": 1, "how": "lapsed"}
    assert first.until("settled") == lapsed
    refused = first.send("accept", old)
    assert (refused.status_code, list(refused.json())) == (409, ["error"])
    first.until("ask", 3)
    assert first.send("type", "b1", 4).status_code == 200
    second.until("ask", 3)
    new = second.send("undo", None, 5).json()["proposal"]
    assert new != old
    assert first.send("accept", old).status_code == 409
    assert first.moves() == 5


def test_who_has_just_moved_can_ask_to_take_that_move_back(two) -> None:
    first, second = two
    assert first.send("undo", None, 2).status_code == 409  # of another position
    number = first.send("undo", None, 3).json()["proposal"]
    shown = second.until("proposal")["proposal"]
    assert shown == {"number": number, "kind": "undo", "seat": 0, "missing": [1]}
    assert first.send("accept", number).status_code == 409
    assert second.send("undo", None, 3).status_code == 409  # first it answers
    assert second.send("accept", number).status_code == 200
    first.until("back")
    first.until("ask", 3)
    assert first.moves() == 2  # its move alone
    assert first.send("type", "c2", 2).status_code == 200


def test_a_proposal_is_withdrawn_by_its_author_once(two) -> None:
    first, second = two
    number = second.send("undo", None, 3).json()["proposal"]
    first.until("proposal")
    assert second.send("decline", number, 3).status_code == 200
    told = {"type": "settled", "kind": "undo", "seat": 1, "how": "withdrawn"}
    assert first.until("settled") == told
    assert first.send("accept", number).status_code == 409
    assert second.send("undo", None, 3).status_code == 409
    assert second.all("back") == []


def test_strategies_advise_nobody_about_a_game_that_people_play(two) -> None:
    first, second = two
    address = first.match.replace("/match/", "/replay/here/") + "/thoughts"

    def ask(player):
        sent = {"step": 3, "player": player}
        return httpx.post(address, json=sent, headers=first.headers, timeout=PATIENCE)

    for asked in (ask("mcts"), ask(None)):
        assert (asked.status_code, list(asked.json())) == (403, ["error"])
    assert second.send("resign", None, 3).status_code == 200
    second.until("end")
    assert ask("mcts").status_code == 200


def test_clocks_begin_when_the_page_of_every_person_is_connected(server) -> None:
    address = server[0]
    number, key, guest = begun(address, clock="10m+0s")
    first = Person(address, number, key)
    said = first.until("said")["text"] if not first.all("whole")[0]["status"].get("text") else ""
    time.sleep(1)
    status = Looker(first.match).whole["status"]
    assert status["state"] == "waiting"
    assert "player 2" in status["text"]
    assert said in ("", status["text"])
    assert first.send("type", "a1").status_code == 409
    assert not first.all("begun")
    connects = time.monotonic()
    second = Person(address, number, guest)
    first.until("begun")
    first.play("a1", 0)
    spent = 600 - second.until("move")["now"]["seats"][0]["left"]
    assert 0 < spent < time.monotonic() - connects + 0.001  # a page shows milliseconds
    suspend(server, number)


def test_who_waits_alone_can_lay_the_game_aside_and_go_on(server) -> None:
    address = server[0]
    number, key, guest = begun(address, clock="30s")
    first = Person(address, number, key)
    assert first.send("stop").status_code == 200
    assert first.until("end")["status"]["state"] == "suspended"
    again = httpx.post(f"{first.match}/go-on", params={"key": guest}, headers=first.headers)
    assert again.status_code == 303
    both = Person(address, number, key), Person(address, number, guest)
    both[0].until("ask")
    suspend(server, number)
