"""Fault row 47. The rules of somebody's own game are checked before its first game."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from ludograph import conformance, rules
from ludograph.conformance import ConformanceError
from ludograph.errors import GameFault
from ludograph.games import Position
from ludograph.rules import HEADER, PLY, TURN
from ludograph.rules.announcer import announcer
from ludograph.search import plain_games
from ludograph.search.mcts import GameKnowledge, MonteCarlo
from ludograph.search.mcts.hints import JUDGEMENT, LIKELIHOODS, VALUES
from ludograph.search.plain_games import WrongIndex
from ludograph.search.proof.game import proof_numbers
from tests.conformance.spoiling import GENERICS, spoil
from tests.toys.nim import Hunch, Nim, nim
from tests.toys.nim_game import nim_game
from tests.written import line_of, written

START = nim_game.position()
LIMITS = np.array([1, 2, 3])
SPACE = {
    **{"rules": rules, "np": np, "HEADER": HEADER, "PLY": PLY, "TURN": TURN, "LIMITS": LIMITS},
    **{"JUDGEMENT": JUDGEMENT, "LIKELIHOODS": LIKELIHOODS, "VALUES": VALUES},
}
GENERICS["proof_numbers"] = proof_numbers


RULES = {
    "start": "rules.start(setup.inner, state)\nstate[state.size] += 1  # fault",
    "legal_moves": "count = rules.legal_moves(setup.inner, state, out)\n"
    "out[out.size] = 0  # fault\nreturn count",
    "play": "rules.play(setup.inner, state, move)\n"
    "if state[PLY] > 1:\n    state[HEADER + 30] -= 1  # fault",
    "scores": "rules.scores(setup.inner, state, out)\nout[2] *= 0.5  # fault",
    "evaluate": "rules.scores(setup.inner, state, out)\n"
    "out[0] += setup.inner.heaps[state[PLY] + 1] * 0.0  # fault",
    "key": "return np.uint64(state[state[TURN] - 1] + LIMITS[state[PLY] - 2])  # fault",
    "sample_move": "rng[1] += rng[7]  # fault\nreturn rules.sample_move(setup.inner, state, rng)",
    "playout": "rules.playout(setup.inner, state, rng, out)\nout[-3] += 1.0  # fault",
    "observe": "game[game.size] += 1.0  # fault",
    "candidates": "count = rules.legal_moves(setup.inner, state, out)\n"
    "out[out.size + 1000] = 0  # fault\nreturn count",
    "proven_scores": "out[2] += 1.0  # fault\nreturn False",
    "score_bounds_at": "high[2] += 1.0  # fault\nreturn False",
    "proof_numbers": "for seat in range(out.size + 1):\n    out[seat] = 1.0  # fault",
    "leaf_value": "rules.scores(setup.inner, state, out)\nout[2] -= 1.0  # fault",
}


def rule(name, body=None):
    """Return the implementation of a rule or a hint."""
    parameters = ", ".join(GENERICS[name].signature.parameters)
    return written(name, parameters, body or RULES[name], SPACE)


def said_line(said: object, function) -> str:
    return line_of(function, int(str(said).partition(", line ")[2].partition(":")[0]))


@pytest.mark.parametrize("name", RULES)
def test_a_rule_or_hint_beyond_its_arrays_makes_no_position(name) -> None:
    wrong = rule(name)
    setup = spoil(START.setup, **{name: wrong})
    with pytest.raises(WrongIndex, match=rf"\b{name} fails: ") as caught:
        Position(nim_game, START.board, setup)
    assert "# fault" in said_line(caught.value, wrong)


def test_check_game_says_the_same() -> None:
    setup = spoil(START.setup, scores=rule("scores"))
    with pytest.raises(ConformanceError, match=r"\bscores fails: out .*\b2\b"):
        conformance.check_game(lambda _: Position(nim_game, START.board, setup))


HINTS = [
    (
        "weigh",
        "if wanted == LIKELIHOODS:\n"
        "    out[moves.size] += knowledge.likelihood  # fault\nreturn False",
    ),
    (
        "weigh",
        "for place in range(moves.size if wanted == VALUES else 0):\n"
        "    out[place] = moves[place + 1]  # fault\nreturn False",
    ),
    ("weigh", "if wanted == JUDGEMENT:\n    rewards[2] += 0.0  # fault\nreturn False"),
    ("settle", "moves[moves.size] = 0  # fault\nreturn False, 0"),
]


def indexed_by_knowledge(setup, knowledge, state, moves, wanted, out, rewards):
    out[int(knowledge.likelihood)] = 0.0
    return False


def small() -> Hunch:
    return Hunch(0, 0.0)


def large() -> Hunch:
    return Hunch(0, 99.0)


def test_a_hint_is_checked_with_each_knowledge() -> None:
    setup = spoil(START.setup, weigh=indexed_by_knowledge)
    plain_games.check_own_rules(setup, GameKnowledge(of_moves=small))
    with pytest.raises(WrongIndex, match="indexed_by_knowledge fails: "):
        plain_games.check_own_rules(setup, GameKnowledge(of_moves=large))


def test_methods_of_a_derived_class_are_no_knowledge() -> None:
    with pytest.raises(GameFault, match=r"^Mine: "):
        type("Mine", (GameKnowledge,), {"workspace": lambda self: Hunch(0, 0.5)})


KNOWN = GameKnowledge(workspace=lambda: Hunch(0, 0.5), of_moves=lambda: Hunch(0, 0.5))


@pytest.mark.parametrize(("name", "body"), HINTS)
def test_a_hint_that_needs_knowledge_makes_no_search(name, body) -> None:
    wrong = rule(name, body)
    setup = spoil(START.setup, **{name: wrong})
    with pytest.raises(WrongIndex, match=rf"\b{name} fails: ") as caught:
        MonteCarlo(setup, knowledge=KNOWN)
    assert "# fault" in said_line(caught.value, wrong)


def rule_that_fails(name, from_ply=0):
    """Return an implementation of a rule that divides a Python int by 0, which Numba may do."""

    def divides_by_zero(setup, *args):
        return 1 // (from_ply > 0 and args[0][PLY].item() < from_ply)

    divides_by_zero.__signature__ = GENERICS[name].signature
    return divides_by_zero


@pytest.fixture
def warnings(monkeypatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(announcer, "warn", said.append)
    return said


@pytest.mark.parametrize(
    "failing",
    [
        *("key", "evaluate", "observe", "observation", "touch", "sample_move", "playout"),
        *("candidates", "proven_scores", "leaf_value"),
    ],
)
def test_a_rule_that_fails_in_plain_python_hides_no_other(failing, warnings) -> None:
    setup = spoil(START.setup, **{failing: rule_that_fails(failing), "scores": rule("scores")})
    with pytest.raises(WrongIndex, match=r"\bscores fails: out .*\b2\b"):
        plain_games.check_own_rules(setup)


@pytest.mark.parametrize("failing", ["key", "scores", "sample_move", "candidates", "observation"])
def test_a_late_fault_is_found_behind_a_rule_that_fails(failing, warnings) -> None:
    setup = spoil(START.setup, **{failing: rule_that_fails(failing), "play": rule("play")})
    with pytest.raises(WrongIndex, match=r"\bplay fails: state\b"):
        plain_games.check_own_rules(setup)


def test_a_rule_that_fails_in_one_game_leaves_the_others(warnings) -> None:
    def fails_at_first(setup, state, move):
        calls.append(move)
        if len(calls) == 1:
            raise ValueError
        wrong(setup, state, move)

    wrong = rule("play")
    calls: list[int] = []
    setup = spoil(START.setup, play=fails_at_first)
    with pytest.raises(WrongIndex, match=r"\bplay fails: state\b"):
        plain_games.check_own_rules(setup)


@pytest.mark.parametrize("failing", ["key", "play", "legal_moves", "start", "leaf_value"])
def test_a_rule_that_never_ran_to_its_end_is_named(failing, warnings) -> None:
    assert plain_games.check_own_rules(spoil(START.setup, **{failing: rule_that_fails(failing)}))
    (warning,) = warnings
    assert f" {failing} " in warning
    assert "ZeroDivisionError" in warning
    assert str(Path(__file__)) in warning


def test_a_rule_that_ran_once_needs_no_warning(warnings) -> None:
    assert plain_games.check_own_rules(spoil(START.setup, key=rule_that_fails("key", from_ply=1)))
    assert plain_games.check_own_rules(spoil(START.setup))
    assert warnings == []


def test_sound_rules_are_checked_for_some_setups_of_each_size(monkeypatch) -> None:
    games = []
    monkeypatch.setattr(plain_games, "_checked", defaultdict(set))
    monkeypatch.setattr(plain_games.PlainGame, "play", lambda self: games.append(self.setup))
    monkeypatch.setattr(plain_games, "GAMES", 1)
    heaps = [[3, 2], [3, 2], [2, 2, 2], *([2, second] for second in range(2, 12)), [2, 2, 3]]
    were_checked = [plain_games.check_own_rules(nim(each)) for each in heaps]
    assert were_checked == [True, False, True, *[True] * 7, *[False] * 3, True]
    assert not plain_games.check_own_rules(nim([3, 2], most=2))  # the eighth of its size was before
    assert plain_games.check_own_rules(nim([2, 2, 3], most=2))
    assert [setup.heaps.size for setup in games] == [2, 3, *[2] * 7, 3, 3]
    assert all(isinstance(setup, Nim) for setup in games)


def test_a_fault_that_depends_on_the_contents_of_a_setup() -> None:
    table = rule("key", "return np.uint64(LIMITS[setup.inner.heaps[0] - 1])  # fault")
    setup = spoil(nim([2, 2]), key=table)
    assert plain_games.check_own_rules(setup)
    with pytest.raises(WrongIndex, match=r"\bkey fails: LIMITS .*\b8\b") as caught:
        plain_games.check_own_rules(setup._replace(inner=nim([9, 2])))
    assert "# fault" in said_line(caught.value, table)
