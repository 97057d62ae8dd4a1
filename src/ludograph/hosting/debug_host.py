"""The process that a debugging tool runs: a C player and its caller. ``CHANNEL NEEDED ROOT``.

A script that imports nothing before it knows where ludograph is.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Serve the referee until the game is over."""
    descriptor, needed, root = sys.argv[1:]
    os.set_inheritable(int(descriptor), False)
    sys.path.append(root)  # where ludograph is, should it not be installed
    from ludograph.hosting.host import prepared, serve

    code = serve(int(descriptor), *prepared("library", needed))
    sys.stdout.flush()
    os._exit(code)  # what the interpreter would still free is not the player's


if __name__ == "__main__":
    main()
