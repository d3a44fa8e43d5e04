"""Pictures and words: puzzles, solutions, and what the compiler understood."""

from puzzlec.show.terminal.style import Style
from puzzlec.show.terminal.text import draw_orientations, draw_piece, draw_puzzle, draw_solution

__all__ = ["Style", "draw_orientations", "draw_piece", "draw_puzzle", "draw_solution"]
