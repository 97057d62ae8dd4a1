"""Parameters of a player in a Python file: the keyword arguments of its class.

``bot.py:Mcts:c=0.5`` makes its player as ``Mcts(c=0.5)``. The parameters of a class are read from
the source before the match, without running it, and from the class itself in the player's own
process.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludograph.errors import InvalidInput, did_you_mean
from ludograph.formatting import described
from ludograph.games.options import Flag, Unexpected, decimal_number

Value = bool | int | float | str

WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)


def _whole(text: str) -> int:
    if not WHOLE.fullmatch(text):
        raise Unexpected("a whole number")
    return int(text)


def _number(text: str) -> float:
    try:
        return decimal_number(text)
    except ValueError:
        raise Unexpected("a number") from None


PARSERS: Mapping[type, Callable[[str], Value]] = {
    bool: Flag().parse,
    int: _whole,
    float: _number,
    str: str,
}
"""The parsers of texts, by the type of the parameter's default."""

SHOWN = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
"""The names of types in sentences; other types have none."""


@dataclass(frozen=True)
class Declared:
    """The parameters that a class or function declares.

    Attributes
    ----------
    name
        The name of the class or function.
    types
        The types of the parameters' defaults by name; ``object`` if the source does not show it.
    is_class
        Whether it is a class; a function has no parameters.
    """

    name: str
    types: Mapping[str, type]
    is_class: bool = True

    def values(self, options: Mapping[str, str]) -> dict[str, Value]:
        """Return the values of options; a text if the source does not show the type.

        Raises
        ------
        InvalidInput
            If one is no parameter, or its text is no value of the type of its default.
        """
        if options and not self.is_class:
            raise InvalidInput(f"{self.name} is a function; only a class has parameters")
        if options and not self.types:
            raise InvalidInput(
                f"{self.name} has no parameters: those are the keywords of its __init__ whose "
                "default is a number, a text, True or False"
            )
        values: dict[str, Value] = {}
        for name, text in options.items():
            if name not in self.types:
                meant = did_you_mean(name, self.types)
                raise InvalidInput(f"{self.name}: no parameter {name!r}; it has {self}{meant}")
            try:
                values[name] = PARSERS.get(self.types[name], str)(text)
            except Unexpected as error:
                raise InvalidInput(
                    f"{self.name}: {name} must be {error}, got {text!r}; it has {self}"
                ) from None
        return values

    def __str__(self) -> str:
        """Return all parameters, each with the type of its values."""
        return ", ".join(
            f"{name} ({SHOWN[of]})" if of in SHOWN else name for name, of in self.types.items()
        )


def declared_by(thing: Any) -> Declared:
    """Return the parameters of a loaded class or function."""
    name = getattr(thing, "__name__", described(thing))
    if not inspect.isclass(thing):
        return Declared(name, {}, is_class=False)
    try:
        found = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):  # a class without a signature, such as one written in C
        return Declared(name, {})
    keywords = (p for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY))
    return Declared(name, {p.name: type(p.default) for p in keywords if type(p.default) in PARSERS})


def declared_in(source: bytes, entry: str) -> Declared | None:
    """Return the parameters of the player in a source; None if only the running class has them.

    This is so for a class that is imported, decorated or made by a class from another module.

    Parameters
    ----------
    entry
        The name of the class or function; empty for the only one.
    """
    module = _parsed(source)
    if module is None:
        return None
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    functions = {n.name for n in module.body if isinstance(n, ast.FunctionDef)}
    if not entry:
        players = [name for name in classes if _plays(name, classes)]
        if len(players) > 1 or not all(map(_is_plain, classes.values())):
            return None
        entry = players[0] if players else "choose"
    if entry in functions and entry not in classes:
        return Declared(entry, {}, is_class=False)
    line = list(_ancestry(entry, classes))
    if not line or line[-1].bases or not all(map(_is_plain, line)):
        return None
    init = next((_methods(node)["__init__"] for node in line if "__init__" in _methods(node)), None)
    return Declared(entry, {} if init is None else dict(_keywords(init)))


def missing_entry(source: bytes, entry: str) -> str | None:
    """Return why a source has no player of a name; None if it has one, or may have one at run time.

    A parameter without its value, as in ``bot.py:c``, looks like such a name.
    """
    module = _parsed(source)
    bound = None if module is None else _bound(module.body)
    if module is None or bound is None or entry in bound:
        return None
    only = declared_in(source, "")
    if only is not None and entry in only.types:
        needs = f"the parameter {entry!r} of {only.name} needs a value, as in {entry}=VALUE"
        return f"{needs}; {only.name} has {only}"
    defined = (ast.ClassDef, ast.FunctionDef)
    names = [each.name for each in module.body if isinstance(each, defined)]
    has = f"; it has {', '.join(names)}" if names else ""
    parameters = f"; {only.name} has the parameters {only}" if only and only.types else ""
    meant = did_you_mean(entry, names)
    return f"the file has no class or function {entry!r}{has}{parameters}{meant}"


def has_no_player(source: bytes) -> bool:
    """Tell whether a source surely has no player; False if only running it can show this.

    True for a source without the names ``choose`` and ``play`` that makes classes only by plain
    class statements with bases of its own.
    """
    module = _parsed(source)
    bound = None if module is None else _bound(module.body)
    if module is None or bound is None or "type" in bound:
        return False
    nodes = list(ast.walk(module))
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    names = bound | {getattr(node, field, "") for node in nodes for field in ("name", "id", "attr")}
    own_bases = all(
        isinstance(base, ast.Name) and base.id in classes
        for node in classes.values()
        for base in node.bases
    )
    return not {"choose", "play"} & names and own_bases and all(map(_is_plain, classes.values()))


def _parsed(source: bytes) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _bound(body: Sequence[ast.stmt]) -> set[str] | None:
    """Return the names that a module binds; None if the source does not show all of them."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
            within = [each for each in ast.walk(node) if isinstance(each, ast.Global)]
            names.update(name for each in within for name in each.names)
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            names.update((each.asname or each.name).partition(".")[0] for each in node.names)
        if isinstance(node, ast.Name):
            names.add(node.id)
        waiting.extend(ast.iter_child_nodes(node))
    return None if names & {"*", "__getattr__", "exec", "globals", "setattr", "vars"} else names


def _is_plain(node: ast.ClassDef) -> bool:
    """Tell whether a class is completely defined by its body."""
    return not node.decorator_list and not node.keywords and len(node.bases) <= 1


def _methods(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}


def _ancestry(name: str, classes: Mapping[str, ast.ClassDef]) -> Iterator[ast.ClassDef]:
    """Yield a class and its bases, as far as they are in the file."""
    seen: set[str] = set()
    while name in classes and name not in seen:
        seen.add(name)
        yield classes[name]
        base = next(iter(classes[name].bases), None)
        name = base.id if isinstance(base, ast.Name) else ""


def _plays(name: str, classes: Mapping[str, ast.ClassDef]) -> bool:
    found = {method for node in _ancestry(name, classes) for method in _methods(node)}
    return "choose" in found or {"start", "play"} <= found


def _keywords(init: ast.FunctionDef) -> Iterator[tuple[str, type]]:
    """Yield the keywords that a name can set, with the types of their defaults."""
    places = init.args.args
    defaults: list[ast.expr | None] = [None] * (len(places) - len(init.args.defaults))
    defaults = [*defaults, *init.args.defaults][-len(places) :] if places else []
    pairs = [*zip(places, defaults, strict=True)]
    pairs += zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True)
    for argument, default in pairs:
        if default is None:
            continue
        try:
            of = type(ast.literal_eval(default))
        except ValueError:  # to be computed
            of = object
        if of in PARSERS or of is object:
            yield argument.arg, of
