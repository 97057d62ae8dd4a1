import time
from types import SimpleNamespace

import pytest

from ludograph.search import pacing
from ludograph.search.pacing import chunks, deadline_after


def test_a_total_is_used_up_exactly():
    for total in (1, 16, 17, 1000):
        assert sum(chunks(None, total)) == total
    assert list(chunks(None, 0)) == []


def test_a_deadline_ends_it():
    started = time.perf_counter()
    for _ in chunks(deadline_after(0.02)):
        time.sleep(0.0005)
    assert time.perf_counter() - started >= 0.02


def test_one_chunk_comes_even_too_late():
    assert len(list(chunks(deadline_after(-1.0)))) == 1


def test_sizes_follow_the_speed(monkeypatch):
    sizes, now = [], [0.0]
    monkeypatch.setattr(pacing, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    for amount in chunks(deadline_after(0.1)):
        sizes.append(amount)
        now[0] += amount * 1e-5
    assert sizes[0] == 1
    assert max(sizes) == pytest.approx(pacing.CHUNK_SECONDS / 1e-5, abs=1)
    assert sum(sizes) == pytest.approx(0.1 / 1e-5, abs=1)
