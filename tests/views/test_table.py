"""Tables: the same rows in every form."""

import csv
import io

from rich.console import Console

from ludograph.views.table import Table, csv_text

TABLE = Table(["name", "n"], [["a", "10"], ["long name", "9"]])


def test_plain_columns_line_up():
    assert TABLE.plain() == [
        "name        n",
        "a          10",
        "long name   9",
    ]


def test_wide_letters_take_two_columns():
    assert Table(["name", "n"], [["日本", "1"]]).plain() == ["name  n", "日本  1"]


def test_markdown_escapes_markup():
    lines = Table(["name", "n"], [["a|b", "1"], ["<i>", "2"]]).markdown().splitlines()
    assert lines[1] == "| --------- | --: |"
    assert r"a\|b" in lines[2]
    assert "&lt;i&gt;" in lines[3]


def test_csv_runs_no_formula_and_is_read_back():
    text = csv_text([["name", "n"], ["=1+1", 0.12345678], [None, 3]])
    assert list(csv.reader(io.StringIO(text))) == [
        ["name", "n"],
        ["'=1+1", "0.123457"],
        ["", "3"],
    ]


def test_a_terminal_shows_names_as_they_are():
    console = Console(file=io.StringIO(), width=60)
    console.print(Table(["name"], [["[bold]x[/bold]"]]).rich("a caption"))
    shown = console.file.getvalue()
    assert "[bold]x[/bold]" in shown
    assert "a caption" in shown


def test_html_escapes_every_text():
    text = Table(["name", "n"], [["<b>", "1"], ["\x1b[2J", "2"]]).html("a & b", faint=[1])
    assert "<caption>a &amp; b</caption>" in text
    assert '<tr><td class="text">&lt;b&gt;</td><td>1</td></tr>' in text
    assert '<tr class="out"><td class="text"> [2J</td><td>2</td></tr>' in text
