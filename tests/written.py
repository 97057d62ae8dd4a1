"""Functions as an author writes them, made from texts; ``# fault`` marks where a text is wrong."""

import itertools
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = tempfile.TemporaryDirectory(prefix="written-")
NUMBERS = itertools.count()


def written(name: str, parameters: str, body: str, space: dict[str, Any]) -> Callable[..., Any]:
    """Return the function of a body that finds its names in ``space``, from a file of its own."""
    path = Path(FOLDER.name) / f"written{next(NUMBERS)}.py"
    path.write_text(f"def {name}({parameters}):\n{textwrap.indent(body, '    ')}\n")
    names = dict(space)
    exec(compile(path.read_text(), path, "exec"), names)
    function: Callable[..., Any] = names[name]
    return function


def line_of(function: Any, number: int) -> str:
    """Return a line of what an author has written, counted from 1."""
    return Path(function.__code__.co_filename).read_text().splitlines()[number - 1]
