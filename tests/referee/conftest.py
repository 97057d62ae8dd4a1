from tests.hosting.fixtures import (  # noqa: F401
    _nothing_left,
    file,
    libraries,
    library,
    referee,
    small,
    start,
    tokens,
)
