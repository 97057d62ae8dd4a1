"""``ludograph doctor``: what this machine has, and what would give more."""

from __future__ import annotations

import json

import click

from ludograph.cli.program import Command, option

EPILOG = """\
Examples:
  ludograph doctor          what there is, and what is missing
  ludograph doctor --json   the same for programs
"""


@click.command("doctor", cls=Command, epilog=EPILOG, short_help="Tell what this machine lacks.")
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
def doctor(as_json: bool) -> None:
    """Try what Ludograph can use of this machine, and tell what would give more.

    How far players' files can be isolated, the C compiler and the GNU Scientific Library, the
    folder of compiled rules, a GPU.
    """
    from ludograph.cli.machine import findings

    found = findings()
    if as_json:
        each = {
            one.name: {"found": bool(one.state), "state": one.state, "advice": one.advice}
            for one in found
        }
        click.echo(json.dumps(each, ensure_ascii=False))
        return
    size = max(len(one.name) for one in found)
    for one in found:
        click.echo(f"{one.name:<{size}}  {one.state or 'not found'}")
        if one.advice:
            click.echo(f"{'':<{size}}  -> {one.advice}")
