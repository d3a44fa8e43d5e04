"""Pictures and words for people: puzzles, solutions, and what was understood, as text.

The package can be called, too: ``puzzlec.render(diagnostic)`` is the function of ``puzzlec.diagnostics``, since a
package and a function of one name cannot both be there.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from puzzlec.diagnostics import Diagnostic
from puzzlec.diagnostics import render as render_diagnostic
from puzzlec.show.terminal.style import Style
from puzzlec.show.terminal.text import draw_aspects, draw_piece, draw_puzzle, draw_solution

if TYPE_CHECKING:
    from puzzlec.show.explain.explanation import explain

__all__ = ["Style", "draw_aspects", "draw_piece", "draw_puzzle", "draw_solution", "explain"]


def __getattr__(name: str) -> Any:
    if name != "explain":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from puzzlec.show.explain.explanation import explain

    return explain


class _Stage(ModuleType):
    def __call__(self, diagnostic: Diagnostic, colour: bool = False) -> str:
        """Return the diagnostic as lines of ASCII art over the source."""
        return render_diagnostic(diagnostic, colour)


sys.modules[__name__].__class__ = _Stage
