"""Lowering: from a puzzle to its placements, to an exact cover, and proofs before a search."""

from puzzlec.lower.automorphisms import Symmetry
from puzzlec.lower.board import number_of_orientations, orientations
from puzzlec.lower.covering import Encoding, encode
from puzzlec.lower.placing import place
from puzzlec.lower.symmetries import symmetry

__all__ = ["Encoding", "Symmetry", "encode", "number_of_orientations", "orientations", "place", "symmetry"]
