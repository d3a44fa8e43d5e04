"""Pictures and words: puzzles, solutions, and what the compiler understood."""
