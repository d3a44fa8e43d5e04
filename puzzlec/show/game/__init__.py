"""A page to play a puzzle on: drag the pieces onto the board, with hints from stored solutions."""
