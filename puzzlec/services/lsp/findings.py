"""Diagnostics as an editor shows them: stretches in its units, further places, pages of codes, edits that mend."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from puzzlec.diagnostics import Diagnostic, Severity, Source, Span
from puzzlec.services.lsp.mending import mends
from puzzlec.services.lsp.syntax import Kind, Syntax
from puzzlec.services.lsp.text import Text
from puzzlec.version import repository_file

#: What only says that a board or a format should be given on the command line: an editor has nobody to say it to.
_UNSAID = {"PZ004", "PZ251"}

#: Four numbers: line and column of the first unit, and of the one behind the last.
Stretch = list[int]


def findings(diagnostics: Iterable[Diagnostic], text: Text, syntax: Syntax) -> list[dict[str, Any]]:
    """Return diagnostics as plain data; ``text`` is what the editor has, ``syntax`` what puzzlec reads of it."""
    return [_finding(each, text, syntax) for each in diagnostics if each.code not in _UNSAID]


def _finding(found: Diagnostic, text: Text, syntax: Syntax) -> dict[str, Any]:
    source = syntax.source
    here = found.span is not None and found.span.source.text == source.text
    related = [_elsewhere(each.span, each.text, text, source) for each in found.others]
    if found.span is not None and not here:  # in the file of a lattice
        related.insert(0, _elsewhere(found.span, "it is here", text, source))
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
                *(f"note: {each}" for each in found.notes),
                *(f"help: {each}" for each in found.helps),
                *([] if page else [f"more: `puzzlec explain {found.code}`"]),
            ]
        ),
        "related": related,
        "mends": [
            {
                "title": mend.title,
                "edits": [
                    {"range": [*text.place(start), *text.place(end)], "new": new} for start, end, new in mend.edits
                ],
            }
            for mend in (mends(found, syntax) if here else ())
        ],
    }


def stretch(span: Span, text: Text) -> Stretch:
    """Return where a span stands. What is empty, or is the end of a line, becomes the character before it."""
    start, end = text.place(span.start), text.place(span.end)
    if span.text in ("", "\n"):
        end = start
        if start[1]:
            start = text.place(span.start - 1)
    return [*start, *end]


def _named(text: Text, syntax: Syntax) -> Stretch:
    """Return the place of what is found in another file, or in none: the lattice that is named, or the first line."""
    named = next((each for each in syntax.names if each.kind is Kind.LATTICE), None)
    if named is not None:
        return [*text.place(named.start), *text.place(named.end)]
    return [0, 0, *text.place(len(syntax.source.line(1)))]


def _elsewhere(span: Span, remark: str, text: Text, source: Source) -> dict[str, Any]:
    """Return a further place; ``file`` is None in the document itself."""
    if span.source.text == source.text:
        return {"file": None, "range": stretch(span, text), "message": remark}
    other = Text(span.source.text, text.encoding)
    return {"file": span.source.name, "range": stretch(span, other), "message": remark}
