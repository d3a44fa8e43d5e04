"""Diagnostics for an editor: ranges in its units, further places, pages of codes, and fixes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from puzzlec.diagnostics import Diagnostic, Severity, Source, Span
from puzzlec.services.lsp.syntax import Kind, Syntax
from puzzlec.services.lsp.text import Text
from puzzlec.version import repository_file

#: An edit: start and end in the source, and the new text.
Edit = tuple[int, int, str]


class Fix(NamedTuple):
    """A fix of an error: its title, and its edits."""

    title: str
    edits: tuple[Edit, ...]


_MEANT = re.compile(r"did you mean ((?:`[^`]+`(?:, | or )?)+)\?")
_WRITE = re.compile(r"write(?: spaces between:)? `([^`]+)`")
_STATEMENT = re.compile(r"(?:declare it:|write) `((colours|lattice) [^`]+)`")
_WITHOUT = re.compile(r"remove `([^`]+)`")
_PLAIN = re.compile(r"\w[\w-]*(?:\[[^\]\s]*\])?")

#: Codes with a suggestion that replaces the marked words.
_EXACT = {"PZ312", "PZ319", "PZ320", "PZ322"}


def fixes(found: Diagnostic, syntax: Syntax) -> list[Fix]:
    """Return the fixes that the suggestions of a diagnostic describe; none if they need a decision."""
    return [fix for help in found.helps if found.span is not None for fix in _fixes(found, found.span, help, syntax)]


def _fixes(found: Diagnostic, span: Span, help: str, syntax: Syntax) -> Iterator[Fix]:
    if match := _MEANT.fullmatch(help):
        for word in re.findall("`([^`]+)`", match.group(1)):
            new = _quoted(word) if syntax.tree is not None and found.code not in ("PZ101", "PZ102") else word
            yield Fix(f"Write `{word}`", ((span.start, span.end, new),))
    elif match := _STATEMENT.fullmatch(help):
        yield Fix(f"Write `{match.group(1)}`", (_statement(match.group(2), match.group(1), syntax),))
    elif found.code in _EXACT and (match := _WRITE.fullmatch(help)):
        yield Fix(f"Write `{match.group(1)}`", ((span.start, span.end, match.group(1)),))
    elif (match := _WITHOUT.fullmatch(help)) and span.text == match.group(1):
        yield Fix(f"Remove `{match.group(1)}`", (_removed(span),))


def _quoted(word: str) -> str:
    """Return a name, in quotes if it needs them."""
    return word if _PLAIN.fullmatch(word) else f'"{word}"'


def _removed(span: Span) -> Edit:
    """Return the edit that removes a range, with its line if nothing else is on it."""
    text = span.source.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end) + 1 or len(text)
    alone = not text[start : span.start].strip() and not text[span.end : end].strip()
    return (start, end, "") if alone else (span.start, span.end, "")


def _statement(word: str, new: str, syntax: Syntax) -> Edit:
    """Return the edit that replaces a statement, or adds it after the title."""
    statements = syntax.statements()
    old = next((statement for statement in statements if statement.data == word), None)
    if old is not None:
        return old.meta.start_pos, old.meta.end_pos, new
    title = next((statement for statement in statements if statement.data == "title"), None)
    if title is None:
        return 0, 0, f"{new}\n"
    at = syntax.source.text.find("\n", title.meta.end_pos)
    return (at + 1, at + 1, f"{new}\n") if at >= 0 else (len(syntax.source.text), len(syntax.source.text), f"\n{new}")


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
