"""Diagnostics for an editor: ranges in its units, further places, pages of codes, and fixes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from puzzlec.diagnostics import Diagnostic, Severity, Source, Span
from puzzlec.language.editing.fixes import fixes
from puzzlec.language.editing.syntax import Kind, Syntax
from puzzlec.services.lsp.text import Text
from puzzlec.version import repository_file

#: Codes that ask for an option of the command line: an editor has no options.
_UNSAID = {"PZ004", "PZ251"}

#: Four numbers: line and column of the start, and of the end (exclusive).
Stretch = list[int]


def findings(diagnostics: Iterable[Diagnostic], text: Text, syntax: Syntax) -> list[dict[str, Any]]:
    """Return diagnostics as plain data; ``text`` is the text of the editor, ``syntax`` its tree."""
    return [_finding(diagnostic, text, syntax) for diagnostic in diagnostics if diagnostic.code not in _UNSAID]


def _finding(found: Diagnostic, text: Text, syntax: Syntax) -> dict[str, Any]:
    source = syntax.source
    here = found.span is not None and found.span.source.text == source.text
    related = [_elsewhere(other.span, other.text, text, source) for other in found.others]
    if found.span is not None and not here:  # it is in a lattice file
        related.insert(0, _elsewhere(found.span, "here", text, source))
    page = repository_file(f"docs/errors/{found.code}.md")
    label = f" ({found.label.text})" if found.label and found.label.text else ""
    return {
        "range": stretch(found.span, text) if found.span is not None and here else _named(text, syntax),
        "severity": 1 if found.severity is Severity.ERROR else 2,
        "code": found.code,
        "href": page,
        "message": "\n".join(
            [
                f"{found.message}{label}",
                *(f"note: {note}" for note in found.notes),
                *(f"help: {suggestion}" for suggestion in found.helps),
                *([] if page else [f"more: `puzzlec explain {found.code}`"]),
            ]
        ),
        "related": related,
        "fixes": [
            {
                "title": fix.title,
                "edits": [
                    {"range": [*text.place(start), *text.place(end)], "new": new} for start, end, new in fix.edits
                ],
            }
            for fix in (fixes(found, syntax) if here else ())
        ],
    }


def stretch(span: Span, text: Text) -> Stretch:
    """Return the range of a span. An empty span, or the end of a line, becomes the character before it."""
    start, end = text.place(span.start), text.place(span.end)
    if span.text in ("", "\n"):
        end = start
        if start[1]:
            start = text.place(span.start - 1)
    return [*start, *end]


def _named(text: Text, syntax: Syntax) -> Stretch:
    """Return the range for an error that is not in this text: the name of the lattice, or the first line."""
    named = next((name for name in syntax.names if name.kind is Kind.LATTICE), None)
    if named is not None:
        return [*text.place(named.start), *text.place(named.end)]
    return [0, 0, *text.place(len(syntax.source.line(1)))]


def _elsewhere(span: Span, remark: str, text: Text, source: Source) -> dict[str, Any]:
    """Return a further place; ``file`` is None in the document itself."""
    if span.source.text == source.text:
        return {"file": None, "range": stretch(span, text), "message": remark}
    other = Text(span.source.text, text.encoding)
    return {"file": span.source.name, "range": stretch(span, other), "message": remark}
