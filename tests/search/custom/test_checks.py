"""What is wrong with an author's function is said in one sentence, before the search."""

from typing import NamedTuple

import numpy as np
import pytest

from ludograph import InvalidInput, rules, search
from ludograph.rules._numba import insides
from tests.toys.nim_game import nim_game

TABLE = {1: 2.0}


class Pair(NamedTuple):
    weights: np.ndarray
    name: object


def other_order(setup, out, state):
    out[0] = 1.0


def two_arguments(setup, state):
    pass


def helper(value):
    return value


def calls_plain(setup, state, out):
    for seat in range(out.size):
        out[seat] = helper(state[0])


def uses_a_table(setup, state, out):
    out[0] = TABLE[1]


def adds_texts(setup, state, out):
    out[0] = "a" + 3


def misspells(setup, state, out):
    out[0] = setup.heapes[0]


def makes_an_array(setup, state, out):
    room = np.zeros(3)
    out[0] = room[0]
    out[1] = 0.0


def opens(setup, state, out):
    with open("x") as file:
        out[0] = len(file.read())


def forgets(setup, state, out):
    rules.scores(setup, state)  # type: ignore[call-arg]


@rules.compiled
def misspelling(setup):
    return setup.heapes[0]


def calls_misspelling(setup, state, out):
    out[0] = misspelling(setup)


def unknown_rule(setup, state, out):
    rules.scoring(setup, state, out)


def raises(setup, state, out):
    raise ValueError("it is late")


def writes_nothing(setup, state, out):
    return state[0]


def writes_nan(setup, state, out):
    out[0] = 1.0
    out[1] = np.nan


def writes_beyond(setup, state, out):
    for seat in range(3):
        out[seat] = 1.0


def writes_before(setup, state, out):
    for seat in range(-1, 2):
        out[seat] = 1.0


def writes_wins(setup, state, out):
    out[0] = 1e6
    out[1] = 0.0


def plays(setup, state, out):
    rules.play(setup, state, 0)
    out[0] = out[1] = 0.0


WANTED = r"evaluate\(setup, state, out\)"

EVALUATIONS = [
    (other_order, rf"order, {WANTED}"),
    (two_arguments, rf"\b3\b.*{WANTED}.*\btwo_arguments\b"),
    (calls_plain, r"compiled: line \d+: .*\bhelper\b.*@ludograph"),
    (uses_a_table, r"uses_a_table .*'TABLE' .*\bdict\b"),
    (adds_texts, r"compiled: line \d+: .*\badd\("),
    (misspells, r"compiled: line \d+: Nim .*\bheapes; .*\bheaps\?$"),
    (makes_an_array, r"compiled: line \d+: .*@ludograph.rules.compiled\(allocates=True"),
    (opens, r"compiled: line \d+: .*'with\b"),
    (forgets, r"compiled: line \d+: .*'out'$"),
    (calls_misspelling, r"compiled: line \d+: Nim .*\bheapes; .*\bheaps\?$"),
    (unknown_rule, r"compiled: line \d+: .*\bscoring; .*\bscores\?$"),
    (raises, r"raises ValueError: it is late, "),
    (writes_nothing, r"writes .*\bout\[0\]"),
    (writes_nan, r"writes .*\bout\[1\]"),
    (writes_beyond, r"line \d+, in writes_beyond: out .*\b2\b"),
    (writes_before, r"line \d+, in writes_before: out .* -1;"),
    (writes_wins, r"writes 1e\+06 to out\[0\]"),
    (plays, r"changes .*\bstate\b"),
    (len, WANTED),
    (3, rf"{WANTED}.* 3$"),
]


@pytest.mark.parametrize(("function", "named"), EVALUATIONS)
def test_a_wrong_evaluation(function, named) -> None:
    with pytest.raises(InvalidInput, match=f"^evaluate.*{named}") as caught:
        search.AlphaBetaSearch(nim_game.position(), evaluate=function)
    assert "\n" not in str(caught.value)
    assert insides.are_usable()  # other kernels are compiled as before
    assert len(str(caught.value)) < 250


def test_the_line_is_that_of_the_file() -> None:
    with pytest.raises(InvalidInput) as caught:
        search.AlphaBetaSearch(nim_game.position(), evaluate=misspells)
    line = misspells.__code__.co_firstlineno + 1
    assert f": line {line}: " in str(caught.value)
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


def lists_none(setup, state, out):
    return 0


def lists_illegal(setup, state, out):
    out[0] = 1000
    return 1


def lists_twice(setup, state, out):
    rules.legal_moves(setup, state, out)
    out[1] = out[0]
    return 2


def returns_nothing(setup, state, out):
    rules.legal_moves(setup, state, out)


CANDIDATES = [
    (lists_none, r"^candidates returns 0, .*\b1 to 5\b"),
    (returns_nothing, r"^candidates returns None, "),
    (lists_illegal, r"^candidates .*\b1000\b"),
    (lists_twice, r"^candidates .*\btwice\b"),
]


@pytest.mark.parametrize(("function", "sentence"), CANDIDATES)
def test_wrong_candidates(function, sentence) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        search.AlphaBetaSearch(nim_game.position(), candidates=function)


def claims(setup, state, out):
    return True


def bounds_swapped(setup, state, low, high):
    for seat in range(low.size):
        low[seat], high[seat] = 1.0, 0.0
    return True


def test_wrong_knowledge_of_the_end() -> None:
    position = nim_game.position()
    with pytest.raises(InvalidInput, match=r"^proven_scores .*True\b.*\bout\b"):
        search.AlphaBetaSearch(position, proven_scores=claims)
    with pytest.raises(InvalidInput, match=r"^score_bounds_at .*\bbounds\b"):
        search.AlphaBetaSearch(position, score_bounds_at=bounds_swapped)
    with pytest.raises(InvalidInput, match=r"^proven_scores returns 0, .*\bTrue or False$"):
        search.AlphaBetaSearch(position, proven_scores=lists_none)


def test_an_unknown_keyword_is_told_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match=r"'evaluat'.*\bproven_scores,.*\bevaluate\?$"):
        search.AlphaBetaSearch(nim_game.position(), evaluat=writes_nan)


def game_without_scores(setup, state, rng, out):
    while state[0] >= 0:
        rules.play(setup, state, rules.sample_move(setup, state, rng))


def more_than_one(setup, state, moves, out):
    for place in range(moves.size):
        out[place] = 1.0


def sorts(setup, state, moves, out):
    moves[0] = 0
    moves[-1] = 0
    for place in range(moves.size):
        out[place] = 1.0 / moves.size


def needs_knowledge(setup, knowledge, state, moves, out):
    pass


MONTE_CARLO = [
    ("playout", game_without_scores, r"^playout writes no number to out\[0\]"),
    ("leaf_value", game_without_scores, r"^leaf_value writes no number to out\[0\]"),
    ("priors", more_than_one, r"^priors writes 1 to 1 .*\bsum 5\b"),
    ("priors", sorts, r"^priors changes moves"),
    ("priors", needs_knowledge, r"^priors .*\b4 arguments, priors\(setup, state, moves, out\), "),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "function", "sentence"), MONTE_CARLO)
def test_wrong_functions_of_monte_carlo_search(name, function, sentence) -> None:
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
    with pytest.raises(InvalidInput, match=r"\b4\b.*state, out, data\).*\bwrites_nan\b"):
        search.AlphaBetaSearch(position, evaluate=writes_nan, data=np.zeros(2))
    with pytest.raises(InvalidInput, match=r"writes .*\bout\[0\]"):
        search.AlphaBetaSearch(position, evaluate=with_data, data=np.full(2, np.nan))
