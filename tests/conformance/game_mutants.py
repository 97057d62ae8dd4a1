"""A toy game whose class is spoiled: its notation, records, pictures, each in one way."""

from __future__ import annotations

import dataclasses

import numpy as np

from ludograph import rules
from ludograph.conformance import check_game, samples_of
from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games import Position
from ludograph.games.declaration import Help
from ludograph.games.presentation import Breakdown, SeatFacts
from ludograph.games.search_view import SearchView
from ludograph.games.solution import silent
from ludograph.games.solving import Solving
from ludograph.rules import OVER, PLY, TURN, implements, register
from tests.conformance.spoiling import GENERICS, mutant, spoil
from tests.toys.nim import WINNER, Nim, nim_scores
from tests.toys.nim_game import NimGame, NimPresentation


def check(position_type=Position, **spoiled):
    """Run the suite on Nim with some methods of its game, or of its positions, replaced."""
    game = type("Spoiled", (NimGame,), spoiled)()

    def make(seed):
        position = game.position()
        return position_type(game, position.board, position.setup)

    check_game(make, games=1)


def told(part, **spoiled):
    """Run the suite on Nim with some methods of its presentation, or interaction, replaced."""
    kind = type(getattr(NimGame(), part))
    check(**{part: type("Spoiled", (kind,), spoiled)()})


# Records


@mutant("seed 0: it gives two different setups")
def a_start_that_is_drawn_anew():
    game = NimGame()
    most = iter(range(1, 9))
    check_game(lambda seed: game.position(most=next(most)), games=1)


@mutant("seed 0: describe and restore give another game")
def restore_forgets_the_heaps():
    check(restore=lambda self, board, data: self.position(heaps=[3, 3]))


@mutant("seed 0: what describe gives is lost: nim: heaps must be .*")
def restore_does_not_take_it():
    check(restore=lambda self, board, data: self.position(heaps="none"))


@mutant("seed 0: what describe gives is lost: .*")
def describe_gives_what_is_not_json():
    check(describe=lambda self, position: {"heaps": object()})


@mutant(rf"seed 0, ply 0: {__file__}, line \d+: values_of fails: AttributeError: .*")
def values_of_fails():
    def values_of(self, position):
        return position.nothing

    check(values_of=values_of)


@mutant("seed 0: what describe gives depends on the moves that were played")
def describe_tells_of_moves():
    def describe(self, position):
        return {**NimGame.describe(self, position), "ply": position.ply}

    check(describe=describe)


# Notation


@mutant(r"seed 0, ply 0: two moves have one text: \['0', .*\]")
def texts_that_name_the_heap_only():
    check(move_text=lambda self, setup, move: str(move // setup.most))


@mutant(r"seed 0, ply 0: a move has the text 'resign', by which players resign")
def a_text_by_which_players_resign():
    check(move_text=lambda self, setup, move: "resign" if move == 0 else str(move))


@mutant(r"seed 0, ply 0: '0-1' is not parsed back to 0")
def parse_the_other_way_round():
    check(parse_move=lambda self, setup, text: 3 * int(text[2]) + int(text[0]))


@mutant(r"seed 0, ply 0: '0-1', the text of a move, is none: no move")
def parse_nothing():
    def parse_move(self, setup, text):
        raise IllegalMove("no move")

    check(parse_move=parse_move)


def parse_then(change):
    def parse_move(self, setup, text):
        try:
            return NimGame.parse_move(self, setup, text)
        except IllegalMove:
            return change()

    return parse_move


@mutant(r"seed 0, ply 0: '' was played, the legal moves are \[0, 1, 2, 3, 4\]")
def parse_anything():
    check(parse_move=parse_then(lambda: 0))


@mutant(r"seed 0, ply 0: '' is refused without a reason")
def refuse_without_a_word():
    def change():
        raise IllegalMove("")

    check(parse_move=parse_then(change))


@mutant(r"seed 0, ply 0: refusing a move has changed the board")
def refuse_by_trying():
    def why_not_move(self, position, move):
        position.state[WINNER] = 1
        return ""

    told("interaction", why_not_move=why_not_move)


@mutant(r"seed 0, ply 0: playing '\d-\d' changes nothing")
def play_nothing():
    class Frozen(Position):
        __slots__ = ()

        def play(self, move):
            legal = isinstance(move, str) and self.parse(move) in self.legal_moves()
            if not legal:
                raise IllegalMove("not legal")

    check(Frozen)


@mutant(
    rf"seed 0, ply 0: to refuse 2147483647, raise IllegalMove; {__file__}, line \d+: move_text "
    "fails: KeyError: 715827882"
)
def refuse_by_another_error():
    def move_text(self, setup, move):
        if move >= 100:
            raise KeyError(move // setup.most)
        return NimGame.move_text(self, setup, move)

    check(move_text=move_text)


@mutant(rf"seed 0, ply 1: {__file__}, line \d+: describe_move fails: AttributeError: .*")
def describe_move_fails():
    def describe_move(self, position, move):
        return position.nothing

    told("presentation", describe_move=describe_move)


# What is told


@mutant(r"seed 0, ply 0: the text of what '\d-\d' does is empty")
def describe_move_by_nothing():
    told("presentation", describe_move=lambda self, position, move: " ")


@mutant(r"seed 0, ply 0: the facts of seat 0 are not texts: \['', 3, ''\]")
def holding_is_a_number():
    told("presentation", seat_facts=lambda self, position, seat: SeatFacts(holding=3))


@mutant(
    r"seed 0, ply 0: points of a breakdown has rows of \[1\] numbers, "
    r"not of 1 for each of 2 seats"
)
def breakdown_lacks_a_seat():
    told("presentation", breakdown=lambda self, position: Breakdown(["stones"], [[3]], [[0]]))


@mutant(r"seed 0, ply 0: the points of seat 0 in a breakdown, \[3\], are not its score of 0")
def breakdown_of_other_points():
    rows = [[3], [0]]
    told("presentation", breakdown=lambda self, position: Breakdown(["stones"], rows, rows))


@mutant(r"seed 0, ply 0: telling of the seats has changed the board")
def seat_facts_change_the_board():
    def seat_facts(self, position, seat):
        position.state[WINNER] += 1
        return SeatFacts(color="black")

    told("presentation", seat_facts=seat_facts)


@mutant(r"seed 0: the position's scores are .*, those of its rules, which .* use, are .*")
def scores_of_the_position_alone():
    class Reversed(Position):
        __slots__ = ()

        def scores(self):
            return super().scores()[::-1]

    check(Reversed)


@mutant("seed 0: a finished game has no outcome")
def no_outcome():
    class Endless(Position):
        __slots__ = ()

        def outcome(self):
            return None

    check(Endless)


@mutant("seed 0: the result is an empty sentence")
def a_result_without_a_word():
    told("presentation", result=lambda self, position, outcome, names: "")


# What people do


@mutant("seed 0, ply 0: tasks must give a tuple of texts, not 'Choose a heap'")
def tasks_is_a_text():
    told("interaction", tasks=lambda self, position: "Choose a heap")


@mutant("seed 0, ply 0: action of the move '0-1' must give a text, not None")
def action_is_nothing():
    told("interaction", action=lambda self, position, move: None)


@mutant(
    "seed 0, ply 0: pointed of the move '0-1' must give for each part its cells, of 2, "
    r"not \(0, 1\)"
)
def pointed_at_cells_without_parts():
    told("interaction", pointed=lambda self, position, move: (0, 1))


@mutant(
    "seed 0, ply 0: pointed of the move '0-1' must give for each part its cells, of 2, "
    r"not \(\(2,\),\)"
)
def pointed_beyond_the_picture():
    told("interaction", pointed=lambda self, position, move: ((2,),))


# What a learner sees


@mutant("seed 0, ply 0: feature_range is 0 to 1, not 0 to 3")
def features_beyond_their_range():
    check(feature_range=lambda self, setup: (0.0, 1.0))


# Pictures


def check_picture(change):
    """Run the suite on Nim with some fields of its scenes replaced."""

    def scene(self, position):
        true = NimPresentation.scene(self, position)
        return dataclasses.replace(true, **change(true))

    told("presentation", scene=scene)


@mutant("seed 0, ply 0: scene must return a Scene, not None")
def no_picture():
    told("presentation", scene=lambda self, position: None)


@mutant("seed 0, ply 0: the fills of the scene must be whole numbers, not float64")
def a_picture_of_fractions():
    check_picture(lambda scene: {"fills": scene.fills / 1.0})


@mutant(r"seed 0, ply 0: the scene has no cells")
def a_picture_of_nothing():
    check_picture(lambda scene: {"fills": scene.fills[:0]})


@mutant(r"seed 0, ply 0: the scene has 2 fills and positions of shape \(1, 2\)")
def a_picture_that_lacks_a_cell():
    check_picture(lambda scene: {"positions": scene.positions[:1]})


@mutant(r"seed 0, ply 0: the outlines of the scene do not have one polygon for each of 2 cells")
def a_picture_that_lacks_an_outline():
    check_picture(lambda scene: {"outline_offsets": scene.outline_offsets[:-1]})


@mutant(r"seed 0, ply 0: a fill of the scene is none of the 2 colors of its palette")
def a_picture_in_unknown_colors():
    check_picture(lambda scene: {"fills": scene.fills + 5})


@mutant(r"seed 0, ply 0: the groups of the scene are not one per cell")
def a_picture_of_other_groups():
    check_picture(lambda scene: {"groups": np.zeros(7, np.int32)})


@mutant(
    r"seed 0, ply 0: a label, a stroke, a link or a text of the scene is on a cell beyond its 2"
)
def a_picture_with_a_label_beside_it():
    check_picture(lambda scene: {"labels": {2: "x"}})


@mutant(
    r"seed 0, ply 0: a label, a stroke, a link or a text of the scene is on a cell beyond its 2"
)
def a_picture_with_a_row_that_no_cell_is_in():
    check_picture(lambda scene: {"rows": {2: "3"}})


@mutant("seed 0: no game changes the picture, but the scores: scene, or fills, must show the moves")
def pictures_without_the_moves():
    class Blank(NimPresentation):
        def scene(self, position):
            return dataclasses.replace(super().scene(position), fills=np.zeros(2, int), labels={})

    game = type("Spoiled", (NimGame,), {"presentation": Blank()})()
    check_game(lambda _: game.position(), games=2)


@mutant(r"seed 0: \d moves were played, and went 1 ways, as far as cell 0 of 2")
def moves_that_lead_nowhere():
    told("presentation", ways=lambda self, position: [(0,)])


@mutant(r"seed 0: (\d) moves were played, and went \1 ways, as far as cell 2 of 2")
def moves_beyond_the_picture():
    told("presentation", ways=lambda self, position: [(2,) for _ in position.history])


# The class, its samples and seats


def sampled(samples):
    game = type("Spoiled", (NimGame,), {"samples": samples})()
    samples_of(game)


@mutant("samples of nim must yield positions, not return None")
def samples_of_nothing():
    sampled(lambda self: None)


@mutant("samples of nim yields no position")
def no_samples():
    sampled(lambda self: [])


@mutant(rf"samples of nim: {__file__}, line \d+: samples fails: KeyError: 'heaps'")
def samples_fail():
    def samples(self):
        yield {}["heaps"]

    sampled(samples)


@mutant(rf"samples of nim: {__file__}, line \d+: samples fails: TypeError: .*")
def samples_fail_compiled_too():
    def samples(self):
        yield len(3)

    sampled(samples)


def missing(self):
    raise AttributeError


@mutant("the default options make no game: nim: so many heaps cannot be played")
def default_options_that_begin_refuses():
    def begin(self, values, seats, seed):
        raise InvalidInput("nim: so many heaps cannot be played")

    start = NimGame().position()
    samples_of(type("Spoiled", (NimGame,), {"begin": begin, "samples": lambda self: [start]})())


@mutant("class Spoiled has no version: write version = ... in it")
def no_version():
    check(version=property(missing))


@mutant("class Spoiled has no declaration: write declaration = ... in it")
def no_declaration():
    samples_of(type("Spoiled", (NimGame,), {"declaration": property(missing)})())


@mutant(
    "presentation of class Spoiled must be an object of a class derived from Presentation, not .*"
)
def presentation_is_a_class():
    check(presentation=NimPresentation)


@mutant(
    "anchors of the declaration of nim has 'greedy:depth=1', but the game has no strategy 'greedy'"
)
def anchors_that_are_no_strategies():
    anchors = ("random", "greedy:depth=1")
    said = dataclasses.replace(NimGame.declaration, anchors=anchors)
    samples_of(type("Spoiled", (NimGame,), {"declaration": said})())


@mutant("nim: begin must make a game for 4 seats, but info of its Setup has 2")
def seats_that_begin_does_not_make():
    check(declaration=dataclasses.replace(NimGame.declaration, seats=(2, 4)))


@mutant(
    "nim: the option most changes nothing: begin makes the same start with 1, 2, 4, 9; keep it in "
    "the Setup"
)
def an_option_without_an_effect():
    def begin(self, values, seats, seed):
        return NimGame.begin(self, {**values, "most": 3}, seats, seed)

    check(begin=begin)


@mutant("seed 0: describe and restore give another game")
def values_of_the_default():
    check(values_of=lambda self, position: {"heaps": position.setup.heaps, "most": 3})


@mutant("seed 1: describe and restore give another game")
def what_the_seed_draws_is_not_recorded():
    def begin(self, values, seats, seed):
        heaps = [2 * heap + seed % 2 for heap in values["heaps"]]
        return NimGame.begin(self, {**values, "heaps": heaps}, seats, seed)

    def values_of(self, position):
        return {
            **NimGame.values_of(self, position),
            "heaps": [heap // 2 for heap in position.setup.heaps.tolist()],
        }

    check(begin=begin, values_of=values_of)


@mutant("nim: begin, with .*: .*ZeroDivisionError.*")
def begin_fails_with_a_value():
    def begin(self, values, seats, seed):
        assert 1 // (values["most"] - 4) < 9
        return NimGame.begin(self, values, seats, seed)

    check(begin=begin)


@mutant("nim: begin makes two games of one seed")
def begin_draws_without_the_seed():
    drawn = iter(range(4, 9))

    def begin(self, values, seats, seed):
        most = next(drawn) if values["most"] == 3 else values["most"]
        return NimGame.begin(self, {**values, "most": most}, seats, seed)

    game = type("Spoiled", (NimGame,), {"begin": begin})()
    start = game.position()
    check_game(lambda seed: start.copy(), games=1)


# The Setup of a search


def check_search(**spoiled):
    """Run the suite on Nim where searches are given a Setup with some rules replaced."""
    check(search_view=lambda self, position, kind: SearchView(spoil(position.setup, **spoiled)))


@mutant(r"seed 0, ply 0, on the setup of a search: the game is another one")
def search_another_game():
    def legal_moves(setup, state, out):
        return rules.legal_moves(setup.inner, state, out) - 1

    check_search(legal_moves=legal_moves)


@mutant(r"seed 0, ply 0, on the setup of a search: the game is another one")
def search_other_states():
    class Late(SearchView):
        def state(self, position):
            state = position.state.copy()
            state[PLY] += 1
            return state

    check(search_view=lambda self, position, kind: Late(position.setup))


@mutant(r"seed 0: on the setup of a search the scores are others")
def search_for_other_scores():
    def scores(setup, state, out):
        rules.scores(setup.inner, state, out)
        if state[TURN] == OVER:
            out[:] = 1.0 - out

    check_search(scores=scores)


@mutant(r"seed 0, on the setup of a search, ply \d: none of the candidates \[\d\] is a best move")
def search_without_the_best_move():
    def candidates(setup, state, out):
        rules.legal_moves(setup.inner, state, out)
        return 1

    check_search(candidates=candidates)


@mutant(r"seed 0, ply 0, on the setup of a search: the game is another one")
def search_in_another_order():
    def legal_moves(setup, state, out):
        count = rules.legal_moves(setup.inner, state, out)
        out[:count] = out[:count][::-1].copy()
        return count

    check_search(legal_moves=legal_moves)


# What is known of it


@mutant(
    "begin makes setups of type Spoiled, not Nim: write setup_type = Spoiled in class NimGame, "
    r"or let begin make setup_type\(\.\.\.\)"
)
def setups_of_another_type():
    game = NimGame()
    start = game.position()
    setup = spoil(start.setup)
    check_game(lambda _: Position(game, start.board, setup), games=1)


class Misere(Nim):
    """Who takes the last object loses."""


def misere_scores(setup, state, out):
    nim_scores(setup, state, out)
    if state[TURN] == OVER:
        out[:] = 1.0 - out


def misere_rules():
    for function in GENERICS.values():
        if function.is_rule and Nim in function.kernels and function is not rules.scores:
            implements(function, Misere)(function.kernels[Nim].python)
    implements(rules.scores, Misere)(misere_scores)
    register(Misere)


misere_rules()


@mutant(
    "misere is played by the rules of nim, for Nim: write setup_type = Misere in class MisereGame"
)
def a_variant_without_its_setup_type():
    class MisereGame(NimGame):
        declaration = NimGame.declaration.variant(
            "misere", summary="take no last object", home="misere:misere", help=Help("", "")
        )

    game = MisereGame()
    check_game(lambda _: game.position(heaps=[3, 2]), games=1)


@mutant(r"seed 0, ply \d: it is solved as a (loss|win), but best play leads to a .* for seat \d")
def solve_another_game():
    usual = NimGame()

    class Usual(Solving):
        def solve(self, position, seconds, progress=silent):
            setup = Nim(*position.setup)
            start = Position(usual, position.board, setup, position.state)
            return usual.solving.solve(start, seconds)

    class Variant(NimGame):
        setup_type = Misere
        solving = Usual()

        def begin(self, values, seats, seed):
            start = super().begin(values, seats, seed)
            return Position(self, start.board, Misere(*start.setup))

    game = Variant()
    check_game(lambda _: game.position(heaps=[4]), games=1)
