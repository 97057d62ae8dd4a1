"""Boards that no machine can hold are refused with one sentence, before they are made."""

import resource
import subprocess
import tracemalloc

import pytest

from ludograph import boards
from ludograph.errors import InvalidInput
from ludograph.games.board_option import BoardType
from ludograph.games.registry import declaration, load, names
from tests.amounts import slow_but
from tests.cli.run import PROGRAM

ROOM = 4 * 2**30
"""Bytes of addresses: the boards that are refused would take more, or minutes."""

SECONDS = 100
"""Of processor time; nearly all of it is the start of the program, some seconds at most."""


def refused(*words):
    """Run a command with little room and time; return its one sentence."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    done = subprocess.run(
        [*PROGRAM, *map(str, words)],
        capture_output=True,
        check=False,
        text=True,
        preexec_fn=limit,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("ludograph: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


HUGE = [
    ("hex --board square:3000", "at most 1002001 vertices"),
    ("penguins 3 full-hexa 999999 999999", "at most 524288 vertices"),
    ("flood --board octo-tetra:4000", "at most 4194304 vertices"),
    ("carcassonne --deck course:99999999", "from 2 to 10000"),
]
MORE = [
    ("hex --board hexagonal:99999999", "hex: board must be a board of at most 1002001 vert"),
    ("hex --board triangular:99999999", "at most 1002001 vertices"),
    ("hex -m 1000 -t t", "at most 1002001 vertices"),
    ("amazons --board square:4000", "at most 1290 vertices"),
    ("penguins --board full-hexa:4000", "at most 524288 vertices"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "sentence"), slow_but(HUGE, HUGE + MORE))
def test_a_huge_game_is_refused_at_once(words, sentence):
    assert sentence in refused(*words.split(), "random", "random")


def boards_of(name):
    """Return how a game declares its board, or None."""
    kinds = [option.type for option in declaration(name).options]
    return next((kind for kind in kinds if isinstance(kind, BoardType)), None)


@pytest.mark.parametrize(
    ("name", "family"),
    [(name, family) for name in names() if boards_of(name) for family in boards_of(name).offered],
)
def test_every_game_bounds_every_family(name, family):
    kind, game = boards_of(name), load(declaration(name))
    assert kind.most is not None
    width = 3
    while width <= kind.most:
        width *= 3
    for size in (f"{width}", "999999999", "999999999x3", "3x999999999"):
        tracemalloc.start()
        with pytest.raises(InvalidInput) as raised:
            game.position(f"{family}:{size}")
        assert len(str(raised.value)) < 200
        assert tracemalloc.get_traced_memory()[1] < 2**20  # nothing of the size was made
        tracemalloc.stop()


def test_the_count_is_a_bound_of_what_is_made():
    for make in boards.FAMILIES.values():
        for size in ((6, None), (6, 9)):
            assert make(*size).n <= make.vertex_count(*size) <= 2 * make(*size).n


def test_a_board_object_and_a_file_have_the_same_bound(tmp_path):
    board = boards.square(40)
    boards.save(board, tmp_path / "large.json")
    amazons = load(declaration("amazons"))
    for given in (board, str(tmp_path / "large.json")):
        with pytest.raises(InvalidInput, match="1290 vertices"):
            amazons.position(given)


def test_a_board_beyond_the_free_memory(monkeypatch):
    monkeypatch.setattr("ludograph.documents.free_memory", lambda: 2**29)
    with pytest.raises(InvalidInput, match="1000x1000"):
        boards.square(1000)
    assert boards.square(10).n == 100
