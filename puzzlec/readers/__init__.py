"""Readers: a text in one of the formats to the level of the IR that it speaks."""

from puzzlec.readers.files import open_source
from puzzlec.readers.formats import FORMATS, Format, guess_format, read

__all__ = ["FORMATS", "Format", "guess_format", "open_source", "read"]
