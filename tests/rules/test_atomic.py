"""Fields that threads write to at once: nothing is lost, and plain Python does the same."""

import sys
import threading

import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import compiled
from ludograph.rules.atomic import load, store, swap_if
from ludograph.rules.compile_errors import CannotCompile
from ludograph.search.records import make_records

FIELDS = [("gap", np.int32), ("count", np.int32), ("wide", np.int64), ("most", np.float64)]


@compiled
def add_one(record):
    while True:
        before = load(record, "count")
        if swap_if(record, "count", before, before + 1):
            return


@compiled
def note(record, value):
    while True:
        before = load(record, "most")
        if not value > before:
            return
        if swap_if(record, "most", before, value):
            return


@compiled
def count_up(records, times, thread):
    for number in range(times):
        add_one(records[1])
        note(records[1], float(number * 10 + thread))
        store(records[1], "wide", number)


@compiled
def misspelled(records):
    return load(records[0], "colour")


def in_threads(work, threads):
    running = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


@pytest.fixture(params=[True, False], ids=["machine code", "plain Python"])
def way(request):
    """Return how often to count: as machine code, and in threads that change at any step."""
    if request.param:
        yield 20_000
        return
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with rules.interpreted():
            yield 300
    finally:
        sys.setswitchinterval(before)


def test_threads_lose_nothing(way):
    records = make_records(3, FIELDS)
    count_up(records, 0, 0)
    in_threads(lambda thread: count_up(records, way, thread), 4)
    assert records["count"].tolist() == [0, 4 * way, 0]
    assert records["most"].tolist() == [0.0, (way - 1) * 10 + 3, 0.0]
    assert records["wide"].tolist() == [0, way - 1, 0]
    assert not records["gap"].any()


def test_a_number_is_kept_as_its_field_keeps_it(way):
    records = make_records(2, FIELDS)
    records[1].count = -7
    records[1].most = -np.inf
    count_up(records, 1, 2)
    assert records[1].count == -6
    assert records[1].most == 2.0


def test_nothing_is_written_where_another_was_first():
    records = make_records(1, FIELDS)
    records[0].count = 3
    assert not swap_if(records[0], "count", 2, 9)
    assert records[0].count == 3
    assert swap_if(records[0], "count", 3, 9)
    assert load(records[0], "count") == 9


def test_a_field_that_is_not_there_is_not_compiled():
    with pytest.raises(CannotCompile):
        misspelled(make_records(1, FIELDS))
