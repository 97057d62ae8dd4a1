"""Commands that documents, templates and messages name exist, with their options."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ludograph.cli.main import cli
from ludograph.cli.program import DefaultGroup
from ludograph.games.registry import is_game

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "src" / "ludograph"
PAGES = [
    *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
TEMPLATES = sorted((SOURCE / "games").rglob("templates/*.txt"))
UNITS = [file for file in sorted((ROOT / "deploy").rglob("*")) if file.is_file()]
MODULES = sorted(SOURCE.rglob("*.py"))

EXAMPLES = {"snort", "rex", "hex3", "hill", "nim", "gomoku"}
"""Games of the examples, which are not installed here."""

CALLED = re.compile(
    r"(?:^|[`'\"(]|[$:]  ?|-m |^RUN |^ExecStart[a-zA-Z]*=\S*/)"
    r"\$?\(?(?:ludograph|LUDOGRAPH)\)? ([^=].*)"
)
NAMED = re.compile(r"(?<!from )\bludograph [a-z{]")
MISTAKES = {"flood --colour 4 greedy random"}
"""Commands that a page shows for their message."""

QUOTED = re.compile(r"(?<=[ =])(?:'[^']*'|\"[^\"]*\")")
END = re.compile(r"[`'\"|;&>#\\]|  | \d>|\)|\. |, |: ")
OPTION = re.compile(r"--?[a-z][a-z-]*")


def of_page(file: Path) -> Iterator[str]:
    """Yield the commands in the code of a page: in its blocks, and within its sentences."""
    text = file.read_text()
    for block in re.findall(r"(?ms)^```(?!python|toml|json)[^\n]*\n(.*?)^```", text):
        yield from of_lines(block)
    for span in re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", text)):
        yield from of_lines(span)


def of_lines(text: str) -> Iterator[str]:
    """Yield the commands at the beginnings of lines, after a prompt, in quotes or brackets."""
    for line in text.replace("\\\n", " ").splitlines():
        found = CALLED.search(line.strip())
        if found is not None:
            yield END.split(QUOTED.sub("TEXT", found[1]))[0]


def of_module(file: Path) -> Iterator[str]:
    """Yield the commands in the texts of a module; what is put into them is a word."""
    text = file.read_text()
    for node in ast.walk(ast.parse(text)) if NAMED.search(text) else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from of_lines(node.value.replace("{name}", "flood"))
        elif isinstance(node, ast.JoinedStr):
            parts = (
                str(part.value) if isinstance(part, ast.Constant) else "TEXT"
                for part in node.values
            )
            yield from of_lines("".join(parts))


def problem(call: str) -> str:
    """Return what is wrong with a command, or an empty text."""
    context = click.Context(cli, info_name="ludograph")
    command: click.Command = cli
    words, known = call.split(), {"-h", "--help", *options(cli)}
    for word in words:
        if not isinstance(command, click.Group) or word in EXAMPLES or "examples/" in word:
            break
        if word.startswith("-") or re.search(r"[./:{]", word.rstrip(".")) or not word.strip("."):
            continue  # an option, a file, or whatever stands for the dots
        found = command.get_command(context, word)
        if found is None and command is not cli:
            names = command.list_commands(context)
            if "flood" in names or (isinstance(command, DefaultGroup) and not word.isidentifier()):
                continue  # a player or a file before the game; what follows a name that is left out
            is_word = not word.isupper() and word.strip(".|")
            return f"{word} is none of {', '.join(names)}" if is_word else ""
        if found is None:
            return "" if word.isupper() or not word.strip(".") else f"there is no {word}"
        command = found
        known |= options(command)
    games = [word for word in words if is_game(word)]
    if EXAMPLES & set(words):
        return ""
    for game in games:  # some commands have the options of the game that they are given
        known |= options(cli.get_command(context, game))
    if isinstance(command, click.Group):
        first = next(iter(command.commands)) if isinstance(command, DefaultGroup) else "flood"
        for name in games or [first]:
            known |= options(command.get_command(context, name))
    wrong = [word for word in words if OPTION.match(word) and OPTION.match(word)[0] not in known]
    return f"there is no option {', '.join(wrong)}" if wrong else ""


def options(command: click.Command | None) -> set[str]:
    """Return the options of a command, and their opposites."""
    parameters = [] if command is None else command.params
    return {name for each in parameters for name in (*each.opts, *each.secondary_opts)}


@pytest.mark.parametrize(
    ("files", "read", "least"),
    [
        (PAGES, of_page, 200),
        (TEMPLATES, lambda file: of_lines(file.read_text()), 20),
        (UNITS, lambda file: of_lines(file.read_text()), 5),
        (MODULES, of_module, 100),
    ],
    ids=["pages", "templates", "units", "modules"],
)
def test_commands_exist(files, read, least):
    calls = [(file, call) for file in files for call in read(file)]
    assert len(calls) >= least
    wrong = [
        f"{file.relative_to(ROOT)}: ludograph {call}: {what}"
        for file, call in calls
        if call.strip() not in MISTAKES and (what := problem(call))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "`ludograph debug bot.so flood`",
        "$ ludograph flod -m 12 greedy",
        "  ludograph flood --bord 8  play",
        "see 'ludograph player chek'",
        "	$(LUDOGRAPH) debug checked/$*.so",
        "ludograph tournament flood a.py --stor x",
        "ludograph ladder start here",
    ],
)
def test_a_command_that_does_not_exist_is_found(line):
    assert [bool(problem(call)) for call in of_lines(line.strip("`"))] == [True]


def test_targets_of_make_exist():
    """Those of a player's Makefile, and of this project's."""
    makefiles = [ROOT / "Makefile", SOURCE / "games" / "templates" / "Makefile.txt"]
    known = {
        target
        for file in makefiles
        for target in re.findall(r"^([a-z-]+):", file.read_text(), re.MULTILINE)
    }
    for page in PAGES:
        code = re.findall(r"`([^`\n]+)`|^\$ (.*)$", page.read_text(), re.MULTILINE)
        for line in map("".join, code):
            for target in re.findall(r"^make (?:-C \S+ )?([a-z-]+)", line):
                assert target in known, f"{page.name}: {line}"
