"""Checks that every game must pass, for the games of Ludograph and for any other.

>>> from ludograph import boards, flood
>>> from ludograph.conformance import check_game, samples_of
>>> check_game(lambda seed: flood.position(boards.square(4), colors=3, seed=seed), games=2)

``check_rules`` checks only the rule contract, ``check_game`` also all that a :class:`Game` adds.
Both raise :class:`ConformanceError` with a sentence, seed and ply.
"""

from ludograph.conformance.fault import ConformanceError
from ludograph.conformance.game_checks import check_game, samples_of
from ludograph.conformance.rule_checks import check_rules

__all__ = ["ConformanceError", "check_game", "check_rules", "samples_of"]
