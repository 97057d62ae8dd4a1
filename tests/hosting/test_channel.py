"""Frames, and what is done with all that is none."""

import os
import socket
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.hosting.channel import HEAD, Answer, Channel, ChannelClosed, ChannelGarbage
from ludograph.hosting.channel import ends as pair
from ludograph.hosting.output_log import HEAD as LOG_HEAD
from ludograph.hosting.output_log import TAIL, Log


@pytest.fixture(params=[socket.SOCK_SEQPACKET, socket.SOCK_STREAM])
def ends(request):
    ours, theirs = socket.socketpair(socket.AF_UNIX, request.param)
    yield ours, theirs
    ours.close()
    theirs.close()


@pytest.fixture
def log():
    read_end, write_end = os.pipe()
    log = Log(read_end)
    log.write_end = write_end
    yield log
    log.close()
    os.close(write_end)


texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.dictionaries(texts, texts | st.integers(-(2**53), 2**53))))
def test_frames_come_out_as_they_went_in(messages):
    ours, theirs = pair()
    with ours, theirs:
        sender, receiver = Channel(ours, 1 << 16), Channel(theirs, 1 << 16)
        for message in messages:
            sender.send(message)
        assert [receiver.receive(1.0) for _ in messages] == messages


def test_a_frame_of_many_megabytes(ends):
    import threading

    sender, receiver = (Channel(end, 1 << 26) for end in ends)
    message = "x" * (1 << 25)
    thread = threading.Thread(target=sender.send, args=(message,))
    thread.start()
    assert receiver.receive(5.0) == message
    thread.join()


def test_nothing_comes(ends):
    receiver = Channel(ends[0], 100)
    began = time.perf_counter()
    with pytest.raises(TimeoutError):
        receiver.receive(0.05)
    assert 0.045 < time.perf_counter() - began < 20


@pytest.mark.parametrize("sent", [b"\1", b"\5\0\0\0", b"\5\0\0\0[1,"])
def test_half_a_frame_is_waited_for_until_the_deadline(sent, ends):
    ends[1].send(sent)
    with pytest.raises(TimeoutError):
        Channel(ends[0], 100).receive(0.02)


def test_an_answer_that_is_there_counts_even_when_we_look_late(ends):
    Channel(ends[1], 100).send(7)
    assert Channel(ends[0], 100).receive(0.0) == 7


def test_when_an_answer_came_is_known_to_a_referee_that_looks_late():
    for _ in range(20):
        ours, theirs = pair()
        with ours, theirs:
            channel, before = Channel(ours, 100), time.perf_counter()
            Channel(theirs, 100).send(7)
            sent = time.perf_counter()
            time.sleep(0.1)
            assert channel.receive(1.0) == 7
            assert channel.arrived <= sent + 0.005
        if channel.arrived >= before - 0.005:
            return  # else it waited for a processor between two readings of the clock
    raise AssertionError("the time of an answer is too early, 20 times")


def test_nobody_reads(ends):
    with pytest.raises(TimeoutError):
        Channel(ends[0], 100).send("x" * (1 << 24), 0.05)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b"{",
        b"[" * 60_000,
        b'{"move":1.5}',
        b'{"move":"1"}',
        b"[]",
        b'{"name":"\xff"}',
    ],
)
def test_garbage(payload, ends):
    ends[1].sendall(HEAD.pack(len(payload)) + payload)
    with pytest.raises(ChannelGarbage):
        Channel(ends[0], 1 << 16, Answer).receive(0.1)


def test_a_frame_too_long_is_not_waited_for(ends):
    ends[1].send(b"\xff\xff\xff\xff")
    with pytest.raises(ChannelGarbage, match="at most 100 are allowed"):
        Channel(ends[0], 100).receive(0.1)


def test_the_other_end_is_gone(ends):
    channel = Channel(ends[0], 100)
    Channel(ends[1], 100).send(1)
    ends[1].close()
    assert channel.receive(0.1) == 1
    with pytest.raises(ChannelClosed):
        channel.receive(0.1)
    with pytest.raises(ChannelClosed):
        channel.send(1)


def test_the_log_is_drained_while_waiting(ends, log):
    channel = Channel(ends[0], 100, log=log)
    os.write(log.write_end, b"a" * 60_000)
    with pytest.raises(TimeoutError):
        channel.receive(0.02)
    assert log.size == 60_000
    Channel(ends[1], 100).send("moved")
    os.write(log.write_end, b"b" * 60_000)
    assert channel.receive(1.0) == "moved"


@given(st.lists(st.binary(max_size=3000), max_size=30))
def test_a_log_keeps_head_and_tail(chunks):
    read_end, write_end = os.pipe()
    log = Log(read_end)
    for chunk in chunks:
        os.write(write_end, chunk)
        if chunk:
            log.drain()
    os.close(write_end)
    log.close()
    whole = b"".join(chunks)
    text = log.text()
    assert sum(map(len, log._tail)) < 2 * TAIL
    assert log.size == len(whole)
    if len(whole) <= LOG_HEAD + TAIL:
        assert text == whole[:LOG_HEAD].decode("utf-8", "replace") + whole[LOG_HEAD:].decode(
            "utf-8", "replace"
        )
    else:
        assert f"[... {len(whole) - LOG_HEAD - TAIL} bytes left out ...]" in text
        assert text.endswith(whole[-TAIL:].decode("utf-8", "replace"))


def test_a_log_ends_though_somebody_holds_its_pipe(log):
    os.write(log.write_end, b"last words")
    log.close()
    assert log.text() == "last words"


def test_answers_are_small():
    assert msgspec.json.encode(Answer(move=3)) == b'{"move":3}'
