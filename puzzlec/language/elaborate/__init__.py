"""Elaboration: from the syntax tree of a `.puzzle` text to a Puzzle, with every error of meaning."""
