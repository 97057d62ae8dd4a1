"""Files of games in the formats of other programs, found by their suffix."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ludograph.games.registry import declaration, game, names

if TYPE_CHECKING:
    from ludograph.games.interop import FileFormat, ForeignGame
    from ludograph.referee import Record

FILE_LIMIT = 1 << 24
"""The greatest size of a file in bytes."""

NOBODY = "?"


class Format(NamedTuple):
    """A format of a game that other programs read and write.

    Attributes
    ----------
    name
        Its suffix without the dot.
    game
        The name of the game.
    """

    name: str
    game: str

    @property
    def suffix(self) -> str:
        """The suffix of its files."""
        return f".{self.name}"

    def read(self, path: str | Path) -> Record:
        """Return the game of a file; raise InvalidInput if there is none."""
        from ludograph.documents import read_bytes, without_mark

        path = Path(path)
        raw = read_bytes(path, f"file in {self.name.upper()}", FILE_LIMIT)
        return record_of(self._format.read(without_mark(raw, path), str(path)), str(path))

    def write(self, record: Record) -> str:
        """Return a game as the text of a file; raise InvalidInput if that is not possible."""
        return self._format.write(game_of(record))

    @property
    def _format(self) -> FileFormat:
        return game(self.game).interop.formats[self.name]


def formats() -> list[Format]:
    """Return all formats beside Ludograph's own records."""
    return [Format(form, game) for game in names() for form in declaration(game).formats]


def format_of(path: str | Path) -> Format | None:
    """Return the format that a file's suffix names, in any case, or None."""
    suffix = Path(path).suffix.lower()
    return next((one for one in formats() if one.suffix == suffix), None)


def read_game(path: str | Path) -> Record:
    """Return the game of a file: a record of Ludograph, or a file of another format."""
    form = format_of(path)
    if form is not None:
        return form.read(path)
    from ludograph.referee import read_record

    return read_record(path)


def game_of(record: Record) -> ForeignGame[Any]:
    """Return the game of a record; it is void if several seats have given up."""
    from ludograph.games.interop import ForeignGame
    from ludograph.players import Reason

    drops = [event for event in record.events if event.drop is not None]
    game = ForeignGame(
        record.start,
        moves=[event.move for event in record.events if event.move is not None],
        names=tuple(record.names),
        result="Void" if len(drops) > 1 else "",
    )
    if len(drops) == 1:
        game.left = drops[0].drop
        game.how = "resign" if drops[0].reason == Reason.RESIGN else "forfeit"
    return game


def record_of(game: ForeignGame[Any], source: str) -> Record:
    """Return the record of a game; its warning tells what was left out."""
    from ludograph.referee.record import Event, Record

    names = [name or NOBODY for name in game.names]
    record = Record({"players": names}, game.start)
    position = game.start.copy()
    for move in game.moves:
        record.events.append(Event(move=move, seat=position.turn))
        position.play(move)
    outcome = position.outcome()
    if outcome is not None:
        sentence = position.game.presentation.result(position, outcome, names)
        record.end = _end("finished", names, sentence)
    elif game.left is not None:
        record.events.append(Event(drop=game.left, reason=game.how))
        winner = 1 - game.left
        sentence = f"{names[winner]} (seat {winner}) wins, the other player gives up: {game.how}."
        record.end = _end(game.how, names, sentence)
    elif game.result:
        sentence = f"The game ends after {record.plies} moves: {game.result}."
        record.end = _end("adjudicated", names, sentence)
    else:
        game.remarks.append("the game has no end")
    if game.remarks:
        record.warning = f"{source}: {'; '.join(game.remarks)}"
    return record


def _end(how: str, names: list[str], sentence: str) -> dict[str, object]:
    return {"end": how, "names": names, "sentence": sentence}
