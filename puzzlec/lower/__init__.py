"""Lowering: from the puzzle to its placements, from the placements to an exact cover, and what can be seen there."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlec.lower.covering import Encoding, encode
from puzzlec.lower.orientations import aspects, number_of_aspects
from puzzlec.lower.placing import place
from puzzlec.lower.symmetries import symmetry
from puzzlec.lower.symmetry_group import Symmetry

if TYPE_CHECKING:
    from puzzlec.lower.impossibility import impossible

__all__ = [
    "Encoding",
    "Symmetry",
    "aspects",
    "encode",
    "impossible",
    "number_of_aspects",
    "place",
    "symmetry",
]


#: What few calls need is imported where it is asked for.
_RARE = {
    "impossible": "impossibility",
}


def __getattr__(name: str) -> Any:
    if name not in _RARE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_RARE[name]}"), name)
