"""The program ``ludograph``, also as ``python -m ludograph``: its first and its last moment."""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> None:
    """Run the program: the entry point of the console script."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)  # until the command line is loaded
    from ludograph.cli.main import main as run

    try:
        run()
    except SystemExit as ended:
        if isinstance(ended.code, int):
            _end(ended.code)
        raise


def _leave(*_: object) -> None:
    os.write(2, b"ludograph: interrupted\n")
    os._exit(128 + signal.SIGINT)


def _end(code: int) -> NoReturn:
    """End without taking down what was built up, which is a fifth of a short game's time."""
    import atexit
    import threading

    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
