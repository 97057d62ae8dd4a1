"""A person at a page: chooses in forms, looks at the board, clicks on it."""

from __future__ import annotations

from playwright.sync_api import Page

ASKED_OR_OVER = """() => {
  const board = document.querySelector("#board svg")?.board;
  return board && (board.state.input.asks || !document.getElementById("after").hidden);
}"""

BEGUN_OR_REFUSED = """() =>
  location.pathname.startsWith("/match/") || document.querySelector(".complaint")"""
"""The page of a match is open, or the form says what is wrong."""

TARGETS = """() => {
  const svg = document.querySelector("#board svg"), { board } = svg;
  for (const gliding of svg.getAnimations()) gliding.finish();
  return board.targets().map(({ center }) => board.camera.toWindow(center));
}"""
"""Where on the page the cells and places are that can be chosen now."""


def begin(page: Page, game: str, **fields: str) -> None:
    """Fill in the form of a game, where ``board_width`` is the field ``board.width``; start it."""
    page.goto(f"/games/{game}")
    page.locator("summary").click()
    for name, value in fields.items():
        field = page.locator(f"[name='{name.replace('_', '.')}']")
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        elif field.get_attribute("type") == "checkbox":
            field.set_checked(value == "true")
        else:
            field.fill(value)
    page.get_by_role("button", name="Start").click()
    page.wait_for_function(BEGUN_OR_REFUSED, polling=100)
    complaint = page.locator(".complaint:visible")
    assert not complaint.count(), complaint.inner_text()
    page.wait_for_function(ASKED_OR_OVER, polling=100)


def open_menu(page: Page) -> None:
    """Open the settings and tools of a match."""
    page.get_by_role("button", name="Settings and tools").click()


def accept(page: Page, link: str) -> None:
    """Open the link of a seat, and come to the match."""
    page.goto(link)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/match/*?key=*")


def is_over(page: Page) -> bool:
    """Tell whether the game has ended."""
    return page.locator("#after").is_visible()


def choose(page: Page, which: int = 0) -> None:
    """Click once: on what confirms a move, on a target, or on a move that no cell stands for."""
    confirm = page.locator("#choices .confirms")
    if confirm.count():
        confirm.click()
        return
    targets = page.evaluate(TARGETS)
    if targets:
        page.mouse.click(*targets[which % len(targets)])
    else:
        page.locator("#choices button").first.click()


def play_on(page: Page) -> None:
    """Click until the game is over."""
    for click in range(400):
        page.wait_for_function(ASKED_OR_OVER, polling=100)
        if is_over(page):
            return
        choose(page, 7 * click)
    raise AssertionError("the game does not end")


def moves(page: Page) -> list[str]:
    """Return the moves that the page lists."""
    return page.locator("#moves .label").all_inner_texts()
