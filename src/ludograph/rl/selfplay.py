"""Finished games as arrays for supervised learning: one row for each decision of a player.

``ludograph selfplay`` writes a folder. ``selfplay.json`` describes the games, and each
``chunk-00000.npz`` has the decisions of some games. :func:`read_selfplay` reads them.
``graph.npz`` has the graph of the board.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludograph.boards import Board
from ludograph.documents import declare_folder, read_declaration, replacing
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.referee.result import PlayedMove
from ludograph.rules.observer import Arrays, Observer
from ludograph.search.network.file import DamagedArchive, read_arrays

DECLARATION = "selfplay.json"
"""The file that describes the games of a folder."""

GRAPH = "graph.npz"
"""The graph of the board as CSR arrays: the neighbors of vertex ``v`` are
``neighbors[offsets[v] : offsets[v + 1]]``."""

FORMAT = 1
"""The version of the arrays: it increases when their meaning changes."""

MEASURES = ("win", "points")
"""The measures of values, counted from 1: 0 means no value, 3 another measure."""

MOST_VISITS, GREATEST = int(np.iinfo(np.int32).max), float(np.finfo(np.float32).max)
"""The bounds of arrays: a player's own numbers may be larger, and are cut there."""

CHUNK = re.compile(r"chunk-[0-9]{5,}\.npz")


def read_selfplay(folder: str | Path) -> Iterator[Arrays]:
    """Yield the chunks of a folder in order; only one of them is in memory at a time.

    An incomplete folder yields the chunks that it has.

    Yields
    ------
    Arrays of equal length by name, with a row for each decision: those of
    :func:`decision_rows`, and ``game_number``, ``player``, ``result`` and ``score``.

    Raises
    ------
    InvalidInput
        If the folder has no such games, or a chunk is damaged.
    """
    folder = Path(folder)
    read_selfplay_declaration(folder)
    chunks = [path for path in folder.iterdir() if CHUNK.fullmatch(path.name)]
    for path in sorted(chunks, key=lambda path: (len(path.name), path.name)):
        yield read_chunk(path)


def read_chunk(path: Path, names: Container[str] | None = None) -> Arrays:
    """Return the arrays of a chunk, or some of them; raise InvalidInput if it is damaged."""
    try:
        return read_arrays(path, names)
    except (OSError, DamagedArchive) as error:
        raise InvalidInput(f"{path}: this is not a complete chunk: {error}") from None


def read_selfplay_declaration(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's ``selfplay.json``; raise InvalidInput if there is none."""
    return read_declaration(folder / DECLARATION, "selfplay", FORMAT)


def decision_rows(
    start: Position, moves: Sequence[PlayedMove], *, touches: bool = False, thoughts: bool = False
) -> Arrays:
    """Return the decisions of a game as arrays, a row each; moves of chance have no row.

    Parameters
    ----------
    touches
        Whether to add the vertices touched by each legal move, as in environments.
    thoughts
        Whether to add the players' analysis of their moves.

    Returns
    -------
    The arrays of :class:`~ludograph.rules.observer.Observer` for the seat to move, and

    - ``move``, ``place``, ``action``: ``int32[rows]``, the code of the played move, its index in
      ``moves``, and the action of an environment, which is one of these two;
    - ``seat``, ``ply``: ``int32[rows]``, the seat that moved, and the number of moves before;
    - with ``thoughts`` also ``visits``: ``int32[rows, move_capacity]``, the visits of each move in
      the player's search, 0 if unknown; ``value``: ``float32[rows]``, the player's expected value,
      NaN if unknown; ``measure``: ``int8[rows]``, see :data:`MEASURES`; ``proven``:
      ``int8[rows]``, 1 if the player has proven the value. A number beyond its type is cut.
    """
    position = start.copy()
    states, decisions, visits = [], [], []
    for played in moves:
        if played.seat is not None:
            states.append(position.state.copy())
            decisions.append((played.move, played.seat, position.ply))
            if thoughts:
                visits.append(visits_by_move(position, played.thoughts))
        position.push(played.move)
    rows = len(decisions)
    observer = Observer(start.setup, rows, touches=touches)
    observer.observe(start.setup, np.array(states, np.int32).reshape(rows, start.state.size), 0)
    codes, seats, plies = np.array(decisions, np.int32).reshape(rows, 3).T.copy()
    places = (observer.arrays["moves"] == codes[:, None]).argmax(axis=1).astype(np.int32)
    arrays = {
        **observer.arrays,
        "move": codes,
        "place": places,
        "action": codes if observer.by_code else places,
        "seat": seats,
        "ply": plies,
    }
    if thoughts:
        analyses = [played.thoughts for played in moves if played.seat is not None]
        arrays |= thought_rows(observer.arrays["moves"], analyses, visits)
    return arrays


def visits_by_move(position: Position, thoughts: AnalysisInfo | None) -> dict[int, int]:
    """Return the visits of moves in a player's search, by the codes of the moves."""
    analyzed = () if thoughts is None else thoughts.moves
    return {position.parse(str(each.move)): each.visits for each in analyzed if each.visits}


def thought_rows(
    moves: Any, analyses: Sequence[AnalysisInfo | None], visits: Sequence[Mapping[int, int]]
) -> Arrays:
    """Return ``visits``, ``value``, ``measure`` and ``proven``, see :func:`decision_rows`.

    Parameters
    ----------
    moves
        ``int32[rows, move_capacity]``: the codes of the legal moves, -1 after the last one.
    analyses
        The analysis of the player, by row.
    visits
        The visits of moves, by row.
    """
    rows = len(analyses)
    arrays: Arrays = {
        "visits": np.zeros_like(moves),
        "value": np.full(rows, math.nan, np.float32),
        "measure": np.zeros(rows, np.int8),
        "proven": np.zeros(rows, np.int8),
    }
    for row, thoughts in enumerate(analyses):
        for move, count in visits[row].items():
            arrays["visits"][row, moves[row] == move] = min(count, MOST_VISITS)
        if thoughts is not None and thoughts.value is not None:
            arrays["value"][row] = max(-GREATEST, min(GREATEST, thoughts.value))
            arrays["proven"][row] = thoughts.proven
            arrays["measure"][row] = 1 + (*MEASURES, thoughts.measure).index(thoughts.measure)
    return arrays


def finished_rows(
    start: Position,
    moves: Sequence[PlayedMove],
    *,
    number: int,
    seating: Sequence[int],
    results: Sequence[float],
    scores: Sequence[float],
    touches: bool = False,
    thoughts: bool = False,
) -> Arrays:
    """Return the decisions of a finished game, each with the result of the game for its seat.

    Parameters
    ----------
    number
        The number of the game: ``game_number``, ``int32[rows]``.
    seating
        The index of the player on each seat: ``player``, ``int32[rows]``.
    results
        By seat, the share of other seats that it beat, where ties count half: ``result``,
        ``float32[rows]``.
    scores
        The score of each seat: ``score``, ``float64[rows]``.
    """
    arrays = decision_rows(start, moves, touches=touches, thoughts=thoughts)
    seats = arrays["seat"]
    return {
        **arrays,
        "game_number": np.full(seats.size, number, np.int32),
        "player": np.array(seating, np.int32)[seats],
        "result": np.array(results, np.float32)[seats],
        "score": np.array(scores, np.float64)[seats],
    }


def shapes_of(arrays: Arrays) -> dict[str, dict[str, Any]]:
    """Return the type and the shape of one row of each array, as data for JSON."""
    return {
        name: {"type": str(array.dtype), "shape": list(array.shape[1:])}
        for name, array in arrays.items()
    }


class SelfplayFolder:
    """The folder for the games of one command; a chunk is written as a whole or not at all.

    Parameters
    ----------
    declaration
        The description of these games. A folder with another description is refused.
    empty
        The arrays of a game without decisions.
    board
        The board; its graph is written to ``graph.npz``.

    Raises
    ------
    InvalidInput
        If the folder has other contents, or cannot be made.
    """

    def __init__(
        self, path: Path, declaration: Mapping[str, Any], empty: Arrays, board: Board
    ) -> None:
        self.path, self.empty = path, empty
        declared = {**declaration, "arrays": shapes_of(empty)}
        declare_folder(path / DECLARATION, "selfplay", FORMAT, declared)
        if not (path / GRAPH).exists():
            self._write_arrays(GRAPH, {"offsets": board.offsets, "neighbors": board.neighbors})

    def chunk(self, number: int) -> Path:
        """Return the file of a chunk."""
        return self.path / f"chunk-{number:05}.npz"

    def write(self, number: int, games: Sequence[Arrays]) -> None:
        """Write the games of a chunk.

        Raises
        ------
        InvalidInput
            If the arrays of a game have other shapes than those of the first start, or the chunk
            cannot be written.
        """
        shapes = shapes_of(self.empty)
        for game in games:
            if shapes_of(game) != shapes:
                raise InvalidInput(
                    f"{self.path}: the starts of these games differ in size, and their arrays "
                    "have different shapes"
                )
        arrays = {
            name: np.concatenate([none, *(game[name] for game in games)])
            for name, none in self.empty.items()
        }
        self._write_arrays(self.chunk(number).name, arrays)

    def decisions(self, number: int) -> int:
        """Return the number of rows of a chunk; raise InvalidInput if it is damaged."""
        return int(read_chunk(self.chunk(number), ("seat",))["seat"].size)

    def _write_arrays(self, name: str, arrays: Mapping[str, Any]) -> None:
        self._write(name, lambda file: np.savez_compressed(file, **arrays))

    def _write(self, name: str, write: Any) -> None:
        """Write a file as a whole or not at all."""
        try:
            with replacing(self.path / name) as part, part.open("wb") as file:
                write(file)
        except OSError as error:
            raise InvalidInput(f"{self.path / name}: {error.strerror}") from None
