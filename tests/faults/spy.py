"""A player that tries to foresee chance, as an adversary has done.

It looks for seeds in the frames of its callers and in all objects of its process, turns the
generator (SplitMix64) round to find the seed of the match from each, tries thousands of small
seeds too, and compares what each of them would deal with what is dealt. In the end it prints how
many draws one of its seeds has foretold without a mistake.
"""

import gc
import sys

from ludograph.rules import random_state

BITS = (1 << 64) - 1
GAMMA, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
SMALL = 3000
CHANCE_STREAM, PLAYER_STREAM = 3, 7


def unshifted(word, shift):
    """Turn ``word ^ (word >> shift)`` round."""
    found = word
    for _ in range(64 // shift):
        found = word ^ (found >> shift)
    return found


def unmixed(word):
    word = unshifted(word, 31) * pow(MIX_2, -1, 1 << 64) & BITS
    word = unshifted(word, 27) * pow(MIX_1, -1, 1 << 64) & BITS
    return unshifted(word, 30)


def behind(own, seat):
    """Yield the seeds of a match from which a player's own seed may have been derived."""
    for whole in (own, 2 * own, 2 * own + 1):
        word = whole & BITS
        for number in (seat, PLAYER_STREAM, 0):
            word = (unmixed(word) - (number + 1) * GAMMA) & BITS
        yield word


def whole_numbers(depth=3):
    """Yield all whole numbers in the frames of the callers, and in all objects of the process."""
    frame, roots = sys._getframe(), []
    while frame is not None:
        roots += [frame.f_locals, frame.f_globals]
        frame = frame.f_back
    waiting = [(root, depth) for root in roots]
    waiting += [(one, 1) for one in gc.get_objects() if isinstance(one, dict | list | tuple)]
    for thing, left in waiting:
        if type(thing) is int:
            yield thing
        elif left and isinstance(thing, dict):
            waiting += [(one, left - 1) for one in list(thing.values())[:200]]
        elif left and isinstance(thing, list | tuple):
            waiting += [(one, left - 1) for one in thing[:200]]


class Spy:
    def start(self, position, seat):
        self.position, self.seat = position, seat
        found = {number for number in whole_numbers() if abs(number) >= 1 << 20}
        seeds = {seed for own in found for seed in (own, *behind(own, seat))}
        seeds |= {start + number for start in (0, 7) for number in range(SMALL)}
        print(f"{len(found)} numbers in this process")
        self.guesses = [random_state(seed, CHANCE_STREAM) for seed in sorted(seeds)]
        self.draws = self.foreseen = 0
        self.hear(position.history)

    def hear(self, moves):
        for move in moves:
            if self.position.is_chance:
                self.compare(move)
            self.position.push(move) if move >= 0 else self.position.drop(-1 - move)

    def compare(self, dealt):
        """Drop the guesses that have not foretold a draw."""
        right = []
        for guess in self.guesses:
            if self.position.copy().play_random(guess) == dealt:
                right.append(guess)
        self.draws += 1
        if self.guesses and right:
            self.foreseen = self.draws
        self.guesses = right

    def play(self, moves, clock):
        self.hear(moves)
        move = self.position.legal_moves()[0]
        self.position.push(move)
        return move

    def finish(self, outcome):
        print(f"foreseen {self.foreseen} of {self.draws} draws")
