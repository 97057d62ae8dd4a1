"""The name that Python bots import: :class:`Thoughts`, another name of ``AnalysisInfo``."""

from ludograph.games.analysis_info import AnalysisInfo as Thoughts
from ludograph.games.analysis_info import Considered

__all__ = ["Considered", "Thoughts"]
