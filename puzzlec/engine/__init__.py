"""The shared engine: an exact cover in, a stream of covers or a count out."""

from puzzlec.engine.search import Limits, Search, Stop
from puzzlec.ir.cover import ExactCover

__all__ = ["ExactCover", "Limits", "Search", "Stop"]
