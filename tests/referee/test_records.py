"""Records: what was played is what is read, and damage is told with its line."""

import json
import math
import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import (
    InvalidInput,
    boards,
    carcassonne,
    documents,
    flood,
    play_match,
    read_record,
    rules,
)
from ludograph.boards import from_data
from ludograph.referee import record_reader
from ludograph.referee.sentences import public_sentence
from tests.amounts import amount
from tests.hosting.fixtures import check_record
from tests.toys.nim_game import NimGame


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """Return the lines of a whole record of three seats, one of which drops out."""
    start = flood.position(boards.torus(6), colors=5, seats=3, seed=3)

    def failing(position):
        return (
            0 if position.ply > 5 and position.is_legal(0) else 777 if position.ply > 5 else "pass"
        )

    path = tmp_path_factory.mktemp("records") / "r.jsonl"
    play_match(start, ["greedy", "random", failing], record=path, clock="5s,1m+1s", seed=4)
    lines = path.read_bytes().splitlines(keepends=True)
    assert b'"drop"' in b"".join(lines)
    return lines


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "r.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else b"".join(content))
        return path

    return write


def test_a_record_is_shown_in_a_line(tmp_path):
    path = tmp_path / "r.jsonl"
    result = play_match(flood.position(4), ["greedy", "random"], record=path, seed=1)
    shown = repr(read_record(path))
    assert all(part in shown for part in ("flood", "greedy", "random", result.sentence))
    assert "\n" not in shown


@pytest.mark.slow
def test_a_record_keeps_the_seed_of_chance(tmp_path):
    start = carcassonne.position(deck="course", discard=True)
    path = tmp_path / "r.jsonl"
    played = [
        play_match(start, ["random", "random"], seed=seed, chance_seed=9, record=path)
        for seed in (1, 2)
    ]
    deals = [[m.move for m in result.moves if m.seat is None] for result in played]
    assert deals[0] == deals[1]
    assert played[0].moves != played[1].moves
    record = read_record(path)
    assert record.header["chance_seed"] == 9
    assert [m.move for m in record.rematch().moves] == [m.move for m in played[1].moves]


@settings(max_examples=amount(30), deadline=None)
@given(
    family=st.sampled_from([boards.square, boards.torus, boards.hatched, boards.donut]),
    seats=st.integers(1, 4),
    forbidden=st.integers(0, 1),
    variant=st.sampled_from(["standard", "capture"]),
    seed=st.integers(0, 2**32),
)
def test_a_game_and_its_record_are_one(family, seats, forbidden, variant, seed, tmp_path_factory):
    if seats == 1:
        variant = "standard"
    start = flood.position(
        family(6), colors=5, seats=seats, forbidden=forbidden, variant=variant, seed=seed
    )
    path = tmp_path_factory.getbasetemp() / "one.jsonl"
    result = play_match(start, ["random"] * seats, record=path, seed=seed, clock="30s")
    check_record(path, result)
    again = read_record(path)
    assert again.start == start
    assert again.plies == result.position.ply
    rematch = again.rematch()
    assert [m.move for m in rematch.moves] == [m.move for m in result.moves]
    assert rematch.outcome == result.outcome
    for ply in (0, again.plies // 2, again.plies):
        assert again.position_at(ply).ply == ply


def test_a_game_without_values_of_has_no_record(tmp_path):
    class Forgetful(NimGame):
        def values_of(self, position):
            return {"heaps": position.setup.heaps}

    path = tmp_path / "game.jsonl"
    position = Forgetful().position(heaps=[2, 2])
    with pytest.raises(InvalidInput, match=r"^nim: .*'most' .*values_of "):
        play_match(position, ["random", "random"], record=path)
    assert not path.exists()
    assert play_match(position, ["random", "random"]).outcome is not None


def test_a_game_under_way_has_no_record(tmp_path):
    position = flood.position(4, colors=3, seed=1)
    position.play_random(rules.random_state(1))
    path = tmp_path / "r.jsonl"
    with pytest.raises(InvalidInput, match=r" ply 1: .* record"):
        play_match(position, ["random", "random"], record=path)
    assert not path.exists()
    assert play_match(position, ["random", "random"]).reason == "finished"


def test_the_header_says_everything(lines):
    header = json.loads(lines[0])
    assert header["record"] == "ludograph"
    assert (header["format"], header["game"], header["game_version"]) == (1, "flood", 1)
    assert header["players"] == ["greedy", "random", "failing"]
    assert header["specs"] == ["greedy", "random", None]
    assert (header["clock"], header["seed"]) == ("60s+1s,5s", 4)
    assert from_data(header["board"]).n == 36
    assert len(header["setup"]["coloring"]) == 36
    assert set(header) >= {"ludograph", "python", "created"}


def test_a_python_object_has_no_rematch(lines, written):
    with pytest.raises(InvalidInput, match="seat 2, failing,"):
        read_record(written(lines)).rematch()


def test_a_rematch_of_files(start, library, tmp_path):
    path = tmp_path / "r.jsonl"
    first = play_match(start, [library("greedy"), "greedy"], record=path)
    again = read_record(path).rematch(record=tmp_path / "again.jsonl")
    assert [m.move for m in again.moves] == [m.move for m in first.moves]
    assert read_record(tmp_path / "again.jsonl").plies == len(first.moves)


@pytest.mark.parametrize("number", range(8))
def test_cut_off_anywhere_it_is_read_up_to_there(number, lines, written):
    whole, part = lines[: number + 1], lines[number + 1]
    record = read_record(written([*whole, part[: len(part) // 2]]))
    assert f"line {number + 2} " in record.warning
    assert len(record.events) == number
    assert record.end is None


@pytest.mark.slow
def test_every_cut_of_the_last_lines(lines, written):
    content = b"".join(lines)
    for size in range(len(content) - len(lines[-1]) - 40, len(content) - 1):
        record = read_record(written(content[:size]))
        assert record.end is None
        assert record.warning
    assert read_record(written(content[:-1])).end is not None  # only the line feed is missing


def test_cut_in_the_middle_of_a_letter(lines, written):
    record = read_record(written([*lines[:3], '{"move": "é'.encode()[:-1]]))
    assert "line 4 is cut off" in record.warning


def test_zeros_at_the_end_after_a_power_cut(lines, written):
    assert "line 4 is cut off" in read_record(written([*lines[:3], b"\0" * 4096])).warning


def edited(lines, number, **fields):
    line = {**json.loads(lines[number - 1]), **fields}
    line = {key: value for key, value in line.items() if value != "gone"}
    return [*lines[: number - 1], json.dumps(line).encode() + b"\n", *lines[number:]]


DAMAGE = {
    "no move": (3, {"move": "mauve"}, "line 3: flood: .*'mauve'"),
    "other seat": (3, {"seat": 0}, "line 3: seat 0 .* seat 1"),
    "no seat": (3, {"seat": "gone"}, "line 3: seat None "),
    "ply": (3, {"ply": 7}, "line 3: ply 7 .* ply 1 "),
    "type": (3, {"ply": "1"}, "line 3: .*Expected `int"),
    "time": (3, {"time": None}, "line 3: .*Expected `float"),
    "list": (3, {"move": ["red"]}, "line 3: .*Expected `str"),
    "nothing": (3, {"move": None}, "line 3: neither "),
    "negative time": (3, {"time": -5.0}, "line 3: .* -5 s"),
    "reason": (3, {"drop": 0, "reason": "bad mood"}, "line 3: .*'bad mood'"),
    "drop": (3, {"drop": 5}, "line 3: seat 5 .* 3 seats"),
    "early end": (3, {"end": "finished"}, "line 3: .*end.* ply 1"),
    "format": (1, {"format": 2}, "line 1: .* format 2, .* format 1"),
    "format true": (1, {"format": True}, "line 1: .* format True"),
    "no format": (1, {"format": "gone"}, "line 1: .* format None"),
    "game": (1, {"game": "chess"}, "line 1: .*'chess'"),
    "game type": (1, {"game": 3}, "line 1: Expected `str`"),
    "game version": (1, {"game_version": 99}, "line 1: flood .* 99 "),
    "players": (1, {"players": ["a"]}, "line 1: 1 players for 3 seats"),
    "player types": (1, {"players": [1, 2, 3]}, "line 1: Expected `str`"),
    "specs": (1, {"specs": []}, "line 1: 0 specs for 3 seats"),
    "clock": (1, {"clock": "soon"}, "line 1: clock 'soon'"),
    "board": (1, {"board": {"vertices": 3, "edges": [[0, 9]]}}, "line 1: board: "),
    "no board": (1, {"board": "gone"}, "line 1: .*`board`"),
    "setup": (1, {"setup": {}}, "line 1: flood: .*'seats'"),
    "other": (1, {"record": "chess"}, "line 1: .*header"),
}


def test_edited_to_hold_an_illegal_move(lines, written):
    start = read_record(written(lines)).start
    for move in (move for move in range(6) if not start.is_legal(move)):
        text = start.text(move)
        says = rf"line 2: .* {move} \({text}\) .* seat 0 at ply 1: "
        with pytest.raises(InvalidInput, match=says):
            read_record(written(edited(lines, 2, move=text)))


@pytest.mark.parametrize("damage", DAMAGE)
def test_edited(damage, lines, written):
    number, fields, problem = DAMAGE[damage]
    with pytest.raises(InvalidInput, match=problem) as caught:
        read_record(written(edited(lines, number, **fields)))
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"ranks": [1]}, "1 ranks for 3 seats"),
        ({"scores": [1.0, 2.0, 3.0]}, "scores"),
        ({"names": "gone"}, "0 names for 3 seats"),
        ({"names": ["Ann", "Bob", "Cy"]}, "seat 0 .*'greedy'.*'Ann'"),
        ({"end": "crash"}, "'finished'.*'crash'"),
        ({"scores": ["1", "2", "3"]}, "Expected `float`"),
    ],
)
def test_an_edited_end(fields, problem, lines, written):
    with pytest.raises(InvalidInput, match=f"line {len(lines)}: .*{problem}"):
        read_record(written(edited(lines, len(lines), **fields)))


def test_the_sentence_is_that_of_the_game(lines, written):
    """Somebody may have written another one into the record."""
    said = read_record(written(lines)).end["sentence"]
    assert "wins" in said or "draw" in said
    edit = edited(lines, len(lines), sentence="Everybody loves \x1b[31mseat 2.")
    assert read_record(written(edit)).end["sentence"] == said
    kept = json.loads(lines[-1])["sentence"]  # for everybody: without messages of faults
    assert kept == public_sentence(said)


def test_lines_out_of_place(lines, written):
    for content, problem in [
        ([*lines, lines[-1]], f"line {len(lines) + 1}: .*end"),
        ([*lines[:3], *lines[4:]], "line 4: "),
        ([*lines[:3], lines[2], *lines[3:]], "line 4: "),
        ([*lines[:3], b"{}\n"], "line 4: neither"),
        ([*lines[:3], b"[]\n"], "line 4: .*line"),
        ([*lines[:3], b"\xff\xfe\n", *lines[3:]], "line 4: .*line"),
        ([*lines[:3], b"\0\0\0\n", *lines[3:]], "line 4: .*line"),
        ([*lines[:3], b"[" * 100_000 + b"\n"], "line 4: .*line"),
        ([*lines[:3], b'{"seat":' + b"9" * 5000 + b"}\n"], "line 4: "),
    ]:
        with pytest.raises(InvalidInput, match=problem):
            read_record(written(content))


def test_a_seat_that_drops_out_twice(lines, written):
    number = next(i for i, line in enumerate(lines) if b'"drop"' in line)
    with pytest.raises(InvalidInput, match=rf"line {number + 2}\b.* second "):
        read_record(written([*lines[: number + 1], *lines[number:]]))


def test_nobody_drops_out_of_a_game_that_is_over(lines, written):
    """The winner, say, who would then have lost it."""
    winner = json.loads(lines[-1])["ranks"].index(1)
    drop = msgspec.json.encode({"drop": winner, "reason": "timeout", "message": "late"}) + b"\n"
    with pytest.raises(InvalidInput, match=f"seat {winner} .* decided"):
        read_record(written([*lines[:-1], drop, lines[-1]]))


def test_blank_lines_and_remarks_do_no_harm(lines, written):
    remark = msgspec.json.encode({"remark": "hello"}) + b"\n"
    spread = [line for one in lines for line in (one, b"\n", remark)]
    record = read_record(written(spread))
    assert record.warning == ""
    assert record.plies == read_record(written(lines)).plies


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"hello\n", "line 1: .*header"),
        (b"{}\n", "line 1: .*header"),
        (b"[1]\n", "line 1: .*header"),
        (b"\x7fELF\0\xff" * 1000, "line 1: .*header"),
        (b'{"record": "ludograph", ', "line 1: .*cut off"),
        (b"[" * 1_000_000, "line 1: .*header"),
        (b'{"a":' * 300_000, "line 1: .*header"),
    ],
)
def test_no_record_at_all(content, problem, written):
    with pytest.raises(InvalidInput, match=problem):
        read_record(written(content))


def test_gigantic_lines(lines, written, monkeypatch):
    """Also on a busy machine, which may have too little free memory for such a file."""
    monkeypatch.setattr(documents, "free_memory", lambda: math.inf)
    with pytest.raises(InvalidInput, match="line 3 has more than 2097152 bytes"):
        read_record(written([*lines[:2], b"x" * (1 << 22)]))
    with pytest.raises(InvalidInput, match="line 1 has more than 2097152 bytes"):
        read_record(written([b"x" * (1 << 22)]))
    monkeypatch.setattr(record_reader, "HEADER_LIMIT", 1000)
    with pytest.raises(InvalidInput, match="line 1 has more than 1000 bytes"):
        read_record(written(lines))


def test_a_record_beyond_the_free_memory(lines, written, monkeypatch):
    path = written([*lines[:2], b"x" * (1 << 22)])
    monkeypatch.setattr(documents, "free_memory", lambda: 1e8)
    with pytest.raises(InvalidInput, match=r"reading \d+ bytes may take 0.2 GiB of memory"):
        read_record(path)


def test_files_that_cannot_be_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # whoever opens it waits for a writer
    for path, problem in [
        (tmp_path / "none", "No such file"),
        (tmp_path, "not a file"),
        (Path("/dev/zero"), "not a file"),
        (pipe, "not a file"),
    ]:
        with pytest.raises(InvalidInput, match=problem):
            read_record(path)
        with pytest.raises(InvalidInput, match="record"):
            play_match(flood.position(boards.square(4)), ["greedy"] * 2, record=path / "x" / "y")


@settings(max_examples=amount(150), deadline=None)
@given(data=st.data())
def test_damage_of_any_kind_is_never_another_error(data, lines, tmp_path_factory):
    content = bytearray(b"".join(lines))
    header = len(lines[0])
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.integers(0, 200) | st.integers(header - 50, len(content) - 1))
        content[where : where + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
    path = tmp_path_factory.getbasetemp() / "damaged.jsonl"
    path.write_bytes(content)
    try:
        record = read_record(path)
    except InvalidInput as error:
        problem = str(error)
    else:
        problem = record.warning or str(path)
        for position, _ in record.positions():
            assert position.ply >= 0
    assert str(path) in problem


def test_plies_that_are_not_there(lines, written):
    record = read_record(written(lines))
    for ply in (-1, record.plies + 1):
        with pytest.raises(InvalidInput, match=f" 0 to {record.plies}"):
            record.position_at(ply)
