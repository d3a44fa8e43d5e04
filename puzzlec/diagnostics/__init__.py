"""Messages about a text: diagnostics are data; separate code renders them."""

from puzzlec.diagnostics.codes import CODES, Severity
from puzzlec.diagnostics.error import Diagnostic, Label, PuzzleError, Report, as_dict, concise, render
from puzzlec.diagnostics.source import Source, Span
from puzzlec.diagnostics.suggest import counted, listed, near, none_of, suggestion

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
    "listed",
    "near",
    "none_of",
    "render",
    "suggestion",
]
