"""Patterns: the prior probability of a move by the stones around it; learned.

A move is a team of features, each with a strength. The probability of a move grows with the
strength of its team: a generalized Bradley-Terry model (Coulom: "Computing Elo ratings of move
patterns in the game of Go", ICGA Journal 30, 2007). The search tree uses the probabilities as
priors, like other programs (Huang, Arneson, Hayward, Müller, Pawlewicz: "MoHex 2.0: a pattern-based
MCTS Hex player", CG 2013).

``features``
    The features of a move.
``strengths``
    The strengths of features, which ``scripts/learn-hex-patterns`` has learned.
``priors``
    The prior probabilities for a search.
"""
