"""The script with which fork servers and lone supervisors start; it imports the package late.

It becomes the supervisor of one player, ``one CHANNEL LIFELINE REFEREE KIND GAME ROOT none``, or
what forks a supervisor for each player, ``many CONTROL REFEREE KIND GAME ROOT ISOLATION``: see
:mod:`ludograph.hosting.supervisor` and :mod:`ludograph.hosting.forkserver`.
"""

from __future__ import annotations

import mmap
import os
import resource
import sys


def main() -> None:
    """Become what the first argument says."""
    many, numbers = sys.argv[1] == "many", [int(text) for text in sys.argv[2:-4]]
    *descriptors, parent = numbers
    kind, needed, root, wish = sys.argv[-4:]
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        referee = os.pidfd_open(parent)
    except OSError:
        os._exit(1)
    if os.getppid() != parent:  # it died before this process watched it
        os._exit(1)
    sys.path.append(root)  # where ludograph is, should it not be installed
    if many:
        from ludograph.hosting.forkserver import serve

        serve(descriptors[0], referee, kind, needed, wish)
    from ludograph.hosting.sandbox.sandbox import Sandbox
    from ludograph.hosting.supervisor import Orders, supervise
    from ludograph.players.isolation import MEMORY

    channel, lifeline = descriptors
    orders = Orders(channel, lifeline, MEMORY)
    supervise(
        orders, referee, lambda page, channel: host_once(channel, kind, needed, page), Sandbox()
    )


def host_once(channel: int, kind: str, needed: str, page: mmap.mmap) -> int:
    """Prepare a host and let it serve the referee."""
    from ludograph.hosting.host import prepared, serve

    return serve(channel, *prepared(kind, needed), page)


if __name__ == "__main__":
    main()
