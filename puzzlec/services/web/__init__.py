"""The local page to play in: a server on this machine, and the processes that read and solve puzzles for it."""
