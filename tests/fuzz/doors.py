"""All doors through which something comes in from outside, each with good inputs to spoil."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import random
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from ludograph import boards
from ludograph.arena.ladder import LadderFolder
from ludograph.cli.declared_files import read_ladder, read_tournament
from ludograph.cli.game_options import chosen, split
from ludograph.cli.main import COMMANDS, cli
from ludograph.cli.program import failure
from ludograph.errors import IllegalMove, LudographError
from ludograph.games import Position, TimeLeft
from ludograph.games.declaration import Declaration
from ludograph.games.hex.sgf import read_sgf
from ludograph.games.options import Unexpected
from ludograph.games.registry import declaration, load, names
from ludograph.hosting.channel import (
    ANSWER_LIMIT,
    HEAD,
    Answer,
    Channel,
    ChannelClosed,
    ChannelGarbage,
)
from ludograph.hosting.dialogues import answered_move, dialogue, interface
from ludograph.players.forfeit import PlayerFault
from ludograph.players.protocol import move_code
from ludograph.players.spec import parse_player
from ludograph.protocols.htp import HtpServer, engine_of, parse_command, strategy_spec
from ludograph.referee import Clock, play_match, read_record
from ludograph.web.server.tokens import read_tokens
from tests.fuzz import mutating
from tests.fuzz.stores import of_ladder, of_proofs, of_tournament

PLIES = 6
"""Moves that are played on what was let in: the rules check nothing any more."""

LONG_NUMBER = re.compile(r"(?<!\d)\d{3,8}(?!\d)")
"""In command lines: boards of a million vertices are let in, and take their time. Longer numbers
are refused."""

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="x" for="node" attr.name="x" attr.type="double"/>
<key id="y" for="node" attr.name="y" attr.type="double"><default>0.5</default></key>
<graph edgedefault="undirected">
<node id="a"><data key="x">0</data></node><node id="b"><data key="x">1</data></node>
<node id="c"><data key="x">2</data><data key="y">1.5</data></node>
<edge source="a" target="b"/><edge source="b" target="c"/>
</graph></graphml>
"""
EDGES = [
    "# four\n0 1\n1 2\n2 3\n3 0\n",
    "a,b\nb,c # in words\n\nc;d\n",
    "0 1 {'weight': 3}\n1 2 {}\n2 0\n",
]
TOKENS = {
    "look": "look-look-look",
    "upload": ["upload-upload", "other-upload"],
    "anybody": "look",
}
TOURNAMENT = {
    "game": "flood",
    "players": ["greedy", "random", "bot.py"],
    "format": "swiss",
    "games": 4,
    "seats": 2,
    "sample": False,
    "seed": 3,
    "clock": "1s",
    "openings": "first.txt",
    "settings": {"board": "hatched:12", "colors": 4},
    "starts": [{"board": "square:5"}, {"board": "board.json", "forbidden": "same:1"}],
}
LADDER = {
    "game": "hex",
    "clock": "60s+1s",
    "seats": 2,
    "seed": 0,
    "anchors": ["random", "mcts:sims=50"],
    "anchor_elo": 1000.0,
    "patience": 6,
    "isolation": "basic",
    "memory": "2G",
    "settings": {"board": "hexagonal:4", "pie": True},
    "starts": [{"board": "square:3"}],
    "records": 20,
}
SGF = "(;FF[4]GM[11]SZ[4]PB[one]PW[t\\]wo]RE[B+];B[a2];W[swap-pieces];B[c3];W[d4];B[resign])"
HTP = [
    *("name", "boardsize 3", "play black a1", "genmove white", "7 undo", "time_settings 1 0 0"),
    *(
        "time_left black 1 0",
        "all_legal_moves",
        "showboard",
        "final_score",
        "play white swap-pieces",
    ),
    *("ludograph-resistances", "ludograph-paths black", "clear_board", "known_command x", "# a"),
]
CLOCKS = ["1s", "500ms", "2m+1s", "60s+0s,10s", "1h", "none"]
PLAYERS = ["greedy", "random", "mcts:sims=20", "mcts:time=0.5,seed=1", "minimax:depth=2", "human"]
PLAYERS += ["bot.py", "bot.py:Me", "./a/b.so", "p.so.1", "a.c", "line:x=1"]
PLAYERS += ["htp: cat -n 'a b'", "cmd: cat -n 'a b'"]


class Door(NamedTuple):
    """A way in.

    Attributes
    ----------
    spoiled
        Makes an input from a generator of random numbers.
    enter
        Takes it; what is wrong must be a :data:`REFUSALS`.
    """

    name: str
    spoiled: Callable[[random.Random], Any]
    enter: Callable[[Any], object]


REFUSALS = (LudographError, click.ClickException, PlayerFault, Unexpected)
"""What may be raised where something is refused: one sentence each."""


def doors(folder: Path) -> list[Door]:
    """Return all doors; the folder is for files."""
    games = [declaration(name) for name in names()]
    starts = [start for game in games for start in load(game).samples()]
    found = [*files(folder, starts), *stores(folder), *command_lines(games)]
    for start in starts:
        found += of_position(start)
    return [*found, *of_texts(games), channel(), engine()]


def played(position: Position, rng: random.Random) -> None:
    """Play a few legal moves, and look at what people see."""
    for _ in range(PLIES):
        if position.is_over:
            break
        position.play(rng.choice(position.legal_moves()))
    assert len(position.scores()) == position.seats
    str(position)


# --- files --------------------------------------------------------------------------------


def files(folder: Path, starts: list[Position]) -> list[Door]:
    """Return boards, setups and records as files and as data."""
    given = [boards.square(3), boards.hexagonal(3), boards.penrose(3), boards.torus(3)]
    seeds = [boards.to_data(board) for board in given]

    def board(suffix: str) -> Callable[[bytes], None]:
        path = folder / f"board{suffix}"

        def enter(data: bytes) -> None:
            path.write_bytes(data)
            on_board(boards.load(path), starts)

        return enter

    def json_board(rng: random.Random) -> bytes:
        seed = rng.choice(seeds)
        if rng.random() < 0.3:
            return mutating.of_bytes(mutating.encoded(seed), rng)
        return mutating.encoded(mutating.of_data(seed, rng))

    found = [
        Door("board .json", json_board, board(".json")),
        Door(
            "board .graphml",
            lambda rng: mutating.of_bytes(GRAPHML.encode(), rng),
            board(".graphml"),
        ),
        *(
            Door(
                f"board {suffix}",
                lambda rng: mutating.of_bytes(rng.choice(EDGES).encode(), rng),
                board(suffix),
            )
            for suffix in (".txt", ".edgelist", ".csv")
        ),
        Door("sgf", lambda rng: mutating.of_text(SGF, rng), read_sgf),
    ]
    found += declarations(folder)
    for number, start in enumerate(starts):
        found.append(setup(start))
        found.append(record(folder / f"record{number}.jsonl", start))
    return found


def declarations(folder: Path) -> list[Door]:
    """Return the files in TOML that people write: tokens, tournaments, ladders."""
    ladder = LadderFolder(folder / "ladder")
    ladder.players.mkdir(parents=True)

    def door(
        name: str, path: Path, seed: dict[str, Any], read: Callable[[Any], object], given: Any
    ) -> Door:
        def spoiled(rng: random.Random) -> bytes:
            if rng.random() < 0.4:
                text = mutating.of_text(mutating.toml(seed), rng)
            else:
                changed = mutating.of_data(seed, rng)
                text = mutating.toml(changed if isinstance(changed, dict) else {"x": changed})
            return LONG_NUMBER.sub("12", text).encode("utf-8", "surrogatepass")

        def enter(data: bytes) -> None:
            path.write_bytes(data)
            read(given)

        return Door(name, spoiled, enter)

    tokens, cup = folder / "tokens.toml", folder / "cup.toml"
    return [
        door("tokens", tokens, TOKENS, read_tokens, tokens),
        door("tournament", cup, TOURNAMENT, read_tournament, cup),
        door("ladder", ladder.declaration, LADDER, read_ladder, ladder),
    ]


def on_board(board: boards.Board, starts: list[Position]) -> None:
    """Begin each game that takes a board on one that was let in, if it is not too large."""
    if board.n > 1000:
        return
    for start in starts:
        if any(option.name == "board" for option in start.game.declaration.options):
            with contextlib.suppress(LudographError):
                played(start.game.position(board, seats=start.seats), random.Random(0))


def setup(start: Position) -> Door:
    """Return a game's setup as records hold it: options, colors, decks."""
    data = start.game.describe(start)

    def enter(text: bytes) -> None:
        position = start.game.restore(start.board, json.loads(text))
        played(position, random.Random(0))

    def spoiled(rng: random.Random) -> bytes:
        changed = mutating.of_data(data, rng)
        return mutating.encoded(changed if isinstance(changed, dict) else data)

    return Door(f"setup of {start.game.name}", spoiled, enter)


def record(path: Path, start: Position) -> Door:
    """Return records of a short game."""
    good = path.with_suffix(".good")
    play_match(start, ["random"] * start.seats, record=good)
    seed = good.read_bytes()

    def enter(data: bytes) -> None:
        path.write_bytes(data)
        for _ in read_record(path).positions():
            pass

    return Door(f"record of {start.game.name}", lambda rng: mutating.of_lines(seed, rng), enter)


def stores(folder: Path) -> list[Door]:
    """Return damaged stores of tournaments, ladders and proofs."""
    made = {"tournament": of_tournament, "ladder": of_ladder, "proofs": of_proofs}
    return [damaged(name, *make(folder)) for name, make in made.items()]


def damaged(name: str, good: bytes, enter: Callable[[bytes], None]) -> Door:
    """Return a store whose file was damaged by a disk."""
    return Door(f"damaged store of {name}", lambda rng: mutating.of_pages(good, rng), enter)


# --- command lines ------------------------------------------------------------------------


def command_lines(games: list[Declaration]) -> list[Door]:
    """Return the command line of each game, and that of all other commands."""
    others = list(COMMANDS)
    found = [Door(f"command {game.name}", *of_command([game.name], game)) for game in games]
    found += [Door(f"command {name}", *of_command([name], None)) for name in others]
    debug = ["player", "debug", "a.py", games[0].name]
    return [*found, Door("command player debug GAME", *of_command(debug, None))]


def of_command(
    words: list[str], game: Declaration | None
) -> tuple[Callable[[random.Random], list[str]], Callable[[list[str]], None]]:
    """Return a command line to spoil, and how it is understood without being run."""
    flags = all_flags(words)
    sizes = [game.options[0].default] if game and isinstance(game.options[0].default, str) else []
    known = [*flags, *PLAYERS, *CLOCKS, *map(str, sizes), "3", "4x3", "x.jsonl", "0", "1,2"]

    def spoiled(rng: random.Random) -> list[str]:
        line = mutating.of_words([*words, "random", "random", "-q"], rng, known)
        return [LONG_NUMBER.sub("12", word) for word in line]

    return spoiled, understood


def all_flags(words: list[str]) -> list[str]:
    """Return the options of a command."""
    command: click.Command | None = cli
    context = click.Context(cli)
    for word in words:
        if isinstance(command, click.Group) and not word.endswith(".py"):
            command = command.get_command(context, word) or command
    return [flag for known in (command or cli).params for flag in known.opts if flag[:1] == "-"]


def understood(words: list[str]) -> None:
    """Understand a command line as far as that goes without doing what it says."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(click.exceptions.Exit):
        try:
            understand(cli, "ludograph", list(words), None)
        except OSError as error:
            raise failure(error) from None


def understand(
    command: click.Command, name: str, words: list[str], parent: click.Context | None
) -> None:
    """Parse the words of a command, and of those below it; check what a game declares."""
    context = command.make_context(name, words, parent=parent)
    if isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        if rest:
            found, below, more = command.resolve_command(context, rest)
            if below is not None and found is not None:
                understand(below, found, more, context)
        return
    if command.name not in names():
        return
    game = declaration(str(command.name))
    params = dict(context.params)
    leading = params.pop("players", params.pop("words", ()))
    given, _ = split(game, params)
    given, players = game.leading(leading, given)
    chosen(game, given)
    for player in players:
        parse_player(player, load(game), 2)


# --- texts --------------------------------------------------------------------------------


def of_texts(games: list[Declaration]) -> list[Door]:
    """Return clocks, names of players and values of options."""

    def text(seeds: list[str]) -> Callable[[random.Random], str]:
        return lambda rng: mutating.of_text(rng.choice(seeds), rng)

    found = [Door("clock", text(CLOCKS), Clock.parse)]
    for game in games:
        rules = load(game)

        def name(player: str, rules: Any = rules) -> None:
            spec = parse_player(player, rules, 2)
            if spec.kind == "strategy":
                rules.strategy(spec.target).create(spec.options, 1)

        found.append(Door(f"player of {game.name}", text(PLAYERS), name))
        for option in game.options:
            seeds = [str(option.default), "1", "1,2,3", "a:3", "3x4", "yes"]

            def value(said: str, game: Declaration = game, option: str = option.name) -> None:
                if not LONG_NUMBER.search(said):
                    game.values({option: said})

            found.append(Door(f"option {option.name} of {game.name}", text(seeds), value))
    return found


def of_position(start: Position) -> list[Door]:
    """Return moves as texts and as anything at all, and what players of all kinds answer."""
    name = start.game.name
    later = start.copy()
    for _ in range(3):
        if not later.is_over:
            later.play(later.legal_moves()[0])
    texts = [later.text(move) for move in later.legal_moves()][:20] or ["pass"]

    def text(said: str) -> None:
        position = later.copy()
        position.play(position.parse(said))

    def code(rng: random.Random) -> Any:
        return mutating.of_data([mutating.number(rng)], rng)

    def answer(said: Any) -> None:
        found = move_code(said[0] if isinstance(said, list) and said else said)
        if found is not None:
            later.copy().play(found)

    found = [
        Door(f"move of {name}", lambda rng: mutating.of_text(rng.choice(texts), rng), text),
        Door(f"code of {name}", code, answer),
    ]
    return [*found, *answers(start, texts)]


def answers(start: Position, texts: list[str]) -> list[Door]:
    """Return what hosts hear from players of the kinds that there are."""

    def said(rng: random.Random) -> dict[str, Any]:
        words: list[Any] = [rng.choice(texts), [0], [1, 0], [0] * 5, "swap", "resign", 3]
        return {rng.choice(("said", "move")): mutating.of_data(rng.choice(words), rng)}

    def heard(kind: str, fields: dict[str, Any]) -> None:
        talk = dialogue(kind, start, 0)
        talk.question([], TimeLeft())
        for _ in range(3):
            move = answered_move(talk, decoded(fields))
            if isinstance(move, int):
                with contextlib.suppress(IllegalMove):
                    start.copy().play(move)
                return

    found = []
    for kind in ("python", "library", "cmd", *start.game.declaration.speaks):
        try:
            if kind not in ("python", "cmd"):  # which play any game
                interface(kind, start.game).check(start)
        except LudographError:
            continue
        name = f"answer to {kind} of {start.game.name}"
        found.append(Door(name, said, functools.partial(heard, kind)))
    return found


def decoded(fields: dict[str, Any]) -> Answer:
    """Return an answer as it comes out of a channel."""
    import msgspec

    try:
        return msgspec.json.decode(mutating.encoded(fields), type=Answer)
    except (msgspec.MsgspecError, UnicodeError):
        return Answer()


def channel() -> Door:
    """Return frames from a host's process."""
    payload = b'{"id":1,"move":3,"text":"so"}'
    frame = HEAD.pack(len(payload)) + payload

    def enter(data: bytes) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.sendall(data)
            theirs.shutdown(socket.SHUT_WR)
            listening = Channel(ours, ANSWER_LIMIT, Answer)
            with contextlib.suppress(ChannelGarbage, ChannelClosed):
                while True:
                    listening.receive(1.0)

    return Door("channel", lambda rng: mutating.of_bytes(frame * 2, rng), enter)


def engine() -> Door:
    """Return what programs say to the HTP engine."""
    made = HtpServer(engine_of(strategy_spec("random"), size=3))

    def enter(line: str) -> None:
        command = parse_command(line)
        if command is not None:
            size = command.arguments[:1] if command.name == "boardsize" else []
            if not any(len(number) > 1 for number in size):
                assert made.answer(command).endswith("\n\n")

    return Door("htp", lambda rng: mutating.of_text(rng.choice(HTP), rng), enter)
