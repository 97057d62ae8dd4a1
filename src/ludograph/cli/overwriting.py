"""No file is overwritten unless that is asked for: neither an input nor an earlier output."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ludograph.cli.option_types import OutputFile

FORCE = "ludograph.force"
"""Where a click context keeps whether files may be overwritten."""


def is_output(parameter: click.Parameter) -> bool:
    """Tell whether a parameter is a file that is written from its beginning."""
    return isinstance(parameter.type, OutputFile) and not parameter.type.goes_on


def check_outputs(parameters: Sequence[click.Parameter], ctx: click.Context) -> None:
    """Raise UsageError if a file that is there would be overwritten, or one be written twice."""
    writers: dict[Path, str] = {}
    for parameter in filter(is_output, parameters):
        path = ctx.params.get(parameter.name or "")
        if path is None:
            continue
        name = max(parameter.opts, key=len)
        other = writers.setdefault(path.resolve(), name)
        if other != name:
            raise click.UsageError(f"{other} and {name} would both write {path}")
        if path.exists() and not ctx.meta.get(FORCE):
            raise click.UsageError(f"{name}: {path} is there already; --force overwrites it")
