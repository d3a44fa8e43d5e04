"""Pictures and words for people: puzzles, solutions, and what was understood, as text."""

from puzzlec.render.explanation import explain
from puzzlec.render.text import Style, draw_aspects, draw_piece, draw_puzzle, draw_solution

__all__ = ["Style", "draw_aspects", "draw_piece", "draw_puzzle", "draw_solution", "explain"]
