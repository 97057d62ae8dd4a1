"""Commands and their groups: options by section, files that are written, errors and exit codes."""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from ludograph.cli.option_types import ClickType, OutputFile, OutputFolder
from ludograph.cli.streams import CLOSED, open_standard_streams, silence
from ludograph.cli.terminal import stop
from ludograph.cli.texts import error_line, safe
from ludograph.errors import (
    OF_MACHINE,
    OUT_OF_FILES,
    OUT_OF_ROOM,
    HostFailure,
    LudographError,
    did_you_mean,
    shortage,
)
from ludograph.games.options import OptionType

WRONG_INPUT = 2
PIPE_CLOSED = 128 + signal.SIGPIPE


class NoResult(click.ClickException):
    """A failure of Ludograph or the machine: neither wrong input nor a player's fault."""

    exit_code = 3


class Interrupted(Exception):
    """A command was stopped by Ctrl-C; the message says how much was done."""


class SectionOption(click.Option):
    """An option that is listed under a heading of its own."""

    def __init__(self, *args: Any, section: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class Documented(click.Command):
    """A command or group that is listed by the first words of its help, and ends with examples."""

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002
        """Return the beginning of the help, up to the first colon, semicolon, bracket or stop."""
        words = " ".join((self.short_help or self.help or "").split())
        return re.split(r"[:;(]|\.(?: |$)", words)[0].strip() + "."

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples, line by line; the first line is their heading."""
        if self.epilog:
            formatter.write_paragraph()
            formatter.write("".join(f"{line}\n" for line in self.epilog.strip("\n").splitlines()))


class Command(Documented):
    """A command whose help has sections.

    A command that writes files has the option ``--force``; without it, existing files are not
    overwritten.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        outputs = [at for at, known in enumerate(self.params) if is_output(known)]
        if outputs:
            self.params.insert(outputs[-1] + 1, force_option())

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would overwrite a file."""
        check_outputs(self.params, ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if isinstance(parameter, click.Option) and record is not None:
                sections.setdefault(getattr(parameter, "section", "Other"), []).append(record)
        for section, records in sections.items():
            with formatter.section(section):
                formatter.write_dl(records, col_max=26)


class Group(Documented, click.Group):
    """A group of commands that names them in its errors.

    While a shell completes a line (``resilient_parsing``), a missing or unknown name is no error.

    Parameters
    ----------
    modules
        By the name of a command: its module and function, which is imported when it is looked up.
    """

    command_class = Command

    def __init__(self, *args: Any, modules: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.modules = modules or {}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command."""
        if cmd_name in self.modules and cmd_name not in self.commands:
            module, _, function = self.modules[cmd_name].partition(":")
            found = getattr(importlib.import_module(f"ludograph.cli.{module}"), function)
            self.add_command(found, cmd_name)
        return super().get_command(ctx, cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words before the name of a command; raise UsageError if there is no name."""
        if not (args or self.invoke_without_command or ctx.resilient_parsing):
            raise click.UsageError(
                f"{ctx.command_path} what? choose {', '.join(self.list_commands(ctx))}"
            )
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command by its name."""
        unknown = args and self.get_command(ctx, args[0]) is None
        if unknown and not (args[0].startswith("-") or ctx.resilient_parsing):
            names = ", ".join(self.list_commands(ctx))
            meant = did_you_mean(args[0], self.list_commands(ctx))
            given = " ".join([*ctx.command_path.split()[1:], args[0]])
            raise click.UsageError(f"unknown command {given!r}; choose {names}{meant}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order in which they were added."""
        return list(self.modules or self.commands)


class DefaultGroup(Group):
    """A group; the name of its first command may be left out, before options, files, numbers."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words before the name of a command."""
        first = args[0] if args else ""
        names = first in self.commands or (first.isidentifier() and not os.path.exists(first))
        if not (names or first in ctx.help_option_names) and (args or not ctx.resilient_parsing):
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the completions of a word: of an option, those of the first command."""
        if incomplete.startswith("-"):
            return next(iter(self.commands.values())).shell_complete(ctx, incomplete)
        return super().shell_complete(ctx, incomplete)


class CommandLine(Group):
    """The outermost group: turns every error into a sentence and an exit code."""

    group_class = Group

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words before the name of a command; ``--help`` and ``--version`` write here."""
        with errors_as_sentences(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with errors_as_sentences(ctx):
            result = super().invoke(ctx)
            sys.stdout.flush()
        return result

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the program; in the standalone mode, end the process with its exit code."""

        def run() -> Any:
            return super(CommandLine, self).main(
                args, prog_name, complete_var, standalone_mode=False, **extra
            )

        if not standalone_mode:
            return run()
        try:
            if not open_standard_streams():
                raise NoResult(CLOSED)
            code = run()
        except click.ClickException as refusal:
            lack = shortage(refusal)
            error = refusal if lack is None else failure(lack)
            complain(error_line(error))
            sys.exit(NoResult.exit_code if isinstance(error, NoResult) else WRONG_INPUT)
        except (Interrupted, click.Abort) as error:
            complain(str(error) or "interrupted")
            sys.exit(stop.exit_code())
        sys.exit(code if isinstance(code, int) else 0)


@contextlib.contextmanager
def errors_as_sentences(ctx: click.Context) -> Iterator[None]:
    """Turn every error into one of click's, with a sentence, or into an exit code."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None
    except BrokenPipeError:
        silence(sys.stdout)
        ctx.exit(PIPE_CLOSED)
    except LudographError as error:
        raise click.ClickException(str(error)) from None
    except HostFailure as error:
        raise NoResult(f"no result: {error}") from None
    except MemoryError as error:
        raise click.ClickException(f"this does not fit into the memory: {error}") from None
    except UnicodeEncodeError as error:
        raise click.ClickException(f"{error.object!r} cannot be written as text") from None
    except OSError as error:
        raise failure(error) from None


def failure(error: OSError) -> click.ClickException:
    """Return an error of the system as a sentence; it is a NoResult if the machine failed."""
    reason = error.strerror or str(error)
    if error.errno in OUT_OF_FILES:
        where = f"{error.filename}: " if error.filename else ""
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return NoResult(f"{where}too many open files; this process may have {limit} (ulimit -n)")
    if error.errno in OUT_OF_ROOM:
        return NoResult(f"{error.filename or 'the machine'}: {reason}")
    if error.errno in OF_MACHINE | {errno.EBADF}:
        return NoResult(f"{error.filename or 'standard output'}: {reason}")
    if error.filename is None and isinstance(error, FileNotFoundError) and is_gone():
        return NoResult("the current folder does not exist any more")
    return click.ClickException(f"{error.filename}: {reason}" if error.filename else reason)


def is_gone() -> bool:
    """Tell whether the current folder has been removed."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def complain(text: str) -> None:
    """Write a line to standard error under the program's name."""
    click.echo(f"ludograph: {safe(text)}", err=True)


def force_option() -> click.Option:
    """Return the option that lets a command overwrite files."""
    return SectionOption(
        ["--force"],
        section="Output",
        is_flag=True,
        expose_value=False,
        callback=lambda ctx, _, value: ctx.meta.__setitem__(FORCE, value),
        help="Overwrite existing files.",
    )


def option(section: str, *names: str, **settings: Any) -> Callable[..., Any]:
    """Return a decorator that adds an option to a command, listed in a section.

    Its ``type`` may be one of :mod:`ludograph.games.options`, or one of click's. The help ends with
    the default, unless it says itself what this is.
    """
    default, text = settings.get("default"), settings.get("help", "")
    if default not in (None, "") and "(default" not in text:
        shown = f"{default:g}" if isinstance(default, float) else default
        settings["help"] = f"{text.removesuffix('.')} (default: {shown})."
    return click.option(*names, cls=SectionOption, section=section, **for_click(settings))


output = partial(option, "Output")


def options(bundle: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """Return a decorator that gives a command several options, in their order."""

    def add(command: Any) -> Any:
        for one in reversed(bundle):
            command = one(command)
        return command

    return add


def argument(name: str, **settings: Any) -> Callable[..., Any]:
    """Return a decorator that adds an argument to a command; types as of :func:`option`."""
    return click.argument(name, **for_click(settings))


def for_click(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings of a parameter with its type adapted for click."""
    of = settings.get("type")
    return {**settings, "type": ClickType(of)} if isinstance(of, OptionType) else settings


FORCE = "ludograph.force"
"""The key of a click context's ``meta`` for whether files may be overwritten."""


def is_output(parameter: click.Parameter) -> bool:
    """Tell whether a parameter is a file or a folder that is written from its beginning."""
    of = parameter.type.of if isinstance(parameter.type, ClickType) else None
    return isinstance(of, OutputFolder) or (isinstance(of, OutputFile) and not of.goes_on)


def check_outputs(parameters: Sequence[click.Parameter], ctx: click.Context) -> None:
    """Raise UsageError if an existing file would be overwritten, or a file be written twice."""
    writers: dict[Path, str] = {}
    for parameter in filter(is_output, parameters):
        path = ctx.params.get(parameter.name or "")
        if path is None:
            continue
        name = max(parameter.opts, key=len)
        other = writers.setdefault(path.resolve(), name)
        if other != name:
            raise click.UsageError(f"{other} and {name} would both write {path}")
        if ctx.meta.get(FORCE):
            continue
        if path.is_dir() and any(path.iterdir()):
            raise click.UsageError(f"{name}: {path} is not empty; --force overwrites its files")
        if path.exists() and not path.is_dir():
            raise click.UsageError(f"{name}: {path} exists already; --force overwrites it")
