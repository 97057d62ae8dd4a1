"""A declaration refuses fields of the wrong kind in a sentence with the name of the field."""

import dataclasses
import inspect
from collections.abc import Iterator
from importlib.util import find_spec

import click
import pytest

import ludograph
from ludograph import rl
from ludograph.cli.main import COMMANDS, cli
from ludograph.errors import InvalidInput
from ludograph.games import declaration, registry
from ludograph.games.board_option import BoardType
from ludograph.games.options import RESERVED, RESERVED_LETTERS, Alias, Option, Whole, Word
from ludograph.games.strategy import Strategy
from tests.toys.nim_game import DECLARATION

SIDES = Option("sides", Whole(1, 9), 6, "of the die")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seats": 3}, "seats .* got 3"),
        ({"seats": (4, 2)}, r"seats .*\(2, 4\), got \(4, 2\)"),
        ({"seats": (0, 2)}, r"seats .* got \(0, 2\)"),
        ({"help": "Take the last."}, r"help .*Help\(text, examples\), got 'Take the last\.'"),
        ({"options": SIDES}, r"options .*\btuple of Option\b.*"),
        ({"anchors": ("random")}, "anchors .*\\btuple of str\\b.* got 'random'"),
        ({"advisers": ("random", 1)}, r"advisers .*\btuple of str\b.*"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(changes, named) -> None:
    with pytest.raises(InvalidInput, match=f"^declaration of nim: {named}$"):
        dataclasses.replace(DECLARATION, **changes)


def test_a_default_that_is_no_value_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^nim: sides must be .* from 1 to 9, got 12$"):
        dataclasses.replace(DECLARATION, options=(dataclasses.replace(SIDES, default=12),))


def test_what_is_drawn_and_no_option_cannot_be_recorded() -> None:
    with pytest.raises(InvalidInput, match=r"^nim: values_of gives 'dice', .* the default None$"):
        DECLARATION.to_data({"heaps": [1], "most": 3, "dice": 4})


def test_a_list_is_as_good_as_a_tuple() -> None:
    assert dataclasses.replace(DECLARATION, options=[SIDES], seats=[2, 4]).seats == [2, 4]


def with_option(*names: str, **more: str) -> None:
    options = tuple(Option(name, Whole(1, 9), 6, "a test", **more) for name in names)
    dataclasses.replace(DECLARATION, options=options)


@pytest.mark.parametrize(
    "name",
    [
        *("start", "seed", "games", "clock", "jobs", "players", "help", "json", "as_json", "seats"),
        *("words", "version", "pause", "player0", "time1", "self", "render_mode", "opponent"),
        *("class", "None", "lambda", "two words", "pie-rule", "-x", "--start", "", "Size", "größe"),
        *("id", "max_episode_steps", "wrappers", "vector_kwargs"),
        *("1st", "a.b", "a=b", "a:b", "x\n", "_hidden", "\u202ea"),
    ],
)
def test_a_name_that_something_else_has_is_refused_at_the_declaration(name) -> None:
    """Fault row 48."""
    with pytest.raises(InvalidInput, match=r"^declaration of nim: ") as caught:
        with_option(name)
    assert "\n" not in str(caught.value)
    with pytest.raises(InvalidInput):
        dataclasses.replace(DECLARATION, aliases=(Alias(name, Whole(1, 9), None, "a test"),))


@pytest.mark.parametrize(
    "name",
    [
        "size",
        "type",
        "values",
        "options",
        "position",
        "torus",
        "mcts",
        "nim",
        "c",
        "a_b",
        "x2",
    ],
)
def test_other_names_are_free(name) -> None:
    with_option(name)


@pytest.mark.parametrize("letter", ["h", "j", "q", "-", "ab", "1", "é"])
def test_a_letter_that_something_else_has_is_refused(letter) -> None:
    with pytest.raises(InvalidInput, match="'sides'"):
        with_option("sides", letter=letter)


def test_each_name_and_letter_stands_once() -> None:
    with pytest.raises(InvalidInput, match="'sides'"):
        with_option("sides", "sides")
    with pytest.raises(InvalidInput, match="'s'"):
        with_option("sides", "stones", letter="s")


def test_board_is_the_name_of_the_board() -> None:
    with pytest.raises(InvalidInput, match=r"'board'.*BoardType"):
        with_option("board")
    other = Option("map", BoardType(("square",)), "square:5", "a test")
    with pytest.raises(InvalidInput, match=r"'map'.*BoardType"):
        dataclasses.replace(DECLARATION, options=(other,))


@pytest.mark.parametrize("name", ["play er", "solve", "Nim", "", "check-game", "../nim", "nim\n"])
def test_the_name_of_a_game_is_a_word_and_no_command(name) -> None:
    with pytest.raises(InvalidInput, match=r"^declaration of "):
        dataclasses.replace(DECLARATION, name=name)


@pytest.mark.parametrize("name", ["seed", "random", "class", "a-b", "a=b", "a,b", "", "Depth"])
def test_an_option_of_a_strategy_can_be_written(name) -> None:
    with pytest.raises(InvalidInput, match=r"^strategy mine: "):
        Strategy("mine", "a test", print, (Option(name, Whole(1, 9), 6, "a test"),))


@pytest.mark.parametrize("name", ["human", "cmd", "htp", "guest", "a:b", "my bot", ""])
def test_a_strategy_has_a_name_of_its_own(name) -> None:
    with pytest.raises(InvalidInput, match=r"^strategy "):
        Strategy(name, "a test", print)


def commands(
    command: click.Command, context: click.Context | None = None
) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        inside = click.Context(command, parent=context)
        for name in command.list_commands(inside):
            if (found := command.get_command(inside, name)) is not None:
                yield from commands(found, inside)


def parameters_of_gymnasium() -> set[str]:
    """Return the names of what its functions take beside the options of a game, if it is here."""
    if find_spec("gymnasium") is None:
        return set()
    import gymnasium

    return {
        each.name
        for function in (gymnasium.make, gymnasium.make_vec)
        for each in inspect.signature(function).parameters.values()
        if each.kind is not inspect.Parameter.VAR_KEYWORD
    }


def test_all_names_of_our_own_are_reserved() -> None:
    """Those of commands that take the options of a game, and of functions that do."""
    wanted, letters = {"help", "version"}, set()
    for command in commands(cli):
        if command.name not in registry.OURS:
            continue
        declared = registry.declaration(command.name)
        own = {each.name for each in (*declared.options, *declared.aliases)}
        for parameter in command.params:
            if parameter.name in own:
                continue
            wanted.add(parameter.name)
            flags = [*parameter.opts, *parameter.secondary_opts]
            if isinstance(parameter, click.Option):
                wanted |= {flag[2:].replace("-", "_") for flag in flags if flag.startswith("--")}
                letters |= {flag[1:] for flag in flags if not flag.startswith("--")}
    for function in (
        ludograph.make,
        rl.env,
        rl.vector,
        rl.aec,
        type(registry.game("hex")).position,
    ):
        wanted |= set(inspect.signature(function).parameters) - {"board", "options"}
    wanted |= parameters_of_gymnasium()
    assert wanted - RESERVED == {"starts"}  # Flood had it first; of a vector, it is the vector's
    assert letters | {"h"} == RESERVED_LETTERS
    assert {name.split()[0] for name in COMMANDS} == declaration.COMMANDS


def test_words_of_an_option_are_free() -> None:
    option = Option("side", Word(("start", "seed", "help", "--json")), "start", "a test")
    dataclasses.replace(DECLARATION, options=(option,))
