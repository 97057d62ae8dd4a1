"""Patterns: the probability of a move at first sight, by the stones around it; learned.

A move is a team of features, each with a strength, and the stronger a team the likelier it is
chosen: a generalized Bradley-Terry model (Coulom: "Computing Elo ratings of move patterns in the
game of Go", ICGA Journal 30, 2007), used in the tree as the field's programs do (Huang, Arneson,
Hayward, Müller, Pawlewicz: "MoHex 2.0: a pattern-based MCTS Hex player", CG 2013).

``features``
    Which features a move has.
``strengths``
    What they are worth, as ``scripts/learn-hex-patterns`` has found.
``priors``
    What a search gets.
"""
