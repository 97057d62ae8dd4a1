"""Tables of pages in a browser: sorted and filtered, by the keyboard too."""

import pytest

from tests.cli.run import succeed

PLAYERS = ("random", "connex", "mcts:sims=2", "mcts:sims=3", "connex:random=0.5")
NAMES = ("random", "connex", "mcts (sims 2)", "mcts (sims 3)", "connex (random 0.5)")
"""The same players as pages name them."""


@pytest.mark.slow
def test_a_table_is_sorted_and_filtered_by_the_keyboard_and_stays_so(page, server) -> None:
    games = ("--board", "hexagonal:3", "--games", 2, "--seed", 1)
    succeed("tournament", "hex", *games, *PLAYERS, "--store", server[1].store)
    page.goto("/tournaments/1")
    names = page.locator("table.sortable tbody tr:visible td:nth-child(2)")
    before = names.all_inner_texts()
    assert set(before) == set(NAMES)
    head = page.get_by_role("button", name="Player", exact=True)
    head.focus()
    page.keyboard.press("Enter")
    assert names.all_inner_texts() == sorted(NAMES)
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Player")
    page.keyboard.press("Enter")
    assert names.all_inner_texts() == sorted(NAMES, reverse=True)
    page.get_by_role("button", name="Points").press("Enter")
    points = page.locator("table.sortable tbody tr td:nth-child(7)").all_inner_texts()
    assert [float(text) for text in points] == sorted(map(float, points), reverse=True)
    page.get_by_role("searchbox").press_sequentially("MCTS")
    assert set(names.all_inner_texts()) == {"mcts (sims 2)", "mcts (sims 3)"}
    assert page.get_by_role("status").inner_text() == "2 of 5"


@pytest.mark.slow
def test_a_page_that_is_brought_up_to_date_keeps_focus_filter_and_order(page, server) -> None:
    games = ("--board", "hexagonal:3", "--games", 2, "--seed", 2)
    succeed("tournament", "hex", *games, *PLAYERS, "--store", server[1].store)
    number = server[1].tournament_runner.begin(
        "hex",
        {
            "board": "hexagonal",
            "board.width": "6",
            "games": "200",
            **{f"enters.{player}": "on" for player in ("random", "connex", "mcts")},
            **{"enters.resistance": "on", "enters.minimax": "on", "time": "0.05"},
        },
    )
    try:
        page.goto(f"/tournaments/{number}")
        page.get_by_role("button", name="Player", exact=True).press("Enter")
        page.get_by_role("searchbox").press_sequentially("r")
        page.evaluate("document.getElementById('fresh').dataset.old = 'yes'")
        page.locator("#fresh:not([data-old])").wait_for()
        assert page.get_by_role("searchbox").input_value() == "r"
        page.keyboard.type("esistance")
        assert page.get_by_role("searchbox").input_value() == "resistance"
        assert page.locator("table.sortable tbody tr:visible").count() == 1
        assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Player")
    finally:
        server[1].tournament_runner.stop()
        server[1].tournament_runner.join(300)
