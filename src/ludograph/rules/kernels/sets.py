"""Sets of small numbers as the bits of one, two or four words.

A set is a tuple, and its number of words is part of its type. Each kernel is compiled for the
numbers of words with which it is called, and a set of one word is as fast as the word itself. A
function that makes a new set takes another set as ``template``, which gives the number of words.

In arrays a set is a row of ``uint64[words]``; in a state a word takes two slots.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled
from ludograph.rules.kernels.bits import NONE, ONE, lowest, population
from ludograph.rules.kernels.zobrist import HALF, hash_at
from ludograph.rules.layout import State

Set: TypeAlias = tuple[np.uint64, ...]
"""1, 2 or 4 words; number ``k`` is bit ``k % 64`` of word ``k // 64``."""

Words: TypeAlias = npt.NDArray[np.uint64]
Numbers: TypeAlias = npt.NDArray[np.signedinteger[Any]]

WORD = 64
LENGTHS = (1, 2, 4)
CAPACITY = WORD * LENGTHS[-1]
"""The most numbers of a set: members are below it."""

LOW = np.uint64(63)
ALL = ~NONE


def words_for(count: int) -> int:
    """Return the number of words of a set of numbers below ``count``, at most ``CAPACITY``."""
    return next(words for words in LENGTHS if count <= words * WORD)


def from_int(bits: int, words: int) -> Set:
    """Return the set of the bits of a Python number."""
    return tuple(np.uint64(bits >> WORD * word & 2**WORD - 1) for word in range(words))


def as_int(members: Set) -> int:
    """Return a set as the bits of a Python number."""
    return sum(int(word) << WORD * place for place, word in enumerate(members))


def make_rows(row: Numbers, members: Numbers, count: int, words: int) -> Words:
    """Return ``count`` sets, ``uint64[count, words]``: set ``row[i]`` contains ``members[i]``."""
    rows = np.zeros((count, words), np.uint64)
    np.bitwise_or.at(rows, (row, members // WORD), ONE << (members % WORD).astype(np.uint64))
    return rows


@compiled(inlined=True)
def empty(template: Set) -> Set:
    """Return the empty set with as many words as another set."""
    if len(template) == 1:
        return (NONE,)
    if len(template) == 2:
        return (NONE, NONE)
    return (NONE, NONE, NONE, NONE)


@compiled(inlined=True)
def full(template: Set) -> Set:
    """Return the set of all numbers, with as many words as another set."""
    if len(template) == 1:
        return (ALL,)
    if len(template) == 2:
        return (ALL, ALL)
    return (ALL, ALL, ALL, ALL)


@compiled(inlined=True)
def single(number: int, template: Set) -> Set:
    """Return the set with one member, with as many words as another set."""
    place = np.uint64(number)
    here = ONE << (place & LOW)
    if len(template) == 1:
        return (here,)
    if len(template) == 2:
        return (here if place < 64 else NONE, here if place >= 64 else NONE)
    word = place >> np.uint64(6)
    return (
        here if word == 0 else NONE,
        here if word == 1 else NONE,
        here if word == 2 else NONE,
        here if word == 3 else NONE,
    )


@compiled(inlined=True)
def get_at(row: Words, first: int, template: Set) -> Set:
    """Return the set that begins at an index of a row."""
    if len(template) == 1:
        return (row[first],)
    if len(template) == 2:
        return (row[first], row[first + 1])
    return (row[first], row[first + 1], row[first + 2], row[first + 3])


@compiled(inlined=True)
def get(row: Words, template: Set) -> Set:
    """Return the set of a row."""
    return get_at(row, 0, template)


@compiled(inlined=True)
def put_at(row: Words, first: int, members: Set) -> None:
    """Write a set to a row, from an index on."""
    row[first] = members[0]
    if len(members) > 1:
        row[first + 1] = members[1]
    if len(members) > 2:
        row[first + 2] = members[2]
        row[first + 3] = members[3]


@compiled(inlined=True)
def put(row: Words, members: Set) -> None:
    """Write a set to a row that has only this set."""
    put_at(row, 0, members)


@compiled(inlined=True)
def get_of_state(state: State, slot: int, template: Set) -> Set:
    """Return the set that begins at a slot of a state."""
    if len(template) == 1:
        return (hash_at(state, slot),)
    if len(template) == 2:
        return (hash_at(state, slot), hash_at(state, slot + 2))
    return (
        hash_at(state, slot),
        hash_at(state, slot + 2),
        hash_at(state, slot + 4),
        hash_at(state, slot + 6),
    )


@compiled(inlined=True)
def put_into_state(state: State, slot: int, members: Set) -> None:
    """Write a set to a state, from a slot on."""
    for place in range(len(members)):
        word = members[place]
        state[slot + 2 * place] = np.int32(np.uint32(word))
        state[slot + 2 * place + 1] = np.int32(np.uint32(word >> HALF))


@compiled(inlined=True)
def is_empty(members: Set) -> bool:
    """Tell whether a set has no members."""
    if len(members) == 1:
        return members[0] == NONE
    if len(members) == 2:
        return (members[0] | members[1]) == NONE
    return (members[0] | members[1] | members[2] | members[3]) == NONE


@compiled(inlined=True)
def bit_of(members: Set, number: np.uint64) -> np.uint64:
    """Return 1 if a number is in a set, else 0."""
    if len(members) == 1:
        return (members[0] >> number) & ONE
    if len(members) == 2:
        word = members[0] if number < 64 else members[1]
        return (word >> (number & LOW)) & ONE
    low = members[0] if number < 64 else members[1]
    high = members[2] if number < 192 else members[3]
    return ((low if number < 128 else high) >> (number & LOW)) & ONE


@compiled(inlined=True)
def has(members: Set, number: int) -> bool:
    """Tell whether a number is in a set."""
    return bit_of(members, np.uint64(number)) != NONE


@compiled(inlined=True)
def union(one: Set, other: Set) -> Set:
    """Return the union of two sets."""
    if len(one) == 1:
        return (one[0] | other[0],)
    if len(one) == 2:
        return (one[0] | other[0], one[1] | other[1])
    return (one[0] | other[0], one[1] | other[1], one[2] | other[2], one[3] | other[3])


@compiled(inlined=True)
def common(one: Set, other: Set) -> Set:
    """Return the intersection of two sets."""
    if len(one) == 1:
        return (one[0] & other[0],)
    if len(one) == 2:
        return (one[0] & other[0], one[1] & other[1])
    return (one[0] & other[0], one[1] & other[1], one[2] & other[2], one[3] & other[3])


@compiled(inlined=True)
def without(one: Set, other: Set) -> Set:
    """Return the members of the first set that are not in the other."""
    if len(one) == 1:
        return (one[0] & ~other[0],)
    if len(one) == 2:
        return (one[0] & ~other[0], one[1] & ~other[1])
    return (one[0] & ~other[0], one[1] & ~other[1], one[2] & ~other[2], one[3] & ~other[3])


@compiled(inlined=True)
def with_one(members: Set, number: int) -> Set:
    """Return a set with one number added."""
    return union(members, single(number, members))


@compiled(inlined=True)
def without_one(members: Set, number: int) -> Set:
    """Return a set with one number removed."""
    return without(members, single(number, members))


@compiled(inlined=True)
def meets(one: Set, other: Set) -> bool:
    """Tell whether two sets have a member in common."""
    return not is_empty(common(one, other))


@compiled(inlined=True)
def is_within(one: Set, other: Set) -> bool:
    """Tell whether all members of the first set are in the other."""
    return is_empty(without(one, other))


@compiled(inlined=True)
def size(members: Set) -> int:
    """Return the number of members of a set."""
    if len(members) == 1:
        return population(members[0])
    low = population(members[0]) + population(members[1])
    if len(members) == 2:
        return low
    return low + population(members[2]) + population(members[3])


@compiled(inlined=True)
def first(members: Set) -> int:
    """Return the least member of a set that is not empty."""
    if len(members) == 1:
        return lowest(members[0])
    if len(members) == 2:
        return lowest(members[0]) if members[0] != NONE else 64 + lowest(members[1])
    low, high = members[0], members[1]
    base = 0
    if (low | high) == NONE:
        low, high = members[2], members[3]
        base = 128
    return base + (lowest(low) if low != NONE else 64 + lowest(high))


@compiled(inlined=True)
def rest(members: Set) -> Set:
    """Return a set without its least member."""
    if len(members) == 1:
        return (members[0] & (members[0] - ONE),)
    if len(members) == 2:
        return less_one(members[0], members[1])
    if (members[0] | members[1]) != NONE:
        low = less_one(members[0], members[1])
        return (low[0], low[1], members[2], members[3])
    high = less_one(members[2], members[3])
    return (NONE, NONE, high[0], high[1])


@compiled(inlined=True)
def less_one(low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the two words of a set without its least member."""
    borrow = ONE if low == NONE else NONE
    return (low & (low - ONE), high & (high - borrow))
