"""Analysis of finished games: values by ply, losing moves, proofs, advice."""

from ludograph.analysis.curve import Analysis, Candidate, MoveAnalysis
from ludograph.analysis.evaluation import analyze, analyze_part, most_searches
from ludograph.analysis.proofs import Proof, Value, prove

__all__ = [
    "Analysis",
    "Candidate",
    "MoveAnalysis",
    "Proof",
    "Value",
    "analyze",
    "analyze_part",
    "most_searches",
    "prove",
]
