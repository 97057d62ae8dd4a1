"""The program writes and keeps what it always has, unless a transcript was changed on purpose."""

import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from ludograph.games.registry import names as games
from tests.amounts import plain_in_make_test
from tests.golden import transcripts

ALL = [
    pytest.param(name, marks=pytest.mark.slow if transcripts.is_slow(name) else ())
    for name in transcripts.names()
]
OF_A_GAME = {
    "ladder", "match", "match-json", "record", "replay", "series", "solve", "tournament", "why",
}  # fmt: skip


@pytest.mark.every_case
@pytest.mark.parametrize("name", ALL)
def test_what_is_written_and_kept_is_the_same(name: str, tmp_path: Path) -> None:
    """Where it changed on purpose: ``python -m tests.golden.transcripts``, and read the diff."""
    text = transcripts.expected(name)
    with plain_in_make_test() if transcripts.is_plain(name) else nullcontext():
        assert transcripts.run(text, tmp_path) == text


def test_each_command_has_a_transcript_of_its_help() -> None:
    helps = [name for name in transcripts.names() if name.startswith("help/")]
    shown = [command for name in helps for command in transcripts.commands(name)]
    assert sorted(shown) == sorted(transcripts.help_commands())


def test_each_game_has_all_transcripts() -> None:
    shown = set(transcripts.names())
    assert {f"{game}/{name}.txt" for game in games() for name in OF_A_GAME} <= shown


def test_numbers_are_those_of_everyday() -> None:
    """Zero has no minus sign, and nothing is written as a power of ten."""
    odd = re.compile(r"(?<!\S)-0(\.0+)?(?![\w.])|(?<!\S)[0-9.]+e[+-]?[0-9]+\b|(?<!\S)nan\b")
    for name in transcripts.names():
        lines = transcripts.expected(name).splitlines()
        written = [line for line in lines if line[:2] not in ("$ ", "> ")]
        assert not [line for line in written if odd.search(line)], name


def test_a_lost_word_and_a_lost_line_are_found(tmp_path: Path) -> None:
    text = transcripts.expected("help/games.txt")
    line = text.splitlines(keepends=True)[-2]
    for damaged in (text.replace(line, ""), text.replace("Usage", "Use")):
        assert damaged != text
        assert transcripts.run(damaged, tmp_path) == text
