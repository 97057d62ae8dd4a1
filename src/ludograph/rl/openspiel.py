"""Every game as one of OpenSpiel, and bots of OpenSpiel as players.

Install ``ludograph[openspiel]``. Importing this module registers each installed game under its name
with ``ludograph_`` before it, and its options as parameters:
``pyspiel.load_game("ludograph_hex(board=hexagonal:5,pie=False)")``. :func:`load` makes a game from
any position, on any graph.

An action is the code of a move. Where codes are too many for a table, a move is several actions of
one seat, as :func:`ludograph.rules.touch` describes it: its kind, if there is more than one, then
each vertex that it touches. In a game that describes no moves an action is the place of a move
among the legal ones, as is the action of chance in all games.
"""

from __future__ import annotations

import base64
import itertools
import zlib
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import msgspec
import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ludograph import boards, rules
from ludograph.errors import GameFault, IllegalMove, InvalidInput
from ludograph.games import AnyGame, Position, registry
from ludograph.games.declaration import Declaration
from ludograph.games.options import Flag, Number, Option, Whole
from ludograph.rules import random_state
from ludograph.rules.answers import moves_at
from ludograph.rules.observer import sizes_of
from ludograph.search.values import reward_ranks

PREFIX = "ludograph_"
"""Before the name of a game, among the games of OpenSpiel."""


class Node:
    """A position and the first actions of its next move; never changed, so that copies share it."""

    def __init__(self, position: Position, begun: tuple[int, ...] = ()) -> None:
        self.position, self.begun = position, begun

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.position, self.begun)

    @cached_property
    def moves(self) -> dict[tuple[int, ...], int]:
        """The code of each legal move by its actions."""
        position, sizes = self.position, sizes_of(self.position.setup)
        codes = position.legal_moves()
        if position.is_chance or not sizes.codes + sizes.touched:
            return {(place,): code for place, code in enumerate(codes)}
        return {(code,): code for code in codes} if sizes.codes else described_moves(position)

    @cached_property
    def actions(self) -> list[int]:
        """The legal actions, ascending."""
        done = len(self.begun)
        return sorted({word[done] for word in self.moves if word[:done] == self.begun})

    def after(self, action: int) -> Node:
        """Return the node after an action; raise IllegalMove if it is not legal."""
        if action not in self.actions:
            raise IllegalMove(f"openspiel: action {action} is not legal")
        begun = (*self.begun, action)
        code = self.moves.get(begun)
        if code is None:
            node = Node(self.position, begun)
            node.moves = self.moves
            return node
        position = self.position.copy()
        position.push(code)
        return Node(position)


def described_moves(position: Position) -> dict[tuple[int, ...], int]:
    """Return the code of each legal move by its kind, if there are several, and its vertices.

    Raises
    ------
    GameFault
        If a move has none, or if they are also those of another move, or its first ones.
    """
    sizes, codes = sizes_of(position.setup), position.legal_moves()
    kinds, ends = np.zeros((2, len(codes)), np.int32)
    touched = np.zeros(sizes.touched, np.int32)
    rules.touch(position.setup, position.state, np.array(codes, np.int32), kinds, ends, touched)
    found: dict[tuple[int, ...], int] = {}
    for code, kind, vertices in zip(codes, kinds, np.split(touched, ends), strict=False):
        first = [int(kind)] if sizes.kinds > 1 else []
        found[*first, *vertices.tolist()] = code
    words = itertools.pairwise(sorted(found))
    if len(found) < len(codes) or () in found or any(b[: len(a)] == a for a, b in words):
        raise GameFault(f"{position.game.name}: touch does not tell all moves from each other")
    return found


class OpenSpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of a game: a node, which copies and pickles carry along."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.node = game.first

    @property
    def position(self) -> Position:
        """A copy of the position; if a move has begun, the position before it."""
        return self.node.position.copy()

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or the end."""
        position = self.node.position
        if position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if position.turn is None else position.turn

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.node.position.is_over

    def returns(self) -> list[float]:
        """Return the rewards of all seats: zeros before the end, see ``reward_ranks``."""
        position = self.node.position
        rewards = np.zeros(position.seats, np.float32)
        if position.is_over:
            reward_ranks(np.array(position.scores()), rewards)
        return list(rewards.tolist())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance, each with its probability."""
        position = self.node.position
        codes = moves_at(position.setup, position.state)
        shares = np.zeros(codes.size, np.float64)
        rules.weights(position.setup, position.state, codes, shares)
        return list(enumerate(shares.tolist()))

    def __str__(self) -> str:
        return "\n".join([str(self.node.position), *map(str, self.node.begun)])

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return self.node.actions

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        code = self.node.moves.get((*self.node.begun, action))
        done = len(self.node.begun)
        return str(action) if code is None or done else self.node.position.text(code)


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game in OpenSpiel's form: the rewards are those of environments, the best seat has 1.

    Where a move is several actions, ``max_game_length`` takes each move as one action for its kind
    and ``touched / move_capacity`` vertices, rounded up, of its ``rules.observation`` and
    ``rules.info``. That is a bound if all moves touch equally many vertices, as in our games. If
    some moves of your game touch more, a game can have more actions than ``max_game_length``.

    Parameters
    ----------
    parameters
        Those of OpenSpiel, all of them.
    """

    called: ClassVar[str]
    """The name of the game."""

    own: ClassVar[AnyGame | None]
    """The game itself, if it is not installed."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        start = start_of(self.own or registry.game(self.called), parameters)
        setup = start.setup
        info, self.sizes = rules.info(setup), sizes_of(setup)
        self.by_code = self.sizes.codes > 0
        capacity, parts = int(info.move_capacity), 1
        actions = self.sizes.codes or capacity
        if self.sizes.touched and not self.by_code:
            actions = max(self.sizes.kinds, self.sizes.vertices)
            parts = 1 + -(-self.sizes.touched // capacity)
        chance, several = has_chance(start), start.seats > 1
        self.actions, self.first = actions, Node(start.copy())
        super().__init__(
            game_type(start.game.declaration, chance, several),
            pyspiel.GameInfo(
                num_distinct_actions=actions,
                max_chance_outcomes=capacity if chance else 0,
                num_players=start.seats,
                min_utility=-1.0 if several else float(info.lowest_score),
                max_utility=1.0 if several else float(info.highest_score),
                utility_sum=0.0 if several else None,
                max_game_length=int(info.ply_bound) * parts,
            ),
            {"start": packed(start)},
        )

    def new_initial_state(self) -> OpenSpielState:
        """Return the start of a game."""
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the moves of chance; 0 without chance."""
        bound = int(rules.info(self.first.position.setup).ply_bound)
        return bound if self.max_chance_outcomes() else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer of the game."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return OpenSpielObserver(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)

    def state_at(self, position: Position) -> OpenSpielState:
        """Return the state at a position, by the moves that led there from the start of the game.

        Raises
        ------
        InvalidInput
            If these moves are not known, or if a seat has dropped out.
        """
        state, codes = self.new_initial_state(), position.history
        for code in codes[self.first.position.ply :]:
            word = next((word for word, move in state.node.moves.items() if move == code), ())
            for action in word:
                state.apply_action(action)
        if state.node.position != position:
            raise InvalidInput(f"openspiel: the moves that led to {position!r} are not known")
        return state


class OpenSpielObserver:
    """What a seat sees, as one tensor with its parts: see :meth:`Position.observe`.

    Attributes
    ----------
    dict
        ``vertices``: ``float32[vertices, vertex_features]``; ``game``: ``float32[game_features]``;
        where a move may be several actions, ``begun``: ``float32[actions]``, with 1 for the first
        action of a move that has begun, 2 for the second, and so on.
    """

    def __init__(self, game: OpenSpielGame, params: Any) -> None:
        if params:
            raise InvalidInput(f"openspiel: an observer has no parameters, got {params!r:.60}")
        sizes = game.sizes
        shapes: dict[str, tuple[int, ...]] = {
            "vertices": (sizes.vertices, sizes.vertex_features),
            "game": (sizes.game_features,),
        }
        if not game.by_code:
            shapes["begun"] = (game.actions,)
        ends = np.cumsum([np.prod(shape) for shape in shapes.values()], dtype=int)
        self.tensor = np.zeros(ends[-1], np.float32)
        pieces = np.split(self.tensor, ends[:-1])
        self.dict = {
            name: piece.reshape(shape)
            for (name, shape), piece in zip(shapes.items(), pieces, strict=True)
        }

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a seat sees of a state."""
        seen = state.node.position.observe(player)
        self.dict["vertices"][:] = seen["vertices"]
        self.dict["game"][:] = seen["game"]
        if "begun" in self.dict:
            self.dict["begun"][:] = 0.0
            for place, action in enumerate(state.node.begun, 1):
                self.dict["begun"][action] = place

    def string_from(self, state: OpenSpielState, player: int) -> str:  # noqa: ARG002
        """Return the state as text: nothing is hidden from a seat."""
        return str(state)


class OpenSpielPlayer:
    """A bot of OpenSpiel as a player; it answers by the state alone.

    Parameters
    ----------
    make_bot
        Returns a bot for a game: an object with ``step(state) -> action``.
    """

    def __init__(self, make_bot: Callable[[OpenSpielGame], Any]) -> None:
        self.make_bot = make_bot

    def prepare(self, position: Position) -> None:
        """Make the game and the bot."""
        self.game = load(position)
        self.bot = self.make_bot(self.game)

    def choose(self, position: Position) -> int:
        """Return the move whose actions the bot chooses one by one."""
        state = self.game.state_at(position)
        while len(state.node.position.history) == len(position.history):
            state.apply_action(self.bot.step(state))
        return state.node.position.history[-1]


def load(start: Position) -> OpenSpielGame:
    """Return the game of OpenSpiel that begins at the start of a game, on its own board.

    OpenSpiel can send it and its states to other processes, in which this module is imported and
    the game is installed: its parameter ``start`` has the board and all options.
    """
    name = start.game.name
    is_installed = registry.is_game(name) and registry.game(name) is start.game
    register(start.game.declaration, None if is_installed else start.game)
    game: OpenSpielGame = pyspiel.load_game(PREFIX + name, {"start": packed(start)})
    return game


def packed(start: Position) -> str:
    """Return the start of a game as one word."""
    data = {"board": boards.to_data(start.board), "setup": start.game.describe(start)}
    text = base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(data)))
    return text.decode().rstrip("=")


def unpacked(game: AnyGame, text: str) -> Position:
    """Return the start of a game from the word of :func:`packed`."""
    try:
        data = msgspec.json.decode(zlib.decompress(base64.urlsafe_b64decode(text + "==")))
        board, setup = data["board"], data["setup"]
    except (ValueError, zlib.error, KeyError, TypeError):
        raise InvalidInput("openspiel: start is not a word that this module has made") from None
    return game.restore(boards.from_data(board), setup)


def has_chance(start: Position) -> bool:
    """Tell whether chance moves in a random game."""
    position, rng = start.copy(), random_state(0)
    while not position.is_over and not position.is_chance:
        position.play_random(rng)
    return position.is_chance


def game_type(declared: Declaration, chance: bool, several: bool) -> Any:
    """Return the type of a game: with perfect information, its options as parameters."""
    kind = pyspiel.GameType
    return kind(
        short_name=PREFIX + declared.name,
        long_name=f"{declared.name} of Ludograph",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC
        if chance
        else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if several else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=declared.seats[1],
        min_num_players=declared.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            **{option.name: default(option) for option in declared.options},
            "seats": 0,
            "seed": 0,
            "start": "",
        },
    )


def default(option: Option) -> bool | int | float | str:
    """Return the default of an option as a parameter: a text if OpenSpiel has no such type."""
    if option.default is None:
        return ""
    simple = isinstance(option.type, Flag | Number | Whole)
    return option.default if simple else str(option.default)


def start_of(game: AnyGame, parameters: dict[str, Any]) -> Position:
    """Return the start of a game; parameters that are defaults give way to what others imply."""
    if parameters["start"]:
        return unpacked(game, parameters["start"])
    given = {
        option.name: parameters[option.name]
        for option in game.declaration.options
        if parameters[option.name] != default(option)
    }
    return game.position(seats=parameters["seats"] or None, seed=parameters["seed"], **given)


def register(declared: Declaration, own: AnyGame | None = None) -> None:
    """Register a game with OpenSpiel, in place of another of its name."""
    # As a class: when the process ends, OpenSpiel could not free a function.
    fields = {"called": declared.name, "own": own}
    kind = type(f"{declared.name.title()}Game", (OpenSpielGame,), fields)
    pyspiel.register_game(game_type(declared, chance=True, several=True), kind)


for _name in registry.names():
    register(registry.declaration(_name))
