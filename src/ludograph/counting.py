"""Numbers with their nouns."""

IRREGULAR = {"vertex": "vertices"}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, as in ``1 game``, ``2 games``, ``2 vertices``."""
    return f"{number} {noun if number == 1 else IRREGULAR.get(noun, f'{noun}s')}"
