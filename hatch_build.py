"""Adds the examples to a wheel, and machine code: then it is for one platform and Python.

``scripts/build-wheel`` names the folder with the code in the environment; without it, the wheel is
for all platforms.
"""

import os
import platform
import sys

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "LUDOGRAPH_PRECOMPILED"


class Precompiled(BuildHookInterface):
    """Takes the files of folders into the wheel."""

    def initialize(self, version, build_data):
        """Add the folders, and say what the wheel is for."""
        if version != "standard":
            return
        build_data["force_include"]["examples"] = "ludograph/examples"
        folder = os.environ.get(VARIABLE)
        if not folder:
            return
        # The code calls functions of libm, and of Numba, which needs a newer glibc than this.
        python = "cp{}{}".format(*sys.version_info)
        build_data["force_include"][folder] = "ludograph/precompiled"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-none-manylinux_2_17_{platform.machine()}"
