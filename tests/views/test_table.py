"""Tables: the same rows in every form."""

import csv
import html
import io
import itertools
import re

import pytest
from rich.console import Console

from ludograph.formatting import inert
from ludograph.views.table import Column, Table, csv_text, left

TABLE = Table([left("name"), "n"], [["a", 10], ["long name", 9]])


def test_plain_columns_line_up():
    assert TABLE.plain() == [
        "name        n",
        "a          10",
        "long name   9",
    ]


def test_wide_letters_take_two_columns():
    assert Table([left("name"), "n"], [["日本", 1]]).plain() == ["name  n", "日本  1"]


def test_markdown_escapes_markup():
    lines = Table([left("name"), "n"], [["a|b", 1], ["<i>", 2]]).markdown().splitlines()
    assert lines[1] == "| --------- | --: |"
    assert r"a\|b" in lines[2]
    assert "&lt;i&gt;" in lines[3]


def test_csv_runs_no_formula_and_is_read_back():
    text = Table(["name", "n"], [["=1+1", 0.12345678], [None, 3]]).csv()
    assert list(csv.reader(io.StringIO(text))) == [
        ["name", "n"],
        ["'=1+1", "0.123457"],
        ["", "3"],
    ]


def test_a_terminal_shows_names_as_they_are():
    console = Console(file=io.StringIO(), width=60)
    console.print(Table([left("name")], [["[bold]x[/bold]"]]).rich("a caption"))
    shown = console.file.getvalue()
    assert "[bold]x[/bold]" in shown
    assert "a caption" in shown


def test_html_escapes_every_text():
    text = Table([left("name"), "n"], [["<b>", 1], ["\x1b[2J", 2]]).html("a & b", faint=[1])
    assert "<caption>a &amp; b</caption>" in text
    assert '<tr><td class="text">&lt;b&gt;</td><td>1</td></tr>' in text
    assert '<tr class="out"><td class="text"> [2J</td><td>2</td></tr>' in text


def test_a_column_writes_its_values_in_its_form_and_numbers_have_their_signs():
    table = Table(["n", Column("change", "{:+.1f} %".format, absent="-")], [[-1, 0.25], [2, None]])
    assert table.plain() == [" n  change", "-1  +0.2 %", " 2       -"]
    assert table.csv() == "n,change\n-1,0.25\n2,\n"
    assert table.without("n").plain() == ["change", "+0.2 %", "     -"]


SIGNS = "=+-@＝＋－＠"
ATTACKS = [
    before + sign + "1+1"
    for before in (
        *("", " ", "\t", "\u3000", "\xa0", '"', "'", "\r", "\n", "x\n", "x\r\n", "x\r", "x\v"),
        *("x;", "x; ", "x,", "x\t", "x|", 'x;"', "x;'", 'x";"', ";;", "\x85", "x\u2028", "\x1e"),
    )
    for sign in SIGNS
]


def cells_of(text):
    """Return the cells that any spreadsheet may see: split at each sign, with quotes or without."""
    found = []
    for sign, quoting in itertools.product(",;\t|", (csv.QUOTE_MINIMAL, csv.QUOTE_NONE)):
        lines = text.splitlines(keepends=True) if quoting == csv.QUOTE_NONE else io.StringIO(text)
        for row in csv.reader(lines, delimiter=sign, quoting=quoting):
            found += row
    return found


def runs(cell):
    """Tell whether a spreadsheet may run a cell, also after taking spaces and quotes off."""
    return cell.strip(' \t\u3000\xa0"').startswith(tuple(SIGNS))


@pytest.mark.parametrize("where", [0, 1, 2])
def test_no_spreadsheet_finds_a_formula_whatever_separates_cells(where):
    for attack in ATTACKS:
        row = ["a", "b", "c"]
        row[where] = attack
        assert not any(map(runs, cells_of(csv_text([row, row])))), repr(attack)


def test_other_forms_of_a_table_have_no_formulas_either():
    """Spreadsheets read HTML, and people copy tables from a terminal."""
    for attack in ATTACKS:
        table = Table([left("name"), attack], [[attack, attack]])
        console = Console(file=io.StringIO(), width=200)
        console.print(table.rich())
        head, _, row = table.markdown().replace("\\", "").splitlines()
        shown = [*table.plain(), *console.file.getvalue().splitlines(), head[2:], row[2:]]
        shown += map(html.unescape, re.findall("<t[dh][^>]*>(.*?)</t[dh]>", table.html()))
        assert not any(map(runs, cells_of("\n".join(shown)))), repr(attack)


def test_ordinary_texts_stay_as_they_are():
    for text in (
        "my-bot.py",
        "mcts:c=-0.5,depth=3",
        "a - b",
        "me@example.org",
        "Anna-Lena",
        "3 + 4",
        "3,-1 r2 m4",
        "-1 r2,-12 r2 m4",
        "-1.5 x 2",
        " +7 points ; -2 points",
    ):
        assert inert(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *("-1+cmd|' /C calc'!A0", "-1|x", "-1 cmd|' /C calc'!A0", "-1*2", "-A1", "- A1", "-1 (2)"),
        *("=", "@", "=1", "@1", "-1 =2", "-1 r2:m4", "--1", "-1%", "+1 -2", "-'1", "-.5", "-1!x"),
        *("-1", "-1,5*A1", "-", "-,5*A1", "-1 5*A1", "-1 500"),
    ],
)
@pytest.mark.parametrize("before", ["", "3,", "x; ", "\n"])
def test_a_number_that_is_calculated_with_is_quoted(text, before):
    assert inert(before + text).startswith(f"{before}'{text[0]}")


@pytest.mark.parametrize("text", ["\u202egpj.exe", "a\x1b[31mb", "x\u2066y", "\x9b2J", "a\u200fb"])
def test_no_form_of_a_table_has_control_characters_or_direction_marks(text):
    table = Table([left(text), "n", Column("p", str)], [[text] * 3])
    console = Console(file=io.StringIO(), width=60)
    console.print(table.rich(text))
    forms = [*table.plain(), table.markdown(), table.html(text), console.file.getvalue()]
    assert all(line.isprintable() for form in forms for line in form.split("\n"))
    assert all(line.isprintable() for line in csv_text([[text, text]]).splitlines())


def test_markdown_has_no_emphasis_from_outside():
    (line,) = Table([left("name")], [["_a_ my_bot ~~b~~ $x$"]]).markdown().splitlines()[2:]
    assert line == r"| \_a\_ my_bot \~\~b\~\~ \$x\$ |"
