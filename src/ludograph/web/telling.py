"""A moment of a game as data for a page: its picture, its seats, what has just happened."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.games import Position
from ludograph.games.pictures import holding
from ludograph.views import Scene
from ludograph.web.encoding import Data, Encoder
from ludograph.web.levels import level_of


def moment(
    position: Position, encoder: Encoder, names: Sequence[str], specs: Sequence[str | None] = ()
) -> Data:
    """Return a position: ``ply``, ``turn``, ``picture``, ``seats`` in their order, what remains.

    Parameters
    ----------
    specs
        By seat, how the player is written on the command line, if that is known.
    """
    scene = position.scene()
    scores = list(position.scores())
    return {
        "ply": position.ply,
        "turn": position.turn,
        "over": position.is_over,
        "picture": encoder.picture(scene, focus(position, scene), position.game.regions(position)),
        "seats": [
            seat_data(position, scene, seat, name) | called(position, specs[seat : seat + 1])
            for seat, name in enumerate(names)
        ],
        "scores": scores,
        "leads": leader(scores),
        "legend": list(position.game.legend(position).items()),
        "remains": "" if position.is_over else position.game.remains(position),
    }


def focus(position: Position, scene: Scene) -> int | None:
    """Return the cell where the last move has put something, of a picture that grows.

    Of others the whole is seen; None, too, if no move has put anything anywhere.
    """
    if not scene.shown.sketches:
        return None
    found = [way[-1] for way in position.game.ways(position) if len(way)]
    return found[-1] if found else None


def leader(scores: Sequence[float]) -> int | None:
    """Return who has most points; None if several have."""
    most = max(scores, default=0.0)
    return scores.index(most) if list(scores).count(most) == 1 and len(scores) > 1 else None


def seat_data(position: Position, scene: Scene, seat: int, name: str) -> Data:
    """Return what is told of a seat."""
    game = position.game
    terms = game.terms(position, seat)
    return {
        "name": name,
        "color": game.color_of(position, seat),
        "chip": chip(position, scene, seat),
        "holding": holding(position, scene, seat),
        "stuck": "" if position.is_over else game.stuck(position, seat),
        "terms": "; ".join(f"{what}: {', '.join(texts)}" for what, texts in terms.items()),
    }


def called(position: Position, spec: Sequence[str | None]) -> Data:
    """Return how a seat's player is written, and which level it is."""
    text = spec[0] if spec and spec[0] else ""
    return {"spec": text, "level": level_of(position.game.declaration, text) if text else ""}


def chip(position: Position, scene: Scene, seat: int) -> str:
    """Return the color that a seat has on the picture, as ``#rrggbb``; empty if it has none."""
    named = position.game.color_of(position, seat)
    for swatch in (*scene.palette[::-1], *scene.shown.palette):  # players stand behind grounds
        if named and swatch.name == named:
            return swatch.rgb
    if scene.groups is None:
        return ""
    fills = set(scene.fills[scene.groups == seat].tolist())
    return scene.palette[fills.pop()].rgb if len(fills) == 1 else ""


def moved(position: Position, seat: int | None, move: int, seconds: float) -> Data:
    """Return a move; ``position`` is the one after it."""
    way: Sequence[int] = ()
    if position.history:
        *_, way = position.game.ways(position)
    game = position.game
    label, text = game.label(position, move), position.text(move)
    told = {"seat": seat, "text": label, "seconds": round(seconds, 3)}
    told |= {"code": text} if text != label and seat is not None else {}
    return told | {"told": game.announce(position, move), "way": list(way)}
