"""The local page: a server on this machine, and the processes that read and solve puzzles for it."""

from puzzlec.services.web.refusal import RefusalError

__all__ = ["RefusalError"]
