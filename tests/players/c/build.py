"""Compile the C players of this folder, as a student would."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
PLAYERS = ["greedy", "wanderer", "passer", "check_gsl", "misbehave", "no_symbol"]
COMPILE = ["gcc", "-shared", "-fPIC", "-std=c99", "-Wall"]
GSL = ["-lgsl", "-lgslcblas", "-lm"]


def build(
    name: str,
    folder: Path,
    *,
    link_gsl: bool = True,
    fault: str | None = None,
    fault_at: int | None = None,
    flags: Sequence[str] = (),
    libraries: Sequence[str] = (),
    source: Path = HERE,
) -> Path:
    """Compile the player `name` into `folder` and return the path of the library.

    `link_gsl=False` leaves libgsl out of the libraries that the player lists. `fault` and
    `fault_at` are compiled into `misbehave`, which otherwise looks at the environment. `libraries`
    are flags that come last; `source` is the folder of the players of another game.
    """
    parts = [name]
    defines = []
    if fault is not None:
        parts.append(fault)
        defines.append(f'-DFAULT="{fault}"')
    if fault_at is not None:
        parts.append(str(fault_at))
        defines.append(f'-DFAULT_AT="{fault_at}"')
    if not link_gsl:
        parts.append("unlinked")
    library = Path(folder) / ("-".join(parts) + ".so")
    command = [
        *COMPILE,
        *defines,
        *flags,
        f"-I{source / 'include'}",
        str(source / f"{name}.c"),
        "-o",
        str(library),
        *(GSL if link_gsl else []),
        *libraries,
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{name}.c does not compile:\n{result.stderr}")
    return library
