"""Writers: from a level of the IR to a text in one of the formats."""

from puzzlec.writers.formats import WRITERS, write

__all__ = ["WRITERS", "write"]
