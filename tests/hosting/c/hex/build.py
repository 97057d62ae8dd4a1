"""Compile the Hex players of this folder, as a student would."""

from functools import partial
from pathlib import Path

from tests.hosting.c.build import build as build_from

PLAYERS = ["random_legal", "shortest", "check_gsl", "misbehave", "no_symbol"]

build = partial(build_from, source=Path(__file__).parent)
