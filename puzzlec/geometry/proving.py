"""Proofs that a definition of a lattice is one, generic: no lattice is known by name here.

A lattice is data, and a person may bring their own. What is wrong with one is said as *faults*, each with its place in
the YAML document and a reason that contains the arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from puzzlec.geometry import proving_algebra as algebra
from puzzlec.geometry.lattice import Lattice
from puzzlec.geometry.proving_algebra import Fault
from puzzlec.geometry.proving_faces import face_faults
from puzzlec.geometry.proving_outlines import outline_faults

__all__ = ["Fault", "faults"]

#: The proofs in groups: those of a group take for granted what the groups before it have proved.
_PROOFS: tuple[tuple[Callable[[Lattice], Iterator[Fault]], ...], ...] = (
    (algebra.basis, algebra.determinants, algebra.words),
    (algebra.finite,),
    (algebra.rotations, algebra.places, algebra.kept),
    (algebra.neighbours,),
    (outline_faults,),
    (face_faults,),
)


#: What no other proof depends on; its faults are given beside those of the groups from this one on.
_BESIDE, _FROM = algebra.lengths, 3


def faults(lattice: Lattice) -> list[Fault]:
    """Return what is wrong with a lattice: nothing, if all proofs succeed.

    Its vectors and matrices must be of the lattice's dimension.

    >>> from puzzlec.geometry import find_lattice
    >>> faults(find_lattice("hex"))
    []
    """
    beside: list[Fault] = []
    for number, proofs in enumerate(_PROOFS):
        if number == _FROM:
            beside = list(_BESIDE(lattice))
        found = [fault for proof in proofs for fault in proof(lattice)]
        if found:
            return [*found, *beside]
    return beside
