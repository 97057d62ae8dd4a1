"""A variant of a game has its own rules, and inherits nothing that is known of the other's."""

from typing import NamedTuple

import numpy as np
import pytest

from ludograph import conformance, play_match, rules
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration, Help
from ludograph.games.flood.game import Flood
from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.setup import FloodSetup
from ludograph.games.hex.evaluation.openings import opening_values
from ludograph.games.hex.game import Hex
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.rules import hex_scores
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.games.hex.solving.answers import HexSolving
from ludograph.games.knowledge import holds_for
from ludograph.games.penguins.game import Penguins
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.games.registry import OURS, declaration, game, load, names
from ludograph.games.searching import GENERIC
from ludograph.protocols.formats import format_of
from ludograph.referee.record import Record
from ludograph.rules import implements, register
from ludograph.rules.dispatch import DESCRIPTIONS, _generics, same_rules
from ludograph.search.searched import KINDS
from tests.conformance.spoiling import GENERICS


class MisereSetup(HexSetup):
    """Who joins the borders loses."""


class ForcedSetup(HexSetup):
    """The same, with all that Hex tells its searches."""


def misere_scores(setup, state, out):
    hex_scores(setup, state, out)
    out[0], out[1] = out[1], out[0]


def hints_of_hex():
    """Yield what Hex tells its searches, as rules of the variant that is not to have them."""
    for function in _generics:
        kernel = function.kernels.get(HexSetup)
        if kernel is not None and not function.is_rule and function.__name__ not in DESCRIPTIONS:
            yield implements(function, ForcedSetup, allocates=kernel.allocates)(kernel.python)


implements(rules.scores, MisereSetup)(misere_scores)
register(MisereSetup, otherwise=HexSetup)
implements(rules.scores, ForcedSetup)(misere_scores)
register(ForcedSetup, *hints_of_hex(), otherwise=HexSetup)


class Misere(Hex):
    setup_type = MisereSetup


class Forced(Misere):
    setup_type = ForcedSetup


class SolvedAsHex(HexSolving):
    def solve(self, position, seconds, progress=None):
        setup = HexSetup(*position.setup)
        return super().solve(HexPosition(Hex(), position.board, setup, position.state), seconds)


class Solved(Misere):
    """Answers by the solver of Hex, whatever the rules are."""

    solving = SolvedAsHex()


@pytest.mark.slow
def test_a_variant_is_solved_by_its_own_rules() -> None:
    usual, misere = Hex().position(3, pie=False), Misere().position(3, pie=False)
    assert usual.game.solving.solve(usual, 20).verdict == "win"
    found = misere.game.solving.solve(misere, 60)
    assert found.verdict == "loss"
    assert "Seat 1" in found.text
    solver = misere.game.solving.solver()
    assert solver(misere, 60).verdict == "loss"


@pytest.mark.slow
def test_a_variant_has_no_openings_and_no_strategies_of_the_other_game() -> None:
    usual, misere = Hex().position(9, pie=False), Misere().position(9, pie=False)
    assert opening_values(usual)
    assert not opening_values(misere)
    assert misere.game.solving.first_moves(misere) is None
    with pytest.raises(InvalidInput, match="near-even"):
        misere.game.solving.openings("near-even", misere)
    assert misere.game.strategies == GENERIC
    pie = Misere().position(3)
    result = play_match(pie, ["mcts:sims=50", "minimax:depth=2"])
    assert not result.faults


@pytest.mark.slow
def test_a_search_of_the_other_game_plays_a_variant_as_any_game() -> None:
    position = Misere().position(3)
    player = Hex().strategy("mcts").create({"sims": "30"}, 1)
    assert player.choose(position) in position.legal_moves()
    assert player.known is None


@pytest.mark.slow
def test_positions_may_make_a_variant_too() -> None:
    class Reversed(HexPosition):
        __slots__ = ()

        def scores(self):
            return super().scores()[::-1]

    usual = Hex().position(3)
    assert usual.is_standard
    reversed_ = Reversed(usual.game, usual.board, usual.setup)
    assert not reversed_.is_standard
    # solvers do not hear of scores that the position alone turns around: the suite says so
    with pytest.raises(conformance.ConformanceError, match=r"\bscores\b.*\(.+\).*\(.+\)"):
        conformance.check_game(lambda _: reversed_.copy(), games=1, interpreted=0)


@pytest.mark.slow
def test_the_suite_passes_a_variant_and_catches_knowledge_that_is_forced_onto_it() -> None:
    with rules.interpreted():  # so that nothing is compiled for these games alone
        conformance.check_game(lambda _: Misere().position(3), games=1)
        with pytest.raises(conformance.ConformanceError, match=r"\bbest\b"):
            conformance.check_game(lambda _: Forced().position(3), games=3)
        with pytest.raises(conformance.ConformanceError, match="solved"):
            conformance.check_game(lambda _: Solved().position(3, pie=False), games=3)


def varied(base):
    """Return a type of Setups around those of a game, where the first seat's score is worse."""
    kind = NamedTuple("Varied", [("base", base)])  # type: ignore[name-match,valid-type]  # noqa: UP014

    def varied_scores(setup, state, out):
        rules.scores(setup.base, state, out)
        out[0] -= 1.0

    implements(rules.scores, kind)(varied_scores)
    register(kind, otherwise="base")
    return kind


@pytest.mark.parametrize("name", OURS)
def test_every_game_may_be_varied_by_a_setup_type_alone(name) -> None:
    usual = next(iter(game(name).samples()))
    kind = type("Derived", (type(usual.setup),), {})

    def derived_scores(setup, state, out):
        for seat in range(out.size):
            out[seat] = -seat

    implements(rules.scores, kind)(derived_scores)
    register(kind, otherwise=type(usual.setup))
    variant = type("Variant", (type(usual.game),), {"setup_type": kind})()
    with rules.interpreted():
        start = next(iter(variant.samples()))
        assert type(start.setup) is kind
        assert start.legal_moves() == usual.legal_moves()
        assert start.scores() == (0.0, -1.0)
        assert not holds_for(start, type(usual.setup))
        assert variant.strategies == GENERIC
        for each in KINDS:
            view = variant.search_view(start, each)
            assert (view.setup, view.knowledge, view.options) == (start.setup, None, None)
        restored = variant.restore(start.board, variant.describe(start))
        assert restored == start


def test_the_winner_of_a_variant_of_hex_is_who_wins_by_its_rules() -> None:
    with rules.interpreted():
        usual, misere = Hex().position(1, pie=False), Misere().position(1, pie=False)
        for position in (usual, misere):
            assert position.joined_color is position.winner is None
            position.play(position.legal_moves()[0])
            assert position.joined_color == BLACK
            assert len(position.scene().look.strokes[0].cells) == 3  # the chain, whoever wins by it
    assert (usual.winner, misere.winner) == (BLACK, WHITE)


@pytest.mark.slow
def test_no_program_for_hex_plays_a_variant_and_none_is_written_as_its_record(tmp_path) -> None:
    misere = Misere().position(3)
    with pytest.raises(InvalidInput, match=r"\bHTP\b.*\brules\b"):
        misere.game.interop.programs["htp"].check(misere)
    with pytest.raises(InvalidInput, match="SGF"):
        format_of("game.sgf").write(Record({"players": ["a", "b"]}, misere))


def test_a_declaration_of_a_variant_keeps_options_and_leaves_players_behind() -> None:
    usual = declaration("hex")
    texts = Help("Hex the other way round.", "  ludograph misere random random  a match\n")
    variant = usual.variant(
        "misere", summary="do not join", home="misere:misere", help=texts, seats=(2, 2)
    )
    assert (variant.name, variant.help, variant.home) == ("misere", texts, "misere:misere")
    assert variant.options == usual.options
    assert variant.values({"size": 5})["board"].n == usual.values({"size": 5})["board"].n
    assert usual.strategies
    assert usual.anchors != variant.anchors
    fresh = Declaration("misere", "do not join", "misere:misere", texts)
    for left in ("strategies", "speaks", "openings", "anchors", "steps", "advisers"):
        assert getattr(variant, left) == getattr(fresh, left)
    with pytest.raises(InvalidInput, match=r"^game misere: its home 'misere:misere' raises Module"):
        load(variant)


@pytest.mark.parametrize("name", names())
def test_other_rules_around_a_setup_leave_behind_what_followed_from_its_own(name) -> None:
    setup = next(iter(game(name).samples())).setup
    kind = varied(type(setup))
    assert not same_rules(kind, type(setup))
    told = {name for name, function in GENERICS.items() if kind in function.kernels}
    assert "legal_moves" in told
    rules_alone = {name for name, function in GENERICS.items() if function.is_rule}
    assert told <= rules_alone | set(DESCRIPTIONS)
    assert told >= set(DESCRIPTIONS)
    with rules.interpreted():
        state = np.zeros(rules.info(kind(setup)).state_size, np.int32)
        rules.start(kind(setup), state)
        mine, other = np.zeros(2), np.zeros(2)
        rules.scores(kind(setup), state, mine)
        rules.scores(setup, state, other)
    assert mine[0] == other[0] - 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("known", "setup_type", "position_type"),
    [
        (Flood, FloodSetup, FloodPosition),
        (Penguins, PenguinsSetup, PenguinsPosition),
    ],
)
def test_solvers_of_one_game_do_not_answer_for_its_variants(
    known, setup_type, position_type, monkeypatch
) -> None:
    kind = type("Derived", (setup_type,), {})

    def derived_scores(setup, state, out):
        out[0] = -1.0
        out[1] = 1.0

    implements(rules.scores, kind)(derived_scores)
    register(kind, otherwise=setup_type)

    class Variant(known):
        setup_type = kind

    usual = next(start for start in known().samples() if start.seats == 2)
    start = position_type(Variant(), usual.board, kind(*usual.setup))
    assert start.game.strategies == GENERIC
    for view in ("tree", "depth", "proof", "own"):
        assert start.game.search_view(start, view).setup is start.setup
    with rules.interpreted():
        while len(start.legal_moves()) > 1 and start.ply < 4:
            start.play(start.legal_moves()[0])
    found = start.game.solving.solve(start, 20)
    assert found.verdict == ("loss" if start.turn == 0 else "win")
