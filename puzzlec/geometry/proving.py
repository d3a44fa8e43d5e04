"""Proofs that a definition describes a lattice; they are generic and know no lattice by name.

A lattice is data, and users can define their own. Errors are reported as *faults*, each with its place in the YAML
document and a reason that contains the arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from puzzlec.geometry import proving_algebra as algebra
from puzzlec.geometry.lattice import Lattice
from puzzlec.geometry.proving_algebra import Fault
from puzzlec.geometry.proving_outlines import face_faults, outline_faults

__all__ = ["Fault", "faults"]

#: The proofs in groups: each group relies on the proofs of the groups before it.
_PROOFS: tuple[tuple[Callable[[Lattice], Iterator[Fault]], ...], ...] = (
    (algebra.basis, algebra.determinants, algebra.words),
    (algebra.finite,),
    (algebra.rotations, algebra.places, algebra.kept),
    (algebra.neighbours,),
    (outline_faults,),
    (face_faults,),
)


#: Proofs that no other proof depends on; their faults appear beside those of the groups from this index on.
_BESIDE, _FROM = algebra.lengths, 3


def faults(lattice: Lattice) -> list[Fault]:
    """Return the faults of a lattice; [] if all proofs succeed.

    Its vectors and matrices must have the lattice's dimension.

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
