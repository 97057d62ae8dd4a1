"""The shared kernels against Python's own numbers and plain searches."""

import numpy as np

from ludograph.rules.kernels.bits import bit, bit_count, lowest, population
from ludograph.rules.kernels.union_find import find
from ludograph.rules.kernels.zobrist import hash_at, toggle, word_of


def test_bits():
    rng = np.random.default_rng(0)
    for word in rng.integers(0, 2**64, 100, np.uint64):
        text = f"{int(word):064b}"
        assert population(word) == text.count("1")
        assert lowest(word) == 63 - text.rindex("1")
        assert bit_count(int(word) >> 1) == f"{int(word) >> 1:b}".count("1")
    assert lowest(np.uint64(0)) == 64
    assert [int(bit(place)) for place in (0, 5, 63)] == [1, 32, 1 << 63]


def test_roots_are_those_of_a_plain_search_and_ways_get_shorter():
    rng = np.random.default_rng(1)
    first, nodes = 3, 40
    for _ in range(50):
        parents = np.full(first + nodes, 99, np.int32)
        for node in range(nodes):  # any tree: a node below an earlier one, or a root
            parents[first + node] = rng.integers(-2, node) if node else -1
        before = parents.copy()
        for node in rng.permutation(nodes).tolist():
            root = way_up(before, first, node)[-1]
            assert find(parents, first, node) == (root, before[first + root])
            assert len(way_up(parents, first, node)) <= 3
        assert [way_up(parents, first, node)[-1] for node in range(nodes)] == [
            way_up(before, first, node)[-1] for node in range(nodes)
        ]
        assert (parents[:first] == 99).all()


def way_up(parents, first, node):
    """The nodes from one up to its root."""
    way = [node]
    while parents[first + way[-1]] >= 0:
        way.append(int(parents[first + way[-1]]))
    return way


def test_a_hash_in_a_state_is_the_xor_of_the_words_in_it():
    state = np.zeros(5, np.int32)
    words = [np.uint64(word_of(number)) for number in range(1, 7)]
    assert len(set(words)) == 6
    for word in words:
        toggle(state, 2, word)
    assert int(hash_at(state, 2)) == int(np.bitwise_xor.reduce(np.array(words, np.uint64)))
    for word in words[::-1]:
        toggle(state, 2, word)
    assert not state.any()
