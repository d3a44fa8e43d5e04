"""Pictures for people: puzzles and solutions as text."""

from puzzlec.render.text import Style, draw_aspects, draw_piece, draw_puzzle, draw_solution

__all__ = ["Style", "draw_aspects", "draw_piece", "draw_puzzle", "draw_solution"]
