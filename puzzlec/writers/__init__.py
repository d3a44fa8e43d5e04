"""Writers: from a level of the IR to a text in one of the formats, or to one that shows the level whole."""

from puzzlec.writers.choices import Choices
from puzzlec.writers.formats import WRITERS, Written, write, write_chunks
from puzzlec.writers.stages import write_cover, write_fitting

__all__ = ["WRITERS", "Choices", "Written", "write", "write_chunks", "write_cover", "write_fitting"]
