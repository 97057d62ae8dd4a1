"""Names of people, who is there, and the lobby."""

from __future__ import annotations

import json
import unicodedata

import httpx2 as httpx
import pytest

from ludograph import make
from ludograph.errors import InvalidInput
from ludograph.players import parse_player
from ludograph.web.match.consent import RequestRefused
from ludograph.web.match.match_manager import MatchManager, ServerFull
from ludograph.web.match.seats import OpenSeats
from ludograph.web.match.spectators import Spectator
from ludograph.web.positions.wording import LONGEST, checked_name, folded, unique
from ludograph.web.server.limits import Identity
from tests.web.person import PATIENCE, Looker, Person, begun, suspend


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Jean-Luc",
        "O'Neil",
        "Žofie",
        "李雷",
        "Ann_2",
        "Dr. Who",
        "ﬁona",
        "Ольга Соловьёва",
        "Ольга 2",
        "Мар'яна",
        "Мар\u02bcяна",
        "Γιώργος",
        "Ann Иванова",
        "佐々木 のり子",
        "ローラ",
        "김민준",
        "T恤",
        "हिन्दी",
        "علي ٢",
        "דוד",
        "Nguyễn Thị",
        "Ğış",
    ],
)
def test_names_of_people_are_taken(name) -> None:
    assert checked_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    "name",
    [
        "<b>Ann</b>",
        "Ann\u202eBob",
        "An\u200bn",
        "-Ann",
        "a" * (LONGEST + 1),
        "You",
        " you ",
        "Ｙｏｕ",
        "Easy bot",
        "hard-bot",
        "Player 2",
        "Another person",
        "x\u0301\u0301\u0301",
        "Ann\x00",
        "👑",
        "a...b",
        "ﷺ" * LONGEST,
        "А\N{LATIN SMALL LETTER N}n",
        "Ρlayer 2",
        "P1ayer 2",
        "рӏауег 2",
        "Easу bot",
        "ᴘlayer 2",
        "an\u200fn",
        "Ann ৪",
        "ロбот",
    ],
)
def test_what_is_no_name_or_a_name_of_ours_is_refused(name) -> None:
    with pytest.raises(InvalidInput):
        checked_name(name)


def test_no_two_names_in_a_match_are_alike() -> None:
    others = ["Ann", "ANN 2", "Bob"]
    assert unique("ann", others) == "ann 3"
    assert unique("Eve", others) == "Eve"
    long = "a" * LONGEST
    assert len(unique(long, [long])) == LONGEST


@pytest.mark.parametrize("invisible", ["\u034f", "\u1160", "\u3164", "\ufe0f", "\U000e0100"])
def test_names_that_look_the_same_are_not_both_taken(invisible) -> None:
    assert unique(checked_name(f"A{invisible}nn{invisible}"), ["Ann"]) == "Ann 2"
    assert not checked_name(2 * invisible)
    assert folded("Ann_Lee") == folded("ANN  Lee")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("АЛЕХ", "АЛЕX"),
        ("Саша", "Cаша"),
        ("сора", "copa"),
        ("СОРА", "COPA"),
        ("Ian", "lan"),
        ("Ann 1", "Ann l"),
        ("Bo Оо", "Bo 00"),
        ("Arnold", "Amold"),
        ("ΤΟΝΙΑ", "TONlA"),
        ("Ａｎｎ", "Ann"),
        ("Ann Х", "Ann X"),
        ("ё", "ë"),
        ("ヘロ", "へ口"),
        ("O\u02bcNeil", "O'Neil"),
        ("ОЅО", "OSO"),
        ("ᴄᴏʀᴀ", "cora"),
        ("ǀan", "Ian"),
        ("Ɩan", "lan"),
    ],
)
def test_a_name_that_looks_like_another_gets_a_number(name, other) -> None:
    assert unique(name, [other]) == f"{name} 2"
    assert unique(other, [name]) == f"{other} 2"


@pytest.mark.parametrize(
    ("name", "other"), [("René", "Rene"), ("Olga", "Ольга"), ("Ann", "Anna"), ("李", "季")]
)
def test_names_that_look_different_get_no_number(name, other) -> None:
    assert unique(name, [other]) == name


@pytest.fixture
def two(server):
    """Two people at the pages of a match, and its number."""
    address = server[0]
    number, key, guest = begun(address)
    yield Person(address, number, key), Person(address, number, guest), number
    suspend(server, number)


@pytest.mark.slow
def test_a_name_is_shown_to_all_kept_and_unlike_others(two, server) -> None:
    first, second, number = two
    assert first.send("name", "Ann").json() == {"name": "Ann"}
    assert second.until("names")["names"] == ["Ann", ""]
    assert second.send("name", "ann").json() == {"name": "ann 2"}
    assert second.send("name", "Black").json() == {"name": "Black 2"}  # a color of the game
    refused = second.send("name", "<script>alert(1)</script>")
    assert (refused.status_code, list(refused.json())) == (400, ["error"])
    assert Person(server[0], number, "").send("name", "Ann").status_code == 403
    assert second.send("name", 5).status_code == 400
    seats = Looker(first.match).whole["now"]["seats"]
    assert [seat["called"] for seat in seats] == ["Ann", "Black 2"]
    assert server[1].match_manager.records.seat_keys(number).names == ["Ann", "Black 2"]
    first.play("a1", 0)
    assert second.until("move")["now"]["seats"][0]["called"] == "Ann"


@pytest.mark.slow
def test_pages_of_the_record_name_the_people_and_the_record_does_not(server) -> None:
    address = server[0]
    number, key, guest = begun(address)
    first, second = Person(address, number, key), Person(address, number, guest)
    first.send("name", "O'Neil")
    first.play("a1", 0)
    suspend(server, number)
    second.until("end")
    page = httpx.get(f"{address}/replay/here/{number}", timeout=PATIENCE).text
    assert "<title>Hex: O&#39;Neil – a person</title>" in page
    assert """data-people='["O\\u0027Neil", ""]'""" in page
    record = httpx.get(f"{address}/replay/here/{number}/record.jsonl", timeout=PATIENCE).text
    assert "Neil" not in record
    headers = {"origin": address}
    opened = httpx.post(f"{address}/open", content=record, headers=headers, timeout=PATIENCE)
    page = httpx.get(address + opened.json()["url"], timeout=PATIENCE).text
    assert "<title>Hex: a person – a person</title>" in page
    assert "data-people='[]'" in page


@pytest.mark.slow
def test_the_link_stands_on_the_page_of_the_owner_with_a_picture(server) -> None:
    address = server[0]
    number, key, guest = begun(address)
    page = httpx.get(f"{address}/match/{number}?key={key}", timeout=PATIENCE).text
    assert page.index(f"/match/{number}/join?key={guest}") < page.index('id="board"')
    assert 'src="data:image/svg+xml' in page
    for other in (f"?key={guest}", ""):
        assert guest not in httpx.get(f"{address}/match/{number}", timeout=PATIENCE).text
        page = httpx.get(f"{address}/match/{number}{other}", timeout=PATIENCE).text
        assert key not in page
        assert 'class="invite"' not in page
    server[1].match_manager.match(number).stop()


class Heard:
    """A page that is connected to a match, in this process."""

    def __init__(self, match, key: str) -> None:
        self.match, self.number = match, None
        self.listener = Spectator(lambda: None, match.seats_of(key))
        match.spectators.listen(self.listener)
        self.news()

    def news(self) -> list[dict]:
        """Return the events since the last call."""
        found = self.match.since(self.number, self.listener)
        self.number = found[-1][0] if found else self.number
        return [json.loads(text) for _, text in found]

    def away(self) -> list[list[int]]:
        """Return who is away, for each change since the last call."""
        return [each["away"] for each in self.news() if each["type"] == "presence"]


@pytest.fixture
def manager(tmp_path):
    made = MatchManager(tmp_path, 6)
    yield made
    made.close()


ANN = Identity("ann")


def challenge(manager, person=ANN, listed="true"):
    """Begin a match of two people, the first of whom begins it."""
    start = make("hex", size=3, pie=False)
    players = [parse_player("human", start.game, 2)] * 2
    return manager.begin(start, players, own=[0], form={"listed": listed}, person=person)


def test_others_hear_who_leaves_and_comes_back(manager) -> None:
    match = challenge(manager)
    first = Heard(match, match.plan.keys[0])
    second = Heard(match, match.plan.keys[1])
    assert first.away() == [[]]
    other_page = Heard(match, match.plan.keys[1])
    match.spectators.leave(second.listener)
    assert first.away() == []  # the other page is still there
    match.spectators.leave(other_page.listener)
    assert first.away() == [[1]]
    Heard(match, "guess")
    assert first.away() == []
    Heard(match, match.plan.keys[1])
    assert first.away() == [[]]


def test_a_free_seat_is_given_once_and_never_the_owners(manager) -> None:
    match = challenge(manager)
    assert manager.challenges() == []  # nobody waits
    owner = Heard(match, match.plan.keys[0])
    assert manager.challenges() == [match]
    assert manager.join(match.plan.number, Identity("bob")) == match.plan.keys[1]
    assert manager.challenges() == []
    with pytest.raises(RequestRefused, match="no free seat"):
        manager.join(match.plan.number, Identity("eve"))
    match.spectators.leave(owner.listener)


def test_a_seat_that_was_taken_and_never_opened_is_free_again(monkeypatch) -> None:
    seats = OpenSeats([frozenset({1})])
    monkeypatch.setattr("ludograph.web.match.seats.RESERVED", 0.0)
    assert seats.take(Identity("bob")) == {1}
    assert seats.free() == [{1}]
    seats.see({0})
    assert seats.take(Identity("eve")) == {1}
    seats.see({0, 1})
    assert seats.free() == []
    assert seats.take(Identity("bob")) is None


def test_a_link_that_is_opened_takes_the_seat_out_of_the_lobby(manager) -> None:
    match = challenge(manager)
    Heard(match, match.plan.keys[0])
    Heard(match, match.plan.keys[1])
    assert manager.challenges() == []


def test_only_listed_matches_are_in_the_lobby(manager) -> None:
    match = challenge(manager, listed="")
    Heard(match, match.plan.keys[0])
    assert manager.challenges() == []
    for number in (match.plan.number, "20260101-0123456789", "../x"):
        with pytest.raises(RequestRefused, match="no free seat"):
            manager.join(number, Identity("bob"))


def test_many_cookies_of_one_address_cannot_take_all_seats(manager) -> None:
    matches = [challenge(manager, Identity(f"owner{number}")) for number in range(5)]
    for number, match in enumerate(matches[:4]):
        manager.join(match.plan.number, Identity(f"visitor {number}", "192.0.2.7"))
    with pytest.raises(ServerFull, match=r"\b4 .*your address"):
        manager.join(matches[4].plan.number, Identity("visitor 9", "192.0.2.7"))
    manager.join(matches[4].plan.number, Identity("visitor 8", "192.0.2.8"))


def test_one_visitor_cannot_take_all_seats(manager) -> None:
    matches = [challenge(manager, Identity(f"owner{number}")) for number in range(3)]
    for match in matches[:2]:
        manager.join(match.plan.number, Identity("bob"))
    with pytest.raises(ServerFull, match="you play 2 matches"):
        manager.join(matches[2].plan.number, Identity("bob"))
    assert manager.join(matches[2].plan.number, Identity("eve")) == matches[2].plan.keys[1]


@pytest.mark.slow
def test_a_challenge_without_a_clock_and_without_a_name_is_listed(server) -> None:
    address = server[0]
    number, key, _ = begun(address, listed="true")
    Person(address, number, key)
    assert "no clock" in httpx.get(f"{address}/", timeout=PATIENCE).text
    suspend(server, number)


@pytest.mark.slow
def test_a_challenge_is_listed_on_the_first_page_and_taken_there(server) -> None:
    address = server[0]
    origin = {"origin": address}
    number, key, guest = begun(address, listed="true", clock="5m")
    owner = Person(address, number, key)
    owner.send("name", "Ann")
    listed = httpx.get(f"{address}/lobby", timeout=PATIENCE).text
    assert f"/match/{number}/join" in listed
    assert all(word in listed for word in ("Hex", "3 × 3 hexagons", "5m", "Ann"))
    assert key not in listed
    assert guest not in listed
    assert f"/match/{number}/join" in httpx.get(address, timeout=PATIENCE).text
    join = f"{address}/match/{number}/join"
    assert httpx.post(join, timeout=PATIENCE).status_code == 403  # of another site
    answer = httpx.post(join, headers=origin, timeout=PATIENCE)
    assert answer.headers["location"] == f"/match/{number}?key={guest}"
    assert httpx.post(join, headers=origin, timeout=PATIENCE).status_code == 409
    assert number not in httpx.get(f"{address}/lobby", timeout=PATIENCE).text
    state = f"{address}/match/{number}/state"
    assert httpx.get(state, timeout=PATIENCE).json() == {"running": True}
    suspend(server, number)
    assert httpx.get(state, timeout=PATIENCE).json() == {"running": False}
