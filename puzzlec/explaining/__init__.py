"""The compiler's understanding of a puzzle, in words, or as plain data: the numbers and names in these words."""
