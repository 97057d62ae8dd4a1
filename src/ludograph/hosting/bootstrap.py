"""The script of each process that is started by this package: ``ROOT MODULE ARGUMENT...``.

It imports nothing before it knows the folder of ludograph, see :func:`ludograph.hosting.script`.
"""

import sys
from importlib import import_module

if __name__ == "__main__":
    root, module, *arguments = sys.argv[1:]
    sys.path.append(root)  # in case it is not installed
    import_module(f"ludograph.hosting.{module}").main(*arguments)
