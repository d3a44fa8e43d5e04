"""The local page: a server on this machine, and the processes that read and solve puzzles for it."""
