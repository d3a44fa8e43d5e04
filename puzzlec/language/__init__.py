"""The puzzle language: from a `.puzzle` text to a puzzle, with messages about its errors."""
