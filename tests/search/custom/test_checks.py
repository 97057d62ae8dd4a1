"""What is wrong with an author's function is said in one sentence, before the search."""

from typing import NamedTuple

import numpy as np
import pytest

from ludograph import InvalidInput, rules, search
from ludograph.rules._numba import insides
from tests.toys.nim_game import nim_game
from tests.written import written

TABLE = {1: 2.0}


class Pair(NamedTuple):
    weights: np.ndarray
    name: object


def helper(value):
    return value


@rules.compiled
def misspelling(setup):
    return setup.heapes[0]


WANTED = r"evaluate\(setup, state, out\)"
IN_FILE = "compiled: line 2: "

EVALUATIONS = [
    ("out[0] = helper(state[0])", rf"{IN_FILE}.*\bhelper\b.*@ludograph"),
    ("out[0] = TABLE[1]", r"evaluation .*'TABLE' .*\bdict\b"),
    ("out[0] = 'a' + 3", rf"{IN_FILE}.*\badd\("),
    ("out[0] = setup.heapes[0]", rf"{IN_FILE}Nim .*\bheapes; .*\bheaps\?$"),
    ("room = np.zeros(3)\nout[0] = room[0]", rf"{IN_FILE}.*@ludograph.rules.compiled\(alloc"),
    ("with open('x') as file:\n    out[0] = len(file.read())", r"compiled: line 1: .*'with\b"),
    ("rules.scores(setup, state)", rf"{IN_FILE}.*'out'$"),
    ("rules.scoring(setup, state, out)", rf"{IN_FILE}.*\bscoring; .*\bscores\?$"),
    ("raise ValueError('it is late')", r"raises ValueError: it is late, "),
    ("return state[0]", r"writes .*\bout\[0\]"),
    ("out[0] = 1.0\nout[1] = np.nan", r"writes .*\bout\[1\]"),
    ("for seat in range(3):\n    out[seat] = 1.0", r"line 3, in evaluation: out .*\b2\b"),
    ("for seat in range(-1, 2):\n    out[seat] = 1.0", r"line 3, in evaluation: out .* -1;"),
    ("out[0] = 1e6\nout[1] = 0.0", r"writes 1e\+06 to out\[0\]"),
    ("rules.play(setup, state, 0)\nout[0] = out[1] = 0.0", r"changes .*\bstate\b"),
]


def evaluation(body, parameters="setup, state, out"):
    return written("evaluation", parameters, body, globals())


writes_nan = evaluation("out[0] = 1.0\nout[1] = np.nan")


def calls_misspelling(setup, state, out):
    out[0] = misspelling(setup)


OTHERS = [
    (evaluation("out[0] = 1.0", "setup, out, state"), rf"order, {WANTED}"),
    (evaluation("pass", "setup, state"), rf"\b3\b.*{WANTED}.*\bevaluation\b"),
    (calls_misspelling, r"compiled: line \d+: Nim .*\bheapes; .*\bheaps\?$"),
    (len, WANTED),
    (3, rf"{WANTED}.* 3$"),
]


@pytest.mark.parametrize(
    ("function", "named"), [*((evaluation(body), named) for body, named in EVALUATIONS), *OTHERS]
)
def test_a_wrong_evaluation(function, named) -> None:
    with pytest.raises(InvalidInput, match=f"^evaluate.*{named}") as caught:
        search.AlphaBetaSearch(nim_game.position(), evaluate=function)
    assert "\n" not in str(caught.value)
    assert insides.are_usable()  # other kernels are compiled as before
    assert len(str(caught.value)) < 250


def test_the_line_is_that_of_the_file() -> None:
    with pytest.raises(InvalidInput) as caught:
        search.AlphaBetaSearch(nim_game.position(), evaluate=calls_misspelling)
    line = misspelling.python.__code__.co_firstlineno + 2
    assert f": line {line}: " in str(caught.value)


def test_a_closure_is_refused() -> None:
    weight = float(TABLE[1])

    def inside(setup, state, out):
        out[0] = weight

    with pytest.raises(InvalidInput, match=r"\binside\b.*\bclosure\b"):
        search.AlphaBetaSearch(nim_game.position(), evaluate=inside)


LISTED = "rules.legal_moves(setup, state, out)"
CANDIDATES = [
    ("return 0", r"^candidates returns 0, .*\b1 to 5\b"),
    (LISTED, r"^candidates returns None, "),
    ("out[0] = 1000\nreturn 1", r"^candidates .*\b1000\b"),
    (f"{LISTED}\nout[1] = out[0]\nreturn 2", r"^candidates .*\btwice\b"),
]


@pytest.mark.parametrize(("body", "sentence"), CANDIDATES)
def test_wrong_candidates(body, sentence) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        search.AlphaBetaSearch(nim_game.position(), candidates=evaluation(body))


SWAPPED = "for seat in range(low.size):\n    low[seat], high[seat] = 1.0, 0.0\nreturn True"
KNOWLEDGE = [
    ("proven_scores", "out", "return True", r"^proven_scores .*True\b.*\bout\b"),
    ("score_bounds_at", "low, high", SWAPPED, r"^score_bounds_at .*\bbounds\b"),
    ("proven_scores", "out", "return 0", r"^proven_scores returns 0, .*\bTrue or False$"),
]


@pytest.mark.parametrize(("name", "out", "body", "sentence"), KNOWLEDGE)
def test_wrong_knowledge_of_the_end(name, out, body, sentence) -> None:
    function = evaluation(body, f"setup, state, {out}")
    with pytest.raises(InvalidInput, match=sentence):
        search.AlphaBetaSearch(nim_game.position(), **{name: function})


def test_an_unknown_keyword_is_told_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match=r"'evaluat'.*\bproven_scores,.*\bevaluate\?$"):
        search.AlphaBetaSearch(nim_game.position(), evaluat=writes_nan)


GAME = "while state[0] >= 0:\n    rules.play(setup, state, rules.sample_move(setup, state, rng))"
EQUAL = "for place in range(moves.size):\n    out[place] = 1.0"
MONTE_CARLO = [
    ("playout", "state, rng, out", GAME, r"^playout writes no number to out\[0\]"),
    ("leaf_value", "state, rng, out", GAME, r"^leaf_value writes no number to out\[0\]"),
    ("priors", "state, moves, out", EQUAL, r"^priors writes 1 to 1 .*\bsum 5\b"),
    (
        *("priors", "state, moves, out"),
        *(f"moves[0] = moves[-1] = 0\n{EQUAL} / moves.size", r"^priors changes moves"),
    ),
    (
        *("priors", "knowledge, state, moves, out", "pass"),
        r"^priors .*\b4 arguments, priors\(setup, state, moves, out\), ",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters", "body", "sentence"), MONTE_CARLO)
def test_wrong_functions_of_monte_carlo_search(name, parameters, body, sentence) -> None:
    function = evaluation(body, f"setup, {parameters}")
    with pytest.raises(InvalidInput, match=sentence):
        search.MonteCarloSearch(nim_game.position(), **{name: function})


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"c": float("nan")}, r"^c .*\b0 to 1e\+06\b.*\bnan$"),
        ({"margin_weight": 5}, r"^margin_weight .*\b0 to 1\b.*\b5$"),
        ({"margin_cap": 0}, r"^margin_cap .*\b1e-06\b"),
        ({"expand_threshold": 0}, r"^expand_threshold .*\b1\b"),
    ],
)
def test_options_out_of_their_range_are_refused(keywords, sentence) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        search.MonteCarloSearch(nim_game.position(), **keywords)


def test_the_bonus_of_a_win_is_a_number() -> None:
    with pytest.raises(InvalidInput, match=r"^win_bonus .*\bnan$"):
        search.AlphaBetaSearch(nim_game.position(), win_bonus=float("nan"))


def test_keywords_of_monte_carlo_search_are_functions_and_options() -> None:
    with pytest.raises(InvalidInput, match=r"'evaluate'; it has playout, .*, options, seed, thr"):
        search.MonteCarloSearch(nim_game.position(), evaluate=writes_nan)
    with pytest.raises(InvalidInput, match=r"^threads .*\b0$"):
        search.MonteCarloSearch(nim_game.position(), threads=0)


def with_data(setup, state, out, data):
    out[0] = out[1] = data[0]


def test_data_are_numbers_and_each_function_gets_them() -> None:
    position = nim_game.position()
    for data in ([1.0], "text", np.array(["a"]), {}, Pair(np.zeros(2), "a")):
        with pytest.raises(InvalidInput, match=r"^data "):
            search.AlphaBetaSearch(position, evaluate=with_data, data=data)
    with pytest.raises(InvalidInput, match=r"\b3\b.*\bwith_data\b.*\b4\b"):
        search.AlphaBetaSearch(position, evaluate=with_data)
    with pytest.raises(InvalidInput, match=r"\b4\b.*state, out, data\).*\bevaluation\b"):
        search.AlphaBetaSearch(position, evaluate=writes_nan, data=np.zeros(2))
    with pytest.raises(InvalidInput, match=r"writes .*\bout\[0\]"):
        search.AlphaBetaSearch(position, evaluate=with_data, data=np.full(2, np.nan))
