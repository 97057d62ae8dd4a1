"""Setup types on which some hints for searches are an author's own functions.

Searches ask a Setup type for its rules (:mod:`ludograph.rules.dispatch`). So a search with an
author's functions gets a Setup type of its own, around that of the game. The name of the type is a
digest of the functions and all that they reach, so a later process finds its machine code again.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.rules import Kernel, Setup, implements, register
from ludograph.rules.fingerprint import CannotFingerprint, fingerprint
from ludograph.search.hints import candidates, proven_scores, score_bounds_at
from ludograph.search.mcts.hints import LIKELIHOODS, leaf_value, weigh
from ludograph.search.proof.game import proof_numbers
from ludograph.search.searched import OWN, SearchedPosition

ASKED = """def {title}({parameters}):
    return part({handed})
"""

WITHOUT_CHANCE = """def {title}({parameters}):
    if state[TURN] == CHANCE:
        return legal_moves(setup.base, state, out)
    return part({handed})
"""
"""The default: an author cannot replace the list of outcomes at a chance node."""

LIKELIHOODS_ALONE = """def {title}({parameters}):
    if wanted == LIKELIHOODS:
        part({handed})
    else:
        for index in range(moves.size):
            out[index] = 0.5
    return False
"""
"""An author's priors: the game's own values and judgements need the game's knowledge of moves."""


class Hint(NamedTuple):
    """A hint that an author can replace.

    Attributes
    ----------
    rules
        The generic functions that an author's function replaces: the first always, the others
        unless the author replaces them, too.
    parameters
        The parameters of the author's function, without its data.
    source
        The source of the rule that calls the author's function.
    """

    rules: tuple[Any, ...]
    parameters: tuple[str, ...]
    source: str = ASKED


REPLACEABLE: Mapping[str, Hint] = {
    "evaluate": Hint((rules.evaluate,), ("setup", "state", "out")),
    "candidates": Hint((candidates,), ("setup", "state", "out"), WITHOUT_CHANCE),
    "proven_scores": Hint((proven_scores,), ("setup", "state", "out")),
    "score_bounds_at": Hint((score_bounds_at,), ("setup", "state", "low", "high")),
    "playout": Hint((rules.playout, leaf_value), ("setup", "state", "rng", "out")),
    "leaf_value": Hint((leaf_value,), ("setup", "state", "rng", "out")),
    "priors": Hint((weigh,), ("setup", "state", "moves", "out"), LIKELIHOODS_ALONE),
    "proof_numbers": Hint((proof_numbers,), ("setup", "state", "out")),
}
"""The hints that an author can replace, by the name of the author's function."""

_kinds: dict[str, type] = {}
_kernels: dict[str, Kernel] = {}
_lock = threading.Lock()


class Part(NamedTuple):
    """An author's function that replaces a hint of the game.

    Attributes
    ----------
    kernel
        The function, compiled; equal functions share one.
    digest
        A digest of the function and of all that it reaches.
    """

    kernel: Kernel
    digest: str


def part_of(name: str, function: Any, setup_types: tuple[type, ...]) -> Part:
    """Return an author's function as a part of a search.

    Raises
    ------
    InvalidInput
        If it is no function of a module, or uses something that cannot be compiled.
    """
    kernel = function if isinstance(function, Kernel) else Kernel(function)
    try:
        found = fingerprint(kernel.python, setup_types)
    except CannotFingerprint as error:
        raise InvalidInput(f"{name}: {error}") from None
    made_from = (
        found,
        kernel.allocates,
        [f"{each.__module__}.{each.__qualname__}" for each in setup_types],
    )
    digest = hashlib.sha256(repr(made_from).encode()).hexdigest()
    with _lock:
        return Part(_kernels.setdefault(digest, kernel), digest)


def customized(position: SearchedPosition, parts: Mapping[str, Part], data: Any = None) -> Setup:
    """Return the Setup that a search uses: the game's, with parts of its hints replaced.

    The author's functions get the Setup of the position; all other rules get that of the game's own
    searches.

    Parameters
    ----------
    data
        The last argument of the author's functions; None: they have no such argument.
    """
    base = position.game.search_view(position, OWN).setup
    if not parts:
        return base
    fields = {"base": base}
    if type(base) is not type(position.setup):
        fields["plain"] = position.setup
    if data is not None:
        fields["data"] = data
    kinds = {name: type(value) for name, value in fields.items()}
    with _lock:
        return _setup_type(kinds, parts)(**fields)


def _setup_type(kinds: Mapping[str, type], parts: Mapping[str, Part]) -> type:
    """Return the Setup type of some parts; each is made once."""
    made_from = [(name, part.digest) for name, part in sorted(parts.items())]
    made_from += [(name, f"{kind.__module__}.{kind.__qualname__}") for name, kind in kinds.items()]
    digest = hashlib.sha256(repr(made_from).encode()).hexdigest()[:16]
    title = f"{kinds['base'].__name__}_{digest}"
    if title not in _kinds:
        made: Any = NamedTuple(title, list(kinds.items()))  # type: ignore[misc]
        made.__module__ = __name__
        globals()[title] = made  # a later process that reads its machine code finds it here
        first = "setup.plain" if "plain" in kinds else "setup.base"
        last = ("setup.data",) if "data" in kinds else ()
        replacing = []
        for rule, name in replaced(parts).items():
            handed = (first, *REPLACEABLE[name].parameters[1:], *last)
            replacing.append(_implement(made, rule, REPLACEABLE[name].source, parts[name], handed))
        register(made, *replacing, otherwise="base")
        _kinds[title] = made
    return _kinds[title]


def replaced(names: Iterable[str]) -> dict[Any, str]:
    """Return the generic functions that an author's functions replace, with the names of these."""
    found = {rule: name for name in names for rule in REPLACEABLE[name].rules}
    return found | {REPLACEABLE[name].rules[0]: name for name in names}


def _implement(
    kind: type, rule: Any, source: str, part: Part, handed: Sequence[str]
) -> Callable[..., Any]:
    """Make a function that calls a part the rule of a Setup type; return the function.

    Its source is made here, because the part is a kernel that is known only now: a kernel of a
    closure has no fingerprint, and a kernel as an argument would be missing in the key of the
    stored machine code. A global of the made function is in the fingerprint.
    """
    title = f"{kind.__name__}_{rule.__name__}"
    space: dict[str, Any] = {
        **{"part": part.kernel, "legal_moves": rules.legal_moves, "__name__": __name__},
        **{"TURN": rules.TURN, "CHANCE": rules.CHANCE, "LIKELIHOODS": LIKELIHOODS},
    }
    parameters = ", ".join(rule.signature.parameters)
    exec(source.format(title=title, parameters=parameters, handed=", ".join(handed)), space)
    own: Callable[..., Any] = implements(rule, kind, allocates=part.kernel.allocates)(space[title])
    return own
