"""The version of puzzlec, which every part can import without the rest."""

__version__ = "0.1.0"
