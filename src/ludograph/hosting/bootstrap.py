"""The script that becomes a fork server: ``CONTROL REFEREE KIND NEEDED ROOT ISOLATION``.

It imports nothing before it knows the folder of ludograph; see :mod:`ludograph.hosting.forkserver`.
"""

from __future__ import annotations

import os
import resource
import sys


def main() -> None:
    """Watch the referee, then serve it."""
    control, parent = map(int, sys.argv[1:3])
    kind, needed, root, wish = sys.argv[3:]
    os.set_inheritable(control, False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        referee = os.pidfd_open(parent)
    except OSError:
        os._exit(1)
    if os.getppid() != parent:  # it died before this process watched it
        os._exit(1)
    sys.path.append(root)  # the folder of ludograph, in case it is not installed
    from ludograph.hosting.forkserver import serve

    serve(control, referee, kind, needed, wish)


if __name__ == "__main__":
    main()
