"""Readers: a text in one of the formats to the level of the IR that it speaks."""

from puzzlec.readers.files import open_source
from puzzlec.readers.formats import FORMATS, Format, Level, guess_format, read
from puzzlec.readers.given import Given

__all__ = ["FORMATS", "Format", "Given", "Level", "guess_format", "open_source", "read"]
