"""The puzzle language: from a `.puzzle` text to a puzzle, and the words for what is wrong with it."""
