"""Proofs about the faces that a lattice of edges names: their sides are exactly its edges."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.geometry.lattice import Lattice, faces_of
from puzzlec.geometry.proving_algebra import Fault, written
from puzzlec.geometry.sides import edge_between, outline_sides

WHERE = ("faces",)


def face_faults(lattice: Lattice) -> Iterator[Fault]:
    """Prove that each side of a face is an edge, and that each edge is a side of two faces.

    Both lattices repeat by the same translations, so one face of each kind is enough.
    """
    faces = faces_of(lattice)
    if faces is None:
        return
    if not lattice.of_edges or faces.of_edges or (lattice.dimension, faces.dimension) != (2, 2):
        yield Fault(WHERE, f"`{faces.name}` must be flat cells and `{lattice.name}` their edges")
        return
    times = dict.fromkeys(range(len(lattice.kinds)), 0)
    for number, face in enumerate(faces.kinds):
        for one, other in outline_sides(lattice, number):
            edge = edge_between(lattice, one, other)
            if edge is None:
                why = f"a side of `{face.name}` leads from {written(one)} to {written(other)}, which has no edge"
                yield Fault(WHERE, why)
                return
            times[edge[-1] if len(lattice.kinds) > 1 else 0] += 1
    for number, found in times.items():
        if found != 2:
            yield Fault(WHERE, f"`{lattice.kinds[number].name}` is a side of {found} faces, expected 2")
