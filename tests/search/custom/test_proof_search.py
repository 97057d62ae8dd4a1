"""Proofs with an author's own functions: right where these are, and said to rest on them."""

import itertools

import numpy as np
import pytest

from ludograph import InvalidInput, boards, hex, rules, search
from ludograph.games.flood.game import Flood
from ludograph.games.flood.rules import flood_key, flood_scores
from ludograph.games.flood.setup import FloodSetup
from ludograph.rules import OVER, TURN
from ludograph.search import proof
from ludograph.search.custom.checks import check_provable
from ludograph.search.hints import candidates
from tests.amounts import few
from tests.search import brute_force
from tests.toys.coins import coins
from tests.toys.dice import dice
from tests.toys.known_nim import one_heap
from tests.toys.nim import HEAPS
from tests.toys.nim_game import nim_game
from tests.written import written


def one_heap_bounds(setup, state, low, high):
    """The same, said by bounds."""
    if not one_heap(setup, state, low):
        return False
    for seat in range(low.size):
        high[seat] = low[seat]
    return True


def smaller_is_nearer(setup, state, out):
    """The seat to move seems near to its win where little is left."""
    out[0] = 1.0
    out[1] = 1.0
    for heap in range(setup.heaps.size):
        out[1 - state[TURN]] += state[HEAPS + heap]


def absurd(setup, state, out):
    """Numbers without any sense."""
    out[0] = 1.0 + 7 * state[HEAPS] % 5
    out[1] = 1e6 if state[HEAPS] % 2 else 1.0


def last_moves_first(setup, state, out):
    """All legal moves, the last one first."""
    count = rules.legal_moves(setup, state, out)
    for place in range(count // 2):
        first = out[place]
        out[place] = out[count - 1 - place]
        out[count - 1 - place] = first
    return count


def seat_zero_wins(setup, state, out):
    """Something that is not so."""
    out[0], out[1] = 1.0, 0.0
    return True


NIM_FUNCTIONS = [
    {},
    {"proven_scores": one_heap},
    {"score_bounds_at": one_heap_bounds},
    {"proof_numbers": smaller_is_nearer},
    {"proof_numbers": absurd},
    {"candidates": last_moves_first},
    {"proven_scores": one_heap, "proof_numbers": absurd, "candidates": last_moves_first},
]


def check(position, found):
    """What was found is what every line to the end says, and its line ends so."""
    setup, state, seat = position.setup, position.state, position.turn
    assert found.value == np.sign(brute_force.value(setup, state))
    for move in found.line:
        assert move in brute_force.moves_of(setup, state)
        state = brute_force.after(setup, state, move)
    assert state[TURN] == OVER
    assert np.sign(brute_force.final(setup, state, seat)) == found.value


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("functions", NIM_FUNCTIONS, ids="-".join)
def test_nim_is_proven_as_every_line_says(functions) -> None:
    for heaps in itertools.combinations_with_replacement(range(1, 5), 2):
        position = nim_game.position(heaps=heaps, most=3)
        found = search.ProofSearch(position, table_bits=8, **functions).search(position)
        check(position, found)
        exact = [name for name in functions if name != "proof_numbers"]
        assert sorted(found.rests_on) == sorted(exact)


class HalfSetup(FloodSetup):
    """Flood in which seat 1 gets half a vertex more, with nothing of what Flood itself knows."""


@rules.implements(rules.scores, HalfSetup)
def half_scores(setup, state, out):
    flood_scores(setup, state, out)
    out[1] += 0.5


@rules.implements(rules.key, HalfSetup)
def half_key(setup, state):
    return flood_key(setup, state)


rules.register(HalfSetup, half_key, otherwise=FloodSetup)


class HalfFlood(Flood):
    setup_type = HalfSetup


def bounds_of_zones(setup, state, low, high):
    """No zone shrinks, and no vertex has two owners."""
    rules.scores(setup, state, low)
    free = setup.region_of.size + 0.5 - low[0] - low[1]
    for seat in range(2):
        high[seat] = low[seat] + free
    return True


def missing_to_half(setup, state, out):
    """How many vertices a seat lacks to half of them."""
    rules.scores(setup, state, out)
    for seat in range(out.size):
        out[seat] = max(1.0, setup.region_of.size / 2 - out[seat])


@pytest.mark.slow
@pytest.mark.parametrize(
    "functions",
    [
        {"score_bounds_at": bounds_of_zones},
        {"proof_numbers": missing_to_half},
        {"score_bounds_at": bounds_of_zones, "proof_numbers": missing_to_half},
    ],
    ids="-".join,
)
def test_a_variant_of_flood_is_proven_as_every_line_says(functions) -> None:
    seen, nodes, plain = set(), 0, 0
    for seed in range(few(12, 40)):
        position = HalfFlood().position(boards.square(3), colors=4, seed=seed)
        found = search.ProofSearch(position, table_bits=10, **functions).search(position)
        check(position, found)
        seen.add(found.verdict)
        nodes += found.nodes
        plain += proof.solve(position.setup, position.state, table_bits=10).nodes
    assert seen == {"win", "loss"}
    assert nodes < plain


def few_left(setup, state, out):
    """A seat seems nearer to its win with fewer moves left, and seat 0 at all times."""
    count = setup.free.size - state[rules.PLY]
    out[0] = max(1.0, 1.0 * count)
    out[1] = out[0] + 2.0


def backwards(setup, state, out):
    """What Hex itself looks at, the last move first."""
    count = candidates(setup, state, out)
    for place in range(count // 2):
        first = out[place]
        out[place] = out[count - 1 - place]
        out[count - 1 - place] = first
    return count


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("pie", [False, True])
@pytest.mark.parametrize("functions", [{"proof_numbers": few_left}, {"candidates": backwards}])
def test_hex_is_proven_as_every_line_says(functions, pie) -> None:
    """Hex has candidates of its own, which hold where the author gives none."""
    position = hex.position(2, pie=pie)
    own = search.ProofSearch(position, table_bits=8, **functions)
    for move in (None, *position.legal_moves()):
        tried = position.copy()
        if move is not None:
            tried.play(move)
        found = own.search(tried)
        check(tried, found)
        assert found.rests_on == tuple(name for name in functions if name == "candidates")


def never(setup, state, out):
    """Nothing is known, said by a truth of NumPy where this runs as plain Python."""
    return state[HEAPS] < 0


@pytest.mark.usefixtures("interpreted")
def test_truths_and_numbers_of_numpy_are_taken_in_plain_python() -> None:
    position = nim_game.position(heaps=(2, 1))
    check(position, search.ProofSearch(position, proven_scores=never).search(position))


@pytest.mark.usefixtures("interpreted")
def test_a_wrong_function_gives_a_wrong_proof_that_names_it() -> None:
    position = nim_game.position(heaps=(2, 2))  # lost for seat 0
    own = search.ProofSearch(position, table_bits=8)
    assert (own.search(position).verdict, own.search(position).rests_on) == ("loss", ())
    wrong = search.ProofSearch(position, proven_scores=seat_zero_wins, table_bits=8)
    found = wrong.search(position)
    assert (found.verdict, found.rests_on) == ("win", ("proven_scores",))
    assert proof.solve(position.setup, position.state).verdict == "loss"  # nothing of it is kept


@pytest.mark.usefixtures("interpreted")
def test_one_search_serves_a_game_and_each_time_has_its_limits() -> None:
    position = nim_game.position(heaps=(5, 4))
    own = search.ProofSearch(position, table_bits=8)
    found = own.search(position, nodes=1)
    assert (found.verdict, found.line, found.nodes) == ("unknown", (), 1)
    while not position.is_over:
        found = own.search(position)
        check(position, found)
        position.play(found.line[0])
    with pytest.raises(InvalidInput, match="over"):
        own.search(position)
    with pytest.raises(InvalidInput, match="another game"):
        own.search(nim_game.position(heaps=(5, 4)))
    for limits in ({"nodes": 0}, {"time": -1.0}, {"nodes": 1.5}):
        with pytest.raises(InvalidInput, match=f"^{next(iter(limits))} "):
            own.search(nim_game.position(heaps=(5, 4)), **limits)


@pytest.mark.slow
def test_plain_python_and_machine_code_prove_alike() -> None:
    position = nim_game.position(heaps=(6, 5, 4))
    functions = {"proven_scores": one_heap, "proof_numbers": smaller_is_nearer}
    fast = search.ProofSearch(position, **functions).search(position)
    with rules.interpreted():
        slow = search.ProofSearch(position, **functions).search(position)
    assert (fast.value, fast.line, fast.nodes) == (slow.value, slow.line, slow.nodes)


def wrong(body):
    return written("wrong", "setup, state, out", body, {"np": np})


WRONG = [
    (
        {"proof_numbers": wrong("out[0] = 1.0\nout[1] = np.nan")},
        r"^proof_numbers writes nan to out\[1\], on .*from 1 to",
    ),
    (
        {"proof_numbers": wrong("out[0] = 0.0\nout[1] = 1.0")},
        r"^proof_numbers writes 0 to out\[0\], on .*from 1 to",
    ),
    (
        {"proof_numbers": wrong("raise ValueError('it is late')")},
        r"^proof_numbers raises ValueError: it is late",
    ),
    ({"proof_numbers": one_heap_bounds}, r"^proof_numbers takes 3 arguments, .* has 4"),
    ({"proven_scores": wrong("return True")}, r"^proven_scores returns True but writes no scores"),
    ({"evaluate": absurd}, r"no keyword 'evaluate'; it has candidates, proven_scores, score_b"),
    ({"table_bits": 0}, r"^table_bits must be a whole number from 1 on, got 0$"),
    ({"table_bits": 80}, r"^table_bits must be a number from 1 to 36, got 80$"),
]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("keywords", "sentence"), WRONG)
def test_a_wrong_function_is_refused_in_a_sentence(keywords, sentence) -> None:
    with pytest.raises(InvalidInput, match=sentence) as caught:
        search.ProofSearch(nim_game.position(), **keywords)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("interpreted")
def test_games_that_cannot_be_proven_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^proofs .*\bseats\b.* 3$"):
        check_provable(coins([1, 2, 3], seats=3))
    with pytest.raises(InvalidInput, match=r"^proofs .*\bchance\b"):
        check_provable(dice())
