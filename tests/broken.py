"""Diagnostics for broken files: codes, each with a position."""

from __future__ import annotations

from puzzlec.compiler import compile
from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.diagnostics.files import source_of
from puzzlec.formats.reading import read


def refused(content: str | bytes, format: str, board: str | None = None, problem: str | None = None) -> list[str]:
    """Return the codes of errors and warnings about a file in a format, which must be refused.

    Each diagnostic has a position. If there is no text or no board, it names the file.
    """
    report = Report()
    name = f"broken.{format}"
    try:
        source = source_of(content.encode() if isinstance(content, str) else content, name)
        compile(read(source, format, report, board, problem=problem))
    except PuzzleError as error:
        found = [
            *report.diagnostics,
            *(diagnostic for diagnostic in error.diagnostics if diagnostic not in report.diagnostics),
        ]
    else:
        raise AssertionError(f"this is not refused: {content[:100]!r}")
    for diagnostic in found:
        where = diagnostic.span is not None and diagnostic.span.source.name == name
        assert where or (diagnostic.file and (not source_text(content) or diagnostic.code in WITHOUT_POSITION)), (
            diagnostic
        )
        assert diagnostic.message, diagnostic
    return [diagnostic.code for diagnostic in found]


#: Codes about a file as a whole.
WITHOUT_POSITION = {"PZ002", "PZ003", "PZ004", "PZ007", "PZ251", "PZ252", "PZ299", "PZ331"}


def source_text(content: str | bytes) -> bool:
    """Whether a file is a text."""
    return isinstance(content, str) or not content.startswith((b"PK", b"\x1f\x8b"))
