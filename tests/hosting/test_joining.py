"""Programs that come into a game under way, set up as the user wants, refusing with good reason."""

import pytest

from ludograph import InvalidInput, hex, play_match, read_record
from ludograph.players import parse_player
from tests.hosting.test_htp_players import fake, said  # noqa: F401
from tests.hosting.test_openings import codes


def at(size, *moves):
    position = hex.position(size)
    for move in moves:
        position.play(move)
    return position


GAMES = {
    "stones": (("b2", "d4", "a5"), ["play black b2", "play white d4", "play black a5"]),
    "seat 1 has swapped": (("b2", "swap", "d4"), ["play black b2", "play white d4"]),
}


@pytest.mark.slow
@pytest.mark.usefixtures("unisolated")
@pytest.mark.parametrize("game", GAMES)
def test_htp_programs_join_at_any_ply(game, said):  # noqa: F811
    moves, stones = GAMES[game]
    position = at(5, *moves)
    result = play_match(position, ["random", fake()])
    assert result.faults == []
    told = [line for line in said() if line.startswith(("play", "genmove"))]
    color = "white" if game == "stones" else "black"
    assert told[: len(stones) + 1] == [*stones, f"genmove {color}"]
    assert result.moves[0].seat == 1


@pytest.mark.usefixtures("unisolated")
def test_who_was_swapped_sees_the_board_mirrored(said):  # noqa: F811
    result = play_match(at(5, "b1", "swap"), [fake(), "random"])
    assert result.faults == []
    told = [line for line in said() if line.startswith(("play", "genmove"))]
    assert told[:2] == ["play white a2", "genmove black"]


@pytest.mark.slow
@pytest.mark.usefixtures("unisolated")
def test_a_record_goes_on_with_programs_and_files(tmp_path):
    bot, path = tmp_path / "bot.py", tmp_path / "game.jsonl"
    bot.write_text("def choose(position):\n    return position.legal_moves()[0]\n")
    start = hex.position(3)
    whole = play_match(start, [str(bot), fake()], record=path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:4]))
    record = read_record(path)
    again = play_match(start, [str(bot), fake()], earlier=record.earlier(), record=path)
    assert again.faults == []
    assert [each.move for each in again.moves] == [each.move for each in whole.moves]
    assert read_record(path).end is not None


@pytest.mark.slow
@pytest.mark.usefixtures("unisolated")
def test_commands_behind_a_program_set_it_up(referee, said):  # noqa: F811
    name = f"{fake()}; param_fake max_time 1; param_fake 'a;b'"
    result = referee(hex.position(3), [name, "random"])
    assert result.faults == []
    told = said()
    first = told.index("param_fake max_time 1")
    assert told[first + 1] == "param_fake 'a;b'"
    assert told.index("boardsize 3 3") > first
    assert parse_player("htp: cat -u; name x", hex).label == "cat -u; name x"


@pytest.mark.slow
def test_what_it_does_not_know_or_may_not_say(referee):
    result = referee(hex.position(3), [f"{fake()}; dance 3", "random"])
    assert result.faults[0].reason == "no-start"
    assert "refused 'dance 3': unknown command" in result.faults[0].message
    with pytest.raises(InvalidInput, match="sends play"):
        parse_player(f"{fake()}; play black a1", hex)


@pytest.mark.slow
def test_the_refusal_that_matters_is_told(referee):
    result = referee(hex.position(3), [fake("only-11"), "random"])
    assert "board size is 11" in result.faults[0].message
    result = referee(hex.position(3), [fake("no-size"), "random"])
    assert "unacceptable size" in result.faults[0].message


@pytest.mark.slow
def test_any_player_may_answer_resign(tmp_path, referee):
    class Quits:
        def choose(self, position):
            return "resign" if position.ply > 1 else position.legal_moves()[0]

    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position):\n    return 'resign'\n")
    for player in (Quits, str(bot), "mcts:sims=50,resign=0.5"):
        players = ["mcts:sims=200", player]
        result = referee(hex.position(3, pie=False), players, within=300)  # it may be compiled
        assert result.faults[0].reason == "resign", player
        assert result.winner == 0
    result = referee(hex.position(3, pie=False), ["mcts:sims=50", "mcts:sims=50"])
    assert result.reason == "finished"


def test_the_command_line_begins_behind_an_opening(tmp_path):
    from tests.cli.run import refuse, succeed

    path, store = tmp_path / "game.jsonl", ("--store", tmp_path / "games.db")
    options = ("--size", 4, "--seed", 1, "-q")
    succeed("hex", *options, "--opening", "b2 swap c3", "--record", path, "random", "random")
    record = read_record(path)
    start = record.start
    assert record.opening == codes(start, "b2", "swap", "c3")
    succeed("hex", *options, "--opening", "b2;swap", "-r", 2, *store, "random", "random")
    for number in (1, 2):
        succeed("results", "games", *store, "--game", number, "--record", path, "--force")
        assert read_record(path).header["opening"] == ["b2", "swap"]
    assert "opening: " in refuse("hex", *options, "--opening", "b2 b2", "random", "random")
    assert "z9" in refuse("hex", *options, "--opening", "z9", "random", "random")
