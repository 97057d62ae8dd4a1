"""Numbers with their nouns or units."""

IRREGULAR = {"vertex": "vertices"}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, as in ``1 game``, ``2 games``, ``2 vertices``."""
    return f"{number} {noun if number == 1 else IRREGULAR.get(noun, f'{noun}s')}"


def points_text(points: float) -> str:
    """Return a sum of points with six digits; a large one with all digits up to the tenths.

    Examples
    --------
    >>> points_text(12.5), points_text(100000.5), points_text(2000000.0)
    ('12.5', '100000.5', '2000000')
    """
    return f"{points:zg}" if abs(points) < 1e5 else f"{points:.1f}".removesuffix(".0")


def seconds(time: float) -> str:
    """Return a duration with three digits and a fitting unit."""
    if time >= 99.95:
        return f"{time:.0f} s"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if time >= 0.9995 * size:
            return f"{time / size:.3g} {unit}"
    return f"{time / 1e-6:.0f} µs"


def duration(seconds: float) -> str:
    """Return a time to wait, as in ``40 s``, ``12 min`` and ``3 h 5 min``."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
