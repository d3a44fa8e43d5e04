"""What the compiler understood of a puzzle, in words."""
