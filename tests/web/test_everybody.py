"""Pages of ladders and tournaments in a browser, and whether everybody can use all pages."""

import sys
import time
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Route

from ludograph import make, play_match
from ludograph.arena.ladder import LadderFolder
from ludograph.arena.ladder.people import Person, digest_of
from ludograph.cli.declared_files import read_ladder
from ludograph.players.isolation import Level
from ludograph.web.app import application
from ludograph.web.ladder.ladders import LadderPages
from tests.cli.run import succeed
from tests.web.board import ASKED_OR_OVER, begin, choose, open_menu
from tests.web.conftest import served

pytestmark = pytest.mark.slow

AXE = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"
TOKEN = "a-token-of-anna"
NUMBER, DEALT = "20260101-0123456789", "20260101-0123456780"

PAGES = {
    "/": "main",
    "/games/carcassonne": "form",
    "/games/penguins/set-up?board=full-hexa&board.width=4": "#arrange[data-ready]",
    "/tournaments": "table",
    "/tournaments/1": "table",
    "/tournaments/2": ".bracket",
    "/tournaments/1/screen": "table",
    "/tournaments/2/screen": ".bracket",
    "/tournaments/1/games?player=random&opponent=connex": ".list",
    "/tournaments/new/flood": "form",
    "/ladders/course": "table",
    "/ladders/course/players/bad.py": ".report",
    f"/enter?token={TOKEN}&next=/ladders/course/me": "form",
    "/boards/new": "#points",
    "/puzzles": "main",
    f"/puzzles/here/{NUMBER}": "#puzzle[data-ready]",
    "/enter": "form",
    "/no-such-page": "main",
    f"/replay/here/{NUMBER}#1": "#replay[data-shown]",
    f"/embed/here/{NUMBER}#1": "#replay[data-shown]",
}
"""The pages of the server, and what is there when they are ready."""

LOOK = """async (rules) => {
  const only = rules ? { runOnly: rules } : {};
  const { violations } = await axe.run({ resultTypes: ["violations"], ...only });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) =>
    `${id}: ${target} ${any.map(({ message }) => message).join("; ")}`));
}"""


def faults_of(page):
    """Yield what axe finds on a page that is light, and of its colors while it is dark."""
    page.add_script_tag(path=AXE)
    for scheme, rules in {"light": None, "dark": ["color-contrast"]}.items():
        page.emulate_media(color_scheme=scheme)
        if wrong := page.evaluate(LOOK, rules):
            yield scheme, wrong


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server with a ladder, a tournament, and a record with thoughts."""
    folder = tmp_path_factory.mktemp("accessible")
    course = folder / "course"
    succeed("ladder", "init", course, "flood", "-m", 3, "--clock", "5s")
    (course / "players" / "bad.py").write_text("def choose(position):\n    return -5\n")
    succeed("ladder", "run", course, "--games", 2, "-j", 1)
    (course / "reports").mkdir(exist_ok=True)
    (course / "reports" / "bad.py.txt").write_text("bad.py is suspended\n")
    anna = Person("s1", "Anna", digest_of(TOKEN), team="Red", players=("bad.py",))
    LadderFolder(course).people.write_bytes(msgspec.json.encode([anna]))
    store = folder / "store.db"
    board = ("--board", "hexagonal:3", "--games", 2)
    succeed("tournament", "hex", *board, "random", "connex", "--store", store)
    cup = ("--format", "knockout", "random", "connex", "random:random=1")
    succeed("tournament", "hex", *board, *cup, "--store", store)
    players = ["mcts:sims=40", "random"]
    record = folder / "games" / f"{NUMBER}.jsonl"
    record.parent.mkdir()
    play_match(make("hex", size=3, pie=False), players, record=record, thoughts=True)
    deals = make("carcassonne", deck="course:8", rules="course")
    play_match(deals, ["random", "random"], record=record.with_stem(DEALT))
    ladder = LadderPages(read_ladder(LadderFolder(course)), Level.STRICT)
    with served(application(record.parent, str(store), ladders=[ladder])) as found:
        yield found


def test_axe_finds_nothing_on_any_page_light_or_dark(address, chromium) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not here: make test-all installs it")
    still = {"bypass_csp": True, "reduced_motion": "reduce"}  # what fades in has all of its colors
    context = chromium.new_context(base_url=address, **still)
    context.set_default_timeout(30_000)
    page = context.new_page()
    found = {}

    def look(name: str) -> None:
        for scheme, wrong in faults_of(page):
            found[f"{name}, {scheme}"] = wrong

    page.goto("/enter")
    page.evaluate("document.getElementById('main').append(new Image())")
    look("a picture without a name")
    (told,) = found.pop("a picture without a name, light")
    assert told.startswith("image-alt")
    for path, ready in PAGES.items():
        page.goto(path)
        page.wait_for_selector(ready)
        look(path)
    page.goto(f"/enter?token={TOKEN}&next=/ladders/course/me")
    page.get_by_role("button", name="Come in").click()
    page.wait_for_selector("h2")
    look("the page of a participant")
    page.goto(f"/replay/here/{DEALT}#0")
    page.wait_for_selector("#replay[data-shown='0']")
    page.get_by_role("button", name="Try moves").click()
    page.locator("#tries .chance").wait_for()
    look("what chance brings")
    page.goto(f"/replay/here/{NUMBER}#1")
    page.locator("#evaluation .best .line-move").first.click()
    page.wait_for_selector("#variations .line-move[aria-current]")
    look("a line of moves")
    begin(page, "penguins", board_width="4", penguins="1", player1="random", seed="1")
    choose(page)
    page.wait_for_selector("#moves li:nth-child(2)")
    look("a match under way")
    page.locator("#how").click()
    look("how it is played")
    page.keyboard.press("Escape")
    open_menu(page)
    look("settings and tools")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign now?").click()
    page.locator("#after").wait_for()
    look("the end of a match")
    context.close()
    assert found == {}


SHIFTS = """new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) window.shifted = (window.shifted ?? 0) + entry.value;
  }
}).observe({ type: "layout-shift", buffered: true })"""

SMALL_TARGETS = """(least) => [...document.querySelectorAll("a, button, input, select, summary")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((each) => !each.matches(".skip, .line-move, .turning, .overview *"))
  .filter((each) => !(each.matches("a") && getComputedStyle(each).display === "inline"))
  .filter((each) => !each.matches("input[type=checkbox], input[type=radio], input[type=file]"))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && height && Math.min(width, height) < least)
  .map(([each, { width, height }]) =>
    `${each.tagName} ${each.id || each.textContent.trim()}: ${width} x ${height}`)"""
"""Buttons and fields that are too small for a finger. Links within sentences, the moves of a line
and the points of a graph may be small, as many are beside each other; boxes have labels."""

WEIGHT = """performance.getEntriesByType("resource").reduce((sum, { encodedBodySize }) =>
  sum + encodedBodySize, performance.getEntriesByType("navigation")[0].encodedBodySize)"""

FINGER, SHIFTED, HEAVY = 40, 0.1, 300_000
"""The least pixels of a target, the largest shift of a page's layout, the most bytes of a page."""

PHONES = [(390, 844), (360, 640)]


def late(route: Route) -> None:
    """Let a picture come after the page without it was painted."""
    time.sleep(1.0)
    route.continue_()


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_pages_stand_still_on_phones_and_are_made_for_fingers_and_light(
    address, chromium, width, height
) -> None:
    context = chromium.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
    )
    context.set_default_timeout(30_000)
    context.add_init_script(SHIFTS)
    context.route("**/example.svg", late)
    found = {}
    for path, ready in PAGES.items():
        page = context.new_page()
        page.goto(path)
        page.wait_for_selector(ready)
        page.wait_for_load_state("networkidle")
        shifted = page.evaluate("window.shifted ?? 0")
        wide = page.evaluate("document.documentElement.scrollWidth")
        faults = [
            *page.evaluate(SMALL_TARGETS, FINGER),
            *([f"shifts by {shifted:.3f}"] if shifted > SHIFTED else []),
            *([f"weighs {weight}"] if (weight := page.evaluate(WEIGHT)) > HEAVY else []),
            *([f"{wide} pixels wide"] if wide > width else []),
        ]
        print(f"{path}: shift {shifted:.3f}, {weight:,} bytes, {faults}")
        if faults:
            found[path] = faults
        page.close()
    context.close()
    assert found == {}


FIRST_MOVE = b"def choose(position):\n    return position.legal_moves()[0]\n"


def test_players_are_brought_and_tournaments_begun_by_clicks(address, chromium) -> None:
    page = chromium.new_page(base_url=address)
    page.set_default_timeout(300_000)  # an upload is tried in two games
    page.goto("/ladders/course")
    bring = page.get_by_role("button", name="Upload")
    for name, told in (
        ("new.py", "new.py is uploaded. "),
        ("New.py", "New.py looks like new.py, which is there already"),
        ("../../x.py", "A player is a file of ASCII letters, digits and ._- that ends with"),
    ):
        file = {"name": "x.py", "mimeType": "", "buffer": FIRST_MOVE}
        page.locator("#file").set_input_files(file)
        page.locator("#name").fill(name)
        bring.click()
        page.locator("#upload-message", has_text=told).wait_for()
    page.locator("#name").fill("short")
    held = []

    def hold(route) -> None:  # no answer yet
        held.append(route)

    page.route("**/ladders/course/players/*", hold)
    bring.click()
    page.locator("#upload-message", has_text="short.py is uploaded and checked …").wait_for()
    assert bring.is_disabled()
    held[0].continue_()
    page.locator("#upload-message", has_text="it takes part within seconds").wait_for()
    assert bring.is_enabled()
    page.goto("/tournaments/new/hex")
    page.get_by_label("Width", exact=True).fill("3")
    for player in ("random", "connex"):
        page.locator(f"[name='enters.{player}']").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#fresh:not([data-running])")  # the page keeps itself up to date
    assert "4 games" in page.locator("#fresh").inner_text()
    page.close()


REACHABLE = """() => [...document.querySelectorAll("a, button, input, select, textarea, summary")]
  .filter((each) => each.checkVisibility() && !each.disabled && each.type !== "hidden")
  .map((each, number) => { each.dataset.number = number; return number; })"""


def test_all_of_every_form_is_reached_and_sent_by_keys(address, chromium) -> None:
    page = chromium.new_page(base_url=address)
    page.set_default_timeout(30_000)
    for path in ("/games/flood", "/tournaments/new/flood", "/boards/new"):
        page.goto(path)
        for closed in page.locator("details:not([open]) summary").all():
            closed.focus()
            page.keyboard.press("Enter")
        wanted = {str(number) for number in page.evaluate(REACHABLE)}
        page.evaluate("document.activeElement.blur()")
        for _ in range(len(wanted) + 20):
            page.keyboard.press("Tab")
            wanted.discard(page.evaluate("document.activeElement.dataset.number"))
        assert wanted == set()
    page.goto("/games/hex")
    page.locator("[name='board.width']").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    page.locator("#how").focus()
    page.keyboard.press("Enter")
    page.locator("#help").wait_for()
    page.keyboard.press("Escape")
    page.locator("#help").wait_for(state="hidden")
    page.locator("#how").click()
    page.locator("#help").evaluate("window => window.scrollTo(0, window.scrollHeight)")
    cross = page.get_by_role("button", name="Close")
    cross.click(trial=True)  # it is in sight, wherever one reads
    page.get_by_text("By typing").click()
    assert page.locator("#help").is_visible()
    page.mouse.click(3, 3)
    page.locator("#help").wait_for(state="hidden")
    page.close()
