"""Lowering: from the puzzle to its placements, from the placements to an exact cover, and its symmetry."""

from puzzlec.lower.covering import Encoding, encode
from puzzlec.lower.impossibility import impossible
from puzzlec.lower.placing import aspects, place
from puzzlec.lower.symmetries import Symmetry, symmetry

__all__ = ["Encoding", "Symmetry", "aspects", "encode", "impossible", "place", "symmetry"]
