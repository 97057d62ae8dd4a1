"""The version, in one place with the package's metadata."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("ludograph")
except PackageNotFoundError:  # run from a checkout that is not installed
    VERSION = "0+unknown"
