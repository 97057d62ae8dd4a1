"""Validation of analysis info: a player's data is accepted, or refused with a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ludograph.errors import IllegalMove
from ludograph.formatting import described, one_line
from ludograph.games.analysis_info import LINE, MOST_MOVES, MOVES, AnalysisInfo, Considered, to_data
from ludograph.views.scene import Overlay

if TYPE_CHECKING:
    from ludograph.games.played import PlayedPosition

MOST_PLIES = 500
MOST_OVERLAYS = 16
MOST_CELLS = 20_000
"""The most numbers of all overlays together."""
TEXT_LIMIT = 200
WORD_LIMIT = 40
LABEL_LIMIT = 6


class InvalidAnalysisInfo(ValueError):
    """An invalid analysis info, with the reason in one sentence. It has no effect on the game."""


def validated(data: Any, position: PlayedPosition) -> AnalysisInfo:
    """Check an analysis info of any origin.

    Parameters
    ----------
    data
        :class:`AnalysisInfo`, or a mapping with its fields.
    position
        The position in which the move was chosen; the moves are legal there.

    Raises
    ------
    InvalidAnalysisInfo
        If the data has another form, is too large, or contains invalid moves or vertices.
    """
    try:
        info = msgspec.convert(to_data(data), AnalysisInfo)
    except Exception as error:  # noqa: BLE001  (a player's own objects)
        raise InvalidAnalysisInfo(one_line(str(error), TEXT_LIMIT)) from None
    for name in ("depth", "simulations", "nodes"):
        count = getattr(info, name)
        if count is not None and not 0 <= count < 1 << 63:
            raise InvalidAnalysisInfo(f"{name} is {described(count)}")
    limits = {"moves": MOST_MOVES, "line": MOST_PLIES, "overlays": MOST_OVERLAYS}
    for name, most in limits.items():
        if len(getattr(info, name)) > most:
            raise InvalidAnalysisInfo(
                f"{name} has {len(getattr(info, name))} entries, at most {most} are allowed"
            )
    if sum(len(overlay.cells) for overlay in info.overlays) > MOST_CELLS:
        raise InvalidAnalysisInfo(f"overlays have more than {MOST_CELLS} cells")
    return msgspec.structs.replace(
        info,
        value=finite(info.value, "value"),
        measure=one_line(info.measure, WORD_LIMIT),
        moves=tuple(_considered(info.moves, position)),
        line=tuple(_line(info.line, position)),
        note=one_line(info.note, TEXT_LIMIT),
        overlays=tuple(_overlay(overlay, position.board.n) for overlay in info.overlays),
    )


def finite(value: float | None, what: str) -> float | None:
    """Return a number to six digits; raise InvalidAnalysisInfo if it is not finite."""
    if value is None:
        return None
    if not math.isfinite(value):
        raise InvalidAnalysisInfo(f"{what} is {value}, which is not finite")
    return float(f"{value:.6g}")


def _code(position: PlayedPosition, move: str | int) -> int:
    """Return the code of a move, given as text or code."""
    try:
        code = position.parse(move) if isinstance(move, str) else move
        position.text(code)
    except IllegalMove as error:
        raise InvalidAnalysisInfo(str(error)) from None
    return code


def _considered(moves: Sequence[Considered], position: PlayedPosition) -> Iterable[Considered]:
    legal = set(position.legal_moves()) if moves else set()
    for each in moves:
        code = _code(position, each.move)
        if code not in legal:
            raise InvalidAnalysisInfo(position.why_not(code))
        text = position.text(code)
        if each.visits is not None and not 0 <= each.visits < 1 << 63:
            raise InvalidAnalysisInfo(f"visits of {text} are {described(each.visits)}")
        value = finite(each.value, f"the value of {text}")
        yield Considered(text, value, each.visits, each.proven)


def _line(moves: Sequence[str | int], position: PlayedPosition) -> Iterable[str]:
    board = position.copy()
    for move in moves:
        code = _code(board, move)
        if not board.is_legal(code):
            raise InvalidAnalysisInfo(f"line: {board.why_not(code)}")
        yield board.text(code)
        board.push(code)


def _overlay(overlay: Overlay, vertices: int) -> Overlay:
    name = one_line(overlay.name, WORD_LIMIT)
    if not name or name in (MOVES, LINE):
        raise InvalidAnalysisInfo(f"an overlay cannot be called {name!r}")
    if len(set(overlay.cells)) < len(overlay.cells):
        raise InvalidAnalysisInfo(f"overlay {name}: a vertex comes twice")
    for cell in overlay.cells:
        if not 0 <= cell < vertices:
            raise InvalidAnalysisInfo(f"overlay {name}: there is no vertex {described(cell)}")
    for what in ("values", "texts"):
        given = getattr(overlay, what)
        if given is not None and len(given) != len(overlay.cells):
            raise InvalidAnalysisInfo(
                f"overlay {name}: {len(given)} {what} for {len(overlay.cells)} cells"
            )
    values, texts = overlay.values, overlay.texts
    return Overlay(
        name,
        tuple(overlay.cells),
        None if values is None else tuple(finite(v, f"overlay {name}") or 0.0 for v in values),
        None if texts is None else tuple(one_line(text, LABEL_LIMIT) for text in texts),
    )
