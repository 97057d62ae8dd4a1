"""Checks of a Game beyond its rules: notation, checked moves, setups as data, scenes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain, islice
from typing import Any

import msgspec
import numpy as np

from ludograph import rules
from ludograph.boards import from_data, to_data
from ludograph.conformance.fault import ConformanceError, named, require
from ludograph.conformance.hint_checks import check_ends, check_hints, check_prospects, check_solved
from ludograph.conformance.rule_checks import check_playout, check_rules
from ludograph.errors import GameFault, IllegalMove, InvalidInput, is_whole
from ludograph.formatting import described
from ludograph.games import AnyGame, Declaration, Position
from ludograph.games.interaction import Interaction
from ludograph.games.interop import Interop
from ludograph.games.presentation import Presentation
from ludograph.games.search_view import SearchView
from ludograph.games.solving import Solving
from ludograph.games.strategy import RESIGN
from ludograph.rules import TURN
from ludograph.rules.answers import fresh_state, moves_at, scores_at
from ludograph.search.plain_games import failure, is_of_a_game
from ludograph.search.searched import KINDS
from ludograph.views import Scene, svg
from ludograph.views.scene import EMPTY

MOVES = 30
"""The most moves of a position whose words and cells are checked."""


def check_game(
    make: Callable[[int], Position], *, games: int = 5, seed: int = 0, interpreted: int = 1
) -> None:
    """Check a game and its rules on random games.

    Parameters
    ----------
    make
        Called with a seed; returns the start of a game.
    games, interpreted
        The number of games to play, and of those to play also as plain Python.

    Raises
    ------
    ConformanceError
    """
    shown = False
    for number in range(seed, seed + games):
        with named(functools.partial("seed {}".format, number)):
            position = make(number)
        check_parts(position.game)
        check_setup_type(position)
        require(position == make(number), f"seed {number}: it gives two different setups")
        plainly = int(number < seed + interpreted)
        check_rules(position.setup, games=1, seed=number, interpreted=plainly)
        played = position.copy()
        with named(functools.partial(at_ply, played, number)):
            check_described(position, number)
            trail = play_through_door(played, number)
        first, last = trail[0], trail[-1]
        shown = shown or first.scores() == last.scores() or picture_of(first) != picture_of(last)
        check_search_views(trail, list(played.history), number)
    require(
        shown or games == 1,  # all seats may have passed in a single one
        f"seed {seed}: no game changes the picture, but the scores: scene, or fills, must show "
        "the moves",
    )
    check_starts(make(seed).game)


def at_ply(position: Position, seed: int) -> str:
    """Return where a game is."""
    return f"seed {seed}, ply {position.ply}"


def samples_of(game: AnyGame) -> list[Position]:
    """Return the samples of a game, and the start that its players get by default.

    Raises
    ------
    ConformanceError
        If it has none, its code fails, or its declaration names players that it does not have.
    """
    check_parts(game)
    check_players(game)
    with named(lambda: f"samples of {game.name}"):
        found = game.samples()
        require(
            isinstance(found, Iterable),
            f"samples of {game.name} must yield positions, not return {described(found)}",
        )
        samples = list(found)
    require(samples, f"samples of {game.name} yields no position")
    try:
        with named(lambda: f"{game.name}: begin, with its default options"):
            usual = game.position()
    except (GameFault, InvalidInput) as error:
        raise ConformanceError(f"the default options make no game: {error}") from None
    return samples if usual in samples else [*samples, usual]


def check_parts(game: AnyGame) -> None:
    """Check that the parts of a game, and its numbers, are there and of their kinds."""
    kind = type(game).__name__
    for name in ("declaration", "version", "setup_type"):
        require(hasattr(game, name), f"class {kind} has no {name}: write {name} = ... in it")
    parts: tuple[tuple[str, type], ...] = (
        ("presentation", Presentation),
        ("interaction", Interaction),
        ("interop", Interop),
        ("solving", Solving),
        ("strategies", Mapping),
    )
    for name, base in parts:
        part = getattr(game, name)
        require(
            isinstance(part, base),
            f"{name} of class {kind} must be an object of a class derived from {base.__name__}, "
            f"not {described(part)}",
        )


def check_players(game: AnyGame) -> None:
    """Check that the players named by a declaration are strategies of its game."""
    said = game.declaration
    fields = {name: getattr(said, name) for name in ("anchors", "steps", "advisers")}
    if said.advisers == Declaration.advisers:
        del fields["advisers"]  # the default names more than each game has
    for field, players in fields.items():
        for player in players:
            name = player.partition(":")[0]
            require(
                name in game.strategies,
                f"{field} of the declaration of {game.name} has {player!r}, but the game has no "
                f"strategy {name!r}",
            )


def check_starts(game: AnyGame) -> None:
    """Check starts for the least and the most seats, and for some values of each option."""
    for seats in sorted(set(game.declaration.seats)):
        start_with(game, {"seats": seats})
    for option in game.declaration.options:
        needed = dict([option.only_with] if option.only_with else [])
        starts = [
            start
            for text in (option.type.trials if option.type.recorded else ())
            if (start := start_with(game, {**needed, option.name: option.type.parse(text)}))
        ]
        require(
            len(starts) < 2 or any(start != starts[0] for start in starts),
            f"{game.name}: the option {option.name} changes nothing: begin makes the same start "
            f"with {', '.join(option.type.trials)}; keep it in the Setup",
        )


def start_with(game: AnyGame, values: dict[str, Any]) -> Position | None:
    """Return a start with some values, checked for records; None if the others do not fit them."""
    options = {**(game.declaration.solving or {}), **values}
    try:
        with named(lambda: f"{game.name}: begin, with {options}"):
            made = [game.position(**options, seed=seed) for seed in (0, 0, 1)]
    except GameFault as error:
        raise ConformanceError(str(error)) from None
    except InvalidInput:
        return None
    require(made[0] == made[1], f"{game.name}: begin makes two games of one seed")
    for seed in (0, 1):
        check_described(made[2 * seed], seed)  # what the seed draws is restored, too
    return made[0]


def check_setup_type(position: Position) -> None:
    """Check that a game has its own Setup type, and a variant another one than its base."""
    game, own = type(position.game), type(position.setup)
    said = game.setup_type
    require(
        own is said,
        f"begin makes setups of type {own.__name__}, not {said.__name__}: write setup_type = "
        f"{own.__name__} in class {game.__name__}, or let begin make setup_type(...)",
    )
    package = game.__module__.partition(".")[0]
    known: list[type] = said.__subclasses__()
    near = [each for each in known if each.__module__.startswith(package)]
    near.sort(key=lambda each: each.__module__ != game.__module__)
    meant = near[0].__name__ if near else "the Setup type that its rules are for"
    for base in game.__mro__[1:]:
        other = getattr(base, "declaration", position.game.declaration).name
        require(
            other == position.game.name or getattr(base, "setup_type", None) is not said,
            f"{position.game.name} is played by the rules of {other}, for {said.__name__}: write "
            f"setup_type = {meant} in class {game.__name__}",
        )


def check_described(position: Position, seed: int) -> None:
    """Check that a setup is the same after a round trip through JSON."""
    game = position.game
    data = game.describe(position)
    try:
        text = msgspec.json.encode([data, to_data(position.board)])
        description, board = msgspec.json.decode(text)
        restored = game.restore(from_data(board), description)
    except (TypeError, InvalidInput) as error:
        raise ConformanceError(f"seed {seed}: what describe gives is lost: {error}") from error
    require(restored == position, f"seed {seed}: describe and restore give another game")


def check_search_views(trail: list[Position], moves: list[int], seed: int) -> None:
    """Check that searches with a Setup of their own play the same game and get correct hints."""
    start = trail[0]
    seen: set[tuple[type, type]] = {(SearchView, type(start.setup))}
    for kind in KINDS:
        view = start.game.search_view(start, kind)
        if (types := (type(view), type(view.setup))) not in seen:
            seen.add(types)
            check_view(view, trail, moves, seed)


def check_view(view: SearchView, trail: list[Position], moves: list[int], seed: int) -> None:
    """Check a game as a search sees it, along a game."""
    setup, states = view.setup, [view.state(each) for each in trail]
    where, played = f"seed {seed}, on the setup of a search", fresh_state(setup)
    for position, state, move in zip(trail, states, [*moves, None], strict=True):
        same = state[TURN] == position.state[TURN]
        if view.has_whole_moves:
            listed = moves_at(setup, state).tolist()
            same = same and np.array_equal(played, state) and listed == position.legal_moves()
        at = f"seed {seed}, ply {position.ply}, on the setup of a search"
        require(same, f"{at}: the game is another one")
        if move is not None:
            check_hints(setup, state, where)
            if view.has_whole_moves:
                rules.play(setup, played, move)
    require(
        tuple(scores_at(setup, states[-1]).tolist()) == trail[-1].scores(),
        f"seed {seed}: on the setup of a search the scores are others",
    )
    check_prospects(setup, states, where)
    check_ends(setup, states, where)
    check_playout(setup, states[0], seed)


def play_through_door(position: Position, seed: int) -> list[Position]:
    """Play a game by its texts, with tests of illegal moves at every ply; return its positions."""
    rng = rules.random_state(seed, 5)
    start = position.game.describe(position)
    trail = [position.copy()]
    while not position.is_over:
        at = f"seed {seed}, ply {position.ply}"
        moves = position.legal_moves()
        texts = check_texts(position, moves, at)
        refuse_illegal(position, moves, at)
        check_words(position, at)
        check_scene(position.scene(), at)
        check_interaction(position, moves, at)
        before = position.copy()
        choice = texts[int(rules.random_below(rng, len(texts)))]
        position.play(choice)
        require(
            position != before and position.ply == before.ply + 1,
            f"{at}: playing {choice!r} changes nothing",
        )
        trail.append(position.copy())
        done = position.game.presentation.describe_move(position, before.parse(choice))
        require(done.strip(), f"{at}: the text of what {choice!r} does is empty")
    require(
        position.game.describe(position) == start,
        f"seed {seed}: what describe gives depends on the moves that were played",
    )
    scores = tuple(scores_at(position.setup, position.state).tolist())
    require(
        scores == position.scores(),
        f"seed {seed}: the position's scores are {position.scores()}, those of its rules, "
        f"which searches and solvers use, are {scores}",
    )
    check_solved(trail, f"seed {seed}")
    outcome = position.outcome()
    if outcome is None:
        raise ConformanceError(f"seed {seed}: a finished game has no outcome")
    names = [f"player {seat}" for seat in range(position.seats)]
    sentence = position.game.presentation.result(position, outcome, names)
    require(sentence.strip(), f"seed {seed}: the result is an empty sentence")
    ways, cells = list(position.game.presentation.ways(position)), position.scene().size
    last = max(chain.from_iterable(ways), default=0)
    require(
        len(ways) == position.ply and last < cells,
        f"seed {seed}: {position.ply} moves were played, and went {len(ways)} ways, as far as cell "
        f"{last} of {cells}",
    )
    check_scene(position.scene(numbers=True, names=True), f"seed {seed}, at the end")
    refuse_illegal(position, [], f"seed {seed}, at the end")
    return trail


def picture_of(position: Position) -> str:
    """Return the picture of a position without texts around it."""
    return svg.render(position.game.presentation.scene(position))


def check_texts(position: Position, moves: list[int], at: str) -> list[str]:
    """Check that every move has a unique text that parses to it; return the texts."""
    texts = [position.text(move) for move in moves]
    require(len(set(texts)) == len(texts), f"{at}: two moves have one text: {texts}")
    require(RESIGN not in texts, f"{at}: a move has the text {RESIGN!r}, by which players resign")
    for move, text in zip(moves, texts, strict=True):
        try:
            code = position.parse(text)
        except IllegalMove as error:
            raise ConformanceError(
                f"{at}: {text!r}, the text of a move, is none: {error}"
            ) from None
        require(code == move, f"{at}: {text!r} is not parsed back to {move}")
    return texts


def check_words(position: Position, at: str) -> None:
    """Check the facts shown of every seat, and what a learner sees; they change no position."""
    before = position.copy()
    game = position.game
    for seat in range(position.seats):
        facts = game.presentation.seat_facts(position, seat)
        words = [facts.color, facts.holding, facts.stuck]
        for name, values in facts.terms.items():
            words += [name, *values]
        require(
            all(isinstance(word, str) for word in words),
            f"{at}: the facts of seat {seat} are not texts: {words}",
        )
    breakdown, scores = game.presentation.breakdown(position), position.scores()
    if breakdown is not None:
        for name, rows in (("points", breakdown.points), ("at_end", breakdown.at_end)):
            lengths = [len(row) for row in rows]
            require(
                lengths == [len(breakdown.columns)] * position.seats,
                f"{at}: {name} of a breakdown has rows of {lengths} numbers, not of "
                f"{len(breakdown.columns)} for each of {position.seats} seats",
            )
        for seat, points in enumerate(breakdown.points):
            require(
                seat in breakdown.out or abs(sum(points) - scores[seat]) < 1e-6,
                f"{at}: the points of seat {seat} in a breakdown, {list(points)}, are not its "
                f"score of {scores[seat]:g}",
            )
    arrays, (low, high) = position.observe(), game.feature_range(position.setup)
    seen = np.concatenate([arrays["vertices"].ravel(), arrays["game"]])
    require(
        ((low <= seen) & (seen <= high)).all(),
        f"{at}: feature_range is {low:g} to {high:g}, not {seen.min():g} to {seen.max():g}",
    )
    require(position == before, f"{at}: telling of the seats has changed the board")


def check_interaction(position: Position, moves: list[int], at: str) -> None:
    """Check the words and the cells by which people choose a move."""
    if position.is_chance:
        return
    interaction, cells = position.game.interaction, position.scene().size
    tasks = interaction.tasks(position)
    require(
        not isinstance(tasks, str) and all(isinstance(task, str) and task for task in tasks),
        f"{at}: tasks must give a tuple of texts, not {described(tasks)}",
    )
    for move in moves[:MOVES]:
        text = position.text(move)
        for name in ("action", "hint", "called"):
            said = getattr(interaction, name)(position, move)
            require(
                isinstance(said, str) and said.strip(),
                f"{at}: {name} of the move {text!r} must give a text, not {described(said)}",
            )
        parts = interaction.pointed(position, move)
        require(
            all(isinstance(part, Collection) for part in parts)
            and all(is_whole(cell) and 0 <= cell < cells for part in parts for cell in part),
            f"{at}: pointed of the move {text!r} must give for each part its cells, of {cells}, "
            f"not {described(parts)}",
        )


def refuse_illegal(position: Position, moves: list[int], at: str) -> None:
    """Check that codes and texts that are not legal are refused, the board unchanged."""
    before = position.copy()
    tries: list[Any] = [
        -1,
        -2,
        2**31 - 1,
        -(2**31),
        -(2**32),
        "",
        "no such move",
        "\x00",
        0.0,
        True,
        False,
        None,
    ]
    legal = set(moves)
    beside = (code + step for code in moves[:8] for step in (-1, 1))
    below = range(max(moves, default=0) + 2)
    tries += islice((code for code in chain(beside, below) if code not in legal), 30)
    for wrong in tries:
        try:
            position.play(wrong)
        except IllegalMove as refusal:
            require(str(refusal).strip(), f"{at}: {wrong!r} is refused without a reason")
        except Exception as error:
            reason = failure(error) if is_of_a_game(error) else repr(error)
            raise ConformanceError(
                f"{at}: to refuse {wrong!r}, raise IllegalMove; {reason}"
            ) from error
        else:
            require(False, f"{at}: {wrong!r} was played, the legal moves are {moves}")
    require(position == before, f"{at}: refusing a move has changed the board")


def check_scene(scene: Scene, at: str) -> None:
    """Check the sizes and the numbers in a scene, which renderers rely on."""
    if not isinstance(scene, Scene):  # the text of a scene takes longer than all other checks
        raise ConformanceError(f"{at}: scene must return a Scene, not {described(scene)}")
    if scene.look is not None:
        check_scene(scene.in_cells, f"{at}, in a terminal")
    cells = scene.size
    require(cells > 0, f"{at}: the scene has no cells")
    require(
        np.shape(scene.positions) == (cells, 2),
        f"{at}: the scene has {cells} fills and positions of shape {np.shape(scene.positions)}",
    )
    offsets = scene.outline_offsets
    require(
        len(offsets) == cells + 1
        and offsets[0] == 0
        and offsets[-1] == len(scene.outline_points)
        and (np.diff(offsets) >= 0).all(),
        f"{at}: the outlines of the scene do not have one polygon for each of {cells} cells",
    )
    require(
        np.issubdtype(scene.fills.dtype, np.integer),
        f"{at}: the fills of the scene must be whole numbers, not {scene.fills.dtype}",
    )
    require(
        ((scene.fills >= EMPTY) & (scene.fills < len(scene.palette))).all(),
        f"{at}: a fill of the scene is none of the {len(scene.palette)} colors of its palette",
    )
    require(
        scene.groups is None or len(scene.groups) == cells,
        f"{at}: the groups of the scene are not one per cell",
    )
    named = [*scene.labels, *(cell for stroke in scene.strokes for cell in stroke.cells)]
    for texts in (scene.notes, scene.numerals, scene.rows, scene.columns):
        named += texts
    if scene.links is not None:
        named += np.ravel(scene.links).tolist()
    require(
        all(0 <= cell < cells for cell in named),
        f"{at}: a label, a stroke, a link or a text of the scene is on a cell beyond its {cells}",
    )
