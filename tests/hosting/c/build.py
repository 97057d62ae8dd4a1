"""Compile the C players of this folder, as a student would."""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
PLAYERS = ["greedy", "wanderer", "passer", "check_gsl", "misbehave", "no_symbol"]
COMPILE = ("gcc", "-shared", "-fPIC", "-std=c99", "-Wall")
GSL = ("-lgsl", "-lgslcblas", "-lm")


def build(
    name: str,
    folder: Path,
    *,
    link_gsl: bool = True,
    flags: Sequence[str] = (),
    libraries: Sequence[str] = (),
    source: Path = HERE,
    **switches: object,
) -> Path:
    """Compile the player `name` into `folder` and return the path of the library.

    `link_gsl=False` leaves libgsl out of the libraries that the player lists. `libraries` are flags
    that come last; `source` is the folder of the players of another game. The switches of
    `misbehave` are `fault`, `fault_at` and `fault_seat`: what it does wrong, at which of its moves,
    on which seat.
    """
    library = Path(folder) / f"{name}{'' if link_gsl else '-unlinked'}.so"
    if not (switches and library.is_file()):
        after = (*(GSL if link_gsl else ()), *libraries)
        library.unlink(missing_ok=True)  # a process that still has the old one keeps it
        library.write_bytes(compiled(source / f"{name}.c", tuple(flags), after))
        library.chmod(0o755)
    return switched(library, switches) if switches else library


@cache
def compiled(source: Path, flags: tuple[str, ...], libraries: tuple[str, ...]) -> bytes:
    """Return the library of a player, or say why it does not compile."""
    include = f"-I{source.parent / 'include'}"
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, source.stem)
        command = [*COMPILE, *flags, include, source, "-o", library, *libraries]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise RuntimeError(f"{source.name} does not compile:\n{result.stderr}")
        return library.read_bytes()


def switched(library: Path, switches: Mapping[str, object]) -> Path:
    """Return a copy of a library, in a folder of its own, with the texts of ``switches.h`` set."""
    content = bytearray(library.read_bytes())
    for switch, text in switches.items():
        mark = f"switch {switch}=".encode()
        assert content.count(mark) == 1
        place, written = content.index(mark) + len(mark), f"{text}\0".encode()
        content[place : place + len(written)] = written
    copy = library.parent / "-".join(map(str, switches.values())) / library.name
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(content)
    copy.chmod(0o755)
    return copy
