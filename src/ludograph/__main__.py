"""The program ``ludograph``, also as ``python -m ludograph``: its first and its last moment.

Ctrl-C ends it without a traceback from the first line on, so only modules built into the
interpreter are imported before that is set up: ``signal`` takes longer than all of this.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def _leave(*_: object) -> None:
    posix.write(2, b"ludograph: interrupted\n")
    posix._exit(128 + _signal.SIGINT)


def _leave_on_interrupt() -> None:
    """End the process at Ctrl-C, unless a parent has switched that off."""
    if _signal.getsignal(_signal.SIGINT) not in (_signal.SIG_IGN, None):
        _signal.signal(_signal.SIGINT, _leave)


def main() -> None:
    """Run the program: the entry point of the console script."""
    _leave_on_interrupt()
    from ludograph.cli.main import main as run

    try:
        run()
    except KeyboardInterrupt:  # before a command has begun, or after it
        _leave()
    except SystemExit as ended:
        _leave_on_interrupt()
        if isinstance(ended.code, int):
            _end(ended.code)
        raise


def _end(code: int) -> NoReturn:
    """End without the interpreter's clean-up, which is a fifth of a short game's time.

    The threads end as at the interpreter's own end: pools release theirs, then all are joined.
    """
    import atexit
    import threading

    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    posix._exit(code)


if __name__ == "__main__":
    main()
