"""Puzzles: positions of recorded games in which exactly one move wins."""

from __future__ import annotations

from ludograph.analysis.advice import cells_of
from ludograph.analysis.puzzles import Puzzle, find_puzzles
from ludograph.games.registry import declaration, names
from ludograph.referee import Record
from ludograph.web.match.match_records import RecordSummary
from ludograph.web.positions.move_input import choices
from ludograph.web.positions.serializers import Data, SceneEncoder, frame
from ludograph.web.replay import replays
from ludograph.web.server import limits

MOST = 20
"""The most puzzles of one game on its page."""


def fits(summary: RecordSummary) -> bool:
    """Tell whether a record may have puzzles: a finished game of two seats with a solver."""
    known = summary.game in names() and declaration(summary.game).solving is not None
    return known and len(summary.players) == 2 and bool(summary.sentence)


def puzzles_data(record: Record) -> Data:
    """Return the board of a game and its puzzles, the latest of them if there are many.

    Raises
    ------
    InvalidInput
        If such a game cannot have puzzles.
    """
    encoder = SceneEncoder(record.start.scene())
    puzzles = find_puzzles(record, limits.PUZZLE_SECONDS)[-MOST:]
    shown = [puzzle_data(each, record, encoder) for each in puzzles]
    return {
        "board": encoder.board(record.start),
        "shapes": encoder.shapes,
        "puzzles": shown,
    }


def puzzle_data(puzzle: Puzzle, record: Record, encoder: SceneEncoder) -> Data:
    """Return a puzzle with its picture, its legal moves and its answer."""
    position = puzzle.position
    seat = position.turn or 0
    return {
        "ply": puzzle.ply,
        # people count seats from 1
        "question": puzzle.question.replace(f"Seat {seat} ", f"Player {seat + 1} "),
        "now": frame(position, encoder, record.names, *replays.chosen_players(record)),
        "ask": choices(position, encoder),
        "move": puzzle.move,
        "cells": cells_of(position, puzzle.move),
        "line": puzzle.line,
    }
