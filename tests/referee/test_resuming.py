"""An interrupted game goes on behind its last move, in the same record."""

import pytest

from ludograph import InvalidInput, boards, carcassonne, flood, hex, play_match, read_record
from ludograph.games.carcassonne.decks import course
from ludograph.players.human import Quit, TakeBack
from ludograph.referee.clock import Stopwatch


def cut(path, lines):
    """Leave a header and so many lines of a record."""
    path.write_text("".join(path.read_text().splitlines(keepends=True)[: lines + 1]))
    return read_record(path)


def test_the_record_is_that_of_one_game(tmp_path):
    path = tmp_path / "game.jsonl"
    start = flood.position(boards.square(5), colors=4, seed=3)
    whole = play_match(start, ["greedy", "greedy"], seed=5, record=path)
    before = path.read_text().splitlines()
    record = cut(path, 4)
    result = play_match(
        record.start, ["greedy", "greedy"], seed=5, record=path, earlier=record.earlier()
    )
    assert [played.move for played in result.moves] == [played.move for played in whole.moves]
    assert result.outcome == whole.outcome
    assert path.read_text().splitlines()[:5] == before[:5]
    assert read_record(path).plies == len(before) - 2


def test_half_a_line_is_written_anew(tmp_path):
    path = tmp_path / "game.jsonl"
    play_match(flood.position(boards.square(4), seed=3), ["greedy", "greedy"], record=path)
    record = cut(path, 3)
    path.write_text(path.read_text() + '{"ply":3,"seat":1,"mo')
    earlier = read_record(path).earlier()
    assert earlier == record.earlier()
    play_match(record.start, ["greedy", "greedy"], record=path, earlier=earlier)
    assert read_record(path).warning == ""


@pytest.mark.slow
def test_chance_deals_what_it_would_have_dealt(tmp_path):
    path = tmp_path / "game.jsonl"
    start = carcassonne.position(deck=course(8))
    whole = play_match(start, ["greedy", "greedy"], seed=5, record=path)
    chances = [number for number, played in enumerate(whole.moves) if played.seat is None]
    record = cut(path, chances[2])
    result = play_match(
        record.start, ["greedy", "greedy"], seed=5, record=path, earlier=record.earlier()
    )
    assert result.moves[chances[2]].move == whole.moves[chances[2]].move
    assert [played.move for played in result.moves[: chances[2]]] == [
        played.move for played in whole.moves[: chances[2]]
    ]


def looks_at_the_clock(shown):
    """Return a class of players that note how much time they have."""

    class Looks:
        def choose(self, position, time_left):
            shown.append(time_left.game)
            return position.legal_moves()[0]

    return Looks


def test_time_that_was_spent_stays_spent(tmp_path):
    path, shown = tmp_path / "game.jsonl", []
    play_match(flood.position(boards.square(4), seed=3), ["greedy", "greedy"], record=path)
    record = cut(path, 2)
    earlier = [played._replace(seconds=7.0) for played in record.earlier()]
    play_match(record.start, [looks_at_the_clock(shown), "greedy"], clock="20s+1s", earlier=earlier)
    assert shown[0] == 20.0 - 7.0 + 1.0


def test_an_opening_brings_no_increment(tmp_path):
    path, shown = tmp_path / "game.jsonl", []
    looks = looks_at_the_clock(shown)
    start = flood.position(boards.square(5), colors=4, seed=3)
    before = play_match(start, ["random", "random"], seed=1)
    opening = [played.move for played in before.moves[:4]]
    play_match(start, ["greedy", "greedy"], record=path, opening=opening)
    record = cut(path, 5)
    assert record.opening == opening
    earlier = [*record.moves[:4], record.moves[4]._replace(seconds=7.0)]
    play_match(
        record.start, [looks, looks], clock="20s+1s", earlier=earlier, opening=record.opening
    )
    assert shown[0] == 20.0
    assert shown[1] == pytest.approx(20.0 - 7.0 + 1.0, abs=0.5)


def test_a_player_in_a_file_goes_on_behind_an_opening(tmp_path):
    path, bot = tmp_path / "game.jsonl", tmp_path / "bot.py"
    bot.write_text("def choose(position): return position.legal_moves()[0]\n")
    start = flood.position(boards.square(5), colors=4, seed=3)
    opening = [played.move for played in play_match(start, ["random"] * 2, seed=1).moves[:2]]
    whole = play_match(start, [str(bot), "greedy"], record=path, opening=opening)
    record = cut(path, 4)
    going = {"earlier": record.earlier(), "opening": opening}
    result = play_match(record.start, [str(bot), "greedy"], record=path, **going)
    assert [played.move for played in result.moves] == [played.move for played in whole.moves]
    assert result.faults == []
    with pytest.raises(InvalidInput, match=r"^opening: "):
        play_match(start, ["greedy"] * 2, earlier=record.earlier(), opening=opening[::-1] + opening)


def test_what_cannot_go_on(tmp_path):
    path = tmp_path / "game.jsonl"
    play_match(flood.position(boards.square(4), seed=3), ["greedy", "greedy"], record=path)
    with pytest.raises(InvalidInput, match="has ended"):
        read_record(path).earlier()
    record = cut(path, 2)
    with pytest.raises(InvalidInput, match="greedy and greedy"):
        play_match(record.start, ["greedy", "valid"], record=path, earlier=record.earlier())
    assert cut(path, 0).earlier() == []  # it begins again, in its record
    with pytest.raises(InvalidInput, match="does not hold"):
        play_match(record.start, ["greedy"] * 2, record=path, earlier=record.earlier())


class Script:
    """A front that does what stands in a list, and notes the clock of the person to move."""

    def __init__(self, *actions):
        self.actions = list(actions)
        self.shown = []

    def ask(self, turn):
        self.shown.append(turn.seconds_left())
        action = self.actions.pop(0)
        if isinstance(action, BaseException):
            raise action
        return next(iter(turn.moves.values()))


def suspended(path, front, clock, **options):
    """Play Hex against a program until the person leaves; return the record."""
    start = hex.position(4, pie=False)
    with pytest.raises(KeyboardInterrupt):
        play_match(start, ["human", "random"], clock=clock, record=path, front=front, **options)
    return read_record(path)


def go_on(path, front, clock):
    record = read_record(path)
    return suspended(path, front, clock, earlier=record.earlier(), spent=record.spent)


@pytest.mark.slow
def test_time_of_moves_that_were_taken_back_stays_spent(tmp_path, monkeypatch):
    """Each question takes two seconds by the referee's stopwatch."""
    monkeypatch.setattr(Stopwatch, "spent", lambda self, *, computes: 2.0)
    path = tmp_path / "game.jsonl"
    first = Script("move", "move", TakeBack(), "move", Quit())
    record = suspended(path, first, "60s+0s")
    assert record.plies == 4
    assert record.spent[0] == 6  # for the move taken back, the request, and the last question
    assert "spent" in path.read_text()
    again = Script(TakeBack(), Quit())
    go_on(path, again, "60s+0s")
    assert again.shown[0] <= 60 - 10
    assert again.shown[1] <= 60 - 12
    once_more = Script(Quit())
    assert go_on(path, once_more, "60s+0s").plies == 2
    assert once_more.shown[0] <= 60 - 14


def test_a_record_without_the_time_of_taken_back_moves_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(Stopwatch, "spent", lambda self, *, computes: 20.0)
    path = tmp_path / "game.jsonl"
    suspended(path, Script("move", Quit()), "60s+0s")
    lines = path.read_text().splitlines(keepends=True)
    older = [line for line in lines if "spent" not in line]
    assert len(older) == len(lines) - 1
    path.write_text("".join(older))
    again = Script(Quit())
    go_on(path, again, "60s+0s")
    assert 60 - 2 * 20 < again.shown[0] <= 60 - 20


def test_nobody_collects_increments_by_taking_moves_back(tmp_path):
    front = Script(*["move", TakeBack()] * 5, Quit())
    shown = []
    record = suspended(
        tmp_path / "game.jsonl",
        front,
        "20s+3s",
        on_take_back=lambda board, seat: shown.append(board.ply),
    )
    assert shown == [0] * 5
    assert record.plies == 0
    assert all(left <= 20 for left in front.shown[::2])


@pytest.mark.parametrize("spent", [{2: 1.0}, {0: -1.0}, {0: float("nan")}])
def test_time_without_a_move_is_checked(spent):
    with pytest.raises(InvalidInput, match="spent: seat"):
        play_match(hex.position(3), ["random", "random"], spent=spent)


def test_a_record_cannot_give_time_back(tmp_path, monkeypatch):
    monkeypatch.setattr(Stopwatch, "spent", lambda self, *, computes: 0.5)
    path = tmp_path / "game.jsonl"
    suspended(path, Script("move", Quit()), "20s+0s")
    path.write_text(path.read_text().replace('"spent":0', '"spent":-9'))
    with pytest.raises(InvalidInput, match=r"line 4: .* -9\.5 s"):
        read_record(path)


def test_an_opening_cannot_be_taken_back(tmp_path):
    kept = []

    class Asks(Script):
        def ask(self, turn):
            kept.append(turn.kept())
            return super().ask(turn)

    path = tmp_path / "game.jsonl"
    suspended(path, Asks("move", Quit()), "20s+0s", opening=["a1", "b2"])
    assert [bool(why) for why in kept] == [True, False]
