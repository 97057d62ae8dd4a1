"""Transcripts of the program: commands, with what they write and what they keep.

Each file in ``transcripts/`` is one transcript, and says all that is needed to make it again::

    # Lines at the top explain the transcript. "# Slow: REASON" leaves it to 'make test-all'.
    # With "# Plain: REASON", 'make test' runs it in plain Python, 'make test-all' in machine code.
    $ ludograph flood -m 4 -c 3 --seed 8 greedy random --record game.jsonl
    standard output
    2> standard error
    [exit code 2]
    $ cat > cup.toml
    > content of the file
    $ ludograph htp < commands.txt
    $ cat game.jsonl

The commands of a file are run one after the other in an empty folder. Besides ``ludograph`` there
are ``cat``, ``ls``, ``sqlite3`` and ``known-secret FOLDER``, which gives a ladder a secret that is
always the same. A new transcript is a file with its commands alone.

``python -m tests.golden.transcripts [FILE ...]`` runs the commands of all files, or of those that
are named, and writes what came out into the files. ``git diff`` then shows what has changed for
users; commit it with the change that was made on purpose.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from unittest.mock import patch

import click

from ludograph.arena.ladder import LadderFolder
from ludograph.arena.store import Store
from ludograph.cli.declared_files import read_ladder
from ludograph.cli.main import cli
from ludograph.referee.seed import Seed
from tests.cli.run import invoke

FOLDER = Path(__file__).with_name("transcripts")

LONG_LINE = 160
"""Characters from which a line of JSON or SVG is broken into several, so that people can read it
and its differences."""

MASKS = (
    (r"(?m)^preparing .*\n", ""),  # compiled code may be in the cache
    (r"(?m)^players' files: isolation .*\n", ""),  # said where the strongest one does not hold
    (r'("(?:time|mean_time|seconds|cpu)":\s*)[\d.e-]+', r"\1TIME"),
    (r"(?m)^Ludograph \d\S*,", "Ludograph VERSION,"),
    (r'("memory":\s*)\d+', r"\1BYTES"),
    (r'("(?:time|seconds)":\s*)\[[\d.e, -]+\]', r"\1[TIMES]"),
    (r"[\d.]+ a second on \d+ cores?", "SPEED"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", "WHEN"),
    (r'("(?:ludograph|python)":\s*")\d[^"]*', r"\1VERSION"),
    (r" +[\d.]+ (s|ms|µs)\b", " TIME"),
    (r"(?m) +time$", " time"),
    (r"(?s)(seconds that a move took.*?\n).*?\n\n", r"\1(curves of times)\n\n"),
)
"""Patterns of what differs from run to run and from machine to machine, and what replaces it."""


@dataclass(frozen=True)
class Step:
    """A command, and the content of the file that it writes, if it is ``cat > FILE``."""

    command: str
    content: str


def names() -> list[str]:
    """Return the transcripts, as paths in their folder."""
    return sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.txt"))


def expected(name: str) -> str:
    """Return the text of a transcript."""
    return (FOLDER / name).read_text(encoding="utf-8")


def is_slow(name: str) -> bool:
    """Tell whether a transcript is left to ``make test-all``."""
    return "# Slow: " in _heading(expected(name))


def is_plain(name: str) -> bool:
    """Tell whether ``make test`` runs a transcript in plain Python."""
    return "# Plain: " in _heading(expected(name))


def commands(name: str) -> list[str]:
    """Return the commands of a transcript."""
    return [step.command for step in _steps(expected(name))]


def help_commands(command: click.Command = cli, words: str = "ludograph") -> Iterator[str]:
    """Yield ``ludograph ... --help`` for each command and each command below it."""
    yield f"{words} --help"
    if isinstance(command, click.Group):
        context = click.Context(command)
        before = [
            each.make_metavar(context)
            for each in command.params
            if each.param_type_name == "argument"
        ]
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from help_commands(below, " ".join([words, *before, name]))


def run(text: str, folder: Path) -> str:
    """Run the commands of a transcript in an empty folder; return the transcript as it is now."""
    parts = [_heading(text)]
    with contextlib.chdir(folder), patch.dict(os.environ, COLUMNS="80", LINES="24"):
        os.environ.pop("FORCE_COLOR", None)
        for step in _steps(text):
            parts.append(f"$ {step.command}\n")
            parts += [f"> {line}".rstrip() + "\n" for line in step.content.splitlines()]
            parts.append(_outcome(step).replace(str(folder), "FOLDER"))
    return "".join(parts)


def _heading(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(takewhile(lambda line: line.startswith("#"), lines))


def _steps(text: str) -> list[Step]:
    found = re.findall(r"(?m)^\$ (.*)\n((?:>(?: .*)?\n)*)", text)
    return [Step(command, re.sub("(?m)^> ?", "", content)) for command, content in found]


def _outcome(step: Step) -> str:
    """Run a command; return what it wrote, without what differs from run to run."""
    program, *words = shlex.split(step.command)
    match program, words:
        case "ludograph", _:
            return _ludograph(words)
        case "cat", [">", path]:
            Path(path).write_text(step.content, encoding="utf-8")
            return ""
        case "cat", [path]:
            return _content(Path(path))
        case "ls", [path]:
            return "".join(f"{each.name}\n" for each in sorted(Path(path).iterdir()))
        case "sqlite3", [path, query]:
            return _table(path, query)
        case "known-secret", [path]:
            return _with_known_secret(LadderFolder(Path(path)))
    raise ValueError(f"a transcript cannot run {step.command!r}")


def _ludograph(words: list[str]) -> str:
    entered = None
    if "<" in words:
        *words, _, path = words
        entered = Path(path).read_text(encoding="utf-8")
    result = invoke(*words, entered=entered)
    errors = "".join(f"2> {line}\n" for line in _steady(result.stderr).splitlines())
    code = f"[exit code {result.exit_code}]\n" if result.exit_code else ""
    return _ended(_broken(_steady(result.stdout))) + errors + code


def _content(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        text = _without_seconds(text)
    return _ended(_broken(_steady(text)))


def _table(path: str, query: str) -> str:
    """Return the rows of a query, as the program ``sqlite3`` writes them."""
    if query == ".schema":
        query = "SELECT sql || ';' FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(query).fetchall()
    text = "".join("|".join(map(str, row)) + "\n" for row in rows)
    return _broken(_steady(re.sub(r"(?m)[ \t]+$", "", text)))


def _with_known_secret(folder: LadderFolder) -> str:
    ladder = read_ladder(folder)
    with Store(folder.store) as store:
        number = store.enroll(ladder.key, ladder.game.name, ladder.declaration)
        store.secret(number, Seed.parse("0" * 32))
    folder.secret.write_text("0" * 32)
    return ""


def _steady(text: str) -> str:
    for pattern, instead in MASKS:
        text = re.sub(pattern, instead, text)
    return re.sub(r"-?\b\d+\.\d{5,}(?:e[+-]?\d+)?\b|-0\.0\b", _rounded, text)


def _rounded(number: re.Match[str]) -> str:
    """Round a number to four decimals: the last ones depend on the machine's mathematics."""
    return str(round(float(number[0]), 4) + 0.0)  # no -0.0


def _without_seconds(text: str) -> str:
    """Mask the columns ``seconds_0``, ``seconds_1`` ... of a CSV file."""
    masked: list[str] = []
    columns: list[int] = []
    for line in text.splitlines(keepends=True):
        cells = line.split(",")
        if not columns and not line.startswith("#"):
            columns = [place for place, cell in enumerate(cells) if cell.startswith("seconds")]
        elif columns:
            cells = ["TIME" if place in columns else cell for place, cell in enumerate(cells)]
        masked.append(",".join(cells))
    return "".join(masked)


def _broken(text: str) -> str:
    """Break long lines of JSON after each member of the two outer levels, those of SVG by tags."""
    lines = text.splitlines(keepends=True)
    return "".join(_broken_line(line) if len(line) > LONG_LINE else line for line in lines)


def _broken_line(line: str) -> str:
    if line.lstrip().startswith("<"):
        return line.replace("><", ">\n<")
    if not line.startswith("{"):
        return line
    parts: list[str] = []
    open_brackets: list[str] = []
    for token in re.findall(r'"(?:\\.|[^"\\])*"|[\[{]|[\]}]|,\s*|[^"\[\]{},]+', line):
        if token in "[{":
            open_brackets.append(token)
        elif token in "]}":
            open_brackets.pop()
        depth = len(open_brackets)
        after_item = depth == 1 or (depth == 2 and (open_brackets[1] == "{" or parts[-1] in "]}"))
        breaks = token.startswith(",") and after_item
        parts.append(f"{token.rstrip()}\n{'  ' * depth}" if breaks else token)
    return "".join(parts)


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else f"{text}\n[no line end]\n"


def main() -> None:
    """Write transcripts anew."""
    for name in sys.argv[1:] or names():
        path = Path(name) if Path(name).is_file() else FOLDER / name
        before = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            after = run(before, Path(folder))
        path.write_text(after, encoding="utf-8")
        print(f"{'kept' if after == before else 'CHANGED':<7}  {name}", flush=True)


if __name__ == "__main__":
    main()
