"""Ladders on pages: their tables, their players, and who may upload one."""

import html
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from ludograph.arena.ladder import LadderFolder, State, enrolment
from ludograph.arena.ladder.orders import read_orders, suspend
from ludograph.arena.ladder.table import LadderLine
from ludograph.cli.declared_files import read_ladder
from ludograph.games.registry import declaration, load, names
from ludograph.players.isolation import Isolation, Level
from ludograph.web.ladder import ladders, uploads
from ludograph.web.ladder.ladders import LadderPages
from ludograph.web.server.tokens import ALONE, OPEN
from tests.arena.ladder.making import ladder_in, put, run
from tests.cli.run import succeed
from tests.web.conftest import by_role
from tests.web.ladder.conftest import FAULTY, SHORT, play_ladder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A ladder that has played a few games, with a player that always crashes."""
    path = tmp_path_factory.mktemp("ladders") / "course"
    play_ladder(path, 12, short=SHORT, faulty=FAULTY)
    return path


@pytest.fixture
def ladder(folder):
    return LadderPages(read_ladder(LadderFolder(folder)), Level.BASIC)


@pytest.mark.slow
def test_a_ladder_has_table_plot_cross_table_and_schedule(ladder, serving) -> None:
    client = serving(ladder)
    assert 'href="/ladders/course"' in client.get("/ladders").text
    shown = client.get("/ladders/course").text
    assert re.search(r"not running.* \d\d:\d\d:\d\d UTC", shown)
    for name, value in {
        "Clock": "5 s a move, 10 s to start",
        "Openings": "none",
        "Games at a time": "1",
    }.items():
        assert f"<dt>{name}</dt><dd>{value}</dd>" in shown
    for name in ("short.py", "greedy"):
        told = client.get(f"/ladders/course/players/{name}").text
        assert "Latest games" in told
        assert not re.search(r"\(seat \d|vertices", told)
    for told in ("short.py", "faulty.py", "Against each other", "Who meets next", "crash"):
        assert told in shown
    assert client.get("/ladders/course/ratings.svg").text.startswith("<svg")
    assert client.get("/ladders/none").status_code == 404
    path, count = re.search(
        r'href="(/ladders/course/games\?player=short.py&amp;[^"]+)">.*?/(\d+)</span></a>', shown
    ).groups()
    games = client.get(html.unescape(path)).text
    assert games.count('href="/replay/ladder-course/') == int(count)
    assert client.get("/ladders/course/games?player=faulty.py&opponent=no.py").status_code == 404


@pytest.mark.slow
def test_pages_of_a_ladder_whose_server_is_away_answer_with_one_sentence(
    postgresql, tmp_path, serving, monkeypatch
) -> None:
    monkeypatch.setattr(ladders, "FRESH", -1.0)
    monkeypatch.setattr(enrolment, "SETTLE", 0.0)
    (tmp_path / "course").mkdir()
    ladder = ladder_in(tmp_path / "course", store_url=postgresql.new_store())
    put(ladder, "ann.py", 2)
    run(ladder, 4)
    client = serving(LadderPages(ladder, Level.BASIC))
    assert "4 games" in (page := client.get("/ladders/course").text)
    assert re.search(r"not running.* \d\d:\d\d:\d\d UTC", page)
    postgresql.stop()
    try:
        for path in ("", "/players/ann.py", "/games?player=ann.py&opponent=greedy"):
            answer = client.get(f"/ladders/course{path}", headers={"accept": "text/html"})
            assert answer.status_code == 503
            assert "reached" in answer.text
        record = client.get("/replay/ladder-course/1", headers={"accept": "text/html"})
        assert record.status_code == 503
    finally:
        postgresql.start()
    assert client.get("/ladders/course").status_code == 200


@pytest.mark.slow
def test_a_busy_server_shows_the_last_table_with_its_age(ladder, serving, monkeypatch) -> None:
    client = serving(ladder)
    pool = client.app.state.context.pools.reading
    kinds = pool.kind, pool.kind._replace(processes=0, queue=0)
    monkeypatch.setattr(pool, "kind", kinds[1])
    assert client.get("/ladders/course").status_code == 503  # there is no table yet
    monkeypatch.setattr(pool, "kind", kinds[0])
    assert " old." not in client.get("/ladders/course").text
    read, table = ladder._now
    monkeypatch.setattr(ladder, "_now", (read - 300, table))
    monkeypatch.setattr(pool, "kind", kinds[1])
    answer = client.get("/ladders/course")
    assert answer.status_code == 200
    assert "short.py" in answer.text
    assert "This one is 5 min old." in answer.text
    monkeypatch.setattr(pool, "kind", kinds[0])
    assert " old." not in client.get("/ladders/course").text


@pytest.mark.slow
def test_a_file_that_changes_is_read_again(folder, serving, monkeypatch) -> None:
    monkeypatch.setattr(ladders, "FRESH", -1.0)
    pages = LadderPages(read_ladder(LadderFolder(folder)), Level.BASIC, reread=read_ladder)
    client, file = serving(pages), folder / "ladder.toml"
    before = file.read_text()
    assert "4 × 4 squares" in client.get("/ladders/course").text
    try:
        file.write_text(before.replace("5s", "7s"))
        shown = client.get("/ladders/course").text
        assert 'class="complaint" role="status"' in shown
        assert "12 games" in shown
        file.write_text(before.replace("5s", "never"))
        shown = client.get("/ladders/course").text
        assert re.search('class="complaint" role="alert".*ladder.toml, line ', shown)
    finally:
        file.write_text(before)
    assert "complaint" not in client.get("/ladders/course").text


@pytest.mark.slow
def test_only_what_somebody_should_mend_is_a_complaint(ladder, serving) -> None:
    shown = serving(ladder).get("/ladders/course/players/greedy").text
    assert "<p>Built in, fixed.</p>" in shown
    assert "complaint" not in shown
    assert "rating 1000" in shown.lower()


@pytest.mark.slow
def test_a_player_has_versions_opponents_and_forfeits_with_their_records(ladder, serving) -> None:
    client = serving(ladder)
    shown = client.get("/ladders/course/players/faulty.py").text
    assert "It crashes, in" in shown
    games, lost, forfeited = map(
        int,
        re.findall(r"</code>: (\d+) games, 0 won, 0 drawn, (\d+) lost, (\d+) of them", shown)[0],
    )
    assert games == lost == forfeited
    assert "&lt;b&gt;no" in shown
    assert "<b>no" not in shown
    link, step = re.search(r'href="/replay/ladder-course/(\d+)#(\d+)"', shown).groups()
    assert "ludograph player debug faulty.py flood --record game.jsonl --seat" in shown
    story = client.get(f"/replay/ladder-course/{link}/story").json()
    assert "faulty.py" in story["names"]
    assert story["steps"][int(step)]["text"] == "out: crash"
    assert "raise ValueError" in shown  # of the traceback, which is folded
    assert client.get("/ladders/course/players/none.py").status_code == 404
    assert client.get("/replay/ladder-none/1/story").status_code == 404


@pytest.mark.slow
def test_who_may_not_look_is_asked_for_a_token_which_leads_to_no_other_site(
    ladder, serving, tokens
) -> None:
    client = serving(ladder, tokens=tokens)
    refused = client.get("/", headers={"accept": "text/html"})
    assert refused.status_code == 401
    assert 'name="token"' in refused.text
    assert client.post("/enter", data={"token": "guess"}).status_code == 403
    sent = {"token": by_role(tokens, "look"), "next": "//elsewhere.example"}
    assert str(client.post("/enter", data=sent).url) == "http://localhost/"


@pytest.mark.slow
def test_who_has_a_token_brings_versions_of_what_was_its_own(ladder, serving, tokens) -> None:
    client = serving(ladder, tokens=tokens)
    mine = {"authorization": f"Bearer {by_role(tokens, 'upload')}"}
    base = "/ladders/course/players/"

    def bring(name, data=SHORT, headers=mine):
        return client.post(base + name, content=data, headers=headers).status_code

    assert bring("mine.py") == 200
    assert bring("mine.py", SHORT + "#\n") == 200
    assert (ladder.ladder.folder.players / "mine.py").read_text() == SHORT + "#\n"
    assert bring("short.py") == 403  # brought by hand
    odd = (
        "y.py%0a",
        "y.py%0A%0d",
        "%0ay.py",
        "y%00.py",
        "y.py%E2%80%AE",
        "y%1b.py",
        "y.py%e2%80%a8",
    )
    for name in ("x.txt", ".x.py", "a b.py", "é.py", "x" * 99 + ".py", *odd):
        assert bring(name) in (400, 404)
    assert bring("empty.py", b"") == 400
    assert bring("large.py", b"#" * (5 << 20)) == 413
    assert 429 in [bring("x.txt") for _ in range(20)]
    (ladder.ladder.folder.players / "mine.py").unlink()


@pytest.mark.slow
def test_owners_withdraw_their_players_and_operators_replace_and_withdraw_each(
    ladder, serving, tokens
) -> None:
    client, folder = serving(ladder, tokens=tokens), ladder.ladder.folder
    mine, operators = (
        {"authorization": f"Bearer {by_role(tokens, role)}"} for role in ("upload", "operate")
    )

    def asked(method, name, headers, content=SHORT):
        path = f"/ladders/course/players/{name}"
        return client.request(method, path, content=content, headers=headers).status_code

    assert asked("POST", "own.py", mine) == 200
    assert asked("POST", "Own.py", mine) == 400  # the same file where case does not count
    owners = folder.read_owners()
    assert asked("POST", "own.py", operators) == asked("POST", "short.py", operators) == 200
    assert folder.read_owners() == owners
    assert asked("POST", "new.py", operators) == 200
    assert folder.read_owners()["new.py"] == folder.author("new.py") == "operator"
    assert asked("DELETE", "new.py", mine, "") == 403
    assert asked("DELETE", "new.py", operators, "") == 200
    assert asked("DELETE", "own.py", mine, "") == 200
    assert not (folder.players / "own.py").exists()
    assert (folder.withdrawn / "own.py").exists()
    assert asked("DELETE", "own.py", mine, "") == 404
    assert asked("POST", "faulty.py/suspend", mine, "") == 401
    assert asked("POST", "faulty.py/suspend", operators, "a copy") == 200
    assert read_orders(folder).suspend == {"faulty.py": "a copy"}
    assert asked("POST", "none.py/suspend", operators, "a copy") == 404
    assert asked("POST", "faulty.py/reinstate", operators, "") == 200
    assert read_orders(folder).suspend == {}
    folder.orders.unlink()
    shown = [
        re.findall(r'data-order="(\w+)"', client.get(path, headers=who).text)
        for who in (mine, operators)
        for path in ("/ladders/course/players/faulty.py", "/ladders/course/players/greedy")
    ]
    assert shown == [[], [], ["Withdraw", "Suspend", "Reinstate"], []]


@pytest.mark.slow
def test_the_reason_of_a_suspension_is_shown_to_all_as_text(tmp_path, serving) -> None:
    (tmp_path / "course").mkdir()
    made = ladder_in(tmp_path / "course")
    put(made, "ann.py", 1)
    put(made, "bob.py", 1)
    run(made, 4)
    made.folder.write_report("ann.py", "a warning of its compiler")
    suspend(made.folder, "ann.py", "<b>a copy</b>")
    run(made, 0)
    pages = LadderPages(made, Level.BASIC)
    for tokens, reads in ((ALONE, True), (OPEN, False)):
        shown = serving(pages, tokens=tokens).get("/ladders/course/players/ann.py").text
        assert "Suspended: by an operator: &lt;b&gt;a copy" in shown
        assert "<b>a copy" not in shown
        assert ("a warning of its compiler" in shown) is reads


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "source", "said"),
    [
        ("eve.py", "def choose(position):\n    return (1\n", "eve\\.py:2: SyntaxError: '\\(' was"),
        ("null.py", "x = 1\0\n", "null bytes"),
        ("eve.py", "x = 1\n", r"eve\.py .*choose\(position\)"),
        ("eve.c", "int f(void)\n{ return x; }\n", r"eve\.c:2:10: error: 'x' "),
        ("eve.c", "int f(void) { return 1; }\n", r"eve\.c .*function '"),
        ("eve.c", '#include "list.h"\n', r"list\.h: .* one file"),
        ("eve.run", "def choose(position):\n", "Linux"),
    ],
)
def test_who_brings_a_mistake_hears_it_at_once(
    ladder, serving, tmp_path, name, source, said
) -> None:
    """And what was there before stays."""
    if name.endswith(".c") and shutil.which("gcc") is None:
        pytest.skip("no C compiler")
    client = serving(ladder)
    sound = "#!/bin/sh\nexit\n" if name.endswith(".run") else SHORT
    if name.endswith(".c"):
        succeed("player", "new", "flood", tmp_path / name)
        sound = (tmp_path / name).read_text()
    base = f"/ladders/course/players/{name}"
    taken = client.post(f"{base}?anyway", content=sound)  # the program speaks no protocol
    assert taken.status_code == 200, taken.text
    assert "is uploaded" in taken.json()["message"]
    answer = client.post(base, content=source)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(f"{name} was not accepted: ")
    assert len(re.findall(said, answer.json()["error"])) == 1
    file = ladder.ladder.folder.players / name
    assert file.read_text() == sound
    file.unlink()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
def test_a_function_that_nobody_defines_is_named_before_the_player_plays(
    ladder, serving, tmp_path
) -> None:
    """In a source, and in a library."""
    succeed("player", "new", "flood", tmp_path / "eve.c")
    source = (tmp_path / "eve.c").read_text() + "int my_own(void);\nint f(void){return my_own();}\n"
    (tmp_path / "all.c").write_text(source)
    words = ["gcc", "-w", "-shared", "-fPIC", "-I", tmp_path, tmp_path / "all.c", "-o"]
    subprocess.run([*words, tmp_path / "eve.so"], check=True)
    client = serving(ladder)
    for name, data in (("eve.c", source), ("eve.so", (tmp_path / "eve.so").read_bytes())):
        answer = client.post(f"/ladders/course/players/{name}", content=data)
        assert answer.status_code == 400
        assert re.match(f"{name} was .*: {name} .*my_own", answer.json()["error"])
        assert not (ladder.ladder.folder.players / name).exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")
def test_who_brings_a_source_that_compiles_long_is_told_where_to_look(
    ladder, serving, monkeypatch
) -> None:
    """And, having used up its time, what it brings is taken unread."""
    monkeypatch.setattr(uploads, "CHECK_SECONDS", 1.0)
    client = serving(replace(ladder, ladder=replace(ladder.ladder, compile_seconds=1)))
    slow = '#if __INCLUDE_LEVEL__ < 60\n#include "slow.c"\n#include "slow.c"\n#endif\n'
    for source in (slow, "no C at all"):
        answer = client.post("/ladders/course/players/slow.c", content=source)
        assert answer.status_code == 200
        assert "/ladders/course/players/slow.c." in answer.json()["message"]
    (ladder.ladder.folder.players / "slow.c").unlink()


@pytest.mark.slow
def test_nothing_is_brought_where_nothing_is_isolated(ladder, serving, folder) -> None:
    unsafe = LadderPages(ladder.ladder, None, "no level holds")
    lax = LadderPages(replace(ladder.ladder, isolation=Isolation(Level.NONE)), Level.STRICT)
    for closed, sentence in ((unsafe, "no level holds"), (lax, "strictest")):
        client = serving(closed)
        assert sentence in client.get("/ladders/course").text.replace("&#39;", "'")
        answer = client.post("/ladders/course/players/x.py", content=SHORT)
        assert answer.status_code == 400
        assert sentence in answer.json()["error"]
        assert not (folder / "players" / "x.py").exists()


def test_an_empty_ladder_says_what_it_waits_for_and_what_a_player_is(tmp_path, serving) -> None:
    path = tmp_path / "empty"
    succeed("ladder", "init", path, "flood", "-m", 4)
    pages = LadderPages(read_ladder(LadderFolder(path)), Level.BASIC)
    client = serving(pages)
    shown = client.get("/ladders/empty").text
    assert "ladder run empty" in shown
    assert "Who meets next" not in shown
    pages.now = pages.now._replace(state=State(number=1))
    assert "first player" not in shown
    assert "first player" in client.get("/ladders/empty").text
    assert "method <code>choose(position)</code>" in shown
    assert 'href="/games/flood/my_player.py" download' in shown


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_each_game_has_a_player_to_start_from_which_plays(game, tmp_path, serving) -> None:
    answer = serving().get(f"/games/{game}/my_player.py")
    assert answer.headers["content-disposition"] == 'attachment; filename="my_player.py"'
    file = tmp_path / "my_player.py"
    succeed("player", "new", game, file)
    assert file.read_text() == answer.text
    assert "def choose(self, position)" in answer.text


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_each_game_with_a_c_interface_has_a_player_in_c_to_start_from(
    game, tmp_path, serving
) -> None:
    ladder_in = tmp_path / "course"
    succeed("ladder", "init", ladder_in, game)
    client = serving(LadderPages(read_ladder(LadderFolder(ladder_in)), Level.BASIC))
    shown = client.get("/ladders/course").text
    has_c = load(declaration(game)).interop.library is not None
    assert (f'href="/games/{game}/my_player.c"' in shown) == has_c
    assert ("a C source" in shown) == has_c
    got = [client.get(f"/games/{game}/{name}") for name in ("my_player.c", "player.h")]
    if not has_c:
        assert all(answer.status_code == 404 for answer in got), got
        return
    succeed("player", "new", game, tmp_path / "my_player.c")
    for answer, name in zip(got, ("my_player.c", "player.h"), strict=True):
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert (tmp_path / name).read_text() == answer.text


def test_the_rank_of_a_player_is_one_among_brought_players() -> None:
    lines = [LadderLine("greedy", note="built in"), LadderLine("a.py", rank=1), LadderLine("b.py")]
    assert ladders.ranked(lines) == 1
