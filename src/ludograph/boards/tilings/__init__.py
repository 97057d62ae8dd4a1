"""The families of boards: :mod:`ludograph.boards.families` imports every module of this folder."""
