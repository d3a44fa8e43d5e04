"""Answers of other programs: what a solver printed, read as the options that it chose.

An answer speaks of the problem as puzzlec wrote it for that solver: option ``o`` (from 0) is variable ``o + 1``, and
the items and options have the names of that file. Each kind of answer is one module here and one line in the table of
:mod:`puzzlec.formats.solvers.answers.kinds`.
"""

from puzzlec.formats.solvers.answers.kinds import FORMATS, KINDS, guess_kind, kinds_called, read_answer
from puzzlec.formats.solvers.answers.lines import Lines, lines_of
from puzzlec.formats.solvers.answers.model import Ending, Known, Model, Said

__all__ = [
    "FORMATS",
    "KINDS",
    "Ending",
    "Known",
    "Lines",
    "Model",
    "Said",
    "guess_kind",
    "kinds_called",
    "lines_of",
    "read_answer",
]
