"""Pictures of puzzles and solutions: as SVG, as text, on a page and in a notebook."""
