"""Games that begin with moves which nobody was asked for: players of every kind hear of them."""

import json
import shlex

import numpy as np
import pytest

from ludograph import InvalidInput, carcassonne, flood, hex, play_match, read_record
from ludograph.boards import square
from tests.hosting.test_hex_c_players import library  # noqa: F401
from tests.hosting.test_htp_players import fake, said  # noqa: F401


class Listens:
    """Plays what comes first, and keeps what it is told."""

    def __init__(self):
        self.told = []

    def start(self, position, seat):
        self.position = position

    def play(self, moves, clock):
        self.told.append([move for move in moves if move is not None])
        for move in moves:
            self.position.push(move)
        self.position.push(move := self.position.legal_moves()[-1])
        return move

    def finish(self, outcome):
        pass


def codes(position, *texts):
    board, found = position.copy(), []
    for text in texts:
        found.append(board.parse(text))
        board.push(found[-1])
    return found


@pytest.fixture
def start():
    return hex.position(5)


def test_both_seats_hear_of_all_its_moves(start):
    opening = codes(start, "b2", "d4", "a5")
    players = [Listens(), Listens()]
    result = play_match(start, players, opening=opening)
    assert [played.move for played in result.moves[:3]] == opening
    assert [played.seat for played in result.moves[:4]] == [0, 1, 0, 1]
    assert players[1].told[0] == opening
    assert players[0].told[0] == [*opening, result.moves[3].move]
    assert result.faults == []


@pytest.mark.slow
def test_strategies_and_files_go_on_from_there(start, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position):\n    return position.legal_moves()[-1]\n")
    opening = codes(start, "b2", "d4")
    for players in (["random", str(bot)], [str(bot), "mcts:sims=20"]):
        result = play_match(start, players, opening=opening, isolation="none")
        assert result.faults == []
        assert [played.move for played in result.moves[:2]] == opening


@pytest.mark.parametrize("moves", [("b2",), ("b2", "d4"), ("b2", "d4", "a5")])
def test_programs_are_told_stones_in_their_colors(start, moves, referee, said, unisolated):  # noqa: F811
    for players in ([fake(), "random"], ["random", fake()]):
        result = referee(start, players, opening=codes(start, *moves))
        assert result.faults == []
        plays = [line for line in said() if "play " in line]
        for ply, move in enumerate(moves):
            assert any(f"play {('black', 'white')[ply % 2]} {move}" in line for line in plays)


def test_programs_of_any_game_hear_of_them_by_their_seats(tmp_path):
    program = tmp_path / "engine.py"
    log = tmp_path / "log"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    told = json.loads(line)\n"
        f"    open({str(log)!r}, 'a').write(line)\n"
        "    answer = {'hello': {'version': 1}, 'start': {'ready': True}, 'ping': {'pong': True}}\n"
        "    found = answer.get(told['type']) or {'move': told.get('legal', [0])[0]}\n"
        "    if told['type'] == 'end': break\n"
        "    print(json.dumps(found), flush=True)\n"
    )
    start = flood.position(square(4), colors=4, seed=1)
    opening = start.legal_moves()[:1]
    result = play_match(
        start,
        [f"cmd: python3 {shlex.quote(str(program))}", "random"],
        opening=opening,
        isolation="none",
    )
    assert result.faults == []
    asked = [json.loads(line) for line in log.read_text().splitlines()]
    first = next(message for message in asked if message["type"] == "play")
    assert first["moves"][0] == {"seat": 0, "move": start.text(opening[0])}
    assert [event["seat"] for event in first["moves"]] == [0, 1]


@pytest.mark.parametrize(("text", "refused"), [("a1", False), ("c3", True)])
def test_c_players_play_behind_one_stone(start, library, referee, text, refused):  # noqa: F811
    """On seat 0 as the proposer of a stone that was not its idea, refused or not."""
    shortest = library("shortest")
    opening = codes(start, text)
    for players in ([shortest, "random"], ["random", shortest], [shortest, shortest]):
        result = referee(start, players, opening=opening)
        if players[1] == shortest:
            assert (start.text(result.moves[1].move) == "swap") == refused
        assert result.faults == []
        assert result.moves[0].move == opening[0]


def test_c_players_know_no_words_for_more(start, library, referee):  # noqa: F811
    shortest = library("shortest")
    with pytest.raises(InvalidInput, match=r"C players .*one stone"):
        referee(start, [shortest, "random"], opening=codes(start, "b2", "d4"))


@pytest.mark.parametrize(
    ("texts", "why"), [(("b2", "b2"), "opening: "), (("b2", "swap", "b2"), "opening: ")]
)
def test_what_cannot_be_played_is_refused(start, texts, why):
    moves = [start.game.parse_move(start.setup, text) for text in texts]
    with pytest.raises(InvalidInput, match=why):
        play_match(start, ["random", "random"], opening=moves)


def test_a_record_says_so_and_the_rematch_does_it_again(start, tmp_path):
    path = tmp_path / "game.jsonl"
    opening = codes(start, "b2", "d4")
    result = play_match(start, ["random", "random"], seed=3, opening=opening, record=path)
    record = read_record(path)
    assert record.header["opening"] == ["b2", "d4"]
    assert record.opening == opening
    again = record.rematch()
    assert [one.move for one in again.moves] == [one.move for one in result.moves]
    path.write_text(path.read_text().replace('"opening":["b2","d4"]', '"opening":7'))
    with pytest.raises(InvalidInput, match="line 1"):
        read_record(path)


@pytest.mark.slow
def test_codes_of_numpy_reach_players_in_processes_of_their_own(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position): return position.legal_moves()[0]\n")
    start = hex.position(3)
    opening = np.array(start.legal_moves()[:1])
    assert play_match(start, ["random", str(bot)], opening=opening).faults == []
    start = carcassonne.position()
    dealt = np.array(start.legal_moves()[:1])
    result = play_match(start, ["random", str(bot)], dealt=dealt)
    assert result.faults == []
    assert result.moves[0].move == dealt[0]
