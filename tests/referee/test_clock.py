"""Clocks: what is written is what is meant, and time runs down as the rule says."""

import math
import re
from contextlib import nullcontext

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ludograph import Clock, InvalidInput
from ludograph.players.forfeit import PlayerFault, check_time
from ludograph.referee.clock import RunningClock

seconds = st.floats(0.0005, 1e6)
spans = st.floats(0, 1e5)
clocks = st.builds(
    lambda move, game, increment, start: Clock(
        move, game, increment if game is not None else 0.0, start
    ),
    st.none() | seconds,
    st.none() | seconds,
    spans,
    st.none() | seconds,
)


@given(clocks)
def test_a_clock_and_its_text_are_one(clock):
    assume(str(clock))
    assert Clock.parse(str(clock)) == clock


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("1s", Clock(move=1.0)),
        ("500ms", Clock(move=0.5)),
        ("60s+1s", Clock(game=60.0, increment=1.0)),
        ("start=30s", Clock(start=30.0)),
        ("20ms, start=10s", Clock(move=0.02, start=10.0)),
        ("2m + 0s, 10s", Clock(move=10.0, game=120.0)),
        ("10s,2m+500ms", Clock(move=10.0, game=120.0, increment=0.5)),
    ],
)
def test_texts(text, clock):
    assert Clock.parse(text) == clock


@pytest.mark.parametrize(
    "text",
    ["", "1", "s", "-1s", "0s", "1s,2s", "1m+1s,2m+1s", "1e3s", "nans", "infs", "1s+", "+1s",
     "0s+1s", "1d", "9" * 400 + "s", "1s,", "1.s", "start=", "start=0s",
     "start=1s+1s", "start=1s,start=2s", "Start=1s", "10000000s", "1m+1s+1s",
     "1_0s", "\uff11s", "1\u0661s", "1m+\uff11s"],
)  # fmt: skip
def test_wrong_texts(text):
    with pytest.raises(InvalidInput, match=re.escape(f"clock {text[:40]!r}: ")):
        Clock.parse(text)


@pytest.mark.parametrize(
    "fields",
    [{"move": 0.0}, {"move": -1.0}, {"game": math.nan}, {"game": math.inf}, {"increment": 1.0},
     {"game": 1.0, "increment": -1.0}, {"game": 1.0, "increment": math.nan}],
)  # fmt: skip
def test_wrong_limits(fields):
    with pytest.raises(InvalidInput, match="clock"):
        Clock(**fields)


@given(clocks, st.lists(spans, max_size=40))
def test_time_runs_down_as_the_rule_says(rule, moves):
    clock = RunningClock(rule)
    budget = rule.game
    for taken in moves:
        left = clock.left()
        assert (left.move, left.increment) == (rule.move, rule.increment)
        assert left.game == budget
        late = (rule.move is not None and taken > rule.move) or (
            budget is not None and taken > budget
        )
        with pytest.raises(PlayerFault) if late else nullcontext():
            check_time(taken, left.allowed)
        clock.spend(taken)
        if budget is not None:
            budget = max(0.0, budget - taken) + rule.increment
            assert budget >= 0.0


@given(st.lists(spans, max_size=40))
def test_without_a_rule_nobody_is_late(moves):
    clock = RunningClock(None)
    for taken in moves:
        clock.spend(taken)
        check_time(taken, clock.left().allowed)
    assert clock.left() == (None, None, 0.0)
