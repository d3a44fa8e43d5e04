"""Messages about a text: diagnostics are data; separate code renders them."""

from puzzlec.diagnostics.codes import CODES, Severity
from puzzlec.diagnostics.diagnostic import Diagnostic, Label, as_dict, concise, render
from puzzlec.diagnostics.error import PuzzleError, Report
from puzzlec.diagnostics.source import Source, Span
from puzzlec.diagnostics.suggest import counted, near, none_of, suggestion

__all__ = [
    "CODES",
    "Diagnostic",
    "Label",
    "PuzzleError",
    "Report",
    "Severity",
    "Source",
    "Span",
    "as_dict",
    "concise",
    "counted",
    "near",
    "none_of",
    "render",
    "suggestion",
]
