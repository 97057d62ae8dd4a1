"""``python -m ludograph``."""

from ludograph.cli.main import main

if __name__ == "__main__":
    main()
