"""Errors of the dynamic loader about a C player and its libraries, in plain words."""

from __future__ import annotations

import re
from typing import NamedTuple

LOADER_EXIT = 127
"""The exit code of a process that the loader ends because a called function is missing."""

SPOKEN = re.compile(r"(?:^|: )(symbol lookup error: .+)$", re.MULTILINE)
ABORTED = re.compile(
    r"^(?:\*\*\* .+ \*\*\*: terminated|.*Assertion `.+' failed\.?|terminate called .+"
    r"|(?:free|malloc|realloc|calloc|munmap_chunk|corrupted|double free|malloc_consolidate)\b.*)$",
    re.MULTILINE,
)
"""The C library's message before it ends a process."""

SANITIZED = "ASan runtime does not come first"
"""AddressSanitizer's message if a library needs it and the process was started without it."""

SYMBOL = re.compile(r"undefined symbol: (\w+)")
FILE = re.compile(r"\b(lib\w+)\.so(?:\.\d+)*: cannot open shared object file")


class KnownLibrary(NamedTuple):
    """A library that players of the courses use, often without listing it."""

    name: str
    prefix: str
    """The beginning of the names of its functions."""
    packages: str
    """Its packages in Debian."""


KNOWN = (
    KnownLibrary("libigraph", "igraph_", "libigraph3 and libigraph-dev"),
    KnownLibrary("libgsl", "gsl_", "libgsl27 and libgsl-dev"),
    KnownLibrary("libgslcblas", "cblas_", "libgslcblas0 and libgsl-dev"),
)


def last_words(log: str) -> str:
    r"""Return the loader's last message when it ended a process; empty if there is none.

    Examples
    --------
    >>> last_words("hello\npython: symbol lookup error: ./p.so: undefined symbol: gsl_new\n")
    'symbol lookup error: ./p.so: undefined symbol: gsl_new'
    """
    found = SPOKEN.findall(log)
    return found[-1].strip() if found else ""


def undefined_symbol(words: str) -> str:
    """Return the name of the function that the loader did not find; empty for other messages."""
    found = SYMBOL.search(words)
    return found[1] if found else ""


def abort_words(log: str) -> str:
    """Return the C library's last message before it ended a process; empty if there is none.

    Examples
    --------
    >>> abort_words("my move 3\\nfree(): double free detected in tcache 2\\n")
    'free(): double free detected in tcache 2'
    """
    found = ABORTED.findall(log)
    return found[-1].strip() if found else ""


def advised(words: str) -> str:
    """Return the loader's words, followed by the missing library and its package.

    Examples
    --------
    >>> advised("undefined symbol: gsl_a")
    'undefined symbol: gsl_a; it is of libgsl, Debian packages libgsl27 and libgsl-dev'
    >>> advised("undefined symbol: my_own")
    'undefined symbol: my_own'
    """
    symbol, file = SYMBOL.search(words), FILE.search(words)
    for library in KNOWN:
        if symbol and symbol[1].startswith(library.prefix):
            return f"{words}; it is of {library.name}, Debian packages {library.packages}"
        if file and file[1] == library.name:
            return f"{words}; Debian packages {library.packages}"
    return words
