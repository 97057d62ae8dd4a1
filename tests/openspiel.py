"""OpenSpiel for the tests that compare with it; a skip says why it is not there."""

import platform
import sys

import pytest

WHEELS = sys.version_info < (3, 15) and platform.machine() in ("x86_64", "aarch64")
"""Whether it has a wheel for this machine, as `pyproject.toml` says too."""


def part(name):
    """Import a module of OpenSpiel, or skip the tests that need it."""
    machine = f"Python {platform.python_version()} on {platform.machine()}"
    return pytest.importorskip(
        name,
        reason="OpenSpiel is not installed, as it is by pip install -e '.[dev]'"
        if WHEELS
        else f"unavoidable: OpenSpiel has no wheel for {machine}",
    )
