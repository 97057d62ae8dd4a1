"""A player that reads all files of its own folder, in search of what chance will bring."""

import os

import sibling  # type: ignore[import-not-found]  # which lies beside it

HERE = os.path.dirname(os.path.abspath(__file__))


class Thief:
    def choose(self, position):
        if position.ply < 2:
            print(f"reads {sibling.NAME}")
            for folder, _, names in os.walk(HERE):
                for name in names:
                    self.read(os.path.join(folder, name))
        return position.legal_moves()[0]

    def read(self, path):
        try:
            with open(path, "rb") as file:
                print(f"reads {os.path.relpath(path, HERE)}: {len(file.read())} bytes")
        except OSError:
            pass
