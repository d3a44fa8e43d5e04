"""Lowering: from a puzzle to its placements, to an exact cover, and proofs before a search."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlec.lower.automorphisms import Symmetry
from puzzlec.lower.board import number_of_orientations, orientations
from puzzlec.lower.covering import Encoding, encode
from puzzlec.lower.placing import place
from puzzlec.lower.symmetries import symmetry

if TYPE_CHECKING:
    from puzzlec.lower.impossibility import impossible

__all__ = [
    "Encoding",
    "Symmetry",
    "encode",
    "impossible",
    "number_of_orientations",
    "orientations",
    "place",
    "symmetry",
]


#: Modules that few calls need are imported on demand.
_RARE = {
    "impossible": "impossibility",
}


def __getattr__(name: str) -> Any:
    if name not in _RARE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_RARE[name]}"), name)
