"""Answers of other programs: the output of a solver, read as the options that it chose.

An answer uses the names of the problem that puzzlec wrote for that solver: option ``o`` (from 0) is variable ``o + 1``,
and items and options have the names of that file. Each kind of answer is a function of a module here and a line in the
table :data:`KINDS`. There are five families:

- ``named``, ``smtlib``, ``minizinc``: names of variables with their values
- ``literals``: numbers of variables, negative if they are false
- ``lists``: names or numbers of the chosen options, or a value for each option
- ``covers``: options by their items
- ``assemblies``: pieces and cells
"""

from puzzlec.formats.solvers.answers.kinds import FORMATS, KINDS, guess_kind, kinds_called, read_answer
from puzzlec.formats.solvers.answers.lines import SourceLines, lines_of
from puzzlec.formats.solvers.answers.model import AnswerMeaning, Ending, EndingClaim, Model

__all__ = [
    "FORMATS",
    "KINDS",
    "AnswerMeaning",
    "Ending",
    "EndingClaim",
    "Model",
    "SourceLines",
    "guess_kind",
    "kinds_called",
    "lines_of",
    "read_answer",
]
