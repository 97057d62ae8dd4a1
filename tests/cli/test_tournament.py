"""Tournaments from the command line: played, kept, told; what is wrong is said in a sentence."""

import csv
import io
import json
import re
import signal
import sqlite3
import time

import pytest

from ludograph import read_record
from ludograph.arena.store import Store
from ludograph.cli.shared_options import RUN_AGAIN
from tests.cli.run import in_terminal, invoke, plain, refuse, spawn, succeed
from tests.processes import alive, descendants, gone, wait_until

SLOW = "import time\ndef choose(position):\n    time.sleep(0.01)\n    return 'pass'\n"
FIRST = "def choose(position):\n    return position.legal_moves()[0]\n"


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store.db"


@pytest.fixture
def small(store):
    def words(*more):
        return ("tournament", "flood", "-m", 5, "--store", store, "-j", 1, *more)

    return words


def table(text):
    return {row["player"]: row for row in json.loads(text)["players"]}


def test_the_same_command_shows_the_tables_and_plays_nothing_again(small, store):
    command = small("--games", 4, "greedy", "random", "valid")
    text = succeed(*command)
    assert re.match(r"tournament 1, round-robin: flood on .*, 12 games", text)
    again = invoke(*command)
    assert again.stdout == text
    assert again.stderr == ""
    assert succeed("results", "--store", store) == text
    longer = invoke(*small("--games", 6, "greedy", "random", "valid"))
    assert re.search(r"12 games of 18 .*\n6 games now, ", longer.stderr)


def test_the_greatest_seed_can_be_played(small):
    assert "seed 9223372036854775807, 4 games" in succeed(
        *small("--games", 4, "--seed", 2**63 - 1, "greedy", "random")
    )


@pytest.mark.parametrize("words", [("flood",), ("tournament", "flood")])
def test_help_says_that_a_small_seed_is_no_secret(words):
    assert re.search(r"(?s)--seed .*\bguess\b", succeed(*words, "--help"))


def test_all_forms_tell_the_same(small):
    command = small("--games", 4, "greedy", "random", "valid")
    found = table(succeed(*command, "--json"))
    rows = csv.DictReader(io.StringIO(succeed(*command, "--csv")))
    assert {row["player"]: float(row["points"]) for row in rows} == {
        name: row["points"] for name, row in found.items()
    }
    assert sum(row["points"] for row in found.values()) == 12
    markdown = succeed(*command, "--markdown")
    assert all(f"| {name} " in markdown for name in found)
    assert re.search("--json .*--csv", refuse(*command, "--csv", "--json"))


def test_a_knockout_names_its_champion_wherever_its_results_are_shown(small, store):
    command = small("--games", 2, "--format", "knockout", "greedy", "random", "valid")
    told = succeed(*command)
    champion = re.fullmatch(r"Champion: (\S+)\.", told.splitlines()[-1])[1]
    results = ("results", "--store", store)
    assert succeed(*results) == told
    assert succeed(*results, "--markdown").endswith(f"\nChampion: {champion}.\n")
    (semifinals, (final,)) = json.loads(succeed(*results, "--json"))["bracket"]
    assert json.loads(succeed(*results, "--json"))["champion"] == champion == final["winner"]
    assert sorted(each["decided_by"] == "bye" for each in semifinals) == [False, True]
    assert [each["winner"] for each in semifinals] == final["players"]
    assert sum(final["points"]) >= 2
    for duel in (final, *semifinals):
        if duel["decided_by"] == "points":
            best = duel["players"][duel["points"].index(max(duel["points"]))]
            assert duel["winner"] == best
    bracket = told[told.index("semifinals ") :].partition("\n\n")[0]
    assert all(bracket.count(player) >= 1 for player in ("greedy", "random", "valid"))
    assert [line.split()[0] for line in bracket.splitlines()] == [
        "semifinals",
        "semifinals",
        "final",
    ]
    assert re.search(r"\nAfter a tie.* 5 pairs\.", told)
    assert "champion" not in json.loads(succeed(*small("--games", 2, "greedy", "random", "--json")))


@pytest.mark.slow
def test_overtime_is_declared_by_an_option_or_in_a_file(small, store, tmp_path):
    command = small("--games", 2, "--format", "knockout", "--overtime", 20)
    told = succeed(*command, "greedy", "random")
    assert "after 20 pairs." in told
    assert succeed("results", "--store", store) == told
    text = 'game = "flood"\nplayers = ["random", "greedy"]\nformat = "knockout"\ngames = 2\n'
    settings = '[settings]\nboard = "square:4"\n'
    file = tmp_path / "cup.toml"
    file.write_text(f"{text}overtime = 0\n{settings}")
    (tie,) = re.findall(r"(?m)^After a tie .*", succeed("tournament", file, "--store", store))
    assert "pair" not in tie
    file.write_text(f'{text}overtime = "long"\n{settings}')
    told = refuse("tournament", file, "--store", store)
    assert re.search("line 5: overtime: .*`int`", told)
    told = refuse(*small("--overtime", 3, "greedy", "random"))
    assert re.search("overtime: .* knockout", told)
    assert "0 to 500" in refuse(*small("--overtime", "-1", "greedy", "random"))


@pytest.mark.slow
def test_more_processes_play_the_same_games(small, tmp_path):
    one = table(succeed(*small("--games", 6, "--seed", 3, "greedy", "random", "--json")))
    other = small("--games", 6, "--seed", 3, "greedy", "random", "--json", "-j", 2)
    other = [tmp_path / "other.db" if str(word).endswith("store.db") else word for word in other]
    assert table(succeed(*other)) == one


@pytest.mark.slow
def test_forfeits_are_counted_by_reason(small, store, tmp_path):
    (tmp_path / "bad.py").write_text("def choose(position):\n    return 99\n")
    text = succeed(*small("--games", 2, "greedy", tmp_path / "bad.py", "--isolation", "none"))
    assert "2 (2 protocol)" in text
    rated = json.loads(succeed("results", "rate", "--store", store, "--json"))["players"]
    assert rated[0]["player"] == "greedy"
    assert rated[0]["elo"] > rated[1]["elo"]
    found = succeed(
        "results", "games", "--store", store, "--player", "bad.py", "--reason", "protocol"
    )
    assert found.count("protocol") >= 2
    assert succeed("results", "games", "--store", store, "--reason", "timeout", "--json") == ""
    assert succeed("results", "games", "--store", store, "--reason", "timeout").count("\n") == 1


@pytest.mark.slow
def test_an_anchor_is_worth_what_was_said(small, store):
    succeed(*small("--games", 4, "greedy", "mcts:sims=5"))
    for anchor, elo in (("greedy=1500", 1500), ("greedy", 0), ("mcts:sims=5", 0)):
        found = table(succeed("results", "rate", "--store", store, "--anchor", anchor, "--json"))
        assert found[anchor.removesuffix("=1500")]["elo"] == elo
    for elo in ("nan", "inf", "1_500", "1e400"):
        assert "--anchor " in refuse(
            "results", "rate", "--store", store, "--anchor", f"greedy={elo}"
        )
    assert "'nobody'" in refuse("results", "rate", "--store", store, "--anchor", "nobody")
    assert "greedy=1000" in refuse("results", "rate", "--store", store, "--anchor", "greedy=much")


def test_a_game_can_be_opened_and_all_exported(small, store, tmp_path):
    succeed(*small("--games", 4, "greedy", "random"))
    path = tmp_path / "game.jsonl"
    succeed("results", "games", "--store", store, "--game", 3, "--record", path)
    record = read_record(path)
    assert not record.warning
    assert record.end["sentence"] in succeed("replay", path)
    lines = [
        json.loads(line)
        for line in succeed("results", "games", "--store", store, "--json").split("\n")[:-1]
    ]
    assert lines[2]["sentence"] == record.end["sentence"]
    table, objects = tmp_path / "games.csv", tmp_path / "games.jsonl"
    assert succeed("results", "games", "--store", store, "--export", table) == f"{table}: 4 games\n"
    succeed("results", "games", "--store", store, "--player", "greedy", "--export", objects)
    rows = list(csv.DictReader(table.open()))
    exported = [json.loads(line) for line in objects.read_text().splitlines()]
    assert len(rows) == 2 * len(exported) == 8
    assert [row["player"] for row in rows] == [s["player"] for g in exported for s in g["seats"]]
    assert exported[2]["record"][-1]["sentence"] == record.end["sentence"]


def test_a_changed_player_makes_another_tournament(small, store, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(FIRST)
    command = small("--games", 2, "--isolation", "none", "random", bot)
    succeed(*command)
    bot.write_text(f"# better\n{FIRST}")
    assert re.search("bot.py changed .* 1: .* 2\n", invoke(*command).stderr)
    found = table(succeed("results", "rate", 1, 2, "--store", store, "--json"))
    assert len(found) == 3
    assert sum(name.startswith("bot.py@") for name in found) == 2
    assert succeed("results", "--list", "--store", store).count("round-robin") == 2


def test_a_player_that_changes_in_the_middle_ends_it(small, store, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from pathlib import Path\n"
        "def choose(position):\n"
        "    text = Path(__file__).read_text()\n"
        "    if len(text) < 400: Path(__file__).write_text(text + '# better\\n' * 100)\n"
        "    return position.legal_moves()[0]\n"
    )
    command = small("--games", 4, "--isolation", "none", "random", bot)
    assert f"{bot} was changed " in refuse_late(*command)
    with Store(store) as opened:
        assert opened.tournaments()[0].games == 0
    succeed(*command)


def refuse_late(*command):
    result = invoke(*command)
    assert result.exit_code == 2
    return result.stderr


def write(path, text):
    path.write_text(text)
    return path


def test_a_file_says_it_all(tmp_path, store):
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "first.py").write_text(FIRST)
    path = write(
        tmp_path / "course.toml",
        'game = "flood"\nplayers = ["greedy", "bots/first.py"]\ngames = 4\nseed = 3\n'
        'clock = "5s"\n[settings]\ncolors = 4\n'
        '[[starts]]\nboard = "square:5"\n[[starts]]\nboard = "hatched:6"\n',
    )
    command = ("tournament", path, "--store", store, "-j", 1, "--isolation", "none", "--json")
    found = json.loads(succeed(*command))
    assert (found["games"], found["clock"], found["seed"], found["variants"]) == (4, "5s", 3, 2)
    assert set(table(succeed(*command))) == {"greedy", "first.py"}
    assert "of 2" not in succeed("results", "games", "--store", store, "--board", "square 5x5")
    assert (
        len(
            succeed(
                "results", "games", "--store", store, "--board", "hatched 6x6", "--json"
            ).split()
        )
        > 4
    )


def test_openings_lie_beside_the_file(tmp_path, store):
    (tmp_path / "first.txt").write_text("pass\n")
    path = write(tmp_path / "t.toml", f'{FILE}games = 2\nopenings = "first.txt"\n')
    found = json.loads(succeed("tournament", path, "--store", store, "--json", "-j", 1))
    assert found["openings"] == "first.txt"
    assert found["title"].endswith(", openings first.txt")


def test_a_board_lies_beside_the_file(tmp_path, store):
    from ludograph.boards import save, square

    save(square(4), tmp_path / "town.json")
    path = write(tmp_path / "t.toml", f'{FILE}games = 2\n[settings]\nboard = "town.json"\n')
    found = json.loads(succeed("tournament", path, "--store", store, "--json", "-j", 1))
    assert found["games"] == 2
    (line, _) = succeed("results", "games", "--store", store, "--json").splitlines()
    assert json.loads(line)["plies"] < 40


FILE = 'game = "flood"\nplayers = ["greedy", "random"]\n'


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path, store):
    path = write(tmp_path / "t.toml", f"{FILE}games = \n")
    assert re.match(f"{path}.*line 3", refuse("tournament", path, "--store", store))


def test_stores_that_cannot_be_read_are_told(tmp_path, store):
    for command in ("tables", "rate", "games"):
        assert refuse("results", command, "--store", store).startswith(f"{store}: ")
    Store(store).close()
    assert "no tournaments" in refuse("results", "--store", store)
    with sqlite3.connect(store) as raw:
        raw.execute("UPDATE ludograph_store SET version = 7")
    assert "version 7" in refuse("results", "--store", store)
    letter = write(tmp_path / "letter.txt", "dear all, " * 200)
    assert f"{letter}: " in refuse(
        "tournament", "flood", "-m", 5, "--store", letter, "greedy", "random"
    )


@pytest.mark.slow
def test_a_tournament_that_is_under_way_elsewhere_is_left_alone(small, store):
    command = small("--games", 2, "greedy", "random")
    succeed(*command)
    longer = small("--games", 400, "greedy", "random")
    process = spawn(*small("--games", 20000, "greedy", "random"))
    wait_for_games(store, 10)
    assert re.search("another process .* 1 now", refuse(*longer))
    assert "games" in succeed("results", "--store", store)  # looking at it is fine
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)


def wait_for_games(store, least, number=1):
    def there():
        with Store(store) as opened:
            return len(opened.played(number)) >= least

    wait_until(lambda: store.exists() and there(), 300)


@pytest.mark.slow
def test_ctrl_c_says_how_to_go_on_and_leaves_nobody_behind(small, store, tmp_path):
    bot = write(tmp_path / "slow.py", SLOW)
    command = small("--games", 400, "-j", 2, "--isolation", "none", "random", bot)
    process = spawn(*command)
    wait_for_games(store, 2)
    children = descendants(process.pid)
    assert any(map(alive, children))
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert f"of 400 games; {RUN_AGAIN}" in errors
    assert "Traceback" not in errors
    assert gone(children)


@pytest.mark.slow
def test_killed_again_and_again_it_ends_as_if_nothing_had_been(small, store, tmp_path):
    command = small("--games", 300, "greedy", "random", "valid", "--json", "-j", 2, "--seed", 1)
    elsewhere = [tmp_path / "whole.db" if word == store else word for word in command]
    whole = succeed(*elsewhere)
    for least in (50, 200, 400, 600):
        process = spawn(*command)
        wait_for_games_if_any(store, least, process)
        children = descendants(process.pid)
        process.kill()  # a fast machine may have ended it first
        process.communicate(timeout=120)
        assert gone(children)
    assert succeed(*command) == whole


def wait_for_games_if_any(store, least, process):
    while process.poll() is None:
        if store.exists():
            with Store(store) as opened:
                if opened.tournaments() and opened.tournaments()[0].games >= least:
                    return
        time.sleep(0.01)


@pytest.mark.slow
def test_a_terminal_shows_the_table_while_it_is_played(small):
    seen = in_terminal(*small("--games", 60, "greedy", "random"))
    assert seen.code == 0
    text = plain(seen.text)
    assert "of 60 games, " in text
    assert "share" in text
    assert "tournament 1, round-robin" in text


@pytest.mark.slow
def test_settings_of_a_file_beside_the_tournament_are_players_of_their_own(tmp_path):
    """Whatever stands in the file: other settings of it are another tournament."""
    (tmp_path / "my_bot.py").write_text(
        "class First:\n"
        "    def __init__(self, c=1.0):\n"
        "        self.c = c\n"
        "    def choose(self, position):\n"
        "        return position.legal_moves()[0] if self.c > 0.5 else 'resign'\n"
    )
    file, store = tmp_path / "course.toml", tmp_path / "games.db"

    def standing(*players):
        told = f'game = "flood"\nplayers = {json.dumps(players)}\nseed = 1\ngames = 2\n'
        file.write_text(f"{told}settings = {{board = 4}}\n")
        run = ("tournament", file, "--store", store, "--isolation", "none", "--json")
        return json.loads(succeed(*run))

    found = standing("my_bot.py:c=0.5", "my_bot.py:First:c=1", "my_bot.py")
    assert {one["player"]: one["forfeits"] for one in found["players"]} == {
        "my_bot.py:c=0.5": {"resign": 4},
        "my_bot.py:First:c=1": {},
        "my_bot.py": {},
    }
    again = standing("my_bot.py:c=0.5", "my_bot.py:First:c=1", "my_bot.py")
    assert again["tournament"] == found["tournament"]
    other = standing("my_bot.py:c=0.25", "my_bot.py:First:c=1", "my_bot.py")
    assert other["tournament"] != found["tournament"]
    file.write_text('game = "flood"\nplayers = ["my_bot.py:d=1", "greedy"]\n')
    said = refuse("tournament", file, "--store", store)
    assert f"player '{tmp_path}/my_bot.py:d=1': " in said
