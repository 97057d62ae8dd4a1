"""How programs end is told in words."""

import signal

import pytest

from ludograph.hosting.exit_status import ending


@pytest.mark.parametrize("number", range(1, signal.SIGRTMAX + 1))
def test_every_signal_has_a_name(number):
    text = ending(-number)
    assert text.startswith("was killed by ")
    if 32 <= number < signal.SIGRTMIN:
        assert text.endswith(f"signal {number}")  # of the C library
    else:
        assert "SIG" in text


def test_what_shells_say_is_translated():
    assert ending(139).endswith("SIGSEGV")
    assert ending(127).endswith("not found")
    assert ending(126).endswith("cannot be executed")
    assert ending(255) == "exited with code 255"
