"""Pictures and words for people: puzzles, solutions, and what was understood, as text."""

from typing import TYPE_CHECKING, Any

from puzzlec.render.style import Style
from puzzlec.render.text import draw_aspects, draw_piece, draw_puzzle, draw_solution

if TYPE_CHECKING:
    from puzzlec.render.explanation import explain

__all__ = ["Style", "draw_aspects", "draw_piece", "draw_puzzle", "draw_solution", "explain"]


def __getattr__(name: str) -> Any:
    if name != "explain":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from puzzlec.render.explanation import explain

    return explain
