from tests.hosting.fixtures import (  # noqa: F401
    _nothing_left,
    file,
    groups,
    libraries,
    library,
    referee,
    small,
    start,
    tokens,
    unisolated,
)
