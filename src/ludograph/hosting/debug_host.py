"""The process that a debugging tool runs: a C player and its caller. ``CHANNEL NEEDED ROOT``.

A script that imports nothing before it knows the folder of ludograph.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Serve the referee until the game is over."""
    descriptor, needed, root = sys.argv[1:]
    os.set_inheritable(int(descriptor), False)
    sys.path.append(root)  # the folder of ludograph, in case it is not installed
    from ludograph.hosting.host import prepared, serve

    code = serve(int(descriptor), *prepared("library", needed))
    sys.stdout.flush()
    os._exit(code)  # memory that the interpreter has not freed is not the player's


if __name__ == "__main__":
    main()
