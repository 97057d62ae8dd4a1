"""The cut of a log keeps what a sanitizer has found, and leaves out what explains shadow bytes."""

import os

import pytest

from ludograph.hosting.output_log import Log, excerpt

REPORT = """=================================================================
==77==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x7f bp 0x7f sp 0x7f
READ of size 4 at 0x602 thread T0
    #0 0x7f in play /home/ann/bot.c:12
    #1 0x7f in ffi_call (/lib/libffi.so.8+0x7492)

0x602 is located 0 bytes to the right of 40-byte region
SUMMARY: AddressSanitizer: heap-buffer-overflow /home/ann/bot.c:12 in play
Shadow bytes around the buggy address:
"""
REPORT += "  0x0c0: fa fa fa fa fd fd fd fd fa fa fa fa fa fa fa fa\n" * 5
REPORT += "=>0x0c1: fa fa 00 00 00 00 00[fa]fa fa fa fa fa fa fa fa\n"
REPORT += "Shadow byte legend (one shadow byte represents 8 application bytes):\n"
REPORT += "".join(f"  Some thing {k}:    f{k}\n" for k in range(10)) * 4
REPORT += "==77==ABORTING\n"


def kept(text, piece=500):
    read_end, write_end = os.pipe()
    log = Log(read_end)
    for k in range(0, len(text), piece):
        os.write(write_end, text[k : k + piece].encode())
        log.drain()
    os.close(write_end)
    log.close()
    return log.text()


@pytest.mark.parametrize("before", [0, 3000, 200_000])
@pytest.mark.parametrize("piece", [97, 4096])
def test_a_report_at_the_end_is_kept_without_its_legend(before, piece):
    noise = "all is well with this line\n"
    log = kept(noise * (before // len(noise)) + REPORT, piece)
    assert log.count("ERROR: AddressSanitizer: heap-buffer-overflow") == 1
    assert "#0 0x7f in play /home/ann/bot.c:12" in log
    assert "SUMMARY: AddressSanitizer" in log
    assert "Shadow" not in log
    assert log.endswith("==77==ABORTING\n")
    assert len(log) < 9000


def test_the_excerpt_shows_head_tail_and_what_was_found():
    lines = [f"line {k}" for k in range(50)]
    shown = excerpt("\n".join([*lines, REPORT, *lines]), 5, 8)
    assert shown[:6] == [*lines[:5], "[46 lines left out]"]
    assert shown[-8:] == lines[-8:]
    assert any("ERROR: AddressSanitizer" in line for line in shown)
    assert any("in play /home/ann/bot.c:12" in line for line in shown)
    assert any("SUMMARY" in line for line in shown)
    assert not any("hadow" in line for line in shown)


def test_a_short_log_is_shown_whole():
    assert excerpt("one\ntwo\n", 5, 8) == ["one", "two"]
    assert excerpt("", 5, 8) == []
