"""The host of a library or a program knows no game; so an interface can be anybody's."""

import subprocess

import pytest

from ludograph import boards, play_match
from ludograph.games.dialogue import DialogueBoard
from ludograph.games.flood.game import Flood
from ludograph.games.interop import Interop
from ludograph.games.library import Call, LibraryDialogue, LibraryInterface, lent, returned
from tests.interpreter import python


@pytest.mark.parametrize("host", ["library_host", "program_host"])
def test_a_host_imports_no_game_and_no_numpy(host):
    code = (
        f"import sys, ludograph.hosting.{host}, ludograph.hosting.forkserver\n"
        "print([m for m in sys.modules if m.startswith(('numpy', 'ludograph.games', "
        "'ludograph.boards', 'ludograph.rules'))])"
    )
    assert python("-c", code).stdout == "[]\n"


def test_the_host_of_a_library_loads_no_openssl():
    """valgrind would blame the player for the memory that OpenSSL never frees."""
    code = "import sys, ludograph.hosting.host, ludograph.hosting.library_host\n"
    code += "print('_hashlib' in sys.modules, '_ssl' in sys.modules)"
    assert python("-c", code).stdout == "False False\n"


class Codes(LibraryInterface):
    """Hands over the codes of all legal moves, and takes one: any game can be played so."""

    declarations = "void begin(int seat); int choose(int count, int const *codes); void end();"
    symbols = ("begin", "choose", "end")
    names, finishes, needs = "", "end", ()

    def check(self, position):
        """Let all games be played."""

    def dialogue(self, position, seat):
        return CodesDialogue(position, seat)


class CodesDialogue(LibraryDialogue):
    def __init__(self, position, seat):
        self.board, self.seat = DialogueBoard(position), seat

    def opening(self):
        return [Call("begin", (self.seat,))]

    def question(self, moves, time_left):
        assert all(seat is not None for seat, _ in self.board.follow(moves))
        codes = self.board.position.legal_moves()
        return [Call("choose", (len(codes), lent(codes)))]

    def move(self, said):
        (self.board.answered,) = returned(said, 1)
        return self.board.answered


class Game(Flood):
    interop = Interop(library=Codes())


PLAYER = """
#include <stdlib.h>
static int seat = -1;
void begin(int own) { seat = own; }
int choose(int count, int const *codes) {
  if (seat < 0) abort();
  return codes[seat ? count - 1 : 0];
}
void end() { }
"""


def test_a_game_of_somebody_else_has_c_players(tmp_path):
    (tmp_path / "player.c").write_text(PLAYER)
    path = str(tmp_path / "player.so")
    source = str(tmp_path / "player.c")
    subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", path], check=True)
    start = Game().position(boards.square(5), seed=2)
    result = play_match(start, [path, path])
    assert (result.reason, result.faults) == ("finished", [])
    position = start.copy()
    for played in result.moves:
        legal = position.legal_moves()
        assert played.move == legal[-1 if played.seat else 0]
        position.play(played.move)
    assert position.is_over
