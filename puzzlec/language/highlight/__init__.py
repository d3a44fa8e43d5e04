"""What editors and highlighters need to know of the puzzle language, made from its grammar."""
