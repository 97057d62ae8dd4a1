"""The shared kernels against Python's own numbers and plain searches."""

import numpy as np

from ludograph.rules.kernels.bits import bit, bit_count, lowest, population, reverse


def test_bits():
    rng = np.random.default_rng(0)
    for word in rng.integers(0, 2**64, 100, np.uint64):
        text = f"{int(word):064b}"
        assert population(word) == text.count("1")
        assert int(reverse(word)) == int(text[::-1], 2)
        assert lowest(word) == 63 - text.rindex("1")
        assert bit_count(int(word) >> 1) == f"{int(word) >> 1:b}".count("1")
    assert lowest(np.uint64(0)) == 64
    assert [int(bit(place)) for place in (0, 5, 63)] == [1, 32, 1 << 63]
