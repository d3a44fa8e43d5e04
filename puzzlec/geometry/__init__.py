"""Mathematics without puzzles: lattices, their symmetries, shapes and regions."""

from puzzlec.geometry.lattice import Cell, CellKind, Freedom, Lattice, Matrix, Point, find_lattice, lattice_names
from puzzlec.geometry.shapes import Shape, ShapeSet, find_library, library_names

__all__ = [
    "Cell",
    "CellKind",
    "Freedom",
    "Lattice",
    "Matrix",
    "Point",
    "Shape",
    "ShapeSet",
    "find_lattice",
    "find_library",
    "lattice_names",
    "library_names",
]
