"""What a shell is told when Tab is pressed, by the protocol of click's script for bash."""

import pytest

from ludograph.cli.main import cli


def completed(line, patched, capsys):
    """Return the words that bash offers for the last word of a line."""
    patched.setenv("_LUDOGRAPH_COMPLETE", "bash_complete")
    patched.setenv("COMP_WORDS", line)
    patched.setenv("COMP_CWORD", str(line.count(" ")))
    with pytest.raises(SystemExit):
        cli.main([], prog_name="ludograph")
    written = capsys.readouterr()
    assert not written.err
    return [entry.partition(",")[2] for entry in written.out.splitlines()]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("ludograph resu", "results"),
        ("ludograph results ga", "games"),
        ("ludograph results --li", "--list"),
        ("ludograph results --list --js", "--json"),
        ("ludograph results games --pl", "--player"),
        ("ludograph puzzles ma", "make"),
        ("ludograph puzzles --ti", "--time"),
        ("ludograph puzzles make he", "hex"),
        ("ludograph player che", "check"),
        ("ludograph ladder ru", "run"),
        ("ludograph ladder people ad", "add"),
        ("ludograph ladder init course fl", "flood"),
        ("ludograph compare he", "hex"),
        ("ludograph hex --si", "--size"),
    ],
)
def test_a_word_is_completed(line, word, monkeypatch, capsys):
    assert completed(line, monkeypatch, capsys) == [word]


def test_all_commands_of_a_group_are_offered(monkeypatch, capsys):
    offered = completed("ludograph results ", monkeypatch, capsys)
    assert offered == ["tables", "games", "rate", "check"]


@pytest.mark.parametrize("line", ["ludograph no x", "ludograph ladder no x", "ludograph rate 3"])
def test_nothing_is_offered_after_an_unknown_name(line, monkeypatch, capsys):
    completed(line, monkeypatch, capsys)
