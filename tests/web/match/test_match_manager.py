"""Matches on a server, without a browser: what is told, what can be wished, what outlives it."""

from __future__ import annotations

import json
import resource
import signal
import stat
import threading
from concurrent.futures import TimeoutError as NoAnswer
from contextlib import closing

import msgspec
import pytest

from ludograph import make, play_match, read_record
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.timing import TimeLeft
from ludograph.players import parse_player
from ludograph.players.human import Quit, TakeBack, Turn
from ludograph.referee import Clock, PlayedMove
from ludograph.referee.clock import Stopwatch
from ludograph.referee.options import MatchOptions
from ludograph.referee.record_writer import RecordWriter
from ludograph.web.match import human_players, match_state, seats
from ludograph.web.match.consent import Consent, RequestRefused
from ludograph.web.match.human_players import BrowserFront, PlayerRequest
from ludograph.web.match.match_manager import MatchManager, ServerFull
from ludograph.web.match.match_pages import MatchMessage
from ludograph.web.match.seats import SeatKeys
from ludograph.web.match.spectators import Spectator
from ludograph.web.server.limits import Identity
from tests.processes import wait_until

PATIENCE = 240.0

NUMBER = "20261129-0123456789"


@pytest.fixture
def match_manager(tmp_path):
    found = MatchManager(tmp_path, 2)
    yield found
    found.close()


def begun(match_manager, players=("human", "random"), own=(0,), game="hex", setup=None, **options):
    start = make(game, **(setup or {"size": 3, "pie": False}))
    specs = [parse_player(each, start.game, start.seats) for each in players]
    return match_manager.begin(start, specs, own=own, seed=1, **options)


class Reader:
    """Somebody who looks at a match for some seats, and remembers what it was told."""

    def __init__(self, match, key="") -> None:
        self.match, self.number, self.told = match, None, []
        self.news = threading.Event()
        self.listener = Spectator(self.news.set, match.seats_of(key))
        match.spectators.listen(self.listener)

    def until(self, kind):
        """Return the next event of a kind."""
        while True:
            self.news.clear()
            for number, text in self.match.since(self.number, self.listener):
                self.number = number
                self.told.append(json.loads(text))
            for place, event in enumerate(self.told):
                asks = event["type"] == "whole" and kind == "ask" and event["ask"]
                if event["type"] == kind or asks:
                    del self.told[: place + 1]
                    return event
            assert self.news.wait(PATIENCE)


def wish(match, kind, value=None, *, seats=(0,), ply=None):
    wished = PlayerRequest(kind, value, frozenset(seats), ply if ply is not None else ply_of(match))
    match.front.send(wished)
    return wished.answer.result(PATIENCE)


def ply_of(match):
    return match.front.turn.position.ply if match.front.turn else 0


def asked(match):
    """Wait until the person on seat 0 is asked."""
    reader = Reader(match, match.plan.keys[0])
    return reader.until("ask")["ask"]


def test_who_has_the_key_of_a_seat_is_told_its_moves_and_nobody_else(match_manager) -> None:
    match = begun(match_manager)
    ask = asked(match)
    assert [text for _, text, _ in ask["moves"]] == [f"{c}{r}" for r in "123" for c in "abc"]
    stranger = Reader(match, "guess")
    whole = stranger.until("whole")
    assert whole["own"] == []
    assert whole["ask"] is None
    assert match.plan.keys[1] is None


def test_typed_words_that_ask_are_answered_as_information(match_manager) -> None:
    match = begun(match_manager)
    asked(match)
    listed = wish(match, "type", "moves")["lines"]
    assert [word for line in listed for word in line.split()][:2] == ["#1", "a1"]
    hint = wish(match, "type", " Hint ")
    assert match.front.turn.position.is_legal(hint["move"])
    assert hint.keys() == wish(match, "hint").keys()
    with pytest.raises(RequestRefused, match="undo"):
        wish(match, "type", "undo")


def test_a_wish_is_refused_with_a_sentence(match_manager) -> None:
    match = begun(match_manager)
    code = asked(match)["moves"][4][0]
    with pytest.raises(RequestRefused, match="turn"):
        wish(match, "move", code, seats=(1,))
    with pytest.raises(RequestRefused, match="changed"):
        wish(match, "move", code, ply=7)
    with pytest.raises(RequestRefused, match="legal"):
        wish(match, "move", 10**9)
    with pytest.raises(RequestRefused, match="z9"):
        wish(match, "type", "z9")
    with pytest.raises(RequestRefused, match="yet"):
        wish(match, "undo")
    assert "black's border" in wish(match, "why", [0])["why"]
    assert "border" not in wish(match, "why", [-1])["why"]


def test_what_was_played_is_in_the_record_and_undo_takes_it_out(match_manager) -> None:
    match = begun(match_manager)
    reader = Reader(match, match.plan.keys[0])
    reader.until("ask")
    wish(match, "type", "b2")
    reader.until("ask")
    assert len(read_record(match.plan.options.record).events) == 2
    wish(match, "undo")
    reader.until("ask")
    assert read_record(match.plan.options.record).events == []
    wish(match, "resign")
    reader.until("end")
    assert read_record(match.plan.options.record).end["end"] == "resign"


def test_a_clock_runs_out_as_for_any_player(match_manager) -> None:
    match = begun(match_manager, clock=Clock.parse("200ms"))
    reader = Reader(match)
    status = reader.until("end")["status"]
    assert status["reason"] == "timeout"


def test_clocks_on_pages_keep_the_time_of_moves_that_were_taken_back(
    match_manager, tmp_path, monkeypatch
) -> None:
    """Each question takes seven seconds by the referee's stopwatch."""
    monkeypatch.setattr(Stopwatch, "spent", lambda self, *, computes: 7.0)
    match = begun(match_manager, clock=Clock.parse("60s+0s"))
    reader = Reader(match, match.plan.keys[0])
    reader.until("ask")
    wish(match, "type", "b2")
    reader.until("ask")
    wish(match, "undo")
    left = reader.until("back")["now"]["seats"][0]["left"]
    assert left == 60 - 7 - 7  # for the move, and for the question that was answered by "undo"
    reader.until("ask")
    match_manager.close()
    later = MatchManager(tmp_path, 2)
    again = Reader(later.go_on(match.plan.number)).until("whole")
    assert again["now"]["seats"][0]["left"] == left - 7  # and for the one that was left open
    later.close()


def test_a_game_goes_on_when_the_server_has_been_started_again(match_manager, tmp_path) -> None:
    match = begun(match_manager)
    reader = Reader(match, match.plan.keys[0])
    reader.until("ask")
    wish(match, "type", "b2")
    reader.until("ask")
    number, key = match.plan.number, match.plan.keys[0]
    match_manager.close()
    later = MatchManager(tmp_path, 2)
    assert [kept.number for kept in later.latest()] == [number]
    assert later.records.seat_keys(number).owner == key
    again = later.go_on(number)
    assert again.seats_of(key) == {0}
    assert len(asked(again)["moves"]) == 7
    assert later.go_on(number) is again
    later.close()


@pytest.mark.parametrize("option", ["foreign_clock", "seed", "chance_seed", "opening"])
def test_a_match_goes_on_with_the_options_of_its_record(match_manager, option) -> None:
    start = make("hex", size=3, pie=False)
    opening = [start.parse("b2")]
    options = MatchOptions.checked(foreign_clock="3s", seed=1, chance_seed=2, opening=opening)
    players = [parse_player("human", start.game, 2)] * 2
    after = start.copy()
    after.play("b2")
    with RecordWriter(match_manager.records.path(NUMBER)) as record:
        record.header(start, players, options, opening)
        record.move(after, PlayedMove(0, opening[0], 0.0))
    kept = match_manager.go_on(NUMBER).plan.options
    assert getattr(kept, option) == getattr(options, option)


def test_a_match_of_strategies_goes_on_with_its_pause(match_manager, tmp_path) -> None:
    form = {"pause": "7.5", "seed": "3"}
    match = begun(match_manager, ("random", "random"), own=(), form=form)
    reader = Reader(match)
    reader.until("move")
    match_manager.close()
    later = MatchManager(tmp_path, 2)
    again = later.go_on(match.plan.number)
    assert (match.plan.pause, again.plan.pause) == (7.5, 7.5)
    assert again.plan.form == {"pause": "7.5"}
    later.close()


def test_a_game_that_has_ended_says_so_whoever_played_it(match_manager) -> None:
    path = match_manager.records.path(NUMBER)
    play_match(make("hex", size=3), ["random", "random"], record=path, seed=1)
    path.write_text(path.read_text().replace('"specs":["random"', '"specs":["players/gone.py"'))
    with pytest.raises(RequestRefused, match="ended"):
        match_manager.go_on(NUMBER)


def test_who_comes_back_is_told_what_is_new_or_everything(match_manager) -> None:
    match = begun(match_manager)
    reader = Reader(match, match.plan.keys[0])
    reader.until("ask")
    known = reader.number
    wish(match, "type", "b2")
    reader.until("ask")
    missed = [json.loads(text)["type"] for _, text in match.since(known, reader.listener)]
    assert missed == ["move", "move", "ask"]
    for unknown in (None, known + 10**6):
        ((_, text),) = match.since(unknown, reader.listener)
        assert json.loads(text)["now"]["ply"] == 2


def test_there_is_room_for_so_many_matches(match_manager) -> None:
    begun(match_manager)
    begun(match_manager)
    with pytest.raises(ServerFull, match=r"\b2 "):
        begun(match_manager)
    match_manager.running()[0].stop()
    match_manager.running()[0].join(PATIENCE)


def test_tiles_are_chosen_by_place_turn_and_meeple(match_manager) -> None:
    match = begun(match_manager, ("human", "random"), game="carcassonne", setup={"mode": "finite"})
    ask = asked(match)
    placements = {tuple(parts) for _, _, parts in ask["moves"]}
    assert len(placements) == len(ask["moves"])
    for _, text, (place, turn, *meeple) in ask["moves"]:
        names = [ask["parts"][part]["name"] for part in (place, turn, *meeple)]
        assert text.split()[:2] == names[:2]
        assert [name.startswith("Claim the ") for name in names[2:]] == [True] * len(meeple)
        assert ("m" in text) == bool(meeple)
        assert ask["parts"][place]["at"] == ask["parts"][turn]["at"]


def test_one_person_may_play_several_seats_and_take_everything_back(match_manager) -> None:
    match = begun(match_manager, ("human", "human"), own=(0, 1))
    key = match.plan.keys[0]
    assert match.seats_of(key) == {0, 1}
    reader = Reader(match, key)
    for text in ("b2", "a1"):
        reader.until("ask")
        wish(match, "type", text, seats=(0, 1))
    reader.until("ask")
    wish(match, "undo", seats=(0, 1))
    assert reader.until("ask")["ask"]["seat"] == 0


@pytest.mark.slow
def test_all_other_people_who_still_play_must_agree(match_manager) -> None:
    small = {"board": 6, "colors": 5, "seats": 3}
    match = begun(match_manager, ("human",) * 3, game="flood", setup=small)
    readers = [Reader(match, key) for key in match.plan.keys]

    def play(seat):
        code = readers[seat].until("ask")["ask"]["moves"][0][0]
        wish(match, "move", code, seats=(seat,))

    for seat in (0, 1, 2):
        play(seat)
    readers[0].until("ask")
    number = wish(match, "undo")["proposal"]
    assert wish(match, "accept", number, seats=(1,)) == {}
    with pytest.raises(RequestRefused, match="only the others"):
        wish(match, "accept", number, seats=(1,))  # once each
    asked = [readers[0].until("proposal")["proposal"]["missing"] for _ in range(2)]
    assert asked == [[1, 2], [2]]
    assert wish(match, "decline", number, seats=(2,)) == {}
    assert [each.until("settled")["how"] for each in readers[:2]] == ["declined"] * 2
    wish(match, "resign")
    readers[1].until("ask")
    with pytest.raises(RequestRefused, match="dropped out"):
        wish(match, "resign")
    with pytest.raises(RequestRefused, match="dropped out"):
        wish(match, "undo", seats=(1,))
    match.stop()
    match.join(PATIENCE)


def test_thoughts_are_on_the_position_of_their_move_also_after_a_seat_dropped_out(
    monkeypatch,
) -> None:
    seen = []
    monkeypatch.setattr(match_state, "view", lambda _, before: seen.append(before.copy()))
    position = make("penguins", board="full-hexa:4", penguins=1, seats=3, seed=1)
    players = [parse_player("random", position.game, 3)] * 3
    state = match_state.MatchState(position.copy(), players, MatchOptions(), [""] * 3)
    for number in range(6):
        if number == 4:
            position.drop(0)
            state.drop(position, "")
        seat, before = position.turn, position.copy()
        position.play(position.legal_moves()[0])
        state.move(position, PlayedMove(seat, position.history[-1], 0.0, AnalysisInfo(0.5)))
        assert seen.pop() == before


def test_nobody_waits_for_an_answer_that_cannot_come(match_manager) -> None:
    match = begun(match_manager, ("random", "random"), own=())
    match.join(PATIENCE)
    wished = PlayerRequest("hint", None, frozenset((0,)), 0)
    match.front.send(wished)
    try:
        with pytest.raises(RequestRefused):
            wished.answer.result(PATIENCE)
    except NoAnswer:
        pytest.fail("there was no answer")


def test_a_page_that_does_not_wait_for_a_hint_does_not_end_the_match(match_manager) -> None:
    match = begun(match_manager)
    asked(match)
    late = PlayerRequest("hint", None, frozenset((0,)), 0)
    late.answer.cancel()  # as asyncio does after a timeout
    match.front.send(late)
    assert "move" in wish(match, "hint")
    assert match.running


def test_a_request_that_fails_does_not_end_the_match(match_manager, monkeypatch, caplog) -> None:
    match = begun(match_manager)
    asked(match)

    def failing(*_):
        raise OverflowError("int too large to convert to float")

    monkeypatch.setattr(human_players, "point_explanation", failing)
    with pytest.raises(RequestRefused, match="server"):
        wish(match, "where", [1, 2])
    assert "int too large" in caplog.text
    assert "move" in wish(match, "hint")


@pytest.mark.parametrize("number", [10**400, -(10**400), 2**53 + 1])
@pytest.mark.parametrize("value", ["%d", "[%d, 1]"])
def test_numbers_of_a_request_are_bounded(number, value) -> None:
    message = f'{{"kind": "where", "value": {value % number}}}'
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(message, type=MatchMessage)


def test_a_stop_behind_a_move_taken_back_suspends_the_match() -> None:
    class Match:
        on_answer = on_proposal = on_settled = lambda *_: None

        def on_ask(self, _):
            front.wishes.put(PlayerRequest("undo", None, frozenset((0, 1)), 0))
            front.stop()

    front = BrowserFront(Match(), Consent(Match(), [frozenset((0, 1))]))
    turn = Turn(make("hex", size=3), 0, TimeLeft(), lambda _: "", lambda _: 0)
    with pytest.raises(TakeBack):
        front.ask(turn)
    with pytest.raises(Quit):
        front.ask(turn)


def test_a_match_that_cannot_begin_leaves_no_file(tmp_path) -> None:
    match_manager = MatchManager(tmp_path, 0)
    with pytest.raises(ServerFull):
        begun(match_manager)
    assert not list(tmp_path.iterdir())


def test_pages_do_not_wait_for_the_disk_while_a_name_is_kept(match_manager, monkeypatch) -> None:
    match, seen = begun(match_manager), []

    def slow(*_, **__):
        reader = threading.Thread(target=lambda: seen.append(match_manager.running()), daemon=True)
        reader.start()
        reader.join(10)

    monkeypatch.setattr(seats, "write_whole", slow)
    match_manager.name_person(match.plan.number, match.plan.keys[0], "Ann")
    assert seen == [[match]]


def test_the_list_of_records_reads_the_keys_of_each_private_match_once(
    tmp_path, monkeypatch
) -> None:
    for number in range(40):
        name = f"20261126-{number:010x}"
        SeatKeys(["first", "second"], 0).write(tmp_path / f"{name}.keys.json")
        (tmp_path / f"{name}.jsonl").touch()
    read, names = SeatKeys.read, []
    monkeypatch.setattr(SeatKeys, "read", lambda path: names.append(path.name) or read(path))
    match_manager = MatchManager(tmp_path, 1)
    for _ in range(3):
        assert match_manager.latest() == []
    assert len(names) == len(set(names)) == 40


def test_keys_that_cannot_be_written_stay_the_earlier_ones(tmp_path) -> None:
    file, keys = tmp_path / "one.keys.json", SeatKeys(["first", "second"], 0)
    keys.write(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    usual = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8, limits[1]))
        with pytest.raises(OSError, match="large"):
            keys.write(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, usual)
    assert SeatKeys.read(file) == keys
    assert not SeatKeys.read(file).opens("another")


def test_the_tile_in_hand_is_told_apart_from_the_table() -> None:
    from ludograph.web.positions.serializers import SceneEncoder

    position = make("carcassonne", deck="course:8")
    encoder = SceneEncoder(position.scene())
    before = encoder.picture(position.scene())
    position.play("deal GREEN")
    after = encoder.picture(position.scene())
    assert "hand" not in before
    assert len(after["hand"]["sketches"]) == 2  # the tile and its frame
    assert after["sketches"] == before["sketches"]
    assert after["bounds"] == before["bounds"]


def test_a_match_at_which_nobody_is_makes_room_the_oldest_first(match_manager, monkeypatch) -> None:
    older, newer = begun(match_manager), begun(match_manager)
    with pytest.raises(ServerFull):  # somebody may only have lost the connection
        begun(match_manager)
    monkeypatch.setattr("ludograph.web.match.match_manager.ALONE", 0.0)
    looking = Reader(older)
    third = begun(match_manager)  # instead of the newer one, at which nobody is
    newer.join(PATIENCE)
    assert [match.running for match in (older, newer, third)] == [True, False, True]
    older.spectators.leave(looking.listener)
    fourth = begun(match_manager)  # nobody has been at the third one for longer
    third.join(PATIENCE)
    assert [match.running for match in (older, third, fourth)] == [True, False, True]
    for match in (older, fourth):
        Reader(match)
    with pytest.raises(ServerFull):
        begun(match_manager)
    assert match_manager.records.record(newer.plan.number).end is None  # it can go on later
    with pytest.raises(ServerFull):
        match_manager.go_on(newer.plan.number)


def test_a_match_counts_that_goes_on_before_its_earlier_thread_has_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("ludograph.web.match.match_manager.ALONE", 0.0)
    match_manager, may_end = MatchManager(tmp_path, 1), threading.Event()
    first = begun(match_manager)
    end, first.on_end = first.on_end, lambda _: may_end.wait(PATIENCE)
    begun(match_manager).stop()
    wait_until(lambda: not first.running)
    again = match_manager.go_on(first.plan.number)
    may_end.set()
    end(first)
    Reader(again)
    try:
        with pytest.raises(ServerFull):
            begun(match_manager)
    finally:
        match_manager.close()


def test_many_cookies_of_one_address_have_two_thirds_of_the_matches(tmp_path, monkeypatch) -> None:
    people = [Identity(f"visitor {name}", "192.0.2.7") for name in "abcdef"]
    with closing(MatchManager(tmp_path, 5)) as match_manager:
        theirs = [begun(match_manager, person=person) for person in people[:3]]
        with pytest.raises(ServerFull, match=r"\b3 .*your address"):
            begun(match_manager, person=people[3])
        for other in (Identity("visitor x", "192.0.2.8"), Identity("token t")):
            begun(match_manager, person=other)
        with pytest.raises(ServerFull, match=r"\b5 "):
            begun(match_manager, person=Identity("token u"))
        for match in theirs[1:]:
            Reader(match)
        monkeypatch.setattr("ludograph.web.match.match_manager.ALONE", 0.0)
        theirs.append(begun(match_manager, person=people[4]))  # theirs is paused, no other one
        theirs[0].join(PATIENCE)
        assert [match.running for match in theirs] == [False, True, True, True]


def test_a_person_has_a_third_of_the_matches(tmp_path, monkeypatch) -> None:
    with closing(MatchManager(tmp_path, 5)) as match_manager:
        mine = [begun(match_manager, person=Identity("ann")) for _ in range(2)]
        with pytest.raises(ServerFull, match="you play 2 matches"):
            begun(match_manager, person=Identity("ann"))
        begun(match_manager, person=Identity("bob"))
        begun(match_manager)
        for match in mine[1:]:
            Reader(match)
        monkeypatch.setattr("ludograph.web.match.match_manager.ALONE", 0.0)
        mine.append(begun(match_manager, person=Identity("ann")))  # her first one is paused
        mine[0].join(PATIENCE)
        assert [match.running for match in mine] == [False, True, True]
