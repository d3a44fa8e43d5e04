"""Writers: from a level of the IR to a text in one of the formats, or to one that shows the level whole."""

from puzzlec.writers.formats import WRITERS, write
from puzzlec.writers.stages import write_cover, write_fitting

__all__ = ["WRITERS", "write", "write_cover", "write_fitting"]
